import * as l10n from '@vscode/l10n';
import { type PoolInfo, shownBin } from '../../service/poolInfo';
import type { TokenBalance } from '../../service/tokens';
import type { Address } from '../../base/solana/address';
import { parseDecimal } from '../../base/solana/amounts';
import type { SolanaRpc } from '../../rpc/types';
import { associatedTokenAddress } from '../../base/solana/pda';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { OperationError } from '../errors';
import type { Reason } from '../../base/reasons/reason';
import { slippageBpsOf } from '../journal/plans';
import type { OperationRecord } from '../journal/types';
import { measured } from '../outcome/measure';
import { observeStatuses, readCompleteListing } from '../outcome/observations';
import { partialExecutionOf, remainderOf } from '../outcome/partialExecution';
import type { PartialExecution, Remainder } from '../outcome/remainder';
import type {
  OperationDependencies,
  OperationHost,
  OperationResult,
  ShownPrices,
  SwappedToken,
  TokenSwapPlan,
  UnwrapPlan,
  ZapInPlan,
  ZapOutPlan,
} from '../types';
import { TOKEN_ACCOUNT_PREFIX_BYTES, tokenAccountAmount } from '../inspect/tokenFacts';
import { runSwap, runUnwrap } from '../run/swap';
import { runZapIn } from '../run/zapIn';
import { runZapOut } from '../run/zapOut';
import { onceResolved, switchBack, otherServiceWords, needsWalletWords, journalUnreadWords } from '../words';

const RPC_BUDGET_MS = 2_000;

/** The current remainder of a partially executed operation (`of`), with the plan that completes it if there is one. */
export type FoundRemainder =
  | Extract<Remainder, { kind: 'noAction' }>
  | { readonly kind: 'zapOut'; readonly reason: Reason; readonly of: OperationRecord; readonly plan: ZapOutPlan }
  | { readonly kind: 'zapIn'; readonly reason: Reason; readonly of: OperationRecord; readonly plan: ZapInPlan }
  | { readonly kind: 'swap'; readonly reason: Reason; readonly of: OperationRecord; readonly plan: TokenSwapPlan }
  | { readonly kind: 'unwrap'; readonly reason: Reason; readonly of: OperationRecord; readonly plan: UnwrapPlan };

/**
 * Finds out what is left to do of a partially executed operation, from the journal, the positions, the effects of its transactions, the
 * wallet's balances and the pool. Sends nothing. Show its reason to the user before {@link completeOperation} runs it.
 * @param operation its id in the journal
 * @throws OperationError if the journal can't be read or doesn't have it, or if it belongs to another wallet or service
 */
