import assert from 'node:assert/strict';
import { VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { addressBytes } from '../../../src/base/solana/address';
import { bytesFromBase64 } from '../../../src/base/solana/wireTransaction';
import { verifyEd25519 } from '../../../src/base/solana/ed25519';
import { REVIEW_LIFETIME_MS, signReviewed } from '../../../src/review/review';
import type { ReviewedTransaction, SignReviewed } from '../../../src/review/types';
import { publicKeyOf, signWithSeed } from '../../../src/wallet/keys';
import { SigningError, type SigningErrorKind } from '../../../src/wallet/errors';
import { createSigner } from '../../../src/wallet/signer';
import {
  base64Of,
  honestZapIn,
  honestZapOut,
  keyOf,
  NOW_MS,
  OWNER,
  OWNER_KEY,
  POSITION,
  reviewDrafts,
  THIEF,
  ZAP_IN,
  ZAP_OUT,
} from '../../support/review/bundles';

const seedOf = (name: string): Uint8Array => keyOf(name).secretKey.slice(0, 32);

const nowMs = (): number => NOW_MS;

/** A signer with the key of a name, and every buffer that it was given. */
function signerWith(
  name = 'owner',
  sign: SignReviewed = signReviewed,
): { readonly signer: ReturnType<typeof createSigner>; readonly given: Uint8Array[] } {
  const given: Uint8Array[] = [];
  const readSeed = (): Promise<Uint8Array> => {
    const seed = seedOf(name);
    given.push(seed);
    return Promise.resolve(seed);
  };
  return { signer: createSigner({ owner: OWNER, readSeed, signReviewed: sign, nowMs }), given };
}

const isRefused =
  (kind: SigningErrorKind) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof SigningError);
    const secret = bs58.encode(seedOf('owner'));
    assert.ok(!`${error.message}${error.stack ?? ''}${String(error.cause)}`.includes(secret));
    return error.kind === kind;
  };

describe('Signer', () => {
  it('The signer signs all reviewed transactions in order, with the same result as web3.js', async () => {
    for (const [intent, drafts] of [
      [ZAP_OUT, honestZapOut('legacy')],
      [ZAP_IN, honestZapIn(0)],
    ] as const) {
      const { signer } = signerWith();
      const signed = await signer.sign(reviewDrafts(intent, drafts).reviewed);
      assert.deepEqual(
        signed,
        drafts.map((draft) => base64Of({ ...draft, signers: [...(draft.signers ?? []), OWNER_KEY] })),
      );
    }
  });

  it('The signatures are valid, and existing signatures are kept', async () => {
    const { signer } = signerWith();
    const signed = await signer.sign(reviewDrafts(ZAP_IN, honestZapIn()).reviewed);
    const { message, signatures } = VersionedTransaction.deserialize(bytesFromBase64(signed[1] ?? assert.fail()));
    const signers = message.staticAccountKeys.slice(0, 2);
    assert.deepEqual(
      signers.map((key) => key.toBase58()),
      [OWNER, POSITION],
    );
    signers.forEach((key, slot) => assert.ok(verifyEd25519(key.toBytes(), message.serialize(), signatures[slot] ?? new Uint8Array())));
  });

  it('The signer reads the key once per signing, and overwrites it afterwards', async () => {
    const { signer, given } = signerWith();
    const { reviewed } = reviewDrafts(ZAP_OUT, honestZapOut());
    await signer.sign(reviewed);
    assert.deepEqual(given, [new Uint8Array(32)]);
    await signer.sign(reviewed);
    assert.equal(given.length, 2);
  });

  it('The signer overwrites the key also if signing fails', async () => {
    const { signer, given } = signerWith('thief');
    await assert.rejects(signer.sign(reviewDrafts(ZAP_OUT, honestZapOut()).reviewed), isRefused('otherKey'));
    assert.deepEqual(given, [new Uint8Array(32)]);
  });

  it('The signer refuses to sign without a key, and with a key of the wrong length', async () => {
    const { reviewed } = reviewDrafts(ZAP_OUT, honestZapOut());
    const none = createSigner({ owner: OWNER, readSeed: () => Promise.resolve(undefined), signReviewed, nowMs });
    await assert.rejects(none.sign(reviewed), isRefused('noKey'));
    const short = createSigner({ owner: OWNER, readSeed: () => Promise.resolve(seedOf('owner').subarray(1)), signReviewed, nowMs });
    await assert.rejects(short.sign(reviewed), isRefused('otherKey'));
  });

  it('The signer signs nothing if one of the transactions was not reviewed', async () => {
    const { reviewed } = reviewDrafts(ZAP_OUT, honestZapOut());
    const [genuine] = reviewed;
    assert.ok(genuine !== undefined);
    const imitations: unknown[] = [
      Object.assign({}, genuine),
      { group: 'close', owner: OWNER, messageHash: '', base64: base64Of(honestZapOut()[0]) },
      undefined,
      'AAAA',
    ];
    for (const imitation of imitations) {
      const { signer } = signerWith();
      await assert.rejects(signer.sign([genuine, imitation as ReviewedTransaction]), isRefused('refused'));
    }
  });

  it('The signer refuses transactions that were reviewed for another wallet', async () => {
    const theirs = reviewDrafts({ ...ZAP_OUT, owner: THIEF }, []);
    assert.deepEqual(theirs.reviewed, []);
    const signer = createSigner({ owner: THIEF, readSeed: () => Promise.resolve(seedOf('thief')), signReviewed, nowMs });
    await assert.rejects(signer.sign(reviewDrafts(ZAP_OUT, honestZapOut()).reviewed), isRefused('refused'));
  });

  it('The signer checks the age of the review after reading the key, and refuses one that is too old', async () => {
    let now = NOW_MS;
    const given: Uint8Array[] = [];
    const late = (waitMs: number): Promise<Uint8Array> => {
      now = NOW_MS + waitMs;
      given.push(seedOf('owner'));
      return Promise.resolve(given.at(-1) ?? assert.fail());
    };
    const { reviewed } = reviewDrafts(ZAP_OUT, honestZapOut());
    const signerAfter = (waitMs: number) => createSigner({ owner: OWNER, readSeed: () => late(waitMs), signReviewed, nowMs: () => now });
    assert.equal((await signerAfter(REVIEW_LIFETIME_MS).sign(reviewed)).length, 3);
    await assert.rejects(
      signerAfter(REVIEW_LIFETIME_MS + 1).sign(reviewed),
      (error: unknown) => isRefused('refused')(error) && /older than 60 seconds/.test(String(error)),
    );
    assert.deepEqual(given, [new Uint8Array(32), new Uint8Array(32)]);
  });

  it('The signer returns an empty list for an empty list', async () => {
    assert.deepEqual(await signerWith().signer.sign([]), []);
  });

  it('The signer passes on a failure to read the key', async () => {
    const failing = createSigner({ owner: OWNER, readSeed: () => Promise.reject(new Error('storage is locked')), signReviewed, nowMs });
    await assert.rejects(failing.sign([]), /storage is locked/);
  });
});

describe('Ed25519 with a seed', () => {
  it('Keys and signatures agree with the standard (RFC 8032, section 7.1, test 2)', () => {
    const seed = Buffer.from('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb', 'hex');
    const message = Buffer.from('72', 'hex');
    assert.equal(Buffer.from(publicKeyOf(seed)).toString('hex'), '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c');
    assert.equal(
      Buffer.from(signWithSeed(seed, message)).toString('hex'),
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    );
    assert.ok(verifyEd25519(addressBytes(OWNER), message, signWithSeed(seedOf('owner'), message)));
  });
});
