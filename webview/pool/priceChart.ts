import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { type BinRange, isBinStep, rangeEdges } from '../../src/base/dlmm/bins';
import { MINUTE_MS } from '../../src/base/time';
import type { ChartPeriod, OwnRange, PoolView, PriceHistoryView } from '../../src/protocol/pool';
import { type MarkedPrice, markedPrices, type PriceBounds, priceChart, type PriceMark } from '../shared/chart/priceChart';
import { timeChart } from '../shared/chart/timeChart';
import type { Figures } from '../shared/figures';
import type { Template } from '../shared/rendering';
import { segmented } from '../shared/controls';
import type { PoolActions } from './actions';
import { drawable, MOST_LANES } from './distribution/model';
import type { PoolState } from './state';

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

type Trade = 'entry' | 'exit';
/** What the chart of a service with candles shows. */
type ChartState = Pick<PoolState, 'priceHistory' | 'ownTrades' | 'own' | 'mode' | 'draft' | 'isPriceSwapped' | 'chartPeriod'>;

/** A range in the chart: planned, or the wallet's with this number among several. */
export interface ChartRange {
  readonly bounds: PriceBounds;
  readonly of: 'planned' | 'only' | number;
}

/** The wallet's ranges from the lowest on, or the planned one, in token Y per token X. */
export function chartRanges(
  { price, activeBinId, binStepBps }: Pick<PoolView, 'price' | 'activeBinId' | 'binStepBps'>,
  own: readonly OwnRange[],
  planned: BinRange | undefined,
): readonly ChartRange[] {
  if (price === undefined || activeBinId === undefined || binStepBps === undefined || !isBinStep(binStepBps)) {
    return [];
  }
  const ranges = planned === undefined ? drawable(own) : [planned];
  const lowestFirst = [...ranges].sort((one, other) => one.fromBinId - other.fromBinId || one.toBinId - other.toBinId);
  return lowestFirst.slice(0, MOST_LANES).flatMap((range, index) => {
    const { lowerPercent, upperPercent } = rangeEdges(range, activeBinId, binStepBps);
    const bounds = { lower: price * (1 + lowerPercent / 100), upper: price * (1 + upperPercent / 100) };
    const isSound = bounds.lower > 0 && Number.isFinite(bounds.upper);
    return isSound
      ? [{ bounds, of: planned !== undefined ? ('planned' as const) : ranges.length === 1 ? ('only' as const) : index + 1 }]
      : [];
  });
}

/** The candles' prices with the wallet's trades on them; trades before the first price are left out. */
export function tradedPrices({ prices }: Pick<PriceHistoryView, 'prices'>, trades: PoolState['ownTrades']): readonly MarkedPrice<Trade>[] {
  const fromMs = prices[0]?.atMs ?? Infinity;
  const marks = trades.filter(({ atMs }) => atMs >= fromMs).map(({ atMs, price, kind }): PriceMark<Trade> => ({ atMs, price, mark: kind }));
  return markedPrices(prices, marks);
}

/** The price over time: by candles, with the wallet's ranges and trades or the planned range; else by what the service reports of the past day. */
export function priceSection(
  pool: PoolView,
  state: ChartState & Pick<PoolState, 'pool'>,
  figures: Figures,
  actions: PoolActions,
): Template {
  const { priceHistory, own, chartPeriod, isPriceSwapped } = state;
  // A service has no candles, or they cannot be read.
  if (priceHistory.data === undefined && priceHistory.status !== 'loading') {
    return changesSection(pool, own.data ?? [], state.pool.asOfMs, figures);
  }
  const unit = isPriceSwapped ? l10n.t`${pool.x.symbol} per ${pool.y.symbol}` : l10n.t`${pool.y.symbol} per ${pool.x.symbol}`;
  return html`<section class="section" aria-labelledby="pool-price-title">
    <div class="section-header">
      <h2 id="pool-price-title">${l10n.t('Price')}</h2><span class="soft">${unit}</span><span class="spring"></span>
      ${segmented<ChartPeriod>({
        id: 'pool-price-period',
        label: l10n.t('Period'),
        options: [
          { value: '24h', label: '24h' },
          { value: '7d', label: '7d' },
          { value: '30d', label: '30d' },
          { value: '90d', label: '90d' },
        ],
        chosen: chartPeriod,
        onChoose: actions.choosePeriod,
      })}
    </div>
    <div class="card chart-card">${history(pool, state, figures, actions)}</div>
  </section>`;
}

