import type { BinCounters, ReplayInput, Snapshot } from '../base/insight/replay';
import type { BinRange } from '../base/dlmm/bins';
import type { Address } from '../base/solana/address';
import { entries, integer, needed, rawUnits, wireRecord } from './parsing/fields';
import { type ParseContext, readRecords } from './parsing/records';

/** Parameters of counters: bins of a pool, or those of a position in it. */
export interface CountersQuery {
  readonly pool: Address;
  /** Default: that of the position, else the bins around the active one. */
  readonly range?: BinRange | undefined;
  readonly position?: Address;
  /** Readings that were kept since, seconds since 1970. Default: the last day. */
  readonly fromS?: number;
}

/** Readings of the fee counters of a pool's bins in the last day, and of now. */
export interface CountersAnswer {
  readonly snapshots: readonly Snapshot[];
  /** The liquidity shares of the position that was asked for. */
  readonly position: ReplayInput['position'];
}

const WORD = 1n << 128n;
/** Unsigned, 128 bits. */
const word = needed(rawUnits).refine((value) => value >= 0n && value < WORD, 'is not a number of 128 bits');

const binRecord = wireRecord({ binId: needed(integer), supply: word, feeX: word, feeY: word });
const snapshotRecord = wireRecord({ timeS: needed(integer), activeBinId: needed(integer), bins: entries });
const shareRecord = wireRecord({ binId: needed(integer), share: word });

/** Reads readings of counters. An entry that cannot be read is left out; a bin without one is not known at that time. */
export function readCounters(
  { snapshots, position }: { readonly snapshots: readonly unknown[]; readonly position: readonly unknown[] },
  path: string,
  reading: ParseContext,
): CountersAnswer {
  return {
    snapshots: readRecords(
      snapshotRecord,
      snapshots,
      `${path}.snapshots`,
      reading,
      ({ timeS, activeBinId, bins }, { path: of }): Snapshot => ({
        timeS,
        activeBinId,
        bins: readRecords(binRecord, bins ?? [], `${of}.bins`, reading, (bin): BinCounters => bin),
      }),
    ),
    position: readRecords(shareRecord, position, `${path}.position`, reading, (share) => share),
  };
}
