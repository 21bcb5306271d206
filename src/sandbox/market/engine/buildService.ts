import { type Address, parseAddress } from '../../../base/solana/address';
import { associatedTokenAddress } from '../../../base/solana/pda';
import { atOnce, wait } from '../../../engine/build/build';
import type { BuildService, BuildToken } from '../../../engine/build/ports';
import { EngineError, type ProtocolNames } from '../../../engine/engine';
import type { Market, MarketPool, Position } from '../types';
import { type BuildContext, buildTerms } from './buildContext';
import { poolState, tokenState } from './poolState';
import { marketSwaps, swapPlanner } from './swaps';
import { withdrawalOf } from './withdrawals';

/** Builds operations at the present prices of the market. */
export function marketBuildService(context: BuildContext, protocols: ProtocolNames): BuildService {
  const { market, chain, unit, issued } = context;
  return {
    protocols,
    provider: 'JUPITER_ULTRA',
    keptBackBps: 0,
    mostInBundle: Infinity,
    keepsWrappedSol: false,
    random: (byteCount) => context.random(byteCount),
    pool: (address) => {
      const pool = poolAt(market, address);
      return { pool: poolState(pool), swaps: ({ slippageBps }) => marketSwaps(market, pool, slippageBps) };
    },
    pair: (sell, buy) => ({
      sell: tokenAt(market, sell),
      buy: tokenAt(market, buy),
      swaps: ({ slippageBps }) => swapPlanner(market, slippageBps),
    }),
    withdrawal: (positionId, share) => {
      const { pool, position } = openPosition(market, positionId);
      return withdrawalOf(context, pool, position, share);
    },
    *dryRun(plan) {
      return yield* wait(unit.dryRun(() => atOnce(plan)));
    },
    rent: () => chain.rent,
    wallet: (owner) => ({
      lamports: chain.lamports(owner),
      balance: ({ mint }) => (chain.hasAccount(associatedTokenAddress(owner, mint)) ? chain.tokenBalance(owner, mint) : undefined),
    }),
    terms: (owner) => {
      const { blockhash, lastValidBlockHeight } = chain.latestBlockhash();
      return { terms: buildTerms(context, owner, blockhash), lastValidBlockHeight };
    },
    issue: ({ kind, owner, promised, plain, bundles }) => {
      issued.add({ kind, owner, promised }, { withJito: bundles.flat(), plain }, market.now);
      unit.commit();
      return undefined;
    },
  };
}

/** @throws EngineError if there is no such pool */
export function poolAt(market: Market, address: string): MarketPool {
  return market.poolAt(address) ?? notFound(`Pool ${address} not found`);
}

/** @throws EngineError if there is no such token */
function tokenAt(market: Market, mint: Address): BuildToken {
  return tokenState(market.tokenByMint(mint) ?? notFound(`There is no token ${mint}`));
}

/** An open position, by its opaque id or its address. @throws EngineError if there is none */
export function openPosition(market: Market, id: string): { readonly pool: MarketPool; readonly position: Readonly<Position> } {
  const { positions } = market;
  const address: Address | undefined = positions.addressOf(id) ?? parseAddress(id);
  const position = address === undefined ? undefined : positions.at(address);
  if (position === undefined || position.closing !== null) {
    return notFound(`Position account ${id} not found`);
  }
  return { pool: poolAt(market, position.pool), position };
}

/** @throws EngineError */
export function notFound(message: string): never {
  throw new EngineError('notFound', message);
}
