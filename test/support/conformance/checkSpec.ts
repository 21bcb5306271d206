import assert from 'node:assert/strict';
import * as z from 'zod';
import { type AllowedNulls, fieldAt } from './differences';
import {
  BALANCE,
  DISCOVERED_POOL,
  HISTORICAL_RECORD,
  LPER,
  OPENING_RECORD,
  OVERVIEW,
  PAGINATION,
  POOL_INFO,
  PRODUCT_POOL_INFO,
} from './specRecords';

const Transactions = z.array(z.base64().min(100));
const Height = z.int().positive();
const Signature = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/, 'a signature in base58');

const price = z.number().positive();
/** Candles that are made from recorded prices have no volume. */
const CANDLE = z
  .object({ time: z.int().positive(), open: price, high: price, low: price, close: price, volume: z.number().nonnegative().nullable() })
  .refine(({ open, high, low, close }) => low <= Math.min(open, close) && high >= Math.max(open, close), 'low and high enclose the prices');

const word = z.string().regex(/^\d+$/, 'a whole number as text');
const SNAPSHOT = z.object({
  timeS: z.int().positive(),
  slot: z.int().positive(),
  activeBinId: z.int(),
  activeX: word,
  activeY: word,
  bins: z.array(z.object({ binId: z.int(), supply: word, feeX: word, feeY: word })),
});

/** The wrapping of every success. */
const success = (shape: z.ZodRawShape): z.ZodType => z.looseObject({ status: z.literal('success'), ...shape });

/** Answers of the endpoints that the extension reads. More fields are allowed; none of these may be missing. */
const ANSWERS: readonly { readonly method: string; readonly path: RegExp; readonly answer: z.ZodType }[] = [
  {
    method: 'GET',
    path: /^\/lp-positions\/historical$/,
    answer: success({ data: z.looseObject({ data: z.array(HISTORICAL_RECORD), pagination: PAGINATION.historical }) }),
  },
  { method: 'GET', path: /^\/lp-positions\/overview$/, answer: success({ data: OVERVIEW }) },
  { method: 'GET', path: /^\/lp-positions\/opening$/, answer: success({ count: z.int(), data: z.array(OPENING_RECORD) }) },
  { method: 'GET', path: /^\/pools\/discover$/, answer: success({ data: z.array(DISCOVERED_POOL), pagination: PAGINATION.discover }) },
  { method: 'GET', path: /^\/pools\/[^/]+\/info$/, answer: success({ data: z.union([POOL_INFO, PRODUCT_POOL_INFO]) }) },
  {
    method: 'GET',
    path: /^\/pools\/[^/]+\/candles$/,
    answer: success({ data: z.looseObject({ timeframe: z.enum(['5m', '30m', '1h', '4h', '24h']), candles: z.array(CANDLE) }) }),
  },
  {
    method: 'GET',
    path: /^\/pools\/[^/]+\/counters$/,
    answer: success({
      data: z.looseObject({
        binStepBps: z.int().positive(),
        snapshots: z.array(SNAPSHOT).min(1),
        position: z.array(z.object({ binId: z.int(), share: word })).optional(),
      }),
    }),
  },
  { method: 'GET', path: /^\/pools\/[^/]+\/top-lpers$/, answer: success({ data: z.array(LPER), pagination: PAGINATION.topLpers }) },
  { method: 'GET', path: /^\/token\/balance$/, answer: success({ data: z.array(BALANCE) }) },
  {
    method: 'POST',
    path: /^\/position\/decrease-tx$/,
    answer: success({
      data: z.looseObject({ closeTxsWithJito: Transactions, swapTxsWithJito: Transactions, lastValidBlockHeight: Height }),
    }),
  },
  { method: 'POST', path: /^\/position\/landing-decrease-tx$/, answer: success({ data: z.looseObject({ signature: Signature }) }) },
  {
    method: 'POST',
    path: /^\/pools\/[^/]+\/add-tx$/,
    answer: success({
      data: z.looseObject({
        swapTxsWithJito: Transactions,
        addLiquidityTxsWithJito: Transactions.min(1),
        lastValidBlockHeight: Height,
        meta: z.looseObject({ positionPubKey: z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/) }),
      }),
    }),
  },
  { method: 'POST', path: /^\/pools\/landing-add-tx$/, answer: success({ data: z.looseObject({ signature: Signature }) }) },
];

/** A failure. Clients show its message. */
const FAILURE = z.looseObject({ status: z.literal('error'), message: z.string().min(1) });

/**
 * Checks an answer against the records of specRecords.ts. Answers of other endpoints only need the right wrapping.
 * @param path from the base path on, with or without a query
 * @param nulls which nulls the engine may answer against the records; without it, none
 * @throws AssertionError that says what does not fit
 */
export function checkSpec(method: string, path: string, status: number, body: unknown, nulls?: AllowedNulls): void {
  const [bare = ''] = path.split('?');
  const answer = status === 200 ? (ANSWERS.find((one) => one.method === method && one.path.test(bare))?.answer ?? success({})) : FAILURE;
  const read = answer.safeParse(body);
  const isAllowed = (issue: Issue, within: readonly PropertyKey[]): boolean => {
    const at = [...within, ...issue.path];
    if (issue.code === 'invalid_union') {
      return issue.errors.some((alternative) => alternative.every((inner) => isAllowed(inner, at)));
    }
    const { name, value } = fieldAt(body, at);
    return value === null && nulls?.isAllowed(method, path, name) === true;
  };
  const problems = (read.error?.issues ?? []).filter((issue) => !isAllowed(issue, []));
  assert.ok(
    problems.length === 0,
    `${method} ${path} answers ${status} with a body that does not fit the specification:\n${z.prettifyError({ issues: problems })}`,
  );
}

type Issue = z.core.$ZodIssue;
