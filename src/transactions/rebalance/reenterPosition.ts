import * as l10n from '@vscode/l10n';
import { operationNoun } from '../../base/operationKinds';
import { pause } from '../../base/async/clock';
import { shareOfXBins } from '../../base/dlmm/bins';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { OpenPosition } from '../../service/positions';
import { errorMessageOf, OperationError } from '../errors';
import type { Reason } from '../../base/reasons/reason';
import { byBalanceWords, reasonWords, solText } from '../../base/reasons/reasonWords';
import { pollIntervalMs, requestsToReenter } from '../requestPlan';
import { runZapIn } from '../run/zapIn';
import type { OperationHost, OperationResult, ZapInPlan } from '../types';
import {
  assertWithinCosts,
  CostOverrunError,
  insufficientProceeds,
  LEAST_REENTRY_LAMPORTS,
  reentryCosts,
  type ReentryFunds,
  reentryLamports,
  withExtraCost,
  withinProceeds,
} from './costs';
import {
  lacksSolPrice,
  missingUnseen,
  poolTokens,
  type PoolTokens,
  priceDriftWarnings,
  solBalanceByService,
  walletByRpc,
  type WalletQuestion,
  type WalletState,
} from './market';
import { aboveLimitWarning, notMeasuredWarning, notReenteredMessage, positionChangedMessage } from './messages';
import { AlreadyReenteredError, assertNotReentered, type RebalanceContext, waitForEarlierZapIns } from './rebalanceContext';
import { type RebalanceJournalPlan, reentryRange } from './rebalancePlan';
import type { Proceeds, RebalanceResult, Reentry } from './types';
import { poolBinStep } from '../../service/poolInfo';
import { onceResolved, notPreparedWords, notReportedWords } from '../words';

/** How often, and in which interval, the wallet is read until it shows the proceeds. */
const WALLET_LOOKS = 4;
const WALLET_EVERY_MS = 2_500;

const cancelledText = () => l10n.t('The re-entry was canceled.');

/** How often the zap-in is rebuilt with a smaller amount if the transactions cost more than estimated. */
const MOST_BUILT_WITH_LESS = 2;
/** Margin for the costs of a rebuilt zap-in: shares of several transactions are rounded, and priority fees change. */
const REBUILD_LAMPORTS = 100_000n;

/** A planned re-entry. */
interface PlannedReentry {
  readonly kind: 'reentry';
  readonly reentry: Reentry;
  readonly tokens: PoolTokens;
  readonly funds: ReentryFunds;
}

/** The proceeds are too small for a re-entry. */
interface InsufficientProceeds {
  readonly kind: 'tooLittle';
  readonly reason: Reason;
}

/**
 * Re-enters with the proceeds of a zap-out around the current active bin, less costs and reserve. Begins nothing if an earlier attempt may
 * have landed. Never rejects: after a failure the money is in the wallet and the rebalance stays open.
 * @param position as it was before the zap-out; `undefined` if no longer known
 */
export async function reenterPosition(
  context: RebalanceContext,
  proceeds: Proceeds,
  position: OpenPosition | undefined,
): Promise<RebalanceResult> {
  const lamportsBack = proceeds.lamports;
  try {
    assertNotCancelled(context);
    context.assertNothingSwitched();
    await waitForEarlierZapIns(context);
    await assertNotReentered(context);
    // The range is placed around the bin that is active when the pool is read: nothing from here to the landing may wait for the request
    // limit.
    const { dependencies } = context;
    await dependencies.requests?.keep(requestsToReenter(dependencies, hasNoSol(position)), context.signal);
    context.report({ leg: 'between', step: 'readingPool' });
    const planned = await planReentry(context, proceeds, position);
    return await zapInProceeds(context, lamportsBack, planned);
  } catch (error) {
    return stopped(context, lamportsBack, error);
  }
}

