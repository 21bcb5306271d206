import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { type Locale, validLocale, WarmLocale } from '../../src/base/format/locale';
import { signedSol, signedUsd, signedUsdShort, sol, solToTheLamport, usd, usdShort, usdToTheCent } from '../../src/base/format/money';
import { type CountedNoun, counted } from '../../src/base/format/counted';
import { count, isKnown, significant, UNKNOWN } from '../../src/base/format/numbers';
import {
  bps,
  columnPercent,
  fractionAsPercent,
  percent,
  signedColumnPercent,
  signedFractionAsPercent,
  signedPercent,
} from '../../src/base/format/percent';
import { binId, binRange, shortAddress } from '../../src/base/format/identifiers';
import { price, priceUsd } from '../../src/base/format/amounts';
import { rangeMark, type RangeBins } from '../../src/base/format/rangeDistance';
import { age, calendarDay, calendarMonth, clockTime, exactTime, monthDay, relativeTime } from '../../src/base/format/time';
import type { PoolView } from '../../src/protocol/pool';
import type { CurrencyView, MoneyView } from '../../src/protocol/schemas';

/** The formatters of src/base/format in one locale. Times are milliseconds since 1970. All of them format `undefined` as "–". */
export interface FigureTexts {
  readonly money: (money: MoneyView | undefined, currency: CurrencyView) => string;
  readonly signedMoney: (money: MoneyView | undefined, currency: CurrencyView) => string;
  /** With all its digits. */
  readonly exactMoney: (money: MoneyView | undefined, currency: CurrencyView) => string;
  readonly usd: (value: number | undefined) => string;
  readonly usdShort: (value: number | undefined) => string;
  readonly signedUsdShort: (value: number | undefined) => string;
  readonly exactUsd: (value: number | undefined) => string;
  readonly sol: (value: number | undefined) => string;
  readonly price: (value: number | undefined) => string;
  readonly priceUsd: (value: number | undefined) => string;
  /** The value is in percent. */
  readonly percent: (value: number | undefined) => string;
  readonly signedPercent: (value: number | undefined) => string;
  /** The value is a fraction, formatted as percent. */
  readonly fraction: (value: number | undefined) => string;
  readonly signedFraction: (value: number | undefined) => string;
  /** A fraction, as percent with all decimal places: for columns of a table. */
  readonly columnFraction: (value: number | undefined) => string;
  readonly signedColumnFraction: (value: number | undefined) => string;
  readonly bps: (value: number | undefined) => string;
  readonly count: (value: number | undefined) => string;
  /** "3 positions" */
  readonly counted: (value: number, noun: CountedNoun) => string;
  /** Whole tokens, in six significant digits. */
  readonly tokens: (value: number | undefined) => string;
  readonly bin: (value: number | undefined) => string;
  readonly bins: (fromBinId: number | undefined, toBinId: number | undefined) => string;
  /** How far the price is out of a range, or from the nearer bound. */
  readonly rangeMark: (range: RangeBins) => string | undefined;
  readonly address: (address: string | undefined) => string;
  readonly age: (hours: number | undefined) => string;
  readonly relative: (atMs: number | undefined, nowMs: number) => string;
  /** Date and time to the second. */
  readonly exact: (atMs: number | undefined) => string;
  /** "12:04" */
  readonly clock: (atMs: number | undefined) => string;
  /** "Nov 20, 2026" */
  readonly day: (atMs: number | undefined) => string;
  /** "Nov 20" */
  readonly monthDay: (atMs: number | undefined) => string;
  /** "Nov 2026" */
  readonly month: (atMs: number | undefined) => string;
}

/** Figures in one locale, as templates with tooltips and texts for screen readers. */
export interface Figures {
  readonly locale: string;
  readonly text: FigureTexts;
  /** A sum of money, with the exact amount in the tooltip. */
  readonly amount: (money: MoneyView | undefined, currency: CurrencyView) => TemplateResult<1>;
  /** A gain or a loss: with a sign, a color, and a text for screen readers. */
  readonly difference: (money: MoneyView | undefined, currency: CurrencyView) => TemplateResult<1>;
  /** Like {@link difference}, for a change in percent. */
  readonly percentDifference: (value: number | undefined) => TemplateResult<1>;
  /** Like {@link percentDifference}, for a fraction. */
  readonly fractionDifference: (value: number | undefined) => TemplateResult<1>;
  /** Like {@link fractionDifference}, for columns of a table. */
  readonly columnDifference: (value: number | undefined) => TemplateResult<1>;
  /** A text of {@link text} as a figure; screen readers read "–" as "not known". */
  readonly plain: (text: string, title?: string) => TemplateResult<1>;
  /** A relative time, with the exact time in the tooltip. */
  readonly moment: (atMs: number | undefined, nowMs: number) => TemplateResult<1>;
  /** A shortened address, with the whole address in the tooltip. */
  readonly short: (address: string | undefined) => TemplateResult<1>;
}

