import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { BinRange } from '../../../src/base/dlmm/bins';
import { lamportsAsSol, usd } from '../../../src/base/format/money';
import { isKnown } from '../../../src/base/format/numbers';
import { bps, percent, signedPercent, slippageWarning } from '../../../src/base/format/percent';
import { binId, binRange } from '../../../src/base/format/identifiers';
import { price } from '../../../src/base/format/amounts';
import { icon } from '../../shared/controls';
import type { Template } from '../../shared/rendering';
import { shareOf, SHARES_PERCENT } from './cost';
import { afterBlur, slippageAfterBlur, withTypedText, withRange, withShare } from './draft';
import { amountText, priceOf, priceText, rangeExamples, rangeText, shareText, slippageText } from './parseInput';
import { type BinPlanEstimate, estimateOf, type PlanEstimate } from './planModel';
import { isSameRange, presetsOf } from './range';
import type { FieldName, PlanActions, PlanState } from './types';

/** A text field with its error. */
interface Field {
  /** Unique on the page. */
  readonly id: string;
  readonly label: Template;
  readonly text: string;
  readonly error: string | undefined;
  /** Explanation below the field; replaced by the error if there is one. */
  readonly note?: Template;
  /** Id of an element elsewhere that shows the field's error instead of the space below the field. */
  readonly describedBy?: string;
  readonly unit?: string;
  readonly placeholder?: string;
  readonly onInput: (text: string) => void;
  readonly onLeave?: () => void;
}

/**
 * A native field, not the toolkit's: its error is referenced as its description, and id references do not reach into the toolkit's shadow tree.
 */
function field({ id, label, text, error, note, describedBy, unit, placeholder, onInput, onLeave }: Field): TemplateResult<1> {
  const described = describedBy ?? (error === undefined && note === undefined ? nothing : `${id}-below`);
  return html`<div class="plan-field">
    <label for=${id}>${label}</label>
    <span class="plan-input">
      <input
        class="field" type="text" inputmode="decimal" autocomplete="off" spellcheck="false" id=${id}
        placeholder=${placeholder ?? nothing} .value=${text}
        aria-invalid=${error === undefined ? 'false' : 'true'} aria-describedby=${described}
        @input=${(event: Event) => onInput(valueOf(event))}
        @blur=${() => onLeave?.()}
      />
      ${unit === undefined ? nothing : html`<span class="plan-unit">${unit}</span>`}
    </span>
    ${describedBy === undefined ? html`<div class="plan-below" id="${id}-below" aria-live="polite">${error === undefined ? (note ?? nothing) : fieldError(error)}</div>` : nothing}
  </div>`;
}

function fieldError(words: string): TemplateResult<1> {
  return html`<span class="field-error">${icon('error')}<span>${words}</span></span>`;
}

/** A note on something that can cost money. */
export function warning(words: string): TemplateResult<1> {
  return html`<span class="plan-warning">${icon('warning')}<span>${words}</span></span>`;
}

/** A button that fills in a preset value; pressed while the field has that value. */
function filling(label: string, title: string | undefined, isNow: boolean, onPress: () => void): TemplateResult<1> {
  return html`<button type="button" class="plan-filling" title=${title ?? nothing} aria-pressed=${isNow ? 'true' : 'false'} @click=${onPress}>${label}</button>`;
}

