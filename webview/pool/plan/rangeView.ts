import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { BinRange } from '../../../src/base/dlmm/bins';
import { signedPercent } from '../../../src/base/format/percent';
import { binId, binRange } from '../../../src/base/format/identifiers';
import { price } from '../../../src/base/format/amounts';
import { icon } from '../../shared/icons';
import { left, typed, withRange } from './draft';
import { field, fieldError, filling } from './field';
import { estimateOf, type BinPlanEstimate, type PlanEstimate } from './planModel';
import { isSameRange, presetsOf } from './range';
import { priceOf, priceText } from './parseInput';
import type { FieldName, PlanActions, PlanState } from './types';

/** The range of a plan: presets, both bounds as bins and as prices, and the coverage. */
export function rangeView(
  state: PlanState,
  estimate: PlanEstimate,
  bins: BinPlanEstimate,
  { change, show, announce }: PlanActions,
): TemplateResult<1> {
  const { draft, pool, ambient } = state;
  const locale = ambient?.locale ?? 'en-US';
  const { range, scale, activeBinId, binStepBps } = bins;
  const unit = scale?.isSwapped === true ? l10n.t`${pool.x.symbol} per ${pool.y.symbol}` : l10n.t`${pool.y.symbol} per ${pool.x.symbol}`;
  const input = (name: FieldName, label: string, usual: string, describedBy: string): TemplateResult<1> =>
    field({
      id: `plan-${name}`,
      label,
      text: draft.texts?.[name] ?? usual,
      error: estimate.errors[name],
      describedBy,
      onInput: (text) => change((now) => typed(now, name, text, estimateOf(state))),
      onLeave: () => {
        let typedRange: BinRange | undefined;
        change((now) => {
          const next = left(now, name, estimateOf(state));
          typedRange = next === now ? undefined : estimateOf(state)(next).bins?.range;
          return next;
        });
        if (typedRange !== undefined) {
          show(typedRange);
        }
      },
    });
  const priceAt = (bin: number): string => (scale === undefined ? '' : priceText(priceOf(bin, scale)));
  return html`<section class="plan-section" aria-labelledby="plan-range-title">
    <h3 id="plan-range-title">${l10n.t('Range')}</h3>
    <div class="plan-fillings" role="group" aria-label=${l10n.t('Range presets')}>
      ${presetsOf(activeBinId, binStepBps, pool.x.symbol, pool.y.symbol).map(({ label, title, range: offered }) =>
        filling(label, title, isSameRange(offered, range), () => {
          change((now) => withRange(now, offered));
          show(offered);
          announce(l10n.t`Range ${binRange(offered.fromBinId, offered.toBinId, locale)}`);
        }),
      )}
    </div>
    <div class="plan-ends">
      <fieldset class="plan-end-fields">
        <legend>${l10n.t('Lower bound')}</legend>
        ${input('fromBin', l10n.t('Bin'), binId(range.fromBinId, locale), 'plan-from-away')} ${scale === undefined ? nothing : input('fromPrice', l10n.t`Price, ${unit}`, priceAt(range.fromBinId), 'plan-from-away')}
        ${away('plan-from-away', estimate.errors.fromBin ?? estimate.errors.fromPrice, bins.edges?.lowerPercent, locale)}
      </fieldset>
      <fieldset class="plan-end-fields">
        <legend>${l10n.t('Upper bound')}</legend>
        ${input('toBin', l10n.t('Bin'), binId(range.toBinId, locale), 'plan-to-away')} ${scale === undefined ? nothing : input('toPrice', l10n.t`Price, ${unit}`, priceAt(range.toBinId), 'plan-to-away')}
        ${away('plan-to-away', estimate.errors.toBin ?? estimate.errors.toPrice, bins.edges?.upperPercent, locale)}
      </fieldset>
    </div>
    <p class="plan-coverage">${coverage(bins, locale)} ${scale === undefined ? nothing : html`<span class="soft">${l10n.t`Current price: ${price(priceOf(activeBinId, scale), locale)} ${unit}.`}</span>`}</p>
    ${bins.sides === 'both' ? nothing : html`<p class="plan-one-sided">${icon('info')}<span>${oneSided(bins, pool.x.symbol, pool.y.symbol)}</span></p>`}
  </section>`;
}

/** The error or the distance of a bound, below both of its fields. */
function away(id: string, error: string | undefined, distance: number | undefined, locale: string): TemplateResult<1> {
  const words =
    distance === undefined ? nothing : html`<span class="soft">${l10n.t`${signedPercent(distance, locale)} from the price`}</span>`;
  return html`<div class="plan-away" id=${id} aria-live="polite">${error === undefined ? words : fieldError(error)}</div>`;
}

/** For example "Covers −28.9% to +40.4%: −384 to −316 (69 bins)." */
function coverage({ range, edges }: BinPlanEstimate, locale: string): string {
  const bins = binRange(range.fromBinId, range.toBinId, locale);
  return edges === undefined
    ? l10n.t`Covers ${bins}.`
    : l10n.t`Covers ${signedPercent(edges.lowerPercent, locale)} to ${signedPercent(edges.upperPercent, locale)}: ${bins}.`;
}

function oneSided({ sides }: BinPlanEstimate, symbolX: string, symbolY: string): string {
  return sides === 'onlyX'
    ? l10n.t`The whole range is above the price: it holds ${symbolX} only and earns nothing until the price rises into it.`
    : l10n.t`The whole range is below the price: it holds ${symbolY} only and earns nothing until the price falls into it.`;
}
