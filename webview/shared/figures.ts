import { html, nothing, type TemplateResult } from 'lit-html';
import { WarmLocale, type Locale } from '../../src/base/format/locale';
import { priceUsd, price } from '../../src/base/format/price';
import { sol, signedSol, signedUsd, signedUsdShort, solToTheLamport, usd, usdShort, usdToTheCent } from '../../src/base/format/money';
import { bps, fractionAsPercent, percent, signedFractionAsPercent, signedPercent } from '../../src/base/format/percent';
import { binId, binRange, shortAddress } from '../../src/base/format/places';
import { age, calendarDay, calendarMonth, clockTime, exactTime, monthDay, relativeTime } from '../../src/base/format/time';
import { count, counted, DEFAULT_LOCALE, isKnown, significant, UNKNOWN } from '../../src/base/format/numbers';
import type { CurrencyView, MoneyView } from '../../src/protocol/schemas';

/** The writers of src/format in one locale: plain text. Times are milliseconds since 1970. `undefined` is written "–" by all of them. */
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
  /** Given in percent. */
  readonly percent: (value: number | undefined) => string;
  readonly signedPercent: (value: number | undefined) => string;
  /** Given as a fraction, written as percent. */
  readonly fraction: (value: number | undefined) => string;
  readonly signedFraction: (value: number | undefined) => string;
  readonly bps: (value: number | undefined) => string;
  readonly count: (value: number | undefined) => string;
  /** "3 positions" */
  readonly counted: (value: number, one: string) => string;
  /** Whole tokens, in six significant digits. */
  readonly tokens: (value: number | undefined) => string;
  readonly bin: (value: number | undefined) => string;
  readonly bins: (fromBinId: number | undefined, toBinId: number | undefined) => string;
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

/** Figures as they are shown: written in one locale, with what a tooltip and a screen reader say. */
export interface Figures {
  readonly locale: string;
  readonly text: FigureTexts;
  /** A sum of money; its exact amount in the tooltip. */
  readonly amount: (money: MoneyView | undefined, currency: CurrencyView) => TemplateResult<1>;
  /** A gain or a loss: with its sign, its colour, and spoken. */
  readonly difference: (money: MoneyView | undefined, currency: CurrencyView) => TemplateResult<1>;
  /** A change in percent, given in percent, like {@link difference}. */
  readonly percentDifference: (value: number | undefined) => TemplateResult<1>;
  /** The same, given as a fraction. */
  readonly fractionDifference: (value: number | undefined) => TemplateResult<1>;
  /** Text of {@link text} as a figure: "not known" is spoken where it is "–". */
  readonly plain: (text: string, title?: string) => TemplateResult<1>;
  /** How long ago, and the exact time in the tooltip. */
  readonly moment: (atMs: number | undefined, nowMs: number) => TemplateResult<1>;
  /** An address by its ends, the whole of it in the tooltip. */
  readonly short: (address: string | undefined) => TemplateResult<1>;
}

/** The figure of the two that is asked for. */
export function inCurrency(money: MoneyView | undefined, currency: CurrencyView): number | undefined {
  return currency === 'usd' ? money?.usd : money?.native;
}

/** The class that colours a difference; empty for none, or where it is not known. Never without its sign. */
export function gainOrLoss(value: number | undefined): 'gain' | 'loss' | '' {
  return !isKnown(value) || value === 0 ? '' : value > 0 ? 'gain' : 'loss';
}

/** A sentence with figures, of which none is parted where a line ends: "−" from "$5.00", or "5" from "%". */
export function unparted(sentence: string): string {
  return sentence.replaceAll(/[+−](?=\p{Sc})/gu, '$&\u2060').replaceAll(/(?<=\d) (?=%)/g, '\u00a0');
}

/** All figures of a panel, in the locale of the editor. To be made once for each locale, not with each view. */
export function figuresOf(locale: string): Figures {
  const text = textsOf(new WarmLocale(readable(locale)));
  const plain = (written: string, title?: string): TemplateResult<1> =>
    written === UNKNOWN
      ? html`<span class="figure unknown"><span aria-hidden="true">${UNKNOWN}</span><span class="visually-hidden">not known</span></span>`
      : html`<span class="figure" title=${title ?? nothing}>${written}</span>`;
  const signed = (value: number | undefined, written: string, title?: string): TemplateResult<1> => {
    const standing = gainOrLoss(value);
    return standing === ''
      ? plain(written, title)
      : html`<span class="figure ${standing}" title=${title ?? nothing}>${written}<span class="visually-hidden"> (${standing})</span></span>`;
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
    moment: (atMs, nowMs) =>
      isKnown(atMs)
        ? html`<time class="figure" datetime=${new Date(atMs).toISOString()} title=${text.exact(atMs)}>${text.relative(atMs, nowMs)}</time>`
        : plain(UNKNOWN),
    short: (address) =>
      address === undefined ? plain(UNKNOWN) : html`<span class="address" title=${address}>${text.address(address)}</span>`,
  };
}

/** The editor's language, if numbers can be written in it. */
function readable(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? DEFAULT_LOCALE;
  } catch {
    return DEFAULT_LOCALE;
  }
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
    bps: (value) => bps(value, locale),
    count: (value) => count(value, locale),
    counted: (value, one) => counted(value, one, locale),
    tokens: (value) => significant(value, 6, locale),
    bin: (value) => binId(value, locale),
    bins: (fromBinId, toBinId) => binRange(fromBinId, toBinId, locale),
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
