import * as l10n from '@vscode/l10n';
import type { OpenPosition } from '../service/positions';
import type { Clock } from '../base/async/clock';
import type { PortfolioControl, RefreshReason } from '../portfolio/types';
import type { Address } from '../base/solana/address';
import { errorMessageOf } from '../transactions/errors';
import type { OperationJournal } from '../transactions/journal/types';
import { mayHideRecord } from '../transactions/outcome/observations';
import { type PoolsOnChain, readPools } from '../transactions/inspect/poolsOnChain';
import type { SolanaRpc } from '../rpc/types';
import type { BenefitOf } from './benefit';
import { decide } from './decide';
import { actionsOf, historyOf, sentInDay, type WalletHistory } from './history';
import type { Cooldowns } from './cooldowns';
import { ledgerProblem, type Ledgers } from './ledger';
import { withLimits } from './limits';
import type { ObservationHistory, Seen } from './observations';
import type { AutoRebalanceRules, ConfirmedWorth, PlannedPosition } from './types';

/** Where positions and earlier operations are read. */
export interface InputSources {
  readonly portfolio: PortfolioControl;
  readonly journal: OperationJournal;
  /** The RPC in use, if any. */
  readonly rpc: () => Promise<SolanaRpc | undefined>;
  /** What re-centering is expected to bring. Default: not known. */
  readonly benefitOf?: BenefitOf | undefined;
  readonly clock: Clock;
  readonly log: (level: 'debug' | 'info' | 'warn' | 'error', message: string) => void;
}

/** What was read for a check. */
export interface RuleInputs {
  readonly positions: readonly OpenPosition[];
  /** Their pools by the user's RPC; empty without one, or without its answer. */
  readonly pools: PoolsOnChain;
  readonly history: WalletHistory;
  /** When the positions were read, milliseconds since 1970. */
  readonly asOfMs: number;
}

/** What earlier checks and actions left. */
export interface CheckMemory {
  readonly observations: ReadonlyMap<string, ObservationHistory>;
  readonly ledgers: Ledgers;
  readonly cooldowns: Cooldowns | undefined;
}

/** The positions or the journal can't be read, so nothing may be done. The message is for the user. */
export class DataUnavailableError extends Error {
  override readonly name = 'DataUnavailableError';
  /** How long the service asks to wait, in milliseconds; `undefined` if the service is not the cause. */
  readonly restMs: number | undefined;

  constructor(message: string, restMs?: number, options?: ErrorOptions) {
    super(message, options);
    this.restMs = restMs;
  }
}

/**
 * Reads the positions and the journal. Positions read before the call don't count.
 * @throws DataUnavailableError if either can't be read, or only in part
 */
export async function readInputs(owner: Address, reason: RefreshReason, sources: InputSources): Promise<RuleInputs> {
  const { portfolio, journal, clock } = sources;
  const startMs = clock.now();
  // A check waits a while for the request limit; if that is not enough, the next check tries again.
  await portfolio.refresh(reason, ['positions'], 'panel');
  const { snapshot, warnings } = portfolio;
  const { positionsState: state } = snapshot;
  if (snapshot.owner !== owner) {
    throw new DataUnavailableError(l10n.t('The wallet was switched during the check.'));
  }
  if (state.kind === 'failed' || state.kind === 'stale') {
    throw new DataUnavailableError(l10n.t`Could not load the positions. ${errorMessageOf(state.error)}`, restAskedFor(state.error), {
      cause: state.error,
    });
  }
  if (state.kind !== 'ready' || state.asOf.getTime() < startMs) {
    throw new DataUnavailableError(l10n.t('Could not refresh the positions.'));
  }
  const warning = warnings.find(mayHideRecord);
  if (warning !== undefined) {
    throw new DataUnavailableError(
      l10n.t`Part of the service's answer cannot be read, so it is not used (${warning.path}: ${warning.message}).`,
    );
  }
  const { records, problems } = await journal.read();
  const history = historyOf(records, problems, owner);
  if (history === undefined) {
    throw new DataUnavailableError(l10n.t`The operation journal cannot be read. ${problems[0]?.what ?? ''}`.trim());
  }
  const { positions } = snapshot;
  return { positions, pools: await poolsOf(positions, sources), history, asOfMs: state.asOf.getTime() };
}

/** The pools of positions; none without an answer of the RPC: the figures of the service then need more time. */
async function poolsOf(positions: readonly OpenPosition[], { rpc, log }: Pick<InputSources, 'rpc' | 'log'>): Promise<PoolsOnChain> {
  try {
    const inUse = await rpc();
    return inUse === undefined
      ? new Map()
      : await readPools(
          positions.flatMap(({ pool }) => pool ?? []),
          inUse,
        );
  } catch (error) {
    log('warn', `Automation: the pools could not be read from the RPC. ${errorMessageOf(error)}`);
    return new Map();
  }
}

/** The positions with what their figures are compared with. */
export function seenOf({ positions, pools, history }: RuleInputs, ledgers: Ledgers, { pnlIn }: AutoRebalanceRules): readonly Seen[] {
  return positions.map((position) => ({
    position,
    evidence: {
      pool: position.pool === undefined ? undefined : pools.get(position.pool),
      ledgerProblem: ledgerProblem(position, pnlIn, ledgers.get(position.key), history),
    },
  }));
}

/** Decides for each position what to do with it now. @param worths of the positions when the rules were confirmed */
export function planOf(
  inputs: RuleInputs,
  { observations, ledgers, cooldowns }: CheckMemory,
  rules: AutoRebalanceRules,
  worths: readonly ConfirmedWorth[],
  nowMs: number,
): readonly PlannedPosition[] {
  const { history } = inputs;
  const planned = seenOf(inputs, ledgers, rules).map((seen) => {
    const { position } = seen;
    const { key } = position;
    const decision = decide({ ...seen, observations: observations.get(key), ledger: ledgers.get(key), history, rules, nowMs });
    return { position, decision: cooldowns?.applied(decision, key, nowMs) ?? decision };
  });
  return withLimits(planned, history, rules, worths, nowMs);
}

/** Number of rebalances and closings that count against the daily limit. */
export function doneInDay({ history }: RuleInputs, nowMs: number): number {
  return sentInDay({ sent: actionsOf(history) }, nowMs).length;
}

/** How long the service asks to wait (Retry-After), in milliseconds; 0 if it doesn't say. */
function restAskedFor(error: Error): number {
  return 'retryAfterMs' in error && typeof error.retryAfterMs === 'number' && error.retryAfterMs > 0 ? error.retryAfterMs : 0;
}