export async function findRemainder(operation: string, dependencies: OperationDependencies, signal: AbortSignal): Promise<FoundRemainder> {
  const { journal, portfolio, service, isServiceInUse, rpc } = dependencies;
  const records = await recordsOf(dependencies);
  const record = records.find(({ id }) => id === operation);
  if (record === undefined) {
    throw new OperationError({
      kind: 'invalidPlan',
      what: l10n.t('This operation is no longer in the journal.'),
      advice: l10n.t('Check your positions and your wallet.'),
    });
  }
  assertInUse(record, dependencies);
  const { owner, pool } = record.created;
  const part = partialExecutionOf(record) ?? (await partByNetwork(record, rpc));
  const [listed, changed, wallet, info, wrappedLamports, rent] = await Promise.all([
    readCompleteListing(portfolio, owner, isServiceInUse),
    measured(record, { ...dependencies, journal, service: undefined }, { landed: part?.landed ?? 'all', patienceMs: 0, signal }),
    walletOf(dependencies, owner, signal),
    pool === undefined ? undefined : service.poolInfo(pool, { signal }).catch(() => undefined),
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
    solUsd: priceIn(wallet?.items, WRAPPED_SOL_MINT),
    pool: info && { tokens: info.tokens, activeBinId: info.activeBin?.binId },
  };
  const remainder = remainderOf(record, known);
  return withPlan(remainder, info, wallet?.items ?? []);
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
  switch (found.kind) {
    case 'zapOut':
      return runZapOut(found.plan, finishing, host, signal);
    case 'zapIn':
      return runZapIn(found.plan, finishing, host, signal);
    case 'swap':
      return runSwap(found.plan, finishing, host, signal);
    case 'unwrap':
      return runUnwrap(found.plan, finishing, host, signal);
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
    throw new OperationError({ kind: 'notRecorded', what: journalUnreadWords(cause), advice: onceResolved(), cause });
  }
}

function assertInUse({ created: { owner, service } }: OperationRecord, { portfolio, serviceId }: OperationDependencies): void {
  if (owner !== portfolio.snapshot.owner) {
    throw new OperationError({ kind: 'invalidPlan', field: 'owner', what: needsWalletWords(owner), advice: switchBack() });
  }
  if (service !== serviceId) {
    throw new OperationError({ kind: 'invalidPlan', field: 'service', what: otherServiceWords(), advice: switchBack() });
  }
}

/** The wallet's balances by the service; `undefined` without an answer. */
async function walletOf(
  { service }: OperationDependencies,
  owner: Address,
  signal: AbortSignal,
): Promise<{ readonly held: ReadonlyMap<Address, bigint>; readonly items: readonly TokenBalance[] } | undefined> {
  try {
    const { items } = await service.tokenBalances({ owner }, { signal });
    const held = items.flatMap(({ mint, amountRaw, amountText, decimals }) => {
      const raw = amountRaw ?? (decimals === undefined ? undefined : parseDecimal(amountText, decimals));
      return raw === undefined ? [] : [[mint, raw] as const];
    });
    return { held: new Map(held), items };
  } catch {
    return undefined;
  }
}

function priceIn(items: readonly TokenBalance[] | undefined, of: Address): number | undefined {
  return items?.find(({ mint }) => mint === of)?.priceUsd;
}

/** A token of a swap by what the pool, the wallet and the journal say of it, in this order. */
function swappedToken(mint: Address, of: OperationRecord, info: PoolInfo | undefined, items: readonly TokenBalance[]): SwappedToken {
  const inPool = info?.tokens.find(({ address }) => address === mint);
  const inWallet = items.find((item) => item.mint === mint);
  const inJournal = of.created.tokens?.find((token) => token.mint === mint);
  return {
    mint,
    symbol: inPool?.symbol ?? inWallet?.symbol ?? inJournal?.symbol,
    decimals: inPool?.decimals ?? inWallet?.decimals ?? inJournal?.decimals,
    priceUsd: inPool?.priceUsd ?? inWallet?.priceUsd,
  };
}

function withPlan(remainder: Remainder, info: PoolInfo | undefined, items: readonly TokenBalance[]): FoundRemainder {
  const solUsd = priceIn(items, WRAPPED_SOL_MINT);
  switch (remainder.kind) {
    case 'noAction':
      return remainder;
    case 'zapOut': {
      const { of, reason, position, leavesMore } = remainder;
      const { plan, owner } = of.created;
      return plan.kind === 'zapOut'
        ? {
            kind: 'zapOut',
            of,
            reason,
            plan: { position, owner, shareBps: plan.shareBps, output: plan.output, slippageBps: plan.slippageBps, leavesMore },
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
      return plan.kind === 'zapIn' && pool !== undefined && poolType !== undefined
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
    case 'swap': {
      const { of, reason, sold, boughtMint, leavesMore } = remainder;
      const { owner, plan } = of.created;
      const token = (mint: Address): SwappedToken => swappedToken(mint, of, info, items);
      return {
        kind: 'swap',
        of,
        reason,
        plan: {
          owner,
          sold: token(sold.mint),
          bought: token(boughtMint),
          amountRaw: sold.raw,
          slippageBps: slippageBpsOf(plan),
          solUsd,
          leavesMore,
        },
      };
    }
    case 'unwrap': {
      const { of, reason, lamports } = remainder;
      return { kind: 'unwrap', of, reason, plan: { owner: of.created.owner, lamports, solUsd } };
    }
  }
}
