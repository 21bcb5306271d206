import * as l10n from '@vscode/l10n';
import { oneLine, quoted } from '../../../base/text';
import type { PoolSort } from '../../../service/service';
import { parseAddress, type Address } from '../../../base/solana/address';
import { lamportsToSol, parseDecimal } from '../../../base/solana/amounts';
import { LAMPORTS_PER_SOL, SOL_DECIMALS } from '../../../base/solana/programs';
import { SETTING } from '../names';

/** In which currency sums are shown. */
export type Currency = 'usd' | 'sol';

/** A setting as it was found. */
export type SettingReading<Value> =
  | { readonly ok: true; readonly value: Value; /** What of it does not count, and why; the rest does. */ readonly leftOut?: string }
  | { readonly ok: false; /** What is wrong, and what would be right. */ readonly message: string };

/** Reads one setting's raw value. */
export type Read<Value> = (raw: unknown) => SettingReading<Value>;

export const LEAST_REFRESH_SECONDS = 15;
export const MOST_REFRESH_SECONDS = 3_600;
export const MOST_SLIPPAGE_BPS = 10_000;
/** A tip, or fees, above this is refused whatever is set (review policy, constants). */
export const MOST_CAP_LAMPORTS = LAMPORTS_PER_SOL / 20n;
export const MOST_FEE_RECIPIENT_LAMPORTS = LAMPORTS_PER_SOL;
/** A list with more addresses is no list that somebody has looked through. */
export const MOST_ADDRESSES = 50;
export const MOST_UNLOCK_MINUTES = 1_440;

/** How many faulty entries of a list are named, and how much of each is shown. */
const MOST_NAMED = 3;
const SHOWN_OF_ENTRY = 12;

const POOL_SORTS: readonly PoolSort[] = ['mcap', 'created_at', 'vol_24h', 'tvl', 'fee_tvl_ratio', 'volatility'];
const CURRENCIES: readonly Currency[] = ['usd', 'sol'];

/** Reads the settings that have bounds. The defaults stand in package.json alone. */
export const READ = {
  [SETTING.refreshIntervalSeconds]: wholeNumber(LEAST_REFRESH_SECONDS, MOST_REFRESH_SECONDS, 'seconds'),
  [SETTING.slippageBps]: wholeNumber(0, MOST_SLIPPAGE_BPS, 'basis points'),
  [SETTING.poolsSortBy]: oneOf(POOL_SORTS),
  [SETTING.statusBarCurrency]: oneOf(CURRENCIES),
  [SETTING.simulate]: yesOrNo,
  [SETTING.strictWithoutRpc]: yesOrNo,
  [SETTING.trustedPrograms]: readAddresses,
  [SETTING.feeRecipients]: readAddresses,
  [SETTING.feeRecipientCapSol]: solAsLamports(MOST_FEE_RECIPIENT_LAMPORTS),
  [SETTING.tipCapSol]: solAsLamports(MOST_CAP_LAMPORTS),
  [SETTING.priorityFeeCapSol]: solAsLamports(MOST_CAP_LAMPORTS),
  [SETTING.unlockMinutes]: wholeNumber(1, MOST_UNLOCK_MINUTES, 'minutes'),
} as const;

/** A setting that {@link READ} reads. */
export type BoundedSetting = keyof typeof READ;

/** The value that a bounded setting gives. */
export type ValueOf<Key extends BoundedSetting> = (typeof READ)[Key] extends Read<infer Value> ? Value : never;

/**
 * What counts for settings that guard money where they cannot be read, and that in words: the strictest value, not the default,
 * which may be laxer than what was meant. The default counts for all others.
 */
export const whenFaulty = (): { readonly [Key in BoundedSetting]?: { readonly value: ValueOf<Key>; readonly words: string } } => ({
  [SETTING.simulate]: { value: true, words: l10n.t('Transactions are simulated') },
  [SETTING.strictWithoutRpc]: { value: true, words: l10n.t('The strict rule counts') },
  [SETTING.trustedPrograms]: { value: [], words: l10n.t('No further program is trusted') },
  [SETTING.feeRecipients]: { value: [], words: l10n.t('Nobody is taken for a recipient of fees') },
  [SETTING.feeRecipientCapSol]: { value: 0n, words: l10n.t('Recipients of fees may get no SOL') },
  [SETTING.tipCapSol]: { value: 0n, words: l10n.t('Every tip is asked about') },
  [SETTING.priorityFeeCapSol]: { value: 0n, words: l10n.t('Fees are asked about each time') },
  [SETTING.unlockMinutes]: { value: 1, words: l10n.t('One minute is used') },
});

