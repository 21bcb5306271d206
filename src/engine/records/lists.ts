import type { KnownOrNull } from './figures';

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

/** Orders figures; unknown ones come last, whatever the direction. Equal ones keep their order. */
export function inOrder<Item>(items: readonly Item[], figureOf: (item: Item) => KnownOrNull, order: 'asc' | 'desc'): readonly Item[] {
  const direction = order === 'asc' ? 1 : -1;
  return items
    .map((item) => ({ item, figure: figureOf(item) }))
    .sort(({ figure: one }, { figure: other }) =>
      one === null || other === null ? Number(one === null) - Number(other === null) : direction * (one - other),
    )
    .map(({ item }) => item);
}
