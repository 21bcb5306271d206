import * as l10n from '@vscode/l10n';
import { WHOLE_BPS } from '../../base/basisPoints';
import { lamportsToSol } from '../../base/solana/amounts';
import { PROGRAMS } from '../../base/solana/programs';
import { type WithdrawalIntent, withdraws } from '../intents';
import type { OperationContext, OperationRule } from '../context';
import { type DecodedCall, isInstruction, numberAt, recordsAt } from '../decode/instructions';
import type { Notes, PlaceNotes } from '../notes';
import { isClosing, isRemoval } from '../decode/meteora';
import { hasBinsWords } from './dlmmRange';
import { boundsText, choseWords } from './words';

/** Bins from which a share is withdrawn. Both ends are included; an infinite end means the position's own. */
interface Removal {
  readonly fromBinId: number;
  readonly toBinId: number;
  readonly bps: number;
}

/** DLMM-4, also for DAMM v2: an instruction withdraws at most the share that the user chose, and only from the position's bins. */
export function reviewShare(reading: DecodedCall, intent: WithdrawalIntent, notes: PlaceNotes): void {
  const { shareBps } = intent;
  const removals = removalsOf(reading);
  const most = Math.max(0, ...removals.map(({ bps }) => bps));
  if (most > shareBps) {
    notes.confirm('DLMM-4', toYou(l10n.t`The transaction withdraws ${most / 100}% of a bin's liquidity.`, shareBps));
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
    notes.confirm('DLMM-4', toYou(l10n.t('The transaction empties or closes the position.'), shareBps));
  } else if (isProductRemoval(reading)) {
    notes.info('DLMM-4', toYou(l10n.t('The transaction does not state the share that it withdraws.'), shareBps));
  }
}

/** Says what the user chose, and that nobody else gets anything. */
function toYou(words: string, shareBps: number): string {
  return `${words} ${choseWords(`${shareBps / 100}%`)} ${toYouWords()}`;
}

const toYouWords = (): string => l10n.t('The money goes to you.');

function reviewRange(
  removals: readonly Removal[],
  { fromBinId = -Infinity, toBinId = Infinity }: WithdrawalIntent,
  notes: PlaceNotes,
): void {
  const isOutside = (binId: number): boolean => Number.isFinite(binId) && (binId < fromBinId || binId > toBinId);
  const outside = removals.find((removal) => isOutside(removal.fromBinId) || isOutside(removal.toBinId));
  if (outside !== undefined) {
    const { fromBinId: from, toBinId: to } = outside;
    notes.confirm(
      'DLMM-4',
      [l10n.t`The transaction withdraws from the bins ${boundsText(from, to)}.`, hasBinsWords(fromBinId, toBinId), toYouWords()].join(' '),
    );
  }
}

/**
 * DLMM-4 over the whole operation: removals that are each within the share may together withdraw more from a bin, or from a position
 * without bins, than the user chose.
 */
export const reviewRemovals: OperationRule = (context, notes) => {
  const { intent, transactions } = context;
  if (!withdraws(intent)) {
    return;
  }
  if (intent.shareBps === WHOLE_BPS) {
    noteOpenPosition(intent, context, notes);
    return;
  }
  const { shareBps } = intent;
  const earlier = new EarlierRemovals();
  let productRemovals = 0;
  for (const { view, readings } of transactions) {
    for (const reading of readings) {
      const repeats = isProductRemoval(reading) ? productRemovals++ > 0 : repeatsEarlier(removalsOf(reading), earlier, shareBps);
      if (repeats) {
        notes
          .at(view.index, reading.index)
          .confirm('DLMM-4', toYou(l10n.t('The transaction withdraws from the same position or bins again.'), shareBps));
      }
    }
  }
};

/** DLMM-4: a position of which all is withdrawn keeps its account, with its rent, unless an instruction closes it. */
function noteOpenPosition({ fromBinId, toBinId }: WithdrawalIntent, { transactions, rent }: OperationContext, notes: Notes): void {
  const readings = transactions.flatMap((transaction) => transaction.readings);
  const removals = readings.filter(isRemoval);
  if (removals.length === 0 || readings.some(isClosing)) {
    return;
  }
  const isProduct = removals.some(({ view }) => view.program === PROGRAMS.dammV2);
  const bins = fromBinId === undefined || toBinId === undefined ? 0 : toBinId - fromBinId + 1;
  const locked = isProduct ? rent.productPositionWithNft : rent.positionOf(bins);
  notes.operation(
    'DLMM-4',
    'info',
    l10n.t`The operation withdraws everything but leaves the position open. Closing it would return about ${lamportsToSol(locked)} SOL of rent.`,
    { amountRaw: locked },
  );
}

/** The most that these instructions together withdraw from any bin, in basis points; `undefined` if one of them does not state its share. */
export function mostRemovedBps(readings: readonly DecodedCall[]): number | undefined {
  const removals = readings.map(removalsOf);
  return removals.some(({ length }) => length === 0) ? undefined : removals.flat().reduce((sum, { bps }) => sum + bps, 0);
}

/** The removals of an operation so far. Hostile transactions can name tens of thousands of bins, so single bins are not searched one by one. */
class EarlierRemovals {
  readonly #all: Removal[] = [];
  /** Those of more than one bin. */
  readonly #ranges: Removal[] = [];
  /** The sum of those of a single bin, basis points by bin. */
  readonly #bins = new Map<number, number>();

  add(removal: Removal): void {
    const { fromBinId, toBinId, bps } = removal;
    this.#all.push(removal);
    if (fromBinId === toBinId) {
      this.#bins.set(fromBinId, (this.#bins.get(fromBinId) ?? 0) + bps);
    } else {
      this.#ranges.push(removal);
    }
  }

  /** Returns whether some of them overlap the removal and exceed the share together with it. */
  exceed(shareBps: number, { fromBinId, toBinId, bps }: Removal): boolean {
    const isBin = fromBinId === toBinId;
    const inBin = isBin ? this.#bins.get(fromBinId) : undefined;
    let together = bps + (inBin ?? 0);
    if (inBin !== undefined && together > shareBps) {
      return true;
    }
    for (const earlier of isBin ? this.#ranges : this.#all) {
      if (earlier.fromBinId <= toBinId && fromBinId <= earlier.toBinId) {
        together += earlier.bps;
        if (together > shareBps) {
          return true;
        }
      }
    }
    return false;
  }
}

/** Returns whether one of the removals exceeds the share together with earlier ones, and adds all of them to `earlier`. */
function repeatsEarlier(removals: readonly Removal[], earlier: EarlierRemovals, shareBps: number): boolean {
  let repeats = false;
  for (const removal of removals) {
    repeats ||= earlier.exceed(shareBps, removal);
    earlier.add(removal);
  }
  return repeats;
}

/** Returns whether the instruction withdraws an amount of liquidity from a position without bins. */
function isProductRemoval(reading: DecodedCall): boolean {
  return isInstruction(reading, PROGRAMS.dammV2, 'remove_liquidity');
}

/** The bins and shares that an instruction withdraws, if it names them. A rebalance may omit an end, which means the position's own. */
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
