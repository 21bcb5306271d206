import type { RentRate } from '../base/solana/rent';
import type { RpcCallOptions } from './types';

/** The calls of the node, and the clock. Both calls reject with RpcError. */
interface EpochRentSources {
  readonly epoch: (options: RpcCallOptions | undefined) => Promise<bigint>;
  readonly rate: (options: RpcCallOptions | undefined) => Promise<RentRate>;
  /** Milliseconds from any beginning; never goes back. */
  readonly nowMs: () => number;
}

/** For how long a node is not asked again whether a new epoch has begun. The rate of the last epoch may be used for that long. */
const EPOCH_COUNTS_FOR_MS = 60_000;

/** The rent of the current epoch by one node. The rate changes only where an epoch begins, so it is read once for each. */
export class EpochRent {
  #known: { readonly rate: RentRate; readonly epoch: bigint; readonly checkedAtMs: number } | undefined;
  readonly #sources: EpochRentSources;

  constructor(sources: EpochRentSources) {
    this.#sources = sources;
  }

  /** @throws RpcError; then nothing is remembered that was not known before */
  async current(options?: RpcCallOptions): Promise<RentRate> {
    const { epoch: readEpoch, rate: readRate, nowMs } = this.#sources;
    const known = this.#known;
    const checkedAtMs = nowMs();
    if (known !== undefined && checkedAtMs - known.checkedAtMs < EPOCH_COUNTS_FOR_MS) {
      return known.rate;
    }
    // The epoch first: if the next one begins in between, its rate is remembered under the older number and read once more.
    const epoch = await readEpoch(options);
    const rate = known?.epoch === epoch ? known.rate : await readRate(options);
    this.#known = { rate, epoch, checkedAtMs };
    return rate;
  }
}
