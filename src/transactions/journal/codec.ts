import * as l10n from '@vscode/l10n';
import { isUtf8 } from 'node:buffer';
import * as z from 'zod';
import type { Spends } from '../../review/types';
import { OPERATION_KINDS } from '../../base/operationKinds';
import { JournalError } from './errors';
import { known, LONGEST_TEXT, text, writtenAddress, writtenAmount } from '../../base/solana/writtenFields';
import type { Reason } from '../../base/reasons/reason';
import { writtenReason } from '../../base/reasons/reasonSchema';
import { writtenForecast } from './forecast';
import { MOST_PARTS, tokenFields, writtenPlan } from './plans';
import type { JournalEvent } from './types';

// The file format: UTF-8, one event per line as JSON. Besides the event a line has its index within the operation (`n`, from 0) and its
// writer (`by`). If two writers wrote the same index, the first line in the file counts.

/**
 * The format version that this version writes, in every line: it may continue an operation that an earlier version began. Files of later
 * versions are left alone. 1: reasons are sentences.
 */
export const FORMAT = 2;

const texts = z.array(text).max(MOST_PARTS);
const pricedToken = z.object({ ...tokenFields, priceUsd: known(text) });
const changes = known(
  z.object({ lamports: writtenAmount, tokens: z.array(z.object({ mint: writtenAddress, changeRaw: writtenAmount })).max(MOST_PARTS) }),
);

const spends = z.object({
  consumedLamports: writtenAmount,
  wrappedLamports: writtenAmount,
  networkFeeLamports: writtenAmount,
  priorityFeeLamports: writtenAmount,
  tipLamports: writtenAmount,
  refundableRentLamports: writtenAmount,
  spentRentLamports: writtenAmount,
  otherLamports: writtenAmount,
}) satisfies z.ZodType<Spends>;

/** The meaning of a reason that version 0.2.0 wrote beside the sentence. */
const code = z.unknown().optional();
const MEANINGS = ['serviceAnswered', 'closedBeforeSending', 'declinedReentry'] as const;

/** Keeps the meaning of a sentence by version 0.2.0 with the sentence. */
function withMeaning<Given extends Reason | undefined>(reason: Given, written: unknown): Given {
  return reason?.code === 'told' ? { ...reason, meaning: reason.meaning ?? MEANINGS.find((meaning) => meaning === written) } : reason;
}

const count = z.int().min(0);
const atMs = z.number();
const event = z.discriminatedUnion('kind', [
  z.object({
    atMs,
    kind: z.literal('created'),
    operation: z.enum(OPERATION_KINDS),
    service: text,
    owner: writtenAddress,
    pool: known(writtenAddress),
    poolType: known(z.enum(['dlmm', 'dammV2'])),
    pairName: text,
    plan: writtenPlan,
    parent: known(text),
    finishes: known(text),
    tokens: known(z.array(pricedToken).max(MOST_PARTS)),
  }),
  z.object({
    atMs,
    kind: z.literal('built'),
    position: known(writtenAddress),
    transactions: z.int().min(0),
    messageHashes: texts,
    blockhashes: texts,
    lastValidBlockHeight: known(z.number()),
  }),
  z.object({
    atMs,
    kind: z.literal('reviewed'),
    verdict: z.enum(['allow', 'confirm', 'block']),
    rules: texts,
    promised: known(z.array(z.object({ mint: writtenAddress, leastRaw: writtenAmount })).max(MOST_PARTS)),
  }),
  z.object({
    atMs,
    kind: z.literal('approved'),
    by: z.enum(['user', 'automation']),
    messageHashes: known(texts),
    terms: known(text),
    isCarriedOver: known(z.boolean()),
    forecast: writtenForecast,
  }),
  z.object({
    atMs,
    kind: z.literal('signed'),
    signatures: texts,
    spends,
    swapCostLamports: known(writtenAmount),
    messageHashes: known(texts),
  }),
  z.object({ atMs, kind: z.literal('submitted'), lamportsBefore: known(writtenAmount), balanceFrom: known(z.enum(['rpc', 'service'])) }),
  z.object({ atMs, kind: z.literal('landed'), signature: known(text) }),
  z
    .object({ atMs, kind: z.literal('unconfirmed'), reason: writtenReason, code })
    .transform(({ code: written, ...rest }) => ({ ...rest, reason: withMeaning(rest.reason, written) })),
  z
    .object({
      atMs,
      kind: z.literal('settled'),
      lamportsBack: known(writtenAmount),
      shortfall: known(writtenReason),
      code,
      landedTransactions: known(count),
      changes,
    })
    .transform(({ code: written, ...rest }) => ({ ...rest, shortfall: withMeaning(rest.shortfall, written) })),
  z.object({ atMs, kind: z.literal('expired'), reason: writtenReason }),
  z.object({
    atMs,
    kind: z.literal('failed'),
    reason: writtenReason,
    landedTransactions: known(count),
    changes,
    isUnclear: known(z.boolean()),
  }),
  z
    .object({ atMs, kind: z.literal('abandoned'), reason: writtenReason, code })
    .transform(({ code: written, ...rest }) => ({ ...rest, reason: withMeaning(rest.reason, written) })),
  z.object({ atMs, kind: z.literal('seen'), reason: writtenReason }),
]) satisfies z.ZodType<JournalEvent>;

