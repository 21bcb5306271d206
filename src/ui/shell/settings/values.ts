import * as l10n from '@vscode/l10n';
import { type Address, parseAddress } from '../../../base/solana/address';
import { parseDecimal } from '../../../base/solana/amounts';
import { SOL_DECIMALS } from '../../../base/solana/programs';
import { oneLine, quoted } from '../../../base/text';
import type { PolicySettings } from '../../../review/policy';
import { RULES, SETTINGS } from '../../../settings/generated/settings';
import type { SettingUnit } from '../../../settings/settingDeclaration';
import type { BoundedSetting, RuleId, SettingValue, StrictSetting } from '../../../settings/settingTypes';

export type Currency = SettingValue<'binsight.currency'>;

/** Addresses that were settings in version 0.2. */
export const FORMER_ADDRESSES = [
  'binsight.rpcUrl',
  'binsight.solanaRpc.dataApi',
  'binsight.solanaRpc.priceApi',
  'binsight.solanaRpc.swapApi',
  'binsight.solanaRpc.jito',
] as const;
export type FormerAddress = (typeof FORMER_ADDRESSES)[number];

/** The result of reading a setting. */
export type SettingReading<Value> =
  | { readonly ok: true; readonly value: Value; /** The entries that are ignored, and why. */ readonly leftOut?: string }
  | {
      readonly ok: false;
      /** The values that it can have, for {@link faultText}. */
      readonly expected: string;
      /** Its value, quoted; "…" where that may be a secret. */
      readonly found: string;
    };

export type Read<Value> = (raw: unknown) => SettingReading<Value>;

export interface SettingsReader {
  get<Id extends BoundedSetting>(id: Id): SettingValue<Id>;
}

/** Number of faulty entries that a message names, and characters shown of each. */
const MOST_NAMED = 3;
const SHOWN_OF_ENTRY = 12;

export const UNITS: Readonly<Record<SettingUnit, () => string>> = {
  'basis points': () => l10n.t('basis points'),
  bins: () => l10n.t('bins'),
  checks: () => l10n.t('checks'),
  minutes: () => l10n.t('minutes'),
  percent: () => l10n.t('percent'),
  positions: () => l10n.t('positions'),
  rebalances: () => l10n.t('rebalances'),
  'requests per second': () => l10n.t('requests per second'),
  seconds: () => l10n.t('seconds'),
  'US dollars': () => l10n.t('US dollars'),
};

/** What replaces an invalid value. */
interface Strictest<Value> {
  readonly value: Value;
  /** The same as it is written in the settings. */
  readonly written: string;
}

const strictest = (): { readonly [Id in StrictSetting]: Strictest<SettingValue<Id>> } => ({
  'binsight.review.simulate': { value: true, written: 'true' },
  'binsight.review.trustedPrograms': { value: [], written: '[]' },
  'binsight.review.feeRecipients': { value: [], written: '[]' },
  'binsight.review.feeRecipientCapSol': { value: 0n, written: '0' },
  'binsight.review.costCapSol': { value: 0n, written: '0' },
  'binsight.wallet.unlockMinutes': { value: 1, written: '1' },
  'binsight.solanaRpc.publicData': { value: false, written: 'false' },
});

/**
 * Says that the value of a setting or a rule is invalid.
 * @param consequence a sentence: what it means until the user corrects it
 */
export function faultText(
  name: string,
  { expected, found }: SettingReading<unknown> & { readonly ok: false },
  consequence: string,
): string {
  return l10n.t`${name} must be ${expected}, not ${found}. ${consequence}`;
}

/** Says that entries of a list are invalid. @param consequence as of {@link faultText} */
export function leftOutText(name: string, leftOut: string, consequence: string): string {
  return l10n.t`${name} contains invalid entries: ${leftOut}. ${consequence}`;
}

/**
 * The values of faulty settings that guard money or privacy: the strictest value, because the default can be laxer than what the user meant. All
 * other faulty settings fall back to their default.
 */
export const whenFaulty: () => { readonly [Id in BoundedSetting]?: Strictest<SettingValue<Id>> } = strictest;

/** What has bounds that are checked when it is read. */
const BOUNDS = { ...SETTINGS, ...RULES } as const;

/** Returns the reader of a setting or a rule, with the bounds of its declaration. */
export function readerOf<Id extends BoundedSetting | RuleId>(id: Id): Read<SettingValue<Id>> {
  return readerFor(BOUNDS[id]) as Read<SettingValue<Id>>;
}

