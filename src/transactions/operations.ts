import * as l10n from '@vscode/l10n';
import type { OperationKind } from '../base/operationKinds';
import type { Address } from '../base/solana/address';
import { WRAPPED_SOL_MINT } from '../base/solana/programs';
import type { JournalPlan } from './journal/plans';

/** What only one operation may work on at a time. */
export interface Target {
  /** Name of its lock, the same in all windows. */
  readonly lock: string;
  /** "position"; part of sentences. */
  readonly noun: string;
}

/** What differs between the kinds of operations: one row a kind. A row of a rebalance is about what its parts do not say themselves. */
interface Operation<Kind extends OperationKind> {
  /** What it works on; several: what its parts work on. */
  targets(plan: JournalPlan<Kind>, pool: Address | undefined): readonly Target[];
  /** The open positions that it works on. */
  positions(plan: JournalPlan<Kind>): readonly TargetPosition[];
  /** What it withdraws from a position, so that the list of positions shows it; `undefined`: nothing. */
  withdrawal(plan: JournalPlan<Kind>): Withdrawal | undefined;
  /** Whether it opens a position, which gets an address of its own. */
  readonly isOpening: boolean;
  /** Whether what it brings back in SOL is measured and recorded. */
  readonly isMeasured: boolean;
  /** Whether it may wait for an earlier one on the same target that can still land, instead of counting both together. */
  readonly isWaiting: boolean;
  /** The service's requests from the build to the landing, for which room is kept before the build. */
  requestsToLand(hasRpc: boolean): number;
}

/** A position as a plan names it. */
export interface TargetPosition {
  readonly address: Address;
  /** By the service, if known. */
  readonly id: string | undefined;
}

/** A share of a position that is withdrawn. */
export type Withdrawal = Pick<JournalPlan<'zapOut'>, 'position' | 'positionId' | 'shareBps' | 'before'>;

type Operations = { readonly [Kind in OperationKind]: Operation<Kind> };

const position = (address: Address): Target => ({ lock: `position:${address}`, noun: l10n.t('position') });
const pools = (address: Address | undefined): readonly Target[] =>
  address === undefined ? [] : [{ lock: `pool:${address}`, noun: l10n.t('pool') }];
const token = (mint: Address): Target => ({ lock: `token:${mint}`, noun: l10n.t('token') });

/** Build and landing. */
const FEWEST_REQUESTS = 2;

const ROWS = {
  zapOut: {
    targets: (plan) => [position(plan.position)],
    positions: (plan) => [{ address: plan.position, id: plan.positionId }],
    withdrawal: (plan) => plan,
    isOpening: false,
    isMeasured: true,
    isWaiting: false,
    // Without an RPC, the balance before sending.
    requestsToLand: (hasRpc) => FEWEST_REQUESTS + (hasRpc ? 0 : 1),
  },
  zapIn: {
    targets: (_, address) => pools(address),
    positions: () => [],
    withdrawal: () => undefined,
    isOpening: true,
    isMeasured: false,
    isWaiting: true,
    requestsToLand: () => FEWEST_REQUESTS,
  },
  claim: {
    targets: ({ positions }) => positions.map((claimed) => position(claimed.position)),
    positions: ({ positions }) => positions.map((claimed) => ({ address: claimed.position, id: claimed.positionId })),
    withdrawal: () => undefined,
    isOpening: false,
    isMeasured: false,
    isWaiting: false,
    requestsToLand: () => FEWEST_REQUESTS,
  },
  addLiquidity: {
    targets: ({ into }) => [position(into.position)],
    positions: ({ into }) => [{ address: into.position, id: into.positionId }],
    withdrawal: () => undefined,
    isOpening: false,
    isMeasured: false,
    isWaiting: true,
    requestsToLand: () => FEWEST_REQUESTS,
  },
  swap: {
    targets: ({ sold }) => [token(sold.mint)],
    positions: () => [],
    withdrawal: () => undefined,
    isOpening: false,
    isMeasured: false,
    isWaiting: true,
    requestsToLand: () => FEWEST_REQUESTS,
  },
  unwrap: {
    targets: () => [token(WRAPPED_SOL_MINT)],
    positions: () => [],
    withdrawal: () => undefined,
    isOpening: false,
    isMeasured: false,
    isWaiting: true,
    requestsToLand: () => FEWEST_REQUESTS,
  },
  rebalance: {
    targets: (plan, address) => [position(plan.position), ...pools(address)],
    positions: (plan) => [{ address: plan.position, id: undefined }],
    withdrawal: () => undefined,
    isOpening: false,
    isMeasured: false,
    isWaiting: false,
    requestsToLand: () => 0,
  },
} as const satisfies Operations;

/** The rows by kind. */
export const OPERATIONS: Operations = ROWS;

type OpeningKind = { [Kind in OperationKind]: (typeof ROWS)[Kind]['isOpening'] extends true ? Kind : never }[OperationKind];

/** Whether the plan is one of an operation that opens a position. */
export function isOpening(plan: JournalPlan): plan is JournalPlan<OpeningKind> {
  return OPERATIONS[plan.kind].isOpening;
}

/** What an operation works on; several: what its parts work on. */
export function targetsOf<Kind extends OperationKind>(plan: JournalPlan<Kind>, address: Address | undefined): readonly Target[] {
  return OPERATIONS[plan.kind].targets(plan, address);
}

/** The open positions that an operation works on. */
export function positionsOf<Kind extends OperationKind>(plan: JournalPlan<Kind>): readonly TargetPosition[] {
  return OPERATIONS[plan.kind].positions(plan);
}

/** What an operation withdraws from a position; `undefined`: nothing. */
export function withdrawalOf<Kind extends OperationKind>(plan: JournalPlan<Kind>): Withdrawal | undefined {
  return OPERATIONS[plan.kind].withdrawal(plan);
}
