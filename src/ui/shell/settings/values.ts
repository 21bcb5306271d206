import * as l10n from '@vscode/l10n';
import { type Address, parseAddress } from '../../../base/solana/address';
import { lamportsToSol, parseDecimal } from '../../../base/solana/amounts';
import { LAMPORTS_PER_SOL, SOL_DECIMALS } from '../../../base/solana/programs';
import { oneLine, quoted } from '../../../base/text';
import type { PolicySettings } from '../../../review/policy';
import { BaseUrlError, parseBaseUrl } from '../../../service/baseUrl';
import type { PoolSort } from '../../../service/service';
import { SETTING } from '../names';

export type Currency = 'usd' | 'sol';

export const POSITION_SORTS = ['attention', 'pnlPercent', 'pnl', 'value', 'fees', 'age', 'pair'] as const;
/** The order of the positions in the sidebar. */
export type PositionSort = (typeof POSITION_SORTS)[number];

export const POSITION_GROUPINGS = ['none', 'range', 'pool', 'wallet'] as const;
/** `range`: out of range, unknown, in range. `wallet`: the wallet in use, then the others. */
export type PositionGrouping = (typeof POSITION_GROUPINGS)[number];

/** The result of reading a setting. */
export type SettingReading<Value> =
  | { readonly ok: true; readonly value: Value; /** The entries that are ignored, and why. */ readonly leftOut?: string }
  | { readonly ok: false; /** What is expected and what was found; it follows "The setting X". */ readonly message: string };

export type Read<Value> = (raw: unknown) => SettingReading<Value>;

export interface SettingsReader {
  get<Key extends BoundedSetting>(key: Key): ValueOf<Key>;
}

const LEAST_REFRESH_SECONDS = 15;
const MOST_REFRESH_SECONDS = 3_600;
export const MOST_SLIPPAGE_BPS = 10_000;
/** The review rejects higher tips and fees whatever the settings are (src/review/README.md). */
export const MOST_CAP_LAMPORTS = LAMPORTS_PER_SOL / 20n;
const MOST_FEE_RECIPIENT_LAMPORTS = LAMPORTS_PER_SOL;
/** A longer list is unlikely to have been checked by its user. */
export const MOST_ADDRESSES = 50;
const MOST_UNLOCK_MINUTES = 1_440;
const MOST_REQUESTS_PER_SECOND = 1_000;
/** Characters of the template of the status bar. */
const MOST_TEMPLATE = 200;
/** Number of faulty entries that a message names, and characters shown of each. */
const MOST_NAMED = 3;
const SHOWN_OF_ENTRY = 12;
const POOL_SORTS: readonly PoolSort[] = ['mcap', 'created_at', 'vol_24h', 'tvl', 'fee_tvl_ratio', 'volatility'];
/** What the service's plans allow (Basic, Premium, Enterprise); `automatic`: what the service says itself. */
const REQUEST_PLANS = ['automatic', '5', '10', '20'] as const;
const CURRENCIES: readonly Currency[] = ['usd', 'sol'];

/** Readers of the settings that have bounds. Only package.json has the defaults. */
export const READ = {
  [SETTING.requestsPerMinute]: oneOf(REQUEST_PLANS),
  [SETTING.refreshIntervalSeconds]: wholeNumber(LEAST_REFRESH_SECONDS, MOST_REFRESH_SECONDS, () => l10n.t('seconds')),
  [SETTING.slippageBps]: wholeNumber(0, MOST_SLIPPAGE_BPS, () => l10n.t('basis points')),
  [SETTING.positionsSortBy]: oneOf(POSITION_SORTS),
  [SETTING.positionsGroupBy]: oneOf(POSITION_GROUPINGS),
  [SETTING.poolsSortBy]: oneOf(POOL_SORTS),
  [SETTING.statusBarCurrency]: oneOf(CURRENCIES),
  [SETTING.statusBarTemplate]: shortLine,
  [SETTING.statusBarWarnOutOfRange]: yesOrNo,
  [SETTING.assistantsEnabled]: yesOrNo,
  [SETTING.simulate]: yesOrNo,
  [SETTING.strictWithoutRpc]: yesOrNo,
  [SETTING.trustedPrograms]: readAddresses,
  [SETTING.feeRecipients]: readAddresses,
  [SETTING.feeRecipientCapSol]: solAsLamports(MOST_FEE_RECIPIENT_LAMPORTS),
  [SETTING.tipCapSol]: solAsLamports(MOST_CAP_LAMPORTS),
  [SETTING.priorityFeeCapSol]: solAsLamports(MOST_CAP_LAMPORTS),
  [SETTING.unlockMinutes]: wholeNumber(1, MOST_UNLOCK_MINUTES, () => l10n.t('minutes')),
  [SETTING.solanaRequestsPerSecond]: wholeNumber(1, MOST_REQUESTS_PER_SECOND, () => l10n.t('requests per second')),
  [SETTING.solanaDataApi]: addressOrNone,
  [SETTING.solanaPriceApi]: addressOrNone,
  [SETTING.solanaSwapApi]: addressOrNone,
  [SETTING.solanaJito]: addressOrNone,
} as const;

