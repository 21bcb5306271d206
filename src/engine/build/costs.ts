import { formatRaw, lamportsToSol } from '../../base/solana/amounts';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { RentRate } from '../../base/solana/rent';
import type { BuildTerms, PoolAccounts, SwapPlan, TokenAccounts, WrittenSwap } from '../assembly/types';
import { WRAPPED_SOL } from '../assembly/walletInstructions';
import { EngineError } from '../engine';
import type { Amounts, PoolState, Wallet } from './ports';

/** Upper bound of a transaction's network fees: two signatures, and the priority fee on all compute units. */
const NETWORK_FEE_ROOM = 120_000n;

/** What the costs of an operation depend on. */
export interface CostedPlan extends Pick<BuildTerms, 'tip'> {
  readonly pool: PoolAccounts;
  readonly swaps: readonly (SwapPlan | WrittenSwap)[];
}

/** Every token that an operation may need an account for, each once. */
export function tokensOf({ pool, swaps }: CostedPlan): readonly TokenAccounts[] {
  const traded = swaps.flatMap((swap) =>
    'hops' in swap ? swap.hops.flatMap(({ via }) => [via.tokenX, via.tokenY]) : [swap.sells, swap.buys],
  );
  return [...new Map([WRAPPED_SOL, pool.tokenX, pool.tokenY, ...traded].map((token) => [token.mint, token])).values()];
}

/** Upper bound of an operation's costs besides its amounts, lamports: fees, tip, and rent of missing token accounts. */
export function additionalCosts(plan: CostedPlan, wallet: Wallet, rent: RentRate, transactions: number): bigint {
  const missing = tokensOf(plan).filter((token) => wallet.balance(token) === undefined);
  const rents = missing.map(({ tokenProgram }) => (tokenProgram === PROGRAMS.token ? rent.tokenAccount : rent.token2022Account));
  return rents.reduce((sum, one) => sum + one, (plan.tip?.lamports ?? 0n) + NETWORK_FEE_ROOM * BigInt(transactions));
}

/** @throws EngineError if the wallet has less */
export function requireLamports({ lamports }: Pick<Wallet, 'lamports'>, needed: bigint): void {
  if (lamports < needed) {
    throw new EngineError(
      'invalid',
      `Insufficient balance: ${lamportsToSol(needed)} SOL are needed with rent and fees, ${lamportsToSol(lamports)} SOL are there`,
    );
  }
}

/** Checks a deposit except for SOL, which is wrapped on the way. @throws EngineError if the wallet has less */
export function requireTokens({ x, y }: PoolState, wallet: Wallet, deposit: Amounts): void {
  for (const [token, amount] of [
    [x, deposit.x],
    [y, deposit.y],
  ] as const) {
    const has = wallet.balance(token) ?? 0n;
    if (token.mint !== WRAPPED_SOL_MINT && has < amount) {
      const text = (raw: bigint): string => `${formatRaw(raw, token.decimals)} ${token.name}`;
      throw new EngineError('invalid', `Insufficient balance: ${text(amount)} are needed, ${text(has)} are there`);
    }
  }
}
