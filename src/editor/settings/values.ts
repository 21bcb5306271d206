import { quoted } from '../../api/text';
import type { PoolSort } from '../../api/service';
import { SETTING } from '../names';

/** In which currency sums are shown. */
export type Currency = 'usd' | 'sol';

/** A setting as it was found. */
export type SettingReading<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; /** What is wrong, and what counts instead. */ readonly message: string };

/** Reads one setting's raw value. */
type Read<Value> = (raw: unknown) => SettingReading<Value>;

export const LEAST_REFRESH_SECONDS = 15;
export const MOST_REFRESH_SECONDS = 3_600;
export const MOST_SLIPPAGE_BPS = 10_000;

const POOL_SORTS: readonly PoolSort[] = ['mcap', 'created_at', 'vol_24h', 'tvl', 'fee_tvl_ratio', 'volatility'];
const CURRENCIES: readonly Currency[] = ['usd', 'sol'];

/** Reads the settings that have bounds. The defaults stand in package.json alone. */
export const READ = {
  [SETTING.refreshIntervalSeconds]: wholeNumber(LEAST_REFRESH_SECONDS, MOST_REFRESH_SECONDS, 'seconds'),
  [SETTING.slippageBps]: wholeNumber(0, MOST_SLIPPAGE_BPS, 'basis points'),
  [SETTING.poolsSortBy]: oneOf(POOL_SORTS),
  [SETTING.statusBarCurrency]: oneOf(CURRENCIES),
} as const;

/** A setting that {@link READ} reads. */
export type BoundedSetting = keyof typeof READ;

/** The value that a bounded setting gives. */
export type ValueOf<Key extends BoundedSetting> = (typeof READ)[Key] extends Read<infer Value> ? Value : never;

function wholeNumber(least: number, most: number, unit: string): Read<number> {
  return (raw) =>
    typeof raw === 'number' && Number.isInteger(raw) && raw >= least && raw <= most
      ? { ok: true, value: raw }
      : { ok: false, message: `has to be a whole number of ${unit} from ${least} to ${most}, not ${quoted(raw)}` };
}

function oneOf<Value extends string>(values: readonly Value[]): Read<Value> {
  return (raw) => {
    const value = values.find((one) => one === raw);
    return value === undefined ? { ok: false, message: `has to be one of ${values.join(', ')}, not ${quoted(raw)}` } : { ok: true, value };
  };
}
