import { reportRow } from '../host/benchRows.mjs';
import { FAULT_PHASES } from './faultPhases';
import { growthOf, LEAST_SAMPLES, WARM_UP_SHARE, type GrowthLimit } from './flatness';
import type { SoakProgress, SoakReport, SoakSample } from './soakRun';

/** A figure that may not grow after the warm-up. */
interface Watched {
  readonly name: string;
  readonly unit: 'MB' | '';
  readonly of: (sample: SoakSample) => number | undefined;
  readonly limit: GrowthLimit;
}

const megabytes = (bytes: number): number => bytes / 1e6;

/** All judged figures. */
const WATCHED: readonly Watched[] = [
  { name: 'extension: heap', unit: 'MB', of: ({ extension }) => megabytes(extension.heapBytes), limit: { mostPerMinute: 0.5, least: 1 } },
  {
    name: 'extension: memory outside the heap',
    unit: 'MB',
    of: ({ extension }) => megabytes(extension.externalBytes),
    limit: { mostPerMinute: 0.2, least: 1 },
  },
  {
    name: 'extension: resident',
    unit: 'MB',
    of: ({ extension }) => megabytes(extension.residentBytes),
    limit: { mostPerMinute: 3, least: 20 },
  },
  { name: 'extension: handles', unit: '', of: ({ extension }) => extension.handles, limit: { mostPerMinute: 0.2, least: 3 } },
  { name: 'extension: descriptors', unit: '', of: ({ extension }) => extension.descriptors, limit: { mostPerMinute: 0.2, least: 3 } },
  { name: 'sandbox: heap', unit: 'MB', of: ({ sandbox }) => megabytes(sandbox.heapBytes), limit: { mostPerMinute: 0.5, least: 1 } },
  {
    name: 'sandbox: memory outside the heap',
    unit: 'MB',
    of: ({ sandbox }) => megabytes(sandbox.externalBytes),
    limit: { mostPerMinute: 0.2, least: 1 },
  },
  { name: 'sandbox: resident', unit: 'MB', of: ({ sandbox }) => megabytes(sandbox.residentBytes), limit: { mostPerMinute: 3, least: 20 } },
  { name: 'sandbox: sockets', unit: '', of: ({ sandbox }) => sandbox.sockets, limit: { mostPerMinute: 0.2, least: 3 } },
  { name: 'sandbox: abort signals', unit: '', of: ({ sandbox }) => sandbox.abortSignals, limit: { mostPerMinute: 0.2, least: 3 } },
  { name: 'sandbox: descriptors', unit: '', of: ({ sandbox }) => sandbox.descriptors, limit: { mostPerMinute: 0.2, least: 3 } },
];

function growthIn(samples: readonly SoakSample[], { of, limit }: Watched): ReturnType<typeof growthOf> {
  const series = samples.flatMap((sample) => {
    const value = of(sample);
    return value === undefined ? [] : [{ minutes: sample.minutes, value }];
  });
  return growthOf(series, limit);
}

/** The figures that have grown, as text. What could not be judged counts as well: a run that is too short proves nothing. */
export function judge(samples: readonly SoakSample[]): readonly string[] {
  return WATCHED.flatMap((watched) => {
    const growth = growthIn(samples, watched);
    if (growth.kind === 'tooShort') {
      const isTold = samples.length === 0 || samples.some((sample) => watched.of(sample) !== undefined);
      return !isTold
        ? []
        : [`${watched.name} could not be judged: ${growth.samples} samples are too few; at least ${LEAST_SAMPLES} are needed`];
    }
    return growth.isFlat
      ? []
      : [
          `${watched.name} grows by ${growth.perMinute.toFixed(2)} ${watched.unit} a minute, from ${growth.from.toFixed(1)} to ${growth.to.toFixed(1)}; at most ${watched.limit.mostPerMinute} a minute is allowed`,
        ];
  });
}

/** One line a minute. */
export function progressLine({ minutes, operations, sample }: SoakProgress): string {
  const held =
    sample === undefined
      ? ''
      : `; extension ${megabytes(sample.extension.heapBytes).toFixed(1)} MB heap, ${sample.extension.handles} handles, ${sample.extension.descriptors ?? '?'} descriptors; sandbox ${megabytes(sample.sandbox.heapBytes).toFixed(1)} MB heap, ${sample.sandbox.sockets} sockets, ${sample.sandbox.descriptors ?? '?'} descriptors`;
  return `minute ${minutes}: ${operations} operations of the user${held}`;
}

/** The table of the results. */
export function reportRows({ samples, records, endings, automated, panelReads, phases }: SoakReport): void {
  reportRow({
    what: 'operations in the journal',
    result: tally(records.map(({ created, state }) => `${created.operation} ${state}`)),
    how: `journal after the end; ${phases} phases, all ${FAULT_PHASES.length} kinds ${phases < FAULT_PHASES.length ? 'NOT ' : ''}among them`,
  });
  reportRow({
    what: 'operations of the user',
    result: [...endings].map(([kind, count]) => `${kind} ${count}`).join(', '),
    how: 'how they ended in their window',
  });
  reportRow({
    what: 'actions of auto-rebalance',
    result: automated.length === 0 ? 'none' : tally(automated.map(({ action, outcome }) => `${action} ${outcome}`)),
    how: 'automatic, without questions',
  });
  reportRow({ what: 'reads of panels', result: `${panelReads.answered} answered, ${panelReads.failed} failed`, how: 'besides polling' });
  for (const watched of WATCHED) {
    const growth = growthIn(samples, watched);
    const { name, unit, limit } = watched;
    reportRow({
      what: name,
      beside: `limit ${limit.mostPerMinute} ${unit} a minute`.replace('  ', ' '),
      result:
        growth.kind === 'tooShort'
          ? `not judged: ${growth.samples} samples`
          : `${growth.perMinute.toFixed(3)} ${unit} a minute (${growth.from.toFixed(1)} to ${growth.to.toFixed(1)})`.replace('  ', ' '),
      how: `median slope of ${samples.length} samples after garbage collection, the first ${WARM_UP_SHARE * 100} % left out`,
    });
  }
}

function tally(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .sort()
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