function valueOf({ target }: Event): string {
  return target instanceof HTMLInputElement ? target.value : '';
}

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
  const isSwapped = scale?.isSwapped === true;
  const unit = isSwapped ? l10n.t`${pool.x.symbol} per ${pool.y.symbol}` : l10n.t`${pool.y.symbol} per ${pool.x.symbol}`;
  const typing = (name: FieldName): Pick<Field, 'onInput' | 'onLeave'> => ({
    onInput: (text) => change((now) => withTypedText(now, name, text, estimateOf(state))),
    onLeave: () => {
      let typedRange: BinRange | undefined;
      change((now) => {
        const next = afterBlur(now, name, estimateOf(state));
        typedRange = next === now ? undefined : estimateOf(state)(next).bins?.range;
        return next;
      });
      if (typedRange !== undefined) {
        show(typedRange);
      }
    },
  });
  const input = (name: FieldName, label: string, usual: string, describedBy: string): TemplateResult<1> =>
    field({ id: `plan-${name}`, label, text: draft.texts?.[name] ?? usual, error: estimate.errors[name], describedBy, ...typing(name) });
  const priceAt = (bin: number): string => (scale === undefined ? '' : priceText(priceOf(bin, scale), locale));
  const end = (title: string, of: 'from' | 'to'): TemplateResult<1> => {
    const bin = range[`${of}BinId`];
    const [inBins, inPrices, below] = [`${of}Bin`, `${of}Price`, `plan-${of}-away`] as const;
    return html`<fieldset class="plan-end-fields">
        <legend>${title}</legend>
        ${scale === undefined ? nothing : input(inPrices, l10n.t`Price, ${unit}`, priceAt(bin), below)} ${input(inBins, l10n.t('Bin'), binId(bin, locale), below)}
        ${away(below, estimate.errors[inBins] ?? estimate.errors[inPrices], bins.edges?.[`${of}Percent`], locale)}
      </fieldset>`;
  };
  return html`<section class="plan-section" aria-labelledby="plan-range-title">
    <h3 id="plan-range-title">${l10n.t('Range')}</h3>
    <div class="plan-fillings" role="group" aria-label=${l10n.t('Range')}>
      ${presetsOf(activeBinId, binStepBps, pool.x.symbol, pool.y.symbol).map(({ label, range: offered }) => {
        const words = binRange(offered.fromBinId, offered.toBinId, locale);
        return filling(label, words, isSameRange(offered, range), () => {
          change((now) => withRange(now, offered));
          show(offered);
          announce(`${l10n.t('Range')}: ${words}`);
        });
      })}
    </div>
    ${field({
      id: 'plan-range',
      label: l10n.t`Range in percent, prices (${unit}) or bins`,
      text: draft.texts?.range ?? rangeText(range, pool, isSwapped, locale),
      error: estimate.errors.range,
      note: html`<span class="soft">${rangeExamples()}</span>`,
      ...typing('range'),
    })}
    <div class="plan-ends">
      ${[l10n.t('Lower bound'), l10n.t('Upper bound')].map((title, place) => end(title, (place === 1) === isSwapped ? 'from' : 'to'))}
    </div>
    <p class="plan-coverage">${binRange(range.fromBinId, range.toBinId, locale)}${scale === undefined ? nothing : html` <span class="soft">· ${`${l10n.t('Pool price')}: ${price(priceOf(activeBinId, scale), locale)} ${unit}`}</span>`}</p>
    ${bins.sides === 'both' ? nothing : html`<p class="plan-one-sided">${icon('info')}<span>${oneSided(bins, pool.x.symbol, pool.y.symbol)}</span></p>`}
  </section>`;
}

/** The error or the distance of a bound, below both of its fields. */
function away(id: string, error: string | undefined, distance: number | undefined, locale: string): TemplateResult<1> {
  const words =
    distance === undefined ? nothing : html`<span class="soft">${l10n.t`${signedPercent(distance, locale)} from the price`}</span>`;
  return html`<div class="plan-away" id=${id} aria-live="polite">${error === undefined ? words : fieldError(error)}</div>`;
}

function oneSided({ sides }: BinPlanEstimate, symbolX: string, symbolY: string): string {
  return sides === 'onlyX'
    ? l10n.t`Above the price: holds only ${symbolX} and earns no fees until the price rises into the range.`
    : l10n.t`Below the price: holds only ${symbolY} and earns no fees until the price falls into the range.`;
}

const SLIPPAGES_BPS: readonly number[] = [50, 100, 300, 500];
const LAMPORTS_PER_SOL = 1e9;

/** The amount of SOL, with the wallet's balance. */
export function amountView(
  { draft, ambient, figures }: PlanState,
  { wallet, amountLamports, errors }: PlanEstimate,
  { change }: PlanActions,
): TemplateResult<1> {
  const locale = ambient?.locale ?? 'en-US';
  const worth = amountLamports === undefined ? undefined : worthOf(amountLamports, wallet?.solUsd, locale);
  const has =
    wallet === undefined
      ? figures.status === 'failed'
        ? l10n.t('The wallet balance could not be loaded.')
        : l10n.t('Loading the wallet balance…')
      : l10n.t`Wallet balance: ${lamportsAsSol(wallet.balanceLamports, locale)}`;
  return html`<section class="plan-section" aria-labelledby="plan-amount-title">
    <h3 id="plan-amount-title">${l10n.t('Amount')}</h3>
    ${field({
      id: 'plan-amount',
      label: l10n.t('SOL to deposit'),
      text: draft.amountText ?? '',
      error: errors.amount,
      note: html`${worth === undefined ? nothing : html`<span class="figure">${worth}</span> · `}<span class="soft">${has}</span>`,
      unit: 'SOL',
      placeholder: amountText(500_000_000n, locale),
      onInput: (text) => change((now) => ({ ...now, amountText: text })),
    })}
    ${
      wallet === undefined || wallet.availableLamports === 0n
        ? nothing
        : html`<div class="plan-fillings" role="group" aria-label=${l10n.t('Amount')}>
          ${SHARES_PERCENT.map((share) => {
            const lamports = shareOf(wallet, share);
            const sol = lamportsAsSol(lamports, locale);
            const title =
              share === 100 ? `${sol}: ${l10n.t`all but ${lamportsAsSol(wallet.keptLamports, locale)} for rent and fees`}` : sol;
            return filling(share === 100 ? l10n.t('Max') : percent(share, locale), title, lamports === amountLamports, () =>
              change((now) => ({ ...now, amountText: amountText(lamports, locale) })),
            );
          })}
        </div>`
    }
  </section>`;
}

