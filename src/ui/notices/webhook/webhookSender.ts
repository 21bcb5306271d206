import * as l10n from '@vscode/l10n';
import nodeFetch from 'node-fetch';
import { type Clock, pause } from '../../../base/async/clock';
import { readText, withTimeout } from '../../../base/http';
import { systemCode } from '../../../base/thrown';
import { retryAfterMs } from '../../../service/calls/retry';
import type { Fetch } from '../../../service/calls/transport';
import type { WebhookRequest } from './webhookMessage';
import { refusalReason, type WebhookRefusal } from './webhookRefusal';

export interface WebhookSenderOptions {
  readonly clock: Clock;
  /** VS Code applies its proxy settings to the modules of Node that node-fetch uses. */
  readonly fetch?: Fetch;
  readonly timeoutMs?: number;
  readonly random?: () => number;
}

/** A message that was not delivered. The text is for the user and quotes neither the address nor the answer, which may contain a key. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';

  /** @param isTemporary the same message may be delivered later */
  constructor(
    message: string,
    readonly isTemporary: boolean,
    cause?: unknown,
    /** Why all messages are refused until the user changes something; `undefined`: not known, or this message alone is. */
    readonly refusal?: WebhookRefusal,
  ) {
    super(message, { cause });
  }
}

const TIMEOUT_MS = 15_000;
const MOST_ATTEMPTS = 4;
/** The wait before the second attempt; it doubles with each further one, and is longer by up to a half at random. */
const BASE_MS = 2_000;
/** If the server asks for more, the message is kept for later. */
const LONGEST_WAIT_MS = 60_000;
/** Bytes that are read of an answer. */
const LONGEST_ANSWER = 16_384;
const TOO_MANY = 429;
const REQUEST_TIMEOUT = 408;

interface Refusal {
  readonly error: WebhookError;
  /** Time that the server asks to wait. */
  readonly waitMs: number | undefined;
}

/** Sends messages to a webhook. Redirects are not followed: a message goes to the host that the user named, and to no other. */
export class WebhookSender {
  readonly #options: WebhookSenderOptions;

  constructor(options: WebhookSenderOptions) {
    this.#options = options;
  }

  /**
   * Sends a message, with a few retries on temporary failures.
   * @throws WebhookError if it was not delivered
   */
  async send(request: WebhookRequest, signal: AbortSignal): Promise<void> {
    const { clock, random = Math.random } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      const refusal = await this.#attempt(request, signal);
      if (refusal === undefined) {
        return;
      }
      const waitMs = refusal.waitMs ?? BASE_MS * 2 ** (attempt - 1) * (1 + random() / 2);
      if (!refusal.error.isTemporary || attempt >= MOST_ATTEMPTS || waitMs > LONGEST_WAIT_MS || signal.aborted) {
        throw refusal.error;
      }
      await pause(waitMs, signal, clock);
    }
  }

  async #attempt({ url, headers, body }: WebhookRequest, signal: AbortSignal): Promise<Refusal | undefined> {
    const { fetch = nodeFetch, timeoutMs = TIMEOUT_MS, clock } = this.#options;
    const { host } = new URL(url);
    const limit = withTimeout(signal, timeoutMs);
    try {
      const {
        status,
        headers: answered,
        body: answer,
      } = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: limit.signal });
      const { text } = await readText(answer, LONGEST_ANSWER);
      return status >= 200 && status < 300
        ? undefined
        : refusalOf(host, status, retryAfterMs(answered.get('retry-after'), text, clock.now()), text);
    } catch (cause) {
      const message =
        limit.ended() === 'timeout'
          ? l10n.t`${host} did not answer within ${timeoutMs / 1_000} s.`
          : l10n.t`Cannot reach ${host}. Check the address and your network.`;
      // The cause may quote the address, which can contain a key.
      return { error: new WebhookError(message, true, systemCode(cause)), waitMs: undefined };
    } finally {
      limit.stop();
    }
  }
}

function refusalOf(host: string, status: number, waitMs: number | undefined, answer: string): Refusal {
  const isTemporary = status >= 500 || status === TOO_MANY || status === REQUEST_TIMEOUT;
  const reason = isTemporary ? undefined : refusalReason(answer);
  if (reason !== undefined) {
    return { error: new WebhookError(reason.message, false, undefined, reason), waitMs: undefined };
  }
  const message = isTemporary
    ? l10n.t`The webhook at ${host} answered ${status}. Binsight tries again later.`
    : l10n.t`The webhook at ${host} rejected the message (${status}). Check its address and token.`;
  return { error: new WebhookError(message, isTemporary), waitMs: isTemporary ? waitMs : undefined };
}
