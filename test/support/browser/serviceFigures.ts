import * as z from 'zod';
import { signedSol, signedUsd, sol, usd } from '../../../src/base/format/money';
import { count, significant } from '../../../src/base/format/numbers';
import { columnPercent, fractionAsPercent, percent, signedFractionAsPercent, signedPercent } from '../../../src/base/format/percent';
import { binId, binRange } from '../../../src/base/format/identifiers';
import { price, priceUsd } from '../../../src/base/format/amounts';
import { age } from '../../../src/base/format/time';

// What panels have to show of the service's answers, read from these by the names of the specification: by itself, not as the extension reads them.

const LOCALE = 'en';
const number = z.union([z.number(), z.string().transform(Number)]);
const numbers = z.record(z.string(), number);
const Overview = z.object({
  data: z.looseObject({
    closed_lp: numbers,
    avg_inflow: numbers,
    total_fee: numbers,
    total_pnl: numbers,
    win_rate: numbers,
    expected_value: numbers,
    total_pnl_native: numbers,
    total_fee_native: numbers,
    avg_inflow_native: numbers,
    win_rate_native: numbers,
    expected_value_native: numbers,
  }),
});
const Opening = z.object({
  data: z.array(
    z.looseObject({
      position: z.string(),
      pnl: z.object({ value: z.number(), valueNative: z.number(), percent: z.number(), percentNative: z.number() }),
      current: z.object({ amount0Adjusted: z.number(), amount1Adjusted: z.number() }),
      range: z.tuple([z.int(), z.int(), z.int()]),
    }),
  ),
});
const Info = z.object({
  data: z.looseObject({
    amountX: z.number(),
    amountY: z.number(),
    feeInfo: z.looseObject({
      baseFeeRatePercentage: z.number(),
      maxFeeRatePercentage: z.number(),
      protocolFeePercentage: z.number(),
      dynamicFee: z.number(),
    }),
    liquidityViz: z.object({ activeBin: z.object({ binId: z.int(), pricePerToken: number }) }),
    tokenInfo: z.array(
      z.object({
        data: z.array(
          z.looseObject({
            symbol: z.string(),
            mcap: z.number(),
            fdv: z.number(),
            usdPrice: z.number(),
            organicScore: z.number(),
            holderCount: z.number(),
          }),
        ),
      }),
    ),
  }),
});
const Discover = z.object({ data: z.array(z.looseObject({ pool: z.string() })) });

/** What a panel has to show: by the names under which `figuresShown` finds it. */
export type Expected = Readonly<Record<string, string>>;

/** Plain spaces, as `figuresShown` gives them. */
const plain = (expected: Record<string, string>): Expected =>
  Object.fromEntries(Object.entries(expected).map(([name, value]) => [name, value.replaceAll(/\s+/g, ' ')]));

/** A number of a record, by its name; `undefined` where the service says that it has none. @throws where the name is not there */
function of(record: Readonly<Record<string, unknown>>, name: string): number | undefined {
  return z.nullable(number).parse(record[name]) ?? undefined;
}

/** The periods, as the service names them. */
const PERIODS = ['7D', '1M', '3M', '1Y', 'YTD', 'ALL'] as const;
/** One of them. */
export type Period = (typeof PERIODS)[number];

/** What the records of two protocols come to together, by name: sums, averages over closed positions and over those with a result, and quotients. */
function together(one: Record<string, unknown>, other: Record<string, unknown>): z.output<typeof Overview>['data'] {
  const both = [one, other];
  const sum = (name: string): number => both.reduce((total, record) => total + (of(record, name) ?? 0), 0);
  const closed = (record: Record<string, unknown>, period: Period): number => numbers.parse(record['closed_lp'])[period] ?? 0;
  const over = (figure: (period: Period) => number): Record<string, number> =>
    Object.fromEntries(PERIODS.map((period) => [period, figure(period)]));
  const at = (record: Record<string, unknown>, name: string, period: Period): number => numbers.parse(record[name])[period] ?? 0;
  const data: Record<string, unknown> = { chain: one['chain'], closed_lp: over((period) => closed(one, period) + closed(other, period)) };
  for (const name of ['total_lp', 'opening_lp', 'total_pool', 'win_lp', 'win_lp_native']) {
    data[name] = sum(name);
  }
  for (const suffix of ['', '_native']) {
    const named = (name: string): string => `${name}${suffix}`;
    const results = (record: Record<string, unknown>, period: Period): number =>
      at(record, named('expected_value'), period) === 0
        ? 0
        : at(record, named('total_pnl'), period) / at(record, named('expected_value'), period);
    const sums = (name: string): Record<string, number> =>
      over((period) => both.reduce((total, record) => total + at(record, named(name), period), 0));
    const averages = (name: string, weight: (record: Record<string, unknown>, period: Period) => number): Record<string, number> =>
      over(
        (period) =>
          both.reduce((total, record) => total + at(record, named(name), period) * weight(record, period), 0) /
          both.reduce((total, record) => total + weight(record, period), 0),
      );
    for (const name of ['total_inflow', 'total_outflow', 'total_reward']) {
      data[named(name)] = sum(named(name));
    }
    const [pnl, fee, expected, inflow] = [
      sums('total_pnl'),
      sums('total_fee'),
      averages('expected_value', results),
      averages('avg_inflow', closed),
    ];
    Object.assign(data, {
      [named('total_pnl')]: pnl,
      [named('total_fee')]: fee,
      [named('expected_value')]: expected,
      [named('avg_inflow')]: inflow,
      [named('win_rate')]: averages('win_rate', results),
    });
    Object.assign(data, {
      [named('fee_percent')]: (fee['ALL'] ?? NaN) / sum(named('total_inflow')),
      [named('roi_avg_inflow')]: (expected['ALL'] ?? NaN) / (inflow['ALL'] ?? NaN),
      [named('avg_pos_profit')]: expected['ALL'],
    });
  }
  data['roi'] = (numbers.parse(data['total_pnl'])['ALL'] ?? NaN) / sum('total_inflow');
  data['avg_age_hour'] =
    both.reduce((total, record) => total + (of(record, 'avg_age_hour') ?? 0) * closed(record, 'ALL'), 0) /
    both.reduce((total, record) => total + closed(record, 'ALL'), 0);
  return Overview.shape.data.parse(data);
}

