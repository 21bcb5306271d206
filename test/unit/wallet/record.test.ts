import assert from 'node:assert/strict';
import bs58 from 'bs58';
import * as fc from 'fast-check';
import { KeyError, type KeyErrorKind } from '../../../src/wallet/errors';
import { keyFromSeed } from '../../../src/wallet/keys';
import { readRecord, writeProtectedRecord, writeRecord } from '../../../src/wallet/record';
import { isPayable, SCRYPT_COST } from '../../../src/wallet/sealing';
import { recordByHand } from '../../support/wallet/recordByHand';

const KEY = keyFromSeed(new Uint8Array(32).fill(7));
const OTHER = keyFromSeed(new Uint8Array(32).fill(8));
const PASSPHRASE = 'four words of a Tür';

type Fields = Record<string, unknown>;

/** Expects an error of that kind that holds no piece of the record or the passphrase, and has no cause that might. */
function isKeyError(kind: KeyErrorKind, ...secrets: readonly string[]) {
  return (error: unknown): boolean => {
    assert.ok(error instanceof KeyError);
    assert.equal(error.kind, kind);
    assert.equal(error.cause, undefined);
    const shown = `${error.message} ${error.stack ?? ''}`;
    for (const piece of secrets.flatMap((text) => text.match(/[^\s,"[\]{}:]{6,}/g) ?? [])) {
      assert.ok(!shown.includes(piece), 'the error quotes what it must not');
    }
    return true;
  };
}

describe('A stored key without a passphrase', () => {
  it('A stored key without a passphrase is read back unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 32, maxLength: 32 }), async (seed) => {
        const key = keyFromSeed(seed);
        const stored = readRecord(writeRecord(key));
        assert.equal(stored.address, key.address);
        assert.equal(stored.isProtected, false);
        assert.deepEqual(await stored.open(), key);
      }),
      { numRuns: 25 },
    );
  });

  it('Opening the key returns a new copy each time, so wiping one leaves the next intact', async () => {
    const stored = readRecord(writeRecord(KEY));
    (await stored.open()).seed.fill(0);
    assert.deepEqual(await stored.open(), KEY);
  });

  it('A malformed record is refused, and the error does not quote it', () => {
    const text = writeRecord(KEY);
    const record = JSON.parse(text) as Fields;
    const spoilt = [
      '',
      'null',
      '7',
      '[]',
      '"text"',
      '{}',
      text.slice(0, -1),
      `${text}${' '.repeat(10_000)}`,
      JSON.stringify({ ...record, v: 0 }),
      JSON.stringify({ ...record, v: 1 }),
      JSON.stringify({ ...record, v: '2' }),
      JSON.stringify({ ...record, v: 2.5 }),
      JSON.stringify({ ...record, more: 1 }),
      JSON.stringify({ ...record, address: OTHER.address }),
      JSON.stringify({ ...record, address: 7 }),
      JSON.stringify({ ...record, seed: `${String(record['seed'])}0` }),
      JSON.stringify({ ...record, seed: String(record['seed']).slice(1) }),
      JSON.stringify({ ...record, seed: [...KEY.seed] }),
      JSON.stringify({ v: 2, seed: record['seed'] }),
      JSON.stringify({ ...recordByHand(KEY, PASSPHRASE), v: 1 }),
    ];
    for (const one of spoilt) {
      assert.throws(() => readRecord(one), isKeyError('badRecord', one));
    }
    assert.deepEqual(Object.keys(record), ['v', 'address', 'seed']);
  });

  it('A record of a later version is reported as such', () => {
    const later = JSON.stringify({ v: 3, anything: 'else' });
    assert.throws(() => readRecord(later), isKeyError('newerRecord', later));
  });
});

