import * as l10n from '@vscode/l10n';
import type { OpenPosition } from '../service/positions';
import type { RefreshReason } from '../portfolio/types';
import type { Address } from '../base/solana/address';
import { errorMessageOf } from '../transactions/errors';
import { mayHideRecord } from '../transactions/outcome/settlement';
import { decide } from './decide';
import { historyOf, sentInDay, type History } from './history';
import type { Cooldowns } from './cooldowns';
import type { ObservationHistory } from './observations';
import type { SchedulerDependencies, AutoRebalanceRules, PlannedPosition } from './types';

/** What can be read: everything that decisions come from. */
export interface RuleInputs {
  readonly positions: readonly OpenPosition[];
  readonly history: History;
  readonly asOfMs: number;
}

/** What earlier checks left. */
export interface CheckMemory {
  readonly sightings: ReadonlyMap<string, ObservationHistory>;
  readonly holds: Cooldowns | undefined;
}

/** Automation cannot see: nothing may be done by what it saw before. The message is for the user. */
export class DataUnavailableError extends Error {
  override readonly name = 'BlindError';
  /** How long the service asks to be left alone, where it is the service that does not answer. */
  readonly restMs: number | undefined;

  constructor(message: string, restMs?: number) {
    super(message);
    this.restMs = restMs;
  }
}

/**
 * Reads the positions anew, and the journal. Whatever was read before this was called does not count.
 * @throws DataUnavailableError where one of them cannot be read, or only in part.
 */
export async function readInputs(
  owner: Address,
  reason: RefreshReason,
  { portfolio, journal, clock }: Pick<SchedulerDependencies, 'portfolio' | 'journal' | 'clock'>,
): Promise<RuleInputs> {
  const startMs = clock.now();
  // A check waits for the request limit for a while, and is due again otherwise.
  await portfolio.refresh(reason, ['positions'], 'panel');
  const { snapshot, oddities } = portfolio;
  const { positionsState: state } = snapshot;
  if (snapshot.owner !== owner) {
    throw new DataUnavailableError(l10n.t('Another wallet was chosen meanwhile.'));
  }
  if (state.kind === 'failed' || state.kind === 'stale') {
    throw new DataUnavailableError(l10n.t`The positions cannot be read. ${errorMessageOf(state.error)}`, restAskedFor(state.error));
  }
  if (state.kind !== 'ready' || state.asOf.getTime() < startMs) {
    throw new DataUnavailableError(l10n.t('The positions could not be read anew.'));
  }
  const oddity = oddities.find(mayHideRecord);
  if (oddity !== undefined) {
    throw new DataUnavailableError(
      l10n.t`What the service answers can be read only in part (${oddity.path}: ${oddity.message}), so that it is not gone by.`,
    );
  }
  const { records, problems } = await journal.read();
  const history = historyOf(records, problems, owner);
  if (history === undefined) {
    throw new DataUnavailableError(
      l10n.t`The journal of operations cannot be read, so that it is not known what was done before. ${problems[0]?.what ?? ''}`.trim(),
    );
  }
  return { positions: snapshot.positions, history, asOfMs: state.asOf.getTime() };
}

/** What is to be done with each of the positions now. */
export function planOf(
  { positions, history }: RuleInputs,
  { sightings, holds }: CheckMemory,
  rules: AutoRebalanceRules,
  nowMs: number,
): readonly PlannedPosition[] {
  return positions.map((position) => {
    const decision = decide({ position, sightings: sightings.get(position.key), history, rules, nowMs });
    return { position, decision: holds?.applied(decision, position.key, nowMs) ?? decision };
  });
}

/** How many rebalances count against the most a day. */
export function doneInDay({ history }: RuleInputs, nowMs: number): number {
  return sentInDay(history, nowMs).length;
}

/** Told by shape: `api` throws these, and says how long the service wants to be left alone. */
function restAskedFor(error: Error): number {
  return 'retryAfterMs' in error && typeof error.retryAfterMs === 'number' && error.retryAfterMs > 0 ? error.retryAfterMs : 0;
}
