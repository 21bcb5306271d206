import { SingleFlight } from '../../base/async/concurrency';
import type { Address } from '../../base/solana/address';
import type { RpcPriority } from '../rpc/types';
import { type ListingSources, listNew } from './listing';
import type { Subject } from './subjectStore';

/** A position with more transactions than this is not followed to its creation. */
const MOST_OF_POSITION = 20_000;

/** Lists the signatures of addresses, those that clients wait for before the others. */
export class SignatureLists {
  readonly #sources: ListingSources;
  readonly #run: (address: Address, list: () => Promise<number>) => Promise<void>;
  readonly #listings = new Map<Address, SingleFlight>();
  /** How many clients wait for an address. */
  readonly #clients = new Map<Address, number>();
  /** Positions whose list was continued below its newest page. */
  readonly #listedBelow = new Set<Address>();
  /** The most signatures of pools, by address. */
  readonly #mostOfPool = new Map<Address, number>();

  /**
   * @param sources with the most signatures of an owner in one listing
   * @param run runs each listing, which returns the number of the subject
   */
  constructor(sources: ListingSources, run: (address: Address, list: () => Promise<number>) => Promise<void>) {
    this.#sources = sources;
    this.#run = run;
  }

  /**
   * Prepares the listing of the own signatures of a position that is not complete: first its newest page, then what is below it, then everything
   * again, because the node may have more than before.
   * @returns whether the listing goes to the end
   */
  followPosition(position: Address): boolean {
    const { store } = this.#sources;
    const { listed_at_ms: listedAtMs, gap_to_slot: gapTo } = store.follow(position, 'position');
    if (listedAtMs !== null && gapTo === null && !this.#listedBelow.has(position)) {
      this.#listedBelow.add(position);
      store.doubtEnd(position);
      return store.continueBelow(position, MOST_OF_POSITION);
    }
    store.forgetList(position);
    return listedAtMs !== null;
  }

  limitPool(pool: Address, signatures: number): void {
    this.#mostOfPool.set(pool, signatures);
  }

  /** Runs with the addresses before all others. */
  async first(addresses: readonly Address[], work: () => Promise<void>): Promise<void> {
    const change = (by: 1 | -1): void =>
      addresses.forEach((address) => {
        const count = (this.#clients.get(address) ?? 0) + by;
        if (count === 0) {
          this.#clients.delete(address);
        } else {
          this.#clients.set(address, count);
        }
      });
    change(1);
    try {
      await work();
    } finally {
      change(-1);
    }
  }

  /** The listing of an address, at most one at a time. */
  listing(address: Address): SingleFlight {
    let flight = this.#listings.get(address);
    if (flight === undefined) {
      flight = new SingleFlight(() => this.#run(address, () => this.#list(address)));
      this.#listings.set(address, flight);
    }
    return flight;
  }

  /** @returns the number of the subject */
  async #list(address: Address): Promise<number> {
    const { store } = this.#sources;
    const priority = (): RpcPriority => (this.#clients.has(address) ? 'request' : 'background');
    const subject = store.subject(address);
    if (subject === undefined) {
      throw new Error(`${address} is not followed`);
    }
    await listNew(address, { ...this.#sources, mostSignatures: this.#mostSignaturesOf(subject) }, priority);
    return subject.id;
  }

  #mostSignaturesOf({ kind, address }: Subject): number {
    switch (kind) {
      case 'owner':
        return this.#sources.mostSignatures;
      case 'position':
        return MOST_OF_POSITION;
      case 'pool':
        return this.#mostOfPool.get(address) ?? 1;
    }
  }
}
