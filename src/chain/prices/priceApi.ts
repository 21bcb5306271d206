import * as z from 'zod';
import type { Clock } from '../../base/async/clock';
import { readText, withTimeout } from '../../base/http';
import type { Address } from '../../base/solana/address';
import { LruMap } from '../positions/lruMap';

/** The part of `fetch` that is used. */
export type PriceFetch = (
  url: string,
  init: { readonly headers: Record<string, string>; readonly redirect: 'manual'; readonly signal: AbortSignal },
) => Promise<{ readonly status: number; readonly body: AsyncIterable<Uint8Array | string> | null }>;

/** Where a price API is. */
export interface PriceApiOptions {
  /** Its origin, or the whole address of the endpoint: `https://api.jup.ag`. */
  readonly url: string;
  readonly clock: Clock;
  readonly fetch?: PriceFetch;
  readonly log: (line: string) => void;
}

const ENDPOINT = '/price/v3';
/** Of one request (public documentation of Jupiter's price API v3). */
const MINTS_PER_REQUEST = 50;
const TIMEOUT_MS = 4_000;
const LONGEST_ANSWER_BYTES = 1024 * 1024;
/** How long a price is used. */
const GOOD_FOR_MS = 10_000;
/** After a failure nothing is asked for this long: a client does not wait for a dead service with each request. */
const PAUSE_MS = 15_000;
const MOST_PRICES = 10_000;
/** No token is worth more; a larger number is a mistake. */
const HIGHEST_USD = 1e12;

/** Tokens without a price are left out, or null. */
const Prices = z.record(z.string(), z.object({ usdPrice: z.number().nullish() }).nullish());

/** `undefined`: the API knows no price. */
interface Price {
  readonly usd: number | undefined;
  readonly at: number;
}

/** Present prices from an API of the shape of Jupiter's price API v3. What it does not answer is unknown. */
export class PriceApi {
  readonly #options: PriceApiOptions;
  readonly #endpoint: URL;
  readonly #fetch: PriceFetch;
  readonly #prices = new LruMap<Address, Price>(MOST_PRICES);
  readonly #asked = new Map<Address, Promise<void>>();
  #pausedUntil = -Infinity;
  #isFailing = false;

  /** @throws TypeError if the address is none */
  constructor(options: PriceApiOptions) {
    this.#options = options;
    const url = new URL(options.url);
    const path = url.pathname.replace(/\/+$/, '');
    url.pathname = path.endsWith(ENDPOINT) ? path : `${path}${ENDPOINT}`;
    this.#endpoint = url;
    this.#fetch = options.fetch ?? ((address, init) => fetch(address, init));
  }

  /** US dollars for one whole token. Mints without a known price are left out. */
  async now(mints: readonly Address[]): Promise<ReadonlyMap<Address, number>> {
    const wanted = [...new Set(mints)];
    const missing = wanted.filter((mint) => !this.#isFresh(mint) && !this.#asked.has(mint));
    // One request after the other: a wallet may hold thousands of worthless tokens, and free APIs allow a request a second.
    const until = this.#options.clock.now() + TIMEOUT_MS;
    let asking = Promise.resolve();
    for (let start = 0; start < missing.length; start += MINTS_PER_REQUEST) {
      const part = missing.slice(start, start + MINTS_PER_REQUEST);
      asking = asking.then(() => this.#ask(part, until)).finally(() => part.forEach((mint) => this.#asked.delete(mint)));
      for (const mint of part) {
        this.#asked.set(mint, asking);
      }
    }
    await Promise.all(wanted.flatMap((mint) => this.#asked.get(mint) ?? []));
    return new Map(
      wanted.flatMap((mint): readonly (readonly [Address, number])[] => {
        const usd = this.#isFresh(mint) ? this.#prices.get(mint)?.usd : undefined;
        return usd === undefined ? [] : [[mint, usd]];
      }),
    );
  }

  #isFresh(mint: Address): boolean {
    const known = this.#prices.get(mint);
    return known !== undefined && this.#options.clock.now() - known.at < GOOD_FOR_MS;
  }

  /** Never rejects. @param until no request begins after it: the prices are unknown then */
  async #ask(mints: readonly Address[], until: number): Promise<void> {
    const now = this.#options.clock.now();
    if (now < this.#pausedUntil || now >= until) {
      return;
    }
    const url = new URL(this.#endpoint);
    url.searchParams.set('ids', mints.join(','));
    const limit = withTimeout(undefined, TIMEOUT_MS);
    try {
      const response = await this.#fetch(url.href, { headers: { accept: 'application/json' }, redirect: 'manual', signal: limit.signal });
      const { text, complete } = await readText(response.body, LONGEST_ANSWER_BYTES);
      if (response.status !== 200 || !complete) {
        this.#failed(complete ? `answered ${response.status}` : 'answered too much');
        return;
      }
      const prices = Prices.parse(JSON.parse(text));
      const at = this.#options.clock.now();
      for (const mint of mints) {
        this.#prices.set(mint, { usd: plausible(prices[mint]?.usdPrice), at });
      }
      this.#isFailing = false;
    } catch (error) {
      this.#failed(
        limit.ended() === 'timeout'
          ? 'did not answer in time'
          : error instanceof z.ZodError || error instanceof SyntaxError
            ? 'answered something else than prices'
            : 'cannot be reached',
      );
    } finally {
      limit.stop();
    }
  }

  #failed(what: string): void {
    this.#pausedUntil = this.#options.clock.now() + PAUSE_MS;
    if (!this.#isFailing) {
      this.#isFailing = true;
      this.#options.log(`The price API ${this.#endpoint.host} ${what}: prices of tokens are unknown until it does.`);
    }
  }
}

function plausible(usd: number | null | undefined): number | undefined {
  return typeof usd === 'number' && usd > 0 && usd < HIGHEST_USD ? usd : undefined;
}
