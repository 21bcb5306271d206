import type { Address } from '../../base/solana/address';
import { USDC_MINT, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { PriceApi } from './priceApi';
import type { SolPrices } from './solPrices';
import type { PriceSource } from './types';

/** Where prices come from. */
export interface ChainPricesOptions {
  /** `undefined`: none is to be asked. */
  readonly api: Pick<PriceApi, 'now'> | undefined;
  readonly sol: Pick<SolPrices, 'now' | 'at'>;
}

/**
 * Prices of tokens. Now: the price API's; without one, SOL's from the largest SOL/USDC pool. Of the past only SOL's price is known: everything that was traded
 * against SOL or USDC has its price in the events. USDC counts as one dollar, unless the price API says otherwise.
 */
export class ChainPrices implements PriceSource {
  readonly #options: ChainPricesOptions;

  constructor(options: ChainPricesOptions) {
    this.#options = options;
  }

  async now(mints: readonly Address[]): Promise<ReadonlyMap<Address, number>> {
    const { api, sol } = this.#options;
    const prices = new Map(await api?.now(mints));
    if (mints.includes(WRAPPED_SOL_MINT) && !prices.has(WRAPPED_SOL_MINT)) {
      const price = await sol.now();
      if (price !== undefined) {
        prices.set(WRAPPED_SOL_MINT, price);
      }
    }
    if (mints.includes(USDC_MINT) && !prices.has(USDC_MINT)) {
      prices.set(USDC_MINT, 1);
    }
    return prices;
  }

  async at(mint: Address, timeS: number): Promise<number | undefined> {
    return mint === USDC_MINT ? 1 : mint === WRAPPED_SOL_MINT ? await this.#options.sol.at(timeS) : undefined;
  }
}
