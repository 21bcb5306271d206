import type { Address } from '../../base/solana/address';
import { SigningError } from '../../wallet/errors';
import type { Signer } from '../../wallet/signer';
import type { KnownOwner } from '../wallets/ownerIndex';
import type { WalletLock } from '../wallets/owners';

/** What wallets are unlocked with. */
export interface UnlockerDependencies {
  readonly owners: { lockOf(owner: KnownOwner): WalletLock; signer(owner: Address, cancelled?: AbortSignal): Promise<Signer> };
  /** The wallet in use, where it can sign. */
  readonly owner: () => KnownOwner | undefined;
  /** The wallet in use was locked, and is no longer. */
  readonly onUnlocked: () => void;
}

/** Unlocks the wallet in use for automation, which never asks by itself; and notices when somebody else has. */
export class Unlocker {
  private wasLocked = false;

  constructor(private readonly dependencies: UnlockerDependencies) {}

  /** Whether the wallet in use is locked. */
  get isLocked(): boolean {
    const owner = this.dependencies.owner();
    return owner !== undefined && this.dependencies.owners.lockOf(owner).kind === 'locked';
  }

  /**
   * Asks for the passphrase, where the wallet has one.
   * @returns false: the user has left, and it stays locked
   * @throws KeyError where the stored key cannot be read
   */
  async unlock(): Promise<boolean> {
    const owner = this.dependencies.owner();
    if (owner === undefined) {
      return false;
    }
    try {
      await this.dependencies.owners.signer(owner.address);
    } catch (error) {
      if (error instanceof SigningError && error.kind === 'locked') {
        return false;
      }
      throw error;
    }
    this.ownersChanged();
    return true;
  }

  /** The wallets, or how they are locked, have changed. */
  ownersChanged(): void {
    const { wasLocked, isLocked } = this;
    this.wasLocked = isLocked;
    if (wasLocked && !isLocked) {
      this.dependencies.onUnlocked();
    }
  }
}
