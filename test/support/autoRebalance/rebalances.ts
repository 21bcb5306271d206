import { told } from '../../../src/base/reasons/reason';
import { recordOf } from '../../../src/transactions/journal/states';
import type { DistributiveOmit, JournalEvent, OperationRecord } from '../../../src/transactions/journal/types';
import type { Address } from '../../../src/base/solana/address';
import { OWNER } from '../portfolio/fixtures';
import { POOL } from './listed';

/** A rebalance as the journal has it, with its parts. */
export interface Rebalanced {
  readonly id: string;
  readonly from: Address;
  /** The position that the zap-in made; `undefined`: its address is not known. */
  readonly to?: Address | undefined;
  readonly openBefore?: readonly Address[] | undefined;
  readonly atMs: number;
  readonly owner?: Address;
  readonly pool?: Address;
  /** How far it came; `settled` unless it is said. */
  readonly until?: 'begun' | 'notSent' | 'zapOutSent' | 'zapOutExpired' | 'awaitsReentry' | 'zapInSent' | 'settled';
}

type Happening = DistributiveOmit<JournalEvent, 'atMs'>;

const NO_SPENDS = {
  consumedLamports: 0n,
  wrappedLamports: 0n,
  networkFeeLamports: 0n,
  priorityFeeLamports: 0n,
  tipLamports: 0n,
  refundableRentLamports: 0n,
  spentRentLamports: 0n,
  otherLamports: 0n,
};

/** The steps from building to sending. */
function sending(position: Address | undefined): readonly Happening[] {
  return [
    { kind: 'built', position, transactions: 1, messageHashes: [], blockhashes: [], lastValidBlockHeight: undefined },
    { kind: 'reviewed', verdict: 'allow', rules: [] },
    { kind: 'approved', by: 'automation' },
    { kind: 'signed', signatures: ['signature'], spends: NO_SPENDS },
    { kind: 'submitted', lamportsBefore: undefined },
  ];
}

const SETTLED: Happening = { kind: 'settled', lamportsBack: 1_000_000_000n, shortfall: undefined };

/** An operation with events a second apart. */
function operation(id: string, atMs: number, happenings: readonly Happening[]): OperationRecord {
  return recordOf(
    id,
    happenings.map((event, index) => ({ ...event, atMs: atMs + 1_000 * index })),
  );
}

function zapOut(
  id: string,
  position: Address,
  atMs: number,
  after: readonly Happening[],
  part: { readonly parent?: string | undefined; readonly owner?: Address | undefined; readonly pool?: Address | undefined } = {},
): OperationRecord {
  const created: Happening = {
    ...{
      kind: 'created',
      operation: 'zapOut',
      service: 'service',
      owner: part.owner ?? OWNER,
      pool: part.pool ?? POOL,
      poolType: 'dlmm',
      pairName: 'BONK/SOL',
      parent: part.parent,
    },
    plan: {
      kind: 'zapOut',
      position,
      positionId: `id of ${position}`,
      shareBps: 10_000,
      output: 'allBaseToken',
      slippageBps: 100,
      before: { amount0: undefined, amount1: undefined, price0Usd: undefined, price1Usd: undefined, outputUsd: undefined },
    },
  };
  return operation(id, atMs, [created, ...after]);
}

/** A zap-out that was sent and ended as it should. */
export function zappedOut(id: string, position: Address, atMs: number): OperationRecord {
  return zapOut(id, position, atMs, [...sending(position), SETTLED]);
}

/** A whole position that was closed and not re-entered. */
export function closed(
  id: string,
  position: Address,
  atMs: number,
  { by = 'automation', tipLamports = 0n, swapCostLamports }: Costs = {},
): OperationRecord {
  return zapOut(id, position, atMs, [
    ...sending(position).map((event) => {
      switch (event.kind) {
        case 'approved':
          return { ...event, by };
        case 'signed':
          return { ...event, spends: { ...NO_SPENDS, tipLamports }, swapCostLamports };
        default:
          return event;
      }
    }),
    SETTLED,
  ]);
}

/** Who approved an operation, and what it cost. */
interface Costs {
  readonly by?: 'user' | 'automation';
  readonly tipLamports?: bigint;
  readonly swapCostLamports?: bigint;
}

/** A position that the user opened with SOL. */
export function zappedIn(id: string, position: Address, atMs: number, inputLamports: bigint): OperationRecord {
  const created: Happening = {
    ...{ kind: 'created', operation: 'zapIn', service: 'service', owner: OWNER, pool: POOL, poolType: 'dlmm' },
    ...{ pairName: 'BONK/SOL', parent: undefined },
    plan: {
      ...{ kind: 'zapIn', inputLamports, percentX: 0.5, strategy: 'Spot', fromBinId: -5, toBinId: 5, slippageBps: 100 },
      openBefore: [],
    },
  };
  return operation(id, atMs, [created, ...sending(position), SETTLED]);
}

/** One of which only the first transaction landed. */
export function halfZappedOut(id: string, position: Address, atMs: number): OperationRecord {
  return zapOut(id, position, atMs, [...sending(position), { kind: 'failed', reason: told('Only a part landed.'), landedTransactions: 1 }]);
}

/** The records of a rebalance, newest first. */
export function rebalanced({
  id,
  from,
  to,
  openBefore = [from],
  atMs,
  owner = OWNER,
  pool = POOL,
  until = 'settled',
}: Rebalanced): readonly OperationRecord[] {
  const common = { service: 'service', owner, pool, poolType: 'dlmm', pairName: 'BONK/SOL' } as const;
  const created: Happening = {
    kind: 'created',
    operation: 'rebalance',
    ...common,
    parent: undefined,
    plan: {
      kind: 'rebalance',
      position: from,
      fromBinId: -386,
      toBinId: -376,
      halfWidthBins: 34,
      strategy: 'Spot',
      slippageBps: 100,
      reserveLamports: 0n,
    },
  };
  const zapInCreated: Happening = {
    kind: 'created',
    operation: 'zapIn',
    ...common,
    parent: id,
    // What `listed` says was deposited: 100 dollars, at 150 for a SOL.
    plan: {
      kind: 'zapIn',
      inputLamports: 666_666_667n,
      percentX: 0.5,
      strategy: 'Spot',
      fromBinId: -5,
      toBinId: 5,
      slippageBps: 100,
      openBefore,
    },
  };
  const out = (after: readonly Happening[]) => zapOut(`${id}-out`, from, atMs + 1_000, after, { parent: id, owner, pool });
  const whole = (end: readonly Happening[]) => operation(id, atMs, [created, ...end]);
  const zapIn = (end: readonly Happening[]) => operation(`${id}-in`, atMs + 8_000, [zapInCreated, ...sending(to), ...end]);
  switch (until) {
    case 'begun':
      return [whole([])];
    case 'notSent':
      return [out([{ kind: 'abandoned', reason: told('declined') }]), whole([{ kind: 'abandoned', reason: told('declined') }])];
    case 'zapOutSent':
      return [out(sending(from)), whole([])];
    case 'zapOutExpired':
      return [
        out([...sending(from), { kind: 'expired', reason: told('too late') }]),
        whole([{ kind: 'failed', reason: told('too late') }]),
      ];
    case 'awaitsReentry':
      return [out([...sending(from), SETTLED]), whole([])];
    case 'zapInSent':
      return [zapIn([]), out([...sending(from), SETTLED]), whole([])];
    case 'settled':
      return [zapIn([SETTLED]), out([...sending(from), SETTLED]), whole([SETTLED])];
  }
}
