import { rateLimitedService } from '../../api/pacedService';
import type { OperationDependencies } from '../../operations/types';
import { pacedPortfolio } from '../../portfolio/pacedPortfolio';
import { systemClock } from '../../portfolio/clock';
import type { TokenNames } from '../../review/summary';
import type { Address } from '../../solana/address';
import { sameService, type ServiceChoice } from '../service/serviceChoice';
import { plainText } from '../views/plainText';
import type { RunnerDependencies } from './operationRunner';
import { RequestWait } from './requestWait';
import { SETTLE_EVERY_MS, SETTLE_TIMEOUT_MS } from './settleTimes';

/**
 * Gives what an operation works with. Another service that takes the place of the one that was chosen stops it.
 * @param onWait told until when it waits for the service's request limit. With it, requests are sent for the operation, before all others:
 * `requests` has to be ended by the caller
 * @throws what kept the service, the RPC, the journal or the locks from being opened
 */
export async function operationDependencies(dependencies: RunnerDependencies, choice: ServiceChoice, onWait?: (untilMs: number | undefined) => void): Promise<OperationDependencies> {
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
  return requests === undefined ? parts : { ...parts, requests, service: rateLimitedService(parts.service, requests), portfolio: pacedPortfolio(portfolio, requests) };
}

/** Runs an operation under its progress: shows its steps, and how long it waits for the service's request limit. */
export async function runWithinBudget<Result>(
  dependencies: RunnerDependencies,
  choice: ServiceChoice,
  progress: { readonly title: string; readonly show: (words: string) => void },
  run: (parts: OperationDependencies, showStep: (words: string) => void) => Promise<Result>,
): Promise<Result> {
  const { clock = systemClock, nowMs, budget, log } = dependencies;
  const wait = new RequestWait({ show: progress.show, clock, nowMs, pause: () => budget?.()?.pause, log: (words) => log('info', `${progress.title}: ${words}`) });
  const parts = await operationDependencies(dependencies, choice, (untilMs) => wait.until(untilMs));
  try {
    return await run(parts, (words) => wait.showStep(words));
  } finally {
    parts.requests?.end();
    wait.dispose();
  }
}

/** Names the tokens of a pool for the review, by their mints. */
export function tokenNames(tokens: readonly { readonly address: Address | undefined; readonly symbol: string; readonly decimals: number | undefined }[]): TokenNames {
  return (mint) => {
    const token = tokens.find(({ address }) => address === mint);
    return token === undefined ? undefined : { symbol: plainText(token.symbol), decimals: token.decimals };
  };
}
