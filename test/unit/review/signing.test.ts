import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { sign as edSign, createPrivateKey } from 'node:crypto';
import { VersionedTransaction } from '@solana/web3.js';
import type { Address } from '../../../src/base/solana/address';
import { bytesFromBase64, type Base64Transaction } from '../../../src/base/solana/wireTransaction';
import { NotSignableError, REVIEW_LIFETIME_MS, signReviewed } from '../../../src/review/review';
import type { Review, ReviewedTransaction } from '../../../src/review/types';
import {
  base64Of,
  bytesOf,
  honestZapIn,
  honestZapOut,
  keyOf,
  NOW_MS,
  OWNER,
  OWNER_KEY,
  POSITION_KEY,
  reviewDrafts,
  THIEF,
  VERSIONS,
  ZAP_IN,
  ZAP_OUT,
  type Draft,
} from '../../support/review/bundles';

const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Signs with the key of a name, as the wallet does. */
function signAs(name: string): (message: Uint8Array) => Uint8Array {
  const seed = keyOf(name).secretKey.subarray(0, 32);
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  return (message) => new Uint8Array(edSign(null, message, key));
}

function first(review: Review): ReviewedTransaction {
  const [transaction] = review.reviewed;
  assert.ok(transaction !== undefined);
  return transaction;
}

const isRefused =
  (kind: NotSignableError['kind']) =>
  (error: unknown): boolean =>
    error instanceof NotSignableError && error.kind === kind;

/** The places where two byte strings differ. */
function differences(one: Uint8Array, other: Uint8Array): number[] {
  assert.equal(one.length, other.length);
  return [...one.keys()].filter((place) => one[place] !== other[place]);
}

