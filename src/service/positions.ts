import * as z from 'zod';
import { hasFields, isAbsent } from './parsing/envelope';
import {
  decimal,
  entries,
  flag,
  fraction,
  group,
  identifier,
  instant,
  integer,
  label,
  solanaAddress,
  strategyType,
  threeDecimals,
  tokenDecimals,
  wireRecord,
} from './parsing/fields';
import type { Address } from '../base/solana/address';
import { HOUR_MS } from '../base/time';
import type { Money, PoolType, Strategy, Token } from './common';
import { type FieldPath, type ParseContext, readRecords, readRecordsInSlices, withoutRepeats } from './parsing/records';
import { ListedLogs } from './positionLogs';
import type { UncollectedReward } from './rewards';
import { money, pairNameOf, pairSides, poolTypeOf, tokenFrom, tokenInfo } from './tokens';

/** `pnl` is a record; some answers have only the amount in US dollars, or null. */
const pnl = z.preprocess(
  (value) => (hasFields(value) || isAbsent(value) ? value : { value }),
  group({ value: decimal, usd: decimal, valueNative: decimal, percent: decimal, percentNative: decimal }),
);

/** The common fields of open and closed positions. */
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
  isReported: flag,
  isContradicted: flag,
  collectedFeeIsEstimate: flag,
};

/** A reward among `uncollectedRewards`. */
const rewardRecord = wireRecord({
  token_address: solanaAddress,
  token_symbol: label,
  token_decimals: tokenDecimals,
  amountAdjusted: decimal,
  value: decimal,
  valueNative: decimal,
});

/** The programs have two rewards a pool. */
const MOST_REWARDS = 2;

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
  uncollectedRewards: entries,
  current: group({ amount0: decimal, amount1: decimal, amount0Adjusted: decimal, amount1Adjusted: decimal }),
  withdrawableShare: fraction,
  price0: decimal,
  price1: decimal,
  apr: decimal,
  logs: entries,
});

/**
 * {@link openPositionRecord} with code that zod generates for it on first use, which takes about as long as reading some hundred records. It then
 * reads valid records in about three quarters of the time; invalid ones are read as before, so warnings are the same.
 */
const compiledOpenPositionRecord = onFirstUse(() => z.compile(openPositionRecord));

function onFirstUse<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}

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

/** The common part of open and closed positions. Fields that the service doesn't report are `undefined`. */
export interface PositionBase {
  /** Stable identity in lists: the position's address, else the service's id, else the index in the list. */
  readonly key: string;
  /** The position account (`position`, else `tokenId`). */
  readonly address: Address | undefined;
  readonly owner: Address | undefined;
  readonly pool: Address | undefined;
  /** "BONK/SOL"; composed of the symbols if the service's label names only one token. */
  readonly pairName: string;
  readonly token0: Token;
  readonly token1: Token;
  /** The service's name: "meteora", "meteora_damm_v2", … */
  readonly protocol: string | undefined;
  readonly poolType: PoolType;
  /** `undefined` in pools without bins (DAMM v2). */
  readonly strategy: Strategy | undefined;
  /** `tickLower` and `tickUpper`, which are bin ids, both included; `undefined` in DAMM v2 pools, which cover all prices. */
  readonly lowerBinId: number | undefined;
  readonly upperBinId: number | undefined;
  /** Basis points between two bins (`poolInfo.tickSpacing`). */
  readonly binStepBps: number | undefined;
  /** Deposited, withdrawn and claimed so far. */
  readonly input: Money;
  readonly output: Money;
  readonly collectedFee: Money;
  readonly collectedReward: Money;
  readonly pnl: Money;
  /** Percent: 5 is 5%. */
  readonly pnlPercent: Money;
  /** Fraction per day: 0.05 is 5% per day. */
  readonly dailyReturn: Money;
  /** Hours (from `ageHour`, else `age` in days, else `createdAt`). */
  readonly ageHours: number | undefined;
  readonly createdAt: Date | undefined;
  readonly updatedAt: Date | undefined;
  /**
   * Where what went in and out is from. `reported`: Meteora's public data, and not read from the chain yet; `contradicted`: the chain, and the public data
   * says otherwise. `undefined`: the service says nothing of it.
   */
  readonly doubt?: 'reported' | 'contradicted' | undefined;
  /** Claimed fees are valued at a price of about that time: they and the PnL are estimates. */
  readonly isFeeEstimate?: boolean | undefined;
}

