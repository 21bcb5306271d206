import * as l10n from '@vscode/l10n';
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import type { PositionView } from '../../src/protocol/position';
import { icon } from '../shared/controls';
import { type Figures, nonBreaking } from '../shared/figures';
import { emptyState } from '../shared/partView';
import { type EdgeDistance, edgeDistances, type EdgeDistances, type RangeGauge, rangeGauge } from '../shared/rangeGauge';
import type { Template } from '../shared/rendering';
import { holdingsPart } from './holdings';
import { binBars, depositBin, type OwnBin, ownBins } from './ownBins';
import type { PositionState } from './state';

/** The range relative to the price with what its bins hold, the distance to both bounds, and the tokens. */
export function rangeCard(state: PositionState, position: PositionView): TemplateResult<1> {
  const { figures, events } = state;
  const bins = ownBins(position, depositBin(events.data, position.binStepBps));
  return html`<section class="card range" aria-labelledby="range-title">
    <div class="section-header"><h2 id="range-title">${l10n.t('Range')}</h2><span class="soft">${position.priceRangeUsd === undefined || position.poolType === 'dammV2' ? nothing : l10n.t`${position.x.symbol} price in USD`}</span></div>
    ${content(figures, position, bins)} ${holdingsPart(state, position)}
  </section>`;
}

function content(figures: Figures, position: PositionView, bins: readonly OwnBin[] | undefined): Template {
  if (position.poolType === 'dammV2') {
    return html`<p class="range-words">${icon('arrow-both')} <span>${l10n.t('Earns fees at every price.')}</span></p>`;
  }
  const gauge = rangeGauge(position);
  const distances = edgeDistances(position);
  if (gauge === undefined) {
    return emptyState(l10n.t('Not reported by the service.'), 'question');
  }
  const words = distances === undefined ? '' : wordsOf(gauge, distances, figures);
  return html`<p class="range-words">${icon(gauge.side === 'inside' ? 'pass' : 'warning')} <span>${nonBreaking(words)}</span></p>
    ${bar(gauge, position, words, figures, bins)} ${bins === undefined ? nothing : html`<p class="soft">${binsNote(position)}</p>`} ${distances === undefined ? nothing : edges(distances, figures, position)}`;
}

function wordsOf({ side }: RangeGauge, { lower, upper }: EdgeDistances, figures: Figures): string {
  if (side === 'inside') {
    return l10n.t('The price is inside the range: it earns fees.');
  }
  return side === 'below'
    ? l10n.t`The price is below the range: no fees until it rises by ${distance(lower, figures)}.`
    : l10n.t`The price is above the range: no fees until it falls by ${distance(upper, figures)}.`;
}

function distance({ percent, bins }: EdgeDistance, { text }: Figures): string {
  return `${text.percent(Math.abs(percent))}${bins === undefined ? '' : ` (${text.counted(Math.abs(bins), 'bin')})`}`;
}

/** Says that the bars are an estimate. */
function binsNote({ strategy = '' }: PositionView): string {
  return l10n.t`Value by bin, estimated: ${strategy}.`;
}

/** Height of the bars, pixels, and of the bar without them. */
const BARS_HEIGHT = 104;
const PLAIN_HEIGHT = 24;

