import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { NO_FACTS, type AccountState, type ChainFacts, type SimulatedTransaction } from '../../../src/review/facts/facts';
import type { Finding, Verdict, ZapOutIntent } from '../../../src/review/types';
import { addressBytes, type Address } from '../../../src/base/solana/address';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import {
  addressOf,
  MINT,
  OWN_SOL,
  OWN_TOKEN,
  OWNER,
  removal,
  reviewDrafts,
  route,
  ZAP_OUT,
  type Draft,
} from '../../support/review/bundles';

// SIM-2 over the whole operation against a plain reference: what swaps take of a token and withdrawals do not bring is missing afterwards.

const TOKENS_RAW = 10n ** 12n;
const WALLET_LAMPORTS = 10n ** 12n;
const FEE_LAMPORTS = 5_000n;
const LAMPORTS_PER_RAW = 80n;
const STRICTNESS: Readonly<Record<Verdict | 'info', number>> = { info: 0, allow: 0, confirm: 1, block: 2 };

/** One transaction of a zap-out: it takes tokens out of the position, or sells some. */
type Part = { readonly kind: 'withdraw'; readonly raw: bigint } | { readonly kind: 'sell'; readonly raw: bigint };

const change = ({ kind, raw }: Part): bigint => (kind === 'withdraw' ? raw : -raw);

function draftOf({ kind, raw }: Part, at: number): Draft {
  const blockhash = addressOf(`part ${at}`);
  return kind === 'withdraw'
    ? { group: 'close', blockhash, instructions: [removal()] }
    : { group: 'swap', blockhash, instructions: [route({ in_amount: raw, quoted_out_amount: raw * LAMPORTS_PER_RAW })] };
}

function account(mint: Address, amountRaw: bigint): AccountState {
  const data = Buffer.alloc(165);
  data.set(addressBytes(mint), 0);
  data.set(addressBytes(OWNER), 32);
  data.writeBigUInt64LE(amountRaw, 64);
  data[108] = 1;
  return { lamports: 2_039_280n, program: PROGRAMS.token, data: new Uint8Array(data) };
}

/** Every transaction does just what its instructions say. */
function simulationOf(parts: readonly Part[]): readonly SimulatedTransaction[] {
  let [token, sol, wallet] = [TOKENS_RAW, 0n, WALLET_LAMPORTS];
  const states = (): ReadonlyMap<Address, AccountState> =>
    new Map([
      [OWNER, { lamports: wallet, program: PROGRAMS.system, data: new Uint8Array() }],
      [OWN_TOKEN, account(MINT, token)],
      [OWN_SOL, account(WRAPPED_SOL_MINT, sol)],
    ]);
  return parts.map((part) => {
    const before = states();
    token += change(part);
    sol += part.kind === 'sell' ? part.raw * LAMPORTS_PER_RAW : 0n;
    wallet -= FEE_LAMPORTS;
    return { error: undefined, before, after: states(), innerInstructions: [] };
  });
}

const HELD: NonNullable<ZapOutIntent['holdings']> = [
  { mint: MINT, amountRaw: 10n ** 9n },
  { mint: WRAPPED_SOL_MINT, amountRaw: 0n },
];
const INTENT: ZapOutIntent = {
  ...ZAP_OUT,
  holdings: HELD,
  worth: [
    { mint: MINT, amountRaw: 10n ** 9n },
    { mint: WRAPPED_SOL_MINT, amountRaw: LAMPORTS_PER_RAW * 10n ** 9n },
  ],
};

/** What is found about the operation as a whole, where only the first so many transactions were simulated. */
function found(parts: readonly Part[], simulated = parts.length): Finding['verdict'] {
  const facts: ChainFacts = { ...NO_FACTS, simulation: { slot: 1n, transactions: simulationOf(parts).slice(0, simulated) } };
  const review = reviewDrafts(INTENT, parts.map(draftOf), undefined, { facts });
  const [finding] = review.findings.filter(({ rule, transaction }) => rule === 'SIM-2' && transaction === undefined);
  assert.ok(
    review.findings.every(({ rule, transaction }) => !rule.startsWith('SIM-') || transaction === undefined),
    'each transaction by itself is as its instructions say',
  );
  return finding?.verdict ?? 'allow';
}

