import assert from 'node:assert/strict';
import {
  AddressLookupTableAccount,
  Keypair,
  MessageV0,
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import * as fc from 'fast-check';
import { WireError } from '../../../../src/base/solana/wireReader';
import {
  base64FromBytes,
  bytesFromBase64,
  isEmptySignature,
  isWritable,
  parseBase64Transaction,
  parseTransaction,
} from '../../../../src/base/solana/wireTransaction';

/** A message byte by byte, so that each part can be spoilt by itself. */
interface Parts {
  readonly signatureCount?: readonly number[];
  readonly signatures?: number;
  readonly prefix?: readonly number[];
  readonly header?: readonly number[];
  readonly keyCount?: readonly number[];
  readonly keys?: readonly number[];
  readonly instructionCount?: readonly number[];
  readonly instructions?: readonly (readonly number[])[];
  readonly lookups?: readonly number[];
  readonly more?: readonly number[];
}

/** Writes a transaction with one signer, two other accounts and one instruction, with the given parts in other ways. */
function wire(parts: Parts = {}): Uint8Array {
  const keys = parts.keys ?? [1, 2, 3];
  const instructions = parts.instructions ?? [[2, 1, 0, 3, 7, 8, 9]];
  return Uint8Array.from([
    ...(parts.signatureCount ?? [1]),
    ...new Uint8Array(64 * (parts.signatures ?? 1)),
    ...(parts.prefix ?? []),
    ...(parts.header ?? [1, 0, 1]),
    ...(parts.keyCount ?? [keys.length]),
    ...keys.flatMap((value) => [...new Uint8Array(32).fill(value)]),
    ...new Uint8Array(32).fill(9),
    ...(parts.instructionCount ?? [instructions.length]),
    ...instructions.flat(),
    ...(parts.lookups ?? []),
    ...(parts.more ?? []),
  ]);
}

const V0 = { prefix: [0x80], lookups: [0] } as const;

function ruleOf(bytes: Uint8Array): string | undefined {
  try {
    parseTransaction(bytes);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof WireError);
    return error.rule;
  }
}