export type BoundedSetting = keyof typeof READ;

export type ValueOf<Key extends BoundedSetting> = (typeof READ)[Key] extends Read<infer Value> ? Value : never;

/**
 * The values of faulty settings that guard money: the strictest value, because the default can be laxer than what the user meant. All
 * other faulty settings fall back to their default.
 */
export const whenFaulty = (): { readonly [Key in BoundedSetting]?: { readonly value: ValueOf<Key>; readonly consequence: string } } => ({
  [SETTING.simulate]: { value: true, consequence: l10n.t('Transactions are simulated until you correct it.') },
  [SETTING.strictWithoutRpc]: { value: true, consequence: l10n.t('The strict rule applies until you correct it.') },
  [SETTING.trustedPrograms]: { value: [], consequence: l10n.t('No additional programs are trusted until you correct it.') },
  [SETTING.feeRecipients]: { value: [], consequence: l10n.t('No fee recipients are approved until you correct it.') },
  [SETTING.feeRecipientCapSol]: { value: 0n, consequence: l10n.t('Fee recipients may receive no SOL until you correct it.') },
  [SETTING.tipCapSol]: { value: 0n, consequence: l10n.t('Binsight asks about every tip until you correct it.') },
  [SETTING.priorityFeeCapSol]: { value: 0n, consequence: l10n.t('Binsight asks about fees every time until you correct it.') },
  [SETTING.unlockMinutes]: { value: 1, consequence: l10n.t('Wallets stay unlocked for one minute until you correct it.') },
  [SETTING.solanaDataApi]: { value: '', consequence: l10n.t('No data API is used until you correct it.') },
});

/** Reads a whole number from `least` to `most`, both included. `unit` is shown in messages. */
export function wholeNumber(least: number, most: number, unit: () => string): Read<number> {
  return (raw) =>
    typeof raw === 'number' && Number.isInteger(raw) && raw >= least && raw <= most
      ? { ok: true, value: raw }
      : { ok: false, message: l10n.t`must be a whole number from ${least} to ${most} (${unit()}), not ${quoted(raw)}` };
}

/** Reads a number from `least` to `most`, both included. */
export function figure(least: number, most: number): Read<number> {
  return (raw) =>
    typeof raw === 'number' && raw >= least && raw <= most
      ? { ok: true, value: raw }
      : { ok: false, message: l10n.t`must be a number from ${least} to ${most}, not ${quoted(raw)}` };
}

/** Reads one of these texts. */
export function oneOf<Value extends string>(values: readonly Value[]): Read<Value> {
  return (raw) => {
    const value = values.find((one) => one === raw);
    return value === undefined
      ? { ok: false, message: l10n.t`must be one of ${values.join(', ')}, not ${quoted(raw)}` }
      : { ok: true, value };
  };
}

function shortLine(raw: unknown): SettingReading<string> {
  return typeof raw === 'string' && raw.length <= MOST_TEMPLATE && !raw.includes('\n')
    ? { ok: true, value: raw }
    : { ok: false, message: l10n.t`must be a line of at most ${MOST_TEMPLATE} characters` };
}

/** Reads a switch. */
export function yesOrNo(raw: unknown): SettingReading<boolean> {
  return typeof raw === 'boolean' ? { ok: true, value: raw } : { ok: false, message: l10n.t`must be true or false, not ${quoted(raw)}` };
}

