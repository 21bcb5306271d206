import * as l10n from '@vscode/l10n';
import { type PoolInfo, shownBin } from '../../service/poolInfo';
import type { Address } from '../../base/solana/address';
import { parseDecimal } from '../../base/solana/amounts';
import type { SolanaRpc } from '../../rpc/types';
import { associatedTokenAddress } from '../../base/solana/pda';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { OperationError, errorMessageOf } from '../errors';
import type { Reason } from '../../base/reasons/reason';
import type { OperationRecord } from '../journal/types';
import { measured } from '../outcome/measure';
import { observeStatuses, readCompleteListing } from '../outcome/observations';
import { partialExecutionOf, remainderOf } from '../outcome/partialExecution';
import type { PartialExecution, Remainder } from '../outcome/remainder';
import { Recorder } from '../run/recorder';
import type { OperationDependencies, OperationHost, OperationResult, ShownPrices, ZapInPlan, ZapOutPlan } from '../types';
import { TOKEN_ACCOUNT_PREFIX_BYTES, tokenAccountAmount } from '../inspect/tokenFacts';
import { runZapIn } from '../run/zapIn';
import { runZapOut } from '../run/zapOut';

const RPC_BUDGET_MS = 2_000;

/** The current remainder of a partially executed operation (`of`), with the plan that completes it if there is one. */
export type FoundRemainder =
  | Extract<Remainder, { kind: 'noAction' }>
  | { readonly kind: 'zapOut'; readonly reason: Reason; readonly of: OperationRecord; readonly plan: ZapOutPlan }
  | { readonly kind: 'zapIn'; readonly reason: Reason; readonly of: OperationRecord; readonly plan: ZapInPlan };

/**
 * Finds out what is left to do of a partially executed operation, from the journal, the positions, the effects of its transactions, the
 * wallet's balances and the pool. Sends nothing. Show its reason to the user before {@link completeOperation} runs it.
 * @param operation its id in the journal
 * @throws OperationError if the journal can't be read or doesn't have it, or if it belongs to another wallet or service
 */
export async function findRemainder(operation: string, dependencies: OperationDependencies, signal: AbortSignal): Promise<FoundRemainder> {
  const { journal, portfolio, service, isServiceInUse, rpc, hasExplorer } = dependencies;
  const records = await recordsOf(dependencies);
  const record = records.find(({ id }) => id === operation);
  if (record === undefined) {
    throw new OperationError({
      kind: 'invalidPlan',
      what: l10n.t('This operation is no longer in the journal.'),
      advice: l10n.t('Check your positions and your wallet for what is left to do.'),
    });
  }
  assertInUse(record, dependencies);
  const { owner, pool } = record.created;
  const part = partialExecutionOf(record) ?? (await partByNetwork(record, rpc));
  const [listed, changed, wallet, info, wrappedLamports, rent] = await Promise.all([
    readCompleteListing(portfolio, owner, isServiceInUse),
    measured(record, { ...dependencies, journal, service: undefined }, { landed: part?.landed ?? 'all', patienceMs: 0, signal }),
    walletOf(dependencies, owner, signal),
    service.poolInfo(pool, { signal }).catch(() => undefined),
    wrappedIn(owner, rpc),
    rpc?.rentRate({ signal: AbortSignal.timeout(RPC_BUDGET_MS) }).catch(() => undefined),
  ]);
  const known = {
    records,
    listed,
    changed,
    part,
    wrappedLamports,
    rent,
    held: wallet?.held,
    solUsd: wallet?.solUsd,
    hasExplorer,
    pool: info && { tokens: info.tokens, activeBinId: info.activeBin?.binId },
  };
  const remainder = remainderOf(record, known);
  return withPlan(remainder, info, wallet?.solUsd);
}

/**
 * Does what is left to do, as an operation with its own review, approval and record, which names the interrupted one. A zap-in waits until
 * transactions signed earlier can no longer land.
 * @throws OperationError for every failure; its message says what it means for the money
 */
export async function completeOperation(
  found: Exclude<FoundRemainder, { kind: 'noAction' }>,
  dependencies: OperationDependencies,
  host: OperationHost,
  signal: AbortSignal,
): Promise<OperationResult> {
  const finishing: OperationDependencies = { ...dependencies, finishes: found.of.id, waitsForEarlier: true };
  return found.kind === 'zapOut' ? runZapOut(found.plan, finishing, host, signal) : runZapIn(found.plan, finishing, host, signal);
}

/**
 * Records that the user was shown what is left of an ended operation, so it is not offered again. Never rejects: if it can't be written,
 * the operation is offered once more.
 * @param reason what the user was shown
 */
