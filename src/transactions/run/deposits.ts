import type { Address } from '../../base/solana/address';
import { isDecimals } from '../../base/solana/amounts';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { oneLine } from '../../base/text';
import type { TokenAtHand, ZapInIntent } from '../../review/types';
import type { LiquidityService } from '../../service/service';
import type { AddBuild } from '../../service/transactions';
import type { JournalToken, JournalTokens } from '../journal/plans';
import type { OperationDependencies, ZapInPlan } from '../types';
import type { BuiltOperation } from './steps';

// What all deposits have in common, whether they open a position or add to one.

/** Maximum length of a stored symbol in characters. */
const LONGEST_SYMBOL = 40;

/** The transactions of a deposit in the order in which they land, and how they are handed over. */
export function builtDeposit(
  { swapTransactions, addTransactions, lastValidBlockHeight, meta }: AddBuild,
  service: Pick<LiquidityService, 'landAdd'>,
): Pick<BuiltOperation, 'transactions' | 'lastValidBlockHeight' | 'land'> {
  return {
    transactions: [
      ...swapTransactions.map((base64) => ({ group: 'swap' as const, base64 })),
      ...addTransactions.map((base64) => ({ group: 'add' as const, base64 })),
    ],
    lastValidBlockHeight,
    land: (signed) => service.landAdd({ swapTransactions: signed('swap'), addTransactions: signed('add'), lastValidBlockHeight, meta }),
  };
}

/** The review counts lamports that an earlier attempt may still spend, but not tokens: a deposit of tokens waits for that attempt. */
export function afterEarlier(tokens: ZapInPlan['tokens'], dependencies: OperationDependencies): OperationDependencies {
  return tokens === undefined ? dependencies : { ...dependencies, waitsForEarlier: true };
}

/** The deposited tokens for the journal, with their symbols if known. */
export function writtenTokens({ tokens, tokenX, tokenY, symbolX, symbolY, prices }: ZapInPlan): JournalTokens | undefined {
  return (
    tokens && {
      ...tokens,
      x: tokenX && writtenToken(tokenX, symbolX, prices.decimalsX),
      y: tokenY && writtenToken(tokenY, symbolY, prices.decimalsY),
    }
  );
}

/** A token for the journal. Decimals are validated only for deposited tokens; invalid ones are left out. */
export function writtenToken(mint: Address, symbol: string | undefined, decimals: number | undefined): JournalToken {
  return {
    mint,
    symbol: symbol === undefined ? undefined : oneLine(symbol, LONGEST_SYMBOL),
    decimals: isDecimals(decimals) ? decimals : undefined,
  };
}

/** The deposit in the units of the review: SOL in lamports, other tokens by mint. */
export function depositIn({
  inputLamports,
  tokenX,
  tokenY,
  tokens,
  prices,
}: ZapInPlan): Pick<ZapInIntent, 'inputLamports' | 'isSolOnly' | 'tokens'> {
  if (tokens === undefined) {
    return { inputLamports, isSolOnly: true };
  }
  const sides = [...tokenOf(tokenX, tokens.amountXRaw, prices.decimalsX), ...tokenOf(tokenY, tokens.amountYRaw, prices.decimalsY)];
  const lamports = sides.filter(({ mint }) => mint === WRAPPED_SOL_MINT).reduce((sum, { amountRaw }) => sum + amountRaw, 0n);
  return { inputLamports: lamports, tokens: sides.filter(({ mint }) => mint !== WRAPPED_SOL_MINT) };
}

function tokenOf(mint: Address | undefined, amountRaw: bigint, decimals: number | undefined): readonly TokenAtHand[] {
  return mint === undefined ? [] : [{ mint, amountRaw, decimals }];
}