/** Reads the address of an API that needs no key; empty: none. The message does not quote the text, which can contain a key by mistake. */
function addressOrNone(raw: unknown): SettingReading<string> {
  if (typeof raw === 'string' && raw.trim() === '') {
    return { ok: true, value: '' };
  }
  try {
    return { ok: true, value: parseBaseUrl(typeof raw === 'string' ? raw : '') };
  } catch (error) {
    if (error instanceof BaseUrlError) {
      return { ok: false, message: l10n.t('must be an address that starts with https:// and contains no key and no "?", or empty') };
    }
    throw error;
  }
}

/** Reads an amount of SOL from 0 to `most` lamports. It never rounds: an inexact amount is invalid. */
export function solAsLamports(most: bigint): Read<bigint> {
  return (raw) => {
    const lamports = typeof raw === 'number' ? exactLamports(raw) : undefined;
    return lamports !== undefined && lamports <= most
      ? { ok: true, value: lamports }
      : {
          ok: false,
          message: l10n.t`must be an amount of SOL from 0 to ${lamportsToSol(most)} with at most ${SOL_DECIMALS} decimals, not ${quoted(raw)}`,
        };
  };
}

/** Reads a list of addresses. Invalid entries are left out and named. */
export function readAddresses(raw: unknown): SettingReading<readonly Address[]> {
  if (!Array.isArray(raw)) {
    return { ok: false, message: l10n.t`must be a list of Solana addresses, not ${quoted(raw)}` };
  }
  const entries: readonly unknown[] = raw;
  const parsed = entries.slice(0, MOST_ADDRESSES).map((entry) => (typeof entry === 'string' ? parseAddress(entry.trim()) : undefined));
  const faulty = parsed.flatMap((address, place) => (address === undefined ? [nameEntry(entries[place], place)] : []));
  const problems = [
    ...(faulty.length === 0 ? [] : [faultyEntriesMessage(faulty)]),
    ...(entries.length > MOST_ADDRESSES ? [l10n.t`only the first ${MOST_ADDRESSES} of ${entries.length} entries are used`] : []),
  ];
  const value = [...new Set(parsed.filter((entry) => entry !== undefined))];
  return problems.length === 0 ? { ok: true, value } : { ok: true, value, leftOut: problems.join('; ') };
}

/**
 * The part of the review policy that settings change. They move the line between "allowed" and "asks"; neither the limits above which
 * the review rejects nor the rules that always apply are settings.
 */
export function reviewPolicy(settings: SettingsReader): Partial<PolicySettings> {
  return {
    tipAllowLamports: settings.get(SETTING.tipCapSol),
    feeAllowLamports: settings.get(SETTING.priorityFeeCapSol),
    trustedPrograms: settings.get(SETTING.trustedPrograms),
    feeRecipients: settings.get(SETTING.feeRecipients),
    feeRecipientCapLamports: settings.get(SETTING.feeRecipientCapSol),
    isStrictWithoutRpc: settings.get(SETTING.strictWithoutRpc),
  };
}

/** Returns the review's settings. Each access reads them again. */
export function reviewSettings(settings: SettingsReader): {
  readonly policy: () => Partial<PolicySettings>;
  readonly isSimulating: () => boolean;
} {
  return { policy: () => reviewPolicy(settings), isSimulating: () => settings.get(SETTING.simulate) };
}

/** Converts SOL to lamports; `undefined` if the number has more decimals than SOL. */
function exactLamports(sol: number): bigint | undefined {
  const text = sol.toFixed(SOL_DECIMALS);
  return Number(text) === sol ? parseDecimal(text, SOL_DECIMALS) : undefined;
}

function faultyEntriesMessage(entries: readonly string[]): string {
  const named = entries.slice(0, MOST_NAMED).join(', ');
  if (entries.length > MOST_NAMED) {
    return l10n.t`${named} and ${entries.length - MOST_NAMED} more are not Solana addresses`;
  }
  return entries.length === 1 ? l10n.t`${named} is not a Solana address` : l10n.t`${named} are not Solana addresses`;
}

/** Names an entry by its place and only its first characters, because a secret can be pasted by mistake. */
function nameEntry(entry: unknown, place: number): string {
  return l10n.t`entry ${place + 1} (${typeof entry === 'string' ? `"${oneLine(entry, SHOWN_OF_ENTRY)}"` : quoted(entry)})`;
}
