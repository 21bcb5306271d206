import { DAY_S, HOUR_S } from '../time';
import { type BinnedOutlook, binnedOutlook } from './outlook';

/** A position as it is and as it would be after re-centering, both without a horizon: the gate chooses it. */
export interface GateInput {
  readonly stay: Omit<BinnedOutlook, 'horizonS'>;
  readonly enter: Omit<BinnedOutlook, 'horizonS'>;
  /** What re-centering costs, raw units of token Y: swap, tips, network, missing bin arrays. */
  readonly costsY: number;
  /** By how many times the benefit has to exceed the costs. */
  readonly margin: number;
}

/** Whether re-centering is worth it. Values are in raw units of token Y. */
export type GateAnswer =
  | { readonly known: false; readonly why: 'noVolatility' | 'noAmount' | 'feesNotKnown' | 'binsNotReported' }
  | {
      readonly known: true;
      /** The expected time in the new range. */
      readonly horizonS: number;
      /** Fees and loss over that time. */
      readonly stayY: number;
      readonly enterY: number;
      readonly benefitY: number;
      readonly costsY: number;
      readonly act: boolean;
    };

/** By how many times the benefit of re-centering has to exceed its costs, unless the user says otherwise. */
export const USUAL_MARGIN = 1.5;

const SHORTEST_S = 6 * HOUR_S;
const LONGEST_S = 7 * DAY_S;

/**
 * Compares staying with re-centering. A loss that was suffered already counts for neither: without a trend it is as likely to grow as to shrink.
 * @throws RangeError if the program has no such bins
 */
export function gate({ stay, enter, costsY, margin }: GateInput): GateAnswer {
  const first = binnedOutlook({ ...enter, horizonS: DAY_S });
  if (!first.known) {
    return first;
  }
  const horizonS = Math.min(Math.max(first.expectedExitS ?? LONGEST_S, SHORTEST_S), LONGEST_S);
  const entered = binnedOutlook({ ...enter, horizonS });
  const stayed = binnedOutlook({ ...stay, horizonS });
  if (!entered.known) {
    return entered;
  }
  if (!stayed.known) {
    return stayed;
  }
  if (entered.fees === null) {
    return { known: false, why: entered.why };
  }
  if (stayed.fees === null) {
    return { known: false, why: stayed.why };
  }
  const benefitY = entered.netY - stayed.netY;
  return { known: true, horizonS, stayY: stayed.netY, enterY: entered.netY, benefitY, costsY, act: benefitY > margin * costsY };
}
