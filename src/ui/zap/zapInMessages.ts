import * as l10n from '@vscode/l10n';
import type { ShownPrices } from '../../transactions/types';
import { uiPriceOfBin } from '../../base/dlmm/bins';
import { lamportsToSol } from '../../base/solana/amounts';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { briefRange } from './ranges';
import type { ZapInChoices } from './zapInDialog';
import type { ZapInTarget } from './zapInTarget';
import { tokensText } from './zapInTokens';

/** What goes in, in words: "0.5 SOL", "1,234.5 BONK and 0.5 SOL". */
export function inputText({ inputLamports, tokens, target }: ZapInChoices): string {
  return tokens === undefined ? l10n.t`${lamportsToSol(inputLamports)} SOL` : tokensText(target, tokens);
}

/** How the liquidity of a zap-in will lie, as one line of its confirmation. */
export function spreadText({ bins, target, tokens }: ZapInChoices): string {
  return bins === undefined
    ? l10n.t`Range: all prices of the pool, which has no bins; ${tokens === undefined ? l10n.t('half of the SOL goes to each token') : l10n.t('both tokens go in, in equal value; what is left over stays in your wallet')}`
    : l10n.t`Range: ${bins.strategy}, ${briefRange(bins.range, target, bins.activeBin.binId)}`;
}

/**
 * The prices that the user saw while choosing. Token X is priced by the active bin, which was read last, and SOL as in the wallet:
 * both sides of a comparison then speak of one dollar. What the bin's number says counts before the price that the service puts beside
 * it: the range lies around that bin, and a deposit at another price would not land.
 */
export function shownPrices({ target, bins, solUsd }: ZapInChoices): ShownPrices {
  const { tokenX, tokenY, decimalsX, decimalsY } = target;
  const sol = solUsd ?? (tokenX === WRAPPED_SOL_MINT ? target.priceXUsd : tokenY === WRAPPED_SOL_MINT ? target.priceYUsd : undefined);
  const priceYUsd = tokenY === WRAPPED_SOL_MINT ? sol : target.priceYUsd;
  const inY = bins && (priceByNumber(target, bins.activeBin.binId) ?? bins.activeBin.price);
  const byBin = inY === undefined || priceYUsd === undefined ? undefined : inY * priceYUsd;
  return { decimalsX, decimalsY, priceXUsd: tokenX === WRAPPED_SOL_MINT ? sol : (byBin ?? target.priceXUsd), priceYUsd, solUsd: sol };
}

/** Token Y for one token X by the number of the active bin; `undefined` where bin step or decimals are not known, or the program has no such bin. */
function priceByNumber({ binStepBps, decimalsX, decimalsY }: ZapInTarget, binId: number): number | undefined {
  if (binStepBps === undefined || decimalsX === undefined || decimalsY === undefined) {
    return undefined;
  }
  try {
    return uiPriceOfBin(binId, binStepBps, decimalsX, decimalsY);
  } catch (error) {
    if (error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
}
