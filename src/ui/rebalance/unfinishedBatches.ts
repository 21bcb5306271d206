import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import type { Subscription } from '../../base/async/clock';
import { counted } from '../../base/format/counted';
import { count } from '../../base/format/numbers';
import { DAY_MS } from '../../base/time';
import type { PortfolioReader } from '../../portfolio/types';
import type { OpenPosition } from '../../service/positions';
import type { CommandId } from '../../settings/generated/commandIds';
import { errorMessageOf } from '../../transactions/errors';
import type { HeldLock, OperationLocks } from '../../transactions/locks/types';
import type { Activity } from '../activity/activity';
import type { BusyPositions } from '../shell/busyPositions';
import type { StateStore } from '../shell/editorAccess';
import type { LogFunction } from '../shell/log';
import type { Prompts } from '../shell/prompts/prompts';
import type { ServiceChoice } from '../shell/serviceChoice';
import { isWorthClaiming } from './claimAll';
import { isClosable } from './closePositions';
import type { BatchKind, KeepBatch } from './inTurn';

const KEPT_AS = 'binsight.unfinishedBatches';
/** What is older was given up: prices and positions have changed. */
const KEPT_MS = DAY_MS;
/** Batches, and positions of one: a bound for the state, not for the work. */
const MOST_KEPT = 8;
const MOST_POSITIONS = 300;

const BATCH = z.object({
  id: z.string(),
  kind: z.enum(['close', 'claim']),
  service: z.string().optional(),
  owner: z.string(),
  /** Milliseconds since 1970. */
  atMs: z.number(),
  /** Number of positions at its start. */
  of: z.number(),
  /** Keys of the positions without an outcome. */
  left: z.array(z.string()),
});
type KeptBatch = z.infer<typeof BATCH>;

interface KindOfBatch {
  readonly command: CommandId;
  readonly isAble: (position: OpenPosition) => boolean;
  readonly title: () => string;
}

const KINDS: Readonly<Record<BatchKind, KindOfBatch>> = {
  close: { command: 'binsight.closePositions', isAble: isClosable, title: () => l10n.t('Close Positions') },
  claim: { command: 'binsight.claimAllFees', isAble: isWorthClaiming, title: () => l10n.t('Claim All Fees') },
};

const continueText = () => l10n.t('Continue…');

export interface KeepBatchDependencies {
  /** State shared by all windows. */
  readonly state: StateStore;
  readonly records: { locks(): Promise<OperationLocks> };
  readonly service: () => Pick<ServiceChoice, 'id'>;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  readonly log: LogFunction;
}

/**
 * Keeps what batches have still to do. Their window holds a lock for each, so that no other one offers to continue it. Keeping is no
 * condition: a batch whose rest cannot be kept runs all the same.
 */
export function keepBatches({ state, records, service, nowMs, log }: KeepBatchDependencies): KeepBatch {
  return (kind, owner, of) => {
    const batch = { id: randomUUID(), kind, service: service().id, owner, atMs: nowMs(), of };
    let lock: HeldLock | undefined;
    return async (left) => {
      if (left.length === 0 && lock === undefined) {
        return;
      }
      try {
        // It is lost while the machine sleeps. A closing window gets none: its operations fail, and that is no outcome.
        lock = (await lock?.isStillHeld()) === true ? lock : await (await records.locks()).tryAcquire(lockOf(batch));
        if (lock !== undefined) {
          const others = keptIn(state, nowMs()).filter(({ id }) => id !== batch.id);
          await write(state, left.length === 0 ? others : [...others, { ...batch, left: left.slice(0, MOST_POSITIONS) }]);
        }
      } catch (error) {
        log('warn', `what is left of a batch was not kept: ${errorMessageOf(error)}`);
      }
      if (left.length === 0) {
        await lock?.release();
      }
    };
  };
}

