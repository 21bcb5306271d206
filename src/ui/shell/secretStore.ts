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
