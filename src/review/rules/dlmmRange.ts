import * as l10n from '@vscode/l10n';
import { choiceAt, numberAt, recordsAt } from '../decode/arguments';
import { type DecodedCall, isInstruction } from '../decode/instructions';
import { REVIEW_PROGRAMS } from '../decode/programs';
import type { PlaceNotes } from '../notes';
import type { PolicySettings } from '../policy';
import type { ZapInIntent } from '../types';
import { isDeposit, ZAPS_IN } from './meteora';

/** Bins of one bin array, and of a position before it is lengthened (DLMM IDL). */
export const BINS_PER_ARRAY = 70;

/** DLMM-7: a deposit goes into the bins that were asked for, in the shape that was asked for. */
export function reviewRange(reading: DecodedCall, intent: ZapInIntent, policy: PolicySettings, notes: PlaceNotes): void {
  if (!isDeposit(reading) && !isInstruction(reading, REVIEW_PROGRAMS.meteoraZap, ...ZAPS_IN)) {
    return;
  }
  const { args } = reading;
  const bins = depositBins(reading);
  if (bins.length > 0 && !isWithin(intent, Math.min(...bins), Math.max(...bins))) {
    notes.confirm(
      'DLMM-7',
      l10n.t`Liquidity goes into the bins ${Math.min(...bins)} to ${Math.max(...bins)}; you asked for ${rangeText(intent)}.`,
    );
  }
  const shape = choiceAt(args, 'liquidity_parameter', 'strategy_parameters', 'strategy_type') ?? choiceAt(args, 'strategy');
  if (shape !== undefined && (intent.strategy === undefined || !shape.startsWith(intent.strategy))) {
    notes.confirm('DLMM-7', l10n.t`Liquidity is spread as ${shape}; you asked for ${intent.strategy ?? l10n.t('no shape that is known')}.`);
  }
  const slippage = ['liquidity_parameter', 'params']
    .map((group) => numberAt(args, group, 'max_active_bin_slippage'))
    .find((bound) => bound !== undefined);
  const bound = slippage ?? numberAt(args, 'max_active_bin_slippage');
  if (bound !== undefined && Math.abs(bound) > policy.activeBinSlippageBins) {
    notes.confirm(
      'DLMM-7',
      l10n.t`The price may move by ${bound} bins before the deposit fails; ${policy.activeBinSlippageBins} are usual.`,
    );
  }
}

/** Says whether bins are in the range that was asked for. A range that is not known holds none. */
export function isWithin({ fromBinId, toBinId }: ZapInIntent, lowest: number, highest: number): boolean {
  return fromBinId !== undefined && toBinId !== undefined && lowest >= fromBinId && highest <= toBinId;
}

/** Writes the range that was asked for. */
export function rangeText({ fromBinId, toBinId }: ZapInIntent): string {
  return fromBinId === undefined || toBinId === undefined ? l10n.t('no range that is known') : l10n.t`${fromBinId} to ${toBinId}`;
}

/** Gives the outermost bins, or all bins, that a deposit names. */
export function depositBins(reading: DecodedCall): number[] {
  const { args } = reading;
  const shape = ['liquidity_parameter', 'strategy_parameters'];
  const active = numberAt(args, 'active_id') ?? numberAt(args, 'params', 'active_id') ?? 0;
  return [
    numberAt(args, ...shape, 'min_bin_id'),
    numberAt(args, ...shape, 'max_bin_id'),
    ...[
      ...recordsAt(args, 'liquidity_parameter', 'bin_liquidity_dist'),
      ...recordsAt(args, 'liquidity_parameter', 'bins'),
      ...recordsAt(args, 'parameter', 'bins'),
    ].map((bin) => numberAt(bin, 'bin_id')),
    // These count from the active bin.
    ...[args, ...recordsAt(args, 'params', 'adds')].flatMap((range) =>
      ['min_delta_id', 'max_delta_id']
        .map((end) => numberAt(range, end))
        .map((delta) => (delta === undefined ? undefined : active + delta)),
    ),
  ].filter((bin) => bin !== undefined);
}
