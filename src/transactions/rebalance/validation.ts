import * as l10n from '@vscode/l10n';
import { MAX_BINS_PER_POSITION, type BinRange } from '../../base/dlmm/bins';
import type { PortfolioSnapshot } from '../../portfolio/types';
import type { Address } from '../../base/solana/address';
import { OperationError } from '../errors';
import { checkListed, checkZapOut } from '../run/validation';
import type { RebalancePlan, ReentryTerms } from './types';
import type { OperationDescriptor } from '../target';

/** What a rebalance writes of its plan. */
export type RebalanceJournalPlan = Extract<OperationDescriptor['plan'], { kind: 'rebalance' }>;

/** What a rebalance needs to know of its position, all of it there. */
export interface RebalanceTarget {
  readonly pool: Address;
  readonly plan: RebalanceJournalPlan;
}

const MOST_HALF_WIDTH = Math.floor((MAX_BINS_PER_POSITION - 1) / 2);

/**
 * Checks a rebalance plan, before anything is asked of the service.
 * @throws OperationError (`invalidPlan`) that names the field.
 */
export function checkRebalance({ position, owner, terms }: RebalancePlan, snapshot: PortfolioSnapshot): RebalanceTarget {
  if (position.poolType === 'dammV2') {
    throw invalid(
      'position',
      l10n.t('Positions in DAMM v2 pools cover all prices, so there is no range to rebalance.'),
      l10n.t('To leave the pool, zap out.'),
    );
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
      l10n.t`The half width must be a whole number of bins from 0 to ${MOST_HALF_WIDTH}, not ${halfWidthBins}: a position holds at most ${MAX_BINS_PER_POSITION} bins.`,
      l10n.t('Choose another value.'),
    );
  }
  if (reserveLamports < 0n) {
    throw invalid('reserveLamports', l10n.t('The SOL reserve cannot be negative.'), l10n.t('Choose another reserve.'));
  }
}

/** The range that it has is where the next one takes its width from, and what the journal says it came from. */
function checkBins(fromBinId: number | undefined, toBinId: number | undefined): BinRange {
  if (
    fromBinId === undefined ||
    toBinId === undefined ||
    !Number.isInteger(fromBinId) ||
    !Number.isInteger(toBinId) ||
    fromBinId > toBinId
  ) {
    throw invalid(
      'position',
      l10n.t('The service did not report the range of this position, so it cannot be rebalanced.'),
      l10n.t("Refresh your positions. If that doesn't help, zap out, then zap in with the range that you want."),
    );
  }
  return { fromBinId, toBinId };
}

function invalid(field: string, what: string, advice: string): OperationError {
  return new OperationError({ kind: 'invalidPlan', field, what, advice });
}
