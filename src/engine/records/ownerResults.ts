import { DAY_MS, HOUR_MS } from '../../base/time';
import { EngineError, type RevenueParameters } from '../engine';
import {
  difference,
  type KnownOrNull,
  inBoth,
  NO_WORTH,
  quotient,
  sumOf,
  sumOfWorths,
  type Unit,
  UNKNOWN_WORTH,
  type UsdAndNative,
} from '../state/figures';
import type { WireIncomplete } from '../wire/incomplete';
import { PERIODS, type WireOverview, type WireRevenue } from '../wire/overviewRecord';
import { overviewOf, type OwnerTotals, type PeriodFigures, periodStart, type RevenueFigures, revenueRow } from '../wire/overviewRecord';

const WEEK_MS = 7 * DAY_MS;
/** 1970-01-05, the first Monday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;
/** `YYYY-MM` of an ISO date. */
const MONTH_LENGTH = 7;

/** A position, as far as results depend on it. Times: milliseconds since 1970. */
export interface ResultPosition {
  readonly pool: string;
  readonly closed: boolean;
  readonly openedAt: number | null;
  readonly updatedAt: number | null;
  readonly closedAt: number | null;
  readonly input: UsdAndNative;
  readonly output: UsdAndNative;
  readonly collectedFee: UsdAndNative;
  readonly collectedReward: UsdAndNative;
}

const UNKNOWN_PERIOD: Omit<PeriodFigures, 'closed'> = {
  input: UNKNOWN_WORTH,
  output: UNKNOWN_WORTH,
  fee: UNKNOWN_WORTH,
  pnl: UNKNOWN_WORTH,
  results: UNKNOWN_WORTH,
  wins: UNKNOWN_WORTH,
  ageHours: null,
};
const UNKNOWN_MONTHS: OwnerTotals['months'] = { input: UNKNOWN_WORTH, pnl: UNKNOWN_WORTH, rate: UNKNOWN_WORTH };

/** The profit or loss of a closed position. */
function profitOf({ input, output, collectedFee, collectedReward }: ResultPosition): UsdAndNative {
  return inBoth((unit) => difference(sumOf(output[unit], collectedFee[unit], collectedReward[unit]), input[unit]));
}

/** A time of which not all is known, milliseconds since 1970, both inclusive. */
export interface UnknownSpan {
  readonly from: number;
  readonly to: number;
}

/** Positions, and how far they are all positions. */
export interface KnownResults {
  readonly positions: readonly ResultPosition[];
  /** From when on they are all positions, milliseconds since 1970; 0: ever. */
  readonly wholeSince: number;
  /** After that: when others may have been closed. */
  readonly unknown?: UnknownSpan | undefined;
  /** Why positions may be missing; `undefined`: none are. */
  readonly incomplete?: WireIncomplete | undefined;
}

/**
 * Results with a protocol.
 * @param results of the owner's positions with it
 * @param now milliseconds since 1970
 * @throws EngineError if the owner has had none
 */
export function overviewRecord(owner: string, protocol: string, results: KnownResults, now: number): WireOverview {
  const { positions, incomplete } = results;
  if (positions.length === 0 && incomplete === undefined) {
    throw new EngineError('notFound', 'Owner overview not found');
  }
  if (positions.length === 0 && (incomplete?.reason === 'indexing' || incomplete?.reason === 'failed')) {
    throw new EngineError('unavailable', `${incomplete.message} Try again later.`);
  }
  return { ...overviewOf({ owner, protocol, ...overviewFigures(results, now) }), ...(incomplete === undefined ? {} : { incomplete }) };
}

/** Profit of closed positions by day, week or month, oldest first. @param now milliseconds since 1970 */
export function revenueRecord(
  results: KnownResults,
  { period, range }: Pick<RevenueParameters, 'period' | 'range'>,
  now: number,
): WireRevenue {
  const { incomplete } = results;
  const data = revenueFigures(results, period, periodStart(range ?? 'ALL', now)).map(revenueRow);
  return { data, ...(incomplete === undefined ? {} : { incomplete }) };
}

/**
 * The figures of an owner's overview. A sum with an unknown part is unknown, as is that of a period of which the history is not known; a closed
 * position whose closing time is unknown counts in `ALL` only.
 * @param now milliseconds since 1970
 */
