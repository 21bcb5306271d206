import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { DAMM_INSTRUCTIONS } from '../../../../src/base/solana/generated/dammInstructions';
import { DLMM_INSTRUCTIONS } from '../../../../src/base/solana/generated/dlmmInstructions';
import {
  decodeInstruction,
  encodeInstruction,
  findInstruction,
  InstructionCodecError,
  instructionNamed,
  type Arguments,
  type ArgumentLayout,
  type InstructionLayout,
} from '../../../../src/base/solana/instructionCodec';
import { JUPITER_INSTRUCTIONS } from '../../../../src/base/solana/jupiterInstructions';
import {
  ASSOCIATED_TOKEN_INSTRUCTIONS,
  COMPUTE_BUDGET_INSTRUCTIONS,
  SYSTEM_INSTRUCTIONS,
  TOKEN_INSTRUCTIONS,
} from '../../../../src/base/solana/nativeInstructions';
import { anchorForm, argumentsOf } from '../../../support/base/solana/layoutArbitraries';
import { anchorCoder, dammCoder } from '../../../support/base/solana/packages';

const ALL = [
  ...DLMM_INSTRUCTIONS,
  ...DAMM_INSTRUCTIONS,
  ...JUPITER_INSTRUCTIONS,
  ...SYSTEM_INSTRUCTIONS,
  ...COMPUTE_BUDGET_INSTRUCTIONS,
  ...ASSOCIATED_TOKEN_INSTRUCTIONS,
  ...TOKEN_INSTRUCTIONS,
];

/** Any instruction of a list with arguments that fit it. */
function callOf(layouts: readonly InstructionLayout[]): fc.Arbitrary<readonly [InstructionLayout, Arguments]> {
  return fc.constantFrom(...layouts).chain((layout) => argumentsOf(layout).map((args) => [layout, args] as const));
}

const one = (type: ArgumentLayout): InstructionLayout => ({ name: 'one', discriminator: '', accounts: [], args: [['value', type]] });
const decodeOne = (type: ArgumentLayout, bytes: readonly number[]): unknown => decodeInstruction(one(type), Uint8Array.from(bytes)).value;
const refuses = (type: ArgumentLayout, bytes: readonly number[]): void => {
  assert.throws(() => decodeOne(type, bytes), InstructionCodecError);
};

