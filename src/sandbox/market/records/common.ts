import { createHash } from 'node:crypto';
import type { Address } from '../../../solana/address';
import type { PoolToken } from '../pool';
import type { WireTokenInfo } from '../../wire/positions';

/** How bin pools are named on the wire. */
export const PROTOCOL = 'meteora';
/** The only chain there is. */
export const CHAIN_NAME = 'SOL';

/** ISO 8601, UTC, with milliseconds. */
export function isoDate(at: number): string {
  return new Date(at).toISOString();
}

/** `YYYY-MM-DD HH:MM:SS.mmm`, UTC. */
export function plainDate(at: number): string {
  return new Date(at).toISOString().replace('T', ' ').replace('Z', '');
}

/** A quotient that is 0 where there is nothing to divide by. */
export function ratio(part: number, of: number): number {
  return of === 0 ? 0 : part / of;
}

/**
 * The id under which an open position goes: opaque, other than its address, and in the form that the real service's have
 * (32 hex digits, a colon, 96 hex digits).
 */
export function opaqueId(seed: number, position: Address): string {
  const digest = (label: string): string => createHash('sha384').update(`${label} ${seed} ${position}`).digest('hex');
  return `${digest('id').slice(0, 32)}:${digest('position')}`;
}

/** A token beside a position. Pretend tokens have no pictures. */
export function tokenInfo({ spec, mint }: PoolToken): WireTokenInfo {
  return { token_symbol: spec.symbol, token_name: spec.name, token_decimals: spec.decimals, token_address: mint, logo: null };
}

/** Pages of a list, counted from 1. */
export function pageOf<Item>(items: readonly Item[], page: number, pageSize: number): { readonly items: readonly Item[]; readonly totalPages: number } {
  return { items: items.slice((page - 1) * pageSize, page * pageSize), totalPages: Math.ceil(items.length / pageSize) };
}
