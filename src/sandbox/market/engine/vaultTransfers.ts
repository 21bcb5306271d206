import type { Address } from '../../../base/solana/address';
import { associatedTokenAddress } from '../../../base/solana/pda';
import type { RentRate } from '../../../base/solana/rent';
import { EffectError, type Ledger } from '../../chain/types';
import type { Amounts, MarketPool } from '../types';

/**
 * Moves tokens and lamports for effects. Tokens move between the owner and the rest of the world; after all effects of a
 * transaction, `Market.settleVaults` moves them between the rest of the world and the vaults.
 */
export class VaultTransfers {
  readonly #ledger: Ledger;
  readonly #world: Address;

  constructor(
    ledger: Ledger,
    /** The wallet of the rest of the world. */
    world: Address,
  ) {
    this.#ledger = ledger;
    this.#world = world;
  }

  /** What accounts cost. */
  get rent(): RentRate {
    return this.#ledger.rent;
  }

  /** The smaller of the amount and the owner's balance, raw. */
  atMost(amount: bigint, owner: Address, mint: Address): bigint {
    const has = this.#ledger.tokenBalance(owner, mint);
    return has < amount ? has : amount;
  }

  /** Pays tokens of a pool to an owner. */
  pay(owner: Address, pool: MarketPool, { x, y }: Amounts): void {
    this.payToken(owner, pool.tokenX.mint, x);
    this.payToken(owner, pool.tokenY.mint, y);
  }

  /** Takes tokens of a pool from an owner. @throws EffectError if the balance is too low */
  take(owner: Address, pool: MarketPool, { x, y }: Amounts): void {
    this.takeToken(owner, pool.tokenX.mint, x);
    this.takeToken(owner, pool.tokenY.mint, y);
  }

  payToken(owner: Address, mint: Address, amount: bigint): void {
    if (amount > 0n) {
      this.#ledger.credit(this.#world, mint, -amount);
      this.#ledger.credit(owner, mint, amount);
    }
  }

  /** Pays tokens to a wallet that may lack a token account; the rest of the world pays its rent. */
  give(to: Address, mint: Address, amount: bigint): void {
    const held = this.#ledger.tokenBalance(to, mint);
    this.#ledger.credit(this.#world, mint, -amount);
    this.#ledger.setTokenAccount(associatedTokenAddress(to, mint), { holder: to, mint, payer: this.#world }, held + amount);
  }

  /** @throws EffectError if the balance is too low */
  takeToken(owner: Address, mint: Address, amount: bigint): void {
    if (amount > 0n) {
      this.#ledger.credit(owner, mint, -amount);
      this.#ledger.credit(this.#world, mint, amount);
    }
  }

  /**
   * Creates an account of a program. The owner pays its rent, less lamports that were already at the address: they stay, as with
   * Anchor's `init`.
   * @throws EffectError if the account exists, or the owner cannot pay
   */
  rentAccount(
    owner: Address,
    at: Address,
    account: { readonly owner: Address; readonly lamports: bigint; readonly data: Uint8Array },
    what: string,
  ): void {
    if (this.#ledger.isInUse(at)) {
      throw new EffectError(`The account ${at} of ${what} exists already`);
    }
    this.enlargeAccount(owner, at, account, what);
  }

  /** Replaces the contents of an account; the owner pays the additional rent. @throws EffectError if the owner cannot pay */
  enlargeAccount(
    owner: Address,
    at: Address,
    account: { readonly owner: Address; readonly lamports: bigint; readonly data: Uint8Array },
    what: string,
  ): void {
    const before = this.#ledger.lamports(at);
    const lamports = account.lamports > before ? account.lamports : before;
    this.#takeLamports(owner, lamports - before, what);
    this.#ledger.setProgramAccount(at, { ...account, lamports });
  }

  /** Removes an account; its lamports go to the owner. */
  closeAccount(owner: Address, at: Address): void {
    const rent = this.#ledger.lamports(at);
    this.#ledger.setProgramAccount(at, undefined);
    this.#ledger.setLamports(owner, this.#ledger.lamports(owner) + rent);
  }

  #takeLamports(owner: Address, lamports: bigint, what: string): void {
    const has = this.#ledger.lamports(owner);
    if (has < lamports) {
      throw new EffectError(`${owner} has too few lamports for the rent of ${what}: ${has} of ${lamports}`);
    }
    this.#ledger.setLamports(owner, has - lamports);
  }
}
