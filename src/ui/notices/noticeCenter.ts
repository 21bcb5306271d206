import * as l10n from '@vscode/l10n';
import { type Clock, pause } from '../../base/async/clock';
import { errorText } from '../../base/thrown';
import type { LogFunction } from '../shell/log';
import type { NoticeClaims, SeenEvent } from './claims';
import type { OutsideNotice } from './noticeEvent';
import type { NoticeSettings } from './noticeSettings';
import { quietUntilMs } from './quietHours';
import type { SystemNotifier } from './systemNotification';
import type { WebhookChannel } from './webhook/webhookChannel';

/** An event that this window has seen. */
export interface NoticeDraft<Subject> {
  /** What the source of the notice needs to show it. */
  readonly subject: Subject;
  /** Decides which window reports it; `undefined`: only this window can know of it. */
  readonly seen: SeenEvent | undefined;
  /** The user asked for it. Others are claimed only, so that other windows know of them. */
  readonly isWanted: boolean;
  readonly outside: OutsideNotice;
}

export interface NoticeCenterDependencies {
  readonly claims: Pick<NoticeClaims, 'claim' | 'isAnotherFocused'>;
  readonly settings: Pick<NoticeSettings, 'isOn' | 'quietHours'>;
  readonly notifier: Pick<SystemNotifier, 'show'>;
  readonly webhook: Pick<WebhookChannel, 'add'>;
  /** Whether this window is in front. */
  readonly isFocused: () => boolean;
  readonly clock: Clock;
  readonly log: LogFunction;
}

/** How long a window leaves an event to the one in front, which reads its positions within this time. */
const LEFT_TO_OTHERS_MS = 75_000;
/** Notices that a notification of the system lists. */
const MOST_LISTED = 4;

/**
 * Brings notices to the user: each event once, whichever windows see it. The window in front comes first: there, a notification of the editor
 * is seen. Where the window that reports is not in front, the operating system shows it as well. The webhook gets everything.
 */
export class NoticeCenter {
  readonly #dependencies: NoticeCenterDependencies;
  readonly #ended = new AbortController();

  constructor(dependencies: NoticeCenterDependencies) {
    this.#dependencies = dependencies;
  }

  dispose(): void {
    this.#ended.abort();
  }

  /**
   * Reports events outside the editor, if this window is to report them.
   * @param waitMs gives another window the time to claim them first
   * @returns those that this window has to show in the editor
   */
  async publish<Subject>(drafts: readonly NoticeDraft<Subject>[], waitMs = 0): Promise<readonly NoticeDraft<Subject>[]> {
    const { clock, webhook, log } = this.#dependencies;
    if (drafts.length === 0) {
      return [];
    }
    const leftMs = (await this.#isLeftToOthers(drafts)) ? Math.max(waitMs, LEFT_TO_OTHERS_MS) : waitMs;
    if (leftMs > 0) {
      await pause(leftMs, this.#ended.signal, clock);
    }
    if (this.#ended.signal.aborted) {
      return [];
    }
    const claimed: NoticeDraft<Subject>[] = [];
    for (const draft of drafts) {
      if (await this.#isOurs(draft)) {
        claimed.push(draft);
      }
    }
    const wanted = claimed.filter(({ isWanted }) => isWanted);
    const outside = wanted.map((draft) => draft.outside);
    this.#showInSystem(outside);
    try {
      await webhook.add(outside);
    } catch (error) {
      // The events are claimed, so no other window would show them either.
      log('warn', `Notices could not be kept for the webhook: ${errorText(error)}`);
    }
    return wanted;
  }

  /** Whether the window in front will see these events itself. */
  async #isLeftToOthers(drafts: readonly NoticeDraft<unknown>[]): Promise<boolean> {
    const { isFocused, claims } = this.#dependencies;
    return drafts.some(({ seen }) => seen !== undefined) && !isFocused() && (await claims.isAnotherFocused());
  }

  async #isOurs({ seen }: NoticeDraft<unknown>): Promise<boolean> {
    const { claims, log } = this.#dependencies;
    if (seen === undefined) {
      return true;
    }
    try {
      return await claims.claim(seen);
    } catch (error) {
      // A notice from two windows is better than none.
      log('warn', `The windows cannot agree which of them reports a notice: ${errorText(error)}`);
      return true;
    }
  }

  #showInSystem(notices: readonly OutsideNotice[]): void {
    const { isFocused, settings, notifier, clock } = this.#dependencies;
    const [first, ...others] = notices;
    if (first === undefined || isFocused() || !settings.isOn('system') || quietUntilMs(settings.quietHours, clock.now()) !== undefined) {
      return;
    }
    const shown = [first, ...others.slice(0, MOST_LISTED - 1)].map(({ brief }) => brief);
    const more = notices.length > MOST_LISTED ? [l10n.t`and ${notices.length - MOST_LISTED} more`] : [];
    void notifier.show(systemTitle(first), [...shown, ...more].join(' '));
  }
}

/** The title of a notification of the operating system. */
export function systemTitle({ isSandbox }: OutsideNotice): string {
  return isSandbox ? l10n.t('Binsight: Sandbox') : 'Binsight';
}
