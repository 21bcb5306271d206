import DLMM, { type BinArrayAccount, type LbPosition } from '@meteora-ag/dlmm';
import { PublicKey } from '@solana/web3.js';
import * as z from 'zod';
import { MAX_SWAP_BIN_ARRAYS } from '../../engine/assembly/jupiterRoute';
import type { PoolAccounts } from '../../engine/assembly/types';
import type { BuildBinPool, BinSurroundings } from '../../engine/build/ports';
import { binArrayIndex, type BinRange, BINS_PER_ARRAY, binArraysOf, priceOfBin } from '../../base/dlmm/bins';
import type { Address } from '../../base/solana/address';
import { dlmmBinArray } from '../../base/solana/pda';
import type { TokenAmounts } from '../index/types';
import type { ChainRpc } from '../rpc/types';
import { addressOf, readAccounts } from './accounts';
import { type LiveRewards, liveRewards } from './rewards';
import { bigintOf, bn, hasTransferHook, type LivePool, type LiveToken, type PoolSide, type PoolTrade, received, sentFor } from './livePool';

/** Bin arrays that are read for a trade, in its direction. */
const READ_BIN_ARRAYS = 4;

/** Bin arrays of the 1,024 in a pool's own bitmap. */
const LAST_ARRAY_IN_BITMAP = 511;

/** Liquidity of one bin, raw. */
export interface BinShare extends TokenAmounts {
  readonly binId: number;
}

/** A DLMM pool with the SDK's reading of its accounts. */
export class LiveBinPool implements LivePool, BuildBinPool {
  readonly type = 'bins';
  readonly accounts: PoolAccounts;
  readonly x: LiveToken;
  readonly y: LiveToken;
  /** Basis points. */
  readonly binStepBps: number;
  readonly activeBinId: number;
  readonly hasBitmapExtension: boolean;
  readonly #rpc: ChainRpc;
  readonly #dlmm: DLMM;
  /** What a withdrawal has taken out of the bins before the trades. */
  readonly #taken: ReadonlyMap<number, TokenAmounts>;
  readonly #binArrays = new Map<PoolSide, BinArrayAccount[]>();

  /** @param activeBinId where trades have moved it; default: where it is */
  constructor(rpc: ChainRpc, dlmm: DLMM, taken: ReadonlyMap<number, TokenAmounts> = new Map(), activeBinId = dlmm.lbPair.activeId) {
    this.#rpc = rpc;
    this.#dlmm = dlmm;
    this.#taken = taken;
    const epoch = dlmm.clock.epoch.toNumber();
    const token = ({ publicKey, mint, owner }: DLMM['tokenX']): LiveToken => ({
      mint: addressOf(publicKey),
      name: addressOf(publicKey),
      tokenProgram: addressOf(owner),
      decimals: mint.decimals,
      mintInfo: mint,
      epoch,
    });
    this.x = token(dlmm.tokenX);
    this.y = token(dlmm.tokenY);
    this.accounts = { pool: addressOf(dlmm.pubkey), tokenX: this.x, tokenY: this.y };
    this.binStepBps = dlmm.lbPair.binStep;
    this.activeBinId = activeBinId;
    this.hasBitmapExtension = Boolean(dlmm.binArrayBitmapExtension);
  }

  static async read(rpc: ChainRpc, pool: Address): Promise<LiveBinPool> {
    return new LiveBinPool(rpc, await DLMM.create(rpc.connection, new PublicKey(pool)));
  }

  static async readAll(rpc: ChainRpc, pools: readonly Address[]): Promise<readonly LiveBinPool[]> {
    const read =
      pools.length === 0
        ? []
        : await DLMM.createMultiple(
            rpc.connection,
            pools.map((one) => new PublicKey(one)),
          );
    return read.map((dlmm) => new LiveBinPool(rpc, dlmm));
  }

  get rawPrice(): number {
    return priceOfBin(this.activeBinId, this.binStepBps);
  }

  /** The open position, its bins and their amounts. */
  position(position: Address): Promise<LbPosition> {
    return this.#dlmm.getPosition(new PublicKey(position));
  }

  /**
   * The rewards of the pool that a position may have to claim: those that wait, and those that still grow, so that some may wait at the landing.
   * @param waiting raw amounts by the number of the reward
   */
  rewards(waiting: readonly bigint[]): LiveRewards {
    const { lbPair, clock, rewards } = this.#dlmm;
    return liveRewards(
      lbPair.rewardInfos.map(({ mint, vault, rewardDurationEnd }, index) => {
        const reward = rewards[index];
        return {
          mint,
          vault,
          waiting: waiting[index] ?? 0n,
          isGrowing: rewardDurationEnd.gt(clock.unixTimestamp),
          token:
            reward === null || reward === undefined
              ? undefined
              : { tokenProgram: addressOf(reward.owner), mintInfo: reward.mint, held: reward.amount },
        };
      }),
    );
  }

