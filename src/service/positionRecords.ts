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
import { tokenInfo } from './tokens';

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
};

export const openPositionRecord = wireRecord({
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
export const compiledOpenPositionRecord = onFirstUse(() => z.compile(openPositionRecord));

function onFirstUse<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}

export const closedPositionRecord = wireRecord({
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

export type OpenRecord = z.output<typeof openPositionRecord>;
export type ClosedRecord = z.output<typeof closedPositionRecord>;
export type SharedRecord = Pick<ClosedRecord, keyof typeof sharedFields>;
