import type { OverviewToHost } from '../../src/protocol/overview';
import type { PartGuard } from '../shared/errors';
import type { OverviewState } from './state';

/** A part of the overview that can be retried by itself. */
export type PartName = Extract<OverviewToHost, { kind: 'retry' }>['part'];

/** Shows a part of the overview, unless its error is shown for the whole page. */
export type OverviewGuard = PartGuard<PartName>;

export function partsOf({ overview, open, earned, history }: OverviewState): Pick<OverviewState, PartName> {
  return { overview, open, earned, history };
}
