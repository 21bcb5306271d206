import { type BinRange, MAX_BIN_ID, MIN_BIN_ID, rangeAround } from '../../base/dlmm/bins';
import { kindOfEvent } from '../../base/insight/positionEvents';
import { recordOf, replayOpen } from '../../base/insight/replay';
import type { Address } from '../../base/solana/address';
import { SECOND_MS } from '../../base/time';
import type { CounterRecordView, OwnReplayView } from '../../protocol/outlook';
import type { PositionLog } from '../../service/positionLogs';
import type { OpenPosition } from '../../service/positions';
import type { LiquidityService } from '../../service/service';

/** Bins on either side of the active one of which a plan is told what they earned. */
const HALF_WIDTH_BINS = 140;

/** Reads what was recorded around a bin. `undefined`: the service records nothing. @throws ServiceError */
export async function readCounterRecord(
  service: Pick<LiquidityService, 'counters'>,
  pool: Address,
  activeBinId: number,
  signal: AbortSignal,
): Promise<CounterRecordView | undefined> {
  const counters = await service.counters({ pool, range: existing(rangeAround(activeBinId, HALF_WIDTH_BINS)) }, { signal });
  if (counters === undefined) {
    return undefined;
  }
  const { readings, bins } = recordOf(counters.snapshots);
  return {
    readings,
    bins: bins.map(({ binId, intervals }) => ({
      binId,
      intervals: intervals.map(({ supplies, x, y }) => ({ supplies: String(supplies), x: String(x), y: String(y) })),
    })),
  };
}

/** The bins of a range that the program has. */
function existing({ fromBinId, toBinId }: BinRange): BinRange {
  return { fromBinId: Math.max(fromBinId, MIN_BIN_ID), toBinId: Math.min(toBinId, MAX_BIN_ID) };
}

/** Reads what a position earned in the last day. `undefined`: the service records nothing. @throws ServiceError */
export async function readOwnReplay(
  service: Pick<LiquidityService, 'counters'>,
  { pool, address }: { readonly pool: Address; readonly address: Address },
  sinceS: number | undefined,
  signal: AbortSignal,
): Promise<OwnReplayView | undefined> {
  const counters = await service.counters({ pool, position: address }, { signal });
  if (counters === undefined) {
    return undefined;
  }
  const replay = replayOpen(counters.snapshots, counters.position, sinceS);
  return replay.known ? { ...replay, feeX: String(replay.feeX), feeY: String(replay.feeY) } : { known: false, why: replay.why };
}

/** When the liquidity of a position last changed, seconds since 1970; `undefined`: not known. */
export function unchangedSinceS({ createdAt }: Pick<OpenPosition, 'createdAt'>, logs: readonly PositionLog[]): number | undefined {
  const changes = logs.filter((log) => !['fees', 'rewards'].includes(kindOfEvent(log))).map(({ at }) => at);
  const times = [...changes, createdAt].filter((at) => at !== undefined).map((at) => at.getTime() / SECOND_MS);
  return changes.includes(undefined) || times.length === 0 ? undefined : Math.max(...times);
}
