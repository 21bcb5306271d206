import * as l10n from '@vscode/l10n';
import type { TemplateResult } from 'lit-html';
import { lamportsAsSol } from '../../../src/base/format/money';
import { feesPerDayUsd, planToAsk } from '../../../src/base/insight/poolOutlook';
import type { Figures } from '../../shared/figures';
import { outlookCard } from '../../shared/outlook/outlookCard';
import { recordedOfPlan } from '../../shared/outlook/recorded';
import { SOL_MINT } from '../../shared/solMint';
import { withRange } from './draft';
import type { PlanEstimate } from './planModel';
import type { PlanActions, PlanState } from './types';

const LAMPORTS_PER_SOL = 1e9;
/** A range around the price has as many bins on each side. */
const HALF = 0.5;

/** The outlook of a plan. Without an amount that of 1 SOL, as far as it does not depend on the amount. */
export function planOutlook(
  { pool, volatility, counterRecord, ownForecasts, horizon, currency }: PlanState,
  estimate: PlanEstimate,
  { change, chooseHorizon, retryVolatility }: PlanActions,
  figures: Figures,
): TemplateResult<1> {
  const { bins, amountLamports, percentX, isSplitByBins, wallet, cost } = estimate;
  const lost = cost === undefined || cost.binArrays.unknown > 0 ? undefined : cost.binArrayLamports + cost.feesLamports;
  const isWithoutAmount = amountLamports === undefined || amountLamports === 0n;
  const amountSol = isWithoutAmount ? 1 : Number(amountLamports) / LAMPORTS_PER_SOL;
  const half = bins === undefined ? undefined : bins.range.toBinId - bins.activeBinId;
  return outlookCard({
    id: 'plan-outlook',
    title: l10n.t('Outlook'),
    volatility,
    horizon,
    currency,
    figures,
    choose: chooseHorizon,
    retry: retryVolatility,
    pot: { usd: feesPerDayUsd(pool), protocolPercent: pool.fees.protocolPercent },
    ask: (given) =>
      planToAsk(
        pool,
        { range: bins?.range, strategy: bins?.strategy ?? 'Spot', percentX, amountSol },
        {
          ...given,
          solUsd: wallet?.solUsd,
          solMint: SOL_MINT,
          costsSol: lost === undefined ? undefined : Number(lost) / LAMPORTS_PER_SOL,
          feesBand: ownForecasts?.band,
        },
      ),
    recorded: (asked) => recordedOfPlan(asked, counterRecord),
    tokens: pool,
    plan: { costs: lost === undefined ? undefined : lamportsAsSol(lost, figures.locale), isWithoutAmount, ownForecasts },
    widths:
      bins === undefined
        ? undefined
        : {
            strategy: bins.strategy,
            percentX: isSplitByBins ? HALF : percentX,
            halfWidthBins: bins.activeBinId - bins.range.fromBinId === half ? half : undefined,
            take: (range) => change((draft) => withRange(draft, range)),
            of: [pool, amountLamports, wallet?.solUsd],
          },
  });
}
