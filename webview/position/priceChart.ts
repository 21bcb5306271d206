import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { PositionEvent, PositionView } from '../../src/protocol/position';
import type { SeenPrice } from '../../src/protocol/schemas';
import { type MarkedPrice, markedPrices, type PriceBounds, priceChart, type PriceMark } from '../shared/chart/priceChart';
import { edgeDistances } from '../shared/rangeGauge';
import type { PositionState } from './state';

/** The prices that are known, token Y per token X, ascending by time, and the position's bounds in the same unit. */
export interface PriceHistory {
  readonly points: readonly MarkedPrice<'event'>[];
  /** How many of them are from the service's candles, from events, and seen in lists of positions. */
  readonly fromCandles: number;
  readonly fromEvents: number;
  readonly seen: number;
  /** `undefined`: no bounds, or not known. */
  readonly bounds: PriceBounds | undefined;
}

/**
 * The price over time, as far as it is known: at the ends of the service's candles, at the position's events, and whenever the position was read since
 * the panel was opened.
 */
export function priceHistory(
  position: Pick<PositionView, 'x' | 'y' | 'lowerBinId' | 'upperBinId' | 'activeBinId' | 'binStepBps' | 'priceRangeUsd'>,
  events: readonly PositionEvent[],
  seen: readonly SeenPrice[],
  candles: readonly SeenPrice[] = [],
): PriceHistory {
  // An unknown price is taken from candles only: those that were seen are of one moment each.
  const own = events.flatMap(({ atMs, price0Usd, price1Usd }): readonly PriceMark<'event'>[] =>
    atMs === undefined ? [] : [{ atMs, price: ratio(price0Usd, price1Usd), mark: 'event' }],
  );
  const isPlaced = ({ atMs, price }: PriceMark<'event'>): boolean => price !== undefined || (candles[0]?.atMs ?? Infinity) <= atMs;
  const points = markedPrices([...candles, ...seen], own.filter(isPlaced));
  const distances = edgeDistances(position);
  const now = seen.at(-1)?.price ?? ratio(position.x.priceUsd, position.y.priceUsd);
  return {
    points,
    fromCandles: candles.length,
    fromEvents: points.filter(({ marks }) => marks.length > 0).length,
    seen: seen.length,
    bounds:
      distances === undefined || now === undefined
        ? undefined
        : { lower: now * (1 + distances.lower.percent / 100), upper: now * (1 + distances.upper.percent / 100) },
  };
}

function ratio(one: number | undefined, other: number | undefined): number | undefined {
  const price = one === undefined || other === undefined ? NaN : one / other;
  return Number.isFinite(price) && price > 0 ? price : undefined;
}

/** The price over time with the position's range. */
export function priceCard({ figures, events, seenPrices, candles }: PositionState, position: PositionView): TemplateResult<1> {
  const { text } = figures;
  const history = priceHistory(position, events.data ?? [], seenPrices, candles.data);
  const { points, bounds, fromCandles } = history;
  const unit = l10n.t`${position.y.symbol} per ${position.x.symbol}`;
  const [first, last] = [points[0], points.at(-1)];
  return html`<section class="card chart-card" aria-labelledby="price-title">
    <div class="section-header"><h2 id="price-title">${l10n.t('Price')}</h2><span class="soft">${unit}</span></div>
    ${
      first === undefined || last === undefined || points.length < 2
        ? html`<p class="soft">${missingHistory(candles)}</p>`
        : html`${priceChart({
            id: 'price-over-time',
            summary: summaryOf(history, text),
            points,
            hasPoints: fromCandles === 0,
            // Without candles each point is marked, most of them events.
            marks: fromCandles === 0 ? [] : [{ mark: 'event', label: l10n.t('Events'), color: 'green' }],
            ranges: bounds === undefined ? [] : [{ lowerLabel: l10n.t('Lower bound'), upperLabel: l10n.t('Upper bound'), bounds }],
            figures,
          })}
          ${fromCandles > 0 ? nothing : html`<p class="soft">${betweenPoints(candles)}</p>`}`
    }
  </section>`;
}

function summaryOf({ points, bounds }: PriceHistory, text: PositionState['figures']['text']): string {
  const path = l10n.t`The price went from ${text.price(points[0]?.price)} to ${text.price(points.at(-1)?.price)}.`;
  return bounds === undefined ? path : `${path} ${l10n.t`${l10n.t('Range')}: ${text.price(bounds.lower)} to ${text.price(bounds.upper)}.`}`;
}

/** Why there is no chart. */
function missingHistory(candles: PositionState['candles']): string {
  switch (candles.status) {
    case 'loading':
      return l10n.t('Loading…');
    case 'failed':
      return candles.words ?? noCandles();
    case 'ready':
    case 'stale':
      return l10n.t('Not enough prices in this period.');
  }
}

const noCandles = (): string => l10n.t('Could not be loaded.');

/** What is known between the points, without candles. */
function betweenPoints({ status, words }: PositionState['candles']): string {
  return { loading: l10n.t('Loading…'), failed: words ?? noCandles(), ready: l10n.t('Between the points the price is unknown.') }[
    status === 'stale' ? 'ready' : status
  ];
}
