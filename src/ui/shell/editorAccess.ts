/** Actions in the editor besides prompts. Tests replace them. */
export interface EditorActions {
  showLog(): void;
  /** Copies a text to the clipboard. */
  copy(text: string): Promise<void>;
  openExternal(url: string): Promise<void>;
  /** Shows Markdown as a read-only page. */
  showDocument(title: string, markdown: string, place?: DocumentPlace): Promise<void>;
  /**
   * Lets the user choose a file and writes a text to it.
   * @returns the file name; `undefined`: the user cancelled, or the text is no longer wanted
   * @throws any error of the file system
   */
  saveText(file: SavedText): Promise<string | undefined>;
  focusPositions(): Promise<void>;
  focusActivity(): Promise<void>;
}

/** `belowQuestion`: a list above the editor leads back to a question, and must not cover the beginning of the page. */
export type DocumentPlace = 'belowQuestion';

export interface SavedText {
  /** Title of the dialog. */
  readonly title: string;
  /** Suggested file name. Its extension, json or csv, selects the file type of the dialog. */
  readonly name: string;
  /** A long text comes encoded as UTF-8: encoding it takes long. */
  readonly text: string | Uint8Array;
  /** Called before writing, because the reason can disappear while the dialog is open. Absent: always wanted. */
  readonly isWanted?: () => boolean;
}

/** The part of VS Code's `SecretStorage` that is used. */
export interface SecretStore {
  get(name: string): PromiseLike<string | undefined>;
  store(name: string, value: string): PromiseLike<void>;
  delete(name: string): PromiseLike<void>;
}

/** The part of VS Code's `Memento` that is used. Not for secrets. */
export interface StateStore {
  get(name: string): unknown;
  update(name: string, value: unknown): PromiseLike<void>;
}