export interface OpenPosition extends PositionBase {
  /** `position_id` for decrease-tx: the service's id, else the address. */
  readonly id: string | undefined;
  /** False: the price has left the range and no fees accrue. `undefined`: not reported, reported without the bins that it follows from, or DAMM v2. */
  readonly inRange: boolean | undefined;
  readonly activeBinId: number | undefined;
  /** US dollars per token0: lower bound, upper bound and now; `undefined` in DAMM v2 pools. */
  readonly priceRangeUsd: { readonly lower: number; readonly upper: number; readonly current: number } | undefined;
  /** Current value without unclaimed fees. */
  readonly value: Money;
  readonly uncollectedFee: Money;
  /** In whole tokens. */
  readonly amount0: number | undefined;
  readonly amount1: number | undefined;
  /** The part of value and amounts that can be withdrawn, 0 to 1; the rest is locked. `undefined`: all of it, as far as is known. */
  readonly withdrawableShare: number | undefined;
  readonly uncollectedFee0: number | undefined;
  readonly uncollectedFee1: number | undefined;
  /** Tokens that the pool gives besides its fees; the PnL contains them. `undefined`: none, as far as is known. */
  readonly uncollectedRewards?: readonly UncollectedReward[] | undefined;
  /** US dollars per token. */
  readonly price0Usd: number | undefined;
  readonly price1Usd: number | undefined;
  /** Percent per year. */
  readonly aprPercent: number | undefined;
  readonly logs: ListedLogs;
}

export interface ClosedPosition extends PositionBase {
  readonly closedAt: Date | undefined;
  readonly fee: Money;
  /** Percent. */
  readonly feePercent: Money;
  /** SOL deposited and withdrawn and their difference, audited on chain. */
  readonly audited: { readonly solIn: number | undefined; readonly solOut: number | undefined; readonly pnlNative: number | undefined };
  /** Present if the position copies another wallet. */
  readonly followed:
    | { readonly owner: Address | undefined; readonly label: string | undefined; readonly position: Address | undefined }
    | undefined;
}

/** Length of a list from which compiling its schema is worth it. */
const COMPILED_FROM = 500;

const HOURS_PER_DAY = 24;

/** Reads open positions. One that is listed twice is returned once, so its value isn't counted twice. */
export function readOpenPositions(list: readonly unknown[], path: string, reading: ParseContext): OpenPosition[] {
  return withoutRepeats(readRecords(openPositionRecord, list, path, reading, toOpenPosition), ({ key }) => key, path, reading);
}

/** Like {@link readOpenPositions} for a list without pages, which may be long: yields to other work between slices. */
export async function readAllOpenPositions(list: readonly unknown[], path: string, reading: ParseContext): Promise<OpenPosition[]> {
  return withoutRepeats(
    await readRecordsInSlices(
      list.length >= COMPILED_FROM ? compiledOpenPositionRecord() : openPositionRecord,
      list,
      path,
      reading,
      toOpenPosition,
    ),
    ({ key }) => key,
    path,
    reading,
  );
}

export function readClosedPositions(list: readonly unknown[], path: string, reading: ParseContext): ClosedPosition[] {
  return withoutRepeats(readRecords(closedPositionRecord, list, path, reading, toClosedPosition), closedKey, path, reading);
}

/** Identifies a closed position in a list: an address that was used again has several. */
export function closedKey({ key, closedAt }: Pick<ClosedPosition, 'key' | 'closedAt'>): string {
  return closedAt === undefined ? key : `${key} ${closedAt.getTime()}`;
}

function toOpenPosition(wire: OpenRecord, place: FieldPath): OpenPosition | undefined {
  const base = toBase(wire, place, place.nowMs);
  if (base === undefined) {
    return undefined;
  }
  const { current } = wire;
  const activeBinId = base.poolType === 'dammV2' ? undefined : binAt(wire.range, 2);
  // A spread of so many fields makes an object that takes a hundred times as long, and several times the memory.
  return Object.assign(base, {
    id: wire.id ?? base.address,
    inRange: hasPlaceInBins(base, activeBinId) ? wire.inRange : undefined,
    activeBinId,
    priceRangeUsd: base.poolType === 'dammV2' ? undefined : priceRange(wire.priceRange),
    // `currentValue` is a staler figure than `value`.
    value: money(wire.value ?? wire.currentValue, wire.valueNative),
    uncollectedFee: money(wire.unCollectedFee ?? wire.uncollectedFee, wire.unCollectedFeeNative ?? wire.uncollectedFeeNative),
    amount0: current?.amount0Adjusted ?? inWholeTokens(current?.amount0, base.token0.decimals),
    amount1: current?.amount1Adjusted ?? inWholeTokens(current?.amount1, base.token1.decimals),
    withdrawableShare: wire.withdrawableShare,
    uncollectedFee0: wire.unCollectedFee0,
    uncollectedFee1: wire.unCollectedFee1,
    price0Usd: wire.price0,
    price1Usd: wire.price1,
    aprPercent: wire.apr,
    logs: new ListedLogs(wire.logs ?? []),
    ...rewardsOf(wire, place),
  });
}

