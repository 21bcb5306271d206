import * as l10n from '@vscode/l10n';
import { binId, shortAddress } from '../../base/format/identifiers';
import { type Locale, displayLocale } from '../../base/format/locale';
import { inAttentionOrder, totalsOf } from '../../portfolio/snapshot';
import type { PortfolioTotals } from '../../portfolio/types';
import type { OpenPosition } from '../../service/positions';
import { rangeStatus, type RangeStatus } from '../../base/dlmm/rangeStatus';
import { plainText } from '../shell/views/text';
import { longerWhereRepeated } from '../shell/views/uniqueNames';

/** The orders of the positions in the sidebar, the usual one first. */
export const POSITION_SORTS = ['attention', 'pnlPercent', 'pnl', 'value', 'fees', 'age', 'pair'] as const;
export type PositionSort = (typeof POSITION_SORTS)[number];

/** `range`: out of range, unknown, in range. `wallet`: the wallet in use, then the others. */
export const POSITION_GROUPINGS = ['none', 'range', 'pool', 'wallet'] as const;
export type PositionGrouping = (typeof POSITION_GROUPINGS)[number];

/** The positions that the sidebar lists. */
export type PositionListFilter = 'all' | 'outOfRange' | 'inRange' | 'profit' | 'loss';

/** How the sidebar lists the positions. */
export interface PositionListOptions {
  readonly sortBy: PositionSort;
  readonly groupBy: PositionGrouping;
  readonly filter: PositionListFilter;
}

/** How the positions of one wallet are grouped. Groups of wallets are made elsewhere (walletGroups.ts). */
type GroupedBy = Exclude<PositionGrouping, 'none' | 'wallet'>;

/** Positions below one heading. */
export interface PositionGroup {
  /** The status, or the pool's address. */
  readonly key: string;
  readonly by: GroupedBy;
  readonly positions: readonly OpenPosition[];
}

/** What the sidebar lists. */
export interface PositionList {
  /** All listed positions, in order. */
  readonly positions: readonly OpenPosition[];
  /** Empty if the list is not grouped, or by wallet. */
  readonly groups: readonly PositionGroup[];
  /** Over the listed positions. */
  readonly totals: PortfolioTotals;
  /** Number of positions that the filter hides. */
  readonly hidden: number;
}

/**
 * Filters, sorts and groups positions. Unknown figures come last in every order.
 * @param allTotals the sums over `all`, if they are known already
 */
export function listPositions(
  all: readonly OpenPosition[],
  { sortBy, groupBy, filter }: PositionListOptions,
  allTotals?: PortfolioTotals,
): PositionList {
  const positions = sorted(
    all.filter((position) => isListed(position, filter)),
    sortBy,
  );
  return {
    positions,
    groups: groupBy === 'none' || groupBy === 'wallet' ? [] : grouped(positions, groupBy),
    totals: allTotals !== undefined && positions.length === all.length ? allTotals : totalsOf(positions),
    hidden: all.length - positions.length,
  };
}

function isListed(position: OpenPosition, filter: PositionListFilter): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'outOfRange':
      return rangeStatus(position) === 'outOfRange';
    case 'inRange':
      return rangeStatus(position) === 'inRange';
    case 'profit':
      return (position.pnl.usd ?? 0) > 0;
    case 'loss':
      return (position.pnl.usd ?? 0) < 0;
  }
}

function sorted(positions: readonly OpenPosition[], by: PositionSort): readonly OpenPosition[] {
  if (by === 'attention') {
    return inAttentionOrder(positions);
  }
  if (by === 'pair') {
    return positions.toSorted((a, b) => compareText(a.pairName.toLowerCase(), b.pairName.toLowerCase()) || compareText(a.key, b.key));
  }
  return positions.toSorted((a, b) => descending(figureOf(a, by), figureOf(b, by)) || compareText(a.key, b.key));
}

function figureOf(position: OpenPosition, by: Exclude<PositionSort, 'attention' | 'pair'>): number | undefined {
  switch (by) {
    case 'pnlPercent':
      return position.pnlPercent.usd;
    case 'pnl':
      return position.pnl.usd;
    case 'value':
      return position.value.usd;
    case 'fees':
      return position.uncollectedFee.usd;
    case 'age':
      return position.ageHours;
  }
}

function descending(a: number | undefined, b: number | undefined): number {
  const [left, right] = [known(a), known(b)];
  return left === right ? 0 : right > left ? 1 : -1;
}

