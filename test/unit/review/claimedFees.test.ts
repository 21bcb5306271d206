import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { VersionedTransaction, type TransactionInstruction } from '@solana/web3.js';
import type { Address } from '../../../src/base/solana/address';
import { associatedTokenAddress, dammVault, dlmmReserve } from '../../../src/base/solana/pda';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import {
  NO_FACTS,
  type ChainFacts,
  type InnerInstruction,
  type MintRisk,
  type SimulatedTransaction,
} from '../../../src/review/facts/facts';
import type { PolicySettings } from '../../../src/review/policy';
import type { Review } from '../../../src/review/types';
import {
  addressOf,
  bytesOf,
  claim,
  MINT,
  OWN_SOL,
  OWN_TOKEN,
  OWNER,
  POOL,
  removal,
  reviewDrafts,
  THIEF,
  tip,
  tokenAmount,
  tokenInstruction,
  ZAP_OUT,
  type Draft,
} from '../../support/review/bundles';
import { TABLE, tableOf } from '../../support/review/lookupTables';
import { damm, DAMM_OUT } from '../../support/review/meteoraDrafts';

const SERVICE = addressOf('service');
const SERVICE_TOKEN = associatedTokenAddress(SERVICE, MINT);
const APPROVED: Partial<PolicySettings> = { feeRecipients: [SERVICE] };
const RESERVE = dlmmReserve(POOL, MINT);
const SOL_RESERVE = dlmmReserve(POOL, WRAPPED_SOL_MINT);
const OWN_TOKEN_2022 = associatedTokenAddress(OWNER, MINT, PROGRAMS.token2022);
const ALL = 2n ** 64n - 1n;

const fee = (amount: bigint, to = SERVICE_TOKEN, from = OWN_TOKEN): TransactionInstruction =>
  tokenInstruction(tokenAmount(3, amount), [from, to, OWNER]);
/** Names accounts in a transaction, and moves nothing. */
const naming = (...accounts: readonly Address[]): TransactionInstruction[] => accounts.map((account) => tokenInstruction([17], [account]));
const closing = (...instructions: readonly TransactionInstruction[]): Draft => ({ group: 'close', instructions });

/** A transfer that the instruction at `calledBy` makes, before its accounts have their places. */
interface Call {
  readonly calledBy: number | undefined;
  readonly program?: Address;
  readonly accounts: readonly Address[];
  readonly data: readonly number[];
}

const pays = (calledBy: number | undefined, amount: bigint, from = RESERVE, to = OWN_TOKEN): Call => ({
  calledBy,
  accounts: [from, to, POOL],
  data: tokenAmount(3, amount),
});
const paysChecked = (calledBy: number | undefined, amount: bigint, from = RESERVE, to = OWN_TOKEN, mint = MINT): Call => ({
  calledBy,
  accounts: [from, mint, to, POOL],
  data: [...tokenAmount(12, amount), 6],
});

/** The transaction as its simulation shows it; accounts beyond its own keys are those of the table, in their order. */
function simulated(draft: Draft, calls: readonly Call[], more: Partial<SimulatedTransaction> = {}): SimulatedTransaction {
  const { staticAccountKeys } = VersionedTransaction.deserialize(bytesOf(draft)).message;
  const keys = [
    ...staticAccountKeys.map((one) => one.toBase58()),
    ...(draft.tables ?? []).flatMap(({ state }) => state.addresses.map((one) => one.toBase58())),
  ];
  const placeOf = (of: Address): number => {
    assert.ok(keys.includes(of), of);
    return keys.indexOf(of);
  };
  const wallet = (lamports: bigint) => new Map([[OWNER, { lamports, program: PROGRAMS.system, data: new Uint8Array() }]]);
  const innerInstructions = calls.map(({ calledBy, program = PROGRAMS.token, accounts, data }): InnerInstruction => ({
    ...(calledBy === undefined ? {} : { calledBy }),
    programIdIndex: placeOf(program),
    accountIndexes: accounts.map(placeOf),
    data: new Uint8Array(data),
  }));
  return { error: undefined, before: wallet(10_000_000_000n), after: wallet(9_999_995_000n), innerInstructions, ...more };
}

