import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { WireError } from '../../../../src/base/solana/wireReader';
import { isWritable, messageOf, parseTransaction } from '../../../../src/base/solana/wireTransaction';

/** A v1 transaction byte by byte, so that each part can be spoilt by itself. */
interface Parts {
  readonly prefix?: number;
  readonly header?: readonly [number, number, number];
  readonly mask?: number;
  readonly instructionCount?: number;
  readonly accountCount?: number;
  /** Each address repeats one byte. */
  readonly keys?: readonly number[];
  readonly config?: readonly number[];
  /** Program, account indexes, data. */
  readonly instructions?: readonly (readonly [number, readonly number[], readonly number[]])[];
  readonly signatures?: number;
  readonly more?: readonly number[];
}

const uint = (value: bigint | number, size: number): number[] =>
  Array.from({ length: size }, (_, at) => Number((BigInt(value) >> BigInt(8 * at)) & 0xffn));

/** Writes a transaction with one signer, two other accounts (the last one read-only) and one instruction, with the given parts in other ways. */
function wire(parts: Parts = {}): Uint8Array {
  const { prefix = 0x81, header = [1, 0, 1], mask = 0, keys = [1, 2, 3], config = [], more = [] } = parts;
  const { instructions = [[2, [0, 1], [7, 8, 9]]] } = parts;
  return Uint8Array.from([
    prefix,
    ...header,
    ...uint(mask, 4),
    ...new Uint8Array(32).fill(9),
    parts.instructionCount ?? instructions.length,
    parts.accountCount ?? keys.length,
    ...keys.flatMap((value) => [...new Uint8Array(32).fill(value)]),
    ...config,
    ...instructions.flatMap(([program, accounts, data]) => [program, accounts.length, ...uint(data.length, 2)]),
    ...instructions.flatMap(([, accounts, data]) => [...accounts, ...data]),
    ...new Uint8Array(64 * (parts.signatures ?? header[0])).fill(5),
    ...more,
  ]);
}

/** All options: fee, compute units, account data, heap. */
const FULL = {
  mask: 0b1_1111,
  config: [...uint(2n ** 64n - 1n, 8), ...uint(300_000, 4), ...uint(2 ** 32 - 1, 4), ...uint(64 * 1_024, 4)],
} as const;

function ruleOf(bytes: Uint8Array): string | undefined {
  try {
    parseTransaction(bytes);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof WireError);
    assert.notEqual(error.message, '');
    return error.rule;
  }
}

const keysOf = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