/** How the SOL is split between the tokens, if the range needs both. */
export function splitView(
  state: PlanState,
  estimate: PlanEstimate,
  { sides }: BinPlanEstimate,
  { change }: PlanActions,
): TemplateResult<1> | typeof nothing {
  const { draft, pool, ambient } = state;
  const locale = ambient?.locale ?? 'en-US';
  const { percentX, isSplitByBins, errors } = estimate;
  if (sides !== 'both') {
    return nothing;
  }
  const words = (share: number): string =>
    `${percent(100 * share, locale)} ${pool.x.symbol}, ${percent(100 * (1 - share), locale)} ${pool.y.symbol}`;
  return html`<section class="plan-section" aria-labelledby="plan-split-title">
    <h3 id="plan-split-title">${l10n.t('Split')}</h3>
    ${field({
      id: 'plan-percentX',
      label: l10n.t`${pool.x.symbol} share`,
      text: draft.texts?.percentX ?? shareText(percentX, locale),
      error: errors.percentX,
      note: html`<span class="soft">${words(percentX)}</span>`,
      unit: '%',
      onInput: (text) => change((now) => withTypedText(now, 'percentX', text, estimateOf(state))),
      onLeave: () => change((now) => afterBlur(now, 'percentX', estimateOf(state))),
    })}
    <input
      class="plan-slide" type="range" min="0" max="100" step="1" aria-label=${l10n.t`${pool.x.symbol} share`} aria-valuetext=${words(percentX)}
      .value=${String(Math.round(100 * percentX))}
      @input=${({ target }: Event) => target instanceof HTMLInputElement && change((now) => withShare(now, Number(target.value) / 100))}
    />
    <div class="plan-fillings" role="group" aria-label=${l10n.t('Split')}>
      ${filling(l10n.t('Match the range'), undefined, isSplitByBins, () => change((now) => withShare(now, undefined)))}
      ${filling('50:50', words(0.5), !isSplitByBins && percentX === 0.5, () => change((now) => withShare(now, 0.5)))}
    </div>
  </section>`;
}

/** The slippage tolerance. */
export function slippageView(
  { draft, ambient, figures }: PlanState,
  { slippageBps, slippageNote, errors }: PlanEstimate,
  { change }: PlanActions,
): TemplateResult<1> {
  const locale = ambient?.locale ?? 'en-US';
  const standard = figures.data?.defaultSlippageBps;
  const offered = [...new Set([...(standard === undefined ? [] : [standard]), ...SLIPPAGES_BPS])].sort((one, other) => one - other);
  return html`<section class="plan-section" aria-labelledby="plan-slippage-title">
    <h3 id="plan-slippage-title">${l10n.t('Max slippage')}</h3>
    ${field({
      id: 'plan-slippage',
      label: l10n.t('Max slippage'),
      text: draft.slippageText ?? (standard === undefined ? '' : slippageText(standard, locale)),
      error: errors.slippage,
      note:
        slippageBps !== undefined && slippageNote !== undefined && slippageWarning(slippageBps) !== ''
          ? warning(slippageNote)
          : (slippageNote ?? nothing),
      unit: '%',
      placeholder: '1',
      onInput: (text) => change((now) => ({ ...now, slippageText: text })),
      onLeave: () => change((now) => slippageAfterBlur(now, locale)),
    })}
    <div class="plan-fillings" role="group" aria-label=${l10n.t('Max slippage')}>
      ${offered.map((value) => filling(percent(value / 100, locale), bps(value, locale), value === slippageBps, () => change((now) => ({ ...now, slippageText: slippageText(value, locale) }))))}
    </div>
  </section>`;
}

/** For example "≈ $69.50"; `undefined` if the price of SOL is unknown. */
export function worthOf(lamports: bigint, solUsd: number | undefined, locale: string): string | undefined {
  return isKnown(solUsd) ? `≈ ${usd((Number(lamports) / LAMPORTS_PER_SOL) * solUsd, locale)}` : undefined;
}
