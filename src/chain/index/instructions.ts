import type { Address } from '../../base/solana/address';
import {
  type Arguments,
  type ArgumentValue,
  decodeInstruction,
  findInstruction,
  InstructionCodecError,
  type InstructionLayout,
} from '../../base/solana/instructionCodec';
import { DAMM_INSTRUCTIONS } from '../../base/solana/generated/dammInstructions';
import { DLMM_INSTRUCTIONS } from '../../base/solana/generated/dlmmInstructions';
import { STRATEGIES, type Strategy } from '../../base/dlmm/strategy';
import type { ProgramCall } from './answers';

/** What only the instructions contain: no event names the range of a new position, its operator, or how a deposit is spread. */
export type InstructionFact =
  | { readonly kind: 'range'; readonly position: Address; readonly lowerBinId: number; readonly upperBinId: number }
  | { readonly kind: 'strategy'; readonly position: Address; readonly strategy: Strategy }
  /** Somebody else may act for the owner from now on. */
  | { readonly kind: 'operator'; readonly position: Address }
  /** The position that a new pool begins with. */
  | { readonly kind: 'firstPosition'; readonly position: Address; readonly pool: Address };

/** Bits of `bit_flag` of `rebalance_liquidity`: the difference from bin to bin is negative. */
const NEGATIVE_DELTA_X = 4;
const NEGATIVE_DELTA_Y = 8;
const BY_OPERATOR: ReadonlySet<string> = new Set(['initialize_position_by_operator', 'update_position_operator']);

/** Reads an instruction of DLMM. Nothing, if it contains nothing that is needed, or cannot be decoded. */
export function dlmmInstructionFacts(call: ProgramCall): readonly InstructionFact[] {
  const layout = findInstruction(DLMM_INSTRUCTIONS, call.data());
  const position = layout === undefined ? undefined : accountNamed(layout, call, 'position');
  if (layout === undefined || position === undefined) {
    return [];
  }
  const args = argumentsOf(layout, call);
  return [
    ...(BY_OPERATOR.has(layout.name) ? [{ kind: 'operator', position } as const] : []),
    ...rangeFact(layout, args, position),
    ...strategyFact(layout, args, position),
  ];
}

function rangeFact({ name }: InstructionLayout, args: Arguments | undefined, position: Address): readonly InstructionFact[] {
  const [lowerBinId, width] = [args?.['lower_bin_id'], args?.['width']];
  return name.startsWith('initialize_position') && typeof lowerBinId === 'number' && typeof width === 'number'
    ? [{ kind: 'range', position, lowerBinId, upperBinId: lowerBinId + width - 1 }]
    : [];
}

function strategyFact({ name }: InstructionLayout, args: Arguments | undefined, position: Address): readonly InstructionFact[] {
  const strategy =
    args === undefined
      ? undefined
      : name.startsWith('add_liquidity_by_strategy')
        ? namedStrategy(args)
        : name === 'rebalance_liquidity'
          ? spreadStrategy(args)
          : undefined;
  return strategy === undefined ? [] : [{ kind: 'strategy', position, strategy }];
}

/** Reads an instruction of DAMM v2. Nothing, if it creates no pool. */
export function dammInstructionFacts(call: ProgramCall): readonly InstructionFact[] {
  const layout = findInstruction(DAMM_INSTRUCTIONS, call.data());
  if (layout === undefined || !/^initialize_(?:customizable_)?pool/.test(layout.name)) {
    return [];
  }
  const [position, pool] = [accountNamed(layout, call, 'position'), accountNamed(layout, call, 'pool')];
  return position === undefined || pool === undefined ? [] : [{ kind: 'firstPosition', position, pool }];
}

/** The arguments of the instructions that have a range or a strategy. */
function argumentsOf(layout: InstructionLayout, call: ProgramCall): Arguments | undefined {
  if (!/^(?:initialize_position|add_liquidity_by_strategy|rebalance_liquidity)/.test(layout.name)) {
    return undefined;
  }
  try {
    return decodeInstruction(layout, call.data());
  } catch (error) {
    // Its events count; range or strategy stay unknown.
    if (error instanceof InstructionCodecError) {
      return undefined;
    }
    throw error;
  }
}

/** The account of that name; `undefined` if the call has too few accounts. */
export function accountNamed(layout: InstructionLayout, call: ProgramCall, name: string): Address | undefined {
  const index = layout.accounts.findIndex((account) => account.name === name);
  return index < 0 ? undefined : call.accounts[index];
}

/** `strategy_parameters.strategy_type`: "SpotImBalanced" and others. */
function namedStrategy(args: Arguments): Strategy | undefined {
  const kind = field(field(field(args['liquidity_parameter'], 'strategy_parameters'), 'strategy_type'), 'kind');
  return typeof kind === 'string' ? STRATEGIES.find((strategy) => kind.startsWith(strategy)) : undefined;
}

/** The change from bin to bin away from the active one: none is Spot, less is Curve, more is BidAsk. */
function spreadStrategy(args: Arguments): Strategy | undefined {
  const adds = field(args['params'], 'adds');
  const kinds = (Array.isArray(adds) ? (adds as readonly ArgumentValue[]) : []).flatMap((add): readonly Strategy[] => {
    const [deltaX, deltaY, flag] = [field(add, 'delta_x'), field(add, 'delta_y'), field(add, 'bit_flag')];
    if (typeof flag !== 'number') {
      return [];
    }
    const sides = [
      ...(deltaX === 0n ? [] : [(flag & NEGATIVE_DELTA_X) !== 0]),
      ...(deltaY === 0n ? [] : [(flag & NEGATIVE_DELTA_Y) !== 0]),
    ];
    return sides.length === 0 ? ['Spot'] : sides.map((isNegative) => (isNegative ? 'Curve' : 'BidAsk'));
  });
  const [first, ...others] = new Set(kinds);
  return others.length === 0 ? first : undefined;
}

function field(value: ArgumentValue, name: string): ArgumentValue {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof Uint8Array)
    ? (value as { readonly [name: string]: ArgumentValue })[name]
    : undefined;
}
