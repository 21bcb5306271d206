import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import { wholeUnits } from '../../base/format/time';
import { usdBrief } from '../../base/format/money';
import { significant } from '../../base/format/numbers';
import { numberText, pointed, type TypedNumber } from '../../base/format/typedNumbers';
import type { Bounds } from '../../service/service';
import { joined } from '../shell/views/rows';
import type { Reading } from '../shell/prompts/prompts';
import type { PoolFilter } from './poolQuery';
import { volumeName } from './poolRow';

type Unit = 'usd' | 'bps' | 'percent' | 'hours' | 'score';

/** The filters with a minimum and a maximum. */
type BoundName = Exclude<keyof PoolFilter, 'quoteToken' | 'poolType'>;

/** A filter with a minimum and a maximum. */
export interface BoundFilter {
  readonly name: BoundName;
  readonly label: string;
  readonly unit: Unit;
}

/** All filters with a minimum and a maximum, the most used ones first. */
export function boundFilters(): readonly BoundFilter[] {
  return [
    { name: 'liquidityUsd', label: l10n.t('TVL'), unit: 'usd' },
    { name: 'volume24hUsd', label: volumeName('24h'), unit: 'usd' },
    { name: 'volume1hUsd', label: volumeName('1h'), unit: 'usd' },
    { name: 'fees24hUsd', label: l10n.t`${'24h'} fees`, unit: 'usd' },
    { name: 'marketCapUsd', label: l10n.t('Market cap'), unit: 'usd' },
    { name: 'baseFeePercent', label: l10n.t('Base fee'), unit: 'percent' },
    { name: 'binStepBps', label: l10n.t('Bin step'), unit: 'bps' },
    { name: 'ageHours', label: l10n.t('Age'), unit: 'hours' },
    { name: 'organicScore', label: l10n.t('Organic score'), unit: 'score' },
  ];
}

export function poolTypes(): readonly { readonly label: string; readonly value: NonNullable<PoolFilter['poolType']> }[] {
  return [
    { label: l10n.t('All types'), value: 'all' },
    { label: 'DLMM', value: 'dlmm' },
    { label: 'DAMM v2', value: 'dammV2' },
  ];
}

/** An example of a bound, for the field that asks for it. */
export function boundExample(unit: Unit): string {
  switch (unit) {
    case 'usd':
      return '$10K';
    case 'bps':
      return '100';
    case 'percent':
      return '0.25%';
    case 'hours':
      return '24h, 7d';
    case 'score':
      return '70';
  }
}

/** The largest value that makes sense; nothing is larger in any list. */
const LARGEST: Readonly<Record<Unit, number>> = { usd: 1e15, bps: 10_000, percent: 100, hours: 24 * 365 * 100, score: 100 };
const FACTORS: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, b: 1e9 };
const HOURS_PER_DAY = 24;

/** Reads a bound as typed: "10000", "$10K", "1.5M", "0.25%", "7d". Empty: `undefined`, no bound. */
export function readBound(
  text: string,
  unit: Unit,
  { atLeast }: { readonly atLeast?: number | undefined } = {},
): Reading<number | undefined> {
  const typed = text.trim().toLowerCase();
  if (typed === '') {
    return { ok: true, value: undefined };
  }
  const reading = parsed(typed, unit);
  if (!reading.ok) {
    return { ok: false, message: reading.message ?? l10n.t`Enter a number, for example ${boundExample(unit)}.` };
  }
  const { value } = reading;
  if (value > LARGEST[unit]) {
    return { ok: false, message: l10n.t`At most ${boundText(LARGEST[unit], unit)}.` };
  }
  if (atLeast !== undefined && value < atLeast) {
    return { ok: false, message: l10n.t`The maximum is below the minimum of ${boundText(atLeast, unit)}.` };
  }
  return { ok: true, value };
}

const SUFFIXES: Readonly<Record<Unit, string>> = { usd: '[kmb]', bps: 'bps', percent: '%', hours: '[hd]', score: '(?!)' };

function parsed(text: string, unit: Unit): TypedNumber<number> {
  const pattern = new RegExp(`^${unit === 'usd' ? '\\$?' : ''}\\s*([\\d.,]+)\\s*(${SUFFIXES[unit]})?$`);
  const [, digits = '', suffix = ''] = pattern.exec(text) ?? [];
  const plain = pointed(digits);
  if (!plain.ok || !/^\d+(\.\d+)?$/.test(plain.value)) {
    return plain.ok ? { ok: false } : plain;
  }
  const factor = unit === 'usd' ? (FACTORS[suffix] ?? 1) : suffix === 'd' ? HOURS_PER_DAY : 1;
  return { ok: true, value: Number(plain.value) * factor };
}

/** A bound with its unit: "$10K", "100 bps", "7d". */
function boundText(value: number, unit: Unit): string {
  switch (unit) {
    case 'usd':
      return usdBrief(value);
    case 'bps':
      return l10n.t`${significant(value)} bps`;
    case 'percent':
      return `${significant(value)}%`;
    case 'hours':
      return value >= HOURS_PER_DAY && value % HOURS_PER_DAY === 0 ? wholeUnits(value / HOURS_PER_DAY, 'day') : `${significant(value)}h`;
    case 'score':
      return significant(value);
  }
}

/** The bound as {@link readBound} reads it, to be changed. */
export function boundInput(value: number | undefined): string {
  return value === undefined ? '' : numberText(value);
}

/** "≥ $10K", "≤ 100 bps", "$10K to $1M"; `undefined`: no bounds. */
export function boundsText({ min, max }: Bounds = {}, unit: Unit): string | undefined {
  if (min !== undefined && max !== undefined) {
    return min === max ? boundText(min, unit) : l10n.t`${boundText(min, unit)} to ${boundText(max, unit)}`;
  }
  return min !== undefined ? `≥ ${boundText(min, unit)}` : max !== undefined ? `≤ ${boundText(max, unit)}` : undefined;
}

/**
 * Names all active filters: "TVL ≥ $10K · DLMM"; `undefined`: none.
 * @param tokenName the symbol of a token, or its short address
 */
export function filterSummary(filter: PoolFilter, tokenName: (mint: Address) => string): string | undefined {
  const { quoteToken, poolType } = filter;
  const parts = boundFilters().flatMap(({ name, label, unit }) => {
    const text = boundsText(filter[name], unit);
    return text === undefined ? [] : [`${label} ${text}`];
  });
  const type = poolType === undefined ? undefined : poolTypes().find(({ value }) => value === poolType)?.label;
  const summary = joined([type, quoteToken === undefined ? undefined : `${l10n.t('Quote token')} ${tokenName(quoteToken)}`, ...parts]);
  return summary === '' ? undefined : summary;
}

/** The filter with other bounds. Without any, the filter is off. */
export function withBounds(filter: PoolFilter, name: BoundName, { min, max }: Bounds): PoolFilter {
  const { [name]: _before, ...others } = filter;
  return min === undefined && max === undefined
    ? others
    : { ...others, [name]: { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) } };
}

export function withPoolType(filter: PoolFilter, poolType: NonNullable<PoolFilter['poolType']>): PoolFilter {
  const { poolType: _before, ...others } = filter;
  return poolType === 'all' ? others : { ...others, poolType };
}

/** @param quoteToken `undefined`: any */
export function withQuoteToken(filter: PoolFilter, quoteToken: Address | undefined): PoolFilter {
  const { quoteToken: _before, ...others } = filter;
  return quoteToken === undefined ? others : { ...others, quoteToken };
}
