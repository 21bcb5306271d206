import { Remembered } from '../positions/remembered';

interface Answer<Value> {
  readonly value: Promise<Value>;
  /** Milliseconds; `undefined` while it is being made. */
  at: number | undefined;
}

/**
 * Answers that are shared for a short time: by those who ask while it is being made, and by those who ask soon after. Failures are shared only
 * while they are being made.
 */
export class SharedAnswers<Key, Value> {
  readonly #answers: Remembered<Key, Answer<Value>>;
  readonly #now: () => number;
  readonly #goodForMs: number;

  constructor(options: { readonly most: number; readonly goodForMs: number; readonly now: () => number }) {
    this.#answers = new Remembered(options.most);
    this.#goodForMs = options.goodForMs;
    this.#now = options.now;
  }

  /** The answer, if there is one that is good. */
  get(key: Key): Promise<Value> | undefined {
    const answer = this.#answers.get(key);
    return answer !== undefined && (answer.at === undefined || this.#now() - answer.at < this.#goodForMs) ? answer.value : undefined;
  }

  /** The answer, made by `make` unless there is a good one. */
  of(key: Key, make: () => Promise<Value>): Promise<Value> {
    const known = this.get(key);
    if (known !== undefined) {
      return known;
    }
    const value = make();
    const answer: Answer<Value> = { value, at: undefined };
    this.#answers.set(key, answer);
    value.then(
      () => {
        answer.at = this.#now();
      },
      () => {
        answer.at = -Infinity;
      },
    );
    return value;
  }
}
