import type { Pool } from '../service/pools';
import type { DiscoverQuery } from '../service/service';

/** Default page size. */
const DEFAULT_POOL_PAGE_SIZE = 20;

/** The service's maximum page size. */
const MAX_PAGE_SIZE = 100;

/** A page to request. */
export interface PageRequest {
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
}

/** The page that comes after the first `covered` places of the ranking. Overlaps them where these end within a page. */
export function nextPage(query: DiscoverQuery, covered: number): PageRequest {
  const pageSize = query.pageSize ?? DEFAULT_POOL_PAGE_SIZE;
  return { page: Math.floor(covered / pageSize) + 1, pageSize };
}

/** The pages that read the first `covered` places of the ranking anew, with as few requests as can be; the first page at least. */
export function pagesToRefresh(query: DiscoverQuery, covered: number): PageRequest[] {
  const pageSize = query.pageSize ?? DEFAULT_POOL_PAGE_SIZE;
  const size = Math.min(Math.max(covered, pageSize), MAX_PAGE_SIZE);
  const count = Math.max(Math.ceil(covered / size), 1);
  return Array.from({ length: count }, (_, index) => ({ page: index + 1, pageSize: size }));
}

/** How many places of the ranking are covered once this page has been read. */
export function coveredBy(request: PageRequest): number {
  return request.page * request.pageSize;
}

/** Pools in the order given, each address once: rankings move between two pages, and then a pool comes twice. */
export function uniquePools(pools: readonly Pool[]): Pool[] {
  return uniqueBy(pools, (pool) => pool.address);
}

/** The first item of each key, in the order given. */
export function uniqueBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const key = keyOf(item);
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  });
}
