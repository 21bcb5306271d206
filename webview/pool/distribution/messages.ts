import * as l10n from '@vscode/l10n';
import type { CurrencyView } from '../../../src/protocol/schemas';
import type { PoolView } from '../../../src/protocol/pool';
import type { FigureTexts } from '../../shared/figures';
import { bothOf } from '../money';
import { percentFromActive, sumsOf, type ValuedBins, type ValuedBin } from './worth';

/** Input for texts about bins. */
export interface BinTextContext {
  readonly text: Pick<FigureTexts, 'bin' | 'price' | 'tokens' | 'money' | 'signedPercent' | 'counted' | 'fraction'>;
  readonly pool: Pick<PoolView, 'x' | 'y' | 'activeBinId' | 'binStepBps' | 'tvlUsd'>;
  readonly unit: ValuedBins['unit'];
  readonly currency: CurrencyView;
  readonly solUsd: number | undefined;
  readonly isPriceSwapped: boolean;
  /** Whole tokens Y per token X. */
  readonly priceOf: (binId: number) => number | undefined;
}

/** Texts about a bin. */
export interface BinMessages {
  readonly bin: string;
  readonly isActive: boolean;
  /** "0.02257 SOL per BONK" */
  readonly price: string;
  /** For example "+5.12%"; `undefined`: the active bin, or nothing to compare with. */
  readonly fromActive: string | undefined;
  readonly x: string;
  readonly y: string;
  /** Price and amounts without their units, for a table. */
  readonly priceAlone: string;
  readonly priceUnit: string;
  readonly xAlone: string;
  readonly yAlone: string;
  /** Value of both tokens. */
  readonly worth: string;
}

/** Formats the texts about a bin. @param bin `undefined`: the bin is empty */
export function binMessages(binId: number, bin: ValuedBin | undefined, context: BinTextContext): BinMessages {
  const { text, pool } = context;
  const isActive = binId === pool.activeBinId;
  const distance = percentFromActive(pool, binId);
  const [priceAlone, xAlone, yAlone] = [priceText(binId, context), text.tokens(bin?.x ?? 0), text.tokens(bin?.y ?? 0)];
  return {
    bin: text.bin(binId),
    isActive,
    price: `${priceAlone} ${perToken(context)}`,
    fromActive: isActive || distance === undefined ? undefined : text.signedPercent(context.isPriceSwapped ? inverted(distance) : distance),
    x: `${xAlone} ${pool.x.symbol}`,
    y: `${yAlone} ${pool.y.symbol}`,
    priceAlone,
    priceUnit: perToken(context),
    xAlone,
    yAlone,
    worth: worthText(bin?.total ?? 0, context),
  };
}

/** The texts about a bin as one line for screen readers. @param more appended to it */
export function spokenBin({ bin, isActive, price, fromActive, x, y, worth }: BinMessages, more?: string): string {
  const place = fromActive === undefined ? undefined : `${l10n.t('From active')}: ${fromActive}`;
  return [isActive ? `${l10n.t('Active bin')} ${bin}` : l10n.t`bin ${bin}`, place, price, `${worth}: ${x}, ${y}`, more]
    .filter((part) => part !== undefined)
    .join('; ');
}

/** A bin's price in the displayed direction, without its unit. */
export function priceText(
  binId: number,
  { text, priceOf, isPriceSwapped }: Pick<BinTextContext, 'text' | 'priceOf' | 'isPriceSwapped'>,
): string {
  const price = priceOf(binId);
  return text.price(price === undefined || !isPriceSwapped ? price : 1 / price);
}

/** The unit of prices in the displayed direction, for example "SOL per BONK". */
function perToken({ pool: { x, y }, isPriceSwapped }: Pick<BinTextContext, 'pool' | 'isPriceSwapped'>): string {
  return isPriceSwapped ? l10n.t`${x.symbol} per ${y.symbol}` : l10n.t`${y.symbol} per ${x.symbol}`;
}

/** Formats a value given in `unit`. */
export function worthText(
  worth: number,
  { text, unit, currency, solUsd, pool }: Pick<BinTextContext, 'text' | 'unit' | 'currency' | 'solUsd' | 'pool'>,
): string {
  return unit === 'usd' ? text.money(bothOf(worth, { solUsd }), currency) : `${text.tokens(worth)} ${pool.y.symbol}`;
}

/** Summarizes the distribution in a few sentences. The service reports only the bins around the price, which need not be all of the pool's. */
export function summaryOf({ bins, unit }: ValuedBins, context: BinTextContext): string {
  const { text } = context;
  const sums = sumsOf(bins);
  const holding = bins.filter(({ x, y }) => x > 0 || y > 0);
  const [first, last] = [holding[0], holding.at(-1)];
  if (first === undefined || last === undefined || sums.fullest === undefined) {
    return l10n.t('No bin has liquidity.');
  }
  return [
    l10n.t`${text.counted(sums.count, 'bin')} with liquidity around the price, from ${priceText(first.binId, context)} to ${priceText(last.binId, context)} ${perToken(context)}.`,
    ...shareOfTvl(unit === 'usd' ? sums.worthX + sums.worthY : undefined, context),
    l10n.t`The largest is bin ${text.bin(sums.fullest.binId)} with ${worthText(sums.fullest.total, context)}.`,
  ].join(' ');
}

/** The bins' share of the TVL, in a sentence, if it is known; the bins may be worth more than an older TVL. @param worthUsd `undefined`: not known in US dollars */
function shareOfTvl(worthUsd: number | undefined, { text, pool: { tvlUsd } }: BinTextContext): readonly string[] {
  if (worthUsd === undefined || tvlUsd === undefined || !(tvlUsd > 0)) {
    return [];
  }
  return [l10n.t`That is ${text.fraction(Math.min(worthUsd / tvlUsd, 1))} of the pool's TVL.`];
}

/** A price change in percent, for the inverted price. */
function inverted(percent: number): number {
  return 100 * (1 / (1 + percent / 100) - 1);
}
