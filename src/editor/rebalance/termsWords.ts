import type { Strategy } from '../../api/records/money';
import type { OpenPosition } from '../../api/records/position';
import { counted } from '../../format/numbers';
import { percent } from '../../format/percent';
import type { ReentryTerms } from '../../operations/rebalance/types';
import { lamportsToSol } from '../../solana/amounts';

/** How many bins a position has; `undefined` where its range is not known. */
function binsOf({ lowerBinId, upperBinId }: OpenPosition): number | undefined {
  return lowerBinId === undefined || upperBinId === undefined ? undefined : upperBinId - lowerBinId + 1;
}

/** How a rebalance will spread the liquidity: as it is set, or as the position has it. */
export function strategyOf({ strategy }: ReentryTerms, position: OpenPosition): Strategy {
  return strategy ?? position.strategy ?? 'Spot';
}

/** How wide a rebalance enters, after "around the active bin": "34 bins to either side", "that bin alone", "as many bins as now (69)". */
export function widthText({ halfWidthBins }: ReentryTerms, position: OpenPosition): string {
  if (halfWidthBins === undefined) {
    const bins = binsOf(position);
    return `as many bins as now${bins === undefined ? '' : ` (${bins})`}`;
  }
  return halfWidthBins === 0 ? 'that bin alone' : `${counted(halfWidthBins, 'bin')} to either side`;
}

/** What a yes to a rebalance is also a yes to, once the position is closed: never left out of the question. */
export function followUpText(terms: ReentryTerms, position: OpenPosition): readonly string[] {
  return [
    `Then it re-enters with what came out, less costs, around the active bin then: ${widthText(terms, position)}, ${strategyOf(terms, position)}. At least ${lamportsToSol(terms.reserveLamports)} SOL stay in the wallet. You are asked again only if its review finds anything.`,
  ];
}

/** "at most 1 %, out and in each" */
export function slippageText({ slippageBps }: ReentryTerms): string {
  return `at most ${percent(slippageBps / 100)}, out and in each`;
}
