import { decodeInstruction, InstructionCodecError, type Arguments, type InstructionLayout } from '../../base/solana/instructionCodec';
import type { DecodedCall } from '../decode/instructions';

type Args = InstructionLayout['args'];

/**
 * Reads the plain numbers of an instruction whose route names an unknown exchange (SWP-5): those before the route from the start of the
 * data, those after it from the end. The latter are only a claim, because the program itself continues reading where the route ends.
 * Returns `undefined` if anything else is wrong with the data.
 */
export function claimedArguments({ problem, layout, view }: DecodedCall): Arguments | undefined {
  if (problem?.unknownChoice !== true || layout === undefined) {
    return undefined;
  }
  const first = layout.args.findIndex(([, type]) => !isNumber(type));
  const last = layout.args.findLastIndex(([, type]) => !isNumber(type));
  const before = layout.args.slice(0, first);
  const behind = layout.args.slice(last + 1);
  const begin = layout.discriminator.length / 2;
  const claimed = new Uint8Array([
    ...view.data.subarray(begin, begin + size(before)),
    ...view.data.subarray(Math.max(begin + size(before), view.data.length - size(behind))),
  ]);
  try {
    return decodeInstruction({ ...layout, discriminator: '', args: [...before, ...behind] }, claimed);
  } catch (error) {
    if (error instanceof InstructionCodecError) {
      return undefined;
    }
    throw error;
  }
}

const NUMBER_BYTES: Readonly<Record<string, number>> = { u8: 1, u16: 2, u32: 4, u64: 8 };

function isNumber(type: Args[number][1]): boolean {
  return typeof type === 'string' && type in NUMBER_BYTES;
}

function size(args: Args): number {
  return args.reduce((sum, [, type]) => sum + (typeof type === 'string' ? (NUMBER_BYTES[type] ?? 0) : 0), 0);
}
