import type { OperationKind } from '../../src/base/operationKinds';
import type { OperationState } from '../../src/transactions/journal/types';
import type { Random } from '../fuzz/random';
import type { Point } from './protocol';

/** Kinds of jobs. Wide: more bins than fit into one transaction. */
export const JOBS = [
  'zapOut',
  'zapOutShare',
  'zapOutWide',
  'zapOutProduct',
  'zapIn',
  'zapInWide',
  'zapInProduct',
  /** Of the fees of one position. */
  'claim',
  /** Of the fees of a position into it. */
  'compound',
  /** Of SOL into a position. */
  'add',
  'addWide',
  /** Of a token of the wallet to SOL. */
  'swap',
  /** Out of range, with enough value to re-enter. */
  'rebalance',
  /** As wide as before. */
  'rebalanceWide',
  /** In range; the reserve lets only a part of the proceeds be re-entered. */
  'rebalanceReserve',
  /** Too small to re-enter. */
  'rebalanceSmall',
] as const;
export type JobName = (typeof JOBS)[number];

/** The review blocks deposits into positions that no RPC shows to be the user's alone. */
const NEEDS_RPC: readonly JobName[] = ['compound', 'add', 'addWide'];

/** Faults besides the crash. */
export const TROUBLES = [
  'none',
  /** It lands, and the connection is cut instead of an answer. */
  'cut',
  /** It lands, and half of an answer arrives. */
  'half',
  /** It lands, and a gateway answers 502. */
  'badGateway',
  /** It doesn't land, and a gateway answers 502. */
  'refused',
  /** It lands, and the answer claims a failure: with this status, or for this reason. */
  'lies400',
  'lies401',
  'lies403',
  'lies404',
  'lies409',
  'lies422',
  'lies429',
  'liesRedirect',
  'liesExpired',
  'liesSlippage',
  /** Only its first transactions land, and the answer claims that it expired. */
  'liesPartial',
  /** Answered with 429 once, without landing. */
  'busy',
  /** Only its first transactions land, and the answer is 500. */
  'partial',
  'partialAndLag',
  /** It lands late, even if the client is gone. */
  'slow',
  /** It lands, and is listed late. */
  'lag',
  'cutAndLag',
  /** It lands behind a 504, and is listed only after the search for it has ended. */
  'cutAndLongLag',
  /** It expires before it is sent. */
  'expiresBefore',
  /** It expires while it is landing. */
  'expiresMeanwhile',
  /** The price moves before it lands, possibly beyond the slippage tolerance. */
  'moves',
] as const;
export type Trouble = (typeof TROUBLES)[number];

/** A kind of operation that lands transactions. */
export type Leg = Extract<OperationKind, 'zapOut' | 'zapIn' | 'claim' | 'addLiquidity' | 'swap'>;

/** When a window is killed. */
export type Kill =
  /** This long after it reached a point; the window never continues from there. */
  | { readonly kind: 'point'; readonly point: Point; readonly afterMs: number }
  /** This long after it began. */
  | { readonly kind: 'time'; readonly afterMs: number }
  | { readonly kind: 'never' };

/** The user's decision about proceeds that were not re-entered. */
export type Answer = 'reenter' | 'declineReentry';

/** One operation and its faults. */
export interface TrialPlan {
  readonly job: JobName;
  /** Index of a suitable pool, modulo their number. */
  readonly pool: number;
  readonly trouble: Trouble;
  /** The leg of a rebalance that has the fault. */
  readonly leg: Leg;
  /** Number of transactions that land in a partial landing. */
  readonly landing: number;
  readonly kill: Kill;
  readonly hasRpc: boolean;
  /** Another window watches from the beginning. */
  readonly hasBystander: boolean;
  /** After the restart the user starts the same again before the outcome is known. */
  readonly repeats: boolean;
  /** The window that looks for the outcome is killed, too. */
  readonly killsFinderAfterMs: number | undefined;
  readonly answer: Answer;
  /** The decision in another window at the same moment. */
  readonly otherAnswer: Answer | undefined;
  /** The first window that re-enters or completes something is killed, too. */
  readonly killsAnswer: Kill;
  /** Whether partial executions are completed: by one window, or by two at the same moment. */
  readonly finishes: 'no' | 'once' | 'twice';
  /** The required end of the first operation, if known; `none`: it never began. */
  readonly mustEnd?: OperationState | 'none';
  /** Whether a new position must exist at the end, if known. */
  readonly mustBeIn?: boolean;
}

