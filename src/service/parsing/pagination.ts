import type { Page } from '../common';
import { hasFields } from './envelope';
import { readRecord, type ParseContext } from './records';
import { flag, group, integer } from './fields';

/** The pagination objects of all endpoints in one schema. */
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

/** Any of these fields marks a record as a pagination object, even if it has other fields. */
const TELLING = ['totalPages', 'totalCount', 'hasNextPage', 'currentPage'] as const;

/**
 * Finds the pagination of an answer: in `data` beside the list, beside `data`, or as fields without an object of their own. The nearest one to
 * the list counts.
 * @param body the whole answer
 * @param data what is under `data`
 * @returns the object, or `undefined`, and its path
 */
function paginationOf(body: unknown, data: unknown): { readonly raw: unknown; readonly path: string } {
  const places = [
    { raw: hasFields(data) ? data.pagination : undefined, path: 'data.pagination' },
    { raw: hasFields(body) ? body.pagination : undefined, path: 'pagination' },
  ];
  const flat = [
    { raw: data, path: 'data' },
    { raw: body, path: '' },
  ];
  return (
    places.find(({ raw }) => hasFields(raw)) ??
    flat.find(({ raw }) => hasFields(raw) && TELLING.some((name) => name in raw)) ??
    // A value that is not a record is reported when it is read.
    places.find(({ raw }) => raw !== undefined && raw !== null) ?? { raw: undefined, path: 'pagination' }
  );
}

/** The requested page, and the number of received records. */
export interface Asked {
  readonly page: number | undefined;
  readonly pageSize: number | undefined;
  readonly received: number;
}

/** Reads the pagination of an answer. Without one, the answer counts as complete. */
export function readPagination(
  body: unknown,
  data: unknown,
  reading: ParseContext,
  asked: Asked,
): Omit<Page<unknown>, 'items' | 'oddities'> {
  const { raw, path } = paginationOf(body, data);
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
    // An empty page is always the last one: otherwise reading all pages might never end.
    hasNextPage: asked.received > 0 && (wire?.hasNextPage ?? (totalPages !== undefined && page < totalPages)),
  };
}