describe('A stored key with a passphrase', function () {
  it('A protected key is read back unchanged, and the record reveals nothing of it', async () => {
    const record = await writeProtectedRecord(KEY, PASSPHRASE);
    const stored = readRecord(record);
    assert.equal(stored.isProtected, true);
    assert.equal(stored.address, KEY.address);
    assert.deepEqual(await stored.open(PASSPHRASE), KEY);
    const seed = Buffer.from(KEY.seed);
    for (const form of [bs58.encode(seed), seed.toString('base64'), seed.toString('hex'), PASSPHRASE]) {
      assert.ok(!record.includes(form));
    }
    assert.deepEqual(JSON.parse(JSON.stringify(stored)), { address: KEY.address, isProtected: true });
  });

  it('Each record has its own salt and nonce, and the current scrypt cost', async () => {
    const [one, other] = await Promise.all([writeProtectedRecord(KEY, PASSPHRASE), writeProtectedRecord(KEY, PASSPHRASE)]);
    const first = JSON.parse(one) as Fields;
    const second = JSON.parse(other) as Fields;
    for (const field of ['salt', 'nonce', 'box']) {
      assert.notEqual(first[field], second[field]);
    }
    assert.deepEqual({ n: first['n'], r: first['r'], p: first['p'] }, SCRYPT_COST);
    assert.ok(SCRYPT_COST.n >= 2 ** 16 && isPayable(SCRYPT_COST));
  });

  it('A record uses scrypt and AES-256-GCM, and authenticates its version and address', async () => {
    assert.deepEqual(await readRecord(JSON.stringify(recordByHand(KEY, PASSPHRASE))).open(PASSPHRASE), KEY);
    for (const [address, context] of [
      [KEY.address, `binsight.wallet v1 ${KEY.address}`],
      [KEY.address, `binsight.wallet v2 ${OTHER.address}`],
      [OTHER.address, `binsight.wallet v2 ${KEY.address}`],
    ] as const) {
      const moved = readRecord(JSON.stringify(recordByHand(KEY, PASSPHRASE, { address, context })));
      await assert.rejects(moved.open(PASSPHRASE), isKeyError('wrongPassphrase', PASSPHRASE));
    }
    // Even one that was sealed for the other address does not give that wallet another key.
    const foreign = readRecord(JSON.stringify(recordByHand(KEY, PASSPHRASE, { address: OTHER.address })));
    await assert.rejects(foreign.open(PASSPHRASE), isKeyError('badRecord', PASSPHRASE));
  });

  it('A record does not open with a wrong passphrase, and the error reveals no more', async () => {
    const stored = readRecord(JSON.stringify(recordByHand(KEY, PASSPHRASE)));
    for (const wrong of ['', `${PASSPHRASE} `, PASSPHRASE.toUpperCase(), 'four words of a Tur']) {
      await assert.rejects(stored.open(wrong), isKeyError('wrongPassphrase', PASSPHRASE));
    }
    await assert.rejects(stored.open(), isKeyError('wrongPassphrase', PASSPHRASE));
  });

  it('A record opens with the same passphrase in another Unicode composition', async () => {
    const stored = readRecord(JSON.stringify(recordByHand(KEY, PASSPHRASE)));
    assert.notEqual(PASSPHRASE.normalize('NFD'), PASSPHRASE);
    assert.deepEqual(await stored.open(PASSPHRASE.normalize('NFD')), KEY);
  });

  it('A record does not open after a single bit of it was changed', async () => {
    const record = recordByHand(KEY, PASSPHRASE);
    for (const field of ['salt', 'nonce', 'box']) {
      const bytes = Buffer.from(String(record[field]), 'base64');
      for (const at of [0, bytes.length - 1]) {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ 1;
        await assert.rejects(
          readRecord(JSON.stringify({ ...record, [field]: changed.toString('base64') })).open(PASSPHRASE),
          isKeyError('wrongPassphrase'),
        );
      }
    }
    await assert.rejects(readRecord(JSON.stringify({ ...record, n: 2 ** 15 })).open(PASSPHRASE), isKeyError('wrongPassphrase'));
  });

  it('A record with a wrong form or excessive scrypt cost is refused before any derivation', () => {
    const record = recordByHand(KEY, PASSPHRASE);
    const spoilt: readonly Fields[] = [
      { ...record, kdf: 'pbkdf2' },
      { ...record, more: 1 },
      { ...record, seed: bs58.encode(KEY.seed) },
      { ...record, address: 'nobody' },
      { ...record, salt: '' },
      { ...record, salt: Buffer.alloc(31).toString('base64') },
      { ...record, nonce: Buffer.alloc(16).toString('base64') },
      { ...record, nonce: `${String(record['nonce'])} ` },
      { ...record, box: Buffer.alloc(47).toString('base64') },
      { ...record, box: Buffer.alloc(4_000).toString('base64') },
      { ...record, box: 7 },
      ...[0, -1, 1.5, '65536', null, 2 ** 13, 2 ** 16 + 1, 2 ** 18, 2 ** 31, 2 ** 53, 1e308].map((n) => ({ ...record, n })),
      ...[0, -8, 1, 7, 8.5, '8', 2 ** 14, 2 ** 30].map((r) => ({ ...record, r })),
      ...[0, -1, 0.5, '1', 1_000, 2 ** 30].map((p) => ({ ...record, p })),
    ];
    for (const fields of spoilt) {
      assert.throws(() => readRecord(JSON.stringify(fields)), isKeyError('badRecord'), JSON.stringify(fields).slice(0, 200));
    }
  });

  it('A record with any changed field is refused or does not open', async () => {
    const record = recordByHand(KEY, PASSPHRASE);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(record)), fc.jsonValue(), async (field, value) => {
        if (JSON.stringify(record[field]) === JSON.stringify(value)) {
          return;
        }
        const text = JSON.stringify({ ...record, [field]: value });
        await assert.rejects(async () => readRecord(text).open(PASSPHRASE), KeyError);
      }),
      { numRuns: 200 },
    );
  });
});
