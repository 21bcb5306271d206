import * as z from 'zod';
import type { Clock } from '../../base/async/clock';
import { MINUTE_MS } from '../../base/time';
import { ChainRpcError } from './errors';
import { isSearch } from './methods';
import type { ChainCallOptions } from './types';

/** Sends one request. @throws ChainRpcError */
type Send = (method: string, parameters: readonly unknown[], options: ChainCallOptions) => Promise<unknown>;

/** Most accounts in one `getMultipleAccounts` (agave: MAX_MULTIPLE_ACCOUNTS). */
const ACCOUNTS_PER_REQUEST = 100;
/** After a refusal a method is not tried again for this long. */
const REFUSAL_MS = 10 * MINUTE_MS;
/** Accounts in one page of `getProgramAccountsV2`, and most pages of a search. */
const PAGE_SIZE = 5_000;
const MOST_PAGES = 100;

const Addresses = z.array(z.string());
const Accounts = z.looseObject({ value: z.array(z.unknown()) });
const Page = z.object({ accounts: z.array(z.unknown()), paginationKey: z.string().nullish() });
/** With or without the context around it. */
const PageAnswer = z.union([z.object({ value: Page }).transform(({ value }) => value), Page]);

/**
 * Answers methods that some plans restrict by other requests, for all callers alike: `getMultipleAccounts` by as many requests as the plan needs,
 * and `getProgramAccounts` by `getProgramAccountsV2`, its pages one after the other.
 */
export class Substitutes {
  readonly #clock: Clock;
  readonly #send: Send;
  /** Most accounts that the RPC gives at a time, as far as known. */
  #mostAccounts = ACCOUNTS_PER_REQUEST;
  /** The last refusal of `getProgramAccounts`, and whether `getProgramAccountsV2` was refused, too. */
  #refusal: { readonly error: ChainRpcError; readonly atMs: number; readonly hasPages: boolean } | undefined;

  constructor(clock: Clock, send: Send) {
    this.#clock = clock;
    this.#send = send;
  }

  /** Returns the result as the method itself gives it. @throws ChainRpcError */
  call(method: string, parameters: readonly unknown[], options: ChainCallOptions): Promise<unknown> {
    switch (method) {
      case 'getMultipleAccounts':
        return this.#accounts(parameters, options);
      case 'getProgramAccounts':
        return this.#programAccounts(parameters, options);
      default:
        return isSearch(method) ? this.#search(method, parameters, options) : this.#send(method, parameters, options);
    }
  }

  async #accounts([addresses, ...config]: readonly unknown[], options: ChainCallOptions): Promise<unknown> {
    const all = Addresses.parse(addresses);
    const most = this.#mostAccounts;
    if (all.length <= most) {
      try {
        return await this.#send('getMultipleAccounts', [all, ...config], options);
      } catch (error) {
        const fewer = error instanceof ChainRpcError ? await this.#fewer(error, all, config, options) : undefined;
        if (fewer === undefined) {
          throw error;
        }
        // A request that was under way meanwhile may have learned of less.
        this.#mostAccounts = Math.min(this.#mostAccounts, fewer);
        return await this.#accounts([all, ...config], options);
      }
    }
    const parts = Array.from({ length: Math.ceil(all.length / most) }, (_, part) => all.slice(part * most, (part + 1) * most));
    const answers = await Promise.all(
      parts.map(async (part) => {
        const { value, ...rest } = Accounts.parse(await this.#accounts([part, ...config], options));
        if (value.length !== part.length) {
          const problem = `The RPC answered ${value.length} accounts instead of ${part.length}.`;
          throw new ChainRpcError('invalidResponse', 'getMultipleAccounts', problem);
        }
        return { ...rest, value };
      }),
    );
    return { ...answers[0], value: answers.flatMap(({ value }) => value) };
  }

