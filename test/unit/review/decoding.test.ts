import assert from 'node:assert/strict';
import { SystemProgram } from '@solana/web3.js';
import type { Address } from '../../../src/base/solana/address';
import { parseTransaction } from '../../../src/base/solana/wireTransaction';
import { differenceToWeb3 } from '../../../src/review/decode/web3Comparison';
import { reviewOperation } from '../../../src/review/review';
import type { Review } from '../../../src/review/types';
import {
  BLOCKHASH,
  bytesOf,
  claim,
  honestZapOut,
  NOW_MS,
  objections,
  OWNER,
  reviewDrafts,
  THIEF,
  transferSol,
  ZAP_OUT,
} from '../../support/review/bundles';

/** Reviews wire bytes, or a text that should be some, in place of the first transaction. */
function reviewText(text: string): Review {
  return reviewOperation({
    intent: ZAP_OUT,
    transactions: [{ group: 'close', base64: text }],
    lastValidBlockHeight: undefined,
    nowMs: NOW_MS,
  });
}

const reviewBytes = (bytes: Uint8Array): Review => reviewText(Buffer.from(bytes).toString('base64'));

const honest = (): Uint8Array => bytesOf(honestZapOut()[0]);

describe('review: decoding (DEC)', () => {
  it('DEC-1: The review accepts only canonical base64', () => {
    const text = Buffer.from(honest()).toString('base64');
    assert.deepEqual(objections(reviewText(text)), []);
    const odd = [
      '',
      ' ',
      `${text}\n`,
      ` ${text}`,
      text.slice(0, -1),
      `${text}=`,
      text.replace(/./, '-'),
      `${text.slice(0, -2)}_=`,
      'AB==',
      'not base64',
    ];
    for (const spoilt of odd) {
      assert.deepEqual(objections(reviewText(spoilt)), ['block DEC-1'], JSON.stringify(spoilt.slice(-8)));
    }
  });

  it('DEC-1: The decoder does not throw on input that is not text', () => {
    for (const value of [undefined, null, 7, {}, ['AAAA']]) {
      assert.deepEqual(objections(reviewText(value as string)), ['block DEC-1']);
    }
  });

  it('DEC-2: The review blocks a transaction that is truncated at any byte', () => {
    const bytes = honest();
    for (let length = 1; length < bytes.length; length += 1) {
      const review = reviewBytes(bytes.subarray(0, length));
      assert.equal(review.verdict, 'block');
      assert.deepEqual(review.reviewed, []);
    }
  });

  it('DEC-3: The review blocks transactions that exceed the size limit of the network', () => {
    assert.deepEqual(objections(reviewBytes(new Uint8Array(1_233))), ['block DEC-3']);
  });

  it('DEC-4: The review blocks trailing bytes after the message, which other readers ignore', () => {
    assert.deepEqual(objections(reviewBytes(Buffer.concat([honest(), Buffer.from([0])]))), ['block DEC-4']);
  });

  it('DEC-5: The review blocks bytes that only begin like a newer format', () => {
    const bytes = honest();
    assert.deepEqual(objections(reviewBytes(Buffer.concat([Buffer.from([0x81]), bytes.subarray(1)]))), ['block DEC-5']);
    const version1 = bytes.slice();
    version1[65] = 0x81;
    assert.deepEqual(objections(reviewBytes(version1)), ['block DEC-5']);
  });

  it('DEC-4: The review blocks lengths in a non-minimal encoding', () => {
    const bytes = honest();
    for (const padded of [
      [0x81, 0x00],
      [0x81, 0x80, 0x00],
    ]) {
      assert.deepEqual(objections(reviewBytes(Buffer.concat([Buffer.from(padded), bytes.subarray(1)]))), ['block DEC-5']);
      const wire = parseTransaction(bytes);
      const keyCountAt = wire.messageOffset + 4;
      const count = bytes[keyCountAt] ?? 0;
      const long = padded.length === 2 ? [count | 0x80, 0] : [count | 0x80, 0x80, 0];
      assert.deepEqual(
        objections(reviewBytes(Buffer.concat([bytes.subarray(0, keyCountAt), Buffer.from(long), bytes.subarray(keyCountAt + 1)]))),
        ['block DEC-4'],
      );
    }
  });

  it('DEC-6: The review blocks a header that contradicts the account list', () => {
    const wire = parseTransaction(honest());
    const headerAt = wire.messageOffset + 1;
    const withHeader = (place: number, value: number): Uint8Array => {
      const bytes = honest();
      bytes[headerAt + place] = value;
      return bytes;
    };
    assert.deepEqual(objections(reviewBytes(withHeader(0, 2))), ['block DEC-6']);
    assert.deepEqual(objections(reviewBytes(withHeader(0, 0))), ['block DEC-6']);
    assert.deepEqual(objections(reviewBytes(withHeader(1, 1))), ['block DEC-6']);
    assert.deepEqual(objections(reviewBytes(withHeader(2, wire.staticKeys.length))), ['block DEC-6']);
    const doubled = honest();
    doubled.copyWithin(headerAt + 4 + 64, headerAt + 4 + 32, headerAt + 4 + 64);
    assert.deepEqual(objections(reviewBytes(doubled)), ['block DEC-6']);
  });

  it('DEC-7: The review asks about a transaction without instructions or without a blockhash', () => {
    assert.deepEqual(objections(reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [] }])), ['confirm DEC-7']);
    assert.deepEqual(
      objections(reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim()], blockhash: SystemProgram.programId.toBase58() }])),
      ['confirm DEC-7'],
    );
  });

  it('The decoder reads the same as @solana/web3.js', () => {
    const bytes = bytesOf({ ...honestZapOut()[0], version: 0 });
    const wire = parseTransaction(bytes);
    assert.equal(differenceToWeb3(bytes, wire), undefined);
    const table = { table: THIEF, writableIndexes: [0], readonlyIndexes: [] };
    const otherViews: readonly (readonly [string, Partial<typeof wire>])[] = [
      ['the version', { version: 'legacy' }],
      ['the signatures', { signatures: [new Uint8Array(64).fill(1)] }],
      ['the header', { readonlyUnsigned: wire.readonlyUnsigned + 1 }],
      ['the accounts', { staticKeys: [...wire.staticKeys].reverse() }],
      ['the blockhash', { recentBlockhash: THIEF }],
      ['the instructions', { instructions: wire.instructions.slice(1) }],
      ['the lookup tables', { tableLookups: [table] }],
    ];
    for (const [what, view] of otherViews) {
      assert.equal(differenceToWeb3(bytes, { ...wire, ...view }), what);
    }
    assert.equal(differenceToWeb3(Buffer.concat([bytes, Buffer.from([0])]), wire), 'the bytes');
    assert.equal(differenceToWeb3(new Uint8Array(3), wire), 'only one of them can read it');
  });

  it('The review blocks a transaction if the review itself fails', () => {
    const [close] = honestZapOut();
    const review = reviewDrafts({ ...ZAP_OUT, owner: 'no address' as Address }, [close]);
    assert.equal(review.verdict, 'block');
    assert.deepEqual(review.reviewed, []);
    assert.match(review.findings.map(({ message }) => message).join(), /could not complete the review/);
  });

  it('BND-4: One unreadable transaction blocks the whole operation', () => {
    const [close, swap] = honestZapOut();
    const review = reviewOperation({
      intent: ZAP_OUT,
      transactions: [
        { group: 'close', base64: Buffer.from(bytesOf(close)).toString('base64') },
        { group: 'swap', base64: Buffer.from(bytesOf(swap)).subarray(9).toString('base64') },
      ],
      lastValidBlockHeight: undefined,
      nowMs: NOW_MS,
    });
    assert.equal(review.verdict, 'block');
    assert.deepEqual(review.reviewed, []);
    assert.equal(review.transactions.length, 1);
    assert.equal(review.findings[0]?.transaction, 1);
  });

  it('The review sorts findings by severity and then by place', () => {
    const review = reviewDrafts(ZAP_OUT, [
      { group: 'close', instructions: [claim(), transferSol(THIEF, 1n)] },
      { group: 'close', instructions: [transferSol(THIEF, 6_000_000n), claim({ lb_pair: THIEF })] },
    ]);
    const order = review.findings
      .filter(({ verdict }) => verdict !== 'info')
      .map(({ verdict, transaction, instruction }) => [verdict, transaction, instruction]);
    assert.deepEqual(order, [
      ['block', 1, undefined],
      ['block', 1, 1],
      ['confirm', 0, 1],
      ['confirm', 1, 0],
    ]);
    assert.equal(review.transactions[0]?.feePayer, OWNER);
    assert.notEqual(BLOCKHASH, OWNER);
  });
});
