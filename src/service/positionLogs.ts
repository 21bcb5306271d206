import type * as z from 'zod';
import type { Address } from '../base/solana/address';
import type { Listing } from './common';
import { hasFields } from './parsing/envelope';
import { decimal, flag, instant, integer, label, rawUnits, signature, solanaAddress, tokenDecimals, wireRecord } from './parsing/fields';
import { type FieldPath, type ParseContext, ParseWarnings, readRecords } from './parsing/records';

/** One event of a position (/lp-positions/logs). */
export interface PositionLog {
  readonly action: string;
  readonly owner: Address | undefined;
  /** Raw amounts without a sign: the action tells the direction. */
  readonly amount0: bigint | undefined;
  readonly amount1: bigint | undefined;
  readonly decimals0: number | undefined;
  readonly decimals1: number | undefined;
  readonly price0Usd: number | undefined;
  readonly price1Usd: number | undefined;
  readonly nativePriceUsd: number | undefined;
  readonly at: Date | undefined;
  readonly lowerBinId: number | undefined;
  readonly upperBinId: number | undefined;
  readonly bps: number | undefined;
  /** Of its transaction; services of others have none. */
  readonly signature: string | undefined;
  /** From public data, and not read from the chain yet: only where such events were asked for. */
  readonly isReported?: true;
}

/** A row of /lp-positions/logs, and of `logs` in an open position. */
const positionLogRecord = wireRecord({
  owner: solanaAddress,
  action: label,
  amount0: rawUnits,
  amount1: rawUnits,
  decimal0: tokenDecimals,
  decimal1: tokenDecimals,
  price0: decimal,
  price1: decimal,
  nativePrice: decimal,
  timestamp: instant,
  tickLower: integer,
  tickUpper: integer,
  bps: integer,
  signature,
  isReported: flag,
});

export function readPositionLogs(list: readonly unknown[], path: string, reading: ParseContext): PositionLog[] {
  return readRecords(positionLogRecord, list, path, reading, toPositionLog);
}

const LOG_FIELDS = Object.keys(positionLogRecord.shape);

/**
 * The events that a list of positions has for one of them. Few positions of a long list are opened, so the events are read on request.
 *
 * Two of them with the same `count` are the same to a comparison of positions: events are only ever added.
 */
export class ListedLogs {
  readonly count: number;
  /** Only the fields that are read, without nested lists and records, so they are bounded in depth. */
  readonly #entries: readonly unknown[];

  /** @param entries the entries of the list as received */
  constructor(entries: readonly unknown[]) {
    this.count = entries.length;
    this.#entries = entries.map(flat);
  }

  /** Reads the events. Unreadable ones are left out, with a warning. */
  read(): Listing<PositionLog> {
    // Events have no age, so the time of the answer does not matter.
    const reading = { warnings: new ParseWarnings(), nowMs: 0 };
    const items = readPositionLogs(this.#entries, 'logs', reading);
    return { items, warnings: reading.warnings.all() };
  }
}

function flat(entry: unknown): unknown {
  if (!hasFields(entry)) {
    return emptied(entry);
  }
  const kept: Record<string, unknown> = {};
  for (const name of LOG_FIELDS) {
    kept[name] = emptied(entry[name]);
  }
  return kept;
}

/** A list or record without its contents, which no field has; other values as they are. */
function emptied(value: unknown): unknown {
  return Array.isArray(value) ? [] : typeof value === 'object' && value !== null ? {} : value;
}

function toPositionLog(wire: z.output<typeof positionLogRecord>, place: FieldPath): PositionLog | undefined {
  if (wire.action === undefined && wire.timestamp === undefined) {
    place.warnings.add(place.path, 'left out: it says neither what was done nor when');
    return undefined;
  }
  return {
    action: wire.action ?? 'unknown',
    owner: wire.owner,
    // Some services report withdrawals as negative.
    amount0: magnitude(wire.amount0),
    amount1: magnitude(wire.amount1),
    decimals0: wire.decimal0,
    decimals1: wire.decimal1,
    price0Usd: wire.price0,
    price1Usd: wire.price1,
    nativePriceUsd: wire.nativePrice,
    at: wire.timestamp,
    lowerBinId: wire.tickLower,
    upperBinId: wire.tickUpper,
    bps: wire.bps,
    signature: wire.signature,
    ...(wire.isReported === true ? { isReported: true as const } : {}),
  };
}

function magnitude(amount: bigint | undefined): bigint | undefined {
  return amount !== undefined && amount < 0n ? -amount : amount;
}
