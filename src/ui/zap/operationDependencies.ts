import { rateLimitedService } from '../../service/pacedService';
import type { OperationDependencies } from '../../transactions/types';
import { pacedPortfolio } from '../../portfolio/requestPace';
import { systemClock, type Clock } from '../../base/async/clock';
import type { TokenNames } from '../../review/describe/summary';
import type { Address } from '../../base/solana/address';
import { sameService, type ServiceChoice } from '../shell/serviceChoice';
import { plainText } from '../shell/views/text';
import { RequestWait } from '../shell/requestWait';
import { SETTLE_EVERY_MS, SETTLE_TIMEOUT_MS } from './settleTimes';
import type { RequestBudget } from '../../service/requestBudget';
import type { LiquidityService } from '../../service/service';
import type { OperationJournal } from '../../transactions/journal/types';
import type { OperationLocks } from '../../transactions/locks/types';
import type { PortfolioControl } from '../../portfolio/types';
import type { PolicySettings } from '../../review/policy';
import type { SolanaRpc } from '../../rpc/types';
import type { Signer } from '../../wallet/signer';
import type { EditorActions } from '../shell/editorActions';
import type { LogFunction } from '../shell/log';
import type { Prompts } from '../shell/prompts/prompts';

/**
 * Gives what an operation works with. Another service that takes the place of the one that was chosen stops it.
 * @param onWait told until when it waits for the service's request limit. With it, requests are sent for the operation, before all others:
 * `requests` has to be ended by the caller
 * @throws what kept the service, the RPC, the journal or the locks from being opened
 */
export async function operationDependencies(
  dependencies: RunnerDependencies,
  choice: ServiceChoice,
  onWait?: (untilMs: number | undefined) => void,
): Promise<OperationDependencies> {
  const { portfolio, log, policy, isSimulating, nowMs, clock, records, serviceInUse, budget } = dependencies;
  const parts: OperationDependencies = {
    ...{ portfolio, log, policy, nowMs },
    ...(clock === undefined ? {} : { clock }),
    service: await dependencies.service(),
    rpc: await dependencies.rpc(),
    hasExplorer: choice.kind === 'remote',
    isServiceInUse: () => sameService(choice, serviceInUse()),
    isSimulating: isSimulating(),
    ...{ journal: await records.journal(), locks: await records.locks(), serviceId: choice.id ?? choice.name },
    ...{ settleTimeoutMs: SETTLE_TIMEOUT_MS, settleEveryMs: SETTLE_EVERY_MS },
  };
  const requests = onWait === undefined ? undefined : budget?.()?.begin(onWait);
  return requests === undefined
    ? parts
    : { ...parts, requests, service: rateLimitedService(parts.service, requests), portfolio: pacedPortfolio(portfolio, requests) };
}

/** Runs an operation under its progress: shows its steps, and how long it waits for the service's request limit. */
export async function runWithinBudget<Result>(
  dependencies: RunnerDependencies,
  choice: ServiceChoice,
  progress: { readonly title: string; readonly show: (words: string) => void },
  run: (parts: OperationDependencies, showStep: (words: string) => void) => Promise<Result>,
): Promise<Result> {
  const { clock = systemClock, nowMs, budget, log } = dependencies;
  const wait = new RequestWait({
    show: progress.show,
    clock,
    nowMs,
    pause: () => budget?.()?.pause,
    log: (words) => log('info', `${progress.title}: ${words}`),
  });
  const parts = await operationDependencies(dependencies, choice, (untilMs) => wait.until(untilMs));
  try {
    return await run(parts, (words) => wait.showStep(words));
  } finally {
    parts.requests?.end();
    wait.dispose();
  }
}

/** Names the tokens of a pool for the review, by their mints. */
export function tokenNames(
  tokens: readonly { readonly address: Address | undefined; readonly symbol: string; readonly decimals: number | undefined }[],
): TokenNames {
  return (mint) => {
    const token = tokens.find(({ address }) => address === mint);
    return token === undefined ? undefined : { symbol: plainText(token.symbol), decimals: token.decimals };
  };
}

/** What operations are run with. */
export interface RunnerDependencies {
  readonly prompts: Prompts;
  readonly actions: EditorActions;
  readonly portfolio: PortfolioControl;
  readonly service: () => Promise<LiquidityService>;
  /** The RPC that the review asks; `undefined`: none. */
  readonly rpc: () => Promise<SolanaRpc | undefined>;
  /** What the user has set of the review's limits. */
  readonly policy: () => Partial<PolicySettings>;
  /** Whether the RPC is to simulate what is signed. */
  readonly isSimulating: () => boolean;
  readonly signer: (owner: Address, cancelled: AbortSignal) => Promise<Signer>;
  readonly serviceInUse: () => ServiceChoice;
  /** What all windows write down of operations, and by which they keep out of each other's way. */
  readonly records: { readonly journal: () => Promise<OperationJournal>; readonly locks: () => Promise<OperationLocks> };
  /** Told the id of each operation that is begun here. */
  readonly began: (operation: string) => void;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** By which operations wait, and waits are counted down; without it by the system's. */
  readonly clock?: Pick<Clock, 'after'>;
  /** The request budget of the service in use; without it operations do not wait for the service's request limit. */
  readonly budget?: () => RequestBudget | undefined;
  readonly log: LogFunction;
}
