import type { OperationState } from '../../src/operations/journal/types';
import type { Random } from '../fuzz/random';
import type { Point } from './protocol';

/** What is done. Wide: over more bins than one transaction takes. */
export const JOBS = ['zapOut', 'zapOutShare', 'zapOutWide', 'zapOutProduct', 'zapIn', 'zapInWide', 'zapInProduct'] as const;
export type JobName = (typeof JOBS)[number];

/** What goes wrong besides the crash. */
export const TROUBLES = [
  'none',
  /** It lands, and the connection is cut instead of an answer. */
  'cut',
  /** It lands, and half of an answer comes. */
  'half',
  /** It lands, and a gateway answers with 502. */
  'badGateway',
  /** It does not land, and a gateway answers with 502. */
  'refused',
  /** It lands late, whether anybody waits for it or not. */
  'slow',
  /** What has landed is listed late. */
  'lag',
  'cutAndLag',
  /** It expires before it is handed over. */
  'expiresBefore',
  /** It expires while it is being landed. */
  'expiresMeanwhile',
  /** The price moves before it lands, perhaps too far. */
  'moves',
] as const;
export type Trouble = (typeof TROUBLES)[number];

/** When the window is killed. */
export type Kill =
  /** So long after it came to a point; at once: it never goes on from there. */
  | { readonly kind: 'point'; readonly point: Point; readonly afterMs: number }
  /** So long after it began. */
  | { readonly kind: 'time'; readonly afterMs: number }
  | { readonly kind: 'never' };

/** One operation, and what happens to it. */
export interface TrialPlan {
  readonly job: JobName;
  /** Which of the pools that there are for it, counted round and round. */
  readonly pool: number;
  readonly trouble: Trouble;
  readonly kill: Kill;
  readonly hasRpc: boolean;
  /** Another window looks on from the beginning. */
  readonly hasBystander: boolean;
  /** After the restart the user does the same again, before anybody has found out what became of it. */
  readonly repeats: boolean;
  /** The window that finds out is killed, too. */
  readonly killsFinderAfterMs: number | undefined;
  /** How the first operation has to end, where that is known; `none`: it never began. */
  readonly mustEnd?: OperationState | 'none';
}

const WITHOUT_MORE = { pool: 0, hasRpc: true, hasBystander: false, repeats: false, killsFinderAfterMs: undefined } as const;
/** In the middle of what a slow landing takes. */
const WHILE_LANDING_MS = 150;
const BEFORE_SENT = ['created', 'built', 'reviewed', 'approved', 'signed'] as const;

/** Where nothing goes wrong but the crash: every point there is, and how it has to end. */
const POINTS: readonly (readonly [Point, OperationState | 'none'])[] = [
  ['before created', 'none'],
  ...BEFORE_SENT.flatMap((kind): readonly (readonly [Point, OperationState])[] => [...(kind === 'created' ? [] : [[`before ${kind}`, 'abandoned'] as const]), [`after ${kind}`, 'abandoned']]),
  ['before submitted', 'abandoned'],
  ['after submitted', 'expired'],
  ['before landing', 'expired'],
  ['after landing', 'settled'],
  ['before landed', 'settled'],
  ['after landed', 'settled'],
  ['before settled', 'settled'],
  ['after settled', 'settled'],
];

/** An operation that nothing happens to, though another window looks on. */
export function calmPlan(job: JobName): TrialPlan {
  return { ...WITHOUT_MORE, hasBystander: true, job, trouble: 'none', kill: { kind: 'never' }, mustEnd: 'settled' };
}

/** A kill at every step boundary, with nothing else going wrong; around what is written where no answer comes; and while it is being landed. */
export function boundaryPlans(job: JobName): readonly TrialPlan[] {
  return [
    ...POINTS.map(([point, mustEnd]) => ({ ...WITHOUT_MORE, job, trouble: 'none' as const, kill: at(point), mustEnd })),
    ...(['before unconfirmed', 'after unconfirmed'] as const).map((point) => ({ ...WITHOUT_MORE, job, trouble: 'cut' as const, kill: at(point), mustEnd: 'settled' as const })),
    { ...WITHOUT_MORE, job, trouble: 'slow', kill: at('before landing', WHILE_LANDING_MS), mustEnd: 'settled' },
  ];
}

/** The same, where there is no RPC to ask, as far as that makes a difference. */
export function boundaryPlansWithoutRpc(job: JobName): readonly TrialPlan[] {
  return boundaryPlans(job)
    .filter(({ mustEnd }) => mustEnd === 'expired' || mustEnd === 'settled')
    .map((plan) => ({ ...plan, hasRpc: false }));
}

function at(point: Point, afterMs = 0): Kill {
  return { kind: 'point', point, afterMs };
}

const SOMEWHERE: readonly Point[] = [...POINTS.map(([point]) => point), 'before unconfirmed', 'after unconfirmed', 'before landing', 'after submitted'];
/** Longer than most steps take. */
const LONGEST_AFTER_MS = 60;
/** Of the time that an operation usually takes: troubles make it longer. */
const LATEST = 1.5;

/** @param usualMs how long the job takes on this machine */
export function randomPlan(random: Random, usualMs: (job: JobName) => number): TrialPlan {
  const job = random.of(JOBS);
  const trouble = random.of(TROUBLES);
  const byTime = random.once(2);
  return {
    ...{ job, trouble, pool: random.below(1_000) },
    kill: byTime ? { kind: 'time', afterMs: random.below(Math.round(LATEST * usualMs(job))) } : at(random.of(SOMEWHERE), random.below(LONGEST_AFTER_MS)),
    hasRpc: !random.once(3),
    hasBystander: random.once(4),
    repeats: random.once(3),
    killsFinderAfterMs: random.once(3) ? random.below(400) : undefined,
  };
}

/** The plan in words, for whoever has to find out what was wrong. */
export function nameOfPlan({ job, pool, trouble, kill, hasRpc, hasBystander, repeats, killsFinderAfterMs }: TrialPlan): string {
  const when = kill.kind === 'never' ? 'not killed' : kill.kind === 'time' ? `killed after ${kill.afterMs} ms` : `killed ${kill.afterMs === 0 ? '' : `${kill.afterMs} ms after it came to `}"${kill.point}"`;
  const more = [hasRpc ? 'RPC' : 'no RPC', ...(hasBystander ? ['bystander'] : []), ...(repeats ? ['repeated'] : []), ...(killsFinderAfterMs === undefined ? [] : [`finder killed after ${killsFinderAfterMs} ms`])];
  return `${job} (pool ${pool}), trouble: ${trouble}, ${when}; ${more.join(', ')}`;
}
