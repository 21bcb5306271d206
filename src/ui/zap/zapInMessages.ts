import * as l10n from '@vscode/l10n';
import type { ShownPrices } from '../../transactions/types';
import { uiPriceOfBin } from '../../base/dlmm/bins';
import { lamportsToSol } from '../../base/solana/amounts';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { outsideText, rangePlace } from './zapInRange';
import type { ZapInChoices } from './zapInDialog';
import type { ZapInTarget } from './zapInDraft';
import { tokensText } from './zapInTokens';

/** The deposit: "0.5 SOL", "1,234.5 BONK and 0.5 SOL". */
export function inputText({ inputLamports, tokens, target }: ZapInChoices): string {
  return tokens === undefined ? l10n.t`${lamportsToSol(inputLamports)} SOL` : tokensText(target, tokens);
}

/** The new position: "a Spot position, 0.0212 to 0.0281 SOL per BONK (−3.34% to +3.46%)". */
export function positionText({ bins, target }: ZapInChoices): string {
  return bins === undefined
    ? l10n.t('a position over the full price range')
    : l10n.t`a ${bins.strategy} position, ${rangePlace(bins.range, target, bins.activeBin.binId)}`;
}

/** What the confirmation says first: what changed since the user chose, and that the position earns nothing at first. */
export function warningsOf({ bins, target, warnings = [] }: ZapInChoices): readonly string[] {
  const outside = bins === undefined ? undefined : outsideText(bins.range, target, bins.activeBin.binId);
  return [...warnings, ...(outside === undefined ? [] : [outside])];
}

/** Distribution of the liquidity, as one line. */
export function spreadText({ bins, target, tokens }: ZapInChoices): string {
  if (bins !== undefined) {
    return l10n.t`Range: ${bins.strategy}, ${rangePlace(bins.range, target, bins.activeBin.binId)}`;
  }
  return tokens === undefined
    ? l10n.t('Full price range; half of the SOL goes to each token')
    : l10n.t('What the range does not take stays in your wallet');
}

/**
 * The prices that the user saw while choosing. Token X is priced by the active bin, which was read last, and SOL as in the wallet, so both
 * sides of a comparison use the same dollar. The price derived from the bin's number takes precedence over the one that the service sends
 * with it: the range lies around that bin, and a deposit at another price would not land.
 */
export function shownPrices({ target, bins, solUsd }: ZapInChoices): ShownPrices {
  const { tokenX, tokenY, decimalsX, decimalsY } = target;
  const sol = solUsd ?? (tokenX === WRAPPED_SOL_MINT ? target.priceXUsd : tokenY === WRAPPED_SOL_MINT ? target.priceYUsd : undefined);
  const priceYUsd = tokenY === WRAPPED_SOL_MINT ? sol : target.priceYUsd;
  const inY = bins && (priceByNumber(target, bins.activeBin.binId) ?? bins.activeBin.price);
  const byBin = inY === undefined || priceYUsd === undefined ? undefined : inY * priceYUsd;
  return { decimalsX, decimalsY, priceXUsd: tokenX === WRAPPED_SOL_MINT ? sol : (byBin ?? target.priceXUsd), priceYUsd, solUsd: sol };
}

/** Token Y per token X by the number of the active bin; `undefined` if bin step or decimals are unknown, or the program has no such bin. */
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
