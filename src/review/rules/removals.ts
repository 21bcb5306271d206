import { numberAt, recordsAt } from '../argumentValues';
import type { PlaceNotes } from '../notes';
import { ALL_BPS } from '../policy';
import type { Reading } from '../reading';
import type { OperationRule } from './rule';

/** Bins of which a share is taken out. Both ends are in it. */
interface Removal {
  readonly fromBinId: number;
  readonly toBinId: number;
  readonly bps: number;
}

/**
 * Policy §9, DLMM-4, over the whole operation: removals that are each within the share may together take more out of a bin
 * than was asked for.
 */
export const reviewRemovals: OperationRule = ({ intent, transactions }, notes) => {
  if (intent.kind !== 'zapOut' || intent.shareBps === ALL_BPS) {
    return;
  }
  const earlier: Removal[] = [];
  for (const { view, readings } of transactions) {
    for (const reading of readings) {
      const removals = removalsOf(reading);
      for (const removal of removals) {
        reviewRepeat(removal, earlier, intent.shareBps, notes.at(view.index, reading.index));
        earlier.push(removal);
      }
    }
  }
};

function reviewRepeat(removal: Removal, earlier: readonly Removal[], shareBps: number, notes: PlaceNotes): void {
  const overlapping = earlier.filter(({ fromBinId, toBinId }) => fromBinId <= removal.toBinId && removal.fromBinId <= toBinId);
  const together = overlapping.reduce((sum, { bps }) => sum + bps, removal.bps);
  if (overlapping.length > 0 && together > shareBps) {
    notes.confirm('DLMM-4', `Liquidity is taken out of the same bins again; you asked for ${shareBps / 100} % once. The money comes to you.`);
  }
}

/** What an instruction takes out of which bins, where it names them. */
function removalsOf({ args }: Reading): readonly Removal[] {
  const [from, to, share] = [numberAt(args, 'from_bin_id'), numberAt(args, 'to_bin_id'), numberAt(args, 'bps_to_remove')];
  if (from !== undefined && to !== undefined && share !== undefined) {
    return [{ fromBinId: from, toBinId: to, bps: share }];
  }
  return recordsAt(args, 'bin_liquidity_removal').flatMap((bin) => {
    const [binId, bps] = [numberAt(bin, 'bin_id'), numberAt(bin, 'bps_to_remove')];
    return binId === undefined || bps === undefined ? [] : [{ fromBinId: binId, toBinId: binId, bps }];
  });
}
