import type { Address } from '../../base/solana/address';
import { dlmmOracle, eventAuthority } from '../../base/solana/pda';
import { JITO_TIP_ACCOUNTS, LAMPORTS_PER_SOL, PROGRAMS, RENT_LAMPORTS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { LookupTable } from '../build/types';
import { rentLamports } from '../chain/ledger';
import { ADDRESS_LOOKUP_TABLE, encodeLookupTable, lookupTableAddress, readLookupTable } from '../chain/lookupTables';
import type { Chain } from '../chain/types';
import { vaultsOf } from './accounts';
import { rawTokens } from './units';
import type { Market, PoolToken } from './types';

/** What the owner begins with, whole tokens. */
const OWNER_SOL = 25;
const OWNER_TOKENS: Readonly<Record<string, number>> = { USDC: 412.37, JUPP: 318.5, BONQ: 1_850_000, MEWO: 4_210 };

/** What part of all SOL the rest of the world has wrapped, so that it can trade. */
const WRAPPED_PART = 2n;

/**
 * Makes a new chain's money: all SOL and the whole supply of every mint belong to the rest of the world, which gives the owner
 * what a newcomer has, and has vaults made for the market's pools. The accounts that take tips have one SOL each. From then on nothing is made: it only moves.
 * @throws RangeError where the chain is not new.
 */
export function foundChain(chain: Chain, market: Market, owner: Address): void {
  const { world, sol } = market;
  const gifts = market.tokens.flatMap((token): readonly (readonly [PoolToken, bigint])[] => {
    const whole = OWNER_TOKENS[token.spec.key];
    return whole === undefined ? [] : [[token, rawTokens(whole, token)]];
  });
  // What the accounts for the tokens cost comes on top: the owner begins with round SOL.
  const ownerLamports = rawTokens(OWNER_SOL, sol) + BigInt(gifts.length) * RENT_LAMPORTS.tokenAccount;
  const tipLamports = BigInt(JITO_TIP_ACCOUNTS.length) * LAMPORTS_PER_SOL;
  const worldLamports = rawTokens(sol.spec.supply, sol) - tipLamports - ownerLamports;
  chain.genesis([
    { address: owner, lamports: ownerLamports },
    { address: world, lamports: worldLamports },
  ]);
  for (const token of market.tokens) {
    if (token.mint === WRAPPED_SOL_MINT) {
      wrap(chain, world, worldLamports / WRAPPED_PART);
    } else {
      const supply = rawTokens(token.spec.supply, token);
      chain.createMint(token.mint, token.spec.decimals, supply, world);
      chain.credit(world, token.mint, supply);
    }
  }
  for (const [{ mint }, amount] of gifts) {
    chain.credit(world, mint, -amount);
    chain.credit(owner, mint, amount);
  }
  market.settleVaults();
}

/** Moves lamports into the holder's account of wrapped SOL. */
function wrap(chain: Chain, holder: Address, lamports: bigint): void {
  chain.setLamports(holder, chain.lamports(holder) - lamports);
  chain.credit(holder, WRAPPED_SOL_MINT, lamports);
}

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
