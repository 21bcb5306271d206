import * as l10n from '@vscode/l10n';
import type { Locale } from './locale';
import { DEFAULT_LOCALE } from './numbers';
import { percent } from './percent';

/** Above this a trade can lose more to front-running than to the pool's fee. */
const HIGH_BPS = 500;

/** A warning to append to the figure (": high slippage. …"); empty for usual values. @param slippageBps 0 to 10,000 */
export function slippageWarning(slippageBps: number, locale: Locale = DEFAULT_LOCALE): string {
  if (slippageBps === 0) {
    return l10n.t(': the trade fails as soon as the price moves.');
  }
  return slippageBps > HIGH_BPS ? l10n.t`: high slippage. You could get a price ${percent(slippageBps / 100, locale)} worse.` : '';
}