const NEVER: Kill = { kind: 'never' };
const WITHOUT_MORE = {
  pool: 0,
  leg: 'zapOut',
  landing: 1,
  hasRpc: true,
  hasBystander: false,
  repeats: false,
  killsFinderAfterMs: undefined,
  answer: 'reenter',
  otherAnswer: undefined,
  killsAnswer: NEVER,
  finishes: 'once',
} as const;
/** The middle of a slow landing. */
const WHILE_LANDING_MS = 150;
const BEFORE_SENT = ['created', 'built', 'reviewed', 'approved', 'signed'] as const;

/** A point, and the required end of an operation that is killed there without another fault. */
type PointAndEnd = readonly [Point, OperationState | 'none'];

/** All points of an operation. */
function pointsOf(leg: Leg): readonly PointAndEnd[] {
  return [
    [`before created of ${leg}`, 'none'],
    ...BEFORE_SENT.flatMap((kind): readonly PointAndEnd[] => [
      ...(kind === 'created' ? [] : [[`before ${kind} of ${leg}`, 'abandoned'] as const]),
      [`after ${kind} of ${leg}`, 'abandoned'],
    ]),
    [`before submitted of ${leg}`, 'abandoned'],
    [`after submitted of ${leg}`, 'expired'],
    [`before landing of ${leg}`, 'expired'],
    [`after landing of ${leg}`, 'settled'],
    [`before landed of ${leg}`, 'settled'],
    [`after landed of ${leg}`, 'settled'],
    [`before settled of ${leg}`, 'settled'],
    [`after settled of ${leg}`, 'settled'],
  ];
}

/** Points of a rebalance, by the state of its legs. */
const REBALANCE_POINTS: readonly PointAndEnd[] = [
  ['before created of rebalance', 'none'],
  ['after created of rebalance', 'abandoned'],
  ...pointsOf('zapOut').map(([point, end]): PointAndEnd => [point, end === 'none' ? 'abandoned' : end === 'expired' ? 'failed' : end]),
  ...pointsOf('zapIn').map(([point]): PointAndEnd => [point, 'settled']),
  ['before settled of rebalance', 'settled'],
  ['after settled of rebalance', 'settled'],
];

/** An operation without faults, watched by another window. */
export function calmPlan(job: JobName): TrialPlan {
  return { ...WITHOUT_MORE, hasBystander: true, job, trouble: 'none', kill: NEVER, mustEnd: 'settled' };
}

/** A kill at every step boundary without other faults, around the events of a missing answer, and during landing. */
export function boundaryPlans(job: JobName, leg: Leg): readonly TrialPlan[] {
  return [
    ...pointsOf(leg).map(([point, mustEnd]) => ({ ...WITHOUT_MORE, job, trouble: 'none' as const, kill: at(point), mustEnd })),
    ...unansweredPlans(job, leg),
  ];
}

function unansweredPlans(job: JobName, leg: Leg): readonly TrialPlan[] {
  return [
    ...(['before', 'after'] as const).map((when) => ({
      ...WITHOUT_MORE,
      job,
      leg,
      trouble: 'cut' as const,
      kill: at(`${when} unconfirmed of ${leg}`),
      mustEnd: 'settled' as const,
    })),
    { ...WITHOUT_MORE, job, leg, trouble: 'slow', kill: at(`before landing of ${leg}`, WHILE_LANDING_MS), mustEnd: 'settled' },
  ];
}

/** The same for a rebalance, with both decisions if the proceeds are not re-entered by then. */
export function rebalancePlans(): readonly TrialPlan[] {
  const job = 'rebalance';
  const indexOf = (point: Point): number => REBALANCE_POINTS.findIndex(([one]) => one === point);
  const [out, landsAgain] = [indexOf('after landing of zapOut'), indexOf('after landing of zapIn')];
  const plans = REBALANCE_POINTS.flatMap(([point, mustEnd], index): readonly TrialPlan[] => {
    const plan = { ...WITHOUT_MORE, job, trouble: 'none', kill: at(point), mustEnd } as const;
    return index >= out && index < landsAgain
      ? [
          { ...plan, mustBeIn: true },
          { ...plan, answer: 'declineReentry', mustBeIn: false },
        ]
      : [{ ...plan, mustBeIn: index >= landsAgain }];
  });
  return [...plans, ...unansweredPlans(job, 'zapOut'), ...unansweredPlans(job, 'zapIn')].map((plan) => ({ ...plan, job }));
}