/** Zaps in, with less if the transactions cost more than estimated: without an RPC only the service knows which accounts are missing. */
async function zapInProceeds(
  context: RebalanceContext,
  lamportsBack: bigint,
  first: PlannedReentry | InsufficientProceeds,
): Promise<RebalanceResult> {
  let planned = first;
  for (let less = 0; planned.kind === 'reentry'; less += 1) {
    assertNotCancelled(context);
    await context.assertStillHeld();
    try {
      return await zapIn(context, planned);
    } catch (error) {
      const beyond = error instanceof OperationError && error.cause instanceof CostOverrunError ? error.cause.lamports : undefined;
      if (beyond === undefined || less === MOST_BUILT_WITH_LESS) {
        throw error;
      }
      context.log('info', `${beyond} lamports over the estimated costs: built again with less`);
      planned = withLess(planned, beyond);
    }
  }
  await context.end({ kind: 'settled', lamportsBack, shortfall: planned.reason });
  return context.notReentered({ reason: 'tooLittle', words: reasonWords(planned.reason), lamportsBack, isOpen: false });
}

function withLess({ reentry, tokens, funds }: PlannedReentry, lamports: bigint): PlannedReentry | InsufficientProceeds {
  const further = { ...funds, costs: withExtraCost(funds.costs, lamports + REBUILD_LAMPORTS) };
  const inputLamports = reentryLamports(further);
  return inputLamports < LEAST_REENTRY_LAMPORTS
    ? { kind: 'tooLittle', reason: insufficientProceeds(further, inputLamports) }
    : { kind: 'reentry', reentry: { ...reentry, inputLamports }, tokens, funds: further };
}

/** Cancelled between the two legs, or before anything of the second one was sent. */
class CancelledBetween extends Error {}

function assertNotCancelled({ signal }: RebalanceContext): void {
  if (signal.aborted) {
    throw new CancelledBetween();
  }
}

async function stopped(context: RebalanceContext, lamportsBack: bigint, error: unknown): Promise<RebalanceResult> {
  if (error instanceof CancelledBetween || context.signal.aborted) {
    return context.notReentered({ reason: 'cancelled', words: notReenteredMessage(lamportsBack, cancelledText()), lamportsBack });
  }
  if (isAlreadyReentered(error)) {
    const reason = { code: 'alreadyReentered' } as const;
    await context.end({ kind: 'settled', lamportsBack, shortfall: reason });
    return context.notReentered({ reason: 'failed', words: reasonWords(reason), lamportsBack, isOpen: false });
  }
  const failure = error instanceof OperationError ? error : notRead(error);
  return context.notReentered({
    reason: 'failed',
    words: notReenteredMessage(lamportsBack, failure.message),
    lamportsBack,
    error: failure,
  });
}

/** Found before a zap-in was begun, or right before one was signed. */
function isAlreadyReentered(error: unknown): boolean {
  return error instanceof AlreadyReenteredError || (error instanceof OperationError && error.cause instanceof AlreadyReenteredError);
}

