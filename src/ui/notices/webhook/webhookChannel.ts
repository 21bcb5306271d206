import type { Clock, Subscription } from '../../../base/async/clock';
import { HOUR_MS } from '../../../base/time';
import type { LogFunction } from '../../shell/log';
import { SecretError } from '../../shell/secrets';
import type { OutsideNotice } from '../noticeEvent';
import { type QuietHours, quietUntilMs } from '../quietHours';
import type { Outbox, TakenNotices } from './outbox';
import type { WebhookDetails } from './webhookDetails';
import { sentNotice, webhookRequest } from './webhookMessage';
import type { WebhookRefusal } from './webhookRefusal';
import { WebhookError, type WebhookSender } from './webhookSender';
import type { WebhookStore, WebhookTarget } from './webhookTarget';

export interface WebhookChannelDependencies {
  readonly store: Pick<WebhookStore, 'get'>;
  readonly outbox: Outbox;
  readonly sender: Pick<WebhookSender, 'send'>;
  readonly clock: Clock;
  readonly details: () => WebhookDetails;
  readonly quietHours: () => QuietHours | undefined;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Called when messages cannot be delivered, and not again before one was. The text is for the user. */
  readonly onFailure: (message: string, refusal?: WebhookRefusal) => void;
  readonly log: LogFunction;
  readonly onError: (error: unknown) => void;
}

/** Events within this time become one message. */
const GATHER_MS = 15_000;
/** After quiet hours, windows wait for different times: the first one sends for all. */
const SPREAD_MS = 5_000;
/** A timer does not advance while the machine sleeps, so the end of quiet hours is waited for in steps. */
const LONGEST_WAIT_MS = 60_000;
/** The wait before notices that could not be delivered are sent again; it doubles up to the longest one. */
const RETRY_MS = 300_000;
const LONGEST_RETRY_MS = HOUR_MS;

/** Sends notices to the webhook: grouped, after quiet hours, and again later if that failed for the moment. */
export class WebhookChannel {
  readonly #dependencies: WebhookChannelDependencies;
  readonly #ended = new AbortController();
  #timer: Subscription | undefined;
  /** The message that is being sent. */
  #sending: { readonly target: WebhookTarget; readonly stop: AbortController } | undefined;
  #hasReported = false;
  #failures = 0;

  constructor(dependencies: WebhookChannelDependencies) {
    this.#dependencies = dependencies;
  }

  /** Sends what earlier windows have left. Never rejects. */
  async begin(): Promise<void> {
    const { outbox } = this.#dependencies;
    await outbox.recover();
    if ((await outbox.isWaiting()) && (await this.#mayBeSet())) {
      this.#sendIn(GATHER_MS);
    }
  }

  /** Takes notices, which are sent soon. Does nothing without a webhook. @throws any error of the file system */
  async add(notices: readonly OutsideNotice[]): Promise<void> {
    const { outbox, details } = this.#dependencies;
    if (notices.length === 0 || !(await this.#mayBeSet())) {
      return;
    }
    for (const notice of notices) {
      await outbox.put(sentNotice(notice, details()));
    }
    this.#sendIn(GATHER_MS);
  }

  /** Sends one notice now, also in quiet hours. @throws WebhookError if it was not delivered */
  async sendNow(target: WebhookTarget, notice: OutsideNotice): Promise<void> {
    const { sender, clock, details } = this.#dependencies;
    await sender.send(webhookRequest(target, [sentNotice(notice, details())], clock.now()), this.#ended.signal);
  }

  /** Another webhook, or other quiet hours: a failure counts again, what waits is looked at again, and nothing more goes to an earlier webhook. */
  changed(): void {
    const { onError } = this.#dependencies;
    this.#hasReported = false;
    this.#failures = 0;
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#leaveEarlierTarget().catch(onError);
    this.begin().catch(onError);
  }

  dispose(): void {
    this.#ended.abort();
    this.#timer?.dispose();
  }

  /** Whether a webhook is set. True while the secret storage fails: its notices are kept until it can be read. */
  async #mayBeSet(): Promise<boolean> {
    try {
      return (await this.#dependencies.store.get()) !== undefined;
    } catch (error) {
      this.#report(error);
      return true;
    }
  }

  #sendIn(ms: number): void {
    if (this.#timer !== undefined || this.#ended.signal.aborted) {
      return;
    }
    this.#timer = this.#dependencies.clock.after(ms, () => {
      this.#timer = undefined;
      this.#send().catch(this.#dependencies.onError);
    });
  }

