import type { Address } from '../base/solana/address';
import type { Money } from '../service/common';
import type { OpenPosition } from '../service/positions';
import { rangeStatus } from '../base/dlmm/rangeStatus';
import type { LeftOut, ListChange, PortfolioChange, PortfolioSnapshot, PortfolioTotals } from './types';

/** No difference. */
export const NO_CHANGE: ListChange = { added: [], changed: [], removed: [], reordered: false };

/** Compares two lists whose items have unique keys. */
export function listChange<Item>(before: readonly Item[], after: readonly Item[], keyOf: (item: Item) => string): ListChange {
  if (before === after) {
    return NO_CHANGE;
  }
  const old = new Map<string, Item>();
  for (const item of before) {
    old.set(keyOf(item), item);
  }
  const added: string[] = [];
  const changed: string[] = [];
  const stayed = new Set<string>();
  for (const item of after) {
    const key = keyOf(item);
    if (!old.has(key)) {
      added.push(key);
      continue;
    }
    stayed.add(key);
    if (!isSame(old.get(key), item)) {
      changed.push(key);
    }
  }
  const removed: string[] = [];
  const stayedBefore: string[] = [];
  for (const key of old.keys()) {
    (stayed.has(key) ? stayedBefore : removed).push(key);
  }
  let place = 0;
  let reordered = false;
  for (const key of stayed) {
    reordered ||= key !== stayedBefore[place];
    place += 1;
  }
  return { added, changed, removed, reordered };
}

/** True if two lists are the same. */
export function isUnchanged(change: ListChange): boolean {
  return change.added.length === 0 && change.changed.length === 0 && change.removed.length === 0 && !change.reordered;
}

/** True if two values are the same: plain objects and lists by content, dates by time, others by value. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) {
    return true;
  }
  if (!isObject(a) || !isObject(b)) {
    return false;
  }
  if (a instanceof Date || b instanceof Date) {
    return a instanceof Date && b instanceof Date && Object.is(a.getTime(), b.getTime());
  }
  if (Array.isArray(a) !== Array.isArray(b)) {
    return false;
  }
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) {
    return false;
  }
  // A loop, since thousands of positions are compared at each read.
  for (const name of names) {
    const other = b[name];
    if ((other === undefined && !Object.hasOwn(b, name)) || !isSame(a[name], other)) {
      return false;
    }
  }
  return true;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/**
 * The largest amounts that can be real, in whole units of the currency. All crypto-assets together are worth a few trillion US dollars, and
 * some 600 million SOL exist. The bounds are wide on purpose: they keep one absurd figure (1e308) from making every sum absurd or infinite,
 * and are no judgment of a figure below them.
 */
const LARGEST: Readonly<Record<keyof Money, number>> = { usd: 1e12, native: 1e9 };

/** True if an amount or a loss can be real. NaN and infinite amounts can't. */
export function isPlausibleAmount(amount: number, currency: keyof Money): boolean {
  return Math.abs(amount) <= LARGEST[currency];
}

type Currency = keyof Money;

/**
 * Sums over open positions. What a position does not report, or reports beyond what can be real, is left out of that sum, never taken as zero,
 * and counted in `leftOut`. Percentages are Σ PnL over Σ input of the positions that report both: the mean of the positions' own
 * percentages would give a dollar position the weight of a thousand-dollar one.
 */
export function totalsOf(positions: readonly OpenPosition[]): PortfolioTotals {
  const value = inBoth((currency) => sum(positions, currency, (position) => position.value[currency]));
  const pnl = inBoth((currency) => sum(positions, currency, (position) => position.pnl[currency]));
  const pnlPercent = inBoth((currency) => percentOfInput(positions, currency));
  const uncollectedFee = inBoth((currency) => sum(positions, currency, (position) => position.uncollectedFee[currency]));
  return {
    count: positions.length,
    outOfRange: positions.filter((position) => rangeStatus(position) === 'outOfRange').length,
    valueUsd: value.usd.total,
    valueNative: value.native.total,
    pnlUsd: pnl.usd.total,
    pnlNative: pnl.native.total,
    pnlPercent: pnlPercent.usd.total,
    pnlPercentNative: pnlPercent.native.total,
    uncollectedFeeUsd: uncollectedFee.usd.total,
    uncollectedFeeNative: uncollectedFee.native.total,
    leftOut: { value: leftOutOf(value), pnl: leftOutOf(pnl), pnlPercent: leftOutOf(pnlPercent), uncollectedFee: leftOutOf(uncollectedFee) },
  };
}

