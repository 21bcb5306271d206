import * as l10n from '@vscode/l10n';
import { type Address, parseAddress } from '../../../base/solana/address';

/**
 * All questions and notifications of the extension. Commands use this interface instead of VS Code's window, so that tests can answer for
 * the user and inspect the questions.
 */
export interface Prompts {
  /** Chooses one entry. Resolves with `cancelled` on Escape and `back` on the back button. */
  pick<Value>(request: PickRequest<Value>): Promise<Answer<Value>>;
  /** Chooses any number of entries. All are selected at first. */
  select<Value>(request: SelectRequest<Value>): Promise<Answer<readonly Value[]>>;
  /** Asks for a line of text and validates it while it is typed. Invalid input is never accepted. */
  input<Value>(request: InputRequest<Value>): Promise<Answer<Value>>;
  /** Requires the user to select every entry individually. None is selected at first, and nothing selects several at once. */
  acknowledge(request: AcknowledgeRequest): Promise<Answer<true>>;
  /** Asks a modal question, one at a time in a window. An answer that comes too soon is asked for again. `undefined`: cancelled. */
  confirm<Action extends string>(request: ConfirmRequest<Action>): Promise<Action | undefined>;
  /** Lets the user choose a file. `undefined`: cancelled. */
  chooseFile(request: FileRequest): Promise<ChosenFile | undefined>;
  /** Shows a notification. Resolves with the button that was pressed; `undefined`: dismissed. */
  notify<Action extends string>(notice: Notice<Action>): Promise<Action | undefined>;
  /** Runs `task` with a progress notification. The signal is aborted when the user cancels. */
  progress<Result>(
    request: ProgressRequest,
    task: (report: (message: string) => void, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result>;
}

export type Answer<Value> = { readonly kind: 'value'; readonly value: Value } | { readonly kind: 'back' } | { readonly kind: 'cancelled' };

/** Position of a prompt in a sequence. */
export interface Place {
  /** From 1. */
  readonly step: number;
  readonly of: number;
  /** Shows the back button. */
  readonly canGoBack: boolean;
}

interface PromptBase {
  readonly title: string;
  readonly place?: Place;
}

/** An entry of a list. Its creator sanitizes texts from the network (shell/views/text.ts). */
export interface PickItem<Value> {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  /** Codicon id. */
  readonly icon?: string;
  /** Starts a group under this heading. */
  readonly heading?: string;
  /** Stays in the list whatever is typed. */
  readonly alwaysShown?: boolean;
  readonly value: Value;
}

export interface PickRequest<Value> extends PromptBase {
  readonly placeholder: string;
  readonly items: readonly PickItem<Value>[];
  /** Selects the entry that is highlighted at first. Default: the first entry. */
  readonly isCurrent?: (value: Value) => boolean;
  /** The search also covers descriptions and details. */
  readonly matchDetails?: boolean;
  /** Finds more entries for what is typed. They are added to those that match. Default: none. */
  readonly search?: (text: string, signal: AbortSignal) => Promise<FoundItems<Value>>;
  /** Withdraws the question, which resolves with `cancelled`. */
  readonly cancelled?: AbortSignal | undefined;
}

/** What a search found. */
export interface FoundItems<Value> {
  /** Names the group of these entries, or says why there are none. */
  readonly heading: string;
  readonly items: readonly PickItem<Value>[];
}

/** A list with all entries selected at first. */
export interface SelectRequest<Value> extends PromptBase {
  readonly placeholder: string;
  readonly items: readonly Omit<PickItem<Value>, 'heading'>[];
  /** Withdraws the question, which resolves with `cancelled`. */
  readonly cancelled?: AbortSignal | undefined;
}

/** The result of parsing a text. */
export type Reading<Value> =
  | { readonly ok: true; readonly value: Value; /** Shown below the field. */ readonly note?: string }
  | { readonly ok: false; /** What is wrong and what is expected. */ readonly message: string };

export interface InputRequest<Value> extends PromptBase {
  readonly prompt: string;
  readonly placeholder?: string;
  readonly initial?: string;
  /** Shows dots and keeps the text out of histories. */
  readonly secret?: boolean;
  /** The problem with the previous answer. Shown until the user types. */
  readonly problem?: string;
  /** Withdraws the question, which resolves with `cancelled`. */
  readonly cancelled?: AbortSignal | undefined;
  readonly read: (text: string) => Reading<Value>;
}

/** Entries that the user selects one by one. */
export interface AcknowledgeRequest extends PromptBase {
  readonly placeholder: string;
  readonly entries: readonly { readonly label: string; readonly detail: string }[];
  /** Withdraws the question, which resolves with `cancelled`. */
  readonly cancelled?: AbortSignal | undefined;
}

/** A modal question. The first action is the default button; Cancel is always available. */
export interface ConfirmRequest<Action extends string> {
  readonly message: string;
  readonly detail: string;
  readonly severity: 'info' | 'warning' | 'error';
  readonly actions: readonly Action[];
}

export interface FileRequest {
  readonly title: string;
  readonly openLabel: string;
  /** File extensions by the name of their file type. */
  readonly filters: Readonly<Record<string, string[]>>;
}

/** A chosen file that is not read yet. */
export interface ChosenFile {
  readonly name: string;
  /** @throws RangeError if the file is larger than `maxBytes`; any error of the file system */
  read(maxBytes: number): Promise<Uint8Array>;
}

/** A notification. If VS Code would cut its text, it gets a button that shows the full text (fullText.ts). */
export interface Notice<Action extends string> {
  readonly severity: 'info' | 'warning' | 'error';
  readonly message: string;
  readonly actions?: readonly Action[];
  /** Journal id of the operation that the notification is about: *Details* opens its document instead of the full text. */
  readonly operation?: string | undefined;
}

export interface ProgressRequest {
  readonly title: string;
  readonly cancellable: boolean;
  /** A question follows: nothing is shown of a task that ends soon, so that its notification is gone by then. Default: shown at once. */
  readonly onlyIfSlow?: boolean;
}

export function answered<Value>(value: Value): Answer<Value> {
  return { kind: 'value', value };
}

/** Forwards everything to the prompts in use. Only tests inside VS Code replace them. */
export class PromptSlot implements Prompts {
  #inUse: Prompts;

  constructor(inUse: Prompts) {
    this.#inUse = inUse;
  }

  /** Replaces the prompts in use and returns the previous ones. */
  use(prompts: Prompts): Prompts {
    const before = this.#inUse;
    this.#inUse = prompts;
    return before;
  }

  pick<Value>(request: PickRequest<Value>): Promise<Answer<Value>> {
    return this.#inUse.pick(request);
  }

  select<Value>(request: SelectRequest<Value>): Promise<Answer<readonly Value[]>> {
    return this.#inUse.select(request);
  }

  input<Value>(request: InputRequest<Value>): Promise<Answer<Value>> {
    return this.#inUse.input(request);
  }

  acknowledge(request: AcknowledgeRequest): Promise<Answer<true>> {
    return this.#inUse.acknowledge(request);
  }

  confirm<Action extends string>(request: ConfirmRequest<Action>): Promise<Action | undefined> {
    return this.#inUse.confirm(request);
  }

  chooseFile(request: FileRequest): Promise<ChosenFile | undefined> {
    return this.#inUse.chooseFile(request);
  }

  notify<Action extends string>(notice: Notice<Action>): Promise<Action | undefined> {
    return this.#inUse.notify(notice);
  }

  progress<Result>(
    request: ProgressRequest,
    task: (report: (message: string) => void, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    return this.#inUse.progress(request, task);
  }
}

/** Parses an address as typed or pasted. */
export function readAddress(text: string): Reading<Address> {
  const address = parseAddress(text.trim());
  return address === undefined
    ? { ok: false, message: l10n.t('Not a Solana address: these have 32 to 44 letters and digits, without 0, O, I and l.') }
    : { ok: true, value: address };
}