  async #leaveEarlierTarget(): Promise<void> {
    const target = await this.#dependencies.store.get();
    if (this.#sending !== undefined && !isSameTarget(this.#sending.target, target)) {
      this.#sending.stop.abort();
    }
  }

  async #send(): Promise<void> {
    const { clock, quietHours, random, store, outbox } = this.#dependencies;
    const quietUntil = quietUntilMs(quietHours(), clock.now());
    if (quietUntil !== undefined) {
      this.#sendIn(Math.min(quietUntil - clock.now(), LONGEST_WAIT_MS) + random() * SPREAD_MS);
      return;
    }
    let target: WebhookTarget | undefined;
    try {
      target = await store.get();
    } catch (error) {
      this.#report(error);
      this.#tryLater();
      return;
    }
    if (target === undefined) {
      // Notices that were kept while it was not known whether there is a webhook.
      await outbox.clear();
      return;
    }
    if (this.#sending !== undefined) {
      this.#sendIn(GATHER_MS);
      return;
    }
    const stop = new AbortController();
    this.#sending = { target, stop };
    try {
      await this.#takeAndDeliver(target, stop.signal);
    } finally {
      this.#sending = undefined;
    }
  }

  async #takeAndDeliver(target: WebhookTarget, stopped: AbortSignal): Promise<void> {
    const { outbox, clock } = this.#dependencies;
    const taken = await outbox.take(clock.now());
    if (taken !== undefined) {
      await this.#deliver(target, taken, stopped);
    } else if (await outbox.isWaiting()) {
      // Windows does not rename a folder while a file in it is open.
      this.#sendIn(LONGEST_WAIT_MS);
    }
  }

  async #deliver(target: WebhookTarget, taken: TakenNotices, stopped: AbortSignal): Promise<void> {
    const { sender, clock, log } = this.#dependencies;
    try {
      await sender.send(webhookRequest(target, taken.notices, clock.now()), AbortSignal.any([this.#ended.signal, stopped]));
    } catch (error) {
      // What is refused because of the chat or the webhook goes out once that is put right.
      const isForLater = !(error instanceof WebhookError) || error.isTemporary || error.refusal !== undefined;
      // Without a webhook nothing is kept.
      if (isForLater && (await this.#mayBeSet())) {
        await taken.putBack();
      } else {
        await taken.remove();
      }
      if (stopped.aborted) {
        this.#sendIn(GATHER_MS);
      } else if (!this.#ended.signal.aborted) {
        this.#failed(error);
      }
      return;
    }
    await taken.remove();
    log('debug', `The webhook has taken ${taken.notices.length} notices.`);
    this.#hasReported = false;
    this.#failures = 0;
  }

  #failed(error: unknown): void {
    this.#report(error);
    if (error instanceof WebhookError && error.isTemporary) {
      this.#tryLater();
    }
  }

  #report(error: unknown): void {
    if (!(error instanceof WebhookError || error instanceof SecretError)) {
      throw error;
    }
    const { log, onFailure } = this.#dependencies;
    log('warn', error.message);
    if (!this.#hasReported) {
      this.#hasReported = true;
      onFailure(error.message, error instanceof WebhookError ? error.refusal : undefined);
    }
  }

  #tryLater(): void {
    this.#failures += 1;
    this.#sendIn(Math.min(RETRY_MS * 2 ** (this.#failures - 1), LONGEST_RETRY_MS));
  }
}

function isSameTarget(one: WebhookTarget, other: WebhookTarget | undefined): boolean {
  return one.preset === other?.preset && one.address === other.address && one.token === other.token && one.chat === other.chat;
}
