import { type Clock, systemClock } from '../../base/async/clock';
import type { Address } from '../../base/solana/address';
import { pacedPortfolio } from '../../portfolio/requestPace';
import type { PortfolioControl } from '../../portfolio/types';
import type { TokenNames } from '../../review/describe/tokenNames';
import type { PolicySettings } from '../../review/policy';
import type { SolanaRpc } from '../../rpc/types';
import type { RequestBudget } from '../../service/budget/requestBudget';
import { type LiquidityService, rateLimitedService } from '../../service/service';
import type { OperationJournal } from '../../transactions/journal/types';
import type { OperationLocks } from '../../transactions/locks/types';
import type { OperationDependencies } from '../../transactions/types';
import type { Signer } from '../../wallet/signer';
import type { EditorActions } from '../shell/editorAccess';
import { Cancelled, orCancelled } from '../shell/errors';
import type { LogFunction } from '../shell/log';
import type { Prompts } from '../shell/prompts/prompts';
import { RequestWait } from '../shell/requestWait';
import { hasExplorer, sameService, type ServiceChoice } from '../shell/serviceChoice';
import { plainText } from '../shell/views/text';
import type { WindowProblems } from '../shell/windowProblem';
import { SETTLE_EVERY_MS, SETTLE_TIMEOUT_MS } from './outcome';

/** The dependencies of an operation, and the service that builds its transactions. */
export interface OpenedDependencies extends OperationDependencies {
  /** As named when it was taken: the user may switch to another profile of the same service meanwhile. */
  readonly builtBy: ServiceChoice;
}

/**
 * Opens the dependencies of an operation. The operation stops when the user switches to another service.
 * @param onWait called with the time (ms since 1970) until which the operation waits for the service's request limit. With it, the operation's
 * requests take precedence over all others, and the caller has to end the returned `requests`
 * @throws if the service, the RPC, the journal or the locks cannot be opened
 */
async function operationDependencies(
  dependencies: RunnerDependencies,
  choice: ServiceChoice,
  onWait?: (untilMs: number | undefined) => void,
): Promise<OpenedDependencies> {
  const { portfolio, log, policy, isSimulating, nowMs, clock, records, serviceInUse, budget } = dependencies;
  const service = await dependencies.service();
  const builtBy = serviceInUse();
  const parts: OpenedDependencies = {
    builtBy,
    portfolio,
    log,
    policy,
    nowMs,
    ...(clock === undefined ? {} : { clock }),
    service,
    rpc: await dependencies.rpc(),
    hasExplorer: hasExplorer(choice.id),
    isServiceInUse: () => sameService(choice, serviceInUse()),
    isProfileInUse: () => serviceInUse().name === builtBy.name,
    isSimulating: isSimulating(),
    journal: await records.journal(),
    locks: await records.locks(),
    serviceId: choice.id ?? choice.name,
    settleTimeoutMs: SETTLE_TIMEOUT_MS,
    settleEveryMs: SETTLE_EVERY_MS,
  };
  const requests = onWait === undefined ? undefined : budget?.()?.begin(onWait);
  return requests === undefined
    ? parts
    : { ...parts, requests, service: rateLimitedService(parts.service, requests), portfolio: pacedPortfolio(portfolio, requests) };
}

/**
 * Runs an operation and shows its steps, the countdown while it waits for the service's request limit, and what else it waits for.
 * @throws Cancelled if the user cancels before the operation has begun
 */
export async function runWithinBudget<Result>(
  dependencies: RunnerDependencies,
  choice: ServiceChoice,
  progress: { readonly title: string; readonly show: (text: string) => void; readonly cancelled: AbortSignal },
  run: (parts: OpenedDependencies, showStep: (text: string) => void) => Promise<Result>,
): Promise<Result> {
  const { clock = systemClock, nowMs, log, problems } = dependencies;
  const wait = new RequestWait({ show: progress.show, clock, nowMs, log: (text) => log('info', `${progress.title}: ${text}`) });
  const showProblem = () => wait.setProblem(problems.current?.message);
  const subscription = problems.onDidChange(showProblem);
  showProblem();
  const opening = operationDependencies(dependencies, choice, (untilMs) => wait.until(untilMs));
  try {
    const parts = await orCancelled(opening, progress.cancelled);
    return await run(parts, (text) => wait.showStep(text));
  } finally {
    // Also if it was cancelled while it was opened.
    opening.then(({ requests }) => requests?.end()).catch(() => undefined);
    subscription.dispose();
    wait.dispose();
  }
}

