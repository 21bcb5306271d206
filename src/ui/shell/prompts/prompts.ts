/**
 * How the extension asks and tells. Commands take this interface and never VS Code's window, so that a test can answer
 * for the user and see what was asked.
 */
export interface Prompts {
  /** One of a list. Resolves `cancelled` on Escape, `back` on the back button. */
  pick<Value>(request: PickRequest<Value>): Promise<Answer<Value>>;
  /** Any number of a list, all of them ticked at first: what is not wanted is unticked. */
  select<Value>(request: SelectRequest<Value>): Promise<Answer<readonly Value[]>>;
  /** A line of text, read while it is typed; what cannot be read is never accepted. */
  input<Value>(request: InputRequest<Value>): Promise<Answer<Value>>;
  /** Every entry has to be ticked by itself before it is accepted; none is ticked at first, and nothing ticks several at once. */
  acknowledge(request: AcknowledgeRequest): Promise<Answer<true>>;
  /** A modal question. `undefined`: cancelled. */
  confirm<Action extends string>(request: ConfirmRequest<Action>): Promise<Action | undefined>;
  /** A file of the user's choice; `undefined`: cancelled. */
  chooseFile(request: FileRequest): Promise<ChosenFile | undefined>;
  /** A notification. Resolves with the button that was pressed, or `undefined` when it was dismissed. */
  notify<Action extends string>(notice: Notice<Action>): Promise<Action | undefined>;
  /** Runs `task` with a notification that shows how far it is. The signal is aborted when the user cancels. */
  progress<Result>(
    request: ProgressRequest,
    task: (report: (message: string) => void, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result>;
}

/** What the user did with a prompt. */
export type Answer<Value> = { readonly kind: 'value'; readonly value: Value } | { readonly kind: 'back' } | { readonly kind: 'cancelled' };

/** Where a prompt stands in a sequence. */
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

/** An entry of a list. Texts from the network are cleaned by who makes the entry (shell/views/text.ts). */
export interface PickItem<Value> {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  /** Codicon id. */
  readonly icon?: string;
  /** Starts a group under this heading. */
  readonly heading?: string;
  readonly value: Value;
}

/** A list to choose from. */
export interface PickRequest<Value> extends PromptBase {
  readonly placeholder: string;
  readonly items: readonly PickItem<Value>[];
  /** Tells which entry is highlighted at first; the first one where it is absent. */
  readonly isCurrent?: (value: Value) => boolean;
  /** What is typed also searches descriptions and details. */
  readonly matchDetails?: boolean;
  /** Takes the question back: it is answered as `cancelled`. */
  readonly cancelled?: AbortSignal | undefined;
}

/** A list of which all is meant, unless it is unticked. */
export interface SelectRequest<Value> extends PromptBase {
  readonly placeholder: string;
  readonly items: readonly Omit<PickItem<Value>, 'heading'>[];
  /** Takes the question back: it is answered as `cancelled`. */
  readonly cancelled?: AbortSignal | undefined;
}

/** What became of a text. */
export type Reading<Value> =
  | { readonly ok: true; readonly value: Value; /** Shown below the field. */ readonly note?: string }
  | { readonly ok: false; /** What is wrong and what would be right. */ readonly message: string };

/** A line of text to be typed. */
export interface InputRequest<Value> extends PromptBase {
  readonly prompt: string;
  readonly placeholder?: string;
  readonly initial?: string;
  /** Shows dots, and keeps the text out of every history. */
  readonly secret?: boolean;
  /** What was wrong with the answer before this one; shown until something is typed. */
  readonly problem?: string;
  /** Takes the question back: it is answered as `cancelled`. */
  readonly cancelled?: AbortSignal | undefined;
  readonly read: (text: string) => Reading<Value>;
}

/** Entries to be ticked one by one. */
export interface AcknowledgeRequest extends PromptBase {
  readonly placeholder: string;
  readonly entries: readonly { readonly label: string; readonly detail: string }[];
  /** Takes the question back: it is answered as `cancelled`. */
  readonly cancelled?: AbortSignal | undefined;
}

/** A modal question. The first action is the default button, and Cancel is always there. */
export interface ConfirmRequest<Action extends string> {
  readonly message: string;
  readonly detail: string;
  readonly severity: 'info' | 'warning' | 'error';
  readonly actions: readonly Action[];
}

/** A file to be chosen. */
export interface FileRequest {
  readonly title: string;
  readonly openLabel: string;
  /** Name of the kind of file → its extensions. */
  readonly filters: Readonly<Record<string, string[]>>;
}

/** A file that was chosen and not read yet. */
export interface ChosenFile {
  readonly name: string;
  /** @throws RangeError where it is larger than `maxBytes`; whatever the file system throws. */
  read(maxBytes: number): Promise<Uint8Array>;
}

/** Something to tell, as long as it has to be: what VS Code would cut gets a button that shows the whole text (wholeText.ts). */
export interface Notice<Action extends string> {
  readonly severity: 'info' | 'warning' | 'error';
  readonly message: string;
  readonly actions?: readonly Action[];
  /** The operation that it tells of, by its id in the journal: *Details* opens its document, in place of the whole text. */
  readonly operation?: string | undefined;
}

/** What a progress notification says. */
export interface ProgressRequest {
  readonly title: string;
  readonly cancellable: boolean;
}

/** Gives an answer with a value. */
export function answered<Value>(value: Value): Answer<Value> {
  return { kind: 'value', value };
}
