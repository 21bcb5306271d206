import type { BuildLookupTable, BuildTerms, SwapPlan, WrittenSwap } from '../../engine/assembly/types';
import { PlanError } from '../../engine/assembly/types';
import { withoutTip } from '../../engine/assembly/walletInstructions';
import type { Address } from '../../base/solana/address';
import { base64FromBytes } from '../../base/solana/wireTransaction';
import { EngineError } from '../../engine/engine';
import type { IssuedOperations, BuiltOperationKind } from '../landing/types';
import type { SimulationCoverage, Simulator } from './simulation';
import { fitsBundle, type ListedTransactions, tippedBundles } from './wholeOperation';

/** An operation that was built, as it is handed out: base64, by list. */
export interface HandedOut<List extends string> {
  readonly withJito: Readonly<Record<List, readonly string[]>>;
  readonly plain: Readonly<Record<List, readonly string[]>>;
  readonly coverage: SimulationCoverage;
}

/** What hands out operations. */
export interface HandOutContext {
  readonly simulator: Simulator;
  readonly issued: IssuedOperations;
}

/** An operation to be handed out. */
interface Operation<Plan extends BuildTerms, List extends string> {
  readonly kind: BuiltOperationKind;
  readonly owner: Address;
  readonly lastValidBlockHeight: number;
  readonly plan: Plan & { readonly swaps: readonly (SwapPlan | WrittenSwap)[] };
  /** In the order in which the lists land. */
  readonly lists: readonly [List, List];
  readonly build: (plan: Plan) => Readonly<Record<List, readonly Uint8Array[]>>;
}

/**
 * Builds an operation with tips and without, simulates both, and notes them for the landing.
 * @throws EngineError if it cannot be built, or a transaction would fail
 */
export async function handOut<Plan extends BuildTerms, List extends string>(
  { simulator, issued }: HandOutContext,
  { kind, owner, lastValidBlockHeight, plan, lists, build }: Operation<Plan, List>,
): Promise<HandedOut<List>> {
  const listed = (of: Plan): readonly ListedTransactions<List>[] =>
    withEngineErrors(() => {
      const built = build(of);
      return lists.flatMap((list) => built[list].map((bytes) => ({ list, bytes })));
    });
  const plain = listed(plan.tip === undefined ? plan : withoutTip(plan));
  const bundles = plan.tip === undefined ? [] : bundlesOf(listed, plan);
  const tables: BuildLookupTable[] = plan.swaps.flatMap((swap) => ('hops' in swap ? [] : swap.lookupTables));
  const bytesOf = (some: readonly ListedTransactions<List>[]): readonly Uint8Array[] => some.map(({ bytes }) => bytes);
  const coverage = await simulator.check(bytesOf(plain), tables);
  const tipped = bundles.length > 0 ? await simulator.check(bytesOf(bundles.flat()), tables) : coverage;
  issued.issue({ kind, owner, lastValidBlockHeight, stages: stagesOf(bytesOf(plain)), bundles: bundles.map(bytesOf) });
  const inLists = (some: readonly ListedTransactions<List>[]): Readonly<Record<List, readonly string[]>> => {
    const texts = (list: List): readonly string[] => some.filter((one) => one.list === list).map(({ bytes }) => base64FromBytes(bytes));
    const [first, second] = lists;
    return { [first]: texts(first), [second]: texts(second) } as Readonly<Record<List, readonly string[]>>;
  };
  return { withJito: inLists(bundles.length > 0 ? bundles.flat() : plain), plain: inLists(plain), coverage: lesser(coverage, tipped) };
}

/** The coverage with the larger part that was not simulated. */
function lesser(one: SimulationCoverage, other: SimulationCoverage): SimulationCoverage {
  return one.transactions - one.simulated < other.transactions - other.simulated ? other : one;
}

/** Runs a builder. @throws EngineError if the plan is out of bounds, because the parameters of the request were */
function withEngineErrors<Built>(build: () => Built): Built {
  try {
    return build();
  } catch (error) {
    if (error instanceof PlanError || error instanceof RangeError) {
      throw new EngineError('invalid', error.message, { cause: error });
    }
    throw error;
  }
}

function bundlesOf<Plan extends BuildTerms, List extends string>(
  listed: (of: Plan) => readonly ListedTransactions<List>[],
  plan: Plan,
): readonly (readonly ListedTransactions<List>[])[] {
  const whole = listed(plan);
  return fitsBundle(whole) ? [whole] : tippedBundles(listed({ ...plan, tip: undefined }), plan);
}

/** One transaction after the other: most of them need what those before them give. */
function stagesOf(transactions: readonly Uint8Array[]): readonly (readonly Uint8Array[])[] {
  return transactions.map((bytes) => [bytes]);
}
