import * as l10n from '@vscode/l10n';
import { pause } from '../../base/async/clock';
import { binStepOf, shareOfXBins } from '../../base/dlmm/bins';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { OpenPosition } from '../../service/positions';
import { errorMessageOf, OperationError } from '../errors';
import { lookEveryMs, requestsToReenter } from '../requestPlan';
import { runZapIn } from '../run/zapIn';
import type { OperationHost, OperationResult, ZapInPlan } from '../types';
import {
  assertWithinCosts,
  CostOverrunError,
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
import {
  alreadyReenteredMessage,
  insufficientProceedsMessage,
  notMeasuredWarning,
  notReenteredMessage,
  positionChangedMessage,
  solText,
} from './messages';
import { AlreadyReenteredError, assertNotReentered, type RebalanceContext, waitForEarlierZapIns } from './rebalanceContext';
import { type RebalanceJournalPlan, reentryRange } from './rebalancePlan';
import type { RebalanceResult, Reentry } from './types';

/** How often, and how far apart, the wallet is read until it shows what came back. */
const WALLET_LOOKS = 4;
const WALLET_EVERY_MS = 2_500;

const cancelledText = () => l10n.t('The re-entry was cancelled before anything was sent.');

/** How often the zap-in is rebuilt with a smaller amount where the transactions cost more than was estimated. */
const MOST_BUILT_WITH_LESS = 2;
/** Room for the costs of a rebuilt zap-in: shares of several transactions are rounded, and priority fees change. */
const REBUILD_LAMPORTS = 100_000n;

/** What is to go in. */
interface Intention {
  readonly kind: 'reentry';
  readonly reentry: Reentry;
  readonly tokens: PoolTokens;
  readonly funds: ReentryFunds;
}

/** Why nothing is to go in. */
interface TooLittle {
  readonly kind: 'tooLittle';
  readonly words: string;
}

/**
 * Puts back what a zap-out brought, around the active bin of now: as much as was measured, less costs and reserve. Begins nothing
 * where an earlier try may have gone in. Never rejects: what fails leaves the money in the wallet and the rebalance open.
 * @param position as it was before the zap-out; `undefined` where that is not known any more
 * @param isMeasured false: `lamportsBack` is what the user said
 */
export async function reenterPosition(
  context: RebalanceContext,
  lamportsBack: bigint,
  position: OpenPosition | undefined,
  isMeasured = true,
): Promise<RebalanceResult> {
  try {
    assertNotCancelled(context);
    context.assertNothingSwitched();
    await waitForEarlierZapIns(context);
    await assertNotReentered(context);
    // The range goes around the bin that is active when the pool is read: nothing from here to the landing is to wait for the request limit.
    const { dependencies } = context;
    await dependencies.requests?.keep(requestsToReenter(dependencies, hasNoSol(position)), context.signal);
    context.report({ leg: 'between', step: 'readingPool' });
    const intention = await intend(context, lamportsBack, position, isMeasured);
    return await putIn(context, lamportsBack, intention);
  } catch (error) {
    return stopped(context, lamportsBack, error);
  }
}

/**
 * Zaps in, and with less where the transactions cost more than was estimated: without an RPC only the service knows which accounts are
 * missing.
 */
async function putIn(context: RebalanceContext, lamportsBack: bigint, first: Intention | TooLittle): Promise<RebalanceResult> {
  let intention = first;
  for (let less = 0; intention.kind === 'reentry'; less += 1) {
    assertNotCancelled(context);
    await context.assertStillHeld();
    try {
      return await zapIn(context, intention);
    } catch (error) {
      const beyond = error instanceof OperationError && error.cause instanceof CostOverrunError ? error.cause.lamports : undefined;
      if (beyond === undefined || less === MOST_BUILT_WITH_LESS) {
        throw error;
      }
      context.log('info', `${beyond} lamports over the estimated costs: built again with less`);
      intention = withLess(intention, beyond);
    }
  }
  await context.end({ kind: 'settled', lamportsBack, shortfall: intention.words });
  return context.notReentered({ reason: 'tooLittle', words: intention.words, lamportsBack, isOpen: false });
}

function withLess({ reentry, tokens, funds }: Intention, lamports: bigint): Intention | TooLittle {
  const further = { ...funds, costs: withExtraCost(funds.costs, lamports + REBUILD_LAMPORTS) };
  const inputLamports = reentryLamports(further);
  return inputLamports < LEAST_REENTRY_LAMPORTS
    ? { kind: 'tooLittle', words: insufficientProceedsMessage(further, inputLamports) }
    : { kind: 'reentry', reentry: { ...reentry, inputLamports }, tokens, funds: further };
}

/** Cancelled between the two parts, or before anything of the second was sent. */
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
  if (wentInAfterAll(error)) {
    const words = alreadyReenteredMessage();
    await context.end({ kind: 'settled', lamportsBack, shortfall: words });
    return context.notReentered({ reason: 'failed', words, lamportsBack, isOpen: false });
  }
  const failure = error instanceof OperationError ? error : notRead(error);
  return context.notReentered({
    reason: 'failed',
    words: notReenteredMessage(lamportsBack, failure.message),
    lamportsBack,
    error: failure,
  });
}