describe('Strict parsing of transactions', () => {
  it('The parser reads minimal legacy and v0 transactions', () => {
    assert.equal(parseTransaction(wire()).version, 'legacy');
    assert.equal(parseTransaction(wire(V0)).version, 0);
    const { instructions, messageOffset, signaturesOffset, staticKeys } = parseTransaction(wire());
    assert.deepEqual(instructions, [{ programIdIndex: 2, accountIndexes: [0], data: new Uint8Array([7, 8, 9]) }]);
    assert.deepEqual([signaturesOffset, messageOffset, staticKeys.length], [1, 65, 3]);
  });

  it('DEC-2: The parser refuses every truncated transaction', () => {
    for (const bytes of [wire(), wire(V0)]) {
      for (let length = 0; length < bytes.length; length += 1) {
        assert.ok(ruleOf(bytes.slice(0, length)) !== undefined, `${length} bytes`);
      }
    }
    assert.equal(ruleOf(new Uint8Array()), 'DEC-2');
  });

  it('DEC-3: The parser refuses more than 1,232 bytes, and accepts exactly 1,232', () => {
    const filled = (length: number): Uint8Array => {
      const size = length - wire({ instructions: [[2, 0, 0x80, 8]] }).length;
      return wire({ instructions: [[2, 0, (size & 0x7f) | 0x80, size >> 7, ...new Uint8Array(size)]] });
    };
    assert.equal(filled(1_232).length, 1_232);
    assert.equal(ruleOf(filled(1_232)), undefined);
    assert.equal(ruleOf(filled(1_233)), 'DEC-3');
  });

  it('DEC-4: The parser refuses trailing bytes', () => {
    assert.equal(ruleOf(wire({ more: [0] })), 'DEC-4');
    assert.equal(ruleOf(wire({ ...V0, more: [1, 2, 3] })), 'DEC-4');
  });

  it('DEC-4: The parser refuses lengths with more bytes than they need, anywhere in the transaction', () => {
    const padded: readonly Parts[] = [
      { keyCount: [0x83, 0x00] },
      { keyCount: [0x83, 0x80, 0x00] },
      { instructionCount: [0x81, 0x00] },
      { instructions: [[2, 0x81, 0x00, 0, 0]] },
      { instructions: [[2, 1, 0, 0x80, 0x00]] },
      { prefix: [0x80], lookups: [0x80, 0x00] },
    ];
    for (const parts of padded) {
      assert.equal(ruleOf(wire(parts)), 'DEC-4', JSON.stringify(parts));
    }
    assert.equal(ruleOf(wire({ keyCount: [0x83, 0x80, 0x04] })), 'DEC-4');
    assert.equal(ruleOf(wire({ keyCount: [0xff, 0xff, 0xff] })), 'DEC-4');
  });

  it('DEC-5: The parser refuses unknown versions, in the envelope and in the message', () => {
    assert.equal(ruleOf(wire({ signatureCount: [0x82, 0x00] })), 'DEC-5');
    for (const version of [1, 2, 0x7f]) {
      assert.equal(ruleOf(wire({ prefix: [0x80 | version], lookups: [0] })), 'DEC-5');
    }
  });

  it('DEC-6: The parser refuses inconsistent headers, duplicate accounts and invalid account indexes', () => {
    const odd: readonly Parts[] = [
      { header: [2, 0, 1] },
      { header: [0, 0, 1] },
      { signatureCount: [0], signatures: 0, header: [0, 0, 1] },
      { signatureCount: [4], signatures: 4, header: [4, 0, 0] },
      { header: [1, 1, 1] },
      { header: [1, 0, 3] },
      { keys: [1, 2, 2] },
      { keys: [1, 1, 2] },
      { instructions: [[2, 1, 3, 0]] },
    ];
    for (const parts of odd) {
      assert.equal(ruleOf(wire(parts)), 'DEC-6', JSON.stringify(parts));
    }
  });

  it('PRG-1, ALT-1: The parser refuses programs that are the payer or not a static account', () => {
    assert.equal(ruleOf(wire({ instructions: [[0, 0, 0]] })), 'PRG-1');
    assert.equal(ruleOf(wire({ instructions: [[3, 0, 0]] })), 'ALT-1');
    const table = [1, ...new Uint8Array(32).fill(8), 1, 0, 0];
    assert.equal(ruleOf(wire({ prefix: [0x80], lookups: table })), undefined);
    assert.equal(ruleOf(wire({ prefix: [0x80], lookups: table, instructions: [[3, 0, 0]] })), 'ALT-1');
    assert.equal(ruleOf(wire({ prefix: [0x80], lookups: table, instructions: [[2, 1, 3, 0]] })), undefined);
    assert.equal(ruleOf(wire({ prefix: [0x80], lookups: table, instructions: [[2, 1, 4, 0]] })), 'DEC-6');
  });

  it('DEC-6: The parser refuses unused lookup tables, and more accounts than an index can address', () => {
    assert.equal(ruleOf(wire({ prefix: [0x80], lookups: [1, ...new Uint8Array(32).fill(8), 0, 0] })), 'DEC-6');
    const lookup = (count: number): number[] => [
      1,
      ...new Uint8Array(32).fill(8),
      (count & 0x7f) | 0x80,
      count >> 7,
      ...new Uint8Array(count),
      0,
    ];
    assert.equal(ruleOf(wire({ prefix: [0x80], lookups: lookup(253) })), undefined);
    assert.equal(ruleOf(wire({ prefix: [0x80], lookups: lookup(254) })), 'DEC-6');
  });

  it('A signature is empty if all of its bytes are zero', () => {
    assert.equal(isEmptySignature(new Uint8Array(64)), true);
    assert.equal(isEmptySignature(new Uint8Array(64).fill(1, 63)), false);
  });

  it('The parsed transaction shows which accounts are writable', () => {
    const transaction = parseTransaction(
      wire({ signatureCount: [2], signatures: 2, header: [2, 1, 1], keys: [1, 2, 3, 4], instructions: [] }),
    );
    assert.deepEqual(
      [0, 1, 2, 3].map((index) => isWritable(transaction, index)),
      [true, false, true, false],
    );
  });

  it('The parser throws nothing but a WireError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1_300 }), (bytes) => void ruleOf(bytes)),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 255 }), fc.boolean(), (place, mask, versioned) => {
        const bytes = wire(versioned ? V0 : {});
        const at = place % bytes.length;
        bytes[at] = (bytes[at] ?? 0) ^ mask;
        ruleOf(bytes);
      }),
      { numRuns: 1_000 },
    );
  });

  it('The parser reads every field that @solana/web3.js has written', () => {
    const signers = [1, 2].map((seed) => Keypair.fromSeed(new Uint8Array(32).fill(seed)));
    const keyAt = (index: number): PublicKey => signers[index]?.publicKey ?? new PublicKey(new Uint8Array(32).fill(index + 10));
    const meta = fc
      .record({ pubkey: fc.nat({ max: 8 }).map(keyAt), isWritable: fc.boolean() })
      .map((one) => ({ ...one, isSigner: signers.some(({ publicKey }) => publicKey.equals(one.pubkey)) }));
    const instruction = fc
      .record({
        programId: fc.integer({ min: 20, max: 22 }).map(keyAt),
        keys: fc.array(meta, { maxLength: 9 }),
        data: fc.uint8Array({ maxLength: 40 }).map((data) => Buffer.from(data)),
      })
      .map((fields) => new TransactionInstruction(fields));
    const table = new AddressLookupTableAccount({
      key: keyAt(30),
      state: { deactivationSlot: 2n ** 64n - 1n, lastExtendedSlot: 0, lastExtendedSlotStartIndex: 0, addresses: [6, 7, 8].map(keyAt) },
    });
    fc.assert(
      fc.property(fc.array(instruction, { maxLength: 4 }), fc.boolean(), fc.boolean(), (instructions, versioned, withTable) => {
        const payerKey = keyAt(0);
        const recentBlockhash = keyAt(40).toBase58();
        const message = versioned
          ? MessageV0.compile({ payerKey, recentBlockhash, instructions, addressLookupTableAccounts: withTable ? [table] : [] })
          : new TransactionMessage({ payerKey, recentBlockhash, instructions }).compileToLegacyMessage();
        const transaction = new VersionedTransaction(message);
        transaction.sign(
          signers.filter((signer) =>
            message.staticAccountKeys.slice(0, message.header.numRequiredSignatures).some((account) => account.equals(signer.publicKey)),
          ),
        );
        const parsed = parseTransaction(transaction.serialize());
        assert.deepEqual(
          parsed.staticKeys,
          message.staticAccountKeys.map((account) => account.toBase58()),
        );
        assert.deepEqual(
          parsed.signatures.map((signature) => [...signature]),
          transaction.signatures.map((signature) => [...signature]),
        );
        assert.equal(parsed.recentBlockhash, recentBlockhash);
        assert.deepEqual(
          parsed.instructions.map(({ programIdIndex, accountIndexes, data }) => [programIdIndex, accountIndexes, [...data]]),
          message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => [programIdIndex, accountKeyIndexes, [...data]]),
        );
        assert.deepEqual(
          parsed.tableLookups.map(({ table: of, writableIndexes, readonlyIndexes }) => [of, writableIndexes, readonlyIndexes]),
          message.addressTableLookups.map(({ accountKey, writableIndexes, readonlyIndexes }) => [
            accountKey.toBase58(),
            writableIndexes,
            readonlyIndexes,
          ]),
        );
        message.staticAccountKeys.forEach((_, index) => assert.equal(isWritable(parsed, index), message.isAccountWritable(index)));
      }),
      { numRuns: 150 },
    );
  });
});

