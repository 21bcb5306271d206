import { BINS_PER_ARRAY, binArrayIndex, binArraysOf, type BinRange } from '../../base/dlmm/bins';
import type { Address } from '../../base/solana/address';
import { dlmmBinArray } from '../../base/solana/pda';
import type { TokenAmounts } from '../index/types';
import { type RawAccount, readAccounts } from '../positions/accounts';
import { BIN_LAYOUT, isBinArray } from '../positions/dlmmAccounts';
import type { ChainRpc } from '../rpc/types';

const EMPTY: TokenAmounts = { x: 0n, y: 0n };

/** What the bins of a pool hold for its positions, as far as their accounts were read. */
export class BinReserves {
  readonly #arrays: ReadonlyMap<number, RawAccount>;

  private constructor(arrays: ReadonlyMap<number, RawAccount>) {
    this.#arrays = arrays;
  }

  /** Reads the bins of ranges, and of the rest of their arrays. */
  static async read(rpc: ChainRpc, pool: Address, ranges: readonly BinRange[]): Promise<BinReserves> {
    const indexes = new Set(ranges.flatMap(({ fromBinId, toBinId }) => binArraysOf(fromBinId, toBinId)));
    const addresses = [...indexes].map((index) => [index, dlmmBinArray(pool, index)] as const);
    const accounts = await readAccounts(
      rpc,
      addresses.map(([, address]) => address),
    );
    return new BinReserves(
      new Map(
        addresses.flatMap(([index, address]): readonly (readonly [number, RawAccount])[] => {
          const account = accounts.get(address);
          return account === undefined || !isBinArray(account) ? [] : [[index, account]];
        }),
      ),
    );
  }

  /** The account of an array; `undefined`: there is none, so its bins are empty. */
  array(index: number): RawAccount | undefined {
    return this.#arrays.get(index);
  }

  /** Raw amounts of a bin. Open limit orders do not belong to it. */
  of(binId: number): TokenAmounts {
    const index = binArrayIndex(binId);
    const data = this.#arrays.get(index)?.data;
    if (data === undefined) {
      return EMPTY;
    }
    const at = BIN_LAYOUT.bins + (binId - index * BINS_PER_ARRAY) * BIN_LAYOUT.bytes;
    return { x: data.readBigUInt64LE(at + BIN_LAYOUT.amountX), y: data.readBigUInt64LE(at + BIN_LAYOUT.amountY) };
  }
}