/** The index and writer of a line. Read without a schema, because it is read from every line of every file. */
interface Place {
  readonly n: number;
  readonly format: number;
}

const LONGEST_WRITER = 64;

function placeOf(json: unknown): Place | undefined {
  if (typeof json !== 'object' || json === null) {
    return undefined;
  }
  const { n, by, format = FORMAT } = json as Readonly<Record<string, unknown>>;
  const isOne = typeof n === 'number' && Number.isSafeInteger(n) && n >= 0 && typeof by === 'string' && by.length <= LONGEST_WRITER;
  return isOne && typeof format === 'number' && Number.isSafeInteger(format) ? { n, format } : undefined;
}

/** An event as written, and as it will be read back. */
export interface JournalLine {
  readonly line: string;
  readonly event: JournalEvent;
}

/**
 * Returns the line of an event, with its newline. Overlong texts are cut.
 * @param n index of the event within its operation, from 0
 * @throws JournalError (`notWritten`) if it could not be read back
 */
export function journalLine(happened: JournalEvent, n: number, by: string): JournalLine {
  const line = JSON.stringify({ n, by, format: FORMAT, ...happened }, (_, value: unknown) => plain(value));
  const read = event.safeParse(JSON.parse(line));
  if (!read.success) {
    throw new JournalError('notWritten', `The operation journal can't be written: "${happened.kind}" is not valid${issueOf(read.error)}.`);
  }
  return { line: `${line}\n`, event: read.data };
}

/** Converts a value to what JSON can hold. */
function plain(value: unknown): unknown {
  switch (typeof value) {
    case 'bigint':
      return value.toString();
    case 'undefined':
      return null;
    case 'string':
      return value.slice(0, LONGEST_TEXT);
    default:
      return value;
  }
}

function issueOf(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue === undefined ? '' : ` (${[issue.path.join('.'), issue.message].filter((part) => part !== '').join(': ')})`;
}

export interface FileContents {
  readonly events: readonly JournalEvent[];
  /** Bytes up to and including the last newline; the rest was torn off by a crash and is not an event. */
  readonly wholeBytes: number;
  /** Why it can't be read from some line on; `undefined`: all of it was read. */
  readonly problem: string | undefined;
  /** Written by a later version of Binsight: not damaged, only not understood. */
  readonly isOfLaterVersion: boolean;
}

const NEWLINE = 0x0a;

/** Reads the bytes of a file. Never throws: returns everything up to the first unreadable line. */
export function readLines(bytes: Uint8Array): FileContents {
  const wholeBytes = bytes.lastIndexOf(NEWLINE) + 1;
  const isText = isUtf8(bytes.subarray(0, wholeBytes));
  const events: JournalEvent[] = [];
  const stopped = (problem: string, isOfLaterVersion = false): FileContents => ({ events, wholeBytes, problem, isOfLaterVersion });
  let number = 0;
  for (let from = 0; from < wholeBytes;) {
    const end = bytes.indexOf(NEWLINE, from);
    const line = bytes.subarray(from, end);
    const json = isText || isUtf8(line) ? parsedJson(line) : undefined;
    from = end + 1;
    number += 1;
    const at = placeOf(json);
    if (at === undefined) {
      return stopped(invalidLine(number));
    }
    if (at.format > FORMAT) {
      return stopped(l10n.t('A later version of Binsight wrote it.'), true);
    }
    const read = event.safeParse(json);
    if (!read.success) {
      return stopped(invalidLine(number, issueOf(read.error)));
    }
    if (at.n > events.length) {
      return stopped(invalidLine(number));
    }
    // A second line with the same index is from a writer that lost the race; that writer got an error and stopped.
    if (at.n === events.length) {
      events.push(read.data);
    }
  }
  return { events, wholeBytes, problem: undefined, isOfLaterVersion: false };
}

/** @param line in UTF-8 */
function parsedJson(line: Uint8Array): unknown {
  try {
    return JSON.parse(textOf(line));
  } catch {
    return undefined;
  }
}

/** A byte order mark is kept, and then rejected by the JSON parser. */
function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
}

/** @param where in the line, and what is wrong there */
const invalidLine = (number: number, where = ''): string => l10n.t`Line ${number} is not valid${where}.`;
