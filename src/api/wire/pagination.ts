import type { Page } from '../records/money';
import { readRecord, type Reading } from './reading';
import { flag, group, integer } from './scalars';

/** The pagination objects of all endpoints (spec §2.6 and the published contract) in one. */
const paginationRecord = group({
  currentPage: integer,
  page: integer,
  pageSize: integer,
  limit: integer,
  totalCount: integer,
  total: integer,
  totalPages: integer,
  hasNextPage: flag,
});

/** What was asked for, and how many records came. */
export interface Asked {
  readonly page: number | undefined;
  readonly pageSize: number | undefined;
  readonly received: number;
}

/** Reads a pagination object. Without one the answer is taken to be all there is. */
export function readPagination(raw: unknown, path: string, reading: Reading, asked: Asked): Omit<Page<unknown>, 'items' | 'oddities'> {
  const wire = readRecord(paginationRecord, raw, path, reading);
  const page = wire?.currentPage ?? wire?.page ?? asked.page ?? 1;
  const pageSize = wire?.pageSize ?? wire?.limit ?? asked.pageSize ?? asked.received;
  const totalCount = wire?.totalCount ?? wire?.total;
  const totalPages = wire?.totalPages ?? (totalCount === undefined || pageSize < 1 ? undefined : Math.ceil(totalCount / pageSize));
  return {
    page,
    pageSize,
    totalCount,
    totalPages,
    // An empty page is the last one, whatever it says: otherwise a reader of all pages would never end.
    hasNextPage: asked.received > 0 && (wire?.hasNextPage ?? (totalPages !== undefined && page < totalPages)),
  };
}
