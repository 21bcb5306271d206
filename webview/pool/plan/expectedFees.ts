import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { lamportsAsSol } from '../../../src/base/format/money';
import { UNKNOWN } from '../../../src/base/format/numbers';
import type { PoolView } from '../../../src/protocol/pool';
import { infoTooltip } from '../../shared/controls';
import type { Figures } from '../../shared/figures';
import type { Template } from '../../shared/rendering';
import { valueBins } from '../distribution/worth';
import { poolMoney } from '../money';
import type { PlanEstimate } from './planModel';
import { shapeOf } from './shape';

const LAMPORTS_PER_SOL = 1e9;

/** An estimate of a plan's fees, with the figures that it is made of. US dollars. */
export interface ExpectedFees {
  readonly perDayUsd: number;
  /** The plan's share of the liquidity in its bins, the plan's own included, 0 to 1. */
  readonly share: number;
  /** What the pool already has in these bins. */
  readonly poolUsd: number;
  /** The plan's bins that the service reports. */
  readonly bins: number;
  readonly poolFees24hUsd: number;
  /** Deducted from the pool's fees, percent; `undefined`: not reported, so nothing is deducted. */
  readonly protocolPercent: number | undefined;
  /** Per day, as a fraction of the deposit. */
  readonly dailyReturn: number;
  /** Days of such fees that pay for bin arrays, network fees and tip; `undefined`: the cost is not known, or there are no fees. */
  readonly daysToCoverCosts: number | undefined;
}

/** Why there is no estimate. */
export type NoFees = 'noAmount' | 'outOfRange' | 'notKnown';

/**
 * Estimates the fees of a plan: its share of the liquidity in its bins, times the pool's fees of the past 24 hours after the protocol's share. Only
 * bins between the first and the last one that the service reports are counted, for the plan as well as for the pool: what lies in the others is not
 * known. As if trading and liquidity stayed as they are and the price stayed inside of the range.
 */
export function expectedFees(pool: PoolView, { bins, amountLamports, percentX, wallet, cost }: PlanEstimate): ExpectedFees | NoFees {
  const { solUsd } = poolMoney('usd', pool, wallet?.solUsd);
  const { bins: valued, unit } = valueBins(pool);
  const [first, last] = [valued[0], valued.at(-1)];
  const fees = pool.fees.fees24hUsd;
  if (bins?.binStepBps === undefined || solUsd === undefined || unit !== 'usd' || first === undefined || last === undefined) {
    return 'notKnown';
  }
  if (fees === undefined || !(fees >= 0) || !Number.isFinite(fees)) {
    return 'notKnown';
  }
  if (bins.sides !== 'both') {
    return 'outOfRange';
  }
  if (amountLamports === undefined) {
    return 'noAmount';
  }
  const { range, activeBinId, binStepBps, strategy } = bins;
  const [from, to] = [Math.max(range.fromBinId, first.binId), Math.min(range.toBinId, last.binId)];
  const isCounted = (binId: number): boolean => binId >= from && binId <= to;
  const poolUsd = valued.reduce((sum, { binId, total }) => sum + (isCounted(binId) ? total : 0), 0);
  const depositUsd = (Number(amountLamports) / LAMPORTS_PER_SOL) * solUsd;
  const countedShare = shapeOf({ ...range, activeBinId, binStepBps, strategy, percentX }).reduce(
    (sum, { binId, share }) => sum + (isCounted(binId) ? share : 0),
    0,
  );
  const share = (depositUsd * countedShare) / (depositUsd * countedShare + poolUsd);
  const { protocolPercent } = pool.fees;
  const perDayUsd = share * fees * (1 - (protocolPercent ?? 0) / 100);
  if (!Number.isFinite(perDayUsd) || perDayUsd < 0) {
    return 'notKnown';
  }
  const lost = cost === undefined ? undefined : (Number(cost.binArrayLamports + cost.feesLamports) / LAMPORTS_PER_SOL) * solUsd;
  return {
    perDayUsd,
    share,
    poolUsd,
    bins: Math.max(to - from + 1, 0),
    poolFees24hUsd: fees,
    protocolPercent,
    dailyReturn: perDayUsd / depositUsd,
    daysToCoverCosts: lost === undefined || cost?.binArrays.unknown !== 0 || perDayUsd === 0 ? undefined : lost / perDayUsd,
  };
}

/** The expected fees with the rule that made them. */
export function expectedFeesView(pool: PoolView, estimate: PlanEstimate, figures: Figures): TemplateResult<1> {
  const fees = expectedFees(pool, estimate);
  const about = infoTooltip(
    'hint-expected-fees',
    l10n.t('About the expected fees'),
    l10n.t('An estimate, not a promise: it assumes that trading and liquidity stay as they are and that the price stays in the range.'),
  );
  return html`<section class="plan-section" aria-labelledby="plan-fees-title">
    <div class="section-header"><h3 id="plan-fees-title">${l10n.t('Expected fees')}</h3>${about}</div>
    <dl class="facts plan-facts">${typeof fees === 'string' ? missing(fees, figures) : known(fees, estimate, figures)}</dl>
  </section>`;
}

function known(fees: ExpectedFees, { cost }: PlanEstimate, { text, plain, locale }: Figures): Template {
  const { perDayUsd, share, poolUsd, bins, poolFees24hUsd, protocolPercent, dailyReturn, daysToCoverCosts } = fees;
  const [own, count, inPool, ofPool] = [text.fraction(share), text.counted(bins, 'bin'), text.usd(poolUsd), text.usd(poolFees24hUsd)];
  const rule =
    protocolPercent === undefined
      ? l10n.t`Your ${own} of the liquidity in ${count} (${inPool} in the pool) × ${ofPool} of pool fees in 24h, before the protocol's share, which is not reported.`
      : protocolPercent > 0
        ? l10n.t`Your ${own} of the liquidity in ${count} (${inPool} in the pool) × ${ofPool} of pool fees in 24h, less ${text.percent(protocolPercent)} for the protocol.`
        : l10n.t`Your ${own} of the liquidity in ${count} (${inPool} in the pool) × ${ofPool} of pool fees in 24h.`;
  const lost = cost === undefined ? undefined : lamportsAsSol(cost.binArrayLamports + cost.feesLamports, locale);
  return html`${row(l10n.t('Estimate per day'), html`${plain(`≈ ${text.usd(perDayUsd)}`)} <span class="aside">· ${l10n.t`${text.fraction(dailyReturn)} of the deposit`}</span>`, rule)}
  ${daysToCoverCosts === undefined || lost === undefined ? nothing : row(l10n.t('Costs covered after'), plain(text.age(daysToCoverCosts * 24)), l10n.t`${lost} that is not refunded: bin arrays, network fees and tip.`)}`;
}

function missing(reason: NoFees, { plain }: Figures): Template {
  switch (reason) {
    case 'noAmount':
      return row(l10n.t('Estimate per day'), plain(UNKNOWN), l10n.t('Enter the amount of SOL.'));
    case 'outOfRange':
      return row(l10n.t('Estimate per day'), plain(UNKNOWN), l10n.t('No fees until the price enters the range.'));
    case 'notKnown':
      return row(l10n.t('Estimate per day'), plain(UNKNOWN), l10n.t("The service does not report the pool's fees, bins or prices."));
  }
}

function row(name: string, figure: Template, note: string): TemplateResult<1> {
  return html`<div><dt>${name}</dt><dd>${figure}</dd><dd class="plan-note">${note}</dd></div>`;
}
