import * as vscode from 'vscode';
import type { CONTEXT } from '../names';

export type ContextKey = (typeof CONTEXT)[keyof typeof CONTEXT];

/** Sets context keys for `when` clauses. No other code sets them. */
export class ContextKeys {
  readonly #values = new Map<ContextKey, string | boolean>();

  /** Returns the value that was set last. */
  get(key: ContextKey): string | boolean | undefined {
    return this.#values.get(key);
  }

  /** Sets a key if its value changes. */
  set(key: ContextKey, value: string | boolean): void {
    if (this.#values.get(key) !== value) {
      this.#values.set(key, value);
      void vscode.commands.executeCommand('setContext', key, value);
    }
  }
}
