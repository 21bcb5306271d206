import { formatRaw, lamportsToSol } from '../../base/solana/amounts';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { RentRate } from '../../base/solana/rent';
import type { BuildTerms, PoolAccounts, RewardAccounts, SwapPlan, TokenAccounts, WrittenSwap } from '../assembly/types';
import { WRAPPED_SOL } from '../assembly/walletInstructions';
import { EngineError } from '../engine';
import type { BuildAmounts, BuildPool, BuildToken, Wallet } from './ports';

/** Upper bound of a transaction's network fees: two signatures, and the priority fee on all compute units. */
const NETWORK_FEE_ROOM = 120_000n;

/** Every token that an operation may need an account for, each once. */
export function tokensOf(
  pools: readonly PoolAccounts[],
  swaps: readonly (SwapPlan | WrittenSwap)[],
  rewards: readonly RewardAccounts[] = [],
): readonly TokenAccounts[] {
  const through = swaps.flatMap((swap) => ('hops' in swap ? swap.hops.map(({ via }) => via) : []));
  const inPools = [...pools, ...through].flatMap(({ tokenX, tokenY }) => [tokenX, tokenY]);
  const swapped = swaps.flatMap((swap) => ('hops' in swap ? [] : [swap.sells, swap.buys]));
  const tokens = [WRAPPED_SOL, ...inPools, ...swapped, ...rewards.map(({ token }) => token)];
  return [...new Map(tokens.map((token) => [token.mint, token])).values()];
}

/** Upper bound of an operation's costs besides its amounts, lamports: fees, tip, and rent of missing token accounts. */
export function additionalCosts(
  { tip }: Pick<BuildTerms, 'tip'>,
  tokens: readonly TokenAccounts[],
  { wallet, rent, transactions }: { readonly wallet: Wallet; readonly rent: RentRate; readonly transactions: number },
): bigint {
  const missing = tokens.filter((token) => wallet.balance(token) === undefined);
  const rents = missing.map(({ tokenProgram }) => (tokenProgram === PROGRAMS.token ? rent.tokenAccount : rent.token2022Account));
  return rents.reduce((sum, one) => sum + one, (tip?.lamports ?? 0n) + NETWORK_FEE_ROOM * BigInt(transactions));
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
export function requireTokens({ x, y }: BuildPool, wallet: Wallet, deposit: BuildAmounts): void {
  requireToken(x, wallet, deposit.x);
  requireToken(y, wallet, deposit.y);
}

/** Checks an amount of a token, except for SOL, which is wrapped on the way. @throws EngineError if the wallet has less */
export function requireToken(token: BuildToken, wallet: Wallet, amount: bigint): void {
  const has = wallet.balance(token) ?? 0n;
  if (token.mint !== WRAPPED_SOL_MINT && has < amount) {
    const text = (raw: bigint): string => `${formatRaw(raw, token.decimals)} ${token.name}`;
    throw new EngineError('invalid', `Insufficient balance: ${text(amount)} are needed, ${text(has)} are there`);
  }
}
