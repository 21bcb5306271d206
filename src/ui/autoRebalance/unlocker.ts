import type { Address } from '../../base/solana/address';
import { SigningError } from '../../wallet/errors';
import type { Signer } from '../../wallet/signer';
import type { KnownOwner } from '../wallets/ownerIndex';
import type { WalletLock } from '../wallets/owners';

export interface UnlockerDependencies {
  readonly owners: { lockOf(owner: KnownOwner): WalletLock; signer(owner: Address, cancelled?: AbortSignal): Promise<Signer> };
  /** The wallet in use, if it can sign. */
  readonly owner: () => KnownOwner | undefined;
  /** Called when the wallet in use was unlocked. */
  readonly onUnlocked: () => void;
}

/** Unlocks the wallet in use when the user wants it (auto-rebalance never asks), and notices when it was unlocked elsewhere. */
export class Unlocker {
  #wasLocked = false;

  readonly #dependencies: UnlockerDependencies;

  constructor(dependencies: UnlockerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Whether the wallet in use is locked. */
  get isLocked(): boolean {
    const owner = this.#dependencies.owner();
    return owner !== undefined && this.#dependencies.owners.lockOf(owner).kind === 'locked';
  }

  /**
   * Asks for the passphrase, where the wallet has one.
   * @returns false if the user cancelled and it stays locked
   * @throws KeyError if the stored key can't be read
   */
  async unlock(): Promise<boolean> {
    const owner = this.#dependencies.owner();
    if (owner === undefined) {
      return false;
    }
    try {
      await this.#dependencies.owners.signer(owner.address);
    } catch (error) {
      if (error instanceof SigningError && error.kind === 'locked') {
        return false;
      }
      throw error;
    }
    this.ownersChanged();
    return true;
  }

  /** Call when the wallets or their locks changed. */
  ownersChanged(): void {
    const { isLocked } = this;
    const wasLocked = this.#wasLocked;
    this.#wasLocked = isLocked;
    if (wasLocked && !isLocked) {
      this.#dependencies.onUnlocked();
    }
  }
}
