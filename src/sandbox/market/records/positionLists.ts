import type { Address } from '../../../solana/address';
import type { HistoricalParameters } from '../../engine';
import type { WireHistorical, WireOpening } from '../../wire/positions';
import type { Market } from '../market';
import { pageOf } from './common';
import { closedRecord, openRecord } from './positions';

/** The open positions of an owner, the youngest first. */
export function openingRecords(market: Market, owner: Address): WireOpening {
  const data = market.positions
    .filter((position) => position.owner === owner && position.closed === null)
    .sort((a, b) => b.createdAt - a.createdAt)
    .flatMap((position) => {
      const pool = market.poolAt(position.pool);
      return pool === undefined ? [] : [openRecord(market, pool, position)];
    });
  return { count: data.length, data };
}

/** The closed positions of an owner, the last closed first. */
export function historicalRecords(market: Market, { owner, from, to, page, pageSize }: HistoricalParameters): WireHistorical {
  const closed = market.positions
    .flatMap((position) => (position.owner === owner && position.closed !== null ? [{ position, closed: position.closed }] : []))
    .filter(({ closed: { at } }) => (from === undefined || at >= from) && (to === undefined || at <= to))
    .sort((a, b) => b.closed.at - a.closed.at);
  const { items, totalPages } = pageOf(closed, page, pageSize);
  return {
    data: items.flatMap(({ position, closed: how }) => {
      const pool = market.poolAt(position.pool);
      return pool === undefined ? [] : [closedRecord(market, pool, position, how)];
    }),
    pagination: { currentPage: page, totalPages, totalCount: closed.length, pageSize },
  };
}
