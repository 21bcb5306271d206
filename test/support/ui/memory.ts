import type { SecretStore, StateStore } from '../../../src/ui/shell/editorAccess';

/** Secrets in memory. Every window hears of every change, as in VS Code. */
export class MemorySecrets implements SecretStore {
  readonly kept = new Map<string, string>();
  readonly #listeners: ((name: string) => void)[] = [];

  /** Calls `listener` with the name of each secret that was stored or deleted. */
  onDidChange(listener: (name: string) => void): void {
    this.#listeners.push(listener);
  }

  get(name: string): Promise<string | undefined> {
    return Promise.resolve(this.kept.get(name));
  }

  store(name: string, value: string): Promise<void> {
    this.kept.set(name, value);
    this.#tell(name);
    return Promise.resolve();
  }

  delete(name: string): Promise<void> {
    this.kept.delete(name);
    this.#tell(name);
    return Promise.resolve();
  }

  #tell(name: string): void {
    for (const listener of this.#listeners) {
      listener(name);
    }
  }
}

/** State in memory; what is stored goes through JSON, as VS Code's does. */
export class MemoryState implements StateStore {
  readonly kept = new Map<string, string>();

  get(name: string): unknown {
    const text = this.kept.get(name);
    return text === undefined ? undefined : JSON.parse(text);
  }

  update(name: string, value: unknown): Promise<void> {
    this.kept.set(name, JSON.stringify(value));
    return Promise.resolve();
  }
}

/** Fails the test that a listener threw in. */
export function fail(error: unknown): never {
  throw error;
}
