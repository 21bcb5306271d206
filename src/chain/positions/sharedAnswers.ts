import { LruMap } from './lruMap';

interface Answer<Value> {
  readonly value: Promise<Value>;
  /** When the answer may be used, milliseconds. `undefined`: it is being made. */
  good: { readonly from: number; readonly until: number } | undefined;
}

/**
 * Shares answers among requests at the same time, and for a while after. A failure is shared only by requests that wait for it; the next request
 * tries again.
 */
export class SharedAnswers<Key, Value> {
  readonly #answers: LruMap<Key, Answer<Value>>;
  readonly #now: () => number;
  readonly #goodForMs: (value: Value) => number;

  constructor(options: { readonly most: number; readonly goodForMs: number | ((value: Value) => number); readonly now: () => number }) {
    const { most, goodForMs, now } = options;
    this.#answers = new LruMap(most);
    this.#goodForMs = typeof goodForMs === 'number' ? () => goodForMs : goodForMs;
    this.#now = now;
  }

  /** The answer that is being made or may still be used; `undefined`: there is none. */
  get(key: Key): Promise<Value> | undefined {
    const answer = this.#answers.get(key);
    if (answer?.good === undefined) {
      return answer?.value;
    }
    const { from, until } = answer.good;
    const now = this.#now();
    // A clock that was set back does not prolong an answer.
    return now >= from && now < until ? answer.value : undefined;
  }

  /** The answer of {@link get}, or a new one made by `make`. */
  of(key: Key, make: () => Promise<Value>): Promise<Value> {
    const known = this.get(key);
    if (known !== undefined) {
      return known;
    }
    const value = make();
    const answer: Answer<Value> = { value, good: undefined };
    this.#answers.set(key, answer);
    value.then(
      (made) => {
        const from = this.#now();
        answer.good = { from, until: from + this.#goodForMs(made) };
      },
      () => {
        answer.good = { from: Infinity, until: -Infinity };
      },
    );
    return value;
  }
}
