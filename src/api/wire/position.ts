import * as z from 'zod';
import type { Money } from '../records/money';
import type { ClosedPosition, OpenPosition, PositionBase } from '../records/position';
import { hasFields, isAbsent } from './envelope';
import { readPositionLogs } from './positionLog';
import { readRecords, readRecordsInSlices, withoutRepeats, type FieldPath, type ParseContext } from './reading';
import { decimal, entries, flag, group, identifier, instant, integer, label, solanaAddress, strategyType, threeDecimals, tokenDecimals, wireRecord } from './scalars';
import { money, pairNameOf, pairSides, poolTypeOf, tokenFrom, tokenInfo } from './token';

const HOURS_PER_DAY = 24;
const MS_PER_HOUR = 3_600_000;

/** What is worth is a record; some answers have only the amount in US dollars, or null. */
const pnl = z.preprocess(
  (value) => (hasFields(value) || isAbsent(value) ? value : { value }),
  group({ value: decimal, usd: decimal, valueNative: decimal, percent: decimal, percentNative: decimal }),
);

/** Fields of open and closed positions alike (spec §2.1). */
const sharedFields = {
  position: solanaAddress,
  tokenId: solanaAddress,
  id: identifier,
  owner: solanaAddress,
  pool: solanaAddress,
  pairName: label,
  token0: solanaAddress,
  token1: solanaAddress,
  token0Info: tokenInfo,
  token1Info: tokenInfo,
  tokenName0: label,
  tokenName1: label,
  decimal0: tokenDecimals,
  decimal1: tokenDecimals,
  protocol: label,
  strategyType,
  tickLower: integer,
  tickUpper: integer,
  range: threeDecimals,
  poolInfo: group({ tickSpacing: integer }),
  inputValue: decimal,
  inputNative: decimal,
  outputValue: decimal,
  outputNative: decimal,
  collectedFee: decimal,
  collectedFeeNative: decimal,
  collectedReward: decimal,
  collectedRewardNative: decimal,
  pnl,
  dpr: decimal,
  dprNative: decimal,
  ageHour: decimal,
  age_hour: decimal,
  age: decimal,
  createdAt: instant,
  updatedAt: instant,
};

const openPositionRecord = wireRecord({
  ...sharedFields,
  inRange: flag,
  priceRange: threeDecimals,
  value: decimal,
  currentValue: decimal,
  valueNative: decimal,
  unCollectedFee: decimal,
  uncollectedFee: decimal,
  unCollectedFeeNative: decimal,
  uncollectedFeeNative: decimal,
  unCollectedFee0: decimal,
  unCollectedFee1: decimal,
  current: group({ amount0: decimal, amount1: decimal, amount0Adjusted: decimal, amount1Adjusted: decimal }),
  price0: decimal,
  price1: decimal,
  apr: decimal,
  logs: entries,
});

const closedPositionRecord = wireRecord({
  ...sharedFields,
  pnlNative: decimal,
  closeAt: instant,
  close_At: instant,
  fee: decimal,
  feeNative: decimal,
  feePercent: decimal,
  feePercentNative: decimal,
  pnlNativeAudited: decimal,
  solInAudited: decimal,
  solOutAudited: decimal,
  followInfo: group({ sourceOwner: solanaAddress, sourceLabel: label, sourceTokenId: solanaAddress }),
});

type OpenRecord = z.output<typeof openPositionRecord>;
type ClosedRecord = z.output<typeof closedPositionRecord>;
type SharedRecord = Pick<ClosedRecord, keyof typeof sharedFields>;

/** Reads open positions. A position that is listed twice is given once: its money is there once. */
export function readOpenPositions(list: readonly unknown[], path: string, reading: ParseContext): OpenPosition[] {
  return withoutRepeats(readRecords(openPositionRecord, list, path, reading, toOpenPosition), ({ key }) => key, path, reading);
}

