import type { PoolInfo } from '../api/records/pool';
import type { Address } from '../solana/address';
import { parseDecimal } from '../solana/amounts';
import { WRAPPED_SOL_MINT } from '../solana/programs';
import { OperationError, wordsOf } from './errors';
import type { OperationRecord } from './journal/types';
import { measured } from './measure';
import { readPositions } from './observations';
import { partOf, remainderOf, type Remainder } from './remainder';
import type { OperationDependencies, OperationHost, OperationResult, ShownPrices, ZapInPlan, ZapOutPlan } from './types';
import { runZapIn } from './zapIn';
import { runZapOut } from './zapOut';

/** What is left to do of an operation, found out just now; with the plan of what does it, where something can. `of`: the operation that is half done. */
export type FoundRemainder =
  | { readonly kind: 'told'; readonly words: string }
  | { readonly kind: 'zapOut'; readonly words: string; readonly of: OperationRecord; readonly plan: ZapOutPlan }
  | { readonly kind: 'zapIn'; readonly words: string; readonly of: OperationRecord; readonly plan: ZapInPlan };

/**
 * Finds out what is left to do of an operation that is half done: by the journal, the positions, what its transactions changed, the
 * wallet's balances and the pool. Sends nothing. Its `words` are for the user, before {@link finish} is run with it.
 * @param operation its id in the journal
 * @throws OperationError where the journal cannot be read or does not have it, or it is of another wallet or service than is in use
 */
export async function findRemainder(operation: string, dependencies: OperationDependencies, signal: AbortSignal): Promise<FoundRemainder> {
  const { journal, portfolio, service, isServiceInUse } = dependencies;
  const records = await recordsOf(dependencies);
  const record = records.find(({ id }) => id === operation);
  if (record === undefined) {
    throw new OperationError({ kind: 'invalidPlan', what: 'The journal does not have this operation any more.', advice: 'Look at your positions and your wallet for what is left to do.' });
  }
  assertInUse(record, dependencies);
  const { owner, pool } = record.created;
  const [listed, changed, wallet, info] = await Promise.all([
    readPositions(portfolio, owner, isServiceInUse),
    measured(record, { ...dependencies, journal, service: undefined }, { landed: partOf(record)?.landed ?? 'all', patienceMs: 0, signal }),
    walletOf(dependencies, owner, signal),
    service.poolInfo(pool, { signal }).catch(() => undefined),
  ]);
  const remainder = remainderOf(record, { records, listed, changed, held: wallet?.held, pool: info && { tokens: info.tokens, activeBinId: info.activeBin?.binId } });
  return withPlan(remainder, info, wallet?.solUsd);
}

/**
 * Does what is left to do, as an operation of its own: built, reviewed, asked about and written down as any other, and noted as the
 * one that finishes the other. A zap-in waits until what was signed before can no longer land.
 * @throws OperationError for whatever fails; it says what that means for the money.
 */
export async function finish(found: Exclude<FoundRemainder, { kind: 'told' }>, dependencies: OperationDependencies, host: OperationHost, signal: AbortSignal): Promise<OperationResult> {
  const finishing: OperationDependencies = { ...dependencies, finishes: found.of.id, waitsForEarlier: true };
  return found.kind === 'zapOut' ? runZapOut(found.plan, finishing, host, signal) : runZapIn(found.plan, finishing, host, signal);
}

async function recordsOf({ journal }: OperationDependencies): Promise<readonly OperationRecord[]> {
  try {
    return (await journal.read()).records;
  } catch (cause) {
    throw new OperationError({ kind: 'notRecorded', what: `The journal of operations cannot be read. ${wordsOf(cause)}`, advice: 'Without it, it is not known what is left to do. Try again once that is put right.', cause });
  }
}

function assertInUse({ created: { owner, service } }: OperationRecord, { portfolio, serviceId }: OperationDependencies): void {
  if (owner !== portfolio.snapshot.owner) {
    throw new OperationError({ kind: 'invalidPlan', field: 'owner', what: `This operation is of the wallet ${owner}, and another one is shown now.`, advice: 'Switch to that wallet, and try again.' });
  }
  if (service !== serviceId) {
    throw new OperationError({ kind: 'invalidPlan', field: 'service', what: 'This operation went through another service than the one that is in use now.', advice: 'Switch to that service, and try again.' });
  }
}

/** What the wallet holds by the service, and what SOL costs; `undefined` where it does not say. */
async function walletOf({ service }: OperationDependencies, owner: Address, signal: AbortSignal): Promise<{ readonly held: ReadonlyMap<Address, bigint>; readonly solUsd: number | undefined } | undefined> {
  try {
    const { items } = await service.tokenBalances({ owner }, { signal });
    const held = items.flatMap(({ mint, amountRaw, amountText, decimals }) => {
      const raw = amountRaw ?? (decimals === undefined ? undefined : parseDecimal(amountText, decimals));
      return raw === undefined ? [] : [[mint, raw] as const];
    });
    return { held: new Map(held), solUsd: items.find(({ mint }) => mint === WRAPPED_SOL_MINT)?.priceUsd };
  } catch {
    return undefined;
  }
}

function withPlan(remainder: Remainder, info: PoolInfo | undefined, solUsd: number | undefined): FoundRemainder {
  switch (remainder.kind) {
    case 'told':
      return remainder;
    case 'zapOut': {
      const { of, words, position } = remainder;
      const { plan, owner } = of.created;
      return plan.kind === 'zapOut' ? { kind: 'zapOut', of, words, plan: { position, owner, shareBps: plan.shareBps, output: plan.output, slippageBps: plan.slippageBps } } : { kind: 'told', words };
    }
    case 'zapIn': {
      const { of, words, tokens, range } = remainder;
      const { plan, owner, pool, pairName, poolType } = of.created;
      const [x, y] = info?.tokens ?? [];
      const prices: ShownPrices = {
        ...{ decimalsX: x?.decimals, decimalsY: y?.decimals, priceXUsd: x?.priceUsd, priceYUsd: y?.priceUsd },
        solUsd: solUsd ?? [x, y].find((token) => token?.address === WRAPPED_SOL_MINT)?.priceUsd,
      };
      return plan.kind === 'zapIn'
        ? {
            ...{ kind: 'zapIn', of, words },
            plan: { pool, pairName, poolType, owner, tokens, ...range, prices, inputLamports: 0n, percentX: plan.percentX, strategy: plan.strategy, slippageBps: plan.slippageBps, tokenX: x?.address, tokenY: y?.address },
          }
        : { kind: 'told', words };
    }
  }
}
