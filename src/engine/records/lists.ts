import type { KnownOrNull } from '../state/figures';

/** A page of a list. Pages count from 1. */
export interface PageOf {
  readonly page: number;
  readonly pageSize: number;
}

export function onPage<Item>(items: readonly Item[], { page, pageSize }: PageOf): readonly Item[] {
  return items.slice((page - 1) * pageSize, page * pageSize);
}

/** Number of pages of a list. */
export function pageCount(items: number, pageSize: number): number {
  return Math.ceil(items / pageSize);
}

/**
 * Puts lists together that are in an order each, and stay so: the items at the beginning of the lists suffice for the beginning of the result.
 * Of several next items the one that comes first by its figure is taken, one with an unknown figure only after the others.
 */
export function merge<Item>(
  lists: readonly (readonly { readonly item: Item; readonly figure: KnownOrNull }[])[],
  order: 'asc' | 'desc',
): readonly Item[] {
  const direction = order === 'asc' ? 1 : -1;
  const rankOf = (figure: KnownOrNull | undefined): number => (figure === null || figure === undefined ? Infinity : direction * figure);
  const places = lists.map(() => 0);
  const merged: Item[] = [];
  for (;;) {
    const heads = lists.flatMap((list, of) => {
      const head = list[places[of] ?? 0];
      return head === undefined ? [] : [{ of, item: head.item, rank: rankOf(head.figure) }];
    });
    const [first] = heads.sort((one, other) => (one.rank < other.rank ? -1 : one.rank > other.rank ? 1 : 0));
    if (first === undefined) {
      return merged;
    }
    merged.push(first.item);
    places[first.of] = (places[first.of] ?? 0) + 1;
  }
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