const factsOf = (transactions: readonly SimulatedTransaction[], more: Partial<ChainFacts> = {}): { readonly facts: ChainFacts } => ({
  facts: { ...NO_FACTS, simulation: { slot: 9n, transactions }, ...more },
});

function reviewCalls(
  draft: Draft,
  calls: readonly Call[],
  policy = APPROVED,
  more: Partial<ChainFacts> = {},
  changed: Partial<SimulatedTransaction> = {},
): Review {
  return reviewDrafts(ZAP_OUT, [draft], policy, factsOf([simulated(draft, calls, changed)], more));
}

const tok1 = (review: Review): string[] => review.findings.filter(({ rule }) => rule === 'TOK-1').map(({ verdict }) => verdict);

describe('review: service fee measured by a simulation (TOK-1)', () => {
  it('The review allows a measured fee of up to a tenth of the claim to an approved recipient', () => {
    const draft = closing(claim(), fee(80n));
    const review = reviewCalls(draft, [paysChecked(0, 800n)]);
    assert.equal(review.verdict, 'allow');
    const finding = review.findings.find(({ rule }) => rule === 'TOK-1');
    assert.equal(finding?.verdict, 'info');
    assert.match(finding.message, new RegExp(`80 raw units of ${MINT} would go to ${SERVICE_TOKEN}.*at most 10% of the claimed fees`));
    assert.deepEqual(
      review.recipients.map(({ address }) => address),
      [SERVICE_TOKEN],
    );
    assert.deepEqual(tok1(reviewCalls(draft, [paysChecked(0, 799n)])), ['confirm']);
    assert.deepEqual(tok1(reviewCalls(closing(claim(), fee(81n)), [paysChecked(0, 800n)])), ['confirm']);
  });

  it('The fee limit is exact for every claimed and transferred amount', () => {
    const amount = fc.bigInt({ min: 0n, max: ALL });
    const near = amount.map((claimed) => ({ claimed, taken: claimed / 10n }));
    const pairs = fc.oneof(
      fc.record({ claimed: amount, taken: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }) }),
      near,
      near.map(({ claimed, taken }) => ({ claimed, taken: taken + 1n })),
    );
    fc.assert(
      fc.property(pairs, ({ claimed, taken }) => {
        assert.deepEqual(tok1(reviewCalls(closing(claim(), fee(taken)), [pays(0, claimed)])), [
          taken * 10n <= claimed ? 'info' : 'confirm',
        ]);
      }),
      { numRuns: 60 },
    );
  });

  it('The review adds up several claims, also beyond 64 bits', () => {
    const draft = closing(claim(), claim(), fee(80n));
    assert.deepEqual(tok1(reviewCalls(draft, [pays(0, 500n), paysChecked(1, 300n)])), ['info']);
    assert.deepEqual(tok1(reviewCalls(draft, [pays(0, 500n), paysChecked(1, 299n)])), ['confirm']);
    const large = closing(claim(), claim(), fee(ALL / 6n));
    assert.deepEqual(tok1(reviewCalls(large, [pays(0, ALL), pays(1, ALL)])), ['info']);
    assert.deepEqual(tok1(reviewCalls(large, [pays(0, ALL)])), ['confirm']);
  });

  it('The user approves fee recipients by owner or token account, and no RPC answer can approve another account', () => {
    const elsewhere = addressOf('an account of the service');
    const toElsewhere = closing(claim(), fee(80n, elsewhere));
    const owned = (owner: Address): Partial<ChainFacts> => ({ tokenAccounts: new Map([[elsewhere, { owner, mint: MINT }]]) });
    assert.deepEqual(tok1(reviewCalls(closing(claim(), fee(80n)), [pays(0, 800n)], { feeRecipients: [SERVICE_TOKEN] })), ['info']);
    assert.deepEqual(tok1(reviewCalls(toElsewhere, [pays(0, 800n)])), ['confirm']);
    assert.deepEqual(tok1(reviewCalls(toElsewhere, [pays(0, 800n)], APPROVED, owned(SERVICE))), ['confirm']);
    assert.deepEqual(tok1(reviewCalls(toElsewhere, [pays(0, 800n)], APPROVED, owned(THIEF))), ['confirm']);
    const taken: Partial<ChainFacts> = { tokenAccounts: new Map([[SERVICE_TOKEN, { owner: THIEF, mint: MINT }]]) };
    assert.deepEqual(tok1(reviewCalls(closing(claim(), fee(80n)), [pays(0, 800n)], APPROVED)), ['info']);
    assert.deepEqual(tok1(reviewCalls(closing(claim(), fee(80n)), [pays(0, 800n)], APPROVED, taken)), ['confirm']);
  });

  it('The review asks for confirmation of a fee to a recipient who is not approved', () => {
    const draft = closing(claim(), fee(80n, associatedTokenAddress(THIEF, MINT)));
    for (const policy of [APPROVED, {}, { feeRecipients: [associatedTokenAddress(THIEF, WRAPPED_SOL_MINT)] }]) {
      assert.deepEqual(tok1(reviewCalls(draft, [pays(0, 800n)], policy)), ['confirm']);
    }
    assert.deepEqual(tok1(reviewCalls(draft, [pays(0, 800n)], { feeRecipients: [THIEF] })), ['info']);
  });

  it('The review counts both DLMM claims and the DAMM v2 claim, each for its own token', () => {
    const service = associatedTokenAddress(SERVICE, WRAPPED_SOL_MINT);
    const solFee = fee(80n, service, OWN_SOL);
    assert.deepEqual(tok1(reviewCalls(closing(claim(), solFee), [pays(0, 800n, SOL_RESERVE, OWN_SOL)])), ['info']);
    assert.deepEqual(tok1(reviewCalls(closing(claim(), solFee), [pays(0, 800n)])), ['confirm']);
    assert.deepEqual(tok1(reviewCalls(closing(claim(), solFee, fee(90n)), [pays(0, 800n, SOL_RESERVE, OWN_SOL), pays(0, 899n)])), [
      'confirm',
      'info',
    ]);
    const product = closing(damm('claim_position_fee'), fee(80n));
    const vaults = [dammVault(POOL, MINT), dammVault(POOL, WRAPPED_SOL_MINT)] as const;
    const reviewProduct = (...calls: readonly Call[]): string[] =>
      tok1(reviewDrafts(DAMM_OUT, [product], APPROVED, factsOf([simulated(product, calls)])));
    assert.deepEqual(reviewProduct(paysChecked(0, 800n, vaults[0])), ['info']);
    assert.deepEqual(reviewProduct(paysChecked(0, 800n, vaults[1], OWN_SOL, WRAPPED_SOL_MINT)), ['confirm']);
  });

  it("The review finds the pool's reserve account even if only a lookup table names it", () => {
    const other = addressOf('another account of the table');
    const draft: Draft = { ...closing(claim(), ...naming(other), fee(80n)), tables: [tableOf([RESERVE, other])] };
    assert.deepEqual(tok1(reviewCalls(draft, [pays(0, 800n)])), ['info']);
    assert.deepEqual(tok1(reviewCalls(draft, [pays(0, 800n, other)])), ['confirm']);
    const known = { lookupTables: new Map([[TABLE, { addresses: [RESERVE, other], isDeactivated: false }]]) };
    assert.deepEqual(tok1(reviewCalls(draft, [pays(0, 800n)], APPROVED, known)), ['info']);
  });

  it('The review counts no other transfer as claimed fees', () => {
    const draft = closing(
      removal(),
      claim(),
      ...naming(OWN_TOKEN_2022, THIEF),
      tokenInstruction([17], [OWN_TOKEN_2022], PROGRAMS.token2022),
      fee(80n),
    );
    assert.deepEqual(tok1(reviewCalls(draft, [pays(1, 800n)])), ['info']);
    const fakes: Readonly<Record<string, Call>> = {
      'between own accounts': pays(1, 800n, OWN_TOKEN_2022, OWN_TOKEN),
      'from an account to itself': pays(1, 800n, OWN_TOKEN, OWN_TOKEN),
      'from a stranger': pays(1, 800n, THIEF, OWN_TOKEN),
      'to another own account': pays(1, 800n, RESERVE, OWN_TOKEN_2022),
      'to a stranger': pays(1, 800n, RESERVE, THIEF),
      "out of the owner's into the pool": pays(1, 800n, OWN_TOKEN, RESERVE),
      'from the other side': pays(1, 800n, SOL_RESERVE, OWN_TOKEN),
      'of the other mint': pays(1, 800n, SOL_RESERVE, OWN_SOL),
      'of a removal': pays(0, 800n),
      'of an instruction in between': pays(2, 800n),
      'of the transfer itself': pays(5, 800n),
      'of no instruction': pays(9, 800n),
      'of an instruction that the RPC does not name': pays(undefined, 800n),
      'of a program that is no token program': { ...pays(1, 800n), program: PROGRAMS.dlmm },
      'an approval': { ...pays(1, 800n), data: tokenAmount(4, 800n) },
      'a minting': { ...pays(1, 800n), data: tokenAmount(7, 800n) },
      'too long': { ...pays(1, 800n), data: [...tokenAmount(3, 800n), 0] },
      'too short': { ...pays(1, 800n), data: tokenAmount(3, 800n).slice(0, 8) },
      'no data': { ...pays(1, 800n), data: [] },
      'too few accounts': { ...pays(1, 800n), accounts: [RESERVE, OWN_TOKEN] },
      'with a transfer fee': {
        ...paysChecked(1, 800n),
        program: PROGRAMS.token2022,
        data: [26, 1, ...tokenAmount(0, 800n).slice(1), 6, ...tokenAmount(0, 799n).slice(1)],
      },
    };
    for (const [what, call] of Object.entries(fakes)) {
      assert.deepEqual(tok1(reviewCalls(draft, [call])), ['confirm'], what);
      assert.deepEqual(tok1(reviewCalls(draft, [call, pays(1, 799n)])), ['confirm'], `${what}, besides a claim`);
    }
  });

  it('The review tolerates simulated inner instructions with invalid indexes and counts none of them', () => {
    const draft = closing(claim(), fee(80n));
    const [call] = simulated(draft, [pays(0, 800n)]).innerInstructions ?? [];
    assert.ok(call !== undefined);
    const odd: readonly InnerInstruction[] = [
      { ...call, programIdIndex: -1 },
      { ...call, programIdIndex: 250 },
      { ...call, accountIndexes: [-1, -1, -1] },
      { ...call, accountIndexes: [250, 250, 250] },
      { ...call, accountIndexes: [0.5, NaN, 0] },
      { ...call, calledBy: -1 },
      { ...call, calledBy: NaN },
    ];
    assert.deepEqual(tok1(reviewCalls(draft, [], APPROVED, {}, { innerInstructions: odd })), ['confirm']);
  });

  it('The review ignores claims that follow the transfer or belong to another pool, position or transaction', () => {
    const behind = closing(removal(), fee(80n), claim());
    assert.deepEqual(tok1(reviewCalls(behind, [pays(2, 800n)])), ['confirm']);
    const foreign = closing(removal(), claim({ lb_pair: THIEF }), fee(80n));
    assert.deepEqual(tok1(reviewCalls(foreign, [pays(1, 800n)])), ['confirm']);
    assert.equal(reviewCalls(closing(removal(), claim({ position: THIEF }), fee(80n)), [pays(1, 800n)]).verdict, 'block');
    const [claiming, taking] = [closing(claim(), tip()), closing(removal(), ...naming(OWN_TOKEN), fee(80n))];
    const both = reviewDrafts(
      ZAP_OUT,
      [claiming, taking],
      APPROVED,
      factsOf([simulated(claiming, [pays(0, 8_000n)]), simulated(taking, [pays(0, 8_000n)])]),
    );
    assert.deepEqual(tok1(both), ['confirm']);
  });

  it('The review blocks a second fee transfer of the same mint', () => {
    const transfers = [
      fee(40n),
      fee(40n),
      fee(1n, associatedTokenAddress(SERVICE, MINT, PROGRAMS.token2022)),
      fee(1n, SERVICE_TOKEN, OWN_TOKEN_2022),
    ];
    for (const second of transfers) {
      const draft = closing(claim(), fee(40n), second);
      assert.deepEqual(tok1(reviewCalls(draft, [pays(0, 800n)])), ['block', 'info']);
    }
  });

  it('The review measures the fee of each transaction by its own claims', () => {
    const [one, two] = [closing(claim(), fee(80n)), closing(claim(), tip(), fee(80n))];
    const review = (second: bigint): Review =>
      reviewDrafts(ZAP_OUT, [one, two], APPROVED, factsOf([simulated(one, [pays(0, 8_000n)]), simulated(two, [pays(0, second)])]));
    assert.deepEqual(tok1(review(800n)), ['info', 'info']);
    assert.deepEqual(tok1(review(799n)), ['confirm', 'info']);
  });

  it('The review asks about the fee unless a complete and successful simulation covers its transaction', () => {
    const draft = closing(claim(), fee(80n));
    const calls = [pays(0, 800n)];
    assert.deepEqual(tok1(reviewDrafts(ZAP_OUT, [draft], APPROVED)), ['confirm']);
    assert.deepEqual(tok1(reviewCalls(draft, calls, APPROVED, {}, { error: 'failed' })), ['confirm']);
    assert.deepEqual(tok1(reviewCalls(draft, calls, APPROVED, {}, { innerInstructions: undefined })), ['confirm']);
    assert.deepEqual(tok1(reviewCalls(draft, calls, APPROVED, {}, { before: new Map() })), ['confirm']);
    assert.deepEqual(tok1(reviewCalls(draft, calls, APPROVED, {}, { after: new Map() })), ['confirm']);
    const first = closing(removal(), tip());
    assert.deepEqual(tok1(reviewDrafts(ZAP_OUT, [first, draft], APPROVED, factsOf([simulated(first, [])]))), ['confirm']);
    assert.deepEqual(
      tok1(reviewDrafts(ZAP_OUT, [first, draft], APPROVED, factsOf([simulated(first, [], { error: 'failed' }), simulated(draft, calls)]))),
      ['confirm'],
    );
    assert.deepEqual(tok1(reviewDrafts(ZAP_OUT, [first, draft], APPROVED, factsOf([simulated(first, []), simulated(draft, calls)]))), [
      'info',
    ]);
  });

  it('The review still blocks a transfer that does not have the shape of the fee', () => {
    const outside: Draft = { group: 'swap', instructions: [claim(), fee(80n)] };
    assert.deepEqual(tok1(reviewCalls(outside, [pays(0, 800n)])), ['block']);
  });

  it('The review counts Token-2022 claims only if the mint is known to charge no transfer fee', () => {
    const own = { user_token_x: OWN_TOKEN_2022, token_program_x: PROGRAMS.token2022 };
    const draft = closing(
      claim(own),
      ...naming(OWN_TOKEN_2022),
      tokenInstruction([...tokenAmount(12, 80n), 6], [OWN_TOKEN_2022, MINT, SERVICE_TOKEN, OWNER], PROGRAMS.token2022),
    );
    const call: Call = { ...paysChecked(0, 800n, RESERVE, OWN_TOKEN_2022), program: PROGRAMS.token2022 };
    const withRisks = (...risks: readonly MintRisk[]): Partial<ChainFacts> => ({ mints: new Map([[MINT, risks]]) });
    assert.deepEqual(tok1(reviewCalls(draft, [call])), ['confirm']);
    assert.deepEqual(tok1(reviewCalls(draft, [call], APPROVED, withRisks())), ['info']);
    assert.deepEqual(tok1(reviewCalls(draft, [call], APPROVED, withRisks({ kind: 'pausable' }))), ['info']);
    assert.deepEqual(tok1(reviewCalls(draft, [call], APPROVED, withRisks({ kind: 'transferFee', bps: 9_900 }))), ['confirm']);
  });
});