/** The same for a list without pages, which may be long: lets others work meanwhile. */
export async function readAllOpenPositions(list: readonly unknown[], path: string, reading: ParseContext): Promise<OpenPosition[]> {
  return withoutRepeats(await readRecordsInSlices(openPositionRecord, list, path, reading, toOpenPosition), ({ key }) => key, path, reading);
}

/** Reads closed positions. */
export function readClosedPositions(list: readonly unknown[], path: string, reading: ParseContext): ClosedPosition[] {
  return withoutRepeats(readRecords(closedPositionRecord, list, path, reading, toClosedPosition), ({ key }) => key, path, reading);
}

function toOpenPosition(wire: OpenRecord, place: FieldPath): OpenPosition | undefined {
  const base = toBase(wire, place, place.nowMs);
  if (base === undefined) {
    return undefined;
  }
  const { current } = wire;
  return {
    ...base,
    id: wire.id ?? base.address,
    inRange: wire.inRange,
    activeBinId: base.poolType === 'dammV2' ? undefined : binAt(wire.range, 2),
    priceRangeUsd: base.poolType === 'dammV2' ? undefined : priceRange(wire.priceRange),
    // `currentValue` is an older figure of the same (guides: service-quirks.md, identities).
    value: money(wire.value ?? wire.currentValue, wire.valueNative),
    uncollectedFee: money(wire.unCollectedFee ?? wire.uncollectedFee, wire.unCollectedFeeNative ?? wire.uncollectedFeeNative),
    amount0: current?.amount0Adjusted ?? inWholeTokens(current?.amount0, base.token0.decimals),
    amount1: current?.amount1Adjusted ?? inWholeTokens(current?.amount1, base.token1.decimals),
    uncollectedFee0: wire.unCollectedFee0,
    uncollectedFee1: wire.unCollectedFee1,
    price0Usd: wire.price0,
    price1Usd: wire.price1,
    aprPercent: wire.apr,
    logs: readPositionLogs(wire.logs ?? [], `${place.path}.logs`, place),
  };
}

function toClosedPosition(wire: ClosedRecord, place: FieldPath): ClosedPosition | undefined {
  const closedAt = wire.closeAt ?? wire.close_At;
  const base = toBase(wire, place, closedAt?.getTime());
  if (base === undefined) {
    return undefined;
  }
  return {
    ...base,
    // Only of closed positions does `pnlNative` say the same as `pnl.valueNative`.
    pnl: money(base.pnl.usd, base.pnl.native ?? wire.pnlNative),
    closedAt,
    fee: money(wire.fee, wire.feeNative),
    feePercent: money(wire.feePercent, wire.feePercentNative),
    audited: { solIn: wire.solInAudited, solOut: wire.solOutAudited, pnlNative: wire.pnlNativeAudited },
    followed: wire.followInfo
      ? { owner: wire.followInfo.sourceOwner, label: wire.followInfo.sourceLabel, position: wire.followInfo.sourceTokenId }
      : undefined,
  };
}