describe('review: signing of reviewed transactions (SGN)', () => {
  for (const version of VERSIONS) {
    it(`Signing fills the owner's signature slot and changes no other byte (${version})`, () => {
      for (const [intent, drafts] of [
        [ZAP_OUT, honestZapOut(version)],
        [ZAP_IN, honestZapIn(version)],
      ] as const) {
        const { reviewed } = reviewDrafts(intent, drafts);
        reviewed.forEach((transaction, index) => {
          const before = bytesOf(drafts[index] as Draft);
          const messages: Uint8Array[] = [];
          const signed = signReviewed(
            transaction,
            OWNER,
            (message) => {
              messages.push(message);
              return signAs('owner')(message);
            },
            NOW_MS,
          );
          const after = bytesFromBase64(signed);
          const parsed = VersionedTransaction.deserialize(after);
          const slot = parsed.message.staticAccountKeys.findIndex((account) => account.equals(OWNER_KEY.publicKey));
          const slots = 64 * parsed.message.header.numRequiredSignatures;
          const [begin, message] =
            version === 1
              ? [after.length - slots + 64 * slot, after.subarray(0, after.length - slots)]
              : [1 + 64 * slot, parsed.message.serialize()];
          assert.ok(differences(before, after).every((place) => place >= begin && place < begin + 64));
          assert.deepEqual(
            messages.map((one) => Buffer.from(one).toString('hex')),
            [Buffer.from(message).toString('hex')],
          );
          assert.deepEqual(Buffer.from(parsed.signatures[slot] ?? []), Buffer.from(signAs('owner')(message)));
        });
      }
    });

    it(`Signing gives the same bytes as a builder with the key, and keeps the position's signature (${version})`, () => {
      const drafts = honestZapIn(version);
      const { reviewed } = reviewDrafts(ZAP_IN, drafts);
      const ours = reviewed.map((transaction) => signReviewed(transaction, OWNER, signAs('owner'), NOW_MS));
      const theirs = drafts.map((draft) => base64Of({ ...draft, signers: [...(draft.signers ?? []), OWNER_KEY] }));
      assert.deepEqual(ours, theirs);
    });
  }

  it('Signing accepts transactions that need confirmation, because the user may have consented', () => {
    const [close] = honestZapOut();
    const review = reviewDrafts({ ...ZAP_OUT, shareBps: 5_000 }, [close]);
    assert.equal(review.verdict, 'confirm');
    assert.equal(signReviewed(first(review), OWNER, signAs('owner'), NOW_MS), base64Of({ ...close, signers: [OWNER_KEY] }));
  });

  it('Signing returns nothing for a blocked transaction', () => {
    assert.deepEqual(reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [], feePayer: THIEF }]).reviewed, []);
  });

  it('Signing rejects everything that no review produced, without use of the key', () => {
    const genuine = first(reviewDrafts(ZAP_OUT, honestZapOut()));
    const never = (): Uint8Array => assert.fail('the key was used');
    const Imitation = genuine.constructor as new (...args: unknown[]) => ReviewedTransaction;
    const imitations: unknown[] = [
      undefined,
      null,
      'AAAA',
      base64Of(honestZapOut()[0]) satisfies Base64Transaction,
      {},
      Object.assign({}, genuine),
      Object.create(genuine),
      Object.create(Object.getPrototypeOf(genuine) as object, Object.getOwnPropertyDescriptors(genuine)),
      new Proxy(genuine, {}),
      structuredClone({ group: genuine.group, owner: genuine.owner, messageHash: genuine.messageHash }),
    ];
    for (const imitation of imitations) {
      assert.throws(() => signReviewed(imitation as ReviewedTransaction, OWNER, never, NOW_MS), isRefused('notReviewed'));
    }
    assert.throws(() => new Imitation(Symbol('reviewed'), {}, OWNER), TypeError);
  });

  it('A reviewed transaction is immutable after the review', () => {
    const genuine = first(reviewDrafts(ZAP_OUT, honestZapOut()));
    assert.throws(() => Object.assign(genuine, { owner: THIEF }), TypeError);
    const expected = signReviewed(genuine, OWNER, signAs('owner'), NOW_MS);
    const again = signReviewed(
      genuine,
      OWNER,
      (message) => {
        const signature = signAs('owner')(message);
        message.fill(0);
        return signature;
      },
      NOW_MS,
    );
    assert.equal(again, expected);
  });

  it('Signing rejects an owner other than the one in the review', () => {
    const genuine = first(reviewDrafts(ZAP_OUT, honestZapOut()));
    assert.throws(() => signReviewed(genuine, THIEF, signAs('thief'), NOW_MS), isRefused('otherOwner'));
    const cosigned = reviewDrafts(ZAP_IN, honestZapIn()).reviewed[1];
    assert.ok(cosigned !== undefined);
    const position = POSITION_KEY.publicKey.toBase58() as Address;
    assert.throws(() => signReviewed(cosigned, position, signAs('position'), NOW_MS), isRefused('otherOwner'));
  });

  it("Signing rejects a signature that is not the owner's over exactly this message", () => {
    const genuine = first(reviewDrafts(ZAP_OUT, honestZapOut()));
    const right = signAs('owner');
    const wrong: readonly ((message: Uint8Array) => Uint8Array)[] = [
      signAs('thief'),
      () => new Uint8Array(64),
      () => new Uint8Array(0),
      (message) => right(message).subarray(0, 63),
      (message) => Buffer.concat([right(message), Buffer.from([0])]),
      (message) => right(message.subarray(1)),
    ];
    for (const sign of wrong) {
      assert.throws(() => signReviewed(genuine, OWNER, sign, NOW_MS), isRefused('badSignature'));
    }
    fc.assert(
      fc.property(fc.nat({ max: 511 }), (bit) => {
        assert.throws(
          () =>
            signReviewed(
              genuine,
              OWNER,
              (message) => {
                const signature = right(message);
                const place = bit >> 3;
                signature[place] = (signature[place] ?? 0) ^ (1 << (bit & 7));
                return signature;
              },
              NOW_MS,
            ),
          isRefused('badSignature'),
        );
      }),
    );
  });
  it('Signing works for a minute after the review and not before it', () => {
    const genuine = first(reviewDrafts(ZAP_OUT, honestZapOut()));
    const never = (): Uint8Array => assert.fail('the key was used');
    assert.equal(genuine.reviewedAtMs, NOW_MS);
    const expected = signReviewed(genuine, OWNER, signAs('owner'), NOW_MS);
    assert.equal(signReviewed(genuine, OWNER, signAs('owner'), NOW_MS + REVIEW_LIFETIME_MS), expected);
    for (const nowMs of [NOW_MS + REVIEW_LIFETIME_MS + 1, NOW_MS - 1, 0, NaN, Infinity, -Infinity]) {
      assert.throws(() => signReviewed(genuine, OWNER, never, nowMs), isRefused('expired'), String(nowMs));
    }
  });
});
