import type { OperationDependencies } from '../../operations/types';
import type { TokenNames } from '../../review/summary';
import type { Address } from '../../solana/address';
import { sameService, type ServiceChoice } from '../service/serviceChoice';
import { plainText } from '../views/plainText';
import type { RunnerDependencies } from './operationRunner';
import { SETTLE_EVERY_MS, SETTLE_TIMEOUT_MS } from './settleTimes';

/**
 * Gives what an operation works with. Another service that takes the place of the one that was chosen stops it.
 * @throws what kept the service, the RPC, the journal or the locks from being opened
 */
export async function operationDependencies(dependencies: RunnerDependencies, choice: ServiceChoice): Promise<OperationDependencies> {
  const { portfolio, log, policy, isSimulating, nowMs, records, serviceInUse } = dependencies;
  return {
    ...{ portfolio, log, policy, nowMs },
    service: await dependencies.service(),
    rpc: await dependencies.rpc(),
    isServiceInUse: () => sameService(choice, serviceInUse()),
    isSimulating: isSimulating(),
    ...{ journal: await records.journal(), locks: await records.locks(), serviceId: choice.id ?? choice.name },
    ...{ settleTimeoutMs: SETTLE_TIMEOUT_MS, settleEveryMs: SETTLE_EVERY_MS },
  };
}

/** Names the tokens of a pool for the review, by their mints. */
export function tokenNames(tokens: readonly { readonly address: Address | undefined; readonly symbol: string; readonly decimals: number | undefined }[]): TokenNames {
  return (mint) => {
    const token = tokens.find(({ address }) => address === mint);
    return token === undefined ? undefined : { symbol: plainText(token.symbol), decimals: token.decimals };
  };
}
