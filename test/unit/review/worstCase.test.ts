import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { AddressLookupTableAccount, TransactionInstruction } from '@solana/web3.js';
import { addressFromBytes, type Address } from '../../../src/base/solana/address';
import { DAMM_INSTRUCTIONS } from '../../../src/base/solana/generated/dammInstructions';
import { MAX_TRANSACTION_BYTES, MAX_V1_TRANSACTION_BYTES, PROGRAMS } from '../../../src/base/solana/programs';
import { NO_FACTS, type ChainFacts } from '../../../src/review/facts/facts';
import { reviewOperation } from '../../../src/review/review';
import { describeReview } from '../../../src/review/describe/summary';
import type { Intent, Review } from '../../../src/review/types';
import {
  addressOf,
  base64Of,
  bytesOf,
  claim,
  createAta,
  dlmm,
  instruction,
  key,
  keyOf,
  NOW_MS,
  openPosition,
  OWN_TOKEN,
  OWNER,
  route,
  THIEF,
  tip,
  tokenAmount,
  tokenInstruction,
  transferSol,
  ZAP_IN,
  ZAP_OUT,
  type Draft,
  type Version,
} from '../../support/review/bundles';

/** As many as are read at all (policy: blockTransactions). */
const MOST_TRANSACTIONS = 64;

/** Processor time that a review may take, microseconds: "well under a second", on a machine that does other things too. */
const MOST_MICROSECONDS = 1_000_000;

/** An address of its own for each name, cheaply. */
const anyAddress = (...name: readonly unknown[]): Address => addressFromBytes(createHash('sha256').update(name.join(' ')).digest());

/** Packs as many instructions into each of 64 transactions as go in. */
function full(
  group: Draft['group'],
  make: (transaction: number, place: number) => TransactionInstruction,
  signers: Draft['signers'] = [],
  tables: (transaction: number) => readonly AddressLookupTableAccount[] = () => [],
  version: Version = 0,
): Draft[] {
  const draft = (transaction: number, count: number): Draft => ({
    group,
    version,
    signers,
    tables: tables(transaction),
    blockhash: anyAddress('hash', transaction),
    instructions: Array.from({ length: count }, (_, place) => make(transaction, place)),
  });
  let count = 1;
  for (let step = 256; step >= 1; step /= 2) {
    count += fits(draft(0, count + step)) ? step : 0;
  }
  return Array.from({ length: MOST_TRANSACTIONS }, (_, transaction) => draft(transaction, count));
}

/** The same in v1, which holds more than three times as many bytes, but not more than 64 instructions and 64 accounts. */
function fullV1(group: Draft['group'], make: (transaction: number, place: number) => TransactionInstruction): Draft[] {
  return full(group, make, [], undefined, 1);
}

function fits(draft: Draft): boolean {
  try {
    return bytesOf(draft).length <= (draft.version === 1 ? MAX_V1_TRANSACTION_BYTES : MAX_TRANSACTION_BYTES);
  } catch {
    return false;
  }
}

const unknown = (program: Address, data: readonly number[], accounts: readonly Address[] = []): TransactionInstruction =>
  new TransactionInstruction({
    programId: key(program),
    data: Buffer.from(data),
    keys: accounts.map((account) => ({ pubkey: key(account), isSigner: false, isWritable: true })),
  });

/** Of a table of its own for each transaction: as many accounts as a table holds. */
function tableOf(transaction: number): AddressLookupTableAccount {
  const addresses = Array.from({ length: 256 }, (_, place) => key(anyAddress('mint', transaction, place)));
  return new AddressLookupTableAccount({
    key: key(anyAddress('table', transaction)),
    state: { deactivationSlot: 2n ** 64n - 1n, lastExtendedSlot: 0, lastExtendedSlotStartIndex: 0, addresses },
  });
}

/** What an RPC says of those tables. */
const FACTS: ChainFacts = {
  ...NO_FACTS,
  lookupTables: new Map(
    Array.from({ length: MOST_TRANSACTIONS }, (_, transaction) => {
      const table = tableOf(transaction);
      return [
        table.key.toBase58() as Address,
        { addresses: table.state.addresses.map((one) => one.toBase58() as Address), isDeactivated: false },
      ];
    }),
  ),
};

