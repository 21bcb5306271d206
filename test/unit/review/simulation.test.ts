import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { AddressLookupTableAccount, SystemProgram, VersionedTransaction, type TransactionInstruction } from '@solana/web3.js';
import type { Address } from '../../../src/base/solana/address';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import {
  NO_FACTS,
  type AccountState,
  type ChainFacts,
  type InnerInstruction,
  type SimulatedTransaction,
} from '../../../src/review/facts/facts';
import type { Intent, Review } from '../../../src/review/types';
import {
  addByStrategy,
  addressOf,
  base64Of,
  claim,
  dlmm,
  honestZapIn,
  honestZapOut,
  key,
  keyOf,
  MINT,
  objections,
  OWN_SOL,
  OWN_TOKEN,
  OWNER,
  removal,
  reviewDrafts,
  route,
  syncNative,
  THIEF,
  tokenInstruction,
  transferSol,
  unwrap,
  ZAP_IN,
  ZAP_OUT,
  type Draft,
} from '../../support/review/bundles';

/** What is used of @solana/spl-token. Loaded as it is: bundled, it breaks how errors write their stacks, and with it the test runner. */
interface SplToken {
  readonly AccountLayout: { readonly span: number; encode(account: Readonly<Record<string, unknown>>, data: Buffer): void };
}

const { AccountLayout } = createRequire(join(process.cwd(), 'package.json'))('@solana/spl-token') as SplToken;

const EMPTY = new Uint8Array();
const RICH = 10_000_000_000n;
const OTHER_MINT = addressOf('another mint');

const wallet = (lamports: bigint, program: Address = PROGRAMS.system, data = EMPTY): AccountState => ({ lamports, program, data });

interface TokenChoices {
  readonly owner?: Address;
  readonly delegate?: Address;
  readonly closeAuthority?: Address;
  readonly program?: Address;
  readonly extensionBytes?: number;
}

/** A token account as spl-token writes it. */
function tokens(
  mint: Address,
  amount: bigint,
  { owner = OWNER, delegate, closeAuthority, program = PROGRAMS.token, extensionBytes = 0 }: TokenChoices = {},
): AccountState {
  const data = Buffer.alloc(AccountLayout.span + extensionBytes);
  AccountLayout.encode(
    {
      mint: key(mint),
      owner: key(owner),
      amount,
      delegateOption: delegate === undefined ? 0 : 1,
      delegate: key(delegate ?? PROGRAMS.system),
      state: 1,
      isNativeOption: mint === WRAPPED_SOL_MINT ? 1 : 0,
      isNative: 0n,
      delegatedAmount: 0n,
      closeAuthorityOption: closeAuthority === undefined ? 0 : 1,
      closeAuthority: key(closeAuthority ?? PROGRAMS.system),
    },
    data,
  );
  return { lamports: 2_039_280n, program, data: new Uint8Array(data) };
}

type Accounts = Readonly<Record<string, AccountState>>;

/** A transaction that goes as it says: the wallet pays a little, nothing else changes. */
function simulated(before: Accounts = {}, after: Accounts = {}, more: Partial<SimulatedTransaction> = {}): SimulatedTransaction {
  const states = (accounts: Accounts, lamports: bigint): ReadonlyMap<Address, AccountState> =>
    new Map(Object.entries({ [OWNER]: wallet(lamports), ...accounts }) as [Address, AccountState][]);
  return { error: undefined, before: states(before, RICH), after: states(after, RICH - 5_000n), innerInstructions: [], ...more };
}

const factsOf = (...transactions: readonly SimulatedTransaction[]): { readonly facts: ChainFacts } => ({
  facts: { ...NO_FACTS, simulation: { slot: 123n, transactions } },
});

const reviewSimulated = (intent: Intent, drafts: readonly Draft[], ...transactions: readonly SimulatedTransaction[]): Review =>
  reviewDrafts(intent, drafts, undefined, factsOf(...transactions));

