import * as l10n from '@vscode/l10n';
import { describeError, type LogFunction } from '../shell/log';
import type { Presenter } from './types';

/** A presenter as a panel has it: what the page says was not read yet. */
export interface PanelHost extends Omit<Presenter<unknown>, 'receive'> {
  /** Reads what the page says, and does nothing yet; `undefined` where it means nothing to it. */
  read(message: unknown): ParsedMessage | undefined;
}

/** What was understood of what a page said. */
export interface ParsedMessage {
  /** The page is loaded (anew), and is to be told everything. */
  readonly isReady: boolean;
  /** Lets the presenter hear of it. */
  readonly pass: () => void;
}

/** What a session works with. */
export interface PanelSessionParts {
  /** For the log: "pool". */
  readonly name: string;
  /** Makes what stands behind the panel; its code is loaded then. @param post tells the panel something */
  readonly load: (post: (message: unknown) => void) => Promise<PanelHost>;
  /** Hands a message to the webview, whose page is loaded and listens. */
  readonly deliver: (message: unknown) => void;
  readonly log: LogFunction;
  /** What stands behind the panel is not to be had: there is nothing to show. */
  readonly failed: (error: unknown) => void;
}

/** A panel may say this much before what stands behind it is there; a page that works says one thing. */
const LONGEST_QUEUE = 20;
/** So many messages that mean nothing are told of in the log: a page must not be able to fill it. */
const MOST_COMPLAINTS = 10;
const LONGEST_KIND = 40;

/**
 * One panel's conversation: what its page says is parsed before anybody hears of it, what means nothing is logged and left out, and
 * nothing that it says can throw. A page that does not listen (not loaded yet, hidden) is told nothing: it asks for everything when it is
 * ready, and VS Code would keep what it is told until then.
 */
export class PanelSession {
  readonly #parts: PanelSessionParts;
  /** Said before what stands behind the panel was there. */
  readonly #early: unknown[] = [];
  /** To be said when the page is ready. */
  #waiting: unknown[] = [];
  #backing: PanelHost | undefined;
  #isVisible: boolean;
  /** The window has the focus; until it is said otherwise, a panel that was opened is looked at. */
  #isFocused = true;
  /** The page that is loaded has said that it is ready. One that is hidden is not loaded. */
  #isListening = false;
  #isDisposed = false;
  #complaints = 0;

  constructor(parts: PanelSessionParts, isVisible: boolean) {
    this.#parts = parts;
    this.#isVisible = isVisible;
    void this.#load();
  }

  /** Whether the page is there, and has said so. */
  get isListening(): boolean {
    return this.#isListening;
  }

  /** The page said something. Never throws. */
  receive(message: unknown): void {
    if (this.#isDisposed) {
      return;
    }
    if (this.#backing === undefined) {
      if (this.#early.length < LONGEST_QUEUE) {
        this.#early.push(message);
      }
      return;
    }
    this.#hear(this.#backing, message);
  }

  /** The panel is seen, or not any more: then its page is gone until it is seen again. */
  setVisible(isVisible: boolean): void {
    if (isVisible === this.#isVisible) {
      return;
    }
    this.#isVisible = isVisible;
    this.#isListening &&= isVisible;
    this.#tellWhetherSeen();
  }

  /** The window has the focus, or has lost it: nothing is read for a panel that nobody looks at, while what others read still shows in it. */
  setFocused(isFocused: boolean): void {
    if (isFocused !== this.#isFocused) {
      this.#isFocused = isFocused;
      this.#tellWhetherSeen();
    }
  }

  /** Says this to the page now, or as soon as it is ready and has been told everything. */
  tell(message: unknown): void {
    if (this.#isListening) {
      this.#deliver(message);
    } else {
      this.#waiting.push(message);
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#isListening = false;
    this.#waiting = [];
    this.#early.length = 0;
    this.#guarded(() => this.#backing?.dispose());
    this.#backing = undefined;
  }

  async #load(): Promise<void> {
    try {
      const backing = await this.#parts.load((message) => this.#deliver(message));
      if (this.#isDisposed) {
        backing.dispose();
        return;
      }
      this.#backing = backing;
      backing.setVisible(this.#isVisible && this.#isFocused);
      for (const message of this.#early.splice(0)) {
        this.#hear(backing, message);
      }
    } catch (error) {
      if (!this.#isDisposed) {
        this.#parts.failed(error);
      }
    }
  }

  #tellWhetherSeen(): void {
    this.#guarded(() => this.#backing?.setVisible(this.#isVisible && this.#isFocused));
  }

  #hear(backing: PanelHost, message: unknown): void {
    this.#guarded(() => {
      const heard = backing.read(message);
      if (heard === undefined) {
        this.#complain(message);
        return;
      }
      this.#isListening ||= heard.isReady;
      heard.pass();
      if (this.#isListening) {
        this.#waiting.splice(0).forEach((waiting) => this.#deliver(waiting));
      }
    });
  }

  #deliver(message: unknown): void {
    if (this.#isListening) {
      this.#parts.deliver(message);
    }
  }

  #complain(message: unknown): void {
    this.#complaints += 1;
    if (this.#complaints <= MOST_COMPLAINTS) {
      const last = this.#complaints === MOST_COMPLAINTS ? l10n.t(' No more of these are told of.') : '';
      this.#parts.log('warn', `The ${this.#parts.name} panel said what is not understood, and was not heeded: ${kindOf(message)}.${last}`);
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

/** What a message calls itself, cut and in one line; of the rest nothing is repeated. */
function kindOf(message: unknown): string {
  if (typeof message !== 'object' || message === null) {
    return message === null ? 'null' : typeof message;
  }
  const kind = 'kind' in message ? message.kind : undefined;
  return typeof kind === 'string' ? JSON.stringify(kind.slice(0, LONGEST_KIND)) : l10n.t('a message without a kind');
}
