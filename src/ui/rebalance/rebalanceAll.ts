import * as l10n from '@vscode/l10n';
import { counted } from '../../base/format/counted';
import { count } from '../../base/format/numbers';
import type { Address } from '../../base/solana/address';
import type { PortfolioSnapshot } from '../../portfolio/types';
import type { OpenPosition } from '../../service/positions';
import type { RebalanceResult, ReentryTerms } from '../../transactions/rebalance/types';
import type { BusyPositions } from '../shell/busyPositions';
import { UserError } from '../shell/errors';
import { type InTurnDependencies, runInTurn } from './inTurn';
import { rebalanceBrief } from './rebalanceMessages';
import type { RebalanceRuns } from './request';
import { askSummary, rebalanceSummary } from './summary';

export interface RebalanceAllDependencies extends InTurnDependencies {
  readonly runner: () => Promise<Pick<RebalanceRuns, 'rebalance'>>;
  readonly terms: () => ReentryTerms;
}

/** Rebalances the positions that are out of range. @throws the errors of {@link runInTurn} */
export async function rebalanceAll(owner: Address, dependencies: RebalanceAllDependencies): Promise<void> {
  const { prompts, runner, busy } = dependencies;
  const terms = dependencies.terms();
  await runInTurn<RebalanceResult>(
    {
      reading: l10n.t('checking…'),
      able: (snapshot) => outOfRange(snapshot, busy),
      ask: (positions, names) => askSummary(positions, names, rebalanceSummary(terms), prompts),
      // The user confirmed positions that are out of range.
      skipped: ({ key }, { positions }) =>
        positions.some((now) => now.key === key && now.inRange === true) ? l10n.t('skipped: back in range') : undefined,
      run: async (position, request) => (await runner()).rebalance({ ...request, position, owner, terms }),
      isDone: ({ kind }) => kind === 'settled',
      brief: rebalanceBrief,
      headline: (done, of) =>
        done === of ? l10n.t`Rebalanced ${counted(done, 'position')}.` : l10n.t`Rebalanced ${count(done)} of ${counted(of, 'position')}.`,
    },
    dependencies,
  );
}

function outOfRange({ positions }: PortfolioSnapshot, busy: BusyPositions): readonly OpenPosition[] {
  const out = positions.filter(({ inRange }) => inRange === false);
  const able = out.filter((position) => canBeRebalanced(position) && !busy.has(position.key));
  if (able.length === 0) {
    throw new UserError(
      out.length === 0
        ? l10n.t('No open position is out of range.')
        : l10n.t`Out of range: ${counted(out.length, 'position')}. None can be rebalanced now: operations are in progress, or their pools have no bins.`,
    );
  }
  return able;
}

/** Whether a position has a range of bins that can be re-centered. */
export function canBeRebalanced({ poolType, address, lowerBinId, upperBinId }: OpenPosition): boolean {
  return poolType === 'dlmm' && address !== undefined && lowerBinId !== undefined && upperBinId !== undefined;
}
