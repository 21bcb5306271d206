import type { Page } from 'playwright-core';

/** What an editor is opened with; all of it may be left out. */
export interface EditorOptions {
  /** The folder of the extension; that of the project where not said. */
  readonly extension?: string;
  /** A package that is installed; the folder of the project, as it is built, where not said. */
  readonly vsix?: string;
  /** The folder that the window opens; an empty one where not said. */
  readonly workspace?: string;
  /** The folder of user data, which is kept; one that goes with the editor where not said. */
  readonly profile?: string;
  /** User settings beside the usual quiet ones, such as `workbench.colorTheme`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Of the window, in CSS pixels; 1280 × 800 where not said. */
  readonly size?: { readonly width: number; readonly height: number };
  /** Device pixels for each CSS pixel: 2 makes a sharp screenshot. */
  readonly scale?: number;
  /** What the extension host inherits; this process's environment where not said. */
  readonly env?: NodeJS.ProcessEnv;
}

/** A VS Code in a Chromium, with Binsight in it. */
export interface Editor {
  readonly page: Page;
  /** Of the window, with the token that lets it in: not for logs. */
  readonly address: string;
  /** The folder of user data. */
  readonly profile: string;
  /** Settles, with what happened, when the server, Chromium or the page ended otherwise than by `stop`. */
  readonly broken: Promise<string>;
  /** The end of what the page and the extension host wrote to the console. */
  consoleLines(): string[];
  /** Stores a picture of the window as `name`.png, in .vscode-test/screenshots where no folder is given; gives its path. */
  screenshot(name: string, folder?: string): Promise<string>;
  /** Runs a command from the command palette by its whole title, category included. */
  runCommand(title: string): Promise<void>;
  /** Ends the window, its extension host with the extension, and everything else that was started for them. */
  stop(): Promise<void>;
}

/**
 * Opens the VS Code from npm in a Chromium with Binsight loaded, and waits until its workbench stands; Binsight itself may
 * still be starting. Installs both into the cache where they are not there yet, which takes a minute.
 */
export function openEditor(options?: EditorOptions): Promise<Editor>;
