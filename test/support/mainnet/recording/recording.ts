import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import * as z from 'zod';
import { writeJson } from '../../../../src/sandbox/rpc/rpc';

const Stored = z.object({ notes: z.record(z.string(), z.string()), calls: z.array(z.tuple([z.string(), z.array(z.string())])) });

/** What an RPC was asked, and what it answered: JSON texts, because numbers of chains are larger than those of JavaScript. */
export class Recording {
  /** What a test has to know of the recorded scenario, such as addresses. */
  readonly notes: Readonly<Record<string, string>>;
  /** By method and parameters: the answers in their order, without those that repeat the one before. Of several accounts one by one. */
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
    const accounts = manyAccounts(method, params);
    const read = Accounts.safeParse(answer);
    if (accounts === undefined || !read.success) {
      this.#add(keyOf(method, params), writeJson(answer).slice(1, -1));
      return;
    }
    const { context, value } = read.data.result;
    this.#add(CONTEXT, writeJson(context));
    accounts.addresses.forEach((address, place) => this.#add(keyOf(method, [address, accounts.config]), writeJson(value[place])));
  }

  /** Answers as they were recorded, in their order; the last one for all later calls. */
  player(): (method: string, params: readonly unknown[]) => string | undefined {
    const times = new Map<string, number>();
    const next = (call: string): string | undefined => {
      const time = times.get(call) ?? 0;
      times.set(call, time + 1);
      const answers = this.#calls.get(call);
      return answers?.[time] ?? answers?.at(-1);
    };
    return (method, params) => {
      const accounts = manyAccounts(method, params);
      if (accounts === undefined) {
        return next(keyOf(method, params));
      }
      const values = accounts.addresses.map((address) => next(keyOf(method, [address, accounts.config])));
      const context = this.#calls.get(CONTEXT)?.[0];
      return context === undefined || values.includes(undefined)
        ? undefined
        : `"result":{"context":${context},"value":[${values.join(',')}]}`;
    };
  }

  #add(call: string, text: string): void {
    const answers = this.#calls.get(call) ?? [];
    if (answers.at(-1) !== text) {
      answers.push(text);
    }
    this.#calls.set(call, answers);
  }
}

const Accounts = z.object({ result: z.object({ context: z.unknown(), value: z.array(z.unknown()) }) });
const CONTEXT = 'context of getMultipleAccounts';

/**
 * The addresses of `getMultipleAccounts`. They are kept one by one: which of them come in one call depends on what a client asks for at the
 * same time.
 */
function manyAccounts(
  method: string,
  [addresses, config]: readonly unknown[],
): { readonly addresses: readonly unknown[]; readonly config: unknown } | undefined {
  return method === 'getMultipleAccounts' && Array.isArray(addresses) ? { addresses, config } : undefined;
}

function keyOf(method: string, params: readonly unknown[]): string {
  return `${method} ${JSON.stringify(params)}`;
}