/** The reference: what is missing, as a share of what is sold. Up to 1% is how far prices move, from 10% on it is refused. */
function expected(parts: readonly Part[]): Finding['verdict'] {
  const sold = parts.reduce((sum, { kind, raw }) => (kind === 'sell' ? sum + raw : sum), 0n);
  const missing = -parts.reduce((sum, part) => sum + change(part), 0n);
  return missing <= 0n || missing * 100n <= sold ? 'allow' : missing * 10n <= sold ? 'confirm' : 'block';
}

const raw = fc.bigInt({ min: 1n, max: 10n ** 8n });
/** Withdrawals that bring about what the swaps sell, a little less, half of it, or more. */
const parts: fc.Arbitrary<readonly Part[]> = fc
  .tuple(
    fc.array(raw, { minLength: 1, maxLength: 4 }),
    fc.integer({ min: 1, max: 2 }),
    fc.constantFrom(0n, 500n, 890n, 899n, 900n, 950n, 989n, 990n, 1_000n, 1_300n),
  )
  .map(([sales, withdrawals, permille]) => {
    const brought = (sales.reduce((sum, one) => sum + one, 0n) * permille) / 1_000n;
    return [
      ...Array.from({ length: withdrawals }, (_, at): Part => ({
        kind: 'withdraw',
        raw: brought / BigInt(withdrawals) + (at === 0 ? brought % BigInt(withdrawals) : 0n),
      })),
      ...sales.map((one): Part => ({ kind: 'sell', raw: one })),
    ];
  });
const shuffled = parts.chain((all) =>
  fc.shuffledSubarray([...all], { minLength: all.length }).map((order): [readonly Part[], readonly Part[]] => [all, order]),
);

describe('review: balance changes of the whole operation (SIM-2)', () => {
  it('The review judges the sum of all balance changes in every order of the transactions', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(shuffled, ([all, order]) => {
        const right = expected(all);
        seen.add(right);
        assert.equal(found(all), right);
        assert.equal(found(order), right);
      }),
      { numRuns: 30 },
    );
    assert.deepEqual([...seen].sort(), ['allow', 'block', 'confirm']);
  });

  it('The review is never less strict if withdrawals do not land', () => {
    fc.assert(
      fc.property(
        shuffled.chain(([, order]) => fc.subarray([...order]).map((dropped): [readonly Part[], readonly Part[]] => [order, dropped])),
        ([order, dropped]) => {
          const landing = order.filter((part) => part.kind === 'sell' || !dropped.includes(part));
          assert.ok(STRICTNESS[found(landing)] >= STRICTNESS[found(order)]);
          assert.equal(found(landing), expected(landing));
        },
      ),
      { numRuns: 30 },
    );
  });

  it('The review judges every simulated part that includes all withdrawals alike, and judges nothing before', () => {
    fc.assert(
      fc.property(shuffled, ([, order]) => {
        const last = order.findLastIndex(({ kind }) => kind === 'withdraw');
        for (let simulated = 1; simulated <= order.length; simulated += 1) {
          assert.equal(found(order, simulated), simulated > last ? expected(order) : 'allow', `${simulated} of ${order.length}`);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('No part of the sales that lands alone sells more than the position was shown to hold', () => {
    fc.assert(
      fc.property(fc.array(raw, { minLength: 1, maxLength: 4 }), fc.bigInt({ min: 0n, max: 2n }), (sales, times) => {
        const factor = times * 20n + 1n;
        const all: readonly Part[] = [{ kind: 'withdraw', raw: 0n }, ...sales.map((one): Part => ({ kind: 'sell', raw: one * factor }))];
        const { verdict } = reviewDrafts(INTENT, all.map(draftOf));
        const sold = sales.reduce((sum, one) => sum + one * factor, 0n);
        // Without an RPC: whichever of them land, they sell no more than the bound of SWP-7.
        assert.equal(verdict === 'allow' && sold > ((HELD[0]?.amountRaw ?? 0n) * 11n) / 10n, false);
      }),
      { numRuns: 20 },
    );
  });
});
