import { ALL_BPS } from './policy';
import type { DecodedInstruction, Review, ZapInIntent, ZapOutIntent } from './types';

// What was asked for beside what the transactions say (policy §14): bins and shape of a zap-in, share of a zap-out.

/** Writes the bins and the shape that were asked for, and those that were found. */
export function rangeText({ fromBinId, toBinId, strategy }: ZapInIntent, review: Review): string {
  const asked = fromBinId === undefined || toBinId === undefined ? 'all prices, without bins' : [`${fromBinId} to ${toBinId}`, ...(strategy === undefined ? [] : [strategy])].join(', ');
  const { depositRange } = review;
  const shapes = new Set(instructionsOf(review).flatMap((instruction) => valuesIn(instruction, 'strategy_type')));
  const found = [...(depositRange === undefined ? [] : [`${depositRange.fromBinId} to ${depositRange.toBinId}`]), ...shapes];
  return found.length === 0 ? `asked ${asked}` : `asked ${asked}; found ${found.join(', ')}`;
}

/** Writes the share that was asked for, and those that withdrawals name. */
export function shareText({ shareBps }: ZapOutIntent, review: Review): string {
  const shares = instructionsOf(review).flatMap((instruction) => (instruction.name === 'remove_all_liquidity' ? [ALL_BPS] : numbersIn(instruction, 'bps_to_remove')));
  const found = [...new Set(shares)].sort((one, other) => other - one).map(percent);
  return `asked ${percent(shareBps)}${found.length === 0 ? '' : `; found ${found.join(', ')}`}`;
}

function percent(bps: number): string {
  return `${bps / 100}%`;
}

function instructionsOf({ transactions }: Review): readonly DecodedInstruction[] {
  return transactions.flatMap(({ instructions }) => instructions);
}

function numbersIn(instruction: DecodedInstruction, name: string): number[] {
  return valuesIn(instruction, name).map(Number).filter(Number.isSafeInteger);
}

/** Values by the last part of their name, wherever in the arguments they are. */
function valuesIn({ args }: DecodedInstruction, name: string): string[] {
  return args.filter((arg) => arg.name === name || arg.name.endsWith(`.${name}`)).map(({ value }) => value);
}
