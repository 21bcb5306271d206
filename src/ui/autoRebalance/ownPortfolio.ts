import type { PortfolioControl } from '../../portfolio/types';
import type { Address } from '../../base/solana/address';

/** A portfolio that this class creates and disposes of. */
export interface DisposablePortfolio extends PortfolioControl {
  reset(): void;
  dispose(): void;
}

/**
 * The portfolio that auto-rebalance reads and acts with: the shown one, or one of its own once its wallet is no longer the shown one. It stays with its
 * own then, whatever is shown later: what is in progress never sees its portfolio turn to another wallet.
 */
export class OwnPortfolio {
  readonly #shown: PortfolioControl;
  readonly #create: () => DisposablePortfolio;
  #own: DisposablePortfolio | undefined;

  constructor(shown: PortfolioControl, create: () => DisposablePortfolio) {
    this.#shown = shown;
    this.#create = create;
  }

  /** Reads nothing. */
  of(owner: Address): PortfolioControl {
    if (this.#own?.snapshot.owner === owner) {
      return this.#own;
    }
    if (this.#shown.snapshot.owner === owner) {
      return this.#shown;
    }
    this.dispose();
    this.#own = this.#create();
    this.#own.setOwner(owner);
    return this.#own;
  }

  /** Drops what its own portfolio has read: the service has changed. */
  reset(): void {
    this.#own?.reset();
  }

  dispose(): void {
    this.#own?.dispose();
    this.#own = undefined;
  }
}
