import type { OperationKind, OperationState } from '../../src/transactions/journal/types';
import type { Random } from '../fuzz/random';
import type { Point } from './protocol';

/** What is done. Wide: over more bins than one transaction takes. */
export const JOBS = [
  'zapOut',
  'zapOutShare',
  'zapOutWide',
  'zapOutProduct',
  'zapIn',
  'zapInWide',
  'zapInProduct',
  /** Out of range, for so much that there is something to put back. */
  'rebalance',
  /** As wide as before. */
  'rebalanceWide',
  /** In range, and so that the wallet's reserve lets only a part of it back in. */
  'rebalanceReserve',
  /** For so little that putting it back is not worth it. */
  'rebalanceSmall',
] as const;
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
  /** It lands, and the answer says that it was refused: with that status or, of those that say why, for that reason. */
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
  /** Only its first transactions land, and the answer says that it came too late. */
  'liesPartial',
  /** It is answered with 429 once, and not taken. */
  'busy',
  /** Only its first transactions land, and the answer is 500. */
  'partial',
  'partialAndLag',
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

/** A part of an operation that hands something over. */
export type Leg = Extract<OperationKind, 'zapOut' | 'zapIn'>;

/** When a window is killed. */
export type Kill =
  /** So long after it came to a point; at once: it never goes on from there. */
  | { readonly kind: 'point'; readonly point: Point; readonly afterMs: number }
  /** So long after it began. */
  | { readonly kind: 'time'; readonly afterMs: number }
  | { readonly kind: 'never' };

/** What the user does with what came out of a rebalance and was not put back. */
export type Answer = 'reenter' | 'declineReentry';

