import type { ShownPrices } from '../../operations/types';
import { lamportsToSol } from '../../solana/amounts';
import { WRAPPED_SOL_MINT } from '../../solana/programs';
import { briefRange } from './ranges';
import type { ZapInChoices } from './zapInDialogue';
import { tokensText } from './zapInTokens';

/** What goes in, in words: "0.5 SOL", "1,234.5 BONK and 0.5 SOL". */
export function inputText({ inputLamports, tokens, target }: ZapInChoices): string {
  return tokens === undefined ? `${lamportsToSol(inputLamports)} SOL` : tokensText(target, tokens);
}

/** How the liquidity of a zap-in will lie, as one line of its confirmation. */
export function spreadText({ bins, target, tokens }: ZapInChoices): string {
  return bins === undefined
    ? `Range: all prices of the pool, which has no bins; ${tokens === undefined ? 'half of the SOL goes to each token' : 'both tokens go in, in equal value; what is left over stays in your wallet'}`
    : `Range: ${bins.strategy}, ${briefRange(bins.range, target, bins.activeBin.binId)}`;
}

/**
 * The prices that the user saw while choosing. Token X is priced by the active bin, which was read last, and SOL as in the wallet:
 * both sides of a comparison then speak of one dollar.
 */
export function shownPrices({ target, bins, solUsd }: ZapInChoices): ShownPrices {
  const { tokenX, tokenY, decimalsX, decimalsY } = target;
  const sol = solUsd ?? (tokenX === WRAPPED_SOL_MINT ? target.priceXUsd : tokenY === WRAPPED_SOL_MINT ? target.priceYUsd : undefined);
  const priceYUsd = tokenY === WRAPPED_SOL_MINT ? sol : target.priceYUsd;
  const inY = bins?.activeBin.price;
  const byBin = inY === undefined || priceYUsd === undefined ? undefined : inY * priceYUsd;
  return { decimalsX, decimalsY, priceXUsd: tokenX === WRAPPED_SOL_MINT ? sol : (byBin ?? target.priceXUsd), priceYUsd, solUsd: sol };
}