/** Whether a record holds the bins that its range status follows from. Without them the status is a guess, or about another moment. */
function hasPlaceInBins({ poolType, lowerBinId, upperBinId }: PositionBase, activeBinId: number | undefined): boolean {
  return poolType !== 'dammV2' && lowerBinId !== undefined && upperBinId !== undefined && activeBinId !== undefined;
}

function rewardsOf({ uncollectedRewards }: OpenRecord, place: FieldPath): Pick<OpenPosition, 'uncollectedRewards'> {
  if (isAbsent(uncollectedRewards) || uncollectedRewards.length === 0) {
    return {};
  }
  const path = `${place.path}.uncollectedRewards`;
  const rewards = readRecords(rewardRecord, uncollectedRewards.slice(0, MOST_REWARDS), path, place, (wire) => ({
    token: tokenFrom({ address: wire.token_address, symbol: wire.token_symbol, name: undefined, decimals: wire.token_decimals }),
    amount: wire.amountAdjusted,
    worth: money(wire.value, wire.valueNative),
  }));
  return { uncollectedRewards: rewards };
}

/** Whether a part of a position cannot be withdrawn. The position then stays open after a withdrawal of 100%. */
export function isPartlyLocked({ withdrawableShare = 1 }: OpenPosition): boolean {
  return withdrawableShare < 1;
}

/** Amounts and value of a position, as far as they can be withdrawn. */
export function withdrawablePart({
  amount0,
  amount1,
  value,
  withdrawableShare = 1,
}: OpenPosition): Pick<OpenPosition, 'amount0' | 'amount1' | 'value'> {
  const part = (whole: number | undefined): number | undefined => (whole === undefined ? undefined : whole * withdrawableShare);
  return { amount0: part(amount0), amount1: part(amount1), value: money(part(value.usd), part(value.native)) };
}

function toClosedPosition(wire: ClosedRecord, place: FieldPath): ClosedPosition | undefined {
  const closedAt = wire.closeAt ?? wire.close_At;
  const base = toBase(wire, place, closedAt?.getTime());
  if (base === undefined) {
    return undefined;
  }
  return Object.assign(base, {
    // For closed positions `pnlNative` equals `pnl.valueNative`; for open ones it doesn't.
    pnl: money(base.pnl.usd, base.pnl.native ?? wire.pnlNative),
    closedAt,
    fee: money(wire.fee, wire.feeNative),
    feePercent: money(wire.feePercent, wire.feePercentNative),
    audited: { solIn: wire.solInAudited, solOut: wire.solOutAudited, pnlNative: wire.pnlNativeAudited },
    followed: wire.followInfo
      ? { owner: wire.followInfo.sourceOwner, label: wire.followInfo.sourceLabel, position: wire.followInfo.sourceTokenId }
      : undefined,
  });
}

function toBase(wire: SharedRecord, place: FieldPath, ageUntilMs: number | undefined): PositionBase | undefined {
  const address = wire.position ?? wire.tokenId;
  if (
    address === undefined &&
    wire.id === undefined &&
    wire.pool === undefined &&
    wire.token0 === undefined &&
    wire.pairName === undefined
  ) {
    place.warnings.add(place.path, 'left out: nothing in it says which position it is');
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
  // Without a protocol, bins tell the pool type: only DLMM has them.
  const poolType = poolTypeOf(wire.protocol) ?? (lower === undefined || upper === undefined ? 'other' : 'dlmm');
  // DAMM v2 has one price curve and no bins, but the service may report the bounds of the whole price range as bins.
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
    isFeeEstimate: wire.collectedFeeIsEstimate === true ? true : undefined,
    doubt: wire.isReported === true ? 'reported' : wire.isContradicted === true ? 'contradicted' : undefined,
  };
}

/** `age` has two decimals of a day: a quarter of an hour. */
const AGE_STEP_HOURS = HOURS_PER_DAY / 100;

/**
 * `ageHour` is in hours, `age` in days with two decimals. Where the date of creation agrees with `age`, it is more exact; otherwise the clock of
 * the service is another one.
 */
function ageHours(wire: SharedRecord, untilMs: number | undefined): number | undefined {
  const exact = wire.ageHour ?? wire.age_hour;
  const rough = wire.age === undefined ? undefined : wire.age * HOURS_PER_DAY;
  if (exact !== undefined || wire.createdAt === undefined || untilMs === undefined) {
    return exact ?? rough;
  }
  const sinceCreated = (untilMs - wire.createdAt.getTime()) / HOUR_MS;
  return rough === undefined || Math.abs(sinceCreated - rough) < AGE_STEP_HOURS ? Math.max(0, sinceCreated) : rough;
}

/** pnl.percent = 100 × pnl.value ÷ inputValue, which holds for every record of the service. */
function percentOf(gain: Money['usd'], input: Money['usd']): number | undefined {
  return gain === undefined || input === undefined || input <= 0 ? undefined : (100 * gain) / input;
}

/** `range` is [lower, upper, active bin]; for a pool without bins it is null or has nulls. */
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
