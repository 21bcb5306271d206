import assert from 'node:assert/strict';
import { VersionedTransaction } from '@solana/web3.js';
import { base64FromBytes } from '../../../src/solana/base64Transaction';
import { reviewOperation } from '../../../src/review/review';
import type { Review } from '../../../src/review/types';
import { addByStrategy, addressOf, bytesOf, claim, dlmm, honestZapIn, keyOf, objections, openPosition, OWNER, OWNER_KEY, POSITION, POSITION_KEY, removal, reviewDrafts, THIEF, transferSol, ZAP_IN, ZAP_OUT, type Draft } from './bundles';

const reviewBytes = (intent: typeof ZAP_IN | typeof ZAP_OUT, bytes: Uint8Array): Review =>
  reviewOperation({ intent, transactions: [{ group: 'close', base64: base64FromBytes(bytes) }], lastValidBlockHeight: undefined });

const COSIGNED: Draft = { group: 'add', instructions: [openPosition(), addByStrategy()], signers: [POSITION_KEY] };

describe('review: fee payer and signatures (PAY, SIG)', () => {
  it('PAY-1 and SIG-2: refuses another fee payer who has not signed', () => {
    const review = reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim()], feePayer: THIEF }]);
    assert.deepEqual(objections(review), ['block PAY-1', 'block SIG-2']);
  });

  it('PAY-1 and SIG-4: refuses another fee payer who has, too', () => {
    const review = reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim()], feePayer: THIEF, signers: [keyOf('thief')] }]);
    assert.deepEqual(objections(review), ['block PAY-1', 'confirm SIG-4']);
  });

  it('SIG-1: refuses a transaction that the owner does not sign', () => {
    const transfer = transferSol(OWNER, 1n, THIEF);
    const review = reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [transfer], feePayer: THIEF, signers: [keyOf('thief')] }]);
    assert.ok(objections(review).includes('block SIG-1'));
  });

  it('SIG-2: wants every other signature, and a right one', () => {
    assert.deepEqual(objections(reviewDrafts(ZAP_IN, [COSIGNED])), []);
    assert.deepEqual(objections(reviewDrafts(ZAP_IN, [{ ...COSIGNED, signers: [] }])), ['block SIG-2']);
    const bytes = bytesOf(COSIGNED);
    const { message } = VersionedTransaction.deserialize(bytes);
    const slot = message.staticAccountKeys.findIndex((account) => account.toBase58() === POSITION);
    const spoilt = bytes.slice();
    spoilt[1 + 64 * slot] = (spoilt[1 + 64 * slot] ?? 0) ^ 1;
    assert.deepEqual(objections(reviewBytes(ZAP_IN, spoilt)), ['block SIG-2']);
  });

  it('SIG-2: a signature over another message does not count', () => {
    const other = bytesOf({ ...COSIGNED, blockhash: addressOf('another blockhash') });
    const bytes = bytesOf(COSIGNED);
    bytes.set(other.subarray(1, 1 + 128), 1);
    assert.deepEqual(objections(reviewBytes(ZAP_IN, bytes)), ['block SIG-2']);
  });

  it('SIG-3: refuses a filled slot of the owner, even with the right signature', () => {
    assert.deepEqual(objections(reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim()], signers: [OWNER_KEY] }])), ['block SIG-3']);
    const bytes = bytesOf({ group: 'close', instructions: [claim()] });
    bytes[5] = 1;
    assert.deepEqual(objections(reviewBytes(ZAP_OUT, bytes)), ['block SIG-3']);
  });

  it('SIG-4: asks about a signer whom nothing explains', () => {
    const helper = keyOf('helper');
    const transfer = transferSol(OWNER, 1n, addressOf('helper'));
    const review = reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [removal(), transfer], signers: [helper] }]);
    assert.deepEqual(objections(review), ['confirm SIG-4']);
    assert.equal(review.findings[0]?.address, addressOf('helper'));
  });

  it('SIG-4: the key of a position that somebody else would own explains nothing', () => {
    const [swap] = honestZapIn();
    const review = reviewDrafts(ZAP_IN, [
      swap,
      { group: 'add', instructions: [openPosition({}, { owner: THIEF })], signers: [POSITION_KEY, keyOf('thief')] },
    ]);
    assert.ok(objections(review).includes('confirm SIG-4'));
    assert.ok(objections(review).includes('block DLMM-6'));
  });

  it('takes the base of a derived position as a co-signer', () => {
    const base = keyOf('base');
    const open = dlmm('initialize_position_pda', { lower_bin_id: -20, width: 40 }, { base: addressOf('base') });
    assert.deepEqual(objections(reviewDrafts(ZAP_IN, [{ group: 'add', instructions: [open, addByStrategy()], signers: [base] }])), []);
  });
});
