import type { Address } from '../../base/solana/address';
import { dlmmOracle, eventAuthority } from '../../base/solana/pda';
import { PROGRAMS } from '../../base/solana/programs';
import type { LookupTable } from '../build/types';
import { rentLamports } from '../chain/ledger';
import { ADDRESS_LOOKUP_TABLE, encodeLookupTable, lookupTableAddress, readLookupTable } from '../chain/lookupTable';
import type { Chain } from '../chain/types';
import { vaultsOf } from './accounts';
import type { Market } from './types';

/** The slot from whose number the table's address is derived: before all slots of any sandbox. */
const MADE_IN_SLOT = 449_999_000;

/**
 * The lookup table of the router, as Jupiter has them: what trades in bin pools name whoever makes them. It is on the chain
 * from the beginning; in a world of an older version it is made when that is opened. The rest of the world pays its rent.
 */
export function routerTable(chain: Chain, market: Market): LookupTable {
  const at = lookupTableAddress(market.world, MADE_IN_SLOT);
  const account = chain.account(at);
  const kept = account?.program === ADDRESS_LOOKUP_TABLE ? readLookupTable(account.data, chain.slot) : undefined;
  if (kept !== undefined) {
    return { address: at, entries: kept };
  }
  const entries = routerEntries(market);
  const data = encodeLookupTable({ authority: market.world, slot: MADE_IN_SLOT, entries });
  // Lamports that somebody sent there before stay on it.
  const there = chain.lamports(at);
  const rent = rentLamports(data.length);
  const lamports = there < rent ? rent : there;
  chain.setLamports(market.world, chain.lamports(market.world) - (lamports - there));
  chain.setProgramAccount(at, { owner: ADDRESS_LOOKUP_TABLE, lamports, data });
  return { address: at, entries };
}

/** Programs, and accounts of pools: never anybody's own, nor a mint, which instructions name beside the accounts that are derived from it. */
function routerEntries(market: Market): readonly Address[] {
  const pools = market.pools.filter(({ type }) => type === 'bins');
  return [
    PROGRAMS.dlmm,
    eventAuthority(PROGRAMS.dlmm),
    eventAuthority(PROGRAMS.jupiterV6),
    ...pools.flatMap((pool) => {
      const { x, y } = vaultsOf(pool);
      return [pool.address, x.at, y.at, dlmmOracle(pool.address)];
    }),
  ];
}
