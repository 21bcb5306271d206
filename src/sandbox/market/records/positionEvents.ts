import * as z from 'zod';
import { MAX_BIN_ID, MIN_BIN_ID } from '../../../dlmm/bins';
import { STRATEGIES } from '../../../dlmm/strategy';
import type { WirePositionLog } from '../../wire/positions';
import type { Pool } from '../types';
import { decimalText, isoDate, strategyType } from './common';

/** What {@link EventRow} reads, of `position_event` e and `position` p. */
export const EVENT_COLUMNS =
  'e.position, e.owner, e.pool, e.action, e.at, e.amount_x, e.amount_y, e.usd_x, e.usd_y, e.usd_sol, e.bps, p.strategy, p.lower_bin, p.upper_bin';

/** An event, with what its record takes from the position. */
export const EventRow = z.object({
  position: z.string(),
  owner: z.string(),
  pool: z.string(),
  action: z.string(),
  at: z.number(),
  amount_x: z.string(),
  amount_y: z.string(),
  usd_x: z.number(),
  usd_y: z.number(),
  usd_sol: z.number(),
  bps: z.int().nullable(),
  strategy: z.enum(STRATEGIES),
  lower_bin: z.int().nullable(),
  upper_bin: z.int().nullable(),
});

/** The event as logs list it. */
export function logRecord({ tokenX, tokenY }: Pool, event: z.output<typeof EventRow>): WirePositionLog {
  return {
    position: event.position,
    pool: event.pool,
    owner: event.owner,
    action: event.action,
    amount0: event.amount_x,
    amount1: event.amount_y,
    decimal0: tokenX.spec.decimals,
    decimal1: tokenY.spec.decimals,
    price0: decimalText(event.usd_x),
    price1: decimalText(event.usd_y),
    timestamp: isoDate(event.at),
    nativePrice: decimalText(event.usd_sol),
    strategyType: strategyType(event.strategy),
    tickUpper: event.upper_bin ?? MAX_BIN_ID,
    tickLower: event.lower_bin ?? MIN_BIN_ID,
    bps: event.bps,
    // There are many of these, and the record beside them has the pictures.
    logo0: null,
    logo1: null,
  };
}