describe('Instruction codec', () => {
  it('The codec decodes what it has encoded', () => {
    fc.assert(
      fc.property(callOf(ALL), ([layout, args]) => {
        const data = encodeInstruction(layout, args);
        assert.deepEqual(decodeInstruction(layout, data), args);
      }),
      { numRuns: 1_000 },
    );
  });

  for (const [program, layouts, coderOf] of [
    ['DLMM', DLMM_INSTRUCTIONS, anchorCoder],
    ['DAMM v2', DAMM_INSTRUCTIONS, dammCoder],
  ] as const) {
    it(`The codec encodes instructions of the ${program} program as Anchor does`, () => {
      const coder = coderOf();
      fc.assert(
        fc.property(callOf(layouts), ([layout, args]) => {
          const theirs = coder.encode(
            layout.name,
            Object.fromEntries(layout.args.map(([name, type]) => [name, anchorForm(type, args[name])])),
          );
          assert.equal(Buffer.from(encodeInstruction(layout, args)).toString('hex'), theirs.toString('hex'));
          assert.equal(coder.decode(theirs)?.name, layout.name);
        }),
        { numRuns: 1_000 },
      );
    });
  }

  it('The codec accepts one encoding only: decoded data encodes to the same bytes', () => {
    fc.assert(
      fc.property(callOf(ALL), fc.nat(), fc.integer({ min: 1, max: 255 }), ([layout, args], place, mask) => {
        const data = encodeInstruction(layout, args);
        const begin = layout.discriminator.length / 2;
        if (data.length > begin) {
          const at = begin + (place % (data.length - begin));
          data[at] = (data[at] ?? 0) ^ mask;
        }
        try {
          assert.deepEqual(encodeInstruction(layout, decodeInstruction(layout, data)), data);
        } catch (error) {
          assert.ok(error instanceof InstructionCodecError);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('The codec refuses trailing bytes and truncated data', () => {
    fc.assert(
      fc.property(callOf(DLMM_INSTRUCTIONS), fc.uint8Array({ minLength: 1, maxLength: 8 }), fc.nat(), ([layout, args], extra, cut) => {
        const data = encodeInstruction(layout, args);
        assert.throws(() => decodeInstruction(layout, Buffer.concat([data, extra])), InstructionCodecError);
        assert.throws(() => decodeInstruction(layout, data.subarray(0, cut % data.length)), InstructionCodecError);
      }),
    );
  });

  it('The codec refuses to encode values out of range or of the wrong type', () => {
    const encodeOne = (type: ArgumentLayout, value: Arguments[string]): Uint8Array => encodeInstruction(one(type), { value });
    const wrong: readonly (readonly [ArgumentLayout, Arguments[string]])[] = [
      ['u8', 256],
      ['u8', -1],
      ['u8', 1.5],
      ['u8', '1'],
      ['i8', 128],
      ['i8', -129],
      ['u64', 2n ** 64n],
      ['u64', -1n],
      ['i64', 2n ** 63n],
      ['u64', undefined],
      ['u64', Number.MAX_SAFE_INTEGER + 1],
      ['bool', 1],
      ['pubkey', new Uint8Array(31)],
      ['bytes', 'text'],
      ['string', 7],
      ['rest', []],
      [{ vec: 'u8' }, 'text'],
      [{ array: ['u16', 2] }, [1]],
      [{ array: ['u8', 2] }, new Uint8Array(3)],
      [{ struct: [['a', 'u8']] }, []],
      [{ struct: [['a', 'u8']] }, {}],
      [{ enum: [['A', []]] }, { kind: 'B' }],
      [{ enum: [['A', []]] }, {}],
      [{ enum: [['A', ['u8']]] }, { kind: 'A' }],
    ];
    for (const [type, value] of wrong) {
      assert.throws(() => encodeOne(type, value), InstructionCodecError, JSON.stringify(type));
    }
  });

  it('The codec refuses to decode invalid bytes', () => {
    refuses('bool', [2]);
    refuses({ option: 'u8' }, [2, 0]);
    refuses({ enum: [['A', []]] }, [1]);
    refuses({ vec: 'u8' }, [255, 255, 255, 255]);
    refuses({ vec: { struct: [] } }, [9, 0, 0, 0]);
    refuses('string', [1, 0, 0, 0, 0xff]);
    refuses('string64', [1, 0, 0, 0, 0, 0, 0, 1, 65]);
    refuses('bytes', [2, 0, 0, 0, 1]);
    refuses('u64', [1, 2, 3]);
  });

  it('The error for an unknown enum variant is marked as an unknown choice', () => {
    const unknown = (type: ArgumentLayout, bytes: readonly number[]): boolean => {
      try {
        decodeOne(type, bytes);
      } catch (error) {
        assert.ok(error instanceof InstructionCodecError);
        return error.unknownChoice;
      }
      return assert.fail('it was read');
    };
    assert.equal(unknown({ vec: { enum: [['A', []]] } }, [1, 0, 0, 0, 1]), true);
    assert.equal(unknown('bool', [2]), false);
    assert.equal(unknown({ enum: [['A', ['u64']]] }, [0]), false);
  });

  it('The codec keeps a byte order mark at the beginning of a string', () => {
    assert.equal(decodeOne('string', [4, 0, 0, 0, 0xef, 0xbb, 0xbf, 65]), '\ufeffA');
  });

  it('The codec decodes large integers as bigint and small ones as number', () => {
    assert.equal(decodeOne('u64', [255, 255, 255, 255, 255, 255, 255, 255]), 2n ** 64n - 1n);
    assert.equal(decodeOne('i32', [255, 255, 255, 255]), -1);
    assert.equal(decodeOne('i128', new Array<number>(16).fill(255)), -1n);
  });

  it('An instruction is found by its discriminator at the beginning of the data', () => {
    const swap = instructionNamed(DLMM_INSTRUCTIONS, 'swap2');
    assert.equal(findInstruction(DLMM_INSTRUCTIONS, Buffer.from(`${swap.discriminator}00`, 'hex')), swap);
    assert.equal(findInstruction(DLMM_INSTRUCTIONS, Buffer.from(swap.discriminator, 'hex').subarray(0, 7)), undefined);
    assert.equal(findInstruction(DLMM_INSTRUCTIONS, new Uint8Array()), undefined);
    assert.equal(findInstruction(SYSTEM_INSTRUCTIONS, Uint8Array.from([2, 0, 0, 0, 9]))?.name, 'transfer');
    assert.equal(findInstruction(SYSTEM_INSTRUCTIONS, Uint8Array.from([2, 0, 0])), undefined);
    assert.equal(findInstruction(TOKEN_INSTRUCTIONS, Uint8Array.from([9]))?.name, 'close_account');
    assert.throws(() => instructionNamed(DLMM_INSTRUCTIONS, 'nothing'), InstructionCodecError);
    assert.throws(() => decodeInstruction(swap, new Uint8Array(40)), InstructionCodecError);
  });
});
