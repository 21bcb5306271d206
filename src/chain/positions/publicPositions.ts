import type { Clock } from '../../base/async/clock';
import { answeredWithin } from '../../base/async/waiting';
import type { Address } from '../../base/solana/address';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../base/time';
import { DataApiError, type DataApi, type DataOpenPool, type DataPosition, type DataPositionEvent } from '../dataApi/types';
import { SharedAnswers } from './sharedAnswers';

/** What the public data of wallets is read from. */
export interface PublicPositionsOptions {
  readonly api: Pick<DataApi, 'openPools' | 'closedPools' | 'positionsIn' | 'positionEvents'>;
  /** One that never goes back. */
  readonly clock: Clock;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: (line: string) => void;
}

/** What Meteora has indexed of a wallet's DLMM positions. */
export interface PublicWallet {
  readonly positions: ReadonlyMap<Address, DataPosition>;
  /** Positions that were closed before are missing, milliseconds since 1970. */
  readonly closedSince: number;
}

/** Answers are used again for this long; failures for less. */
const GOOD_FOR_MS = MINUTE_MS;
const FAILED_FOR_MS = 15 * SECOND_MS;
const MOST_OWNERS = 200;
/** As far as the API lists closed positions. */
const DAYS_BACK = 365;

/**
 * What Meteora's public data says of wallets. It is not proven by the chain, so it only fills gaps: addresses of open positions, which are then read
 * from their accounts, and sums of positions until the index has read their past. Without the API, everything else stays as it is.
 */
export class PublicPositions {
  readonly #options: PublicPositionsOptions;
  readonly #open: SharedAnswers<Address, readonly DataOpenPool[] | undefined>;
  readonly #wallets: SharedAnswers<Address, PublicWallet | undefined>;
  readonly #events: SharedAnswers<Address, readonly DataPositionEvent[] | undefined>;

  constructor(options: PublicPositionsOptions) {
    this.#options = options;
    const shared = { most: MOST_OWNERS, now: () => options.clock.now() };
    this.#open = new SharedAnswers({ ...shared, goodForMs: (pools) => goodForMs(pools) });
    this.#wallets = new SharedAnswers({ ...shared, goodForMs: (wallet) => goodForMs(wallet) });
    this.#events = new SharedAnswers({ ...shared, goodForMs: (events) => goodForMs(events) });
  }

  /** Pools with open positions of a wallet. `undefined`: the API does not answer. */
  open(owner: Address): Promise<readonly DataOpenPool[] | undefined> {
    return this.#open.of(owner, () => this.#orNone(owner, () => this.#options.api.openPools(owner)));
  }

  /**
   * All positions of a wallet.
   * @param waitMs how long to wait; what comes later is there for the next call
   * @returns `undefined`: the API does not answer, or not in time
   */
  wallet(owner: Address, waitMs: number): Promise<PublicWallet | undefined> {
    const answer = this.#wallets.of(owner, () => this.#orNone(owner, () => this.#readWallet(owner)));
    return answeredWithin(answer, waitMs, this.#options.clock);
  }

  /**
   * What happened to a position.
   * @param waitMs how long to wait
   * @returns `undefined`: the API does not answer, or not in time
   */
  events(position: Address, waitMs: number): Promise<readonly DataPositionEvent[] | undefined> {
    const answer = this.#events.of(position, () => this.#orNone(position, () => this.#options.api.positionEvents(position)));
    return answeredWithin(answer, waitMs, this.#options.clock);
  }

  async #readWallet(owner: Address): Promise<PublicWallet | undefined> {
    const { api, now } = this.#options;
    const [open, closed] = await Promise.all([this.open(owner), api.closedPools(owner)]);
    if (open === undefined) {
      return undefined;
    }
    const pools = [...new Set([...open.map(({ pool }) => pool), ...closed])];
    const lists = await Promise.all(pools.map((pool) => api.positionsIn(pool, owner)));
    return { positions: new Map(lists.flat().map((position) => [position.address, position])), closedSince: now() - DAYS_BACK * DAY_MS };
  }

  async #orNone<Answer>(subject: Address, read: () => Promise<Answer>): Promise<Answer | undefined> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof DataApiError)) {
        throw error;
      }
      this.#options.log(`Nothing of Meteora's public data about ${subject} is used now. ${error.message}.`);
      return undefined;
    }
  }
}

function goodForMs(answer: object | undefined): number {
  return answer === undefined ? FAILED_FOR_MS : GOOD_FOR_MS;
}
