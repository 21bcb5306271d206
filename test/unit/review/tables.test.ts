import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { TransactionInstruction, type AccountMeta, type AddressLookupTableAccount } from '@solana/web3.js';
import { address, type Address } from '../../../src/base/solana/address';
import { dlmmReserve } from '../../../src/base/solana/pda';
import { JITO_TIP_ACCOUNTS } from '../../../src/base/solana/programs';
import { parseTransaction } from '../../../src/base/solana/wireTransaction';
import { decodeTransaction } from '../../../src/review/decode/transaction';
import { NO_FACTS } from '../../../src/review/facts/facts';
import { reviewOperation } from '../../../src/review/review';
import type { Review } from '../../../src/review/types';
import {
  addressOf,
  base64Of,
  budget,
  bytesOf,
  claim,
  createAta,
  honestZapOut,
  key,
  MINT,
  NOW_MS,
  objections,
  OWN_SOL,
  OWN_TOKEN,
  OWNER,
  POOL,
  POSITION,
  removal,
  reviewDrafts,
  route,
  THIEF,
  transferSol,
  ZAP_OUT,
  type Draft,
} from '../../support/review/bundles';
import { TABLE, tableOf } from '../../support/review/lookupTables';

const APPROVED = addressOf('an approved recipient');

/** Accounts that the rules let receive money in the operations of these tests. */
const RECEIVERS: readonly Address[] = [OWN_TOKEN, OWN_SOL, POSITION, ...JITO_TIP_ACCOUNTS];

/** Reviews wire bytes in place of the only transaction. */
const reviewBytes = (bytes: Uint8Array): Review =>
  reviewOperation({
    intent: ZAP_OUT,
    transactions: [{ group: 'close', base64: Buffer.from(bytes).toString('base64') }],
    lastValidBlockHeight: undefined,
    nowMs: NOW_MS,
  });

describe('review: lookup tables without an RPC (ALT, PRG)', () => {
  const tableWith = (...names: readonly string[]): AddressLookupTableAccount => tableOf(names.map(addressOf));

  it('ALT-2: The review mentions pool accounts from a table without an objection', () => {
    const review = reviewDrafts(ZAP_OUT, [
      { group: 'close', instructions: [removal(10_000, { reserve_x: addressOf('vault') })], tables: [tableWith('vault')] },
    ]);
    assert.deepEqual(objections(review), []);
    assert.deepEqual(
      review.findings.filter(({ rule }) => rule.startsWith('ALT')).map(({ verdict, address }) => [verdict, address]),
      [['info', addressOf('table')]],
    );
  });

  it('ALT-2: The review asks about a token destination that comes from a table', () => {
    const review = reviewDrafts(ZAP_OUT, [
      { group: 'close', instructions: [removal(10_000, { user_token_x: addressOf('hidden') })], tables: [tableWith('hidden')] },
    ]);
    assert.deepEqual(objections(review), ['confirm DLMM-2']);
  });

  it('ALT-2: The review asks if the pool, the position or the rent receiver comes from a table', () => {
    const hidden = { lb_pair: addressOf('hidden') };
    assert.deepEqual(
      objections(reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim(hidden)], tables: [tableWith('hidden')] }])),
      ['confirm DLMM-1'],
    );
  });

  it('ALT-2: The review blocks unverified accounts from a table in strict mode', () => {
    const strictly = (instruction: TransactionInstruction): string[] =>
      objections(
        reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [instruction], tables: [tableWith('hidden')] }], {
          isStrictWithoutRpc: true,
        }),
      );
    assert.deepEqual(strictly(removal(10_000, { user_token_x: addressOf('hidden') })), ['block DLMM-2']);
    assert.deepEqual(strictly(claim({ lb_pair: addressOf('hidden') })), ['block DLMM-1']);
    assert.deepEqual(strictly(removal(10_000, { reserve_x: addressOf('hidden') })), []);
  });

  it('ALT-2: The review blocks SOL transfers to an account from a table', () => {
    const review = reviewDrafts(ZAP_OUT, [
      { group: 'close', instructions: [claim(), transferSol(addressOf('hidden'), 1n)], tables: [tableWith('hidden')] },
    ]);
    assert.deepEqual(objections(review), ['block SYS-1']);
  });

  it('PRG-2: The review blocks an unknown program that receives accounts from a table', () => {
    const stranger = new TransactionInstruction({
      programId: key(THIEF),
      keys: [{ pubkey: key(addressOf('hidden')), isSigner: false, isWritable: true }],
    });
    const review = reviewDrafts(ZAP_OUT, [
      { group: 'close', instructions: [claim(), ...budget(), stranger], tables: [tableWith('hidden')] },
    ]);
    assert.deepEqual(objections(review), ['block PRG-2']);
  });
});

