import * as l10n from '@vscode/l10n';
import { type CounterRecord, type OwnReplay, replayRecord, sharesOf } from '../../../src/base/insight/replay';
import type { AskedOutlook } from '../../../src/base/insight/poolOutlook';
import { priceOfBin } from '../../../src/base/dlmm/bins';
import { DAY_S, HOUR_S } from '../../../src/base/time';
import type { CounterRecordView, OwnReplayView } from '../../../src/protocol/outlook';
import type { PoolView } from '../../../src/protocol/pool';
import type { Part } from '../../../src/protocol/schemas';
import type { Figures } from '../figures';

/** What was recorded of the last day: what a position earned, or would have earned. */
export type RecordedFees = OwnReplay | { readonly known: false; readonly why: 'failed' };

/** What is said of recorded fees. */
export interface RecordedWords {
  readonly name: string;
  /** Raw units of token Y; `undefined`: not known. */
  readonly valueY: number | undefined;
  readonly note: string;
}

/** A day is recorded as a whole if so much of it is. */
const WHOLE_DAY_S = DAY_S - HOUR_S / 2;

/** Reads a record as the extension sends it. `undefined`: the service records nothing. */
export function counterRecordOf({ status, data }: Part<CounterRecordView>): CounterRecord | 'failed' | undefined {
  if (data === undefined) {
    return status === 'failed' ? 'failed' : undefined;
  }
  return {
    readings: data.readings,
    bins: data.bins.map(({ binId, intervals }) => ({
      binId,
      intervals: intervals.map(({ supplies, x, y }) => ({ supplies: BigInt(supplies), x: BigInt(x), y: BigInt(y) })),
    })),
  };
}

/** What a planned position would have earned. `undefined`: nothing is to be said, as of a pool without bins. */
export function recordedOfPlan({ input }: AskedOutlook, record: CounterRecord | 'failed' | undefined): RecordedFees | undefined {
  if (record === undefined || !('own' in input)) {
    return undefined;
  }
  return record === 'failed'
    ? { known: false, why: 'failed' }
    : { ...replayRecord(record, sharesOf(input.own, input.binStepBps)), isExact: false };
}

/** What an open position earned, as the extension sends it. */
export function recordedOfPosition(earned: OwnReplayView | undefined): RecordedFees | undefined {
  if (earned?.known === true) {
    return { ...earned, feeX: BigInt(earned.feeX), feeY: BigInt(earned.feeY) };
  }
  if (earned?.why === 'binsMissing') {
    return { known: false, why: 'binsMissing', missing: 0, isExact: false };
  }
  return earned === undefined
    ? undefined
    : earned.why === 'failed'
      ? { known: false, why: 'failed' }
      : { known: false, why: earned.why, isExact: false };
}

/** Recorded fees in words, at the price of today. */
export function recordedWords(
  recorded: RecordedFees,
  { input }: AskedOutlook,
  { x, y }: Pick<PoolView, 'x' | 'y'>,
  { text }: Figures,
): RecordedWords {
  const name = 'isExact' in recorded && recorded.isExact ? l10n.t('Earned') : l10n.t('Would have earned');
  if (!recorded.known) {
    return { name, valueY: undefined, note: notRecorded(recorded.why) };
  }
  const { feeX, feeY, timeInRange, seconds, gaps } = recorded;
  const whole = (raw: bigint, decimals: number | undefined): number | undefined =>
    decimals === undefined ? undefined : Number(raw) / 10 ** decimals;
  const tokens = [`${text.tokens(whole(feeX, x.decimals))} ${x.symbol}`, `${text.tokens(whole(feeY, y.decimals))} ${y.symbol}`].join(' + ');
  const share = text.fraction(Number(timeInRange.toPrecision(2)));
  const period = l10n.t`in range ${share} of the last ${seconds >= WHOLE_DAY_S ? '24h' : text.age(seconds / HOUR_S)}`;
  const pauses = gaps === 0 ? [] : [l10n.t`gaps above 2 hours: ${text.count(gaps)}`];
  return {
    name,
    valueY: 'own' in input ? Number(feeX) * priceOfBin(input.activeBinId, input.binStepBps) + Number(feeY) : undefined,
    note: [tokens, period, ...pauses].join(' · '),
  };
}

function notRecorded(why: Extract<RecordedFees, { known: false }>['why']): string {
  switch (why) {
    case 'tooFewSnapshots':
      return l10n.t('The fees of this pool are recorded from now on.');
    case 'binsMissing':
      return l10n.t('Unknown: some bins of the range were not recorded, or empty.');
    case 'noAmount':
      return l10n.t('Unknown: the amount is too small for the range.');
    case 'failed':
      return l10n.t('Could not be loaded.');
  }
}
