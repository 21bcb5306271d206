import type { Page } from '../common';
import { hasFields } from './envelope';
import { readRecord, type ParseContext } from './records';
import { flag, group, integer } from './fields';

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

/** Fields of which any one makes a record a pagination object, also where it holds other things. */
const TELLING = ['totalPages', 'totalCount', 'hasNextPage', 'currentPage'] as const;

/**
 * Finds the pagination of an answer. Services put it in `data` beside the list, beside `data`, or leave its fields there without a record of
 * their own (spec §2.6 and the clients of the public service). The nearest one to the list counts.
 * @param body the whole answer
 * @param data what is under `data`
 * @returns the object with the path at which it stands; `undefined` where there is none.
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
    // What stands there and is no record is reported when it is read.
    places.find(({ raw }) => raw !== undefined && raw !== null) ?? { raw: undefined, path: 'pagination' }
  );
}

/** What was asked for, and how many records came. */
export interface Asked {
  readonly page: number | undefined;
  readonly pageSize: number | undefined;
  readonly received: number;
}

/** Reads the pagination of an answer, wherever it stands. Without one the answer is taken to be all there is. */
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
    // An empty page is the last one, whatever it says: otherwise a reader of all pages would never end.
    hasNextPage: asked.received > 0 && (wire?.hasNextPage ?? (totalPages !== undefined && page < totalPages)),
  };
}
