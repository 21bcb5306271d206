import assert from 'node:assert/strict';
import { verifyEd25519 } from '../../../../src/base/solana/ed25519';

/** RFC 8032, section 7.1: public key, message, signature. */
const VECTORS = [
  [
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '',
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  ],
  [
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    '72',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ],
] as const;

const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'));

describe('Ed25519 verification', () => {
  it('Verification accepts the signatures of RFC 8032', () => {
    for (const [key, message, signature] of VECTORS) {
      assert.equal(verifyEd25519(bytes(key), bytes(message), bytes(signature)), true);
    }
  });

  it('Verification refuses a signature with another key, message or signature', () => {
    const [[key, message, signature], [otherKey, otherMessage, otherSignature]] = VECTORS;
    assert.equal(verifyEd25519(bytes(otherKey), bytes(message), bytes(signature)), false);
    assert.equal(verifyEd25519(bytes(key), bytes(otherMessage), bytes(signature)), false);
    assert.equal(verifyEd25519(bytes(key), bytes(message), bytes(otherSignature)), false);
  });

  it('Verification refuses a signature whose second half is not reduced', () => {
    const [, , signature] = VECTORS[0];
    const order = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;
    const whole = bytes(signature);
    let scalar = whole.slice(32).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n) + order;
    for (let place = 32; place < 64; place += 1) {
      whole[place] = Number(scalar & 0xffn);
      scalar >>= 8n;
    }
    assert.equal(verifyEd25519(bytes(VECTORS[0][0]), new Uint8Array(), whole), false);
  });

  it('Verification refuses keys and commitments of small order, with which a signature fits any message', () => {
    const [[key, message, signature]] = VECTORS;
    const neutral = `01${'00'.repeat(31)}`;
    const weak = [
      neutral,
      `ec${'ff'.repeat(30)}7f`,
      '00'.repeat(32),
      `${'00'.repeat(31)}80`,
      `ee${'ff'.repeat(31)}`,
      '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
    ];
    for (const point of weak) {
      assert.equal(verifyEd25519(bytes(point), bytes(message), bytes(`${neutral}${'00'.repeat(32)}`)), false);
      assert.equal(verifyEd25519(bytes(key), bytes(message), bytes(`${point}${signature.slice(64)}`)), false);
    }
  });

  it('Verification does not throw on invalid keys and signatures', () => {
    assert.equal(verifyEd25519(new Uint8Array(31), new Uint8Array(), new Uint8Array(64)), false);
    assert.equal(verifyEd25519(new Uint8Array(32), new Uint8Array(), new Uint8Array(63)), false);
    assert.equal(verifyEd25519(new Uint8Array(0), new Uint8Array(), new Uint8Array(0)), false);
    assert.equal(verifyEd25519(new Uint8Array(32).fill(255), new Uint8Array(), new Uint8Array(64)), false);
  });
});