/** The same without an RPC, if that makes a difference. Proceeds can't always be measured then. */
export function withoutRpc(plans: readonly TrialPlan[]): readonly TrialPlan[] {
  return plans
    .filter(({ mustEnd }) => mustEnd === 'expired' || mustEnd === 'settled' || mustEnd === 'failed')
    .map(({ mustBeIn, mustEnd, ...plan }) => ({
      ...plan,
      hasRpc: false,
      // Only the chain proves that something did not land: without it, what was sent and vanished is unclear.
      mustEnd: mustEnd === 'expired' || isLostZapIn(plan) ? 'failed' : mustEnd,
      ...(mustBeIn === false ? { mustBeIn } : {}),
    }));
}

function isLostZapIn({ job, trouble, kill }: Pick<TrialPlan, 'job' | 'trouble' | 'kill'>): boolean {
  return (
    job === 'rebalance' &&
    trouble === 'none' &&
    kill.kind === 'point' &&
    ['after submitted of zapIn', 'before landing of zapIn'].includes(kill.point)
  );
}

/** Every false answer to a successful landing. */
const LIES: readonly Trouble[] = TROUBLES.filter((trouble) => trouble.startsWith('lies') && trouble !== 'liesPartial');

/**
 * Successful landings that are answered as failures, for each leg: with and without an RPC, repeated by a user who believes the answer, and
 * with a kill before and after the answer is journaled. Also answers of 429, with and without a landing.
 */
export function liePlans(): readonly TrialPlan[] {
  const parts: readonly (readonly [JobName, Leg])[] = [
    ['zapOut', 'zapOut'],
    ['zapOutShare', 'zapOut'],
    ['zapIn', 'zapIn'],
    ['zapInWide', 'zapIn'],
    ['zapOutProduct', 'zapOut'],
    ['zapInProduct', 'zapIn'],
    ['compound', 'addLiquidity'],
    ['add', 'addLiquidity'],
    ['rebalance', 'zapOut'],
    ['rebalance', 'zapIn'],
  ];
  return [true, false].flatMap((hasRpc) =>
    parts
      .filter(([job]) => canRun(job, hasRpc))
      .flatMap(([job, leg]): readonly TrialPlan[] => {
        const isRebalance = job === 'rebalance';
        const plan = { ...WITHOUT_MORE, job, leg, hasRpc, kill: NEVER } as const;
        const answered = [...LIES, 'busy' as const].map((trouble) => ({
          ...plan,
          trouble,
          mustEnd: 'settled' as const,
          repeats: !isRebalance && (job === 'zapOutShare' || job === 'zapIn') && trouble === 'liesExpired',
        }));
        const killed = (['liesExpired', 'lies429', 'busy'] as const).flatMap((trouble) =>
          (['before', 'after'] as const).map((when) => ({ ...plan, trouble, kill: at(`${when} unconfirmed of ${leg}`) })),
        );
        const inPart = [0, 1].map((landing) => ({ ...plan, trouble: 'liesPartial' as const, landing }));
        const late = { ...plan, trouble: 'cutAndLongLag' as const, ...(hasRpc || isRebalance ? {} : { mustEnd: 'failed' as const }) };
        return [
          late,
          ...answered.map(({ mustEnd, ...one }) => (one.repeats || isRebalance ? one : { ...one, mustEnd })),
          ...killed,
          ...inPart,
        ];
      }),
  );
}

/** Partial landings: every number of transactions for operations with several, with and without an RPC. */
export function partialPlans(): readonly TrialPlan[] {
  const jobs: readonly (readonly [JobName, Leg, number])[] = [
    ['zapOutWide', 'zapOut', 4],
    ['zapInWide', 'zapIn', 5],
    ['zapOut', 'zapOut', 2],
    ['zapIn', 'zapIn', 2],
    ['addWide', 'addLiquidity', 5],
    ['rebalanceWide', 'zapOut', 4],
    ['rebalanceWide', 'zapIn', 5],
  ];
  return [true, false].flatMap((hasRpc) =>
    jobs
      .filter(([job]) => canRun(job, hasRpc))
      .flatMap(([job, leg, most]) =>
        Array.from({ length: most + 1 }, (_, landing): TrialPlan => ({
          ...WITHOUT_MORE,
          job,
          leg,
          landing,
          hasRpc,
          trouble: 'partial',
          kill: NEVER,
          finishes: landing % 2 === 0 ? 'once' : 'twice',
        })),
      ),
  );
}

function canRun(job: JobName, hasRpc: boolean): boolean {
  return hasRpc || !NEEDS_RPC.includes(job);
}

function at(point: Point, afterMs = 0): Kill {
  return { kind: 'point', point, afterMs };
}