/** Reads pool and wallet, and plans the re-entry. @throws OperationError if they can't be read */
async function planReentry(
  context: RebalanceContext,
  proceeds: Proceeds,
  position: OpenPosition | undefined,
): Promise<PlannedReentry | InsufficientProceeds> {
  const { dependencies, record, signal } = context;
  const { owner, pool, pairName } = record.created;
  const plan = planOf(context);
  const { lamports: lamportsBack, from: proceedsFrom } = proceeds;
  if (pool === undefined) {
    throw notRead(new Error(l10n.t('The journal has lost steps of this operation.')));
  }
  const info = await dependencies.service.poolInfo(pool, { signal });
  const activeBinId = info.activeBin?.binId;
  if (activeBinId === undefined) {
    throw notRead(new Error(notReportedWords(l10n.t('Active bin'))));
  }
  const binStepBps = position?.binStepBps ?? poolBinStep(info);
  const range = reentryRange(plan, plan.halfWidthBins, activeBinId, binStepBps);
  const tokens = await withSolPrice(context, poolTokens(info, position, undefined));
  const { balanceLamports, missing } = await settledWallet({ owner, pool, tokens, range }, lamportsBack, context);
  const funds = { lamportsBack, balanceLamports, reserveLamports: plan.reserveLamports, costs: reentryCosts(range, missing) };
  const inputLamports = reentryLamports(funds);
  context.log(
    'info',
    `${lamportsBack} lamports came back; ${balanceLamports} are in the wallet, ${funds.costs.spentLamports} are costs, ${plan.reserveLamports} stay: ${inputLamports} go in`,
  );
  if (inputLamports < LEAST_REENTRY_LAMPORTS) {
    if (balanceLamports < lamportsBack && lamportsBack - funds.costs.spentLamports >= LEAST_REENTRY_LAMPORTS) {
      // The proceeds are not too small: the wallet doesn't show them yet, or no longer does.
      throw notRead(new Error(l10n.t`${solText(lamportsBack)} came back, but the wallet is reported to hold ${solText(balanceLamports)}.`));
    }
    return { kind: 'tooLittle', reason: insufficientProceeds(funds, inputLamports) };
  }
  const { strategy, slippageBps } = plan;
  // A later re-entry, without the figures shown before, is asked in full anyway.
  const { mostReentryLamports: most } = context;
  const aboveLimit = most !== undefined && inputLamports > most ? [aboveLimitWarning(inputLamports, most)] : [];
  const drift = position === undefined ? [] : priceDriftWarnings({ position, before: plan, lamportsBack, info, activeBinId, tokens });
  const warnings = [...aboveLimit, ...uncertaintyOf(proceeds), ...drift];
  for (const warning of warnings) {
    context.log('info', `approval of the zap-out does not cover it: ${warning}`);
  }
  return {
    kind: 'reentry',
    reentry: { pool, pairName, lamportsBack, proceedsFrom, inputLamports, range, activeBinId, binStepBps, strategy, slippageBps, warnings },
    tokens,
    funds,
  };
}

/** What is not known of the proceeds, as sentences. */
function uncertaintyOf({ lamports, from }: Proceeds): readonly string[] {
  switch (from) {
    case 'transactions':
      return [];
    case 'balances':
      return [byBalanceWords(lamports)];
    case 'user':
      return [notMeasuredWarning()];
  }
}

/** Adds the price of SOL for pools without SOL: the review measures their swaps by it. Without it the review decides by its policy. */
async function withSolPrice({ dependencies, record, signal }: RebalanceContext, tokens: PoolTokens): Promise<PoolTokens> {
  if (!lacksSolPrice(tokens)) {
    return tokens;
  }
  const solUsd = await solBalanceByService(record.created.owner, dependencies.service, signal).then(
    ({ priceUsd }) => priceUsd,
    () => undefined,
  );
  return { ...tokens, prices: { ...tokens.prices, solUsd } };
}

/** Reads the wallet until it holds at least the proceeds, since the answers may lag; after a while takes it as it is. */
async function settledWallet(question: WalletQuestion, lamportsBack: bigint, context: RebalanceContext): Promise<WalletState> {
  for (let looks = 1; ; looks += 1) {
    const state = await walletState(question, context);
    if (state.balanceLamports >= lamportsBack || looks === WALLET_LOOKS) {
      return state;
    }
    await pause(
      pollIntervalMs(WALLET_EVERY_MS, context.dependencies.rpc === undefined ? context.dependencies.requests : undefined),
      context.signal,
      context.dependencies.clock,
    );
    assertNotCancelled(context);
  }
}

/** Asks the RPC; without one, or without an answer, the service. */
async function walletState(question: WalletQuestion, context: RebalanceContext): Promise<WalletState> {
  const { rpc, service } = context.dependencies;
  if (rpc !== undefined) {
    try {
      return await walletByRpc(question, rpc, context.signal);
    } catch (error) {
      assertNotCancelled(context);
      context.log('warn', `the RPC ${rpc.name} does not report what is in the wallet: ${errorMessageOf(error)}`);
    }
  }
  const { lamports } = await solBalanceByService(question.owner, service, context.signal);
  if (lamports === undefined) {
    throw notRead(new Error(notReportedWords('SOL')));
  }
  return { balanceLamports: lamports, missing: missingUnseen(question.tokens) };
}

