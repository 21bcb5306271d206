import * as l10n from '@vscode/l10n';
import type { FigureTexts } from '../shared/figures';

/** An APR above this extrapolates a few hours and is not meaningful: 10,000%, as a fraction. */
const ABSURD_APR = 100;

/** Formats an APR given as a fraction. Absurd values are capped: "over +10,000%". */
export function aprText(
  apr: number | undefined,
  text: Pick<FigureTexts, 'signedFraction' | 'fraction'>,
): { readonly text: string; readonly isAbsurd: boolean } {
  if (apr === undefined || Math.abs(apr) <= ABSURD_APR) {
    return { text: text.signedFraction(apr), isAbsurd: false };
  }
  const limit = text.signedFraction(apr > 0 ? ABSURD_APR : -ABSURD_APR);
  return { text: apr > 0 ? l10n.t`over ${limit}` : l10n.t`under ${limit}`, isAbsurd: true };
}