/** The overview of a period over both protocols, in US dollars or in SOL (spec §2.2). */
export function overviewExpected(
  answers: { readonly dlmm: unknown; readonly dammV2: unknown },
  period: Period,
  currency: 'usd' | 'native',
): Expected {
  const [dlmm, dammV2] = [Overview.parse(answers.dlmm).data, Overview.parse(answers.dammV2).data];
  const data = together(dlmm, dammV2);
  const isUsd = currency === 'usd';
  const suffix = isUsd ? '' : '_native';
  const [money, signed] = isUsd ? [usd, signedUsd] : [sol, signedSol];
  const at = (name: string, of: Period): number => numbers.parse(data[`${name}${suffix}`])[of] ?? NaN;
  const heading = 'Closed positions';
  const all = (name: string): number | undefined => of(data, `${name}${suffix}`);
  const each = (name: string, written: (figure: number | undefined, locale: string) => string): string =>
    `DLMM ${written(of(dlmm, `${name}${suffix}`), LOCALE)} DAMM v2 ${written(of(dammV2, `${name}${suffix}`), LOCALE)}`;
  const expected: Record<string, string> = {
    'Realized PnL': signed(at('total_pnl', period), LOCALE),
    [`${heading} / Fees earned`]: money(at('total_fee', period), LOCALE),
    [`${heading} / Win rate`]: fractionAsPercent(at('win_rate', period), LOCALE),
    [`${heading} / Win rate (note)`]: `${count(data.closed_lp[period], LOCALE)} closed`,
    [`${heading} / Expected value`]: signed(at('expected_value', period), LOCALE),
    [`${heading} / Average deposit`]: money(at('avg_inflow', period), LOCALE),
    'Money / Deposited': money(all('total_inflow'), LOCALE),
    'Money / Withdrawn': money(all('total_outflow'), LOCALE),
    'Money / Rewards': money(all('total_reward'), LOCALE),
    'Money / Fees / deposits': fractionAsPercent(all('fee_percent'), LOCALE),
    'Money / ROI': signedFractionAsPercent(of(data, 'roi'), LOCALE),
    'Money / ROI on average deposit': signedFractionAsPercent(all('roi_avg_inflow'), LOCALE),
    'Positions / All': count(of(data, 'total_lp'), LOCALE),
    'Positions / Open': count(of(data, 'opening_lp'), LOCALE),
    'Positions / Closed': count(data.closed_lp['ALL'], LOCALE),
    'Positions / Wins': count(all('win_lp'), LOCALE),
    'Positions / Pools': count(of(data, 'total_pool'), LOCALE),
    'Averages / Monthly PnL': each('avg_monthly_pnl', signed),
    'Averages / Monthly deposits': each('avg_monthly_inflow', money),
    'Averages / Monthly return': each('avg_monthly_profit_percent', signedFractionAsPercent),
    'Averages / PnL per position': signed(all('avg_pos_profit'), LOCALE),
    'Averages / Average age': age(of(data, 'avg_age_hour'), LOCALE),
    'Activity / Chain': z.string().parse(data['chain']),
    'Activity / Protocols': 'DLMM, DAMM v2',
  };
  for (const span of PERIODS) {
    const column = span === 'ALL' ? 'All' : span;
    expected[`Periods compared / PnL / ${column}`] = signed(at('total_pnl', span), LOCALE);
    expected[`Periods compared / Fees earned / ${column}`] = money(at('total_fee', span), LOCALE);
    expected[`Periods compared / Win rate / ${column}`] = columnPercent(at('win_rate', span), LOCALE);
    expected[`Periods compared / Expected value / ${column}`] = signed(at('expected_value', span), LOCALE);
    expected[`Periods compared / Average deposit / ${column}`] = money(at('avg_inflow', span), LOCALE);
    expected[`Periods compared / Closed / ${column}`] = count(data.closed_lp[span], LOCALE);
  }
  return plain(expected);
}