const ATTACKS: readonly (readonly [string, Intent, () => Draft[]])[] = [
  [
    'accounts of many mints from lookup tables',
    ZAP_OUT,
    () =>
      full(
        'close',
        (transaction, place) => createAta(anyAddress('mint', transaction, place), OWNER, OWN_TOKEN),
        [],
        (transaction) => [tableOf(transaction)],
      ),
  ],
  [
    'DAMM v2 positions of ever other NFTs',
    { ...ZAP_IN, poolType: 'dammV2' },
    () =>
      full('add', (transaction, place) =>
        instruction(PROGRAMS.dammV2, DAMM_INSTRUCTIONS, 'create_position', {
          owner: OWNER,
          payer: OWNER,
          position_nft_mint: anyAddress('mint', transaction, place),
        }),
      ),
  ],
  ['tiny instructions', ZAP_OUT, () => full('close', () => unknown(THIEF, []))],
  [
    'instructions that repeat one account',
    ZAP_OUT,
    () =>
      full('close', () =>
        unknown(
          THIEF,
          [],
          Array.from({ length: 200 }, () => OWN_TOKEN),
        ),
      ),
  ],
  [
    'accounts of many mints',
    ZAP_OUT,
    () => full('close', (transaction, place) => createAta(anyAddress('mint', transaction, place), OWNER, OWN_TOKEN)),
  ],
  [
    'transfers to strangers',
    ZAP_OUT,
    () => full('close', (transaction, place) => transferSol(anyAddress('thief', transaction, place), 1n)),
  ],
  [
    'token transfers',
    ZAP_OUT,
    () =>
      full('close', (_, place) => (place === 0 ? claim() : tokenInstruction(tokenAmount(3, 1n), [OWN_TOKEN, addressOf('thief'), OWNER]))),
  ],
  ['tips', ZAP_OUT, () => full('close', () => tip(1n))],
  [
    'withdrawals of many bins',
    { ...ZAP_OUT, shareBps: 5_000 },
    () =>
      full('close', (transaction, place) =>
        dlmm('remove_liquidity2', {
          bin_liquidity_removal: Array.from({ length: 25 }, (_, bin) => ({ bin_id: transaction + place + bin, bps_to_remove: 2_500 })),
          remaining_accounts_info: { slices: [] },
        }),
      ),
  ],
  ['swaps in v1', ZAP_OUT, () => fullV1('swap', () => route())],
  [
    'instructions that repeat one account in v1',
    ZAP_OUT,
    () =>
      fullV1('close', () =>
        unknown(
          THIEF,
          [],
          Array.from({ length: 250 }, () => OWN_TOKEN),
        ),
      ),
  ],
  [
    'withdrawals of many bins in v1',
    { ...ZAP_OUT, shareBps: 5_000 },
    () =>
      fullV1('close', (transaction, place) =>
        dlmm('remove_liquidity2', {
          bin_liquidity_removal: Array.from({ length: 25 }, (_, bin) => ({ bin_id: transaction + place + bin, bps_to_remove: 2_500 })),
          remaining_accounts_info: { slices: [] },
        }),
      ),
  ],
  ['positions', ZAP_IN, () => full('add', () => openPosition(), [keyOf('position')])],
  ['bin arrays', ZAP_IN, () => full('add', (_, place) => dlmm('initialize_bin_array', { index: BigInt(place) }))],
  ['swaps', ZAP_OUT, () => full('swap', () => route())],
  [
    'temporary accounts',
    ZAP_OUT,
    () => full('swap', () => unknown(PROGRAMS.system, [0, 0, 0, 0, ...new Array<number>(48).fill(0)], [OWN_TOKEN, OWN_TOKEN])),
  ],
  [
    'signers',
    ZAP_OUT,
    () =>
      Array.from({ length: MOST_TRANSACTIONS }, (_, transaction): Draft => {
        const signers = Array.from({ length: 9 }, (__, place) => keyOf(`signer ${place}`));
        const signing = new TransactionInstruction({
          programId: key(THIEF),
          data: Buffer.alloc(0),
          keys: signers.map(({ publicKey }) => ({ pubkey: publicKey, isSigner: true, isWritable: true })),
        });
        return { group: 'close', signers, blockhash: anyAddress('hash', transaction), instructions: [signing] };
      }),
  ],
];

/** Reviews up to three times, until one is fast enough: collecting garbage and compiling count once, and not for the review. */
function reviewedInTime(decide: () => Review): { readonly review: Review; readonly leastMicroseconds: number } {
  let leastMicroseconds = Infinity;
  for (let attempt = 1; ; attempt += 1) {
    const from = process.cpuUsage();
    const review = decide();
    const { user, system } = process.cpuUsage(from);
    leastMicroseconds = Math.min(leastMicroseconds, user + system);
    if (leastMicroseconds < MOST_MICROSECONDS || attempt === 3) {
      return { review, leastMicroseconds };
    }
  }
}

describe('review: maximum hostile content', function () {
  for (const [what, intent, make] of ATTACKS) {
    it(`The review stays fast for this input: ${what}`, () => {
      const transactions = make().map((draft) => ({ group: draft.group, base64: base64Of(draft) }));
      const { review, leastMicroseconds } = reviewedInTime(() =>
        reviewOperation({ intent, transactions, lastValidBlockHeight: undefined, facts: FACTS, nowMs: NOW_MS }),
      );
      assert.notEqual(review.verdict, 'allow');
      assert.equal(review.transactions.length, MOST_TRANSACTIONS);
      assert.ok(leastMicroseconds < MOST_MICROSECONDS, `${leastMicroseconds / 1_000} ms`);
      assert.ok(describeReview(review).findings.length <= 51);
    });
  }
});