/** A sum, and what it leaves out. */
interface Sum {
  /** Finite; `undefined` where nothing is known. */
  readonly total: number | undefined;
  readonly leftOut: LeftOut;
}

function inBoth(sumIn: (currency: Currency) => Sum): Readonly<Record<Currency, Sum>> {
  return { usd: sumIn('usd'), native: sumIn('native') };
}

function leftOutOf({ usd, native }: Readonly<Record<Currency, Sum>>): Readonly<Record<Currency, LeftOut>> {
  return { usd: usd.leftOut, native: native.leftOut };
}

/** The sum of the reported, plausible amounts. For display only: floats are never used for amounts that are signed for. */
function sum(positions: readonly OpenPosition[], currency: Currency, figureOf: (position: OpenPosition) => number | undefined): Sum {
  // One loop without lists in between: there can be thousands of positions at each read.
  let total = 0;
  let counted = 0;
  let implausible = 0;
  for (const position of positions) {
    const figure = figureOf(position);
    if (figure !== undefined && isPlausibleAmount(figure, currency)) {
      total += figure;
      counted += 1;
    } else if (figure !== undefined) {
      implausible += 1;
    }
  }
  return { total: counted === 0 ? undefined : total, leftOut: { notReported: positions.length - counted - implausible, implausible } };
}

function percentOfInput(positions: readonly OpenPosition[], currency: Currency): Sum {
  let totalPnl = 0;
  let totalInput = 0;
  let counted = 0;
  let implausible = 0;
  for (const {
    pnl: { [currency]: pnl },
    input: { [currency]: input },
  } of positions) {
    if (pnl === undefined || input === undefined) {
      continue;
    }
    if (isPlausibleAmount(pnl, currency) && isPlausibleAmount(input, currency)) {
      totalPnl += pnl;
      totalInput += input;
      counted += 1;
    } else {
      implausible += 1;
    }
  }
  const percent = totalInput <= 0 ? undefined : (100 * totalPnl) / totalInput;
  return {
    // The percentage of a tiny input may be infinite.
    total: percent !== undefined && Number.isFinite(percent) ? percent : undefined,
    leftOut: { notReported: positions.length - counted - implausible, implausible },
  };
}

/**
 * Sorts positions for attention: those out of range first (they earn nothing), then those whose range is unknown, then the others; each by
 * value, largest first, unknown values last. Ties are sorted by key, so the order is stable.
 */
export function inAttentionOrder(positions: readonly OpenPosition[]): OpenPosition[] {
  return positions.toSorted((a, b) => urgency(a) - urgency(b) || byValue(a, b) || compareText(a.key, b.key));
}

function urgency(position: OpenPosition): number {
  switch (rangeStatus(position)) {
    case 'outOfRange':
      return 0;
    case 'unknown':
      return 1;
    case 'inRange':
    case 'none':
      return 2;
  }
}

function byValue(a: OpenPosition, b: OpenPosition): number {
  const left = a.value.usd ?? -Infinity;
  const right = b.value.usd ?? -Infinity;
  return left === right ? 0 : right - left;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The snapshot before the first read. */
export function emptySnapshot(owner: Address | undefined): PortfolioSnapshot {
  return {
    owner,
    positions: [],
    positionsState: { kind: 'idle' },
    totals: totalsOf([]),
    pools: [],
    poolsState: { kind: 'idle' },
    poolsHaveMore: false,
  };
}

/** Replaces parts of a snapshot, and updates the totals with the positions. */
export function withParts(before: PortfolioSnapshot, parts: Partial<Omit<PortfolioSnapshot, 'totals'>>): PortfolioSnapshot {
  const totals = parts.positions === undefined ? before.totals : totalsOf(parts.positions);
  return { ...before, ...parts, totals };
}

/** Compares two snapshots; `undefined` if they are the same. */
export function changeBetween(before: PortfolioSnapshot, snapshot: PortfolioSnapshot): PortfolioChange | undefined {
  const positions = listChange(before.positions, snapshot.positions, (position) => position.key);
  const pools = listChange(before.pools, snapshot.pools, (pool) => pool.address);
  const summaryChanged =
    before.owner !== snapshot.owner ||
    before.positionsState !== snapshot.positionsState ||
    before.poolsState !== snapshot.poolsState ||
    before.poolsHaveMore !== snapshot.poolsHaveMore ||
    !isSame(before.totals, snapshot.totals);
  return summaryChanged || !isUnchanged(positions) || !isUnchanged(pools) ? { snapshot, positions, pools, summaryChanged } : undefined;
}