/** An open position (spec §2.1), in US dollars. */
export function positionExpected(answer: unknown, address: string): Expected {
  const record = Opening.parse(answer).data.find(({ position }) => position === address);
  if (record === undefined) {
    throw new Error(`The service does not list ${address}.`);
  }
  const [symbolX, symbolY] = [symbolOf(record['token0Info']), symbolOf(record['token1Info'])];
  const [lower, upper, active] = record.range;
  const value = (name: string): number | undefined => of(record, name);
  return plain({
    'Summary / Value': usd(value('value'), LOCALE),
    'Summary / PnL': signedUsd(record.pnl.value, LOCALE),
    'Summary / PnL (note)': `${signedPercent(record.pnl.percent, LOCALE)} on deposits`,
    'Summary / Unclaimed fees': usd(value('unCollectedFee'), LOCALE),
    'Summary / Claimed fees': usd(value('collectedFee'), LOCALE),
    'Summary / Daily return': signedFractionAsPercent(value('dpr'), LOCALE),
    [`${symbolX} / Amount`]: significant(record.current.amount0Adjusted, 6, LOCALE),
    [`${symbolY} / Amount`]: significant(record.current.amount1Adjusted, 6, LOCALE),
    [`${symbolX} / Market price`]: priceUsd(value('price0'), LOCALE),
    [`${symbolY} / Market price`]: priceUsd(value('price1'), LOCALE),
    'About / Bins': binRange(lower, upper, LOCALE),
    'About / Active bin': binId(active, LOCALE),
  });
}

/** A pool: its info (spec §2.4) and its record in discover (spec §2.3), in US dollars. */
export function poolExpected(info: unknown, discovered: unknown, pool: string): Expected {
  const { data } = Info.parse(info);
  const record = Discover.parse(discovered).data.find((found) => found.pool === pool);
  if (record === undefined) {
    throw new Error(`The service does not list ${pool}.`);
  }
  const { feeInfo } = data;
  const expected: Record<string, string> = {
    'Summary / TVL': usd(of(record, 'tvl'), LOCALE),
    'Summary / 24h volume': usd(of(record, 'vol_24h'), LOCALE),
    'Fees / Base fee': percent(feeInfo.baseFeeRatePercentage, LOCALE),
    'Fees / Current fee': percent(feeInfo.dynamicFee, LOCALE),
    'Fees / Maximum': percent(feeInfo.maxFeeRatePercentage, LOCALE),
    'Fees / Protocol share': percent(feeInfo.protocolFeePercentage, LOCALE),
    'Pool / Active bin': binId(data.liquidityViz.activeBin.binId, LOCALE),
    [`Pool / Top holders of ${data.tokenInfo[0]?.data[0]?.symbol ?? ''}`]: percent(of(record, 'top_holder'), LOCALE),
    'Pool / Mint or freeze authority': record['mint_freeze'] === true ? 'enabled' : 'none',
  };
  for (const interval of ['5m', '1h', '6h', '24h'] as const) {
    expected[`Activity / ${interval} / Volume`] = usd(of(record, `vol_${interval}`), LOCALE);
    expected[`Activity / ${interval} / Price`] = signedPercent(of(record, `price_${interval}_change`), LOCALE);
  }
  data.tokenInfo.forEach(({ data: [token] }, index) => {
    if (token !== undefined) {
      expected[`${token.symbol} / Price`] = priceUsd(token.usdPrice, LOCALE);
      expected[`${token.symbol} / In pool`] = significant([data.amountX, data.amountY][index], 6, LOCALE);
      expected[`${token.symbol} / Market cap`] = usd(token.mcap, LOCALE);
      expected[`${token.symbol} / Fully diluted value`] = usd(token.fdv, LOCALE);
      expected[`${token.symbol} / Holders`] = count(token.holderCount, LOCALE);
      expected[`${token.symbol} / Organic score`] = count(token.organicScore, LOCALE);
    }
  });
  return plain(expected);
}

/** The price of a pool's token X in token Y, as the header tells it. */
export function priceExpected(info: unknown): string {
  return price(Info.parse(info).data.liquidityViz.activeBin.pricePerToken, LOCALE);
}

function symbolOf(info: unknown): string {
  return z.looseObject({ token_symbol: z.string() }).parse(info).token_symbol;
}
