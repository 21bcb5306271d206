import type { Address } from '../../../base/solana/address';
import { associatedTokenAddress } from '../../../base/solana/pda';
import { EffectError, type Ledger } from '../../chain/types';
import type { Amounts, Pool } from '../types';

/**
 * Moves what effects move. Tokens go between the owner and the account of the rest of the world; once a transaction's effects
 * are applied, `Market.settleVaults` moves them on between there and the pools' vaults.
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

  /** The amount, or what the owner has where that is less. */
  atMost(amount: bigint, owner: Address, mint: Address): bigint {
    const has = this.#ledger.tokenBalance(owner, mint);
    return has < amount ? has : amount;
  }

  /** Gives tokens of a pool to an owner. */
  pay(owner: Address, pool: Pool, { x, y }: Amounts): void {
    this.payToken(owner, pool.tokenX.mint, x);
    this.payToken(owner, pool.tokenY.mint, y);
  }

  /** Takes tokens of a pool from an owner. @throws EffectError where they are not there. */
  take(owner: Address, pool: Pool, { x, y }: Amounts): void {
    this.takeToken(owner, pool.tokenX.mint, x);
    this.takeToken(owner, pool.tokenY.mint, y);
  }

  payToken(owner: Address, mint: Address, amount: bigint): void {
    if (amount > 0n) {
      this.#ledger.credit(this.#world, mint, -amount);
      this.#ledger.credit(owner, mint, amount);
    }
  }

  /** Gives tokens to somebody who may have no account for them: its rent comes from the rest of the world. */
  give(to: Address, mint: Address, amount: bigint): void {
    const held = this.#ledger.tokenBalance(to, mint);
    this.#ledger.credit(this.#world, mint, -amount);
    this.#ledger.setTokenAccount(associatedTokenAddress(to, mint), { holder: to, mint, payer: this.#world }, held + amount);
  }

  /** @throws EffectError where the owner has less. */
  takeToken(owner: Address, mint: Address, amount: bigint): void {
    if (amount > 0n) {
      this.#ledger.credit(owner, mint, -amount);
      this.#ledger.credit(this.#world, mint, amount);
    }
  }

  /**
   * Makes an account that a program owns. The owner pays its rent, less the lamports that somebody sent there before: they stay
   * on it, as Anchor's `init` leaves them. @throws EffectError where it is there already, or the owner cannot pay.
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

  /** Puts other contents into an account; where its rent is higher now, the owner pays the difference. @throws EffectError where the owner cannot. */
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

  /** Removes an account; everything on it goes to the owner. */
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
