import { type Clock, pause } from '../../base/async/clock';
import { binArraysOf, type BinRange } from '../../base/dlmm/bins';
import type { BinCounters } from '../../base/insight/replay';
import type { Address } from '../../base/solana/address';
import { dlmmBinArray } from '../../base/solana/pda';
import { errorText } from '../../base/thrown';
import { SECOND_MS } from '../../base/time';
import { type CountersParameters, EngineError } from '../../engine/engine';
import type { CounterReading, CounterReadings } from '../../engine/counters/readings';
import { type BinShares, COUNTERS_EVERY_S, countersRecord, rangeOfCounters, rangeToRecord } from '../../engine/counters/answer';
import type { WireCounters } from '../../engine/wire/counters';
import type { HistoryIndex, IndexedPosition } from '../index/types';
import { type RawAccount, readAccounts } from '../positions/accounts';
import { CLOCK_ADDRESS, readClock } from '../positions/clock';
import { BIN_LAYOUT, binAt, type DlmmPosition, dlmmShares, readDlmmPosition, u128 } from '../positions/dlmmAccounts';
import { PAIR_LAYOUT } from '../positions/dlmmRewards';
import type { ChainPoolReader } from '../pools/poolReader';
import type { ChainRpc, RpcPriority } from '../rpc/types';
import { poolNamed } from './poolParts';

/** What counters are read with. */
export interface PoolCounterOptions {
  readonly rpc: ChainRpc;
  readonly readings: CounterReadings;
  readonly index: Pick<HistoryIndex, 'positions' | 'progress'>;
  readonly pools: Pick<ChainPoolReader, 'details'>;
  readonly clock: Clock;
  readonly log: (line: string) => void;
  /** Ends the recording. */
  readonly signal: AbortSignal;
}

/** The price may leave the bins that were read: then they are read again. */
const MOST_ATTEMPTS = 3;
const MOST_RECORDED = 20;

/** The fee counters of bins: what is recorded of pools with open positions and of those that clients ask for, and what they are now. */
export class PoolCounters {
  readonly #options: PoolCounterOptions;
  /** Resolves when the recording has ended. */
  readonly ended: Promise<void>;

  constructor(options: PoolCounterOptions) {
    this.#options = options;
    this.ended = this.#record();
  }