function overviewFigures({ positions, wholeSince, unknown }: KnownResults, now: number): Omit<OwnerTotals, 'owner' | 'protocol'> {
  const closed = positions.filter((position) => position.closed);
  const isWhole = (since: number): boolean => since >= wholeSince && (unknown === undefined || since > unknown.to);
  const isAllWhole = isWhole(0);
  const inPeriod = (period: (typeof PERIODS)[number]): PeriodFigures => {
    const since = periodStart(period, now);
    const figures = periodFigures(closed.filter(({ closedAt }) => period === 'ALL' || (closedAt !== null && closedAt >= since)));
    return isWhole(since) ? figures : { ...UNKNOWN_PERIOD, closed: figures.closed };
  };
  return {
    periods: Object.fromEntries(PERIODS.map((period) => [period, inPeriod(period)])) as OwnerTotals['periods'],
    reward: isAllWhole ? sumOfWorths(...positions.map(({ collectedReward }) => collectedReward)) : UNKNOWN_WORTH,
    months: isAllWhole ? monthAverages(closed) : UNKNOWN_MONTHS,
    total: positions.length,
    open: positions.length - closed.length,
    pools: new Set(positions.map(({ pool }) => pool)).size,
    firstAt: isAllWhole ? extreme(positions, ({ openedAt }) => openedAt, Math.min) : null,
    lastAt: extreme(positions, ({ updatedAt }) => updatedAt, Math.max),
    now,
  };
}

function periodFigures(closed: readonly ResultPosition[]): PeriodFigures {
  const profits = closed.map(profitOf);
  const counted = (unit: Unit, counts: (profit: number) => boolean): KnownOrNull =>
    profits.reduce<KnownOrNull>(
      (count, { [unit]: profit }) => (count === null || profit === null ? null : count + (counts(profit) ? 1 : 0)),
      0,
    );
  const ages = closed.map(({ openedAt, closedAt }) => difference(closedAt, openedAt));
  return {
    closed: closed.length,
    input: sumOfWorths(...closed.map(({ input }) => input)),
    output: sumOfWorths(...closed.map(({ output }) => output)),
    fee: sumOfWorths(...closed.map(({ collectedFee }) => collectedFee)),
    pnl: sumOfWorths(...profits),
    results: inBoth((unit) => counted(unit, (profit) => profit !== 0)),
    wins: inBoth((unit) => counted(unit, (profit) => profit > 0)),
    ageHours: quotient(sumOf(0, ...ages), closed.length * HOUR_MS),
  };
}

/** Averages over the calendar months (UTC) in which positions were closed. Months without input count with no rate. */
function monthAverages(closed: readonly ResultPosition[]): OwnerTotals['months'] {
  const isDated = closed.every(({ closedAt }) => closedAt !== null);
  const byMonth = new Map<string, { readonly input: UsdAndNative; readonly pnl: UsdAndNative }>();
  for (const position of closed) {
    const month = new Date(position.closedAt ?? 0).toISOString().slice(0, MONTH_LENGTH);
    const { input, pnl } = byMonth.get(month) ?? { input: NO_WORTH, pnl: NO_WORTH };
    byMonth.set(month, { input: sumOfWorths(input, position.input), pnl: sumOfWorths(pnl, profitOf(position)) });
  }
  const months = [...byMonth.values()];
  const average = (figures: readonly KnownOrNull[]): KnownOrNull => (isDated ? quotient(sumOf(0, ...figures), figures.length) : null);
  return {
    input: inBoth((unit) => average(months.map(({ input }) => input[unit]))),
    pnl: inBoth((unit) => average(months.map(({ pnl }) => pnl[unit]))),
    rate: inBoth((unit) =>
      average(months.filter(({ input }) => input[unit] !== 0).map(({ input, pnl }) => quotient(pnl[unit], input[unit]))),
    ),
  };
}

function extreme(
  positions: readonly ResultPosition[],
  timeOf: (position: ResultPosition) => number | null,
  of: (...times: number[]) => number,
): number | null {
  const times = positions.flatMap((position) => timeOf(position) ?? []);
  return times.length === 0 ? null : times.reduce((one, other) => of(one, other));
}

/** A change of the amount in positions. */
interface Move {
  readonly at: number;
  readonly change: UsdAndNative;
}

