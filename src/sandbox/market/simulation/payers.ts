import type { Address } from '../../../base/solana/address';
import type { Ledger } from '../../chain/types';
import { rawPrice, wholeTokens } from '../units';
import type { Amounts, Market, MarketPool, PoolToken } from '../types';

/**
 * The market, and the accounts that hold the money of simulated providers. The market's `world` wallet trades every token at the
 * external price. It also stands in for the vaults: deposits go to it and withdrawals come from it until the market settles the vaults.
 */
export interface SimulationContext {
  readonly market: Market;
  readonly ledger: Ledger;
}

/** Pays for changes of a position, and receives the proceeds. Raw amounts. */
export interface Payer {
  /** The part of a deposit that the payer can afford on top of the rent, US dollars; 0 if not even the rent. */
  affordableUsd(usd: number, rentLamports: bigint): number;
  payIn(pool: MarketPool, amounts: Amounts): void;
  receive(pool: MarketPool, amounts: Amounts): void;
  /** Pays rent, or receives it back if the amount is negative. The caller creates or removes the account. */
  payRent(lamports: bigint): void;
}

/** Lets the rest of the world pay. It only pays rent: the vaults are settled against its wallet anyway. */
export class WorldPayer implements Payer {
  readonly #context: SimulationContext;

  constructor(context: SimulationContext) {
    this.#context = context;
  }

  affordableUsd(usd: number): number {
    return usd;
  }

  payIn(): void {
    // Settling the vaults takes it from the rest of the world.
  }

  receive(): void {
    // Settling the vaults returns it.
  }

  payRent(lamports: bigint): void {
    const {
      ledger,
      market: { world },
    } = this.#context;
    ledger.setLamports(world, ledger.lamports(world) - lamports);
  }
}

/** Lamports that are never spent: rent of the wallet's own account and of a token account. */
const MIN_WALLET_LAMPORTS = 10_000_000n;
/** Lamports that a wallet keeps for rents besides its savings. */
export const SOL_RESERVE_LAMPORTS = 3_000_000_000n;

/** Part of the money that may be spent; the rest covers rounding. */
const SPENT_PART = 0.998;

/** The balance of one token while its owner acts, raw. */
interface Balance {
  readonly token: PoolToken;
  /** Balance on the chain. */
  readonly before: bigint;
  now: bigint;
  /** Change of the world's balance. */
  world: bigint;
}

/**
 * The wallet of a provider while it acts. Savings are in one token, `home` (SOL or USDC). Other tokens are bought from and sold to the
 * rest of the world at the external price. Nothing moves on the chain before {@link settle}.
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

  /** Buys what is missing of a token. @throws RangeError if the wallet cannot pay for it */
  payIn(pool: MarketPool, amounts: Amounts): void {
    this.#exchange(this.#obtained(pool.tokenX, amounts.x), -amounts.x);
    this.#exchange(this.#obtained(pool.tokenY, amounts.y), -amounts.y);
  }

  receive(pool: MarketPool, amounts: Amounts): void {
    this.#exchange(this.#balance(pool.tokenX), amounts.x);
    this.#exchange(this.#balance(pool.tokenY), amounts.y);
  }

  /** @throws RangeError like {@link payIn} */
  payRent(lamports: bigint): void {
    this.#obtained(this.#context.market.sol, lamports).now -= lamports;
  }

  /** Sells all tokens except savings and SOL for rents, and writes all changes to the chain. */
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

  /** The balance of a token, after buying what is missing of the amount. */
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

  /** Sells a token for the home token. The rest of the world keeps fractions of a raw unit. */
  #sell(balance: Balance, raw: bigint): void {
    this.#exchange(balance, -raw);
    this.#exchange(this.#balance(this.#home), BigInt(Math.floor(Number(raw) * this.#rateOf(balance.token))));
  }

  /** Raw units of the home token for one raw unit. */
  #rateOf(token: PoolToken): number {
    const { market } = this.#context;
    return rawPrice(market.usd(token) / market.usd(this.#home), token, this.#home);
  }

  /** Moves an amount from the rest of the world to the wallet, or back if it is negative. */
  #exchange(balance: Balance, raw: bigint): void {
    balance.now += raw;
    balance.world -= raw;
  }

  /** The part of a balance that may be spent. */
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

  /** The balance on the chain; between checks, wallets hold only SOL and the home token. */
  #onChain({ mint }: PoolToken): bigint {
    const { ledger, market } = this.#context;
    return mint === market.sol.mint ? ledger.lamports(this.#owner) : mint === this.#home.mint ? ledger.tokenBalance(this.#owner, mint) : 0n;
  }
}