describe('review: resolved lookup tables (ALT, DEC-6)', () => {
  /** A transaction that takes `taken` from a table, which by the RPC holds `held`. */
  function reviewWith(
    instruction: TransactionInstruction,
    taken: readonly Address[],
    held: readonly Address[],
    isDeactivated = false,
  ): Review {
    const facts = { ...NO_FACTS, lookupTables: new Map([[TABLE, { addresses: held, isDeactivated }]]) };
    return reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim(), instruction], tables: [tableOf(taken)] }], undefined, {
      facts,
    });
  }

  it('ALT-2: The review treats accounts of a resolved table that receive nothing as if the transaction named them', () => {
    const vault = dlmmReserve(POOL, MINT);
    const honestly = reviewWith(removal(), [vault, POOL], [vault, POOL]);
    assert.deepEqual(objections(honestly), []);
    assert.ok(honestly.findings.every(({ rule }) => rule !== 'ALT-2'));
    const accounts = honestly.transactions[0]?.instructions[1]?.accounts;
    assert.equal(accounts?.find(({ role }) => role === 'reserve_x')?.address, vault);
    assert.deepEqual(objections(reviewWith(removal(10_000, { user_token_x: THIEF }), [THIEF], [THIEF])), ['block DLMM-2']);
    assert.deepEqual(objections(reviewWith(transferSol(THIEF, 1n), [THIEF], [THIEF])), ['confirm SYS-1']);
  });

  it('ALT-2: The review asks, whatever an RPC says, where an account that may receive money comes from a table, and blocks it in strict mode', () => {
    const [tipAccount = THIEF] = JITO_TIP_ACCOUNTS;
    const receivers: readonly (readonly [Address, TransactionInstruction])[] = [
      [OWN_TOKEN, removal()],
      [OWN_SOL, transferSol(OWN_SOL, 1n)],
      [POSITION, removal()],
      [tipAccount, transferSol(tipAccount, 1n)],
      [APPROVED, transferSol(APPROVED, 1n)],
    ];
    for (const [account, instruction] of receivers) {
      const facts = { ...NO_FACTS, lookupTables: new Map([[TABLE, { addresses: [account], isDeactivated: false }]]) };
      const draft: Draft = { group: 'close', instructions: [instruction], tables: [tableOf([account])] };
      for (const [isStrictWithoutRpc, verdict] of [
        [false, 'confirm'],
        [true, 'block'],
      ] as const) {
        const review = reviewDrafts(ZAP_OUT, [draft], { isStrictWithoutRpc, feeRecipients: [APPROVED] }, { facts });
        assert.equal(review.verdict, verdict, account);
        assert.ok(objections(review).includes(`${verdict} ALT-2`), account);
      }
    }
  });

  it('ALT-2: The review relies on the RPC, not on the service, for the contents of a table', () => {
    assert.deepEqual(objections(reviewWith(transferSol(OWN_SOL, 1n), [OWN_SOL], [THIEF])), ['block DLMM-2', 'confirm SYS-1']);
  });

  it('The review orders writable accounts of all tables before the others', () => {
    const first = addressOf('first table');
    const second = addressOf('second table');
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(addressOf) as [Address, Address, Address, Address];
    const meta = (of: Address, isWritable: boolean): AccountMeta => ({ pubkey: key(of), isSigner: false, isWritable });
    const stranger = new TransactionInstruction({
      programId: key(THIEF),
      keys: [meta(d, false), meta(a, true), meta(b, false), meta(c, true)],
    });
    const text = base64Of({ group: 'close', instructions: [stranger], tables: [tableOf([a, b], first), tableOf([c, d], second)] });
    const lookupTables = new Map([first, second].map((of, at) => [of, { addresses: at === 0 ? [a, b] : [c, d], isDeactivated: false }]));
    const view = decodeTransaction(text, 'close', 0, lookupTables);
    assert.ok('accounts' in view);
    assert.deepEqual(
      view.instructions[0]?.accounts.map((account) => [account.address, account.writable]),
      [
        [d, false],
        [a, true],
        [b, false],
        [c, true],
      ],
    );
    assert.deepEqual(
      view.accounts.slice(-4).map((account) => account.address),
      [a, c, b, d],
    );
    assert.deepEqual(
      view.tables.map((table) => [table.address, table.accountCount]),
      [
        [first, 2],
        [second, 2],
      ],
    );
  });

  it('The review judges a transaction alike, whichever of its accounts that receive nothing come from tables', () => {
    const [close, swap] = honestZapOut();
    const drafts: readonly Draft[] = [
      close,
      swap,
      { ...close, instructions: [...close.instructions, transferSol(THIEF, 6_000_000n)] },
      { ...close, instructions: [removal(10_000, { user_token_y: THIEF }), createAta(MINT, THIEF)] },
      { ...swap, instructions: [route({}, { user_destination_token_account: THIEF })] },
    ];
    fc.assert(
      fc.property(fc.nat({ max: drafts.length - 1 }), fc.infiniteStream(fc.nat({ max: 2 })), (which, choices) => {
        const draft = drafts[which] ?? close;
        const accounts = [
          ...new Set(
            draft.instructions.flatMap(({ keys }) =>
              keys.filter(({ isSigner }) => !isSigner).map(({ pubkey }) => address(pubkey.toBase58())),
            ),
          ),
        ].filter((account) => !RECEIVERS.includes(account));
        const places = accounts.map((account) => [account, choices.next().value] as const);
        const tables = [1, 2].map(
          (of) => [addressOf(`table ${of}`), places.flatMap(([account, place]) => (place === of ? [account] : []))] as const,
        );
        const facts = { ...NO_FACTS, lookupTables: new Map(tables.map(([of, addresses]) => [of, { addresses, isDeactivated: false }])) };
        const moved = reviewDrafts(ZAP_OUT, [{ ...draft, tables: tables.map(([of, addresses]) => tableOf(addresses, of)) }], undefined, {
          facts,
        });
        const named = reviewDrafts(ZAP_OUT, [draft]);
        assert.deepEqual(moved.findings, named.findings);
        assert.deepEqual(moved.spends, named.spends);
        assert.deepEqual(moved.recipients, named.recipients);
      }),
      { numRuns: 60 },
    );
  });

  it('ALT-3: The review blocks a table index that does not exist yet', () => {
    const vault = dlmmReserve(POOL, MINT);
    const review = reviewWith(removal(), [vault], []);
    assert.deepEqual(objections(review), ['block ALT-3']);
    assert.match(review.findings[0]?.message ?? '', /entry 1\b/);
  });

  it('ALT-4: The review asks about a table that is being deactivated', () => {
    const vault = dlmmReserve(POOL, MINT);
    assert.deepEqual(objections(reviewWith(removal(), [vault], [vault], true)), ['confirm ALT-4']);
  });

  it('DEC-6: The review blocks a table account that the transaction names already', () => {
    const vault = dlmmReserve(POOL, MINT);
    assert.deepEqual(objections(reviewWith(removal(), [vault], [OWNER])), ['block DEC-6']);
    assert.deepEqual(objections(reviewWith(removal(), [vault, OWN_TOKEN], [OWN_SOL, OWN_SOL])), ['block DEC-6']);
  });

  it('DEC-6: The review blocks the same table index twice, also in an unresolved table', () => {
    const [one, two] = [addressOf('one'), addressOf('two')];
    const bytes = bytesOf({
      group: 'close',
      instructions: [claim(), removal(10_000, { reserve_x: one, reserve_y: two })],
      tables: [tableOf([one, two])],
    });
    const { tableLookups } = parseTransaction(bytes);
    assert.deepEqual(
      tableLookups.map(({ writableIndexes }) => writableIndexes),
      [[0, 1]],
    );
    // Behind the last place stands the number of read-only places, which is 0.
    bytes[bytes.length - 2] = 0;
    assert.deepEqual(objections(reviewBytes(bytes)), ['block DEC-6']);
  });
});
