import type { Address } from '../../../base/solana/address';
import { formatRaw, lamportsToSol } from '../../../base/solana/amounts';
import { base64FromBytes } from '../../../base/solana/base64Transaction';
import { PlanError, type LookupTable } from '../../build/types';
import type { Chain } from '../../chain/types';
import { EngineError } from '../../../server/engine';
import type { UnitOfWork } from '../../store/unitOfWork';
import type { Amounts, Market, Pool, PoolToken } from '../types';
import type { PendingBuilds } from './pendingBuilds';
import type { Route } from './quotes';

/** What building operations uses. */
export interface BuildContext {
  readonly market: Market;
  readonly chain: Chain;
  readonly unit: UnitOfWork;
  readonly issued: PendingBuilds;
  /** The router's lookup table, which swaps take accounts from. */
  readonly lookupTable: LookupTable;
  /** Returns random bytes; keys of new positions come from it. */
  readonly random: (byteCount: number) => Uint8Array;
}

/** Runs a builder. @throws EngineError if the plan is out of bounds, because the parameters of the request were */
export function planned<Built>(build: () => Built): Built {
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
export function requireTokens({ chain, market }: BuildContext, owner: Address, pool: Pool, deposit: Amounts): void {
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
export function tokensOf(pool: Pool, swaps: readonly Route[]): readonly PoolToken[] {
  return [pool.tokenX, pool.tokenY, ...swaps.flatMap(({ legs }) => legs.flatMap(({ via }) => [via.tokenX, via.tokenY]))];
}

/** Base64, as clients get transactions. */
export function encoded(transactions: readonly Uint8Array[]): readonly string[] {
  return transactions.map(base64FromBytes);
}