describe('Transactions in base64', () => {
  it('Transactions convert to base64 and back without loss', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 1_232 }), (bytes) => {
        const text = base64FromBytes(bytes);
        assert.equal(parseBase64Transaction(text), text);
        assert.deepEqual(bytesFromBase64(text), bytes);
      }),
    );
  });

  it('Base64 is accepted in one form only: decoded text encodes to the same text', () => {
    const alphabet = fc.constantFrom('A', 'B', 'a', 'b', '0', '1', '+', '/', '=', '-', '_', ' ', '\n');
    fc.assert(
      fc.property(fc.string({ unit: alphabet, maxLength: 12 }), (text) => {
        const parsed = parseBase64Transaction(text);
        assert.ok(parsed === undefined || base64FromBytes(bytesFromBase64(parsed)) === text);
      }),
      { numRuns: 1_000 },
    );
  });

  it('Empty text, other alphabets and leftover bits are refused as base64', () => {
    for (const text of ['', 'A', 'AA', 'AAA', 'AA=', 'AB==', 'AAB=', 'AA==\n', 'A-_A', '====', 'AA==AAAA']) {
      assert.equal(parseBase64Transaction(text), undefined, JSON.stringify(text));
    }
    assert.equal(parseBase64Transaction('AA=='), 'AA==');
  });

  it('Decoding base64 returns a new byte array each time', () => {
    const text = base64FromBytes(new Uint8Array([1, 2, 3]));
    bytesFromBase64(text).fill(0);
    assert.deepEqual(bytesFromBase64(text), new Uint8Array([1, 2, 3]));
  });
});
