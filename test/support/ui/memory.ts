import type { Subscription } from '../../../src/base/async/clock';
import type { SecretStore, StateStore } from '../../../src/ui/shell/editorAccess';
import type { SecretStorageAccess } from '../../../src/ui/shell/secrets';
import type { Remembered } from '../../../src/ui/shell/rememberedChoice';
import type { WindowProblems } from '../../../src/ui/shell/windowProblem';

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

/** VS Code's secret storage while a keyring asks for its password, or refuses. */
export class KeyringSecrets implements SecretStorageAccess {
  readonly memory = new MemorySecrets();
  /** How many calls have reached the storage. */
  calls = 0;
  #state: 'open' | 'asking' | 'refusing' = 'open';
  #waiting: (() => void)[] = [];
  readonly #listeners = new Set<(event: { readonly key: string }) => void>();

  constructor() {
    this.memory.onDidChange((key) => this.#listeners.forEach((listener) => listener({ key })));
  }

  readonly onDidChange = (listener: (event: { readonly key: string }) => void): Subscription => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };

  /** Calls wait from now on. */
  ask(): void {
    this.#state = 'asking';
  }

  /** Calls fail from now on. */
  refuse(): void {
    this.#state = 'refusing';
  }

  /** The calls that wait go on, and later ones are answered at once. */
  unlock(): void {
    this.#state = 'open';
    this.#waiting.splice(0).forEach((go) => go());
  }

  get(name: string): Promise<string | undefined> {
    return this.#call(() => this.memory.get(name));
  }

  store(name: string, value: string): Promise<void> {
    return this.#call(() => this.memory.store(name, value));
  }

  delete(name: string): Promise<void> {
    return this.#call(() => this.memory.delete(name));
  }

  async #call<Result>(call: () => Promise<Result>): Promise<Result> {
    this.calls += 1;
    if (this.#state === 'refusing') {
      throw new Error('The encryption is not available');
    }
    if (this.#state === 'asking') {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
    return call();
  }
}

/** The files of the extension are those of the code that runs. */
export const INTACT = { isReplaced: false, onDidChange: () => ({ dispose: () => undefined }) } as const;

/** A window that works. */
export const NO_PROBLEMS: WindowProblems = { current: undefined, onDidChange: () => ({ dispose: () => undefined }) };

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

/** A choice that begins with `value`. @param remember keeps another one; by default it is kept for as long as the test runs */
export function remembered<Value>(value: Value, remember = (): Promise<void> => Promise.resolve()): Remembered<Value> {
  let current = value;
  return {
    get value() {
      return current;
    },
    remember: (chosen) => {
      current = chosen;
      return remember();
    },
  };
}

/** Fails the test that a listener threw in. */
export function fail(error: unknown): never {
  throw error;
}
