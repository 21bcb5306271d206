import * as l10n from '@vscode/l10n';
import { WHOLE_BPS } from '../../base/basisPoints';
import { PROGRAMS } from '../../base/solana/programs';
import { numberAt, recordsAt } from '../decode/arguments';
import type { PlaceNotes } from '../notes';
import { isInstruction, type DecodedCall } from '../decode/instructions';
import type { ZapOutIntent } from '../types';
import { isClosing } from './meteora';
import type { OperationRule } from '../context';

/** Bins of which a share is taken out. Both ends are in it; an infinite one means the position's own. */
interface Removal {
  readonly fromBinId: number;
  readonly toBinId: number;
  readonly bps: number;
}

/** DLMM-4, also for DAMM v2: an instruction takes no more of the position than was asked for, and nothing from outside its range. */
export function reviewShare(reading: DecodedCall, intent: ZapOutIntent, notes: PlaceNotes): void {
  const { shareBps } = intent;
  const removals = removalsOf(reading);
  const most = Math.max(0, ...removals.map(({ bps }) => bps));
  if (most > shareBps) {
    notes.confirm(
      'DLMM-4',
      l10n.t`${most / 100} % of a bin's liquidity is taken out; you asked for ${shareBps / 100} %. The money comes to you.`,
    );
  }
  reviewRange(removals, intent, notes);
  if (shareBps === WHOLE_BPS) {
    return;
  }
  if (
    isClosing(reading) ||
    isInstruction(reading, PROGRAMS.dlmm, 'remove_all_liquidity') ||
    isInstruction(reading, PROGRAMS.dammV2, 'remove_all_liquidity')
  ) {
    notes.confirm('DLMM-4', l10n.t`The position is emptied or closed; you asked for ${shareBps / 100} %. The money comes to you.`);
  } else if (isProductRemoval(reading)) {
    notes.info(
      'DLMM-4',
      l10n.t`Which share of the position is taken out cannot be told from the transaction; you asked for ${shareBps / 100} %. The money comes to you.`,
    );
  }
}

function reviewRange(removals: readonly Removal[], { fromBinId = -Infinity, toBinId = Infinity }: ZapOutIntent, notes: PlaceNotes): void {
  const isOutside = (binId: number): boolean => Number.isFinite(binId) && (binId < fromBinId || binId > toBinId);
  const outside = removals.find((removal) => isOutside(removal.fromBinId) || isOutside(removal.toBinId));
  if (outside !== undefined) {
    const { fromBinId: from, toBinId: to } = outside;
    notes.confirm(
      'DLMM-4',
      l10n.t`Liquidity is taken out of the bins ${from} to ${to}; the position reaches from ${fromBinId} to ${toBinId}. The money comes to you.`,
    );
  }
}

/**
 * Policy §9, DLMM-4, over the whole operation: removals that are each within the share may together take more out of a bin, or
 * of a position without bins, than was asked for.
 */
export const reviewRemovals: OperationRule = ({ intent, transactions }, notes) => {
  if (intent.kind !== 'zapOut' || intent.shareBps === WHOLE_BPS) {
    return;
  }
  const { shareBps } = intent;
  const earlier: Removal[] = [];
  let productRemovals = 0;
  for (const { view, readings } of transactions) {
    for (const reading of readings) {
      const repeats = isProductRemoval(reading) ? productRemovals++ > 0 : countRepeats(removalsOf(reading), earlier, shareBps) > 0;
      if (repeats) {
        const what = isProductRemoval(reading) ? l10n.t('the position') : l10n.t('the same bins');
        notes
          .at(view.index, reading.index)
          .confirm(
            'DLMM-4',
            l10n.t`Liquidity is taken out of ${what} again; you asked for ${shareBps / 100} % once. The money comes to you.`,
          );
      }
    }
  }
};

/** The most that these instructions together take out of any bin, in basis points; `undefined` where one of them does not name its share. */
export function mostRemovedBps(readings: readonly DecodedCall[]): number | undefined {
  const removals = readings.map(removalsOf);
  return removals.some(({ length }) => length === 0) ? undefined : removals.flat().reduce((sum, { bps }) => sum + bps, 0);
}

/** Counts the removals that go over the share together with earlier ones, and adds them all to those. */
function countRepeats(removals: readonly Removal[], earlier: Removal[], shareBps: number): number {
  let repeats = 0;
  for (const removal of removals) {
    const overlapping = earlier.filter(({ fromBinId, toBinId }) => fromBinId <= removal.toBinId && removal.fromBinId <= toBinId);
    const together = overlapping.reduce((sum, { bps }) => sum + bps, removal.bps);
    repeats += overlapping.length > 0 && together > shareBps ? 1 : 0;
    earlier.push(removal);
  }
  return repeats;
}

/** Says whether an amount of liquidity is taken out of a position without bins. */
function isProductRemoval(reading: DecodedCall): boolean {
  return isInstruction(reading, PROGRAMS.dammV2, 'remove_liquidity');
}

/** What an instruction takes out of which bins, where it names them. A rebalance may leave out an end: it means the position's. */
function removalsOf({ args }: DecodedCall): readonly Removal[] {
  const [from, to, share] = [numberAt(args, 'from_bin_id'), numberAt(args, 'to_bin_id'), numberAt(args, 'bps_to_remove')];
  if (from !== undefined && to !== undefined && share !== undefined) {
    return [{ fromBinId: from, toBinId: to, bps: share }];
  }
  const bins = recordsAt(args, 'bin_liquidity_removal').flatMap((bin) => {
    const [binId, bps] = [numberAt(bin, 'bin_id'), numberAt(bin, 'bps_to_remove')];
    return binId === undefined || bps === undefined ? [] : [{ fromBinId: binId, toBinId: binId, bps }];
  });
  const ranges = recordsAt(args, 'params', 'removes').map((range) => ({
    fromBinId: numberAt(range, 'min_bin_id') ?? -Infinity,
    toBinId: numberAt(range, 'max_bin_id') ?? Infinity,
    bps: numberAt(range, 'bps') ?? WHOLE_BPS,
  }));
  return [...bins, ...ranges];
}
