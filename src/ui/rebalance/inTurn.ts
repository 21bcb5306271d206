import * as l10n from '@vscode/l10n';
import { sentence } from '../../base/format/sentence';
import type { Address } from '../../base/solana/address';
import type { PortfolioControl, PortfolioSnapshot } from '../../portfolio/types';
import type { OpenPosition } from '../../service/positions';
import { errorMessageOf } from '../../transactions/errors';
import { type NamesByKey, nameIn, positionNames } from '../positions/positionList';
import type { BusyPositions } from '../shell/busyPositions';
import type { EditorActions } from '../shell/editorAccess';
import { orCancelled } from '../shell/errors';
import type { LogFunction } from '../shell/log';
import type { Prompts } from '../shell/prompts/prompts';
import { type WaitingDependencies, withRequestWait } from '../shell/requestWait';
import type { RunRequest } from './request';
import { count } from '../../base/format/numbers';

export interface InTurnDependencies {
  readonly prompts: Prompts;
  readonly actions: Pick<EditorActions, 'focusActivity'>;
  readonly portfolio: PortfolioControl;
  readonly busy: BusyPositions;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  readonly log: LogFunction;
  /** For waiting for the service's request limit while positions are read. */
  readonly waiting: WaitingDependencies;
}

/** The batches whose rest is kept. */
export type BatchKind = 'close' | 'claim';
/**
 * Keeps which positions of a batch have no outcome yet, so that a window that starts after this one was closed can offer to continue.
 * @param of number of its positions
 * @returns takes those that are left, before each operation; none ends it. Never rejects
 */
export type KeepBatch = (kind: BatchKind, owner: Address, of: number) => (left: readonly string[]) => Promise<void>;

/** An operation on several positions. */
export interface Batch<Result> {
  /** "Close Positions" */
  readonly title: string;
  /**
   * The positions that it can be carried out on.
   * @throws UserError if there is none
   */
  readonly able: (snapshot: PortfolioSnapshot) => readonly OpenPosition[];
  /** Lets the user choose and confirm once for all. None: cancelled. `names` holds all listed positions. */
  readonly ask: (positions: readonly OpenPosition[], names: NamesByKey) => Promise<readonly OpenPosition[]>;
  /** See {@link KeepBatch}; `undefined`: nothing is kept. */
  readonly keep?: (of: number) => ReturnType<KeepBatch>;
  /** Why a position whose turn has come is skipped, to follow its name; `undefined`: it is not. */
  readonly skipped: (position: OpenPosition, now: PortfolioSnapshot) => string | undefined;
  readonly run: (position: OpenPosition, request: Omit<RunRequest, 'owner'>) => Promise<Result>;
  readonly isDone: (result: Result) => boolean;
  /** What happened, to follow the name of the position. */
  readonly brief: (result: Result) => string;
}

/** What happened to one position. */
interface Outcome {
  readonly name: string;
  readonly isDone: boolean;
  readonly words: string;
}

/** Why nothing can be done with any of the positions. */
export const noneAbleText = (): string => l10n.t('None is ready for it: operations are in progress, or the pools do not support it.');

const showActivity = () => l10n.t('Show Activity');

/**
 * Carries out an operation on several positions, one after the other, after one list and one question. A failure or a declined one does not
 * stop the others; Cancel on the progress stops the rest. One notification at the end reports all outcomes.
 * @throws UserError if there is no position for it; also the error that kept the positions from being read
 */
export async function runInTurn<Result>(batch: Batch<Result>, dependencies: InTurnDependencies): Promise<void> {
  const snapshot = await freshSnapshot(dependencies);
  // Taken once: a name does not change because another position of the pair was closed meanwhile.
  const names = positionNames(snapshot.positions);
  const chosen = await batch.ask(batch.able(snapshot), names);
  if (chosen.length > 0) {
    notifyOutcomes(await outcomesOf(batch, chosen, names, dependencies), batch, dependencies);
  }
}

/** Reads the positions again: a stale list is no reason to close a position. */
export async function freshSnapshot({
  portfolio,
  prompts,
  waiting,
}: Pick<InTurnDependencies, 'portfolio' | 'prompts' | 'waiting'>): Promise<PortfolioSnapshot> {
  const title = l10n.t('Loading positions…');
  await prompts.progress({ title, cancellable: true }, async (show, signal) => {
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

async function outcomesOf<Result>(
  { keep, skipped, run, isDone, brief }: Batch<Result>,
  chosen: readonly OpenPosition[],
  names: NamesByKey,
  { portfolio, nowMs, log }: InTurnDependencies,
): Promise<readonly Outcome[]> {
  const confirmedAtMs = nowMs();
  const stopped = new AbortController();
  const outcomes: Outcome[] = [];
  const keys = chosen.map(({ key }) => key);
  const keepLeft = keep?.(keys.length);
  for (const [index, position] of chosen.entries()) {
    const name = nameIn(names, position);
    // The ones before took time.
    const reason = stopped.signal.aborted ? l10n.t('skipped: you stopped the rest') : skipped(position, portfolio.snapshot);
    if (reason !== undefined) {
      outcomes.push({ name, isDone: false, words: reason });
      continue;
    }
    await keepLeft?.(keys.slice(index));
    const request = {
      consent: { kind: 'summary', atMs: confirmedAtMs },
      place: chosen.length === 1 ? undefined : l10n.t`${index + 1} of ${chosen.length}`,
      showsResult: false,
      onCancel: () => stopped.abort(),
    } as const;
    outcomes.push(
      await run(position, request).then(
        (result): Outcome => ({ name, isDone: isDone(result), words: brief(result) }),
        (error: unknown): Outcome => {
          log('warn', `the operation on ${position.key} failed: ${errorMessageOf(error)}`);
          return { name, isDone: false, words: errorMessageOf(error) };
        },
      ),
    );
  }
  await keepLeft?.([]);
  return outcomes;
}

function notifyOutcomes<Result>(
  outcomes: readonly Outcome[],
  { title }: Batch<Result>,
  { prompts, actions, log }: InTurnDependencies,
): void {
  const done = outcomes.filter(({ isDone }) => isDone).length;
  const lines = outcomes.map(({ name, words }) => sentence(`${name}: ${words}`));
  const message = [sentence(`${title}: ${l10n.t`${count(done)} of ${count(outcomes.length)}`}`), ...lines].join(' ');
  void prompts
    .notify({ severity: done === outcomes.length ? 'info' : 'warning', message, actions: [showActivity()] })
    .then(async (pressed) => {
      if (pressed === showActivity()) {
        await actions.focusActivity();
      }
    })
    .catch((error: unknown) => log('warn', errorMessageOf(error)));
}