function readerFor(bounds: (typeof BOUNDS)[BoundedSetting | RuleId]): Read<unknown> {
  switch (bounds.kind) {
    case 'switch':
      return yesOrNo;
    case 'choice':
      return oneOf<string>(bounds.choices);
    case 'integer':
      return figure(bounds.minimum, bounds.maximum, UNITS[bounds.unit], Number.isInteger);
    case 'number':
      return figure(bounds.minimum, bounds.maximum, UNITS[bounds.unit]);
    case 'sol':
      return solAsLamports(bounds.maximum);
    case 'addresses':
      return addresses(bounds.maximum);
    case 'line':
      return line(bounds.maximum);
  }
}

/** Reads a number from `least` to `most`, both included. `unit` is shown in messages. */
function figure(least: number, most: number, unit: () => string, accepts: (value: number) => boolean = () => true): Read<number> {
  return (raw) =>
    typeof raw === 'number' && accepts(raw) && raw >= least && raw <= most
      ? { ok: true, value: raw }
      : fault(`${least}–${most} ${unit()}`, raw);
}

function fault(expected: string, raw: unknown): SettingReading<never> {
  return { ok: false, expected, found: quoted(raw) };
}

/** Reads one of these texts. */
function oneOf<Value extends string>(values: readonly Value[]): Read<Value> {
  return (raw) => {
    const value = values.find((one) => one === raw);
    return value === undefined ? fault(values.join(' / '), raw) : { ok: true, value };
  };
}

function line(mostCharacters: number): Read<string> {
  return (raw) =>
    typeof raw === 'string' && raw.length <= mostCharacters && !raw.includes('\n')
      ? { ok: true, value: raw }
      : { ok: false, expected: l10n.t`a line of at most ${mostCharacters} characters`, found: '…' };
}

/** Reads a switch. */
function yesOrNo(raw: unknown): SettingReading<boolean> {
  return typeof raw === 'boolean' ? { ok: true, value: raw } : fault('true / false', raw);
}

/** Reads an amount of SOL from 0 to `mostSol` as lamports. It never rounds: an inexact amount is invalid. */
function solAsLamports(mostSol: number): Read<bigint> {
  return (raw) => {
    const lamports = typeof raw === 'number' && raw <= mostSol ? exactLamports(raw) : undefined;
    return lamports === undefined ? fault(`0–${mostSol} SOL`, raw) : { ok: true, value: lamports };
  };
}

/** Reads a list of addresses. Invalid entries are left out and named, and so are those beyond `most`. */
function addresses(most: number): Read<readonly Address[]> {
  return (raw) => {
    if (!Array.isArray(raw)) {
      return fault(l10n.t('a list of Solana addresses'), raw);
    }
    const entries: readonly unknown[] = raw;
    const parsed = entries.slice(0, most).map((entry) => (typeof entry === 'string' ? parseAddress(entry.trim()) : undefined));
    const faulty = parsed.flatMap((address, place) => (address === undefined ? [nameEntry(entries[place], place)] : []));
    const problems = [
      ...faulty.slice(0, MOST_NAMED),
      ...(faulty.length > MOST_NAMED ? ['…'] : []),
      ...(entries.length > most ? [`#${most + 1}–${entries.length} (> ${most})`] : []),
    ];
    const value = [...new Set(parsed.filter((entry) => entry !== undefined))];
    return problems.length === 0 ? { ok: true, value } : { ok: true, value, leftOut: problems.join(', ') };
  };
}

/**
 * The part of the review policy that settings change. They move the line between "allowed" and "asks"; neither the limits above which
 * the review rejects nor the rules that always apply are settings.
 */
export function reviewPolicy(settings: SettingsReader): Partial<PolicySettings> {
  const costCapLamports = settings.get('binsight.review.costCapSol');
  return {
    tipAllowLamports: costCapLamports,
    feeAllowLamports: costCapLamports,
    trustedPrograms: settings.get('binsight.review.trustedPrograms'),
    feeRecipients: settings.get('binsight.review.feeRecipients'),
    feeRecipientCapLamports: settings.get('binsight.review.feeRecipientCapSol'),
  };
}

/** Returns the review's settings. Each access reads them again. */
export function reviewSettings(settings: SettingsReader): {
  readonly policy: () => Partial<PolicySettings>;
  readonly isSimulating: () => boolean;
} {
  return { policy: () => reviewPolicy(settings), isSimulating: () => settings.get('binsight.review.simulate') };
}

/** Converts SOL to lamports; `undefined` if the number has more decimals than SOL. */
function exactLamports(sol: number): bigint | undefined {
  const text = sol.toFixed(SOL_DECIMALS);
  return Number(text) === sol ? parseDecimal(text, SOL_DECIMALS) : undefined;
}

/** Names an entry by its place and only its first characters, because a secret can be pasted by mistake. */
function nameEntry(entry: unknown, place: number): string {
  return `#${place + 1} (${typeof entry === 'string' ? `"${oneLine(entry, SHOWN_OF_ENTRY)}"` : quoted(entry)})`;
}
