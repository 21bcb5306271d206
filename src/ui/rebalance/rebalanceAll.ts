import * as l10n from '@vscode/l10n';
import type { OpenPosition } from '../../service/positions';
import { counted } from '../../base/format/numbers';
import { errorMessageOf } from '../../transactions/errors';
import type { RebalanceResult, ReentryTerms } from '../../transactions/rebalance/types';
import type { PortfolioControl, PortfolioSnapshot } from '../../portfolio/types';
import type { Address } from '../../base/solana/address';
import { orCancelled } from '../shell/cancelled';
import type { EditorActions } from '../shell/editorActions';
import type { LogFunction } from '../shell/log';
import type { BusyPositions } from '../shell/busyPositions';
import { waitingIn, type WaitingDependencies } from '../shell/requestWait';
import type { Prompts } from '../shell/prompts/prompts';
import { UserError } from '../shell/userError';
import { plainText } from '../shell/views/text';
import { rebalanceBrief } from './rebalanceMessages';
import type { RebalanceRuns } from './request';
import { askSummary } from './summary';

/** What all positions out of range are rebalanced with. */
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
  /** By which reading the positions waits for the service's request limit. */
  readonly waiting: WaitingDependencies;
}

/** What became of one of them. */
type Outcome =
  | { readonly kind: 'ended'; readonly result: RebalanceResult }
  | { readonly kind: 'failed'; readonly words: string }
  | { readonly kind: 'notBegun' }
  | { readonly kind: 'inRange' };

const showActivity = () => l10n.t('Show Activity');

/**
 * Rebalances all positions that are out of range, one after the other, after one summary and one question. What fails, or is not
 * wanted, stops no other one; the button of the progress stops the rest. In the end one notification says what became of each.
 * @throws Refusal where there is none; what kept the positions from being read
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
  tell(chosen, outcomes, dependencies);
}

/** Ranges that are a refresh old are no reason to leave a position. */
async function freshSnapshot({ portfolio, prompts, waiting }: RebalanceAllDependencies): Promise<PortfolioSnapshot> {
  const title = l10n.t('Reading your positions');
  await prompts.progress({ title, cancellable: true }, async (show, signal) => {
    show(l10n.t('which of them are out of range …'));
    await orCancelled(
      waitingIn({ title, show }, waiting, (pace) => portfolio.refresh('manual', ['positions'], pace)),
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
        ? l10n.t('No open position is out of range: there is nothing to rebalance.')
        : l10n.t`${counted(out.length, 'position')} ${out.length === 1 ? l10n.t('is out of range, but it cannot') : l10n.t('are out of range, but none of them can')} be rebalanced now: an operation on it is under way, or it is in a pool without bins.`,
    );
  }
  return able;
}

/** Whether there are bins around which it can be centred again. */
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
    // Those before it took their time: the yes was to positions that are out of range.
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
      isTold: false,
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

function tell(chosen: readonly OpenPosition[], outcomes: readonly Outcome[], { prompts, actions, log }: RebalanceAllDependencies): void {
  const done = outcomes.filter((outcome) => outcome.kind === 'ended' && outcome.result.kind === 'settled').length;
  const lines = outcomes.map((outcome, index) => sentence(`${plainText(chosen[index]?.pairName ?? '')}: ${outcomeWords(outcome)}`));
  const isAllDone = done === chosen.length;
  const message = l10n.t`Rebalanced ${isAllDone ? counted(done, 'position') : l10n.t`${done} of ${counted(chosen.length, 'position')}`}. ${lines.join(' ')}`;
  void prompts
    .notify({ severity: isAllDone ? 'info' : 'warning', message, actions: [showActivity()] })
    .then(async (pressed) => {
      if (pressed === showActivity()) {
        await actions.focusActivity();
      }
    })
    .catch((error: unknown) => log('warn', errorMessageOf(error)));
}

function outcomeWords(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'ended':
      return rebalanceBrief(outcome.result);
    case 'failed':
      return l10n.t`failed. ${outcome.words}`;
    case 'notBegun':
      return l10n.t('not begun, because you stopped the rest');
    case 'inRange':
      return l10n.t('left as it is, since it is back in range');
  }
}

function sentence(words: string): string {
  return /[.!?…]$/.test(words) ? words : `${words}.`;
}