function toBase(wire: SharedRecord, place: FieldPath, ageUntilMs: number | undefined): PositionBase | undefined {
  const address = wire.position ?? wire.tokenId;
  if (address === undefined && wire.id === undefined && wire.pool === undefined && wire.token0 === undefined && wire.pairName === undefined) {
    place.oddities.add(place.path, 'left out: nothing in it says which position it is');
    return undefined;
  }
  const sides = pairSides(wire.pairName);
  const token0 = tokenFrom({
    address: wire.token0 ?? wire.token0Info?.token_address,
    symbol: wire.token0Info?.token_symbol ?? wire.token0Info?.symbol ?? wire.tokenName0 ?? sides.base,
    name: wire.token0Info?.token_name ?? wire.token0Info?.name,
    decimals: wire.decimal0 ?? wire.token0Info?.token_decimals,
  });
  const token1 = tokenFrom({
    address: wire.token1 ?? wire.token1Info?.token_address,
    symbol: wire.token1Info?.token_symbol ?? wire.token1Info?.symbol ?? wire.tokenName1 ?? sides.quote,
    name: wire.token1Info?.token_name ?? wire.token1Info?.name,
    decimals: wire.decimal1 ?? wire.token1Info?.token_decimals,
  });
  const lower = wire.tickLower ?? binAt(wire.range, 0);
  const upper = wire.tickUpper ?? binAt(wire.range, 1);
  // Without a protocol, bins tell the kind: only DLMM has them.
  const poolType = poolTypeOf(wire.protocol) ?? (lower === undefined || upper === undefined ? 'other' : 'dlmm');
  // DAMM v2 has one price curve and no bins; a service may fill in the ends of all prices there are.
  const bins = poolType === 'dammV2' ? {} : { lower, upper, stepBps: positive(wire.poolInfo?.tickSpacing) };
  const input = money(wire.inputValue, wire.inputNative);
  const gain = money(wire.pnl?.value ?? wire.pnl?.usd, wire.pnl?.valueNative);
  return {
    key: address ?? wire.id ?? `${place.index}`,
    address,
    owner: wire.owner,
    pool: wire.pool,
    pairName: pairNameOf(wire.pairName, token0, token1, address ?? wire.pool),
    token0,
    token1,
    protocol: wire.protocol,
    poolType,
    strategy: poolType === 'dammV2' ? undefined : wire.strategyType,
    lowerBinId: bins.lower,
    upperBinId: bins.upper,
    binStepBps: bins.stepBps,
    input,
    output: money(wire.outputValue, wire.outputNative),
    collectedFee: money(wire.collectedFee, wire.collectedFeeNative),
    collectedReward: money(wire.collectedReward, wire.collectedRewardNative),
    pnl: gain,
    pnlPercent: money(wire.pnl?.percent ?? percentOf(gain.usd, input.usd), wire.pnl?.percentNative ?? percentOf(gain.native, input.native)),
    dailyReturn: money(wire.dpr, wire.dprNative),
    ageHours: ageHours(wire, ageUntilMs),
    createdAt: wire.createdAt,
    updatedAt: wire.updatedAt,
  };
}

/** `ageHour` counts hours, `age` days with two decimals (guides: service-quirks.md §0.6). */
function ageHours(wire: SharedRecord, untilMs: number | undefined): number | undefined {
  const given = wire.ageHour ?? wire.age_hour ?? (wire.age === undefined ? undefined : wire.age * HOURS_PER_DAY);
  if (given !== undefined || wire.createdAt === undefined || untilMs === undefined) {
    return given;
  }
  return Math.max(0, untilMs - wire.createdAt.getTime()) / MS_PER_HOUR;
}

/** pnl.percent = 100 × pnl.value ÷ inputValue (guides: service-quirks.md, identities). */
function percentOf(gain: Money['usd'], input: Money['usd']): number | undefined {
  return gain === undefined || input === undefined || input <= 0 ? undefined : (100 * gain) / input;
}

/** `range` is [lower, upper, active bin]; of a pool without bins it is null or full of nulls. */
function binAt(range: readonly (number | undefined)[] | null | undefined, index: number): number | undefined {
  const bin = range?.[index];
  return Number.isSafeInteger(bin) ? bin : undefined;
}

/** `priceRange` is [lower, upper, current] in US dollars. */
function priceRange(prices: readonly (number | undefined)[] | null | undefined): OpenPosition['priceRangeUsd'] {
  const [lower, upper, current] = prices ?? [];
  return lower === undefined || upper === undefined || current === undefined ? undefined : { lower, upper, current };
}

function inWholeTokens(raw: number | undefined, tokenDecimals: number | undefined): number | undefined {
  return raw === undefined || tokenDecimals === undefined ? undefined : raw / 10 ** tokenDecimals;
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 ? value : undefined;
}