export interface BatchOfferDependencies extends Omit<KeepBatchDependencies, 'log'> {
  readonly portfolio: PortfolioReader;
  readonly activity: Pick<Activity, 'refresh'>;
  readonly busy: BusyPositions;
  readonly prompts: Pick<Prompts, 'notify'>;
  /** Runs a command of the extension on something. */
  readonly command: (id: CommandId, argument: unknown) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/**
 * Offers once per window to continue each batch of the wallet and service in use that a closed window left behind. Continuing runs its command on
 * the positions that are left, which asks as at first. Any answer ends it.
 */
export class BatchOffers {
  readonly #offered = new Set<string>();
  readonly #subscription: Subscription;
  #looking: Promise<void> | undefined;
  #isDisposed = false;

  readonly #dependencies: BatchOfferDependencies;

  constructor(dependencies: BatchOfferDependencies) {
    this.#dependencies = dependencies;

    const look = () => void this.look().catch(dependencies.onError);
    this.#subscription = dependencies.portfolio.onDidChange(look);
    // This code is loaded after activation: the list may have been read in the meantime.
    look();
  }

  /** Resolves once it is known what to offer. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#subscription.dispose();
  }

  /** Those to offer. None before positions were read. */
  #open(): readonly KeptBatch[] {
    const { state, service, portfolio, nowMs } = this.#dependencies;
    const { positionsState, owner } = portfolio.snapshot;
    return positionsState.kind === 'ready' && !this.#isDisposed
      ? keptIn(state, nowMs()).filter((batch) => batch.service === service().id && batch.owner === owner && !this.#offered.has(batch.id))
      : [];
  }

  async #look(): Promise<void> {
    if (this.#open().length === 0) {
      return;
    }
    // Marks the positions whose operations are unfinished.
    await this.#dependencies.activity.refresh();
    const locks = await this.#dependencies.records.locks();
    for (const { id } of this.#open()) {
      await this.#consider(id, locks);
    }
  }

  async #consider(id: string, locks: OperationLocks): Promise<void> {
    const lock = await locks.tryAcquire(lockOf({ id }));
    if (lock === undefined) {
      return;
    }
    await lock.release();
    // Its window may have ended it just before it gave back the lock.
    const batch = this.#open().find((open) => open.id === id);
    if (batch === undefined) {
      return;
    }
    const { portfolio, busy, onError } = this.#dependencies;
    const { isAble } = KINDS[batch.kind];
    const left = portfolio.snapshot.positions.filter((position) => batch.left.includes(position.key) && isAble(position));
    const free = left.flatMap(({ key }) => (busy.has(key) ? [] : [key]));
    if (left.length === 0) {
      await this.#forget(id);
    } else if (free.length > 0) {
      this.#offered.add(id);
      this.#offer(batch, free).catch(onError);
    }
  }

  async #offer({ id, kind, of }: KeptBatch, keys: readonly string[]): Promise<void> {
    const { prompts, command } = this.#dependencies;
    const { title, command: toContinue } = KINDS[kind];
    const pressed = await prompts.notify({
      severity: 'warning',
      message: l10n.t`${title()}: interrupted, ${count(keys.length)} of ${counted(of, 'position')} left.`,
      actions: [continueText()],
    });
    // False where another window was answered first.
    if (!this.#isDisposed && (await this.#forget(id)) && pressed !== undefined) {
      await command(toContinue, { kind: 'selection', rows: keys.map((key) => ({ kind: 'position', key })) });
    }
  }

  /** Returns whether it was still kept. */
  async #forget(forgotten: string): Promise<boolean> {
    const { state, nowMs } = this.#dependencies;
    const kept = keptIn(state, nowMs());
    const others = kept.filter(({ id }) => id !== forgotten);
    await write(state, others);
    return others.length < kept.length;
  }
}

function lockOf({ id }: Pick<KeptBatch, 'id'>): string {
  return `batch:${id}`;
}

/** What another version wrote in another form is not read. */
function keptIn(state: StateStore, nowMs: number): readonly KeptBatch[] {
  const kept = z.array(BATCH).safeParse(state.get(KEPT_AS)).data ?? [];
  return kept.filter(({ atMs }) => Math.abs(nowMs - atMs) < KEPT_MS);
}

async function write(state: StateStore, batches: readonly KeptBatch[]): Promise<void> {
  await state.update(KEPT_AS, batches.length === 0 ? undefined : batches.slice(-MOST_KEPT));
}
