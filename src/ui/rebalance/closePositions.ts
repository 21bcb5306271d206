import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import type { PortfolioSnapshot } from '../../portfolio/types';
import type { OpenPosition } from '../../service/positions';
import type { OperationResult } from '../../transactions/types';
import type { BusyPositions } from '../shell/busyPositions';
import { UserError } from '../shell/errors';
import { type InTurnDependencies, type KeepBatch, noneAbleText, runInTurn } from './inTurn';
import { notSignedBrief } from './rebalanceMessages';
import type { RebalanceRuns } from './request';
import { askSummary, closeSummary } from './summary';
import { halfDoneText, noOpenPosition } from '../zap/operationMessages';
import { reasonWords } from '../../base/reasons/reasonWords';

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
      able: (snapshot) => closable(snapshot, selected, busy),
      ask: (positions, names) => askSummary(positions, names, closeSummary(slippageBps), prompts),
      keep: (of) => keep('close', owner, of),
      skipped: ({ key }, { positions }) => (positions.some((now) => now.key === key) ? undefined : l10n.t('skipped: no longer listed')),
      run: async (position, request) => (await runner()).close({ ...request, position, owner, slippageBps }),
      isDone: (result) => result.kind === 'settled' && result.shortfall === undefined,
      brief: closeBrief,
      title: closeSummary(slippageBps).title,
    },
    dependencies,
  );
}

function closable({ positions }: PortfolioSnapshot, selected: readonly string[] | undefined, busy: BusyPositions): readonly OpenPosition[] {
  const meant = selected === undefined ? positions : positions.filter(({ key }) => selected.includes(key));
  const able = meant.filter((position) => isClosable(position) && !busy.has(position.key));
  if (able.length === 0) {
    throw new UserError(meant.length === 0 ? noOpenPosition() : noneAbleText());
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
      return result.shortfall === undefined ? l10n.t('closed') : halfDoneText();
    case 'landedNotListed':
      return result.isProven === true ? reasonWords({ code: 'landedNotListed' }) : l10n.t('Unconfirmed');
  }
}
