import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { isBinStep, rangeEdges } from '../../src/base/dlmm/bins';
import { MINUTE_MS } from '../../src/base/time';
import type { OwnRange, PoolView } from '../../src/protocol/pool';
import { timeChart } from '../shared/chart/timeChart';
import type { Figures } from '../shared/figures';
import type { Template } from '../shared/rendering';
import { drawable } from './distribution/model';

/** The service's intervals, longest first. */
const INTERVALS = [
  ['24h', 1_440 * MINUTE_MS],
  ['6h', 360 * MINUTE_MS],
  ['1h', 60 * MINUTE_MS],
  ['5m', 5 * MINUTE_MS],
] as const;

/** A price of token X, US dollars. */
interface PricePoint {
  readonly atMs: number;
  readonly usd: number;
}

/**
 * The prices that follow from the price that the changes lead up to, at the time of both, and the current price; ascending by time, empty without
 * changes.
 * @param nowMs when the current price was read
 */
export function pricePoints(
  { x, priceChangePercent, priceAfterChanges: base }: Pick<PoolView, 'x' | 'priceChangePercent' | 'priceAfterChanges'>,
  nowMs: number,
): readonly PricePoint[] {
  const { priceUsd: now } = x;
  if (now === undefined || !(now > 0) || base === undefined || !(base.usd > 0)) {
    return [];
  }
  const before = INTERVALS.flatMap(([interval, ms]): readonly PricePoint[] => {
    const change = priceChangePercent[interval];
    const usd = change === undefined ? NaN : base.usd / (1 + change / 100);
    return Number.isFinite(usd) && usd > 0 ? [{ atMs: base.atMs - ms, usd }] : [];
  });
  const last = nowMs < base.atMs ? base : { atMs: nowMs, usd: now };
  return before.length === 0 ? [] : [...before, last];
}

/** The bounds of the wallet's only range in the pool, US dollars at the current price of token Y; `undefined` for none or several. */
export function ownBounds(
  { x, activeBinId, binStepBps }: Pick<PoolView, 'x' | 'activeBinId' | 'binStepBps'>,
  own: readonly OwnRange[],
): { readonly lower: number; readonly upper: number } | undefined {
  const ranges = drawable(own);
  const [range] = ranges;
  if (
    range === undefined ||
    ranges.length > 1 ||
    x.priceUsd === undefined ||
    activeBinId === undefined ||
    binStepBps === undefined ||
    !isBinStep(binStepBps)
  ) {
    return undefined;
  }
  const { lowerPercent, upperPercent } = rangeEdges(range, activeBinId, binStepBps);
  const bounds = { lower: x.priceUsd * (1 + lowerPercent / 100), upper: x.priceUsd * (1 + upperPercent / 100) };
  return Number.isFinite(bounds.lower) && Number.isFinite(bounds.upper) ? bounds : undefined;
}

/** The price of the past day, as far as the service reports it. */
export function priceSection(pool: PoolView, own: readonly OwnRange[], asOfMs: number | undefined, figures: Figures): Template {
  const points = asOfMs === undefined ? [] : pricePoints(pool, asOfMs);
  if (points.length === 0) {
    return nothing;
  }
  return html`<section class="section" aria-labelledby="pool-price-title">
    <div class="section-header"><h2 id="pool-price-title">${l10n.t`${pool.x.symbol} price in USD, past day`}</h2></div>
    <div class="card chart-card">${chart(pool, points, ownBounds(pool, own), figures)}</div>
  </section>`;
}

function chart(pool: PoolView, points: readonly PricePoint[], bounds: ReturnType<typeof ownBounds>, figures: Figures): TemplateResult<1> {
  const { text } = figures;
  const [first, last] = [points[0], points.at(-1)];
  const summary = l10n.t`${pool.x.symbol} went from ${text.priceUsd(first?.usd)} to ${text.priceUsd(last?.usd)}.`;
  return html`${timeChart({
    id: 'pool-price',
    label: l10n.t('Price'),
    summary:
      bounds === undefined
        ? summary
        : `${summary} ${l10n.t`Your range is ${text.priceUsd(bounds.lower)} to ${text.priceUsd(bounds.upper)}.`}`,
    times: points.map(({ atMs }) => atMs),
    series: [
      { label: l10n.t('Price'), values: points.map(({ usd }) => usd), hasPoints: true },
      ...(bounds === undefined
        ? []
        : [
            { label: l10n.t('Your lower bound'), values: points.map(() => bounds.lower), color: 'yellow' as const },
            { label: l10n.t('Your upper bound'), values: points.map(() => bounds.upper), color: 'purple' as const },
          ]),
    ],
    format: text.priceUsd,
    formatTime: text.exact,
    kind: 'line',
    figures,
  })}
    <p class="soft">${l10n.t`${text.count(points.length)} points, from the price changes that the service reports. It has no price history: what is between the points is not known.`}</p>`;
}
