import * as z from 'zod';
import type { Address } from '../../../base/solana/address';
import type { RevenueParameters } from '../../../engine/engine';
import { balanceRecord, isListedBalance } from '../../../engine/wire/balanceRecord';
import { NO_WORTH } from '../../../engine/state/figures';
import { type KnownResults, overviewRecord, type ResultPosition, revenueRecord } from '../../../engine/records/ownerResults';
import type { WireTokenBalance } from '../../../engine/wire/balanceRecord';
import type { WireOverview, WireRevenue } from '../../../engine/wire/overviewRecord';
import { poolTypeNamed, type RecordContext, recordToken } from './recordContext';

/**
 * Open and closed positions of an owner. A position whose index lags counts as before the landing: a closed one as open, and one that was
 * just opened not at all. Parameters: owner (1), time (2).
 */
const OWNED = `
SELECT p.pool, p.type, p.opened_at, p.updated_at, CASE WHEN l.record IS NULL THEN p.closed_at END AS closed_at,
  p.input_usd, p.input_native, p.output_usd, p.output_native, p.fee_usd, p.fee_native
FROM position p LEFT JOIN lagging_record l ON l.position = p.address AND l.until > ?2
WHERE p.owner = ?1 AND (l.position IS NULL OR l.record IS NOT NULL) ORDER BY p.opened_at, p.address`;

const OwnedRow = z.object({
  pool: z.string(),
  type: z.enum(['bins', 'product']),
  opened_at: z.number(),
  updated_at: z.number(),
  closed_at: z.number().nullable(),
  input_usd: z.number(),
  input_native: z.number(),
  output_usd: z.number(),
  output_native: z.number(),
  fee_usd: z.number(),
  fee_native: z.number(),
});

/** Results of an owner with a protocol. @throws EngineError without positions */
export function ownerOverview(context: RecordContext, owner: Address, protocol: string): WireOverview {
  return overviewRecord(owner, protocol, resultsOf(context, owner, [protocol]), context.market.now);
}

/** Profit of an owner's closed positions by day, week or month, oldest first. */
export function ownerRevenue(context: RecordContext, parameters: RevenueParameters): WireRevenue {
  return revenueRecord(resultsOf(context, parameters.owner, parameters.protocols), parameters, context.market.now);
}

function resultsOf(context: RecordContext, owner: Address, protocols: readonly string[] | undefined): KnownResults {
  const { database, market } = context;
  const types = protocols?.map((name) => poolTypeNamed(context, name));
  const rows = database.all(OwnedRow, OWNED, owner, market.now).filter(({ type }) => types === undefined || types.includes(type));
  return { positions: rows.map(resultOf), wholeSince: 0 };
}

function resultOf(row: z.output<typeof OwnedRow>): ResultPosition {
  return {
    pool: row.pool,
    closed: row.closed_at !== null,
    openedAt: row.opened_at,
    updatedAt: row.updated_at,
    closedAt: row.closed_at,
    input: { usd: row.input_usd, native: row.input_native },
    output: { usd: row.output_usd, native: row.output_native },
    collectedFee: { usd: row.fee_usd, native: row.fee_native },
    collectedReward: NO_WORTH,
  };
}

/** Balances of an owner. Unknown mints are left out. */
export function tokenBalances(
  { market, chain }: RecordContext,
  owner: Address,
  mints: readonly string[] | undefined,
): readonly WireTokenBalance[] {
  return market.tokens
    .map((token) => {
      const tokens = chain.tokenBalance(owner, token.mint);
      return { token, tokens, raw: token.mint === market.sol.mint ? chain.lamports(owner) + tokens : tokens };
    })
    .filter(({ token, raw }) => isListedBalance(token.mint, raw, mints))
    .map(({ token, tokens, raw }) => balanceRecord(recordToken(token), raw, market.usd(token), tokens));
}
