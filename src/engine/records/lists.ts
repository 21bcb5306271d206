import type { KnownOrNull } from '../state/figures';

/** A page of a list. Pages count from 1. */
export interface PageOf {
  readonly page: number;
  readonly pageSize: number;
}

/** The items of a page. */
export function onPage<Item>(items: readonly Item[], { page, pageSize }: PageOf): readonly Item[] {
  return items.slice((page - 1) * pageSize, page * pageSize);
}

/** Number of pages of a list. */
export function pageCount(items: number, pageSize: number): number {
  return Math.ceil(items / pageSize);
}

/**
 * Orders items by a figure. Unknown ones come last, whatever the direction, in the given order.
 * @param compare orders those with the same figure, in the same direction; default: they keep their order
 */
export function inOrder<Item>(
  items: readonly Item[],
  figureOf: (item: Item) => KnownOrNull,
  order: 'asc' | 'desc',
  compare: (one: Item, other: Item) => number = () => 0,
): readonly Item[] {
  const direction = order === 'asc' ? 1 : -1;
  return items
    .map((item) => ({ item, figure: figureOf(item) }))
    .sort((one, other) =>
      one.figure === null || other.figure === null
        ? Number(one.figure === null) - Number(other.figure === null)
        : direction * (one.figure - other.figure || compare(one.item, other.item)),
    )
    .map(({ item }) => item);
}
