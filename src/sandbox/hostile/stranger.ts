import type { Effect } from '../build/types';
import type { Chain } from '../chain/types';
import type { Outsider } from '../market/engine/landing';
import type { VaultTransfers } from '../market/engine/vaultTransfers';
import { isForDust } from './dustSales';
import { replacePlantedAccounts, STRANGER } from './plantedAccounts';

/** Takes what bundles leave open to anyone who sees them before they land: planted accounts, and swaps that ask for next to nothing. */
export class Stranger implements Outsider {
  readonly #chain: Chain;
  readonly #custody: VaultTransfers;

  constructor(chain: Chain, custody: VaultTransfers) {
    this.#chain = chain;
    this.#custody = custody;
  }

  beforeBundle(transactions: readonly Uint8Array[]): void {
    replacePlantedAccounts(this.#chain, transactions);
  }

  /** Trades before and after a swap for dust: the owner gets the minimum of the swap, the stranger gets the rest. */
  aroundEffect(effect: Effect, apply: () => void): void {
    if (effect.kind !== 'swap') {
      apply();
      return;
    }
    const { owner, outputMint, quotedOut, minimumOut } = effect;
    const before = this.#chain.tokenBalance(owner, outputMint);
    apply();
    const out = this.#chain.tokenBalance(owner, outputMint) - before;
    if (isForDust(quotedOut, out)) {
      this.#custody.takeToken(owner, outputMint, out - minimumOut);
      this.#custody.give(STRANGER, outputMint, out - minimumOut);
    }
  }
}
