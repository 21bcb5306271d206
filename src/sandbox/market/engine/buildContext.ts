import { binArrayIndex } from '../../../base/dlmm/bins';
import type { Address } from '../../../base/solana/address';
import { formatRaw, lamportsToSol } from '../../../base/solana/amounts';
import { base64FromBytes } from '../../../base/solana/wireTransaction';
import { associatedTokenAddress, dlmmBinArray } from '../../../base/solana/pda';
import { JITO_TIP_ACCOUNTS, PROGRAMS, WRAPPED_SOL_MINT } from '../../../base/solana/programs';
import { EngineError } from '../../../engine/engine';
import {
  type BuildTerms,
  type BuildLookupTable,
  PlanError,
  type PoolAccounts,
  type SwapHop,
  type SwapPlan,
} from '../../../engine/assembly/types';
import type { Chain, Ledger } from '../../chain/types';
import type { UnitOfWork } from '../../store/unitOfWork';
import type { Amounts, Market, MarketPool, PoolToken } from '../types';
import type { PendingBuilds } from './pendingBuilds';
import type { Leg, Route } from './routes';
import type { WorldSettings } from './settings';

/** Everything that building operations needs. */
export interface BuildContext {
  readonly market: Market;
  readonly chain: Chain;
  readonly unit: UnitOfWork;
  readonly issued: PendingBuilds;
  readonly settings: WorldSettings;
  /** The router's lookup table, which swaps take accounts from. */
  readonly lookupTable: BuildLookupTable;
  /** Returns random bytes; keys of new positions come from it. */
  readonly random: (byteCount: number) => Uint8Array;
}

/** Runs a builder. @throws EngineError if the plan is out of bounds, because the parameters of the request were */
export function withEngineErrors<Built>(build: () => Built): Built {
  try {
    return build();
  } catch (error) {
    if (error instanceof PlanError || error instanceof RangeError) {
      throw new EngineError('invalid', error.message, { cause: error });
    }
    throw error;
  }
}

/** @throws EngineError if the owner has fewer lamports */
export function requireLamports({ chain }: BuildContext, owner: Address, needed: bigint): void {
  const has = chain.lamports(owner);
  if (has < needed) {
    throw new EngineError(
      'invalid',
      `Insufficient balance: ${lamportsToSol(needed)} SOL are needed with rent and fees, ${lamportsToSol(has)} SOL are there`,
    );
  }
}

/** Checks the deposit except for SOL, which is wrapped on the way. @throws EngineError if the owner has less */
export function requireTokens({ chain, market }: BuildContext, owner: Address, pool: MarketPool, deposit: Amounts): void {
  for (const [token, amount] of [
    [pool.tokenX, deposit.x],
    [pool.tokenY, deposit.y],
  ] as const) {
    const has = chain.tokenBalance(owner, token.mint);
    if (token.mint !== market.sol.mint && has < amount) {
      const text = (raw: bigint): string => `${formatRaw(raw, token.spec.decimals)} ${token.spec.symbol}`;
      throw new EngineError('invalid', `Insufficient balance: ${text(amount)} are needed, ${text(has)} are there`);
    }
  }
}

/** Every token that an operation may need an account for; with duplicates. */
export function tokensOf(pool: MarketPool, swaps: readonly Route[]): readonly PoolToken[] {
  return [pool.tokenX, pool.tokenY, ...swaps.flatMap(({ legs }) => legs.flatMap(({ via }) => [via.tokenX, via.tokenY]))];
}

/** Transactions in base64, as clients receive them. */
export function base64All(transactions: readonly Uint8Array[]): readonly string[] {
  return transactions.map(base64FromBytes);
}

/** Tip of every operation. */
const TIP_LAMPORTS = 200_000n;
const MICRO_LAMPORTS_PER_COMPUTE_UNIT = 25_000n;
/** Prices per operation: the variant without a tip bids one micro-lamport more for a compute unit. */
const PRICES_PER_OPERATION = 2;
const DISTINCT_OPERATIONS = 25_000;
/** Upper bound of a transaction's network fees: two signatures, and the priority fee on all compute units. */
const NETWORK_FEE_ROOM = 120_000n;
/** Most transactions of one operation. */
export const MAX_TRANSACTIONS = 100;

/**
 * Terms that all transactions of an operation share. The operation's number determines the tip account. Two operations with the same blockhash
 * have different priority fees: otherwise they could have an identical transaction (for instance, to unwrap SOL), and the second one would be
 * refused as a duplicate. With another blockhash the same operation costs the same again.
 */
export function buildTerms({ issued, settings }: Pick<BuildContext, 'issued' | 'settings'>, owner: Address, blockhash: string): BuildTerms {
  const number = issued.nextNumber;
  const account = JITO_TIP_ACCOUNTS[number % JITO_TIP_ACCOUNTS.length];
  if (account === undefined) {
    throw new RangeError('There are no tip accounts');
  }
  const distinguisher = BigInt(PRICES_PER_OPERATION * (issued.sameBlockhash(blockhash) % DISTINCT_OPERATIONS));
  const { transactions: format } = settings.current;
  const microLamportsPerComputeUnit = MICRO_LAMPORTS_PER_COMPUTE_UNIT;
  return { owner, blockhash, microLamportsPerComputeUnit, distinguisher, format, tip: { account, lamports: TIP_LAMPORTS } };
}

/** A pool as instructions refer to it. */
export function poolAccounts(pool: MarketPool): PoolAccounts {
  return {
    pool: pool.address,
    tokenX: { mint: pool.tokenX.mint, tokenProgram: PROGRAMS.token },
    tokenY: { mint: pool.tokenY.mint, tokenProgram: PROGRAMS.token },
  };
}

/** Plans of swaps along these routes. */
export function swapPlans(routes: readonly Route[], slippageBps: number): SwapPlan[] {
  return routes.map(({ legs, inAmount, out }) => ({ hops: legs.map(swapHop), inAmount, quotedOut: out, slippageBps }));
}

/** A trade may touch the bin array of the active bin, and the next one in its direction. */
function swapHop({ via, sells }: Leg): SwapHop {
  const active = binArrayIndex(via.activeBinId);
  const next = sells === 'x' ? active - 1 : active + 1;
  return { type: 'bins', via: poolAccounts(via), sells, binArrays: [active, next].map((index) => dlmmBinArray(via.address, index)) };
}

/** Upper bound of an operation's costs besides its amounts, lamports: fees, tip, and rent of missing token accounts. */
export function additionalCosts(ledger: Ledger, owner: Address, tokens: readonly PoolToken[], transactions: number): bigint {
  const mints = new Set([WRAPPED_SOL_MINT, ...tokens.map(({ mint }) => mint)]);
  const missing = [...mints].filter((mint) => !ledger.hasAccount(associatedTokenAddress(owner, mint)));
  return TIP_LAMPORTS + NETWORK_FEE_ROOM * BigInt(transactions) + ledger.rent.tokenAccount * BigInt(missing.length);
}
