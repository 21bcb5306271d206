import * as vscode from 'vscode';
import type { CONTEXT } from '../names';

/** The name of a context key. */
export type ContextKey = (typeof CONTEXT)[keyof typeof CONTEXT];

/** Sets context keys for `when` clauses; the one place that does. */
export class ContextKeys {
  private readonly values = new Map<ContextKey, string | boolean>();

  /** Gives the value that was set last. */
  get(key: ContextKey): string | boolean | undefined {
    return this.values.get(key);
  }

  /** Sets a key where its value is another one. */
  set(key: ContextKey, value: string | boolean): void {
    if (this.values.get(key) !== value) {
      this.values.set(key, value);
      void vscode.commands.executeCommand('setContext', key, value);
    }
  }
}
