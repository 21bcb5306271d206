import { addressBytes } from '../../../base/solana/address';
import type { ProtocolNames } from '../../../engine/engine';
import type { RecordToken } from '../../../engine/state/positionState';
import type { Chain } from '../../chain/types';
import type { Database } from '../../store/database';
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

/** Percent of a rate over 1e9. */
export function percentOf(numerator: bigint): number {
  return Number(numerator) / 1e7;
}

/** The token as records show it. */
export function recordToken(token: PoolToken): RecordToken {
  const { spec, mint } = token;
  return { mint, symbol: spec.symbol, name: spec.name, decimals: spec.decimals, logo: logoOf(token) };
}

/** A data URL with a logo: the token's initial on a disc whose color is derived from the mint. */
function logoOf({ spec, mint }: PoolToken): string {
  const [high = 0, low = 0] = addressBytes(mint);
  const hue = (256 * high + low) % 360;
  const disc = `<circle cx='16' cy='16' r='16' fill='hsl(${hue},55%,45%)'/>`;
  const initial = `<text x='16' y='22' font-size='18' text-anchor='middle' fill='white'>${spec.symbol.charAt(0).toUpperCase()}</text>`;
  return `data:image/svg+xml,${encodeURI(`<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'>${disc}${initial}</svg>`)}`;
}
