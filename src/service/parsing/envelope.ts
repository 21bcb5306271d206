import { oneLine, quoted } from '../../base/text';
import type { Page, ParseWarning } from '../common';
import { ServiceError } from '../errors';
import { flag, group, integer } from './fields';
import { type ParseContext, readRecord } from './records';

const LONGEST_MESSAGE = 200;

type Fields = Readonly<Record<string, unknown>>;

/** True for an object that is not a list. */
export function hasFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for a field that is missing or null. */
export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

/** Returns the first non-empty text, shortened to one line. */
function firstText(...candidates: readonly unknown[]): string | undefined {
  for (const candidate of candidates) {
    const text = typeof candidate === 'string' ? oneLine(candidate, LONGEST_MESSAGE) : '';
    if (text !== '') {
      return text;
    }
  }
  return undefined;
}

/** Finds the message in an error body, in any of the shapes that the service has used. */
export function messageOf(body: unknown): string | undefined {
  if (!hasFields(body)) {
    return firstText(body);
  }
  const { message, error, data, detail } = body;
  const nested = hasFields(data) ? [data.message, data.error] : [];
  const listed = Array.isArray(message) ? [message.filter((part) => typeof part === 'string').join('; ')] : [];
  return firstText(message, ...listed, hasFields(error) ? error.message : error, ...nested, detail);
}

/**
 * True if the body of a 2xx answer reports a failure: a `status` other than "success", also within `data` (decrease-tx does so), or an
 * `error` instead of data.
 */
export function saysFailure(body: unknown): boolean {
  if (!hasFields(body)) {
    return false;
  }
  const { status, success, data, error } = body;
  return (
    (!isAbsent(status) && !(typeof status === 'string' && status.toLowerCase() === 'success')) ||
    success === false ||
    (hasFields(data) && data.status === 'error') ||
    (isAbsent(data) && !isAbsent(error))
  );
}

/**
 * Returns the `data` of an answer, or the answer itself if it is a list.
 * @throws ServiceError 'malformed' if there is no data
 */
export function dataOf(body: unknown, endpoint: string): unknown {
  if (Array.isArray(body)) {
    return body;
  }
  if (!hasFields(body) || body.data === undefined) {
    throw malformed(endpoint, 'data', 'is missing');
  }
  return body.data;
}

/** Returns a list; an empty one if the value is absent. @throws ServiceError 'malformed' that names the field */
export function listOf(value: unknown, endpoint: string, field: string): readonly unknown[] {
  if (isAbsent(value)) {
    return [];
  }
  if (!Array.isArray(value)) {
    throw malformed(endpoint, field, `is ${quoted(value)} instead of a list`);
  }
  return value;
}

/**
 * Returns the list of a page and its path: `data` itself, or the first of the named fields that is present.
 * @param names the fields that may hold the list, the usual one first
 * @throws ServiceError 'malformed' that names the field
 */
export function pageOf(
  data: unknown,
  endpoint: string,
  names: readonly [string, ...string[]],
): { readonly list: readonly unknown[]; readonly path: string } {
  // A page with a pagination and without a list is empty.
  const name = hasFields(data)
    ? (names.find((one) => !isAbsent(data[one])) ?? [...names, 'pagination'].find((one) => one in data))
    : undefined;
  if (name === 'pagination') {
    return { list: [], path: `data.${names[0]}` };
  }
  const path = name === undefined ? 'data' : `data.${name}`;
  return { list: listOf(hasFields(data) && name !== undefined ? data[name] : data, endpoint, path), path };
}

/** Returns a value as a record. @throws ServiceError 'malformed' that names the field */
export function fieldsOf(value: unknown, endpoint: string, field: string): Fields {
  if (!hasFields(value)) {
    throw malformed(endpoint, field, `is ${quoted(value)} instead of a record`);
  }
  return value;
}

/** Creates the error of a 2xx answer that violates the contract. */
export function malformed(endpoint: string, field: string, problem: string): ServiceError {
  return new ServiceError(`The service's answer to ${endpoint} cannot be used: "${field}" ${problem}.`, {
    kind: 'malformed',
    endpoint,
    field,
  });
}

/** The same with the last warning of a reader that dropped the whole record. */
export function unreadable(endpoint: string, field: string, warnings: readonly ParseWarning[]): ServiceError {
  return malformed(endpoint, field, warnings.at(-1)?.message ?? 'cannot be read');
}

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
): Omit<Page<unknown>, 'items' | 'warnings'> {
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
