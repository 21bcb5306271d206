import * as z from 'zod';
import type { Strategy } from '../../../base/dlmm/strategy';
import { addressBytes } from '../../../base/solana/address';
import type { ProtocolNames } from '../../../server/engine';
import type { WirePeriod } from '../../../server/wire/results';
import type { WireTokenInfo } from '../../../server/wire/positions';
import type { Chain } from '../../chain/types';
import type { Database } from '../../store/database';
import { DAY } from '../units';
import type { Market, PoolToken, PoolKind } from '../types';

/**
 * Sources of records: the database for stored facts, the market for present values. They agree only after a commit.
 */
export interface RecordContext {
  readonly database: Database;
  readonly market: Market;
  readonly chain: Chain;
  readonly protocols: ProtocolNames;
}

/** The pool type of a protocol name; `undefined` if the name is unknown. */
export function poolTypeNamed({ protocols }: RecordContext, name: string): PoolKind | undefined {
  return name === protocols.bins ? 'bins' : name === protocols.product ? 'product' : undefined;
}

/**
 * SQL condition: the index of `position` p does not lag. A lagging position is listed with its record in `lagging_record`.
 * @param now placeholder of the time
 */
export function isIndexed(now: string): string {
  return `NOT EXISTS (SELECT 1 FROM lagging_record l WHERE l.position = p.address AND l.until > ${now})`;
}

const SPAN_DAYS = { '7D': 7, '1M': 30, '3M': 90, '1Y': 365 } as const;

/** Start of a period that ends `now`, milliseconds since 1970. Days have 24 hours; `YTD` starts with the year in UTC. */
export function periodStart(period: WirePeriod, now: number): number {
  switch (period) {
    case 'ALL':
      return 0;
    case 'YTD':
      return Date.UTC(new Date(now).getUTCFullYear(), 0, 1);
    default:
      return now - SPAN_DAYS[period] * DAY;
  }
}

/** The only chain. */
export const CHAIN_NAME = 'SOL';

/** Significant digits of a double, and the most places of `toFixed`. */
const DIGITS = 17;
const MAX_PLACES = 100;

/** ISO 8601, UTC, with milliseconds. */
export function isoDate(at: number): string {
  return new Date(at).toISOString();
}

/** `YYYY-MM-DD HH:MM:SS.mmm`, UTC. */
export function plainDate(at: number): string {
  return new Date(at).toISOString().replace('T', ' ').replace('Z', '');
}

/** A quotient; 0 if the divisor is 0. */
export function ratio(part: number, of: number): number {
  return of === 0 ? 0 : part / of;
}

/** Percent of a rate over 1e9. */
export function percentOf(numerator: bigint): number {
  return Number(numerator) / 1e7;
}

/** Decimal text of a non-negative number, without an exponent even if it is tiny. */
export function decimalText(value: number): string {
  const text = String(value);
  return text.includes('e-') ? value.toFixed(Math.min(MAX_PLACES, DIGITS - 1 - Math.floor(Math.log10(value)))) : text;
}

/** The service's name of a strategy. */
export function strategyType(strategy: Strategy): string {
  return `${strategy}ImBalanced`;
}

/** The token as position records show it. */
export function tokenInfo(token: PoolToken): WireTokenInfo {
  const { spec, mint } = token;
  return { token_symbol: spec.symbol, token_name: spec.name, token_decimals: spec.decimals, token_address: mint, logo: logoOf(token) };
}

/** A data URL with a logo: the token's initial on a disc whose color is derived from the mint. */
export function logoOf({ spec, mint }: PoolToken): string {
  const [high = 0, low = 0] = addressBytes(mint);
  const hue = (256 * high + low) % 360;
  const disc = `<circle cx='16' cy='16' r='16' fill='hsl(${hue},55%,45%)'/>`;
  const initial = `<text x='16' y='22' font-size='18' text-anchor='middle' fill='white'>${spec.symbol.charAt(0).toUpperCase()}</text>`;
  return `data:image/svg+xml,${encodeURI(`<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'>${disc}${initial}</svg>`)}`;
}

/** Number of pages of a list. */
export function pageCount(items: number, pageSize: number): number {
  return Math.ceil(items / pageSize);
}

/** A row with a count. */
export const CountRow = z.object({ count: z.int() }).transform(({ count }) => count);