  /**
   * How many accounts to ask for instead. Where the refusal does not speak of their number, one account alone shows whether it was that.
   * @returns less than all; `undefined`: it was refused for another reason
   */
  async #fewer(
    error: ChainRpcError,
    all: readonly string[],
    config: readonly unknown[],
    options: ChainCallOptions,
  ): Promise<number | undefined> {
    const fewer = all.length > 1 ? fewerAccounts(error, all.length) : undefined;
    const isOpen = fewer === undefined && all.length > 1 && (error.kind === 'refused' || error.kind === 'refusedMethod');
    return isOpen && (await this.#isAnswered('getMultipleAccounts', [all.slice(0, 1), ...config], options))
      ? Math.floor(all.length / 2)
      : fewer;
  }

  /** A search. A key that is accepted for other methods is not wrong: the plan lacks the search. @throws ChainRpcError */
  async #search(method: string, parameters: readonly unknown[], options: ChainCallOptions): Promise<unknown> {
    try {
      return await this.#send(method, parameters, options);
    } catch (error) {
      if (error instanceof ChainRpcError && error.kind === 'unauthorized' && (await this.#isAnswered('getSlot', [], options))) {
        throw new ChainRpcError('refusedMethod', method, `${error.message} It accepts the key for other methods.`, error);
      }
      throw error;
    }
  }

  /** Whether this request, of which only that is wanted, succeeds. @throws ChainRpcError if it was cancelled */
  async #isAnswered(method: string, parameters: readonly unknown[], options: ChainCallOptions): Promise<boolean> {
    try {
      await this.#send(method, parameters, { ...options, isOptional: true });
      return true;
    } catch (error) {
      if (!(error instanceof ChainRpcError) || error.kind === 'cancelled') {
        throw error;
      }
      return false;
    }
  }

  async #programAccounts(parameters: readonly unknown[], options: ChainCallOptions): Promise<unknown> {
    const known = this.#refusal;
    const isKnown = known !== undefined && this.#clock.now() - known.atMs < REFUSAL_MS;
    if (isKnown && !known.hasPages) {
      throw known.error;
    }
    if (isKnown) {
      return await this.#pages(parameters, options);
    }
    try {
      const found = await this.#search('getProgramAccounts', parameters, options);
      this.#refusal = undefined;
      return found;
    } catch (error) {
      if (!(error instanceof ChainRpcError) || error.kind !== 'refusedMethod') {
        throw error;
      }
      const noted = { error, atMs: this.#clock.now() };
      try {
        const found = await this.#pages(parameters, { ...options, isOptional: true });
        this.#refusal = { ...noted, hasPages: true };
        return found;
      } catch (second) {
        if (second instanceof ChainRpcError && second.kind === 'cancelled') {
          throw second;
        }
        this.#refusal = { ...noted, hasPages: false };
        throw error;
      }
    }
  }

  /** All pages: the last one has no key, however few accounts the ones before it have. */
  async #pages([program, config]: readonly unknown[], options: ChainCallOptions): Promise<unknown> {
    const method = 'getProgramAccountsV2';
    const found: unknown[] = [];
    let key: string | undefined;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const paging = { limit: PAGE_SIZE, ...(key === undefined ? {} : { paginationKey: key }) };
      const read = PageAnswer.safeParse(
        await this.#send(method, [program, { ...z.record(z.string(), z.unknown()).parse(config ?? {}), ...paging }], options),
      );
      if (!read.success) {
        throw new ChainRpcError('invalidResponse', method, `The answer of the RPC to ${method} is invalid.`);
      }
      found.push(...read.data.accounts);
      const next = read.data.paginationKey ?? undefined;
      if (next === undefined || next === key) {
        return found;
      }
      key = next;
    }
    throw new ChainRpcError('invalidResponse', method, `The RPC gives more than ${MOST_PAGES} pages to ${method}.`);
  }
}

/**
 * How many accounts to ask for instead: the number that the refusal names ("limited to a 5 range"), or half where it only says that it is
 * too much.
 * @param asked more than 1
 * @returns less than `asked`; `undefined`: it was refused for another reason
 */
function fewerAccounts({ kind, code, status, message }: ChainRpcError, asked: number): number | undefined {
  if (kind !== 'refused' && kind !== 'refusedMethod' && kind !== 'invalidResponse') {
    return undefined;
  }
  const isTooLarge = status === 413 || code === 413;
  if (
    !isTooLarge &&
    !/\brange\b|too many (?:inputs|accounts|pubkeys|addresses|keys)|too (?:large|long)\b|exceeds?\D{0,40}\d|(?:max(?:imum)?|limit(?:ed)?|at most|up to|more than)\D{0,40}\d/i.test(
      message,
    )
  ) {
    return undefined;
  }
  const named = [...message.matchAll(/(?<![\w.-])\d{1,3}(?![\w.])/g)]
    .map(([digits]) => Number(digits))
    .filter((most) => most >= 1 && most < asked && most !== 413);
  return named.length === 0 ? Math.floor(asked / 2) : Math.min(...named);
}