/** One operation, and what happens to it. */
export interface TrialPlan {
  readonly job: JobName;
  /** Which of the pools that there are for it, counted round and round. */
  readonly pool: number;
  readonly trouble: Trouble;
  /** Of a rebalance: which part has the trouble. */
  readonly leg: Leg;
  /** Where only a part lands: how many transactions. */
  readonly landing: number;
  readonly kill: Kill;
  readonly hasRpc: boolean;
  /** Another window looks on from the beginning. */
  readonly hasBystander: boolean;
  /** After the restart the user does the same again, before anybody has found out what became of it. */
  readonly repeats: boolean;
  /** The window that finds out is killed, too. */
  readonly killsFinderAfterMs: number | undefined;
  readonly answer: Answer;
  /** What is answered in another window at the same moment. */
  readonly otherAnswer: Answer | undefined;
  /** The first window that puts something back, or finishes something, is killed, too. */
  readonly killsAnswer: Kill;
  /** Whether partial executions are completed, by one window or by two at the same moment. */
  readonly finishes: 'no' | 'once' | 'twice';
  /** How the first operation has to end, where that is known; `none`: it never began. */
  readonly mustEnd?: OperationState | 'none';
  /** Whether a new position has to be there in the end, where that is known. */
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
/** In the middle of what a slow landing takes. */
const WHILE_LANDING_MS = 150;
const BEFORE_SENT = ['created', 'built', 'reviewed', 'approved', 'signed'] as const;

/** Where something goes wrong but the crash: a point, and how an operation that is killed there has to end. */
type PointAndEnd = readonly [Point, OperationState | 'none'];

/** Every point of an operation there is. */
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

/** Of a rebalance, by where its parts are then. */
const REBALANCE_POINTS: readonly PointAndEnd[] = [
  ['before created of rebalance', 'none'],
  ['after created of rebalance', 'abandoned'],
  ...pointsOf('zapOut').map(([point, end]): PointAndEnd => [point, end === 'none' ? 'abandoned' : end === 'expired' ? 'failed' : end]),
  ...pointsOf('zapIn').map(([point]): PointAndEnd => [point, 'settled']),
  ['before settled of rebalance', 'settled'],
  ['after settled of rebalance', 'settled'],
];

/** An operation that nothing happens to, though another window looks on. */
export function calmPlan(job: JobName): TrialPlan {
  return { ...WITHOUT_MORE, hasBystander: true, job, trouble: 'none', kill: NEVER, mustEnd: 'settled' };
}

/** A kill at every step boundary, with nothing else going wrong; around what is written where no answer comes; and while it is being landed. */
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

/** The same of a rebalance; where what came out was not put back by then, both answers. */
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

/** The same, where there is no RPC to ask, as far as that makes a difference. What came back cannot always be told then. */
export function withoutRpc(plans: readonly TrialPlan[]): readonly TrialPlan[] {
  return plans
    .filter(({ mustEnd }) => mustEnd === 'expired' || mustEnd === 'settled' || mustEnd === 'failed')
    .map(({ mustBeIn, ...plan }) => ({ ...plan, hasRpc: false, ...(mustBeIn === false ? { mustBeIn } : {}) }));
}

/** Everything that a service can say of a landing that it carried out. */
const LIES: readonly Trouble[] = TROUBLES.filter((trouble) => trouble.startsWith('lies') && trouble !== 'liesPartial');

/**
 * Landings that are carried out and answered as if they had been refused, at each part that lands something: with an RPC and without, begun once
 * more by a user who believes it, and with the window killed before and after that is written down. And those that are answered with 429,
 * carried out or not.
 */
export function liePlans(): readonly TrialPlan[] {
  const parts: readonly (readonly [JobName, Leg])[] = [
    ['zapOut', 'zapOut'],
    ['zapOutShare', 'zapOut'],
    ['zapIn', 'zapIn'],
    ['zapInWide', 'zapIn'],
    ['zapOutProduct', 'zapOut'],
    ['zapInProduct', 'zapIn'],
    ['rebalance', 'zapOut'],
    ['rebalance', 'zapIn'],
  ];
  return [true, false].flatMap((hasRpc) =>
    parts.flatMap(([job, leg]): readonly TrialPlan[] => {
      const isRebalance = job === 'rebalance';
      const plan = { ...WITHOUT_MORE, job, leg, hasRpc, kill: NEVER } as const;
      const told = [...LIES, 'busy' as const].map((trouble) => ({
        ...plan,
        trouble,
        mustEnd: 'settled' as const,
        repeats: !isRebalance && (job === 'zapOutShare' || job === 'zapIn') && trouble === 'liesExpired',
      }));
      const killed = (['liesExpired', 'lies429', 'busy'] as const).flatMap((trouble) =>
        (['before', 'after'] as const).map((when) => ({ ...plan, trouble, kill: at(`${when} unconfirmed of ${leg}`) })),
      );
      const inPart = [0, 1].map((landing) => ({ ...plan, trouble: 'liesPartial' as const, landing }));
      return [...told.map(({ mustEnd, ...one }) => (one.repeats || isRebalance ? one : { ...one, mustEnd })), ...killed, ...inPart];
    }),
  );
}

/** Only the first transactions land: each number of them, of what takes several; with an RPC, and without. */
export function partialPlans(): readonly TrialPlan[] {
  const jobs: readonly (readonly [JobName, Leg, number])[] = [
    ['zapOutWide', 'zapOut', 4],
    ['zapInWide', 'zapIn', 5],
    ['zapOut', 'zapOut', 2],
    ['zapIn', 'zapIn', 2],
    ['rebalanceWide', 'zapOut', 4],
    ['rebalanceWide', 'zapIn', 5],
  ];
  return [true, false].flatMap((hasRpc) =>
    jobs.flatMap(([job, leg, most]) =>
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

function at(point: Point, afterMs = 0): Kill {
  return { kind: 'point', point, afterMs };
}

/** Longer than most steps take. */
const LONGEST_AFTER_MS = 60;
/** Of the time that an operation usually takes: troubles make it longer. */
const LATEST = 1.5;
/** One more than what a rebalance of many bins has for one part. */
const MOST_LANDING = 5;
/** Half of all trials: what is longest has most to go wrong. */
const REBALANCES = JOBS.filter((job) => job.startsWith('rebalance'));
const OTHERS = JOBS.filter((job) => !job.startsWith('rebalance'));

/** @param usualMs how long the job takes on this machine */
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
    hasRpc: !random.once(3),
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
  return job.startsWith('zapOut') ? ['zapOut'] : job.startsWith('zapIn') ? ['zapIn'] : ['zapOut', 'zapIn'];
}

/** Most of what is of interest is around the landing. */
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

/** The plan in words, for whoever has to find out what was wrong. */
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
    ...(killsAnswer.kind === 'never' ? [] : [`whoever answers ${nameOfKill(killsAnswer)}`]),
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