async function zapIn(context: RebalanceContext, { reentry, tokens, funds }: PlannedReentry): Promise<RebalanceResult> {
  const { pool, pairName, inputLamports, range, activeBinId, binStepBps, strategy, slippageBps, lamportsBack } = reentry;
  const { owner } = context.record.created;
  const plan: ZapInPlan = {
    pool,
    pairName,
    poolType: 'dlmm',
    ...tokens,
    owner,
    inputLamports,
    percentX: shareOfXBins(range, activeBinId),
    strategy,
    ...range,
    activeBinId,
    binStepBps,
    slippageBps,
  };
  const host: OperationHost = {
    ...context.partHost('zapIn', reentry, () => assertNotReentered(context)),
    inspect: (review) => assertWithinCosts(review, reentry, funds.costs),
  };
  let result: OperationResult;
  try {
    result = await runZapIn(
      plan,
      { ...context.partDependencies, policy: withinProceeds(reentry, context.dependencies.policy) },
      host,
      context.signal,
    );
  } catch (error) {
    return afterFailure(context, reentry, error);
  }
  switch (result.kind) {
    case 'declined': {
      const reason = context.signal.aborted ? 'cancelled' : 'declined';
      const why = reason === 'cancelled' ? cancelledText() : l10n.t('The re-entry was not approved.');
      return context.notReentered({ reason, words: notReenteredMessage(lamportsBack, why), lamportsBack });
    }
    case 'blocked': {
      const { review } = result;
      const blocking = review.findings.find(({ verdict }) => verdict === 'block')?.message ?? '';
      const words = notReenteredMessage(lamportsBack, l10n.t`The review blocked it. ${blocking}`.trim());
      return context.notReentered({ reason: 'blocked', words, lamportsBack, review });
    }
    case 'landedNotListed':
      return context.unconfirmed('zapIn', result.signature, result.stoppedWaiting);
    case 'settled':
      await context.updateStatus().catch((error: unknown) => context.log('warn', `its end is not written: ${errorMessageOf(error)}`));
      return { kind: 'settled', rebalance: context.id, reentry, position: result.position, signature: result.signature };
  }
}

/** The zap-in failed: the journal says with which outcome. */
async function afterFailure(context: RebalanceContext, { lamportsBack }: Reentry, error: unknown): Promise<RebalanceResult> {
  const isUnknown = error instanceof OperationError && error.money === 'unknown';
  const status = await context.updateStatus().catch((unread: unknown) => {
    context.log('warn', `how it stands is not known: ${errorMessageOf(unread)}`);
    return undefined;
  });
  if (status === undefined ? isUnknown : status.kind === 'underWay') {
    return context.unconfirmed('zapIn', undefined, context.signal.aborted);
  }
  if (status?.kind === 'concluded') {
    const { event } = status;
    const reason = event.kind === 'settled' ? event.shortfall : event.reason;
    const words = reason === undefined ? positionChangedMessage() : reasonWords(reason);
    return context.notReentered({
      reason: 'failed',
      words,
      lamportsBack,
      isOpen: false,
      error: error instanceof OperationError ? error : undefined,
    });
  }
  throw error;
}

/** Whether the price of SOL must be requested as well. Assumed so if the position is unknown. */
function hasNoSol(position: OpenPosition | undefined): boolean {
  return position === undefined || ![position.token0.address, position.token1.address].includes(WRAPPED_SOL_MINT);
}

function planOf({ record }: RebalanceContext): RebalanceJournalPlan {
  const { plan } = record.created;
  if (plan.kind !== 'rebalance') {
    throw new Error('The plan of a rebalance is not that of one.');
  }
  return plan;
}

function notRead(cause: unknown): OperationError {
  return new OperationError({
    kind: 'notBuilt',
    what: notPreparedWords(operationNoun('zapIn'), errorMessageOf(cause)),
    advice: onceResolved(),
    cause,
  });
}
