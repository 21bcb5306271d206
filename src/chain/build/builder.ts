import { overTime } from '../../engine/build/build';
import { buildClaims } from '../../engine/build/claims';
import { buildEntry } from '../../engine/build/entries';
import { quoteExit } from '../../engine/build/exitQuotes';
import { buildExit } from '../../engine/build/exits';
import { buildDeposit } from '../../engine/build/positionDeposits';
import { buildSwap } from '../../engine/build/walletSwaps';
import type { BuildService, OperationToIssue, SimulationCoverage } from '../../engine/build/ports';
import type { EngineOperationKind, ProtocolNames } from '../../engine/engine';
import { requireNoHooks } from './livePool';
import { buildContexts, type ChainBuildContext } from './operations';
import { swapPairOf } from './swapPair';
import { swapSource } from './swapSource';
import type { BuilderOptions, OperationBuilder } from './types';
import { withdrawalOf } from './withdrawals';

/** How much less than the quote of a swap is used further. */
const KEPT_BACK_BPS = 50;
/** Most transactions of a bundle of Jito. */
const MOST_IN_BUNDLE = 5;

/** In the log. */
const BUILT_NAMES: Readonly<Record<EngineOperationKind, string>> = {
  add: 'an entry',
  decrease: 'a withdrawal',
  claim: 'a claim',
  swap: 'a swap',
};

/** Creates the builder of operations over a chain. */
export function createOperationBuilder(options: BuilderOptions): OperationBuilder {
  const contexts = buildContexts(options);
  const service = (): BuildService => chainBuildService(contexts(), options.protocols);
  return {
    buildAdd: (parameters) => overTime(buildEntry(service(), parameters)),
    buildDecrease: (parameters) => overTime(buildExit(service(), parameters)),
    buildDeposit: (parameters) => overTime(buildDeposit(service(), parameters)),
    buildClaim: (parameters) => overTime(buildClaims(service(), parameters)),
    buildSwap: (parameters) => overTime(buildSwap(service(), parameters)),
    decreaseQuote: (positionId, bps) => overTime(quoteExit(service(), positionId, bps)),
  };
}

function chainBuildService(context: ChainBuildContext, protocols: ProtocolNames): BuildService {
  const { terms } = context;
  return {
    protocols,
    provider: context.api !== undefined ? 'JUPITER' : 'METEORA',
    keptBackBps: KEPT_BACK_BPS,
    mostInBundle: MOST_IN_BUNDLE,
    keepsWrappedSol: true,
    random: (byteCount) => context.random(byteCount),
    pool: async (address) => {
      const pool = await context.pool(address);
      requireNoHooks(pool);
      return { pool, swaps: (of) => swapSource(context, pool, of) };
    },
    pair: (sell, buy) => swapPairOf(context, sell, buy),
    withdrawal: (positionId, share) => withdrawalOf(context, positionId, share),
    // Pools are copies here, which keep nothing of a plan.
    dryRun: (plan) => plan,
    rent: () => terms.rent(),
    wallet: (owner, tokens) => terms.wallet(owner, tokens),
    terms: (owner, written, transactions) => terms.build(owner, written, transactions),
    issue: (operation) => simulateAndStore(context, operation),
  };
}

/** @throws EngineError if a transaction would fail */
async function simulateAndStore(
  { simulator, issued, log }: ChainBuildContext,
  { kind, owner, lastValidBlockHeight, promised, plain, bundles, lookupTables }: OperationToIssue,
): Promise<SimulationCoverage> {
  const withoutTips = await simulator.check(plain, lookupTables);
  const withTips = bundles.length > 0 ? await simulator.check(bundles.flat(), lookupTables) : withoutTips;
  const coverage = unsimulated(withoutTips) < unsimulated(withTips) ? withTips : withoutTips;
  // One transaction after the other: most of them need what those before them give.
  issued.issue({ kind, owner, lastValidBlockHeight, stages: plain.map((bytes) => [bytes]), bundles });
  log(
    `Built ${BUILT_NAMES[kind]} of ${coverage.transactions} transactions for ${promised.positions.join(', ') || owner}; ${coverage.simulated} are simulated.`,
  );
  return coverage;
}

function unsimulated({ transactions, simulated }: SimulationCoverage): number {
  return transactions - simulated;
}
