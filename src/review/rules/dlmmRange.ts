import * as l10n from '@vscode/l10n';
import { choiceAt, type DecodedCall, isInstruction, numberAt, recordsAt } from '../decode/instructions';
import { REVIEW_PROGRAMS } from '../decode/programs';
import type { DepositIntent } from '../intents';
import type { PlaceNotes } from '../notes';
import { hasShape } from './depositShape';
import { isDeposit, ZAPS_IN } from '../decode/meteora';
import { boundsText, choseWords } from './words';

/** DLMM-7: a deposit uses the bins and the shape that the user chose. */
export function reviewRange(reading: DecodedCall, intent: DepositIntent, notes: PlaceNotes): void {
  if (!isDeposit(reading) && !isInstruction(reading, REVIEW_PROGRAMS.meteoraZap, ...ZAPS_IN)) {
    return;
  }
  const { args } = reading;
  const bins = depositBins(reading);
  if (bins.length > 0 && !isWithin(intent, Math.min(...bins), Math.max(...bins))) {
    notes.confirm('DLMM-7', liquidityWords(Math.min(...bins), Math.max(...bins), intent));
  }
  const shape = choiceAt(args, 'liquidity_parameter', 'strategy_parameters', 'strategy_type') ?? choiceAt(args, 'strategy');
  if (shape !== undefined && (intent.strategy === undefined || !shape.startsWith(intent.strategy))) {
    notes.confirm('DLMM-7', `${l10n.t`Liquidity is spread as ${shape}.`} ${choseWords(intent.strategy)}`);
  }
  if (!hasShape(reading, intent)) {
    notes.confirm('DLMM-7', otherShapeWords(intent));
  }
}

/** Returns whether bins are within the range that the user chose; `false` if the range is unknown. */
export function isWithin({ fromBinId, toBinId }: DepositIntent, lowest: number, highest: number): boolean {
  return fromBinId !== undefined && toBinId !== undefined && lowest >= fromBinId && highest <= toBinId;
}

/** Says which range the user chose. */
export function choseRangeWords({ fromBinId, toBinId }: DepositIntent): string {
  return choseWords(fromBinId === undefined || toBinId === undefined ? undefined : boundsText(fromBinId, toBinId));
}

/** Says into which bins liquidity goes, and which the user chose. */
export function liquidityWords(lowest: number, highest: number, intent: DepositIntent): string {
  return `${l10n.t`Liquidity goes into the bins ${boundsText(lowest, highest)}.`} ${choseRangeWords(intent)}`;
}

/** Says which bins a position has. */
export function hasBinsWords(lowest: number, highest: number): string {
  return l10n.t`The position has the bins ${boundsText(lowest, highest)}.`;
}

/** Says that liquidity is not spread by the shape that the user chose. */
export function otherShapeWords({ strategy }: DepositIntent): string {
  return `${l10n.t('Liquidity is spread in another shape.')} ${choseWords(strategy)}`;
}

/** Returns the bins that a deposit names: both ends of its range, or each bin. */
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
    // Relative to the active bin.
    ...[args, ...recordsAt(args, 'params', 'adds')].flatMap((range) =>
      ['min_delta_id', 'max_delta_id']
        .map((end) => numberAt(range, end))
        .map((delta) => (delta === undefined ? undefined : active + delta)),
    ),
  ].filter((bin) => bin !== undefined);
}
