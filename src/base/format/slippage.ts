import * as l10n from '@vscode/l10n';
import type { Locale } from './locale';
import { DEFAULT_LOCALE } from './numbers';
import { percent } from './percent';

/** From here on a trade can lose more to others on the way than to the pool's fee. */
const HIGH_BPS = 500;

/** What is to be known about so much slippage, to stand behind the figure: ": this is much. …"; empty for what is usual. */
export function slippageWarning(slippageBps: number, locale: Locale = DEFAULT_LOCALE): string {
  if (slippageBps === 0) {
    return l10n.t(': none at all. The trade fails as soon as the price moves.');
  }
  return slippageBps > HIGH_BPS
    ? l10n.t`: this is much. The trade may be made at a price that is ${percent(slippageBps / 100, locale)} worse.`
    : '';
}