/** The amount in the given currency. */
export function inCurrency(money: MoneyView | undefined, currency: CurrencyView): number | undefined {
  return currency === 'usd' ? money?.usd : money?.native;
}

/** The CSS class of a difference; empty if it is zero or not known. Color is never the only sign: the figure has its own. */
export function gainOrLoss(value: number | undefined): 'gain' | 'loss' | '' {
  return !isKnown(value) || value === 0 ? '' : value > 0 ? 'gain' : 'loss';
}

/** Keeps figures in a sentence from breaking at the end of a line, for example between "−" and "$5.00". */
export function nonBreaking(sentence: string): string {
  return sentence.replaceAll(/[+−](?=\p{Sc})/gu, '$&\u2060').replaceAll(/(?<=\d) (?=%)/g, '\u00a0');
}

/** Creates the figures for a locale. Create once per locale, not per view. */
export function figuresOf(locale: string): Figures {
  const text = textsOf(new WarmLocale(validLocale(locale)));
  const plain = (written: string, title?: string): TemplateResult<1> =>
    written === UNKNOWN
      ? html`<span class="figure unknown"><span aria-hidden="true">${UNKNOWN}</span><span class="visually-hidden">${l10n.t('not known')}</span></span>`
      : html`<span class="figure" title=${title ?? nothing}>${written}</span>`;
  const signed = (value: number | undefined, written: string, title?: string): TemplateResult<1> => {
    const standing = gainOrLoss(value);
    return standing === ''
      ? plain(written, title)
      : html`<span class="figure ${standing}" title=${title ?? nothing}>${written}<span class="visually-hidden"> (${standing === 'gain' ? l10n.t('gain') : l10n.t('loss')})</span></span>`;
  };
  return {
    locale,
    text,
    plain,
    amount: (money, currency) => plain(text.money(money, currency), text.exactMoney(money, currency)),
    difference: (money, currency) =>
      signed(inCurrency(money, currency), text.signedMoney(money, currency), text.exactMoney(money, currency)),
    percentDifference: (value) => signed(value, text.signedPercent(value)),
    fractionDifference: (value) => signed(value, text.signedFraction(value)),
    columnDifference: (value) => signed(value, text.signedColumnFraction(value)),
    moment: (atMs, nowMs) =>
      isKnown(atMs)
        ? html`<time class="figure" datetime=${new Date(atMs).toISOString()} title=${text.exact(atMs)}>${text.relative(atMs, nowMs)}</time>`
        : plain(UNKNOWN),
    short: (address) =>
      address === undefined ? plain(UNKNOWN) : html`<span class="address" title=${address}>${text.address(address)}</span>`,
  };
}

/** Display name of a pool type. */
export function poolTypeName(type: PoolView['poolType']): string {
  return type === 'dlmm' ? 'DLMM' : type === 'dammV2' ? 'DAMM v2' : l10n.t('Other type');
}

function textsOf(locale: Locale): FigureTexts {
  return {
    money: (money, currency) => (currency === 'usd' ? usd(money?.usd, locale) : sol(money?.native, locale)),
    signedMoney: (money, currency) => (currency === 'usd' ? signedUsd(money?.usd, locale) : signedSol(money?.native, locale)),
    exactMoney: (money, currency) => (currency === 'usd' ? usdToTheCent(money?.usd, locale) : solToTheLamport(money?.native, locale)),
    usd: (value) => usd(value, locale),
    usdShort: (value) => usdShort(value, locale),
    signedUsdShort: (value) => signedUsdShort(value, locale),
    exactUsd: (value) => usdToTheCent(value, locale),
    sol: (value) => sol(value, locale),
    price: (value) => price(value, locale),
    priceUsd: (value) => priceUsd(value, locale),
    percent: (value) => percent(value, locale),
    signedPercent: (value) => signedPercent(value, locale),
    fraction: (value) => fractionAsPercent(value, locale),
    signedFraction: (value) => signedFractionAsPercent(value, locale),
    columnFraction: (value) => columnPercent(value, locale),
    signedColumnFraction: (value) => signedColumnPercent(value, locale),
    bps: (value) => bps(value, locale),
    count: (value) => count(value, locale),
    counted: (value, noun) => counted(value, noun, locale),
    tokens: (value) => significant(value, 6, locale),
    bin: (value) => binId(value, locale),
    bins: (fromBinId, toBinId) => binRange(fromBinId, toBinId, locale),
    rangeMark: (range) => rangeMark(range, locale),
    address: shortAddress,
    age: (hours) => age(hours, locale),
    relative: (atMs, nowMs) => relativeTime(dateOf(atMs), nowMs, locale),
    exact: (atMs) => exactTime(dateOf(atMs), locale),
    clock: (atMs) => clockTime(dateOf(atMs), locale),
    day: (atMs) => calendarDay(dateOf(atMs), locale),
    monthDay: (atMs) => monthDay(dateOf(atMs), locale),
    month: (atMs) => calendarMonth(dateOf(atMs), locale),
  };
}

function dateOf(atMs: number | undefined): Date | undefined {
  return atMs === undefined ? undefined : new Date(atMs);
}
