import type { Address } from '../../base/solana/address';
import { DLMM_INSTRUCTIONS } from '../../base/solana/generated/dlmmInstructions';
import { decodeInstruction, findInstruction, InstructionCodecError, instructionNamed } from '../../base/solana/instructionCodec';
import { TOKEN_2022_INSTRUCTIONS } from '../../base/solana/nativeInstructions';
import { PROGRAMS } from '../../base/solana/programs';
import type { ProgramCall } from './answers';
import type { ProgramEvent } from './programEvent';
import { accountNamed } from './instructions';
import type { TokenAmounts } from './types';

const REBALANCE = instructionNamed(DLMM_INSTRUCTIONS, 'rebalance_liquidity');
const TRANSFERS: ReadonlySet<string> = new Set(['transfer', 'transfer_checked', 'transfer_checked_with_fee']);
const TOKEN_PROGRAMS: ReadonlySet<Address> = new Set([PROGRAMS.token, PROGRAMS.token2022]);

/**
 * What the owner paid for the deposit of a rebalance. The event reports what arrived in the pool, which is less than what was paid if the token
 * has a transfer fee. The program withdraws, claims and deposits with one net transfer of each token, so the payment is what was withdrawn and
 * claimed, plus what the transfers brought into the reserve, less what they took out.
 * @param calls in the order of execution; the event is the one at `index`
 * @returns `undefined` if the transfers do not fit the event
 */
export function paidInRebalance(
  event: Extract<ProgramEvent, { kind: 'rebalance' }>,
  calls: readonly ProgramCall[],
  index: number,
): TokenAmounts | undefined {
  const start = calls.findLastIndex(
    (call, place) =>
      place < index &&
      call.program === PROGRAMS.dlmm &&
      findInstruction([REBALANCE], call.data()) !== undefined &&
      accountNamed(REBALANCE, call, 'position') === event.position,
  );
  const instruction = calls[start];
  if (instruction === undefined) {
    return undefined;
  }
  const transfers = calls.slice(start + 1, index).flatMap((call) => transferOf(call) ?? []);
  const paid = (side: 'x' | 'y'): bigint | undefined => {
    const reserve = accountNamed(REBALANCE, instruction, `reserve_${side}`);
    if (reserve === undefined) {
      return undefined;
    }
    const net = transfers.reduce(
      (sum, { source, destination, amount }) => sum + (destination === reserve ? amount : 0n) - (source === reserve ? amount : 0n),
      0n,
    );
    const amount = event.withdrawn[side] + event.fees[side] + net;
    return amount < event.added[side] ? undefined : amount;
  };
  const [x, y] = [paid('x'), paid('y')];
  return x === undefined || y === undefined ? undefined : { x, y };
}

interface TokenTransfer {
  readonly source: Address | undefined;
  readonly destination: Address | undefined;
  readonly amount: bigint;
}

/** The transfer that a call of a token program makes; `undefined` if it makes none. */
function transferOf(call: ProgramCall): TokenTransfer | undefined {
  if (!TOKEN_PROGRAMS.has(call.program)) {
    return undefined;
  }
  const layout = findInstruction(TOKEN_2022_INSTRUCTIONS, call.data());
  if (layout === undefined || !TRANSFERS.has(layout.name)) {
    return undefined;
  }
  try {
    const amount = decodeInstruction(layout, call.data())['amount'];
    return typeof amount === 'bigint'
      ? { source: accountNamed(layout, call, 'source'), destination: accountNamed(layout, call, 'destination'), amount }
      : undefined;
  } catch (error) {
    if (error instanceof InstructionCodecError) {
      return undefined;
    }
    throw error;
  }
}
