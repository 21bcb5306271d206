import * as l10n from '@vscode/l10n';
import { counted } from '../../base/format/counted';
import { count } from '../../base/format/numbers';
import type { Address } from '../../base/solana/address';
import type { PortfolioSnapshot } from '../../portfolio/types';
import type { OpenPosition } from '../../service/positions';
import type { OperationResult } from '../../transactions/types';
import type { BusyPositions } from '../shell/busyPositions';
import { UserError } from '../shell/errors';
import { type InTurnDependencies, type KeepBatch, runInTurn } from './inTurn';
import { notSignedBrief } from './rebalanceMessages';
import type { RebalanceRuns } from './request';
import { askSummary, closeSummary } from './summary';

export interface ClosePositionsDependencies extends InTurnDependencies {
  readonly runner: () => Promise<Pick<RebalanceRuns, 'close'>>;
  readonly keep: KeepBatch;
  /** Slippage tolerance, 0 to 10000. */
  readonly slippageBps: () => number;
}

/**
 * Closes positions for SOL.
 * @param selected the `OpenPosition.key` of those that the user selected; `undefined`: all are offered
 * @throws the errors of {@link runInTurn}
 */
export async function closePositions(
  owner: Address,
  selected: readonly string[] | undefined,
  dependencies: ClosePositionsDependencies,
): Promise<void> {
  const { prompts, runner, busy, keep } = dependencies;
  const slippageBps = dependencies.slippageBps();
  await runInTurn<OperationResult>(
    {
      reading: l10n.t('checking…'),
      able: (snapshot) => closable(snapshot, selected, busy),
      ask: (positions, names) => askSummary(positions, names, closeSummary(slippageBps), prompts),
      keep: (of) => keep('close', owner, of),
      skipped: ({ key }, { positions }) => (positions.some((now) => now.key === key) ? undefined : l10n.t('skipped: no longer listed')),
      run: async (position, request) => (await runner()).close({ ...request, position, owner, slippageBps }),
      isDone: (result) => result.kind === 'settled' && result.shortfall === undefined,
      brief: closeBrief,
      headline: (done, of) =>
        done === of ? l10n.t`Closed ${counted(done, 'position')}.` : l10n.t`Closed ${count(done)} of ${counted(of, 'position')}.`,
    },
    dependencies,
  );
}

function closable({ positions }: PortfolioSnapshot, selected: readonly string[] | undefined, busy: BusyPositions): readonly OpenPosition[] {
  const meant = selected === undefined ? positions : positions.filter(({ key }) => selected.includes(key));
  const able = meant.filter((position) => isClosable(position) && !busy.has(position.key));
  if (able.length === 0) {
    throw new UserError(
      meant.length === 0
        ? l10n.t('There is no open position.')
        : l10n.t('None can be closed now: operations are in progress, or Binsight does not support their pools.'),
    );
  }
  return able;
}

/** Whether Binsight supports its pool. */
export function isClosable({ poolType }: OpenPosition): boolean {
  return poolType !== 'other';
}

/** What happened to a position in a few words, for a list of several. */
export function closeBrief(result: OperationResult): string {
  switch (result.kind) {
    case 'declined':
    case 'blocked':
      return notSignedBrief(result);
    case 'settled':
      return result.shortfall === undefined ? l10n.t('closed') : l10n.t('closed in part; see Activity');
    case 'landedNotListed':
      return result.isProven === true ? l10n.t('closed, not listed yet') : l10n.t('sent, outcome unknown');
  }
}