  /** The pool after a withdrawal. */
  without(holdings: readonly BinShare[]): LiveBinPool {
    return new LiveBinPool(this.#rpc, this.#dlmm, new Map(holdings.map((bin) => [bin.binId, bin])));
  }

  /** One request. */
  async surroundings(range: BinRange): Promise<BinSurroundings> {
    const { pool } = this.accounts;
    // Trades have not moved it yet.
    const { activeId } = this.#dlmm.lbPair;
    const active = binArrayIndex(activeId);
    const needed = binArraysOf(range.fromBinId, range.toBinId);
    const addresses = new Map([...needed, active].map((index) => [index, dlmmBinArray(pool, index)]));
    const found = await readAccounts(this.#rpc, [...addresses.values()]);
    const account = found.get(dlmmBinArray(pool, active));
    const array =
      account === undefined ? undefined : this.#dlmm.program.coder.accounts.decode<BinArrayAccount['account']>('binArray', account.data);
    const bin = array?.bins[activeId - active * BINS_PER_ARRAY];
    return {
      activeBin: { amountX: bigintOf(bin?.amountX ?? 0), amountY: bigintOf(bin?.amountY ?? 0) },
      missingBinArrayIndexes: needed.filter((index) => !found.has(addresses.get(index) ?? pool)),
      bitmapExtension: this.hasBitmapExtension ? 'exists' : needsExtension(range) ? 'missing' : undefined,
      received: (token, amount) => received(this[token], amount),
      sent: (token, amount) => sentFor(this[token], amount),
    };
  }

  async trade(sells: PoolSide, inAmount: bigint): Promise<PoolTrade | undefined> {
    const [quote] = await this.#quote(sells, inAmount);
    return quote;
  }

  /** The pool after a trade, as far as its price matters; as it is if it does not take the amount. */
  async after(sells: PoolSide, inAmount: bigint): Promise<LiveBinPool> {
    const [, activeBinId] = await this.#quote(sells, inAmount);
    return new LiveBinPool(this.#rpc, this.#dlmm, this.#taken, activeBinId);
  }

  async #quote(sells: PoolSide, inAmount: bigint): Promise<readonly [PoolTrade | undefined, number]> {
    if (inAmount <= 0n || [this.x, this.y].some(hasTransferHook)) {
      return [undefined, this.activeBinId];
    }
    const arrays = await this.#arrays(sells);
    try {
      const quote = byChainClock(this.#dlmm, () => this.#dlmm.swapQuote(bn(inAmount), sells === 'x', bn(0n), arrays));
      const touched = z.array(z.instanceof(PublicKey)).parse(quote.binArraysPubkey).map(addressOf);
      if (touched.length > MAX_SWAP_BIN_ARRAYS || bigintOf(quote.consumedInAmount) < inAmount) {
        return [undefined, this.activeBinId];
      }
      // One array more than the trade touches now: the price may move until it lands.
      const more = arrays.map(({ publicKey }) => addressOf(publicKey)).filter((one) => !touched.includes(one));
      const binArrays = [...touched, ...more].slice(0, Math.min(MAX_SWAP_BIN_ARRAYS, touched.length + 1));
      // The program takes the extension of the bitmap only as a writable account, and Jupiter passes it on as a read-only one.
      const hasBitmapExtension = arrays.some(
        ({ publicKey, account }) => binArrays.includes(addressOf(publicKey)) && isBeyondBitmap(account.index.toNumber()),
      );
      const lastBinId = Math.round(Math.log(Number(quote.endPrice)) / Math.log1p(this.binStepBps / 10_000));
      const crossedBins = Math.abs(lastBinId - this.activeBinId);
      const hop = { type: 'bins' as const, via: this.accounts, sells, binArrays, hasBitmapExtension, crossedBins };
      return [{ hop, sells, inAmount, out: bigintOf(quote.outAmount) }, lastBinId];
    } catch (error) {
      if (
        (error instanceof Error && error.name === 'DlmmSdkError') ||
        (error instanceof Error && /insufficient liquidity/i.test(error.message))
      ) {
        return [undefined, this.activeBinId];
      }
      throw error;
    }
  }

  async #arrays(sells: PoolSide): Promise<BinArrayAccount[]> {
    const known = this.#binArrays.get(sells);
    if (known !== undefined) {
      return known;
    }
    const read = await this.#dlmm.getBinArrayForSwap(sells === 'x', READ_BIN_ARRAYS);
    const arrays = this.#taken.size === 0 ? read : read.map((one) => lessTaken(one, this.#taken));
    this.#binArrays.set(sells, arrays);
    return arrays;
  }
}

/**
 * Quotes as if this machine's clock were the chain's. The variable fee decays with the time since the last trade: the program goes by the chain's
 * clock, the SDK by the machine's, which may be minutes off. So the last trade is moved by the difference for the quote.
 */
function byChainClock<Quote>({ lbPair: { vParameters }, clock }: DLMM, quote: () => Quote): Quote {
  const { lastUpdateTimestamp } = vParameters;
  const aheadS = Math.round(Date.now() / 1_000) - clock.unixTimestamp.toNumber();
  vParameters.lastUpdateTimestamp = lastUpdateTimestamp.add(bn(BigInt(aheadS)));
  try {
    return quote();
  } finally {
    vParameters.lastUpdateTimestamp = lastUpdateTimestamp;
  }
}

/** A bin array without what a withdrawal takes. */
function lessTaken({ publicKey, account }: BinArrayAccount, taken: ReadonlyMap<number, TokenAmounts>): BinArrayAccount {
  const first = account.index.toNumber() * BINS_PER_ARRAY;
  const bins = account.bins.map((bin, place) => {
    const less = taken.get(first + place);
    return less === undefined
      ? bin
      : { ...bin, amountX: bn(rest(bigintOf(bin.amountX), less.x)), amountY: bn(rest(bigintOf(bin.amountY), less.y)) };
  });
  return { publicKey, account: { ...account, bins } };
}

/** Whether the program needs the extension of the bitmap for these bins. */
function needsExtension({ fromBinId, toBinId }: BinRange): boolean {
  return isBeyondBitmap(binArrayIndex(fromBinId)) || isBeyondBitmap(binArrayIndex(toBinId));
}

function isBeyondBitmap(index: number): boolean {
  return index < -LAST_ARRAY_IN_BITMAP - 1 || index > LAST_ARRAY_IN_BITMAP;
}

function rest(of: bigint, less: bigint): bigint {
  return of > less ? of - less : 0n;
}
