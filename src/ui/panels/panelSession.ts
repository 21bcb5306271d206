import type { Clock, Subscription } from '../../base/async/clock';
import { describeError, type LogFunction } from '../shell/log';
import type { Presenter } from './presenter';

/** A presenter that still parses the page's messages. */
export interface PanelHost extends Omit<Presenter<unknown>, 'receive'> {
  /** Parses a message without acting on it; `undefined` if it is invalid. */
  read(message: unknown): ParsedMessage | undefined;
}

export interface ParsedMessage {
  /** The page was loaded (again) and needs all data. */
  readonly isReady: boolean;
  /** Passes the message to the presenter. */
  readonly pass: () => void;
}

export interface PanelSessionParts {
  /** For the log: "pool". */
  readonly name: string;
  /** Loads and creates the panel's host. @param post sends a message to the panel */
  readonly load: (post: (message: unknown) => void) => Promise<PanelHost>;
  /** Sends a message to the webview, whose page is loaded and listening. */
  readonly deliver: (message: unknown) => void;
  readonly log: LogFunction;
  readonly clock: Pick<Clock, 'after'>;
  /** Called if a visible page is not ready in time, and once more after it was hidden and shown again. */
  readonly late: () => void;
  /** Called if the host cannot be loaded: there is nothing to show. */
  readonly failed: (error: unknown) => void;
}

/** Time that a page has to load its script and say that it is ready, milliseconds. */
export const READY_WITHIN_MS = 10_000;
/** Maximum number of messages kept until the host is loaded; a page normally sends one. */
const LONGEST_QUEUE = 20;
/** Maximum number of invalid messages that are logged: a page must not be able to fill the log. */
const MAX_LOGGED_INVALID = 10;
const LONGEST_KIND = 40;

/**
 * One panel's message exchange. Messages from the page are parsed first; invalid ones are logged and dropped, and none can throw. A page that is not
 * listening (not loaded yet, or hidden) is sent nothing: it requests all data when it is ready, and VS Code would queue messages until then.
 */
export class PanelSession {
  readonly #parts: PanelSessionParts;
  /** Messages received before the host was loaded. */
  readonly #queued: unknown[] = [];
  /** Messages to send once the page is ready. */
  #outgoing: unknown[] = [];
  #host: PanelHost | undefined;
  #isVisible: boolean;
  /** Whether the window has the focus; assumed when the panel is opened. */
  #isFocused = true;
  /** The loaded page has said that it is ready. A hidden page is not loaded. */
  #isListening = false;
  #readyTimer: Subscription | undefined;
  #isDisposed = false;
  #invalidCount = 0;

  constructor(parts: PanelSessionParts, isVisible: boolean) {
    this.#parts = parts;
    this.#isVisible = isVisible;
    this.#awaitReady();
    void this.#load();
  }

  /** Whether the page is loaded and ready. */
  get isListening(): boolean {
    return this.#isListening;
  }

  /** Handles a message from the page. Never throws. */
  receive(message: unknown): void {
    if (this.#isDisposed) {
      return;
    }
    if (this.#host === undefined) {
      if (this.#queued.length < LONGEST_QUEUE) {
        this.#queued.push(message);
      }
      return;
    }
    this.#handle(this.#host, message);
  }

  /** The panel was shown or hidden. A hidden panel's page is unloaded. */
  setVisible(isVisible: boolean): void {
    if (isVisible === this.#isVisible) {
      return;
    }
    this.#isVisible = isVisible;
    this.#isListening &&= isVisible;
    this.#awaitReady();
    this.#updateVisibility();
  }

  /** The window gained or lost the focus. Without it nothing is read for the panel, but data read by others is still shown. */
  setFocused(isFocused: boolean): void {
    if (isFocused !== this.#isFocused) {
      this.#isFocused = isFocused;
      this.#updateVisibility();
    }
  }

  /** Sends a message to the page, now or as soon as it is ready and has all data. */
  tell(message: unknown): void {
    if (this.#isListening) {
      this.#deliver(message);
    } else {
      this.#outgoing.push(message);
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#readyTimer?.dispose();
    this.#isListening = false;
    this.#outgoing = [];
    this.#queued.length = 0;
    this.#guarded(() => this.#host?.dispose());
    this.#host = undefined;
  }

  async #load(): Promise<void> {
    try {
      const host = await this.#parts.load((message) => this.#deliver(message));
      if (this.#isDisposed) {
        host.dispose();
        return;
      }
      this.#host = host;
      host.setVisible(this.#isVisible && this.#isFocused);
      for (const message of this.#queued.splice(0)) {
        this.#handle(host, message);
      }
    } catch (error) {
      if (!this.#isDisposed) {
        this.#parts.failed(error);
      }
    }
  }

  #awaitReady(): void {
    this.#readyTimer?.dispose();
    this.#readyTimer =
      this.#isVisible && !this.#isListening ? this.#parts.clock.after(READY_WITHIN_MS, () => this.#parts.late()) : undefined;
  }

  #updateVisibility(): void {
    this.#guarded(() => this.#host?.setVisible(this.#isVisible && this.#isFocused));
  }

  #handle(host: PanelHost, message: unknown): void {
    this.#guarded(() => {
      const parsed = host.read(message);
      if (parsed === undefined) {
        this.#logInvalid(message);
        return;
      }
      this.#isListening ||= parsed.isReady;
      if (this.#isListening) {
        this.#readyTimer?.dispose();
      }
      parsed.pass();
      if (this.#isListening) {
        this.#outgoing.splice(0).forEach((outgoing) => this.#deliver(outgoing));
      }
    });
  }

  #deliver(message: unknown): void {
    if (this.#isListening) {
      this.#parts.deliver(message);
    }
  }

  #logInvalid(message: unknown): void {
    this.#invalidCount += 1;
    if (this.#invalidCount <= MAX_LOGGED_INVALID) {
      const last = this.#invalidCount === MAX_LOGGED_INVALID ? ' Further invalid messages are not logged.' : '';
      this.#parts.log('warn', `The ${this.#parts.name} panel sent an invalid message, which was ignored: ${kindOf(message)}.${last}`);
    }
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#parts.log('error', `The ${this.#parts.name} panel: ${describeError(error)}`);
    }
  }
}

/** A message's kind for the log, truncated and on one line; the rest of the message is not logged. */
function kindOf(message: unknown): string {
  if (typeof message !== 'object' || message === null) {
    return message === null ? 'null' : typeof message;
  }
  const kind = 'kind' in message ? message.kind : undefined;
  return typeof kind === 'string' ? JSON.stringify(kind.slice(0, LONGEST_KIND)) : 'a message without a kind';
}