export async function recordObservation(
  operation: string,
  reason: Reason,
  { journal, locks, log }: Pick<OperationDependencies, 'journal' | 'locks' | 'log'>,
): Promise<void> {
  try {
    const recorder = await Recorder.resume(operation, {
      journal,
      locks,
      noun: l10n.t('operation'),
      log: (message) => log('warn', message),
    });
    if (recorder !== undefined && recorder !== 'held') {
      await recorder.note({ kind: 'seen', reason });
      await recorder.close();
    }
  } catch (error) {
    log('warn', `that what is left of ${operation} was seen is not in the journal: ${errorMessageOf(error)}`);
  }
}

/** How much of it landed by the network; `undefined` without an RPC or an answer. */
async function partByNetwork(record: OperationRecord, rpc: SolanaRpc | undefined): Promise<PartialExecution | undefined> {
  const statuses = record.isUnclear ? await observeStatuses(record, rpc) : undefined;
  return (
    statuses && {
      landed: statuses.filter((status) => status !== undefined && status.error === undefined).length,
      of: record.signatures.length,
    }
  );
}

/** Balance of the owner's wrapped SOL account by the RPC, in lamports; `undefined` without an answer. */
async function wrappedIn(owner: Address, rpc: SolanaRpc | undefined): Promise<bigint | undefined> {
  try {
    const read = await rpc?.accounts(
      { addresses: [associatedTokenAddress(owner, WRAPPED_SOL_MINT)], firstBytes: TOKEN_ACCOUNT_PREFIX_BYTES },
      { signal: AbortSignal.timeout(RPC_BUDGET_MS) },
    );
    const account = read?.value[0];
    return read === undefined ? undefined : account === undefined ? 0n : tokenAccountAmount(account);
  } catch {
    return undefined;
  }
}

async function recordsOf({ journal }: OperationDependencies): Promise<readonly OperationRecord[]> {
  try {
    return (await journal.read()).records;
  } catch (cause) {
    throw new OperationError({
      kind: 'notRecorded',
      what: l10n.t`What is left to do is not known, because the operation journal cannot be read. ${errorMessageOf(cause)}`,
      advice: l10n.t('Try again once this is resolved.'),
      cause,
    });
  }
}

function assertInUse({ created: { owner, service } }: OperationRecord, { portfolio, serviceId }: OperationDependencies): void {
  if (owner !== portfolio.snapshot.owner) {
    throw new OperationError({
      kind: 'invalidPlan',
      field: 'owner',
      what: l10n.t`This operation belongs to the wallet ${owner}, but another one is selected.`,
      advice: l10n.t('Switch to that wallet, then try again.'),
    });
  }
  if (service !== serviceId) {
    throw new OperationError({
      kind: 'invalidPlan',
      field: 'service',
      what: l10n.t('This operation used another service than the one that is in use now.'),
      advice: l10n.t('Switch to that service, then try again.'),
    });
  }
}

/** The wallet's balances by the service, and the price of SOL; `undefined` without an answer. */
async function walletOf(
  { service }: OperationDependencies,
  owner: Address,
  signal: AbortSignal,
): Promise<{ readonly held: ReadonlyMap<Address, bigint>; readonly solUsd: number | undefined } | undefined> {
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
    case 'noAction':
      return remainder;
    case 'zapOut': {
      const { of, reason, position } = remainder;
      const { plan, owner } = of.created;
      return plan.kind === 'zapOut'
        ? {
            kind: 'zapOut',
            of,
            reason,
            plan: { position, owner, shareBps: plan.shareBps, output: plan.output, slippageBps: plan.slippageBps },
          }
        : { kind: 'noAction', reason, then: 'again' };
    }
    case 'zapIn': {
      const { of, reason, tokens, range } = remainder;
      const { plan, owner, pool, pairName, poolType } = of.created;
      const [x, y] = info?.tokens ?? [];
      const prices: ShownPrices = {
        decimalsX: x?.decimals,
        decimalsY: y?.decimals,
        priceXUsd: x?.priceUsd,
        priceYUsd: y?.priceUsd,
        solUsd: solUsd ?? [x, y].find((token) => token?.address === WRAPPED_SOL_MINT)?.priceUsd,
      };
      return plan.kind === 'zapIn'
        ? {
            kind: 'zapIn',
            of,
            reason,
            plan: {
              pool,
              pairName,
              poolType,
              owner,
              tokens,
              ...range,
              ...(info === undefined ? { activeBinId: undefined, binStepBps: undefined } : shownBin(info)),
              prices,
              inputLamports: 0n,
              percentX: plan.percentX,
              strategy: plan.strategy,
              slippageBps: plan.slippageBps,
              tokenX: x?.address,
              tokenY: y?.address,
              symbolX: x?.symbol,
              symbolY: y?.symbol,
            },
          }
        : { kind: 'noAction', reason, then: 'again' };
    }
  }
}
