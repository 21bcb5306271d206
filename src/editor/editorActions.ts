/** What the extension does in the editor besides asking and telling; VS Code does it, tests need not. */
export interface EditorActions {
  showLog(): void;
  /** Puts a text on the clipboard. */
  copy(text: string): Promise<void>;
  openExternal(url: string): Promise<void>;
  /** Shows Markdown as a document that cannot be changed. */
  showDocument(title: string, markdown: string): Promise<void>;
  focusPositions(): Promise<void>;
}