/**
 * Profit of closed positions by day, week or month (UTC), oldest first; only periods in which a position was closed. The invested amount rises by a
 * position's whole input when it is opened, and falls when it is closed; at equal times closings come first.
 * @param since milliseconds since 1970: what was closed before is left out
 */
function revenueFigures(
  { positions, wholeSince, unknown }: KnownResults,
  period: RevenueParameters['period'],
  since: number,
): readonly RevenueFigures[] {
  const startOf = STARTS[period];
  // What was invested before the history begins is not known, and stays in the sum.
  const levels = investedLevels(positions, wholeSince === 0, unknown?.from ?? Infinity);
  const made = new Map<number, UsdAndNative>();
  for (const position of positions) {
    const { closed, closedAt } = position;
    if (closed && closedAt !== null && closedAt >= since) {
      const bucket = startOf(closedAt);
      made.set(bucket, sumOfWorths(made.get(bucket) ?? NO_WORTH, profitOf(position)));
    }
  }
  const reaches = (at: number): boolean => unknown !== undefined && startOf(unknown.from) <= at;
  let profitSoFar = since < wholeSince ? UNKNOWN_WORTH : NO_WORTH;
  return [...made]
    .sort(([one], [other]) => one - other)
    .map(([startsAt, known]) => {
      const isUnknown = startsAt < wholeSince || (reaches(startsAt) && startsAt <= (unknown?.to ?? 0));
      const profit = isUnknown ? UNKNOWN_WORTH : known;
      // Between the rows, too, something may have been closed.
      profitSoFar = reaches(startsAt) && since <= (unknown?.to ?? 0) ? UNKNOWN_WORTH : sumOfWorths(profitSoFar, profit);
      const inBucket = levels.filter(({ at }) => startOf(at) === startsAt);
      return {
        startsAt,
        profit,
        profitSoFar,
        mostInvested: inBoth((unit) => highest(inBucket.flatMap(({ before, after }) => [before[unit], after[unit]]))),
        invested: inBucket.at(-1)?.after ?? UNKNOWN_WORTH,
      };
    });
}

/** The amount in positions before and after each change. @param unknownFrom from then on it is not known */
function investedLevels(
  positions: readonly ResultPosition[],
  isWhole: boolean,
  unknownFrom: number,
): readonly { readonly at: number; readonly before: UsdAndNative; readonly after: UsdAndNative }[] {
  const isDated = positions.every(({ openedAt, closed, closedAt }) => openedAt !== null && (!closed || closedAt !== null));
  const moves = positions.flatMap(({ openedAt, closedAt, input }): readonly Move[] => [
    ...(openedAt === null ? [] : [{ at: openedAt, change: input }]),
    ...(closedAt === null ? [] : [{ at: closedAt, change: inBoth((unit) => difference(0, input[unit])) }]),
  ]);
  moves.sort((one, other) => one.at - other.at || sizeOf(one) - sizeOf(other));
  let level: UsdAndNative = isWhole && isDated ? NO_WORTH : UNKNOWN_WORTH;
  return moves.map(({ at, change }) => {
    if (at >= unknownFrom) {
      level = UNKNOWN_WORTH;
    }
    const before = level;
    level = inBoth((unit) => notNegative(sumOf(before[unit], change[unit])));
    return { at, before, after: level };
  });
}

/** Closings before openings. */
function sizeOf({ change }: Move): number {
  return change.usd ?? change.native ?? 0;
}

/** Sums are rounded, so that closed positions leave exactly nothing. */
const PLACES = 9;

function notNegative(figure: KnownOrNull): KnownOrNull {
  return figure === null ? null : Math.max(0, Number(figure.toFixed(PLACES)));
}

function highest(figures: readonly KnownOrNull[]): KnownOrNull {
  return figures.reduce<KnownOrNull>((most, figure) => (most === null || figure === null ? null : Math.max(most, figure)), 0);
}

const STARTS = {
  day: (at) => Math.floor(at / DAY_MS) * DAY_MS,
  week: (at) => Math.floor((at - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_MONDAY_MS,
  month: (at) => Date.UTC(new Date(at).getUTCFullYear(), new Date(at).getUTCMonth(), 1),
} as const satisfies Readonly<Record<RevenueParameters['period'], (at: number) => number>>;