const closing = (...extra: readonly TransactionInstruction[]): Draft => ({ group: 'close', instructions: [removal(), ...extra] });
const CLOSE = closing();
const SWAP: Draft = { group: 'swap', instructions: [route()] };

describe('review: simulation (SIM)', () => {
  it('The simulation adds no finding if everything changes as the instructions say', () => {
    const [close, swap, rest] = honestZapOut();
    const review = reviewSimulated(
      ZAP_OUT,
      [close, swap, rest],
      simulated({}, { [OWN_TOKEN]: tokens(MINT, 5_000_000n), [OWN_SOL]: tokens(WRAPPED_SOL_MINT, 7n), [OWNER]: wallet(RICH - 6_000_000n) }),
      simulated(
        { [OWN_TOKEN]: tokens(MINT, 5_000_000n), [OWN_SOL]: tokens(WRAPPED_SOL_MINT, 7n) },
        { [OWN_TOKEN]: tokens(MINT, 0n), [OWN_SOL]: tokens(WRAPPED_SOL_MINT, 388_000_007n) },
      ),
      simulated({ [OWN_SOL]: tokens(WRAPPED_SOL_MINT, 388_000_007n) }, { [OWNER]: wallet(RICH + 390_000_000n) }),
    );
    assert.deepEqual(objections(review), []);
    assert.equal(review.verdict, 'allow');
    assert.deepEqual(review.checked.simulation, { slot: 123n, transactions: 3 });
  });

  it('The rent of accounts that a zap-out closes is told apart from what the position returns', () => {
    const position: AccountState = { lamports: 57_406_080n, program: PROGRAMS.dlmm, data: new Uint8Array() };
    const wrapped = { ...tokens(WRAPPED_SOL_MINT, 5_000n), lamports: 2_044_280n };
    const of = (after: Accounts): bigint | undefined =>
      reviewSimulated(
        ZAP_OUT,
        [CLOSE],
        simulated(
          { [addressOf('closed position')]: position, [OWN_SOL]: wrapped, [OWN_TOKEN]: tokens(MINT, 1n) },
          { [OWN_TOKEN]: tokens(MINT, 1n), ...after },
        ),
      ).rentBackLamports;
    assert.equal(of({}), 57_406_080n + 2_039_280n, 'wrapped SOL is no rent, and an account that stays returns none');
    assert.equal(of({ [addressOf('closed position')]: position, [OWN_SOL]: wrapped }), 0n);
    assert.equal(reviewDrafts(ZAP_OUT, [CLOSE]).rentBackLamports, undefined, 'without a simulation it is not known');
  });

  it('The simulation of only the first transaction adds no finding to an honest zap-in', () => {
    const first = simulated(
      {},
      { [OWNER]: wallet(RICH - 1_004_098_560n), [OWN_SOL]: tokens(WRAPPED_SOL_MINT, 500_000_000n), [OWN_TOKEN]: tokens(MINT, 3_977_000n) },
    );
    const review = reviewSimulated(ZAP_IN, honestZapIn(), first);
    assert.deepEqual(objections(review), []);
    assert.deepEqual(review.checked.simulation, { slot: 123n, transactions: 1 });
  });

  describe('SIM-1: lost SOL', () => {
    const losing = (...lamports: readonly bigint[]): string[] =>
      objections(
        reviewSimulated(
          ZAP_OUT,
          lamports.map((_, at) => ({ ...closing(), blockhash: addressOf(`hash ${at}`) })),
          ...lamports.map((left) => simulated({}, { [OWNER]: wallet(RICH - left) })),
        ),
      );

    it('The review blocks a loss that the instructions do not explain, with a tolerance of 0.002 SOL', () => {
      assert.deepEqual(losing(5_000n + 2_000_000n), []);
      assert.deepEqual(losing(5_000n + 2_000_001n), ['block SIM-1']);
    });

    it('The review counts the loss from the first transaction on', () => {
      assert.deepEqual(losing(1_000_000n, 10_000n + 2_000_000n), []);
      assert.deepEqual(losing(1_000_000n, 10_000n + 2_000_001n), ['block SIM-1']);
    });

    it('The review treats the input of a zap-in as explained', () => {
      const spending = (lamports: bigint): string[] =>
        objections(reviewSimulated(ZAP_IN, [{ group: 'swap', instructions: [] }], simulated({}, { [OWNER]: wallet(RICH - lamports) })));
      assert.deepEqual(spending(1_002_005_000n), ['confirm DEC-7']);
      assert.deepEqual(spending(1_002_005_001n), ['block SIM-1', 'confirm DEC-7']);
    });

    it('The review counts a wallet that the simulation leaves empty', () => {
      const emptied = simulated();
      const after = new Map(emptied.after);
      after.delete(OWNER);
      assert.deepEqual(objections(reviewSimulated(ZAP_OUT, [CLOSE], { ...emptied, after })), ['block SIM-1']);
    });
  });

  describe('SIM-2: changes of tokens', () => {
    const changing = (
      draft: Draft,
      account: Address,
      before: AccountState | undefined,
      after: AccountState | undefined,
      more: Accounts = {},
    ): string[] =>
      objections(
        reviewSimulated(
          draft.group === 'add' ? ZAP_IN : ZAP_OUT,
          [draft],
          simulated(before && { [account]: before }, { ...more, ...(after && { [account]: after }) }),
        ),
      );

    it('The review blocks any change of tokens that are not part of the operation', () => {
      const account = addressOf('an account of the owner');
      for (const after of [tokens(OTHER_MINT, 6n), tokens(OTHER_MINT, 8n), undefined]) {
        assert.deepEqual(changing(CLOSE, account, tokens(OTHER_MINT, 7n), after), ['block SIM-2']);
      }
      assert.deepEqual(changing(CLOSE, account, tokens(OTHER_MINT, 7n), tokens(OTHER_MINT, 7n)), []);
      assert.deepEqual(changing(CLOSE, account, tokens(OTHER_MINT, 7n, { owner: THIEF }), tokens(OTHER_MINT, 0n, { owner: THIEF })), []);
    });

    it('The review accepts rewards in any token', () => {
      const account = addressOf('reward account');
      const claiming = (after: bigint): string[] => {
        const draft = closing(
          dlmm(
            'claim_reward2',
            { reward_index: 0n, min_bin_id: 0, max_bin_id: 1, remaining_accounts_info: { slices: [] } },
            { user_token_account: account, reward_mint: OTHER_MINT },
          ),
        );
        return changing(draft, account, tokens(OTHER_MINT, 7n), tokens(OTHER_MINT, after)).filter((objection) => objection.includes('SIM'));
      };
      assert.deepEqual(claiming(9n), []);
      assert.deepEqual(claiming(6n), ['block SIM-2']);
    });

    it("The review blocks a withdrawal that takes the pool's tokens out of the wallet", () => {
      assert.deepEqual(changing(CLOSE, OWN_TOKEN, tokens(MINT, 10n), tokens(MINT, 10n)), []);
      assert.deepEqual(changing(CLOSE, OWN_TOKEN, tokens(MINT, 10n), tokens(MINT, 9n)), ['block SIM-2']);
      assert.deepEqual(changing(CLOSE, OWN_TOKEN, tokens(MINT, 10n), undefined), ['block SIM-2']);
      assert.deepEqual(changing(CLOSE, OWN_SOL, tokens(WRAPPED_SOL_MINT, 10n), tokens(WRAPPED_SOL_MINT, 9n)), ['block SIM-2']);
    });

    it('The review blocks a swap that takes more or gives less than it says', () => {
      const swapping = (sold: bigint, bought: bigint): string[] =>
        objections(
          reviewSimulated(
            ZAP_OUT,
            [SWAP],
            simulated(
              { [OWN_TOKEN]: tokens(MINT, 9_000_000n) },
              { [OWN_TOKEN]: tokens(MINT, 9_000_000n - sold), [OWN_SOL]: tokens(WRAPPED_SOL_MINT, bought) },
            ),
          ),
        );
      assert.deepEqual(swapping(5_000_000n, 388_000_000n), []);
      assert.deepEqual(swapping(5_000_001n, 388_000_000n), ['block SIM-2']);
      assert.deepEqual(swapping(5_000_000n, 387_999_999n), ['block SIM-2']);
    });

    it('The review blocks a swap whose result is missing in the simulation', () => {
      assert.deepEqual(
        objections(
          reviewSimulated(ZAP_OUT, [SWAP], simulated({ [OWN_TOKEN]: tokens(MINT, 5_000_000n) }, { [OWN_TOKEN]: tokens(MINT, 0n) })),
        ),
        ['block SIM-2'],
      );
    });

    it('The review blocks a deposit that takes more than its maximum amounts', () => {
      const [, add] = honestZapIn();
      const depositing = (taken: bigint): string[] => changing(add, OWN_TOKEN, tokens(MINT, 9_000_000n), tokens(MINT, 9_000_000n - taken));
      assert.deepEqual(depositing(4_000_000n), []);
      assert.deepEqual(depositing(4_000_001n), ['block SIM-2']);
    });

    it('The review finds unwrapped SOL in the wallet', () => {
      const draft: Draft = { group: 'swap', instructions: [route(), unwrap()] };
      const lamports = (gain: bigint): string[] =>
        objections(
          reviewSimulated(
            ZAP_OUT,
            [draft],
            simulated(
              { [OWN_TOKEN]: tokens(MINT, 5_000_000n), [OWN_SOL]: tokens(WRAPPED_SOL_MINT, 1_000_000_000n) },
              { [OWN_TOKEN]: tokens(MINT, 0n), [OWNER]: wallet(RICH + gain) },
            ),
          ),
        );
      assert.deepEqual(lamports(1_388_000_000n - 5_000n), []);
      assert.deepEqual(lamports(1_388_000_000n - 5_000n - 2_000_001n), ['block SIM-2']);
    });

    it('The review adds up several accounts of one token', () => {
      const second = addressOf('second account');
      const moved = simulated(
        { [OWN_TOKEN]: tokens(MINT, 10n), [second]: tokens(MINT, 0n, { program: PROGRAMS.token2022, extensionBytes: 20 }) },
        { [OWN_TOKEN]: tokens(MINT, 3n), [second]: tokens(MINT, 7n, { program: PROGRAMS.token2022, extensionBytes: 20 }) },
      );
      assert.deepEqual(objections(reviewSimulated(ZAP_OUT, [CLOSE], moved)), []);
    });
  });

  describe('SWP-9: simulated price of swaps', () => {
    const swapped = (bought: bigint, draft: Draft = SWAP, more: Accounts = {}): Review =>
      reviewSimulated(
        ZAP_OUT,
        [draft],
        simulated(
          { [OWN_TOKEN]: tokens(MINT, 5_000_000n) },
          { [OWN_TOKEN]: tokens(MINT, 0n), [OWN_SOL]: tokens(WRAPPED_SOL_MINT, bought), ...more },
        ),
      );
    const found = (review: Review): string[] => objections(review).filter((objection) => objection.endsWith('SWP-9'));

    it('The review asks about a quote far below the simulated result and blocks less than half of it', () => {
      // 400 M lamports are quoted; 3% of slippage are asked for, and 2% more are left.
      assert.deepEqual(found(swapped(388_000_000n)), []);
      assert.deepEqual(found(swapped(421_052_631n)), []);
      assert.deepEqual(found(swapped(421_052_632n)), ['confirm SWP-9']);
      assert.deepEqual(found(swapped(800_000_000n)), ['confirm SWP-9']);
      assert.deepEqual(found(swapped(800_000_001n)), ['block SWP-9']);
    });

    it('The finding states the simulated result, the quote, and where the difference could go', () => {
      const [asked] = swapped(500_000_000n).findings;
      assert.equal(
        asked?.message,
        'In the simulation, the swap pays out 0.5 SOL, but its quote is 20% lower: 0.4 SOL. Others could take the difference. Try again, or sign only if you accept that.',
      );
      const refused = swapped(40_000_000_000n).findings.find(({ verdict }) => verdict === 'block');
      assert.equal(
        refused?.message,
        'In the simulation, the swap pays out 40 SOL, but its quote is 99% lower: 0.4 SOL. Others could take the difference.',
      );
    });

    it('The review counts SOL that is unwrapped at once without the returned rent and what was wrapped before', () => {
      const unwrapping: Draft = { ...SWAP, instructions: [route(), unwrap()] };
      const given = (lamports: bigint, wrappedBefore = 0n): string[] =>
        found(
          reviewSimulated(
            ZAP_OUT,
            [unwrapping],
            simulated(
              { [OWN_TOKEN]: tokens(MINT, 5_000_000n), [OWN_SOL]: tokens(WRAPPED_SOL_MINT, wrappedBefore) },
              { [OWN_TOKEN]: tokens(MINT, 0n), [OWNER]: wallet(RICH + lamports) },
            ),
          ),
        );
      assert.deepEqual(given(421_052_631n + 2_039_280n), []);
      assert.deepEqual(given(421_052_632n + 2_039_280n), ['confirm SWP-9']);
      assert.deepEqual(given(900_000_000n), ['block SWP-9']);
      assert.deepEqual(given(721_052_631n + 2_039_280n, 300_000_000n), []);
      assert.deepEqual(given(721_052_632n + 2_039_280n, 300_000_000n), ['confirm SWP-9']);
    });

    it('The review adds SOL that another swap of the transaction takes to what a swap pays out', () => {
      const back = route(
        { in_amount: 5_000_000n, quoted_out_amount: 62_500n },
        {
          user_source_token_account: OWN_SOL,
          source_token_account: OWN_SOL,
          user_destination_token_account: OWN_TOKEN,
          source_mint: WRAPPED_SOL_MINT,
          destination_mint: MINT,
        },
      );
      const both: Draft = { ...SWAP, instructions: [route(), back, unwrap()] };
      const given = (lamports: bigint): string[] =>
        found(
          reviewSimulated(
            ZAP_OUT,
            [both],
            simulated(
              { [OWN_TOKEN]: tokens(MINT, 5_000_000n), [OWN_SOL]: tokens(WRAPPED_SOL_MINT, 0n) },
              { [OWN_TOKEN]: tokens(MINT, 62_500n), [OWNER]: wallet(RICH + lamports) },
            ),
          ),
        );
      assert.deepEqual(given(416_052_631n + 2_039_280n), []);
      assert.deepEqual(given(416_052_632n + 2_039_280n), ['confirm SWP-9']);
    });

    it('The review does not count what a position gives or takes as the result of a swap', () => {
      for (const other of [removal(), dlmm('close_position'), addByStrategy()]) {
        assert.deepEqual(found(swapped(900_000_000n, { ...CLOSE, instructions: [other, route()] })), []);
      }
    });
  });

  describe('SIM-3: control over the wallet and its accounts', () => {
    const after = (accounts: Accounts): string[] =>
      objections(
        reviewSimulated(ZAP_OUT, [CLOSE], simulated({ [OWN_TOKEN]: tokens(MINT, 5n) }, { [OWN_TOKEN]: tokens(MINT, 5n), ...accounts })),
      );

    it('The review blocks a wallet that another program owns or that contains data', () => {
      assert.deepEqual(after({ [OWNER]: wallet(RICH, THIEF) }), ['block SIM-3']);
      assert.deepEqual(after({ [OWNER]: wallet(RICH, PROGRAMS.system, new Uint8Array(1)) }), ['block SIM-3']);
      assert.deepEqual(after({ [OWNER]: wallet(RICH) }), []);
    });

    it('The review blocks changes that give others power over a token account', () => {
      assert.deepEqual(after({ [OWN_TOKEN]: tokens(MINT, 5n, { owner: THIEF }) }), ['block SIM-3']);
      assert.deepEqual(after({ [OWN_TOKEN]: tokens(MINT, 5n, { delegate: THIEF }) }), ['block SIM-3']);
      assert.deepEqual(after({ [OWN_TOKEN]: tokens(MINT, 5n, { closeAuthority: THIEF }) }), ['block SIM-3']);
      const review = reviewSimulated(ZAP_OUT, [CLOSE], simulated({}, { [OWN_TOKEN]: tokens(MINT, 5n, { delegate: THIEF }) }));
      assert.match(review.findings[0]?.message ?? '', new RegExp(`${THIEF} can spend from your token account ${OWN_TOKEN}`));
    });

    it('The review blocks a token account that it cannot read', () => {
      assert.deepEqual(after({ [OWN_SOL]: { lamports: 1n, program: PROGRAMS.token, data: new Uint8Array(164) } }), ['block SIM-3']);
      assert.deepEqual(after({ [OWN_SOL]: wallet(1n) }), []);
    });
  });

  describe('SIM-4: inner instructions', () => {
    const close: Draft = { group: 'close', instructions: [removal(), tokenInstruction([17], [OWN_SOL]), transferSol(OWNER, 0n)] };

    /** An inner instruction with its places in the message, as web3.js orders it. */
    function inner(program: Address, accounts: readonly Address[], data: readonly number[]): InnerInstruction {
      const keys = staticKeys(close);
      const placeOf = (of: Address): number => {
        assert.ok(keys.includes(of));
        return keys.indexOf(of);
      };
      return { programIdIndex: placeOf(program), accountIndexes: accounts.map(placeOf), data: new Uint8Array(data) };
    }

    const calling = (program: Address, accounts: readonly Address[], data: readonly number[]): string[] =>
      objections(reviewSimulated(ZAP_OUT, [close], simulated({}, {}, { innerInstructions: [inner(program, accounts, data)] })));

    it("The review blocks dangerous inner instructions in the owner's name", () => {
      assert.deepEqual(calling(PROGRAMS.token, [OWN_TOKEN, OWN_SOL, OWNER], [4, 1, 0, 0, 0, 0, 0, 0, 0]), ['block SIM-4']);
      assert.deepEqual(calling(PROGRAMS.token, [OWN_TOKEN, MINT, OWN_SOL, OWNER], [13, 1, 0, 0, 0, 0, 0, 0, 0, 6]), ['block SIM-4']);
      assert.deepEqual(calling(PROGRAMS.token, [OWN_TOKEN, OWNER], [6, 2, 0]), ['block SIM-4']);
      assert.deepEqual(calling(PROGRAMS.token, [OWN_TOKEN, OWNER], [255, 1, 2]), ['block SIM-4']);
      assert.deepEqual(calling(PROGRAMS.system, [OWNER], [1, 0, 0, 0]), ['block SIM-4']);
      assert.deepEqual(calling(PROGRAMS.system, [OWN_TOKEN, OWNER], [10, 0, 0, 0]), ['block SIM-4']);
      assert.deepEqual(calling(PROGRAMS.system, [OWNER], [8, 0, 0, 0]), ['block SIM-4']);
    });

    it("The review allows inner instructions of programs for themselves and transfers of the owner's tokens", () => {
      assert.deepEqual(calling(PROGRAMS.token, [OWN_TOKEN, OWN_SOL, MINT], [4, 1, 0, 0, 0, 0, 0, 0, 0]), []);
      assert.deepEqual(calling(PROGRAMS.token, [OWN_TOKEN, MINT], [6, 2, 0]), []);
      assert.deepEqual(calling(PROGRAMS.token, [OWN_TOKEN, OWN_SOL, OWNER], [3, 1, 0, 0, 0, 0, 0, 0, 0]), []);
      assert.deepEqual(calling(PROGRAMS.system, [MINT], [1, 0, 0, 0]), []);
      assert.deepEqual(calling(MINT, [OWNER], [6, 1]), []);
    });

    it('The review tolerates inner instructions with invalid indexes or empty data', () => {
      const odd: readonly InnerInstruction[] = [
        { programIdIndex: 250, accountIndexes: [0], data: EMPTY },
        { programIdIndex: -1, accountIndexes: [0.5], data: EMPTY },
        { ...inner(PROGRAMS.token, [], []), accountIndexes: [] },
        { ...inner(PROGRAMS.token, [], [6]), accountIndexes: [] },
      ];
      assert.deepEqual(objections(reviewSimulated(ZAP_OUT, [close], simulated({}, {}, { innerInstructions: odd }))), []);
    });

    it('The review finds inner programs that only a lookup table names', () => {
      const table = new AddressLookupTableAccount({
        key: key(addressOf('a table')),
        state: {
          deactivationSlot: 2n ** 64n - 1n,
          lastExtendedSlot: 0,
          lastExtendedSlotStartIndex: 0,
          addresses: [key(MINT), key(PROGRAMS.token)],
        },
      });
      const withTable: Draft = { group: 'close', tables: [table], instructions: [removal()] };
      const keys = staticKeys(withTable);
      assert.equal(keys.includes(PROGRAMS.token), false);
      const content = { addresses: [MINT, PROGRAMS.token], isDeactivated: false };
      // Behind the static keys stands what is writable of the table, then what is not: the mint, the token program.
      const places = [keys.length, keys.length + 1];
      const found = places.flatMap((programIdIndex) => {
        const simulation = {
          slot: 1n,
          transactions: [
            simulated({}, {}, { innerInstructions: [{ programIdIndex, accountIndexes: [0, 0], data: new Uint8Array([6, 2, 0]) }] }),
          ],
        };
        return objections(
          reviewDrafts(ZAP_OUT, [withTable], undefined, {
            facts: { ...NO_FACTS, lookupTables: new Map([[addressOf('a table'), content]]), simulation },
          }),
        );
      });
      assert.deepEqual(found, ['block SIM-4']);
    });
  });

  it('SIM-5: The review asks about a failing transaction, quotes the error and ignores the results after it', () => {
    const failing = simulated({}, {}, { error: 'custom program error: `0x1`\n# Allowed' });
    const theft = simulated({}, { [OWNER]: wallet(0n) });
    const review = reviewSimulated(ZAP_OUT, [CLOSE, SWAP], failing, theft);
    assert.deepEqual(objections(review), ['confirm SIM-5']);
    const message = review.findings.find(({ rule }) => rule === 'SIM-5')?.message ?? '';
    assert.match(message, /custom program error: \\u\{60\}0x1/);
    assert.doesNotMatch(message, /\n/);
    assert.ok(
      reviewSimulated(ZAP_OUT, [CLOSE], { ...failing, error: 'x'.repeat(10_000) }).findings.every(
        (finding) => finding.message.length < 400,
      ),
    );
  });

  it('SIM-5: The review asks if the simulation contains no state of the wallet', () => {
    assert.deepEqual(objections(reviewSimulated(ZAP_OUT, [CLOSE], { ...simulated(), before: new Map() })), ['confirm SIM-5']);
  });

  it('The review accepts a simulation of no transaction or of more transactions than there are', () => {
    const none = reviewSimulated(ZAP_OUT, [CLOSE]);
    assert.deepEqual(objections(none), []);
    const many = reviewSimulated(ZAP_OUT, [CLOSE], simulated(), simulated());
    assert.deepEqual(objections(many), []);
    assert.equal(many.checked.simulation?.transactions, 1);
  });

  describe('questions that a simulation may answer', () => {
    const temporary = keyOf('temporary');
    const account = addressOf('temporary');
    const passing: Draft = {
      group: 'swap',
      signers: [temporary],
      instructions: [
        SystemProgram.createAccount({
          fromPubkey: key(OWNER),
          newAccountPubkey: temporary.publicKey,
          lamports: 2_039_280,
          space: 165,
          programId: key(PROGRAMS.token),
        }),
        tokenInstruction([18, ...key(OWNER).toBytes()], [account, WRAPPED_SOL_MINT]),
        route({}, { user_destination_token_account: account }),
        tokenInstruction([9], [account, OWNER, OWNER]),
      ],
    };
    const clean = simulated(
      { [OWN_TOKEN]: tokens(MINT, 5_000_000n) },
      { [OWN_TOKEN]: tokens(MINT, 0n), [OWNER]: wallet(RICH + 388_000_000n) },
    );

    it('A complete simulation without objections turns the question of SYS-4 into a mention', () => {
      assert.deepEqual(objections(reviewDrafts(ZAP_OUT, [passing])), ['confirm SYS-4']);
      const review = reviewSimulated(ZAP_OUT, [passing], clean);
      assert.deepEqual(objections(review), []);
      assert.equal(review.findings.find(({ rule }) => rule === 'SYS-4')?.verdict, 'info');
    });

    it('A failed, incomplete or different simulation does not answer the question of SYS-4', () => {
      const stays = (review: Review): void =>
        assert.deepEqual(
          objections(review).filter((objection) => objection.endsWith('SYS-4')),
          ['confirm SYS-4'],
        );
      stays(reviewSimulated(ZAP_OUT, [passing], { ...clean, innerInstructions: undefined }));
      stays(reviewSimulated(ZAP_OUT, [passing], { ...clean, error: 'failed' }));
      stays(reviewSimulated(ZAP_OUT, [passing], simulated({ [OWN_TOKEN]: tokens(MINT, 5_000_000n) }, { [OWN_TOKEN]: tokens(MINT, 0n) })));
      stays(reviewSimulated(ZAP_OUT, [CLOSE, passing], simulated()));
    });

    it('A simulation answers no other question and lifts no block', () => {
      const sold = simulated(
        { [OWN_TOKEN]: tokens(MINT, 5_000_000n) },
        { [OWN_TOKEN]: tokens(MINT, 0n), [OWN_SOL]: tokens(WRAPPED_SOL_MINT, 400_000_000n) },
      );
      const questions: readonly (readonly [Draft, SimulatedTransaction])[] = [
        [{ group: 'close', instructions: [claim(), transferSol(THIEF, 1n)] }, simulated()],
        [
          {
            group: 'close',
            instructions: [claim(), syncNative(), tokenInstruction([4, 1, 0, 0, 0, 0, 0, 0, 0], [OWN_TOKEN, THIEF, OWNER])],
          },
          simulated(),
        ],
        [
          {
            group: 'swap',
            instructions: [dlmm('swap2', { amount_in: 5_000_000n, min_amount_out: 5_000n, remaining_accounts_info: { slices: [] } })],
          },
          sold,
        ],
        [{ group: 'swap', instructions: [route({ slippage_bps: 400 })] }, sold],
      ];
      for (const [draft, shown] of questions) {
        const without = objections(reviewDrafts(ZAP_OUT, [draft]));
        assert.ok(without.length > 0);
        assert.deepEqual(objections(reviewSimulated(ZAP_OUT, [draft], shown)), without);
      }
    });
  });
});

/** The static keys of a draft, as web3.js orders them. */
function staticKeys(draft: Draft): string[] {
  const bytes = Buffer.from(base64Of(draft), 'base64');
  const { message } = VersionedTransaction.deserialize(bytes);
  return message.staticAccountKeys.map((one) => one.toBase58());
}
