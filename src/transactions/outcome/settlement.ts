import type { ParseWarning } from '../../service/common';
import type { Effect } from '../effects';
import { lookEveryMs } from '../requestPlan';
import type { OperationDependencies } from '../types';

/** How many listings in a row have to show the effect: with the service's word that it landed, and without. One may miss a record. */
export const LISTINGS_AFTER_CONFIRMATION = 1;
export const LISTINGS_WITHOUT_CONFIRMATION = 2;

/** What is waited for. */
export interface SettlementTracker {
  readonly effect: Effect;
  /** {@link LISTINGS_AFTER_CONFIRMATION} or {@link LISTINGS_WITHOUT_CONFIRMATION} */
  readonly listings: number;
  /** Whether what is listed now is of the wallet and the service of the operation. */
  readonly isOfThis: () => boolean;
}

/** Waits until the portfolio shows the effect of an operation; false where it does not in time. */
export async function showsEffect(
  { effect, listings, isOfThis }: SettlementTracker,
  dependencies: Pick<OperationDependencies, 'portfolio' | 'settleTimeoutMs' | 'settleEveryMs' | 'requests'>,
  signal: AbortSignal,
): Promise<boolean> {
  const { portfolio, settleTimeoutMs: timeoutMs, settleEveryMs, requests } = dependencies;
  let inARow = 0;
  const settled: Effect = (snapshot) => {
    // A list of another wallet or service says nothing of this position, nor does one whose records could not all be read.
    const isWitness = isOfThis() && (listings === LISTINGS_AFTER_CONFIRMATION || !portfolio.oddities.some(mayHideRecord));
    inARow = isWitness && effect(snapshot) ? inARow + 1 : 0;
    return inARow >= listings;
  };
  return portfolio.waitUntil(settled, { timeoutMs, everyMs: lookEveryMs(settleEveryMs, requests), signal });
}

/** Whether an oddity is about a whole record, or the whole list ("data[3]", "data"): a position may be missing for it. */
export function mayHideRecord({ path }: ParseWarning): boolean {
  return !path.includes('.');
}
