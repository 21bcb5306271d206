import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import type { PortfolioSnapshot } from '../../portfolio/types';
import type { OpenPosition } from '../../service/positions';
import type { RebalanceResult, ReentryTerms } from '../../transactions/rebalance/types';
import type { BusyPositions } from '../shell/busyPositions';
import { UserError } from '../shell/errors';
import { type InTurnDependencies, noneAbleText, runInTurn } from './inTurn';
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
      able: (snapshot) => outOfRange(snapshot, busy),
      ask: (positions, names) => askSummary(positions, names, rebalanceSummary(terms), prompts),
      // The user confirmed positions that are out of range.
      skipped: ({ key }, { positions }) =>
        positions.some((now) => now.key === key && now.inRange === true) ? l10n.t('skipped: back in range') : undefined,
      run: async (position, request) => (await runner()).rebalance({ ...request, position, owner, terms }),
      isDone: ({ kind }) => kind === 'settled',
      brief: rebalanceBrief,
      title: rebalanceSummary(terms).title,
    },
    dependencies,
  );
}

function outOfRange({ positions }: PortfolioSnapshot, busy: BusyPositions): readonly OpenPosition[] {
  const out = positions.filter(({ inRange }) => inRange === false);
  const able = out.filter((position) => canBeRebalanced(position) && !busy.has(position.key));
  if (able.length === 0) {
    throw new UserError(out.length === 0 ? l10n.t('No open position is out of range.') : noneAbleText());
  }
  return able;
}

/** Whether a position has a range of bins that can be re-centered. */
export function canBeRebalanced({ poolType, address, lowerBinId, upperBinId }: OpenPosition): boolean {
  return poolType === 'dlmm' && address !== undefined && lowerBinId !== undefined && upperBinId !== undefined;
}
