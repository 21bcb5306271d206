import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import bs58 from 'bs58';
import { Keypair } from '@solana/web3.js';
import { KeyError, type KeyErrorKind } from '../../../src/wallet/errors';
import { generateKey, readSecretKey, wipe } from '../../../src/wallet/keys';

const seed = fc.uint8Array({ minLength: 32, maxLength: 32 });

/** Expects a refusal of that kind whose text holds no piece of the input. */
function refuses(text: string, kind: KeyErrorKind): void {
  try {
    readSecretKey(text);
  } catch (error) {
    assert.ok(error instanceof KeyError);
    assert.equal(error.kind, kind, text);
    assert.equal(error.cause, undefined);
    const shown = `${error.message} ${error.stack ?? ''}`;
    for (const piece of text.match(/[^\s,"[\]]{6,}/g) ?? []) {
      assert.ok(!shown.includes(piece), 'the refusal quotes the input');
    }
    return;
  }
  assert.fail(`accepted as a key: ${kind}`);
}

describe('Key import', () => {
  it('Secret keys are read from base58 and number lists as wallets and tools write them', () => {
    fc.assert(
      fc.property(seed, (bytes) => {
        const keypair = Keypair.fromSeed(bytes);
        const address = keypair.publicKey.toBase58();
        const list = JSON.stringify([...keypair.secretKey]);
        for (const text of [
          bs58.encode(keypair.secretKey),
          ` \n${bs58.encode(keypair.secretKey)}\t`,
          list,
          `${list}\n`,
          list.replaceAll(',', ', '),
          JSON.stringify([...bytes]),
        ]) {
          const key = readSecretKey(text);
          assert.equal(key.address, address);
          assert.deepEqual(key.seed, bytes);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('A refused key is reported with its problem, and the error never contains the input', () => {
    const { secretKey, publicKey } = Keypair.fromSeed(new Uint8Array(32).fill(7));
    const base58 = bs58.encode(secretKey);
    refuses('', 'empty');
    refuses(' \n\t', 'empty');
    refuses(publicKey.toBase58(), 'looksLikeAddress');
    refuses(bs58.encode(secretKey.subarray(0, 32)), 'looksLikeAddress');
    refuses('legal winner thank year wave sausage worth useful legal winner thank yellow', 'seedPhrase');
    refuses(Array.from({ length: 24 }, () => 'abandon').join('  '), 'seedPhrase');
    refuses('ábaco ábaco ábaco ábaco ábaco ábaco ábaco ábaco ábaco ábaco ábaco abierto', 'seedPhrase');
    refuses('this is not a key', 'notAKey');
    refuses(`${base58.slice(0, -1)}0`, 'notAKey');
    refuses(`0x${Buffer.from(secretKey).toString('hex')}`, 'notAKey');
    refuses(`"${base58}"`, 'notAKey');
    refuses(`{"secretKey":"${base58}"}`, 'notAKey');
    refuses(base58.slice(0, -4), 'wrongLength');
    refuses(base58.slice(4), 'wrongLength');
    refuses('abc', 'wrongLength');
    refuses('[]', 'wrongLength');
    refuses(JSON.stringify([...secretKey.subarray(0, 63)]), 'wrongLength');
    refuses(JSON.stringify([...secretKey, 0]), 'wrongLength');
    refuses(JSON.stringify([...secretKey]).slice(0, -1), 'notAKey');
    refuses(JSON.stringify([...secretKey].map(String)), 'notAKey');
    refuses(JSON.stringify([...secretKey.subarray(0, 63), 256]), 'notAKey');
    refuses(JSON.stringify([...secretKey.subarray(0, 63), -1]), 'notAKey');
    refuses(JSON.stringify([...secretKey.subarray(0, 63), 1.5]), 'notAKey');
    refuses(JSON.stringify([[...secretKey]]), 'notAKey');
    const mismatched = secretKey.slice();
    mismatched[40] = (mismatched[40] ?? 0) ^ 1;
    refuses(bs58.encode(mismatched), 'mismatchedPublicKey');
    refuses(JSON.stringify([...mismatched]), 'mismatchedPublicKey');
  });

  it('Reading a key throws nothing but a KeyError, whatever the user pastes', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.array(fc.nat({ max: 300 })).map((list) => JSON.stringify(list)),
        ),
        (text) => {
          assert.throws(() => {
            readSecretKey(text);
          }, KeyError);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('A generated key is new and valid, and wiping it overwrites its seed', () => {
    const key = generateKey();
    assert.equal(Keypair.fromSeed(key.seed).publicKey.toBase58(), key.address);
    assert.notDeepEqual(generateKey().seed, key.seed);
    const { seed: secret } = key;
    wipe(key);
    assert.deepEqual(secret, new Uint8Array(32));
  });
});
