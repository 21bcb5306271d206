import type { StateStore } from './editorAccess';

/** What the user chose last in a view. It is kept on this machine; windows that are open already keep theirs until they reload. */
export interface Remembered<Value> {
  readonly value: Value;
  remember(value: Value): Promise<void>;
}

/** Remembers one of several values; the first one until another is chosen. A stored value that is none of them counts as the first one. */
export class RememberedChoice<Value extends string> implements Remembered<Value> {
  readonly #state: StateStore;
  readonly #name: string;
  #value: Value;

  constructor(state: StateStore, name: string, values: readonly [Value, ...Value[]]) {
    this.#state = state;
    this.#name = name;
    const stored = state.get(name);
    this.#value = values.find((value) => value === stored) ?? values[0];
  }

  get value(): Value {
    return this.#value;
  }

  async remember(value: Value): Promise<void> {
    this.#value = value;
    await this.#state.update(this.#name, value);
  }
}
