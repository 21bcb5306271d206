import * as l10n from '@vscode/l10n';
import { errorMessageOf, type OperationError } from '../errors';
import { isEnd } from '../journal/states';
import type { NewEvent, OperationRecord } from '../journal/types';
import type { SolanaRpc } from '../../rpc/types';
import { observeStatuses, readListing } from '../outcome/observations';
import type { Recorder } from '../run/recorder';
import { confirmsRepetition } from '../run/repetition';
import { Steps } from '../run/steps';
import { waitForEarlier } from '../run/waiting';
import { wasSubmitted } from '../signedAttempts';
import type { OperationDependencies, OperationHost } from '../types';
import { childOperationsOf, type RebalanceStatus, rebalanceStatusOf, unreadableSince } from './rebalanceStatus';
import type { NotReenteredReason, RebalanceHost, RebalanceLeg, RebalanceResult, RebalanceStep, Reentry } from './types';
import { refreshPositions, checkThenStart, switchBack, otherServiceWords, needsWalletWords, suspendedWords } from '../words';

/** Why nothing (more) was re-entered, and what is known of the money. */
export interface NotReentered {
  readonly reason: NotReenteredReason;
  readonly words: string;
  readonly lamportsBack: bigint | undefined;
  /** Whether re-entry is offered. Default: if the rebalance's end is not written. */
  readonly isOpen?: boolean;
  readonly review?: Extract<RebalanceResult, { kind: 'notReentered' }>['review'];
  readonly error?: OperationError | undefined;
}

/**
 * A rebalance that this window works on, under its lock: no other window begins a part of it. The lock is checked before each signature. A
 * window that takes over finds the part that was begun and begins none.
 */
export class RebalanceContext {
  constructor(
    readonly recorder: Recorder,
    readonly dependencies: OperationDependencies,
    readonly host: RebalanceHost,
    readonly signal: AbortSignal,
    /** What may have landed before, and is repeated all the same: confirmed for both parts. */
    readonly repeated: readonly OperationRecord[] = [],
    /** See {@link RebalancePlan.mostReentryLamports}. */
    readonly mostReentryLamports?: bigint,
  ) {}

  get id(): string {
    return this.recorder.id;
  }

  get record(): OperationRecord {
    return this.recorder.record;
  }

  /** Dependencies of the parts: they name this rebalance as their parent, and wait for earlier attempts that may still land. */
  get partDependencies(): OperationDependencies {
    return { ...this.dependencies, parent: this.id, waitsForEarlier: true };
  }

