import type { Address } from '../../../base/solana/address';
import type { Ledger } from '../../chain/types';
import { rawPrice, wholeTokens } from '../units';
import type { Amounts, Market, Pool, PoolToken } from '../types';

/**
 * Where the money of simulated people is: accounts of the chain. The market's `world` sells and buys everything at the outside
 * price, and stands in for the vaults until the market settles them: what goes into a pool goes to it, what comes out comes from it.
 */
export interface SimulationContext {
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
export class WorldPayer implements Payer {
  readonly #context: SimulationContext;

  constructor(context: SimulationContext) {
    this.#context = context;
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
    } = this.#context;
    ledger.setLamports(world, ledger.lamports(world) - lamports);
  }
}

/** Lamports that stay in a wallet whatever happens: the rent of the wallet's own account, and of a token account. */
const MIN_WALLET_LAMPORTS = 10_000_000n;
/** Who keeps dollars keeps so much SOL besides, for rents. */
export const SOL_RESERVE_LAMPORTS = 3_000_000_000n;

/** What part of the money is spent: the rest is for rounding. */
const SPENT_PART = 0.998;

/** One token in a purse, raw. */
interface Balance {
  readonly token: PoolToken;
  /** What the wallet has on the chain. */
  readonly before: bigint;
  now: bigint;
  /** What the rest of the world has got. */
  world: bigint;
}

/**
 * What somebody has in hand while acting. Money is kept in one token, `home` (SOL or USDC); what else is needed is bought from the
 * rest of the world at the outside price, and what else comes in is sold to it. Nothing moves on the chain before {@link settle}.
 */
export class ProviderWallet implements Payer {
  readonly #balances = new Map<Address, Balance>();

  readonly #context: SimulationContext;
  readonly #owner: Address;
  readonly #home: PoolToken;

  constructor(context: SimulationContext, owner: Address, home: PoolToken) {
    this.#context = context;
    this.#owner = owner;
    this.#home = home;
  }

  affordableUsd(usd: number, rentLamports: bigint): number {
    const { market } = this.#context;
    this.#balance(market.sol);
    this.#balance(this.#home);
    let left = -wholeTokens(rentLamports, market.sol) * market.usdSol;
    for (const balance of this.#balances.values()) {
      left += wholeTokens(this.#free(balance), balance.token) * market.usd(balance.token);
    }
    return Math.min(usd, SPENT_PART * Math.max(0, left));
  }

  /** What is missing of a token is bought. @throws RangeError where that costs more than there is. */
  payIn(pool: Pool, amounts: Amounts): void {
    this.#exchange(this.#obtained(pool.tokenX, amounts.x), -amounts.x);
    this.#exchange(this.#obtained(pool.tokenY, amounts.y), -amounts.y);
  }

  receive(pool: Pool, amounts: Amounts): void {
    this.#exchange(this.#balance(pool.tokenX), amounts.x);
    this.#exchange(this.#balance(pool.tokenY), amounts.y);
  }

  /** @throws RangeError as {@link payIn}. */
  payRent(lamports: bigint): void {
    this.#obtained(this.#context.market.sol, lamports).now -= lamports;
  }

  /** Sells what is not kept, and moves everything on the chain. The purse is empty afterwards. */
  settle(): void {
    const { ledger, market } = this.#context;
    if (this.#balances.size === 0) {
      return;
    }
    this.#balance(this.#home);
    const sol = this.#balance(market.sol);
    for (const balance of this.#balances.values()) {
      const keep = balance.token.mint === market.sol.mint ? SOL_RESERVE_LAMPORTS : 0n;
      if (balance.token.mint !== this.#home.mint && this.#free(balance) > keep) {
        this.#sell(balance, this.#free(balance) - keep);
      }
    }
    ledger.setLamports(this.#owner, sol.now);
    for (const balance of this.#balances.values()) {
      if (balance !== sol && balance.now !== balance.before) {
        ledger.credit(this.#owner, balance.token.mint, balance.now - balance.before);
      }
      if (balance.world !== 0n) {
        ledger.credit(market.world, balance.token.mint, balance.world);
      }
    }
    this.#balances.clear();
  }

  /** The balance of a token, with at least so much in it. */
  #obtained(token: PoolToken, raw: bigint): Balance {
    const balance = this.#balance(token);
    const short = raw - this.#free(balance);
    if (short > 0n) {
      const home = this.#balance(this.#home);
      const cost = token.mint === this.#home.mint ? short : BigInt(Math.ceil(Number(short) * this.#rateOf(token)));
      if (home === balance || cost > this.#free(home)) {
        this.#sellAllBut(balance);
      }
      if (home !== balance) {
        this.#exchange(home, -cost);
        this.#exchange(balance, short);
      }
      if (this.#free(balance) < raw || home.now < 0n) {
        throw new RangeError(`${this.#owner} cannot pay ${raw} of ${token.spec.symbol} (raw)`);
      }
    }
    return balance;
  }

  #sellAllBut(kept: Balance): void {
    for (const balance of this.#balances.values()) {
      if (balance !== kept && balance.token.mint !== this.#home.mint) {
        this.#sell(balance, this.#free(balance));
      }
    }
  }

  /** Changes a token for the home token; what is too little for one raw unit of that is left to the rest of the world. */
  #sell(balance: Balance, raw: bigint): void {
    this.#exchange(balance, -raw);
    this.#exchange(this.#balance(this.#home), BigInt(Math.floor(Number(raw) * this.#rateOf(balance.token))));
  }

  /** Raw units of the home token for one raw unit. */
  #rateOf(token: PoolToken): number {
    const { market } = this.#context;
    return rawPrice(market.usd(token) / market.usd(this.#home), token, this.#home);
  }

  /** What somebody gets, the rest of the world gives; and the other way round. */
  #exchange(balance: Balance, raw: bigint): void {
    balance.now += raw;
    balance.world -= raw;
  }

  /** What may be spent of a token. */
  #free({ token, now }: Balance): bigint {
    const raw = token.mint === this.#context.market.sol.mint ? now - MIN_WALLET_LAMPORTS : now;
    return raw > 0n ? raw : 0n;
  }

  #balance(token: PoolToken): Balance {
    let balance = this.#balances.get(token.mint);
    if (balance === undefined) {
      const before = this.#onChain(token);
      balance = { token, before, now: before, world: 0n };
      this.#balances.set(token.mint, balance);
    }
    return balance;
  }

  /** Nothing but SOL and the home token is kept from one time to the next. */
  #onChain({ mint }: PoolToken): bigint {
    const { ledger, market } = this.#context;
    return mint === market.sol.mint ? ledger.lamports(this.#owner) : mint === this.#home.mint ? ledger.tokenBalance(this.#owner, mint) : 0n;
  }
}