/** Reads a whole number within bounds, both of them in it. */
export function wholeNumber(least: number, most: number, unit: string): Read<number> {
  return (raw) =>
    typeof raw === 'number' && Number.isInteger(raw) && raw >= least && raw <= most
      ? { ok: true, value: raw }
      : { ok: false, message: l10n.t`has to be a whole number of ${unit} from ${least} to ${most}, not ${quoted(raw)}` };
}

/** Reads one of these texts. */
export function oneOf<Value extends string>(values: readonly Value[]): Read<Value> {
  return (raw) => {
    const value = values.find((one) => one === raw);
    return value === undefined
      ? { ok: false, message: l10n.t`has to be one of ${values.join(', ')}, not ${quoted(raw)}` }
      : { ok: true, value };
  };
}

function yesOrNo(raw: unknown): SettingReading<boolean> {
  return typeof raw === 'boolean'
    ? { ok: true, value: raw }
    : { ok: false, message: l10n.t`has to be one of true, false, not ${quoted(raw)}` };
}

/** Reads an amount of SOL, from nothing to `most`, as lamports: exactly, or not at all. */
export function solAsLamports(most: bigint): Read<bigint> {
  return (raw) => {
    const lamports = typeof raw === 'number' ? exactLamports(raw) : undefined;
    return lamports !== undefined && lamports <= most
      ? { ok: true, value: lamports }
      : {
          ok: false,
          message: l10n.t`has to be a number of SOL from 0 to ${lamportsToSol(most)} with at most ${SOL_DECIMALS} decimals, not ${quoted(raw)}`,
        };
  };
}

/** The lamports whose SOL the number is the nearest one to; `undefined` where it is none, or has more decimals than SOL. */
function exactLamports(sol: number): bigint | undefined {
  const text = sol.toFixed(SOL_DECIMALS);
  return Number(text) === sol ? parseDecimal(text, SOL_DECIMALS) : undefined;
}

/** Reads a list of addresses. An entry that is none is left out and named: the others count. */
export function readAddresses(raw: unknown): SettingReading<readonly Address[]> {
  if (!Array.isArray(raw)) {
    return { ok: false, message: l10n.t`has to be a list of Solana addresses, not ${quoted(raw)}` };
  }
  const entries: readonly unknown[] = raw;
  const parsed = entries.slice(0, MOST_ADDRESSES).map((entry) => (typeof entry === 'string' ? parseAddress(entry.trim()) : undefined));
  const faulty = parsed.flatMap((address, place) => (address === undefined ? [nameEntry(entries[place], place)] : []));
  const problems = [
    ...(faulty.length === 0
      ? []
      : [
          `${faulty.slice(0, MOST_NAMED).join(', ')}${faulty.length > MOST_NAMED ? l10n.t` and ${faulty.length - MOST_NAMED} more` : ''} ${faulty.length === 1 ? l10n.t('is no Solana address') : l10n.t('are no Solana addresses')}`,
        ]),
    ...(entries.length > MOST_ADDRESSES ? [l10n.t`only the first ${MOST_ADDRESSES} of ${entries.length} entries count`] : []),
  ];
  const value = [...new Set(parsed.filter((entry) => entry !== undefined))];
  return problems.length === 0 ? { ok: true, value } : { ok: true, value, leftOut: problems.join('; ') };
}

/** Names an entry by its place and its first letters: what was pasted by mistake may be a secret. */
function nameEntry(entry: unknown, place: number): string {
  return l10n.t`entry ${place + 1} (${typeof entry === 'string' ? `"${oneLine(entry, SHOWN_OF_ENTRY)}"` : quoted(entry)})`;
}