/** The bar, or the position's bins. Positions are shares of its width, so it fits without being measured. */
function bar(
  { lower, upper, price, side, isBroken }: RangeGauge,
  position: PositionView,
  words: string,
  { text }: Figures,
  bins: readonly OwnBin[] | undefined,
): TemplateResult<1> {
  const height = bins === undefined ? PLAIN_HEIGHT : BARS_HEIGHT;
  // The axis is in the middle of a plain bar, and below bars.
  const bottom = 40 + height;
  const axis = bins === undefined ? 40 + height / 2 : bottom;
  const { priceRangeUsd: prices, lowerBinId, upperBinId, activeBinId } = position;
  const isOut = side !== 'inside' || position.inRange === false;
  const at = (share: number) => `${(100 * share).toFixed(3)}%`;
  const label = (bin: number | undefined, price: number | undefined) =>
    price === undefined ? (bin === undefined ? '' : l10n.t`bin ${text.bin(bin)}`) : text.priceUsd(price);
  const under = (bin: number | undefined) => (prices === undefined || bin === undefined ? '' : l10n.t`bin ${text.bin(bin)}`);
  const now = label(activeBinId, prices?.current);
  const anchor = price < 0.25 ? 'start' : price > 0.75 ? 'end' : 'middle';
  // A label anchored at an end of the bar starts inside the margin, even if the price is closer to the edge.
  const labelAt = anchor === 'start' ? Math.min(price, 0.1) : anchor === 'end' ? Math.max(price, 0.9) : price;
  return html`<svg class="gauge" width="100%" height=${bottom + 48} role="img" aria-label=${`${words} ${l10n.t`${l10n.t('Range')}: ${label(lowerBinId, prices?.lower)} to ${label(upperBinId, prices?.upper)}.`} ${l10n.t('Pool price')}: ${now}`}>
    ${svg`<defs><pattern id="range-hatch" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line x1="0" y1="0" x2="0" y2="8" class="hatch-line"></line></pattern><pattern id="bin-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line x1="0" y1="0" x2="0" y2="6" class="bin-hatch-line"></line></pattern></defs>
    <line x1="0" x2="100%" y1=${axis} y2=${axis} class="gauge-axis"></line>
    <rect x=${at(lower)} width=${at(upper - lower)} y="40" height=${height} rx="2" class="gauge-range ${isOut ? 'is-out' : 'is-in'} ${bins === undefined ? '' : 'is-behind'}"></rect>
    ${isOut && bins === undefined ? svg`<rect x=${at(lower)} width=${at(upper - lower)} y="40" height=${height} rx="2" fill="url(#range-hatch)"></rect>` : nothing}
    ${bins === undefined ? nothing : binBars(bins, { x: position.x.symbol, y: position.y.symbol }, { lower, upper, top: 44, bottom }, { text })}
    <line x1=${at(lower)} x2=${at(lower)} y1="36" y2=${bottom + 8} class="gauge-edge"></line>
    <line x1=${at(upper)} x2=${at(upper)} y1="36" y2=${bottom + 8} class="gauge-edge"></line>
    <text x=${at(lower)} y=${bottom + 22} class="gauge-label">${label(lowerBinId, prices?.lower)}</text>
    <text x=${at(lower)} y=${bottom + 39} class="gauge-label gauge-soft">${under(lowerBinId)}</text>
    <text x=${at(upper)} y=${bottom + 22} text-anchor="end" class="gauge-label">${label(upperBinId, prices?.upper)}</text>
    <text x=${at(upper)} y=${bottom + 39} text-anchor="end" class="gauge-label gauge-soft">${under(upperBinId)}</text>
    ${isBroken ? svg`<svg x=${at(price < lower ? (price + lower) / 2 : (price + upper) / 2)} y=${axis} overflow="visible"><rect x="-5" y="-8" width="10" height="16" class="gauge-gap"></rect><path d="M-7 8 L-1 -8 M1 8 L7 -8" class="gauge-break"></path></svg>` : nothing}
    <line x1=${at(price)} x2=${at(price)} y1="28" y2=${bottom + 4} class="gauge-price"></line>
    <svg x=${at(price)} y="20" overflow="visible"><path d="M-6 0 L6 0 L0 9 Z" class="gauge-pointer"></path></svg>
    <text x=${at(labelAt)} y="13" text-anchor=${anchor} class="gauge-label gauge-now">${l10n.t('Pool price')} ${now}</text>`}
  </svg>`;
}

function edges({ lower, upper }: EdgeDistances, figures: Figures, { lowerBinId, upperBinId }: PositionView): TemplateResult<1> {
  const { text } = figures;
  const way = ({ percent, bins }: EdgeDistance) =>
    html`<span class="figure">${text.signedPercent(percent)}</span>${bins === undefined ? nothing : html`<span class="aside">${text.counted(Math.abs(bins), 'bin')}</span>`}`;
  return html`<dl class="edges">
    <div><dt>${l10n.t('Lower bound')}</dt><dd>${way(lower)}</dd></div>
    <div><dt>${l10n.t('Upper bound')}</dt><dd>${way(upper)}</dd></div>
    <div><dt>${l10n.t('Width')}</dt><dd><span class="figure">${text.percent(100 * ((1 + upper.percent / 100) / (1 + lower.percent / 100) - 1))}</span>${lowerBinId === undefined || upperBinId === undefined ? nothing : html`<span class="aside">${text.counted(upperBinId - lowerBinId + 1, 'bin')}</span>`}</dd></div>
  </dl>`;
}