function history(pool: PoolView, state: ChartState, figures: Figures, actions: PoolActions): TemplateResult<1> {
  const { priceHistory, ownTrades, own, mode, draft, isPriceSwapped, chartPeriod } = state;
  const { data } = priceHistory;
  // The data of the last period stays until the answer for the new one.
  if (data === undefined || (data.period !== chartPeriod && priceHistory.status !== 'stale')) {
    return html`<p class="soft" role="status">${l10n.t('Loading…')}</p>`;
  }
  const shown = isPriceSwapped ? inverted : (price: number): number => price;
  const points = tradedPrices(data, ownTrades).map((point) => ({ ...point, price: shown(point.price) }));
  if (points.length < 2) {
    return html`<p class="soft">${l10n.t('Not enough prices in this period.')}</p>`;
  }
  const { fromBinId, toBinId } = draft;
  const planned =
    mode === 'plan' && fromBinId !== undefined && toBinId !== undefined && fromBinId <= toBinId ? { fromBinId, toBinId } : undefined;
  const ranges = chartRanges(pool, own.data ?? [], planned).map(({ bounds: { lower, upper }, of }) => ({
    of,
    bounds: isPriceSwapped ? { lower: inverted(upper), upper: inverted(lower) } : { lower, upper },
  }));
  return html`${priceChart({
    id: 'pool-price',
    summary: [pathOf(points, figures), ...ranges.map((range) => rangeSentence(range, figures))].join(' '),
    points,
    hasPoints: false,
    marks: [
      { mark: 'entry', label: l10n.t('Deposited'), color: 'green' },
      { mark: 'exit', label: l10n.t('Withdrawn'), color: 'foreground' },
    ],
    ranges: ranges.map(({ of, bounds }) => ({ ...boundLabels(of), bounds })),
    figures,
  })}
  ${priceHistory.status === 'stale' ? html`<p class="soft">${priceHistory.words ?? ''} <button type="button" class="link-button" @click=${() => actions.retry('priceHistory')}>${l10n.t('Try Again')}</button></p>` : nothing}`;
}

const inverted = (price: number): number => 1 / price;

function pathOf(points: readonly MarkedPrice<Trade>[], { text }: Figures): string {
  return l10n.t`The price went from ${text.price(points[0]?.price)} to ${text.price(points.at(-1)?.price)}.`;
}

function rangeSentence({ of, bounds }: ChartRange, { text }: Figures): string {
  return l10n.t`${numbered(l10n.t('Range'), of)}: ${text.price(bounds.lower)} to ${text.price(bounds.upper)}.`;
}

function boundLabels(of: ChartRange['of']): { readonly lowerLabel: string; readonly upperLabel: string } {
  return { lowerLabel: numbered(l10n.t('Lower bound'), of), upperLabel: numbered(l10n.t('Upper bound'), of) };
}

/** "Range 2", where there are several. */
function numbered(name: string, of: ChartRange['of']): string {
  return typeof of === 'number' ? `${name} ${of}` : name;
}

/** The price of the past day, as far as the service reports it. */
function changesSection(pool: PoolView, own: readonly OwnRange[], asOfMs: number | undefined, figures: Figures): Template {
  const points = asOfMs === undefined ? [] : pricePoints(pool, asOfMs);
  if (points.length === 0) {
    return nothing;
  }
  return html`<section class="section" aria-labelledby="pool-price-title">
    <div class="section-header"><h2 id="pool-price-title">${l10n.t`${pool.x.symbol} price in USD`}</h2><span class="soft">24h</span></div>
    <div class="card chart-card">${chart(points, ownBounds(pool, own), figures)}</div>
  </section>`;
}

function chart(points: readonly PricePoint[], bounds: ReturnType<typeof ownBounds>, figures: Figures): TemplateResult<1> {
  const { text } = figures;
  const [first, last] = [points[0], points.at(-1)];
  const summary = l10n.t`The price went from ${text.priceUsd(first?.usd)} to ${text.priceUsd(last?.usd)}.`;
  return html`${timeChart({
    id: 'pool-price',
    label: l10n.t('Price'),
    summary:
      bounds === undefined
        ? summary
        : `${summary} ${l10n.t`${l10n.t('Range')}: ${text.priceUsd(bounds.lower)} to ${text.priceUsd(bounds.upper)}.`}`,
    times: points.map(({ atMs }) => atMs),
    series: [
      { label: l10n.t('Price'), values: points.map(({ usd }) => usd), hasPoints: true },
      ...(bounds === undefined
        ? []
        : [
            { label: l10n.t('Lower bound'), values: points.map(() => bounds.lower), color: 'yellow' as const },
            { label: l10n.t('Upper bound'), values: points.map(() => bounds.upper), color: 'purple' as const },
          ]),
    ],
    format: text.priceUsd,
    formatTime: text.exact,
    kind: 'line',
    figures,
  })}
    <p class="soft">${l10n.t('Between the points the price is unknown.')}</p>`;
}
