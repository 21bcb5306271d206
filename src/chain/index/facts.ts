import type { Address } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';
import type { Strategy } from '../../base/dlmm/strategy';
import type { ProgramCall } from './answers';
import { decodeEvent, isEvent } from './events';
import type { PriceTrace, ProgramEvent } from './programEvent';
import { dammInstructionFacts, dlmmInstructionFacts, type InstructionFact } from './instructions';
import { paidInRebalance } from './rebalancePayments';
import type { PoolProgram, TokenAmounts } from './types';

/** What happened to a position, as it is stored: one row each. */
export interface EventFact {
  readonly kind:
    | 'create'
    | 'deposit'
    | 'withdrawal'
    | 'feeClaim'
    | 'close'
    | 'range'
    | 'resize'
    | 'strategy'
    | 'operator'
    | 'reward'
    | 'unclear';
  readonly program: PoolProgram;
  readonly position: Address;
  readonly pool?: Address | undefined;
  /** Only where an event names it. */
  readonly owner?: Address;
  /** Who paid or received. */
  readonly by?: Address;
  readonly amounts?: TokenAmounts;
  readonly price?: PriceTrace;
  /** `range`: both ends, inclusive. `resize`: the bins added at each end. */
  readonly lower?: number;
  readonly upper?: number;
  readonly strategy?: Strategy;
}

type Report = Exclude<ProgramEvent, { kind: 'rebalance' }> | InstructionFact | Rebalance;

/** `paid` is `undefined` if the transaction does not show it. */
type Rebalance = Extract<ProgramEvent, { kind: 'rebalance' }> & { readonly paid: TokenAmounts | undefined };

const PROGRAM_OF: ReadonlyMap<Address, PoolProgram> = new Map([
  [PROGRAMS.dlmm, 'dlmm'],
  [PROGRAMS.dammV2, 'damm'],
]);

/**
 * Reads what a transaction did to positions, in order. What is reported twice is counted once.
 * @throws EventError if a later version of a program wrote one of the events
 */
export function factsOf(calls: readonly ProgramCall[]): readonly EventFact[] {
  const facts: EventFact[] = [];
  for (const program of ['dlmm', 'damm'] as const) {
    const reports = calls.flatMap((call, index) =>
      PROGRAM_OF.get(call.program) === program ? reportsOf(program, call, calls, index) : [],
    );
    const claims = claimsOf(reports);
    for (const one of reports) {
      facts.push(...factsFrom(one, program, { claims, reports }));
    }
  }
  return facts;
}

function reportsOf(program: PoolProgram, call: ProgramCall, calls: readonly ProgramCall[], index: number): readonly Report[] {
  const data = call.data();
  if (!call.isInner || !isEvent(data)) {
    return program === 'dlmm' ? dlmmInstructionFacts(call) : dammInstructionFacts(call);
  }
  const event = decodeEvent(program, data);
  if (event === undefined) {
    return [];
  }
  return [event.kind === 'rebalance' ? { ...event, paid: paidInRebalance(event, calls, index) } : event];
}

interface Context {
  readonly claims: ReadonlySet<Report>;
  readonly reports: readonly Report[];
}

function factsFrom(one: Report, program: PoolProgram, { claims, reports }: Context): readonly EventFact[] {
  switch (one.kind) {
    case 'create':
    case 'close':
      return [{ program, kind: one.kind, position: one.position, pool: one.pool, owner: one.owner }];
    case 'deposit':
    case 'withdrawal': {
      const { kind, position, pool, by, amounts, price } = one;
      return isNothing(amounts) ? [] : [{ program, kind, position, pool, by, amounts, price }];
    }
    case 'feeClaim': {
      const { kind, position, pool, owner, amounts, price } = one;
      return claims.has(one) && !isNothing(amounts) ? [{ program, kind, position, pool, owner, amounts, price }] : [];
    }
    case 'rebalance': {
      const { position, pool, owner, price, range, added, paid } = one;
      const moved = (kind: 'withdrawal' | 'feeClaim' | 'deposit', amounts: TokenAmounts): readonly EventFact[] =>
        isNothing(amounts) ? [] : [{ program, kind, position, pool, owner, amounts, price }];
      return [
        ...moved('withdrawal', one.withdrawn),
        ...moved('feeClaim', one.fees),
        ...moved('deposit', paid ?? added),
        ...(paid === undefined && !isNothing(added) ? [{ program, kind: 'unclear', position, pool } as const] : []),
        ...(one.hasClaimedRewards ? [{ program, kind: 'reward', position, pool, owner } as const] : []),
        { program, kind: 'range', position, pool, owner, lower: range.lowerBinId, upper: range.upperBinId },
      ];
    }
    case 'rewardClaim':
      return one.amount === 0n ? [] : [{ program, kind: 'reward', position: one.position, pool: one.pool, owner: one.owner }];
    case 'resize':
      return [{ program, kind: 'resize', position: one.position, pool: one.pool, lower: one.lower, upper: one.upper }];
    case 'range':
      // Instructions that find the position already there change nothing: the range is that of its creation.
      return reports.some((other) => other.kind === 'create' && other.position === one.position)
        ? [{ program, kind: 'range', position: one.position, lower: one.lowerBinId, upper: one.upperBinId }]
        : [];
    case 'strategy':
      return [{ program, kind: 'strategy', position: one.position, strategy: one.strategy }];
    case 'operator':
      return [{ program, kind: 'operator', position: one.position }];
    case 'poolWithDeposit': {
      const { pool, by, amounts, price } = one;
      const ofPool = reports.filter((other) => 'pool' in other && other.pool === pool);
      const first = ofPool.find(({ kind }) => kind === 'firstPosition') ?? ofPool.find(({ kind }) => kind === 'create');
      const position = first !== undefined && 'position' in first ? first.position : undefined;
      const isReportedElsewhere = reports.some((other) => other.kind === 'deposit' && other.position === position);
      return position === undefined || isReportedElsewhere || isNothing(amounts)
        ? []
        : [{ program, kind: 'deposit', position, pool, by, amounts, price }];
    }
    case 'split':
      return one.positions.map((position) => ({ program, kind: 'unclear', position, pool: one.pool }));
    case 'firstPosition':
      return [];
  }
}

/**
 * The claims that count. Newer versions of DLMM emit `ClaimFee` and `ClaimFee2` with the same figures for one claim, older ones only the
 * first: of each position and figures, the form that occurs more often counts.
 */
function claimsOf(reports: readonly Report[]): ReadonlySet<Report> {
  const groups = new Map<string, { readonly older: Report[]; readonly newer: Report[] }>();
  for (const one of reports) {
    if (one.kind === 'feeClaim') {
      const key = `${one.position} ${one.amounts.x} ${one.amounts.y}`;
      const group = groups.get(key) ?? { older: [], newer: [] };
      groups.set(key, group);
      (one.isOlderForm ? group.older : group.newer).push(one);
    }
  }
  return new Set([...groups.values()].flatMap(({ older, newer }) => (newer.length >= older.length ? newer : older)));
}

function isNothing({ x, y }: TokenAmounts): boolean {
  return x === 0n && y === 0n;
}