  /** @throws EngineError if there is no such pool, it has no bins, or the position is not in it */
  async of({ pool: name, range, position, ...span }: CountersParameters): Promise<WireCounters> {
    const { address: pool, binStep, activeBinId } = (await poolNamed(this.#options.pools, name)).state;
    if (binStep === undefined || activeBinId === undefined) {
      throw new EngineError('invalid', 'A pool without bins has no counters');
    }
    const held = position === undefined ? undefined : await this.#positionIn(pool, position);
    const ofPosition = held === undefined ? undefined : { fromBinId: held.lowerBinId, toBinId: held.upperBinId };
    const { reading, accounts } = await this.#read(pool, rangeOfCounters(range, ofPosition, activeBinId), activeBinId, 'request', position);
    const account = position === undefined ? undefined : accounts.get(position);
    const now = account === undefined ? undefined : readDlmmPosition(account);
    const shares: BinShares | undefined = position === undefined ? undefined : now === undefined ? [] : dlmmShares(now);
    return countersRecord(this.#options.readings, pool, span, { binStepBps: binStep, reading, shares });
  }

  async #positionIn(pool: Address, position: Address): Promise<DlmmPosition> {
    const account = (await readAccounts(this.#options.rpc, [position])).get(position);
    const held = account === undefined ? undefined : readDlmmPosition(account);
    if (held?.pool !== pool) {
      throw new EngineError('notFound', `There is no open position ${position} in this pool`);
    }
    return held;
  }

  /** Reads everything in one request, so that it is of one moment. @param active the active bin, as far as it is known */
  async #read(
    pool: Address,
    range: BinRange,
    active: number,
    priority: RpcPriority,
    position?: Address,
  ): Promise<{ readonly reading: CounterReading; readonly accounts: ReadonlyMap<Address, RawAccount> }> {
    let expected = active;
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const arrays = new Set([...binArraysOf(range.fromBinId, range.toBinId), ...binArraysOf(expected, expected)]);
      const addressOf = new Map([...arrays].map((index) => [index, dlmmBinArray(pool, index)]));
      const others = position === undefined ? [] : [position];
      const accounts = await readAccounts(this.#options.rpc, [pool, CLOCK_ADDRESS, ...others, ...addressOf.values()], { priority });
      const activeBinId = activeBinOf(accounts.get(pool));
      if (binArraysOf(activeBinId, activeBinId).every((index) => arrays.has(index))) {
        const arrayAt = (index: number): RawAccount | undefined => {
          const at = addressOf.get(index);
          return at === undefined ? undefined : accounts.get(at);
        };
        return { reading: readingOf(readClock(accounts.get(CLOCK_ADDRESS)), activeBinId, range, arrayAt), accounts };
      }
      expected = activeBinId;
    }
    throw new EngineError('unavailable', 'The price of the pool moves faster than its bins can be read. Try again.');
  }

  /** Reads pools from time to time, until the end. */
  async #record(): Promise<void> {
    const { clock, log, signal } = this.#options;
    const isOver = (): boolean => signal.aborted;
    while (!isOver()) {
      await pause(COUNTERS_EVERY_S * SECOND_MS, signal, clock);
      for (const [pool, ranges] of isOver() ? [] : this.#toRecord()) {
        try {
          await this.#recordPool(pool, ranges);
        } catch (error) {
          if (!isOver()) {
            log(`The counters of the pool ${pool} were not recorded: ${errorText(error)}`);
          }
        }
      }
    }
  }

  async #recordPool(pool: Address, ranges: readonly BinRange[]): Promise<void> {
    const { pools, readings, signal } = this.#options;
    const { activeBinId } = (await pools.details(pool))?.state ?? {};
    if (activeBinId !== undefined) {
      const { reading } = await this.#read(pool, rangeToRecord(ranges, activeBinId), activeBinId, 'background');
      if (!signal.aborted) {
        readings.keep(pool, reading);
      }
    }
  }

  #toRecord(): ReadonlyMap<Address, readonly BinRange[]> {
    const { index, readings } = this.#options;
    const open = index.progress().flatMap(({ owner }) => index.positions({ owner }).filter(isOpenInBins));
    const wanted = new Map<Address, BinRange[]>();
    const add = (pool: Address, range: BinRange): void => {
      wanted.set(pool, [...(wanted.get(pool) ?? []), range]);
    };
    open.forEach(({ pool, range }) => range !== undefined && add(pool, { fromBinId: range.lowerBinId, toBinId: range.upperBinId }));
    readings.asked().forEach((range, pool) => add(pool, range));
    return new Map([...wanted].slice(0, MOST_RECORDED));
  }
}

function isOpenInBins({ closed, program }: IndexedPosition): boolean {
  return !closed && program === 'dlmm';
}

function activeBinOf(pool: RawAccount | undefined): number {
  if (pool === undefined || pool.data.length < PAIR_LAYOUT.bytes) {
    throw new EngineError('unavailable', 'The RPC does not have the account of the pool. Try again.');
  }
  return pool.data.readInt32LE(PAIR_LAYOUT.activeBinId);
}

function readingOf(
  { slot, unixTimeS }: ReturnType<typeof readClock>,
  activeBinId: number,
  range: BinRange,
  arrayAt: (index: number) => RawAccount | undefined,
): CounterReading {
  const active = binAt(activeBinId, arrayAt);
  return {
    timeS: Number(unixTimeS),
    slot: Number(slot),
    activeBinId,
    active: {
      x: active?.data.readBigUInt64LE(active.at + BIN_LAYOUT.amountX) ?? 0n,
      y: active?.data.readBigUInt64LE(active.at + BIN_LAYOUT.amountY) ?? 0n,
    },
    range,
    bins: Array.from({ length: range.toBinId - range.fromBinId + 1 }, (_, place): BinCounters => {
      const binId = range.fromBinId + place;
      const bin = binAt(binId, arrayAt);
      const word = (at: number): bigint => (bin === undefined ? 0n : u128(bin.data, bin.at + at));
      return { binId, supply: word(BIN_LAYOUT.supply), feeX: word(BIN_LAYOUT.feeX), feeY: word(BIN_LAYOUT.feeY) };
    }),
  };
}
