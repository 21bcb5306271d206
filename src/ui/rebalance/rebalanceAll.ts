import * as l10n from '@vscode/l10n';
import { counted } from '../../base/format/counted';
import { count } from '../../base/format/numbers';
import { sentence } from '../../base/format/sentence';
import type { Address } from '../../base/solana/address';
import type { PortfolioControl, PortfolioSnapshot } from '../../portfolio/types';
import type { OpenPosition } from '../../service/positions';
import { errorMessageOf } from '../../transactions/errors';
import type { RebalanceResult, ReentryTerms } from '../../transactions/rebalance/types';
import type { BusyPositions } from '../shell/busyPositions';
import type { EditorActions } from '../shell/editorAccess';
import { orCancelled, UserError } from '../shell/errors';
import type { LogFunction } from '../shell/log';
import type { Prompts } from '../shell/prompts/prompts';
import { type WaitingDependencies, withRequestWait } from '../shell/requestWait';
import { plainText } from '../shell/views/text';
import { rebalanceBrief } from './rebalanceMessages';
import type { RebalanceRuns } from './request';
import { askSummary } from './summary';

export interface RebalanceAllDependencies {
  readonly prompts: Prompts;
  readonly actions: Pick<EditorActions, 'focusActivity'>;
  readonly portfolio: PortfolioControl;
  readonly busy: BusyPositions;
  readonly runner: () => Promise<RebalanceRuns>;
  readonly terms: () => ReentryTerms;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  readonly log: LogFunction;
  /** For waiting for the service's request limit while positions are read. */
  readonly waiting: WaitingDependencies;
}

/** The outcome of one position. */
type Outcome =
  | { readonly kind: 'ended'; readonly result: RebalanceResult }
  | { readonly kind: 'failed'; readonly words: string }
  | { readonly kind: 'notBegun' }
  | { readonly kind: 'inRange' };

const showActivity = () => l10n.t('Show Activity');

/**
 * Rebalances all positions that are out of range, one after the other, after one summary and one question. A failure or a declined one
 * does not stop the others; Cancel on the progress stops the rest. One notification at the end reports all outcomes.
 * @throws UserError if there is none to rebalance; also the error that kept the positions from being read
 */
export async function rebalanceAll(owner: Address, dependencies: RebalanceAllDependencies): Promise<void> {
  const { prompts, terms: readTerms, nowMs } = dependencies;
  const terms = readTerms();
  const positions = outOfRange(await freshSnapshot(dependencies), dependencies.busy);
  const chosen = await askSummary(positions, terms, prompts);
  if (chosen.length === 0) {
    return;
  }
  const outcomes = await inTurn(chosen, { owner, terms, confirmedAtMs: nowMs() }, dependencies);
  notifyOutcomes(chosen, outcomes, dependencies);
}

/** Reads the positions again: a stale range is no reason to close a position. */
async function freshSnapshot({ portfolio, prompts, waiting }: RebalanceAllDependencies): Promise<PortfolioSnapshot> {
  const title = l10n.t('Loading positions');
  await prompts.progress({ title, cancellable: true }, async (show, signal) => {
    show(l10n.t('checking which are out of range…'));
    await orCancelled(
      withRequestWait({ title, show }, waiting, (pace) => portfolio.refresh('manual', ['positions'], pace)),
      signal,
    );
  });
  const { snapshot } = portfolio;
  const { positionsState } = snapshot;
  if (positionsState.kind === 'stale' || positionsState.kind === 'failed') {
    throw positionsState.error;
  }
  return snapshot;
}

function outOfRange({ positions }: PortfolioSnapshot, busy: BusyPositions): readonly OpenPosition[] {
  const out = positions.filter(({ inRange }) => inRange === false);
  const able = out.filter((position) => canBeRebalanced(position) && !busy.has(position.key));
  if (able.length === 0) {
    throw new UserError(
      out.length === 0
        ? l10n.t('No open position is out of range.')
        : out.length === 1
          ? l10n.t('1 position is out of range, but cannot be rebalanced now: an operation on it is in progress, or its pool has no bins.')
          : l10n.t`${count(out.length)} positions are out of range, but none can be rebalanced now: operations on them are in progress, or their pools have no bins.`,
    );
  }
  return able;
}

/** Whether a position has a range of bins that can be re-centered. */
export function canBeRebalanced({ poolType, address, lowerBinId, upperBinId }: OpenPosition): boolean {
  return poolType === 'dlmm' && address !== undefined && lowerBinId !== undefined && upperBinId !== undefined;
}

async function inTurn(
  chosen: readonly OpenPosition[],
  { owner, terms, confirmedAtMs }: { readonly owner: Address; readonly terms: ReentryTerms; readonly confirmedAtMs: number },
  { runner, portfolio, log }: RebalanceAllDependencies,
): Promise<readonly Outcome[]> {
  const runs = await runner();
  const stopped = new AbortController();
  const outcomes: Outcome[] = [];
  for (const [index, position] of chosen.entries()) {
    if (stopped.signal.aborted) {
      outcomes.push({ kind: 'notBegun' });
      continue;
    }
    // The ones before took time; the user confirmed positions that are out of range.
    if (portfolio.snapshot.positions.some(({ key, inRange }) => key === position.key && inRange === true)) {
      outcomes.push({ kind: 'inRange' });
      continue;
    }
    const request = {
      position,
      owner,
      terms,
      consent: { kind: 'summary', atMs: confirmedAtMs },
      place: chosen.length === 1 ? undefined : l10n.t`${index + 1} of ${chosen.length}`,
      showsResult: false,
      onCancel: () => stopped.abort(),
    } as const;
    outcomes.push(
      await runs.rebalance(request).then(
        (result): Outcome => ({ kind: 'ended', result }),
        (error: unknown): Outcome => {
          log('warn', `rebalancing ${position.key} failed: ${errorMessageOf(error)}`);
          return { kind: 'failed', words: errorMessageOf(error) };
        },
      ),
    );
  }
  return outcomes;
}

function notifyOutcomes(
  chosen: readonly OpenPosition[],
  outcomes: readonly Outcome[],
  { prompts, actions, log }: RebalanceAllDependencies,
): void {
  const done = outcomes.filter((outcome) => outcome.kind === 'ended' && outcome.result.kind === 'settled').length;
  const lines = outcomes.map((outcome, index) => sentence(`${plainText(chosen[index]?.pairName ?? '')}: ${outcomeText(outcome)}`));
  const isAllDone = done === chosen.length;
  const headline = isAllDone
    ? l10n.t`Rebalanced ${counted(done, 'position')}.`
    : l10n.t`Rebalanced ${count(done)} of ${counted(chosen.length, 'position')}.`;
  const message = [headline, ...lines].join(' ');
  void prompts
    .notify({ severity: isAllDone ? 'info' : 'warning', message, actions: [showActivity()] })
    .then(async (pressed) => {
      if (pressed === showActivity()) {
        await actions.focusActivity();
      }
    })
    .catch((error: unknown) => log('warn', errorMessageOf(error)));
}

function outcomeText(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'ended':
      return rebalanceBrief(outcome.result);
    case 'failed':
      return l10n.t`failed. ${outcome.words}`;
    case 'notBegun':
      return l10n.t('skipped, because you stopped the rest');
    case 'inRange':
      return l10n.t('skipped, because it is back in range');
  }
}
