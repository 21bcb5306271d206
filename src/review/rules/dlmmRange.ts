import { PROGRAMS } from '../../solana/programs';
import { choiceAt, integerAt, numberAt, recordsAt } from '../argumentValues';
import type { PlaceNotes } from '../notes';
import type { PolicySettings } from '../policy';
import { isInstruction, type Reading } from '../reading';
import type { ZapInIntent } from '../types';
import { isDeposit } from './dlmmRoles';

/** Bins of one bin array, and of a position before it is lengthened (DLMM IDL). */
export const BINS_PER_ARRAY = 70;

/** DLMM-7 and RNT-1: a deposit goes into the bins that were asked for, in the shape that was asked for. */
export function reviewRange(reading: Reading, intent: ZapInIntent, policy: PolicySettings, notes: PlaceNotes): void {
  if (isInstruction(reading, PROGRAMS.dlmm, 'initialize_bin_array')) {
    reviewBinArray(reading, intent, notes);
  }
  if (!isDeposit(reading)) {
    return;
  }
  const { fromBinId, toBinId } = intent;
  const bins = depositBins(reading);
  if (bins.some((bin) => bin < fromBinId || bin > toBinId)) {
    notes.confirm('DLMM-7', `Liquidity goes into the bins ${Math.min(...bins)} to ${Math.max(...bins)}; you asked for ${fromBinId} to ${toBinId}.`);
  }
  const shape = choiceAt(reading.args, 'liquidity_parameter', 'strategy_parameters', 'strategy_type');
  if (shape !== undefined && !shape.startsWith(intent.strategy)) {
    notes.confirm('DLMM-7', `Liquidity is spread as ${shape}; you asked for ${intent.strategy}.`);
  }
  const slippage = numberAt(reading.args, 'liquidity_parameter', 'max_active_bin_slippage') ?? numberAt(reading.args, 'params', 'max_active_bin_slippage');
  if (slippage !== undefined && Math.abs(slippage) > policy.activeBinSlippageBins) {
    notes.confirm('DLMM-7', `The price may move by ${slippage} bins before the deposit fails; ${policy.activeBinSlippageBins} are usual.`);
  }
}

/** Gives the outermost bins, or all bins, that a deposit names. */
export function depositBins(reading: Reading): number[] {
  const shape = ['liquidity_parameter', 'strategy_parameters'];
  return [
    numberAt(reading.args, ...shape, 'min_bin_id'),
    numberAt(reading.args, ...shape, 'max_bin_id'),
    ...[
      ...recordsAt(reading.args, 'liquidity_parameter', 'bin_liquidity_dist'),
      ...recordsAt(reading.args, 'liquidity_parameter', 'bins'),
      ...recordsAt(reading.args, 'parameter', 'bins'),
    ].map((bin) => numberAt(bin, 'bin_id')),
  ].filter((bin) => bin !== undefined);
}

/** RNT-1: the rent of a bin array is lost, so only those that the range needs. */
function reviewBinArray(reading: Reading, intent: ZapInIntent, notes: PlaceNotes): void {
  const index = integerAt(reading.args, 'index') ?? 0n;
  const first = BigInt(Math.floor(intent.fromBinId / BINS_PER_ARRAY) - 1);
  const last = BigInt(Math.floor(intent.toBinId / BINS_PER_ARRAY) + 1);
  if (index < first || index > last) {
    notes.confirm('RNT-1', `You would pay for the bin array ${index}, which is not near the range that you asked for.`);
  }
}
