import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import * as z from 'zod';
import { writeJson } from '../../../../src/sandbox/rpc/rpc';

const Stored = z.object({ notes: z.record(z.string(), z.string()), calls: z.array(z.tuple([z.string(), z.array(z.string())])) });

/** What an RPC was asked, and what it answered: JSON texts, because numbers of chains are larger than those of JavaScript. */
export class Recording {
  /** What a test has to know of the recorded scenario, such as addresses. */
  readonly notes: Readonly<Record<string, string>>;
  /** By method and parameters: the answers in their order, without those that repeat the one before. */
  readonly #calls: Map<string, string[]>;

  constructor(notes: Readonly<Record<string, string>>, calls: Iterable<readonly [string, readonly string[]]> = []) {
    this.notes = notes;
    this.#calls = new Map([...calls].map(([call, answers]) => [call, [...answers]]));
  }

  /** @throws Error if there is no such file, or it is none of {@link save} */
  static read(file: string): Recording {
    const { notes, calls } = Stored.parse(JSON.parse(brotliDecompressSync(readFileSync(file)).toString()));
    return new Recording(notes, calls);
  }

  save(file: string): void {
    const text = Buffer.from(JSON.stringify({ notes: this.notes, calls: [...this.#calls] } satisfies z.output<typeof Stored>));
    const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
    writeFileSync(file, brotliCompressSync(text, { params }));
  }

  /** @param answer the member `result` or `error` of the answer */
  add(method: string, params: readonly unknown[], answer: Readonly<Record<string, unknown>>): void {
    const answers = this.#calls.get(keyOf(method, params)) ?? [];
    const text = writeJson(answer).slice(1, -1);
    if (answers.at(-1) !== text) {
      answers.push(text);
    }
    this.#calls.set(keyOf(method, params), answers);
  }

  /** The answer to a call when it comes for the n-th time, from 0; the last one for all later times. `undefined`: it was not recorded. */
  answer(method: string, params: readonly unknown[], time: number): string | undefined {
    const answers = this.#calls.get(keyOf(method, params));
    return answers?.[time] ?? answers?.at(-1);
  }
}

function keyOf(method: string, params: readonly unknown[]): string {
  return `${method} ${JSON.stringify(params)}`;
}
