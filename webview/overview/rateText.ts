import type { FigureTexts } from '../shared/figures';

/** A yearly rate above this is an extrapolation of hours, and says nothing: ten thousand per cent, as a fraction. */
const ABSURD_APR = 100;

/** A yearly rate given as a fraction. What is absurd is not written out, but that it is there is said. */
export function aprText(
  apr: number | undefined,
  text: Pick<FigureTexts, 'signedFraction' | 'fraction'>,
): { readonly text: string; readonly isAbsurd: boolean } {
  if (apr === undefined || Math.abs(apr) <= ABSURD_APR) {
    return { text: text.signedFraction(apr), isAbsurd: false };
  }
  return { text: `${apr > 0 ? 'over' : 'under'} ${text.signedFraction(apr > 0 ? ABSURD_APR : -ABSURD_APR)}`, isAbsurd: true };
}
