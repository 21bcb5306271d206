import type { Ledger } from '../../chain/types';
import type { Amounts, Market, Pool } from '../types';

/**
 * Where the money of simulated people is: accounts of the chain. The market's `world` sells and buys everything at the outside
 * price, and stands in for the vaults until the market settles them: what goes into a pool goes to it, what comes out comes from it.
 */
export interface Bank {
  readonly market: Market;
  readonly ledger: Ledger;
}

/** Who pays for what happens to a position, and gets what comes out of it. Raw amounts. */
export interface Payer {
  /** How much of a sum can be paid into a pool besides a rent, US dollars; 0 where not even the rent can. */
  affordableUsd(usd: number, rentLamports: bigint): number;
  payIn(pool: Pool, amounts: Amounts): void;
  receive(pool: Pool, amounts: Amounts): void;
  /** Gets it back where it is negative; the account is made, or removed, by the caller. */
  payRent(lamports: bigint): void;
}

/** The rest of the world, paying for somebody else: it is where the vaults get their tokens from anyway. */
export class WorldPays implements Payer {
  readonly #bank: Bank;

  constructor(bank: Bank) {
    this.#bank = bank;
  }

  affordableUsd(usd: number): number {
    return usd;
  }

  payIn(): void {
    // The vaults take it from the rest of the world when they are settled.
  }

  receive(): void {
    // And give it back.
  }

  payRent(lamports: bigint): void {
    const {
      ledger,
      market: { world },
    } = this.#bank;
    ledger.setLamports(world, ledger.lamports(world) - lamports);
  }
}