/** Found out before a zap-in was begun, or right before one was signed. */
function wentInAfterAll(error: unknown): boolean {
  return error instanceof AlreadyReenteredError || (error instanceof OperationError && error.cause instanceof AlreadyReenteredError);
}

/** Reads the pool and the wallet, and computes from that what goes in. @throws OperationError where they do not say. */
async function intend(
  context: RebalanceContext,
  lamportsBack: bigint,
  position: OpenPosition | undefined,
  isMeasured: boolean,
): Promise<Intention | TooLittle> {
  const { dependencies, record, signal } = context;
  const { owner, pool, pairName } = record.created;
  const plan = planOf(context);
  const info = await dependencies.service.poolInfo(pool, { signal });
  const activeBinId = info.activeBin?.binId;
  if (activeBinId === undefined) {
    throw notRead(new Error(l10n.t('The service did not report the active bin of the pool.')));
  }
  const range = reentryRange(plan, plan.halfWidthBins, activeBinId, position?.binStepBps ?? binStepOf(info.bins));
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
      // Not too little came out: the wallet does not show it, yet or any more.
      throw notRead(
        new Error(
          l10n.t`${solText(lamportsBack)} came back, but the wallet is reported to hold ${solText(balanceLamports)}: the rest was spent, or does not show yet.`,
        ),
      );
    }
    return { kind: 'tooLittle', words: insufficientProceedsMessage(funds, inputLamports) };
  }
  const { strategy, slippageBps } = plan;
  // Who re-enters later, without what was shown before, is asked in full anyway.
  const unmeasured = isMeasured ? [] : [notMeasuredWarning()];
  const warnings =
    position === undefined ? unmeasured : priceDriftWarnings({ position, before: plan, lamportsBack, info, activeBinId, tokens });
  for (const warning of warnings) {
    context.log('info', `approval of the zap-out does not cover it: ${warning}`);
  }
  return {
    kind: 'reentry',
    reentry: { pool, pairName, lamportsBack, inputLamports, range, activeBinId, strategy, slippageBps, warnings },
    tokens,
    funds,
  };
}

/** For pools without SOL: what the review measures their swaps by. Without one the review decides by its policy. */
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

/** What is in the wallet, once it holds at least what came back: what answers may be behind. After a while as it is. */
async function settledWallet(question: WalletQuestion, lamportsBack: bigint, context: RebalanceContext): Promise<WalletState> {
  for (let looks = 1; ; looks += 1) {
    const state = await walletState(question, context);
    if (state.balanceLamports >= lamportsBack || looks === WALLET_LOOKS) {
      return state;
    }
    await pause(
      lookEveryMs(WALLET_EVERY_MS, context.dependencies.rpc === undefined ? context.dependencies.requests : undefined),
      context.signal,
      context.dependencies.clock,
    );
    assertNotCancelled(context);
  }
}

/** Asks the RPC, and where there is none, or it does not say, the service. */
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
    throw notRead(new Error(l10n.t('The service did not report the exact SOL balance of the wallet.')));
  }
  return { balanceLamports: lamports, missing: missingUnseen(question.tokens) };
}

async function zapIn(context: RebalanceContext, { reentry, tokens, funds }: Intention): Promise<RebalanceResult> {
  const { pool, pairName, inputLamports, range, activeBinId, strategy, slippageBps, lamportsBack } = reentry;
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
      const why = reason === 'cancelled' ? cancelledText() : l10n.t('The re-entry was not approved; nothing more was sent.');
      return context.notReentered({ reason, words: notReenteredMessage(lamportsBack, why), lamportsBack });
    }
    case 'blocked': {
      const { review } = result;
      const blocking = review.findings.find(({ verdict }) => verdict === 'block')?.message ?? '';
      const words = notReenteredMessage(lamportsBack, l10n.t`The review blocked the re-entry, and it was not signed. ${blocking}`.trim());
      return context.notReentered({ reason: 'blocked', words, lamportsBack, review });
    }
    case 'landedNotListed':
      return context.unconfirmed('zapIn', result.signature, result.stoppedWaiting);
    case 'settled':
      await context.updateStatus().catch((error: unknown) => context.log('warn', `its end is not written: ${errorMessageOf(error)}`));
      return { kind: 'settled', rebalance: context.id, reentry, position: result.position, signature: result.signature };
  }
}

/** The zap-in failed: what that means is in the journal. */
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
    const words = (event.kind === 'settled' ? event.shortfall : event.reason) ?? positionChangedMessage();
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

/** Whether the price of SOL is asked for besides. Where the position is not known it may be. */
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
    what: l10n.t`The re-entry could not be prepared. ${errorMessageOf(cause)}`,
    advice: l10n.t('Try again once this is resolved.'),
    cause,
  });
}