/** Symbols and decimals of a pool's tokens by mint, for the review. */
export function tokenNames(
  tokens: readonly { readonly address: Address | undefined; readonly symbol: string | undefined; readonly decimals: number | undefined }[],
): TokenNames {
  return (mint) => {
    const token = tokens.find(({ address }) => address === mint);
    return token?.symbol === undefined ? undefined : { symbol: plainText(token.symbol), decimals: token.decimals };
  };
}

export interface RunnerDependencies {
  readonly prompts: Prompts;
  readonly actions: EditorActions;
  readonly portfolio: PortfolioControl;
  readonly service: () => Promise<LiquidityService>;
  /** RPC for the review; `undefined` if none is set. */
  readonly rpc: () => Promise<SolanaRpc | undefined>;
  /** The review's limits from the settings. */
  readonly policy: () => Partial<PolicySettings>;
  /** Whether the RPC simulates the transactions before signing. */
  readonly isSimulating: () => boolean;
  readonly signer: (owner: Address, cancelled: AbortSignal) => Promise<Signer>;
  readonly serviceInUse: () => ServiceChoice;
  /** Opens the panel of a position. Default: that is not offered. */
  readonly openPosition?: ((position: Address) => Promise<void>) | undefined;
  /** Completes an operation that is half done. Default: that is not offered. */
  readonly complete?: ((operation: string) => Promise<void>) | undefined;
  /** The user's name for a wallet; `undefined`: it has none. */
  readonly walletName?: (owner: Address) => string | undefined;
  /** Journal and locks, shared by all windows. */
  readonly records: { readonly journal: () => Promise<OperationJournal>; readonly locks: () => Promise<OperationLocks> };
  /** Called with the journal id of each operation that this window starts. */
  readonly began: (operation: string) => void;
  /** Called with the id of each operation that a run leaves before it has ended: its end is reported when it is found. */
  readonly leftOpen: (operation: string) => void;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** Clock for waiting and countdowns; the system's by default. */
  readonly clock?: Pick<Clock, 'after'>;
  readonly problems: WindowProblems;
  /** Request budget of the service in use; without it operations do not wait for the request limit. */
  readonly budget?: () => RequestBudget | undefined;
  readonly log: LogFunction;
}

/** What an operation ends with that was cancelled before it had begun. @throws any other error */
export function declinedIfCancelled(error: unknown): { readonly kind: 'declined' } {
  if (error instanceof Cancelled) {
    return { kind: 'declined' };
  }
  throw error;
}

export interface ShownRun<Result> {
  readonly title: string;
  /** @param show replaces the text after the title */
  readonly run: (show: (text: string) => void, cancelled: AbortSignal) => Promise<Result>;
  /** Cancels from outside, like the button. */
  readonly outside?: AbortSignal | undefined;
  /** Called when the user presses Cancel. */
  readonly onCancel?: (() => void) | undefined;
}

/**
 * Runs an operation under one progress notification. Its button cancels the operation until something is sent; from then on it only stops
 * the waiting, and the text of the step says so. All steps share the notification: of more than three within 0.8 s VS Code hides the last,
 * which has the outcome.
 */
export function runShown<Result>(prompts: Prompts, { title, run, outside, onCancel }: ShownRun<Result>): Promise<Result> {
  const button = new AbortController();
  const cancelled = outside === undefined ? button.signal : AbortSignal.any([button.signal, outside]);
  const cancel = () => {
    onCancel?.();
    button.abort();
  };
  return prompts.progress({ title, cancellable: true }, (report, signal) => {
    signal.addEventListener('abort', cancel, { once: true });
    return run(report, cancelled);
  });
}
