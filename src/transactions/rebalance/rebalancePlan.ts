import * as l10n from '@vscode/l10n';
import { type BinRange, MAX_BIN_ID, MAX_BINS_PER_POSITION, maxBinIdOf, rangeAround, widthOf } from '../../base/dlmm/bins';
import type { Address } from '../../base/solana/address';
import type { PortfolioSnapshot } from '../../portfolio/types';
import { OperationError } from '../errors';
import { checkListed, checkZapOut } from '../run/validation';
import type { OperationDescriptor } from '../target';
import type { RebalancePlan, ReentryTerms } from './types';
import { refreshPositions, notReportedWords } from '../words';

export type RebalanceJournalPlan = Extract<OperationDescriptor['plan'], { kind: 'rebalance' }>;

/** The fields of a position that a rebalance needs, all present. */
export interface RebalanceTarget {
  readonly pool: Address;
  readonly plan: RebalanceJournalPlan;
}

const MOST_HALF_WIDTH = Math.floor((MAX_BINS_PER_POSITION - 1) / 2);

/**
 * Checks a rebalance plan before any request to the service.
 * @throws OperationError (`invalidPlan`) that names the field
 */
export function checkRebalance({ position, owner, terms }: RebalancePlan, snapshot: PortfolioSnapshot): RebalanceTarget {
  if (position.poolType === 'dammV2') {
    throw invalid('position', l10n.t('Positions in DAMM v2 pools have no range to rebalance.'), l10n.t('To leave the pool, zap out.'));
  }
  const { slippageBps, halfWidthBins, reserveLamports } = terms;
  const {
    position: address,
    pool,
    fromBinId,
    toBinId,
  } = checkZapOut({ position, owner, shareBps: 10_000, output: 'allBaseToken', slippageBps }, snapshot.owner);
  checkListed(position, snapshot.positions);
  checkTerms(terms);
  const { fromBinId: from, toBinId: to } = checkBins(fromBinId, toBinId);
  const strategy = terms.strategy ?? position.strategy ?? 'Spot';
  return {
    pool,
    plan: { kind: 'rebalance', position: address, fromBinId: from, toBinId: to, halfWidthBins, strategy, slippageBps, reserveLamports },
  };
}

function checkTerms({ halfWidthBins, reserveLamports }: ReentryTerms): void {
  if (halfWidthBins !== undefined && !(Number.isInteger(halfWidthBins) && halfWidthBins >= 0 && halfWidthBins <= MOST_HALF_WIDTH)) {
    throw invalid(
      'halfWidthBins',
      l10n.t`${l10n.t('Half-width')} must be a whole number from ${0} to ${MOST_HALF_WIDTH}, not ${halfWidthBins}.`,
      l10n.t('Choose another value.'),
    );
  }
  if (reserveLamports < 0n) {
    throw invalid('reserveLamports', l10n.t('The SOL reserve cannot be negative.'), l10n.t('Choose another value.'));
  }
}

/** The new range takes its width from the present one, and the journal records it. */
function checkBins(fromBinId: number | undefined, toBinId: number | undefined): BinRange {
  if (
    fromBinId === undefined ||
    toBinId === undefined ||
    !Number.isInteger(fromBinId) ||
    !Number.isInteger(toBinId) ||
    fromBinId > toBinId
  ) {
    throw invalid('position', notReportedWords(l10n.t('Range')), refreshPositions());
  }
  return { fromBinId, toBinId };
}

function invalid(field: string, what: string, advice: string): OperationError {
  return new OperationError({ kind: 'invalidPlan', field, what, advice });
}

/**
 * The range around the active bin: the half width to both sides or, without one, as many bins as before (an even number has the extra bin
 * above). Limited to the bins of a position and of the program.
 * @param binStepBps `undefined` if unknown: only bins that no pool has are cut off
 * @throws RangeError if the active bin is invalid
 */
export function reentryRange(
  before: BinRange,
  halfWidthBins: number | undefined,
  activeBinId: number,
  binStepBps: number | undefined,
): BinRange {
  const most = mostBinId(binStepBps);
  if (!Number.isInteger(activeBinId) || Math.abs(activeBinId) > most) {
    throw new RangeError(`The service reports the active bin ${activeBinId}, which the pool cannot have`);
  }
  const { fromBinId, toBinId } =
    halfWidthBins === undefined
      ? centered(activeBinId, widthOf(before))
      : rangeAround(activeBinId, Math.min(halfWidthBins, MOST_HALF_WIDTH));
  return { fromBinId: Math.max(fromBinId, -most), toBinId: Math.min(toBinId, most) };
}

function centered(activeBinId: number, width: number): BinRange {
  const bins = Math.min(Math.max(width, 1), MAX_BINS_PER_POSITION);
  const fromBinId = activeBinId - Math.floor((bins - 1) / 2);
  return { fromBinId, toBinId: fromBinId + bins - 1 };
}

function mostBinId(binStepBps: number | undefined): number {
  try {
    return binStepBps === undefined ? MAX_BIN_ID : Math.min(MAX_BIN_ID, maxBinIdOf(binStepBps));
  } catch {
    // No pool has this step: it is ignored.
    return MAX_BIN_ID;
  }
}
