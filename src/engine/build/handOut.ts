import type { Address } from '../../base/solana/address';
import { base64FromBytes } from '../../base/solana/wireTransaction';
import { type BuildTerms, PlanError, type PoolAccounts, type SwapPlan, type WrittenSwap } from '../assembly/types';
import { withoutTip } from '../assembly/walletInstructions';
import { EngineError, type EngineOperationKind } from '../engine';
import { type ListedTransactions, tippedBundles } from './bundles';
import { type Build, wait } from './build';
import { additionalCosts, requireLamports, tokensOf } from './costs';
import type { BuildService, OperationPromise, SimulationCoverage, Wallet } from './ports';

/** Transactions in base64, by list. */
export type HandedOutLists<List extends string> = Readonly<Record<List, readonly string[]>>;

/** An operation that was built, as it is handed out. */
export interface HandedOut<List extends string, Position extends Address | undefined> {
  readonly position: Position;
  readonly withJito: HandedOutLists<List>;
  readonly plain: HandedOutLists<List>;
  /** `undefined`: nothing was simulated. */
  readonly coverage: SimulationCoverage | undefined;
}

/** Changes the transactions of a finished operation before they are checked and stored. `terms`: those of the operation, with its tip or without. */
export type ReviseTransactions = (transactions: readonly Uint8Array[], terms: BuildTerms) => readonly Uint8Array[];

/** Leaves them as they were built. */
export const asBuilt: ReviseTransactions = (transactions) => transactions;

interface Operation<Plan, List extends string, Position extends Address | undefined> {
  readonly kind: EngineOperationKind;
  readonly plan: Plan;
  readonly pools: readonly PoolAccounts[];
  readonly swaps: readonly (SwapPlan | WrittenSwap)[];
  readonly lastValidBlockHeight: number;
  readonly wallet: Wallet;
  /** Lamports that it needs besides tip, fees and rent of token accounts. */
  readonly spentLamports: bigint;
  readonly promised: Omit<OperationPromise, 'positions'>;
  /** In the order in which the lists land. */
  readonly lists: readonly List[];
  /** `position`: `undefined` if the operation has none. */
  readonly build: (plan: Plan) => { readonly position: Position; readonly transactions: Readonly<Record<List, readonly Uint8Array[]>> };
}

/**
 * Builds an operation with tips and without, and has the service check and store it.
 * @throws EngineError if it cannot be built, the owner has too little SOL, or a transaction would fail
 */
export function* handOut<Plan extends BuildTerms, List extends string, Position extends Address | undefined>(
  service: BuildService,
  { kind, plan, pools, swaps, lastValidBlockHeight, wallet, spentLamports, promised, lists, build }: Operation<Plan, List, Position>,
): Build<HandedOut<List, Position>> {
  const listed = (of: Plan): { readonly position: Position; readonly all: readonly ListedTransactions<List>[] } =>
    withEngineErrors(() => {
      const { position, transactions } = build(of);
      return { position, all: lists.flatMap((list) => transactions[list].map((bytes) => ({ list, bytes }))) };
    });
  const { position, all: whole } = listed(plan);
  const plain = plan.tip === undefined ? whole : listed(withoutTip(plan)).all;
  const isOneBundle = whole.length <= service.mostInBundle;
  const bundles =
    plan.tip === undefined
      ? []
      : isOneBundle
        ? [whole]
        : tippedBundles(listed({ ...plan, tip: undefined }).all, plan, service.mostInBundle);
  const withJito = bundles.length > 0 ? bundles.flat() : plain;
  const rent = yield* wait(service.rent());
  const transactions = withJito.length;
  requireLamports(wallet, spentLamports + additionalCosts(plan, tokensOf(pools, swaps), { wallet, rent, transactions }));
  const coverage = yield* wait(
    service.issue({
      kind,
      owner: plan.owner,
      lastValidBlockHeight,
      promised: { positions: position === undefined ? [] : [position], ...promised },
      plain: plain.map(({ bytes }) => bytes),
      bundles: bundles.map((bundle) => bundle.map(({ bytes }) => bytes)),
      lookupTables: swaps.flatMap((swap) => ('hops' in swap ? [] : swap.lookupTables)),
    }),
  );
  return { position, withJito: inLists(lists, withJito), plain: inLists(lists, plain), coverage };
}

function inLists<List extends string>(lists: readonly List[], all: readonly ListedTransactions<List>[]): HandedOutLists<List> {
  const texts = (list: List): readonly string[] => all.filter((one) => one.list === list).map(({ bytes }) => base64FromBytes(bytes));
  return Object.fromEntries(lists.map((list) => [list, texts(list)])) as HandedOutLists<List>;
}

/** Runs a builder. @throws EngineError if the plan is out of bounds, because the parameters of the request were */
export function withEngineErrors<Built>(build: () => Built): Built {
  try {
    return build();
  } catch (error) {
    if (error instanceof PlanError || error instanceof RangeError) {
      throw new EngineError('invalid', error.message, { cause: error });
    }
    throw error;
  }
}