describe('Strict parsing of transactions of version 1', () => {
  it('The parser reads every part of a transaction', () => {
    const bytes = wire({
      ...FULL,
      header: [2, 1, 1],
      keys: [1, 2, 3, 4],
      instructions: [
        [3, [0, 2], [7]],
        [3, [], []],
      ],
    });
    const parsed = parseTransaction(bytes);
    assert.deepEqual(parsed.instructions, [
      { programIdIndex: 3, accountIndexes: [0, 2], data: new Uint8Array([7]) },
      { programIdIndex: 3, accountIndexes: [], data: new Uint8Array() },
    ]);
    assert.equal(parsed.version, 1);
    assert.deepEqual(parsed.tableLookups, []);
    assert.equal(parsed.staticKeys.length, 4);
    assert.deepEqual(
      [0, 1, 2, 3].map((index) => isWritable(parsed, index)),
      [true, false, true, false],
    );
    assert.deepEqual(parsed.config, {
      priorityFeeLamports: 2n ** 64n - 1n,
      computeUnitLimit: 300_000,
      loadedAccountsDataSizeLimit: 2 ** 32 - 1,
      heapBytes: 64 * 1_024,
    });
    assert.deepEqual(bytes.slice(parsed.blockhashOffset, parsed.blockhashOffset + 32), new Uint8Array(32).fill(9));
    assert.deepEqual(parsed.signatures, [new Uint8Array(64).fill(5), new Uint8Array(64).fill(5)]);
  });

  it('The message is everything in front of the signatures, with the version byte', () => {
    const bytes = wire({ header: [2, 0, 1] });
    const parsed = parseTransaction(bytes);
    assert.deepEqual(messageOf(bytes, parsed), bytes.subarray(0, -128));
    assert.deepEqual([parsed.messageOffset, parsed.messageEnd, parsed.signaturesOffset], [0, bytes.length - 128, bytes.length - 128]);
  });

  it('Each option of the config is read by itself, and a missing one is not 0', () => {
    const none = {
      priorityFeeLamports: undefined,
      computeUnitLimit: undefined,
      loadedAccountsDataSizeLimit: undefined,
      heapBytes: undefined,
    };
    const cases = [
      [0, [], {}],
      [0b11, uint(7, 8), { priorityFeeLamports: 7n }],
      [0b100, uint(0, 4), { computeUnitLimit: 0 }],
      [0b1000, uint(7, 4), { loadedAccountsDataSizeLimit: 7 }],
      [0b1_0000, uint(32_768, 4), { heapBytes: 32_768 }],
      [0b1_0100, [...uint(7, 4), ...uint(262_144, 4)], { computeUnitLimit: 7, heapBytes: 262_144 }],
    ] as const;
    for (const [mask, config, read] of cases) {
      assert.deepEqual(parseTransaction(wire({ mask, config })).config, { ...none, ...read }, mask.toString(2));
    }
  });

  it('DEC-2: The parser refuses every truncated transaction', () => {
    for (const bytes of [wire(), wire({ ...FULL, header: [2, 0, 1] })]) {
      assert.equal(ruleOf(bytes), undefined);
      for (let length = 1; length < bytes.length; length += 1) {
        assert.equal(ruleOf(bytes.slice(0, length)), 'DEC-2', `${length} bytes`);
      }
    }
  });

  it('DEC-2: The parser refuses counts beyond the bytes', () => {
    for (const parts of [{ accountCount: 9 }, { instructionCount: 60 }, { signatures: 0 }, { mask: 0b11 }] satisfies Parts[]) {
      assert.notEqual(ruleOf(wire(parts)), undefined, JSON.stringify(parts));
    }
    assert.equal(ruleOf(wire({ signatures: 0 })), 'DEC-2');
    assert.equal(ruleOf(wire({ accountCount: 64 })), 'DEC-2');
  });

  it('DEC-3: The parser refuses more than 4,096 bytes, and accepts exactly 4,096', () => {
    const filled = (length: number): Uint8Array => {
      const size = length - wire({ instructions: [[2, [], []]] }).length;
      return wire({ instructions: [[2, [], [...new Uint8Array(size)]]] });
    };
    assert.equal(filled(4_096).length, 4_096);
    assert.equal(ruleOf(filled(4_096)), undefined);
    assert.equal(ruleOf(filled(4_097)), 'DEC-3');
    // Older versions keep their limit, whatever follows their first byte.
    for (const prefix of [0, 1, 0x7f, 0x80, 0x82, 0xff]) {
      const older = filled(1_233);
      older[0] = prefix;
      assert.equal(ruleOf(older), 'DEC-3', String(prefix));
    }
  });

  it('DEC-4: The parser refuses trailing bytes, also whole signatures', () => {
    assert.equal(ruleOf(wire({ more: [0] })), 'DEC-4');
    assert.equal(ruleOf(wire({ signatures: 2 })), 'DEC-4');
    assert.equal(ruleOf(wire({ more: [...wire()] })), 'DEC-4');
  });

  it('DEC-5: The parser refuses later versions, and a number of signers that version 1 does not have', () => {
    for (const prefix of [0x82, 0x83, 0xff]) {
      assert.equal(ruleOf(wire({ prefix })), 'DEC-5');
    }
    assert.equal(ruleOf(wire({ header: [12, 0, 1], keys: keysOf(13), instructions: [[12, [0], []]] })), undefined);
    for (const signers of [0, 13, 128, 255]) {
      assert.equal(ruleOf(wire({ header: [signers, 0, 0], keys: keysOf(20), signatures: 14 })), 'DEC-5', String(signers));
    }
  });

  it('DEC-5: The parser refuses a v1 message in the envelope of older versions', () => {
    const bytes = wire();
    const message = bytes.subarray(0, -64);
    assert.equal(ruleOf(Uint8Array.from([1, ...new Uint8Array(64), ...message])), 'DEC-5');
    assert.equal(ruleOf(Uint8Array.from([0, ...message])), 'DEC-5');
    // Without signatures in front, a message of an older version is none either.
    assert.equal(ruleOf(Uint8Array.from([0x80, ...message.subarray(1)])), 'DEC-5');
  });

  it('DEC-6: The parser refuses more than 64 accounts and more than 64 instructions', () => {
    const program = { keys: keysOf(64), instructions: [[63, [], []]] } satisfies Parts;
    assert.equal(ruleOf(wire(program)), undefined);
    assert.equal(ruleOf(wire({ ...program, keys: keysOf(65) })), 'DEC-6');
    const calls = (count: number): Parts => ({ instructions: Array.from({ length: count }, () => [2, [0], []]) });
    assert.equal(ruleOf(wire(calls(64))), undefined);
    assert.equal(ruleOf(wire(calls(65))), 'DEC-6');
    assert.equal(ruleOf(wire({ accountCount: 255 })), 'DEC-6');
    assert.equal(ruleOf(wire({ instructionCount: 255 })), 'DEC-6');
  });

  it('DEC-6: The parser refuses inconsistent headers, duplicate accounts and invalid indexes', () => {
    const odd: readonly Parts[] = [
      // A read-only fee payer.
      { header: [1, 1, 1] },
      { header: [2, 2, 1] },
      { header: [1, 0, 3] },
      { header: [4, 0, 0] },
      { keys: [1, 2, 2] },
      { keys: [1, 1, 2] },
      { keys: [], instructions: [] },
      // A writable program, also one that signs.
      { header: [1, 0, 0] },
      { instructions: [[1, [], []]] },
      { header: [2, 0, 1], instructions: [[1, [], []]] },
      // A program or an account that is not listed.
      { instructions: [[3, [], []]] },
      { instructions: [[255, [], []]] },
      { instructions: [[2, [3], []]] },
      {
        instructions: [
          [2, [0], []],
          [2, [255], []],
        ],
      },
    ];
    for (const parts of odd) {
      assert.equal(ruleOf(wire(parts)), 'DEC-6', JSON.stringify(parts));
    }
  });

  it('PRG-1: The parser refuses the fee payer as a program', () => {
    assert.equal(ruleOf(wire({ instructions: [[0, [], []]] })), 'PRG-1');
  });

  it('DEC-8: The parser refuses options that the network does not know', () => {
    for (let bit = 5; bit < 32; bit += 1) {
      assert.equal(ruleOf(wire({ mask: 2 ** bit })), 'DEC-8', `bit ${bit}`);
      assert.equal(ruleOf(wire({ ...FULL, mask: FULL.mask + 2 ** bit })), 'DEC-8', `bit ${bit} with all known ones`);
    }
  });

  it('DEC-8: The parser refuses half of a priority fee', () => {
    for (const mask of [0b01, 0b10, 0b1_1101, 0b1_1110]) {
      assert.equal(ruleOf(wire({ ...FULL, mask })), 'DEC-8', mask.toString(2));
    }
  });

  it('DEC-8: The parser refuses heap sizes that the network does not accept', () => {
    const heap = (bytes: number): string | undefined => ruleOf(wire({ mask: 0b1_0000, config: uint(bytes, 4) }));
    for (const kib of [32, 33, 64, 255, 256]) {
      assert.equal(heap(kib * 1_024), undefined, `${kib} KiB`);
    }
    for (const bytes of [0, 1, 1_024, 31 * 1_024, 32 * 1_024 - 1, 32 * 1_024 + 1, 100_000, 256 * 1_024 + 1, 257 * 1_024, 2 ** 32 - 1_024]) {
      assert.equal(heap(bytes), 'DEC-8', String(bytes));
    }
  });

  it('The parser throws nothing but a WireError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 4_200 }), (bytes) => void ruleOf(Uint8Array.from([0x81, ...bytes]))),
      { numRuns: 300 },
    );
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 255 }), fc.boolean(), (place, mask, isFull) => {
        const bytes = wire(isFull ? FULL : {});
        const at = place % bytes.length;
        bytes[at] = (bytes[at] ?? 0) ^ mask;
        ruleOf(bytes);
      }),
      { numRuns: 1_000 },
    );
  });
});
