import { ServiceError } from '../errors';
import type { ParseWarning } from '../common';
import { oneLine, quoted } from '../../base/text';

const LONGEST_MESSAGE = 200;

type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is an object with fields, and not a list. */
export function hasFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a field is not there, or null. */
export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

/** The first of these that is a text with something in it, shortened to one line. */
export function firstText(...candidates: readonly unknown[]): string | undefined {
  for (const candidate of candidates) {
    const text = typeof candidate === 'string' ? oneLine(candidate, LONGEST_MESSAGE) : '';
    if (text !== '') {
      return text;
    }
  }
  return undefined;
}

/** What an error body says of itself, in any of the shapes in which the service has been seen to answer. */
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
 * Whether the body of a success says that it is a failure: `status` other than "success", also within `data` (decrease-tx has been
 * seen to do so), or an `error` in place of data.
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
 * Gives the `data` of an answer; a list at the top level is its own data.
 * @throws ServiceError 'malformed' where there is no data.
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

/** Gives a list, or an empty one for null. @throws ServiceError 'malformed' naming the field. */
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
 * Gives the list of a page: `data` itself, or the first of these fields of it that is there.
 * @param names the fields under which the list may stand, the usual one first
 * @throws ServiceError 'malformed' naming the field.
 */
export function pageOf(
  data: unknown,
  endpoint: string,
  names: readonly [string, ...string[]],
): { readonly list: readonly unknown[]; readonly path: string } {
  // A page that has a pagination and no list is an empty one.
  const name = hasFields(data)
    ? (names.find((one) => !isAbsent(data[one])) ?? [...names, 'pagination'].find((one) => one in data))
    : undefined;
  if (name === 'pagination') {
    return { list: [], path: `data.${names[0]}` };
  }
  const path = name === undefined ? 'data' : `data.${name}`;
  return { list: listOf(hasFields(data) && name !== undefined ? data[name] : data, endpoint, path), path };
}

/** Gives an object with fields. @throws ServiceError 'malformed' naming the field. */
export function fieldsOf(value: unknown, endpoint: string, field: string): Fields {
  if (!hasFields(value)) {
    throw malformed(endpoint, field, `is ${quoted(value)} instead of a record`);
  }
  return value;
}

/** A success that does not fit the contract, in words that name endpoint and field. */
export function malformed(endpoint: string, field: string, problem: string): ServiceError {
  return new ServiceError(`The service's answer to ${endpoint} cannot be used: "${field}" ${problem}.`, {
    kind: 'malformed',
    endpoint,
    field,
  });
}

/** The same, from what a reader reported when it left the whole out. */
export function unreadable(endpoint: string, field: string, oddities: readonly ParseWarning[]): ServiceError {
  return malformed(endpoint, field, oddities.at(-1)?.message ?? 'cannot be read');
}