/** NaN has no place in an order. */
function known(figure: number | undefined): number {
  return figure === undefined || Number.isNaN(figure) ? -Infinity : figure;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const STATUS_ORDER: readonly RangeStatus[] = ['outOfRange', 'unknown', 'inRange', 'none'];

function grouped(positions: readonly OpenPosition[], by: GroupedBy): readonly PositionGroup[] {
  const groups = new Map<string, OpenPosition[]>();
  for (const position of positions) {
    const key = by === 'range' ? rangeStatus(position) : (position.pool ?? '');
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, [position]);
    } else {
      group.push(position);
    }
  }
  // Groups of pools are in the order of their first positions.
  const keys = by === 'range' ? STATUS_ORDER.filter((status) => groups.has(status)) : [...groups.keys()];
  return keys.map((key) => ({ key, by, positions: groups.get(key) ?? [] }));
}

/** The name of a position among others of other pairs: the pair, and the kind of a DAMM v2 position, which has no range to look after. */
export function positionName({ pairName, poolType }: Pick<OpenPosition, 'pairName' | 'poolType'>): string {
  return poolType === 'dammV2' ? `${plainText(pairName)} DAMM v2` : plainText(pairName);
}

/** What tells a position from others in its name. */
export type NamedPosition = Pick<OpenPosition, 'key' | 'pairName' | 'poolType' | 'binStepBps' | 'lowerBinId' | 'upperBinId' | 'address'>;

/**
 * A name for each position that no other one has: its {@link positionName}; with its bin step if that repeats; with its range if that repeats, too; and with
 * its address if two positions have the same range.
 * @returns by the key of the position
 */
export function positionNames(positions: readonly NamedPosition[], locale: Locale = displayLocale()): ReadonlyMap<string, string> {
  const keyOf = ({ key }: NamedPosition): string => key;
  const pairs = new Map<string, string>(positions.map((position) => [position.key, positionName(position)]));
  const withKind = longerWhereRepeated(positions, keyOf, pairs, (pair, position) => `${pair} ${kindOf(position)}`.trimEnd());
  const withRange = longerWhereRepeated(positions, keyOf, withKind, (name, position) => {
    const range = rangeOf(position, locale);
    return range === undefined ? name : `${pairs.get(position.key) ?? ''} ${range}`;
  });
  return longerWhereRepeated(positions, keyOf, withRange, (name, { address }) =>
    address === undefined ? name : `${name} (${shortAddress(address)})`,
  );
}

/** Names of positions by their keys. */
export type NamesByKey = ReadonlyMap<string, string>;

export function nameIn(names: NamesByKey, position: OpenPosition): string {
  return names.get(position.key) ?? positionName(position);
}

/** The name of one position among those that are listed, as in their rows. */
export function nameAmong(position: OpenPosition, listed: readonly OpenPosition[]): string {
  return nameIn(positionNames(listed), position);
}

/** Keeps {@link positionNames} for as long as the positions have the same pairs, ranges and addresses: most reads change figures only. */
export class PositionNames {
  readonly #locale: Locale;
  #named: ReadonlyMap<string, OpenPosition> = new Map();
  #names: ReadonlyMap<string, string> = new Map();

  constructor(locale: Locale = displayLocale()) {
    this.#locale = locale;
  }

  /** @returns by the key of the position */
  of(positions: readonly OpenPosition[]): ReadonlyMap<string, string> {
    if (positions.length !== this.#named.size || !positions.every((position) => isNamedLike(position, this.#named.get(position.key)))) {
      this.#named = new Map(positions.map((position) => [position.key, position]));
      this.#names = positionNames(positions, this.#locale);
    }
    return this.#names;
  }
}

function isNamedLike(one: OpenPosition, other: OpenPosition | undefined): boolean {
  return (
    other !== undefined &&
    one.pairName === other.pairName &&
    one.poolType === other.poolType &&
    one.binStepBps === other.binStepBps &&
    one.lowerBinId === other.lowerBinId &&
    one.upperBinId === other.upperBinId &&
    one.address === other.address
  );
}

function kindOf({ poolType, binStepBps }: NamedPosition): string {
  return poolType === 'dammV2' || binStepBps === undefined ? '' : l10n.t`${binStepBps} bps`;
}

function rangeOf({ lowerBinId, upperBinId }: NamedPosition, locale: Locale): string | undefined {
  return lowerBinId === undefined || upperBinId === undefined ? undefined : `${binId(lowerBinId, locale)} … ${binId(upperBinId, locale)}`;
}