  /**
   * The host of one part.
   * @param beforeSigning a last check after the approval; throws if the part must not be signed
   */
  partHost(leg: RebalanceLeg, reentry: Reentry | undefined, beforeSigning: () => Promise<void>): OperationHost {
    const { host } = this;
    return {
      report: (step, leftMs) => host.report(leftMs === undefined ? { leg, step } : { leg, step, leftMs }),
      approve: (review, reason, details) => host.approve({ leg, review, reason, details, reentry }),
      signer: async () => {
        const signer = await host.signer();
        await this.assertStillHeld();
        await beforeSigning();
        return signer;
      },
      ...(host.repeat === undefined ? {} : { repeat: (earlier) => this.#confirmsRepetition(earlier) }),
      ...(host.began === undefined ? {} : { began: (operation) => host.began?.(operation) }),
      ...(host.leftOpen === undefined ? {} : { leftOpen: (operation) => host.leftOpen?.(operation) }),
      ...(host.approver === undefined ? {} : { approver: host.approver }),
    };
  }

  #confirmsRepetition(earlier: readonly OperationRecord[]): Promise<boolean> {
    const unasked = earlier.filter(({ id }) => !this.repeated.some((one) => one.id === id));
    return confirmsRepetition(unasked, this.host);
  }

  /** An error of the host must not stop the rebalance. */
  report(step: RebalanceStep): void {
    try {
      this.host.report(step);
    } catch (error) {
      this.log('warn', `reporting "${step.step}" failed: ${errorMessageOf(error)}`);
    }
  }

  reportBegan(): void {
    try {
      this.host.began?.(this.id);
    } catch (error) {
      this.log('warn', `reporting its id failed: ${errorMessageOf(error)}`);
    }
  }

  /** Reports the rebalance as left open unless it has ended, and releases it. */
  async close(): Promise<void> {
    try {
      if (!isEnd(this.record.state)) {
        this.host.leftOpen?.(this.id);
      }
    } catch (error) {
      this.log('warn', `reporting that it was left open failed: ${errorMessageOf(error)}`);
    }
    await this.recorder.close();
  }

  log(level: 'info' | 'warn', message: string): void {
    this.dependencies.log(level, `Rebalance ${this.id}: ${message}`);
  }

  /** @throws Error if another window may have taken over */
  async assertStillHeld(): Promise<void> {
    const { lock } = this.recorder;
    if (lock.lost.aborted || !(await lock.isStillHeld())) {
      throw new Error(suspendedWords());
    }
  }

  /** @throws Error if service or wallet have changed since the rebalance began */
  assertNothingSwitched(): void {
    const { portfolio, isServiceInUse, isProfileInUse } = this.dependencies;
    const isOtherWallet = portfolio.snapshot.owner !== this.record.created.owner;
    if (!isServiceInUse() || isProfileInUse?.() === false || isOtherWallet) {
      throw new Error(`${isOtherWallet ? needsWalletWords(this.record.created.owner) : otherServiceWords()} ${switchBack()}`);
    }
  }

  /** Its zap-outs and zap-ins in the journal. @throws Error if the journal, or a record that may be one of them, can't be read */
  async parts(): Promise<readonly OperationRecord[]> {
    const { records, problems } = await this.dependencies.journal.read();
    const unread = unreadableSince(this.record, problems);
    if (unread !== undefined) {
      throw new Error(l10n.t`An unreadable record may be part of this rebalance. ${unread.what}`);
    }
    return childOperationsOf(this.id, records);
  }

  /** Derives its status, and writes its end if it has one. @throws Error if the journal can't be read */
  async updateStatus(): Promise<RebalanceStatus> {
    const status = rebalanceStatusOf(this.record, await this.parts());
    if (status.kind === 'concluded' && this.record.state === 'created') {
      await this.end(status.event);
    }
    return status;
  }

  /** Ends it. Never rejects: if the end can't be written, the watcher derives it again. */
  async end(event: Extract<NewEvent, { kind: 'settled' | 'failed' | 'abandoned' }>): Promise<void> {
    this.log('info', event.kind);
    await this.recorder.note(event);
  }

  notReentered({ reason, words, lamportsBack, isOpen = this.record.state === 'created', review, error }: NotReentered): RebalanceResult {
    this.log('info', `not re-entered: ${reason}`);
    return { kind: 'notReentered', rebalance: this.id, reason, words, lamportsBack, isOpen, review, error };
  }

  /** A part was sent, and its effect is not listed yet. */
  unconfirmed(leg: RebalanceLeg, signature: string | undefined, stoppedWaiting: boolean): RebalanceResult {
    this.log('info', `${leg} does not show yet`);
    return { kind: 'unconfirmed', rebalance: this.id, leg, signature, stoppedWaiting };
  }
}

/** An earlier zap-in that was recorded as failed took effect after all: nothing more may be re-entered. */
export class AlreadyReenteredError extends Error {}

/**
 * Makes sure that no earlier re-entry attempt landed: before another one begins and again right before it is signed, since the service may
 * have landed an earlier one in the meantime. With an RPC, their own signatures say so; a listing alone only stops the re-entry.
 * @throws AlreadyReenteredError if one took effect, and Error if that is not known.
 */
export async function assertNotReentered(context: RebalanceContext): Promise<void> {
  const sent = await sentBefore(context);
  if (sent.length === 0) {
    return;
  }
  const { portfolio, isServiceInUse, rpc } = context.dependencies;
  if (rpc !== undefined) {
    await assertNotOnChain(sent, rpc);
  }
  const listing = await readListing(portfolio, context.record.created.owner, isServiceInUse);
  const found = sent.map((part) => listing?.evidence(part) ?? 'unclear');
  if (found.includes('shows')) {
    throw rpc === undefined ? new AlreadyReenteredError('An earlier zap-in of this rebalance is listed.') : new Error(unconfirmedWords());
  }
  if (found.includes('unclear')) {
    throw unclear();
  }
}

async function assertNotOnChain(sent: readonly OperationRecord[], rpc: SolanaRpc): Promise<void> {
  for (const part of sent) {
    const statuses = await observeStatuses(part, rpc);
    const landed = statuses?.filter((status) => status !== undefined && status.error === undefined).length;
    if (landed === undefined) {
      throw new Error(unconfirmedWords());
    }
    if (landed > 0) {
      throw landed === part.signatures.length
        ? new AlreadyReenteredError('An earlier zap-in of this rebalance landed.')
        : new Error(`${l10n.t('A part of an earlier re-entry landed.')} ${checkThenStart()}`);
    }
  }
}

/**
 * Waits until the earlier zap-ins can no longer land (two minutes at most; not at all without any). This comes before reading the pool, so
 * the range is placed around the bin that is active afterwards.
 */
export async function waitForEarlierZapIns(context: RebalanceContext): Promise<void> {
  const [last] = await sentBefore(context);
  if (last !== undefined) {
    const build = (): Promise<never> => Promise.reject(new Error('Nothing is built while something earlier is waited for.'));
    const work = { name: `Rebalance ${context.id}`, noun: l10n.t('zap-in'), subject: last.created, build };
    await waitForEarlier(
      new Steps(
        work,
        context.dependencies,
        context.partHost('zapIn', undefined, () => Promise.resolve()),
        context.signal,
      ),
    );
  }
}

/** Its zap-ins that were sent and have ended. */
async function sentBefore(context: RebalanceContext): Promise<readonly OperationRecord[]> {
  return (await context.parts()).filter((part) => part.created.operation === 'zapIn' && wasSubmitted(part) && isEnd(part.state));
}

const unconfirmedWords = (): string => l10n.t('An earlier re-entry may have landed, and your RPC does not confirm it.');

function unclear(): Error {
  return new Error(`${l10n.t`An earlier ${l10n.t('zap-in')} may have landed.`} ${refreshPositions()}`);
}