/** Longer than most steps take. */
const LONGEST_AFTER_MS = 60;
/** Factor on the usual duration of an operation, since faults prolong it. */
const LATEST = 1.5;
/** One more than the most transactions of a leg in a wide rebalance. */
const MOST_LANDING = 5;
/** Half of all trials are rebalances: the longest operations have the most that can fail. */
const REBALANCES = JOBS.filter((job) => job.startsWith('rebalance'));
const OTHERS = JOBS.filter((job) => !job.startsWith('rebalance'));

/** @param usualMs the duration of a job on this machine */
export function randomPlan(random: Random, usualMs: (job: JobName) => number): TrialPlan {
  const job = random.once(2) ? random.of(REBALANCES) : random.of(OTHERS);
  const legs = legsOf(job);
  return {
    job,
    trouble: random.of(TROUBLES),
    pool: random.below(1_000),
    leg: random.of(legs),
    landing: random.below(MOST_LANDING),
    kill: random.once(2)
      ? { kind: 'time', afterMs: random.below(Math.round(LATEST * usualMs(job))) }
      : at(random.of(somewhere(job, legs)), random.below(LONGEST_AFTER_MS)),
    hasRpc: !random.once(3) || NEEDS_RPC.includes(job),
    hasBystander: random.once(4),
    repeats: random.once(3),
    killsFinderAfterMs: random.once(3) ? random.below(400) : undefined,
    answer: random.once(3) ? 'declineReentry' : 'reenter',
    otherAnswer: random.once(3) ? random.of(['reenter', 'declineReentry'] as const) : undefined,
    killsAnswer: random.once(3) ? at(random.of(somewhere(job, ['zapIn'])), random.below(LONGEST_AFTER_MS)) : NEVER,
    finishes: random.of(['no', 'once', 'once', 'twice'] as const),
  };
}

function legsOf(job: JobName): readonly Leg[] {
  return job === 'claim' || job === 'swap'
    ? [job]
    : NEEDS_RPC.includes(job)
      ? ['addLiquidity']
      : job.startsWith('zapOut')
        ? ['zapOut']
        : job.startsWith('zapIn')
          ? ['zapIn']
          : ['zapOut', 'zapIn'];
}

/** Mostly points around the landing. */
function somewhere(job: JobName, legs: readonly Leg[]): readonly Point[] {
  const around = legs.flatMap((leg): readonly Point[] => [
    ...pointsOf(leg).map(([point]) => point),
    `before unconfirmed of ${leg}`,
    `after unconfirmed of ${leg}`,
    `before landing of ${leg}`,
    `after submitted of ${leg}`,
  ]);
  return job.startsWith('rebalance')
    ? [...around, 'after created of rebalance', 'before settled of rebalance', 'after settled of rebalance']
    : around;
}

/** The plan as text, for analyzing faults. */
export function nameOfPlan({
  job,
  pool,
  trouble,
  leg,
  landing,
  kill,
  hasRpc,
  hasBystander,
  repeats,
  killsFinderAfterMs,
  answer,
  otherAnswer,
  killsAnswer,
  finishes,
}: TrialPlan): string {
  const isRebalance = job.startsWith('rebalance');
  const more = [
    hasRpc ? 'RPC' : 'no RPC',
    ...(hasBystander ? ['bystander'] : []),
    ...(repeats ? ['repeated'] : []),
    ...(killsFinderAfterMs === undefined ? [] : [`finder killed after ${killsFinderAfterMs} ms`]),
    ...(isRebalance ? [otherAnswer === undefined ? answer : `${answer} and ${otherAnswer} at once`] : []),
    ...(killsAnswer.kind === 'never' ? [] : [`window of the decision ${nameOfKill(killsAnswer)}`]),
    ...(finishes === 'once' ? [] : [finishes === 'no' ? 'not finished' : 'finished twice']),
  ];
  const where =
    trouble === 'none'
      ? ''
      : `${isRebalance ? ` at the ${leg}` : ''}${trouble.startsWith('partial') || trouble === 'liesPartial' ? ` (${landing})` : ''}`;
  return `${job} (pool ${pool}), trouble: ${trouble}${where}, ${nameOfKill(kill)}; ${more.join(', ')}`;
}

function nameOfKill(kill: Kill): string {
  return kill.kind === 'never'
    ? 'not killed'
    : kill.kind === 'time'
      ? `killed after ${kill.afterMs} ms`
      : `killed ${kill.afterMs === 0 ? '' : `${kill.afterMs} ms after it came to `}"${kill.point}"`;
}
