import type { Address } from '../../base/solana/address';
import { dlmmOracle, eventAuthority } from '../../base/solana/pda';
import { JITO_TIP_ACCOUNTS, LAMPORTS_PER_SOL, PROGRAMS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { BuildLookupTable } from '../../engine/assembly/types';
import { ADDRESS_LOOKUP_TABLE, encodeLookupTable, lookupTableAddress, readLookupTable } from '../chain/lookupTables';
import type { Chain } from '../chain/types';
import { vaultsOf } from './accounts';
import { rawTokens } from './units';
import type { Market, PoolToken } from './types';

/** The owner's initial balances, whole tokens. */
const OWNER_SOL = 25;
const OWNER_TOKENS: Readonly<Record<string, number>> = { USDC: 412.37, JUPP: 318.5, BONQ: 1_850_000, MEWO: 4_210 };

/** The rest of the world wraps one in this many of its lamports to trade. */
const WRAPPED_PART = 2n;

/**
 * Creates the money of a new chain: all SOL and the supply of every mint belong to the rest of the world, which funds the owner, the
 * vaults of the pools, and the tip accounts (one SOL each). Afterwards money only moves.
 * @throws RangeError if the chain is not new
 */
export function foundChain(chain: Chain, market: Market, owner: Address): void {
  const { world, sol } = market;
  const gifts = market.tokens.flatMap((token): readonly (readonly [PoolToken, bigint])[] => {
    const whole = OWNER_TOKENS[token.spec.key];
    return whole === undefined ? [] : [[token, rawTokens(whole, token)]];
  });
  // The rent of the token accounts is added, so that the owner starts with a round amount of SOL.
  const ownerLamports = rawTokens(OWNER_SOL, sol) + BigInt(gifts.length) * chain.rent.tokenAccount;
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

/** The slot from which the table's address is derived; before all slots of any sandbox. */
const MADE_IN_SLOT = 449_999_000;

/**
 * The lookup table of the router, like those of Jupiter: accounts that are common to all trades in bin pools. A world
 * without it gets it when it is opened. The rest of the world pays its rent.
 */
export function routerTable(chain: Chain, market: Market): BuildLookupTable {
  const at = lookupTableAddress(market.world, MADE_IN_SLOT);
  const account = chain.account(at);
  const kept = account?.program === ADDRESS_LOOKUP_TABLE ? readLookupTable(account.data, chain.slot) : undefined;
  if (kept !== undefined) {
    return { address: at, entries: kept };
  }
  const entries = routerEntries(market);
  const data = encodeLookupTable({ authority: market.world, slot: MADE_IN_SLOT, entries });
  // Lamports that were already at the address stay.
  const there = chain.lamports(at);
  const rent = chain.rent.minimumBalance(data.length);
  const lamports = there < rent ? rent : there;
  chain.setLamports(market.world, chain.lamports(market.world) - (lamports - there));
  chain.setProgramAccount(at, { owner: ADDRESS_LOOKUP_TABLE, lamports, data });
  return { address: at, entries };
}

/** Programs and accounts of pools. Accounts of users and mints are not in the table. */
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
