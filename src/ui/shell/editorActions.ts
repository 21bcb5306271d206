/** What the extension does in the editor besides asking and telling; VS Code does it, tests need not. */
export interface EditorActions {
  showLog(): void;
  /** Puts a text on the clipboard. */
  copy(text: string): Promise<void>;
  openExternal(url: string): Promise<void>;
  /** Shows Markdown as a document that cannot be changed. */
  showDocument(title: string, markdown: string): Promise<void>;
  /**
   * Lets the user choose a file and writes a text into it.
   * @returns the name of the file; `undefined`: the user has left, or it is not wanted any more.
   * @throws whatever the file system throws.
   */
  saveText(file: SavedText): Promise<string | undefined>;
  focusPositions(): Promise<void>;
  focusActivity(): Promise<void>;
}

/** A text to be saved. */
export interface SavedText {
  /** Of the dialog. */
  readonly title: string;
  /** What the file is called unless the user wants it otherwise, with its extension, which says what kind of file the dialog offers: json or csv. */
  readonly name: string;
  readonly text: string;
  /** Asked before it is written: the dialog may stand open for long, and what it was for may be given up meanwhile. Absent: it is. */
  readonly isWanted?: () => boolean;
}
