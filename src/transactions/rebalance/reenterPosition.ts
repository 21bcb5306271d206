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
  solOf,
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
  course: RebalanceContext,
  lamportsBack: bigint,
  position: OpenPosition | undefined,
  isMeasured = true,
): Promise<RebalanceResult> {
  try {
    assertNotCancelled(course);
    course.assertNothingSwitched();
    await waitForEarlierZapIns(course);
    await assertNotReentered(course);
    // The range goes around the bin that is active when the pool is read: nothing from here to the landing is to wait for the request limit.
    const { dependencies } = course;
    await dependencies.requests?.keep(requestsToReenter(dependencies, hasNoSol(position)), course.signal);
    course.report({ leg: 'between', step: 'readingPool' });
    const intention = await intend(course, lamportsBack, position, isMeasured);
    return await putIn(course, lamportsBack, intention);
  } catch (error) {
    return stopped(course, lamportsBack, error);
  }
}

/**
 * Zaps in, and with less where the transactions cost more than was estimated: without an RPC only the service knows which accounts are
 * missing.
 */
async function putIn(course: RebalanceContext, lamportsBack: bigint, first: Intention | TooLittle): Promise<RebalanceResult> {
  let intention = first;
  for (let less = 0; intention.kind === 'reentry'; less += 1) {
    assertNotCancelled(course);
    await course.assertStillHeld();
    try {
      return await zapIn(course, intention);
    } catch (error) {
      const beyond = error instanceof OperationError && error.cause instanceof CostOverrunError ? error.cause.lamports : undefined;
      if (beyond === undefined || less === MOST_BUILT_WITH_LESS) {
        throw error;
      }
      course.log('info', `${beyond} lamports over the estimated costs: built again with less`);
      intention = withLess(intention, beyond);
    }
  }
  await course.end({ kind: 'settled', lamportsBack, shortfall: intention.words });
  return course.notReentered({ reason: 'tooLittle', words: intention.words, lamportsBack, isOpen: false });
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

async function stopped(course: RebalanceContext, lamportsBack: bigint, error: unknown): Promise<RebalanceResult> {
  if (error instanceof CancelledBetween || course.signal.aborted) {
    return course.notReentered({ reason: 'cancelled', words: notReenteredMessage(lamportsBack, cancelledText()), lamportsBack });
  }
  if (wentInAfterAll(error)) {
    const words = alreadyReenteredMessage();
    await course.end({ kind: 'settled', lamportsBack, shortfall: words });
    return course.notReentered({ reason: 'failed', words, lamportsBack, isOpen: false });
  }
  const failure = error instanceof OperationError ? error : notRead(error);
  return course.notReentered({ reason: 'failed', words: notReenteredMessage(lamportsBack, failure.message), lamportsBack, error: failure });
}

/** Found out before a zap-in was begun, or right before one was signed. */
function wentInAfterAll(error: unknown): boolean {
  return error instanceof AlreadyReenteredError || (error instanceof OperationError && error.cause instanceof AlreadyReenteredError);
}

/** Reads the pool and the wallet, and computes from that what goes in. @throws OperationError where they do not say. */
async function intend(
  course: RebalanceContext,
  lamportsBack: bigint,
  position: OpenPosition | undefined,
  isMeasured: boolean,
): Promise<Intention | TooLittle> {
  const { dependencies, record, signal } = course;
  const { owner, pool, pairName } = record.created;
  const plan = planOf(course);
  const info = await dependencies.service.poolInfo(pool, { signal });
  const activeBinId = info.activeBin?.binId;
  if (activeBinId === undefined) {
    throw notRead(new Error(l10n.t('The service did not report the active bin of the pool.')));
  }
  const range = reentryRange(plan, plan.halfWidthBins, activeBinId, position?.binStepBps ?? binStepOf(info.bins));
  const tokens = await withSolPrice(course, poolTokens(info, position, undefined));
  const { balanceLamports, missing } = await settledWallet({ owner, pool, tokens, range }, lamportsBack, course);
  const funds = { lamportsBack, balanceLamports, reserveLamports: plan.reserveLamports, costs: reentryCosts(range, missing) };
  const inputLamports = reentryLamports(funds);
  course.log(
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
  const doubts =
    position === undefined ? unmeasured : priceDriftWarnings({ position, before: plan, lamportsBack, info, activeBinId, tokens });
  for (const doubt of doubts) {
    course.log('info', `not under the yes to the zap-out: ${doubt}`);
  }
  return {
    kind: 'reentry',
    reentry: { pool, pairName, lamportsBack, inputLamports, range, activeBinId, strategy, slippageBps, doubts },
    tokens,
    funds,
  };
}

/** For pools without SOL: what the review measures their swaps by. Without one the review decides by its policy. */
async function withSolPrice({ dependencies, record, signal }: RebalanceContext, tokens: PoolTokens): Promise<PoolTokens> {
  if (!lacksSolPrice(tokens)) {
    return tokens;
  }
  const solUsd = await solOf(record.created.owner, dependencies.service, signal).then(
    ({ priceUsd }) => priceUsd,
    () => undefined,
  );
  return { ...tokens, prices: { ...tokens.prices, solUsd } };
}

/** What is in the wallet, once it holds at least what came back: what answers may be behind. After a while as it is. */
async function settledWallet(question: WalletQuestion, lamportsBack: bigint, course: RebalanceContext): Promise<WalletState> {
  for (let looks = 1; ; looks += 1) {
    const state = await walletState(question, course);
    if (state.balanceLamports >= lamportsBack || looks === WALLET_LOOKS) {
      return state;
    }
    await pause(
      lookEveryMs(WALLET_EVERY_MS, course.dependencies.rpc === undefined ? course.dependencies.requests : undefined),
      course.signal,
      course.dependencies.clock,
    );
    assertNotCancelled(course);
  }
}

/** Asks the RPC, and where there is none, or it does not say, the service. */
async function walletState(question: WalletQuestion, course: RebalanceContext): Promise<WalletState> {
  const { rpc, service } = course.dependencies;
  if (rpc !== undefined) {
    try {
      return await walletByRpc(question, rpc, course.signal);
    } catch (error) {
      assertNotCancelled(course);
      course.log('warn', `the RPC ${rpc.name} does not report what is in the wallet: ${errorMessageOf(error)}`);
    }
  }
  const { lamports } = await solOf(question.owner, service, course.signal);
  if (lamports === undefined) {
    throw notRead(new Error(l10n.t('The service did not report the exact SOL balance of the wallet.')));
  }
  return { balanceLamports: lamports, missing: missingUnseen(question.tokens) };
}

async function zapIn(course: RebalanceContext, { reentry, tokens, funds }: Intention): Promise<RebalanceResult> {
  const { pool, pairName, inputLamports, range, activeBinId, strategy, slippageBps, lamportsBack } = reentry;
  const { owner } = course.record.created;
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
    ...course.partHost('zapIn', reentry, () => assertNotReentered(course)),
    inspect: (review) => assertWithinCosts(review, reentry, funds.costs),
  };
  let result: OperationResult;
  try {
    result = await runZapIn(
      plan,
      { ...course.partDependencies, policy: withinProceeds(reentry, course.dependencies.policy) },
      host,
      course.signal,
    );
  } catch (error) {
    return afterFailure(course, reentry, error);
  }
  switch (result.kind) {
    case 'declined': {
      const reason = course.signal.aborted ? 'cancelled' : 'declined';
      const why = reason === 'cancelled' ? cancelledText() : l10n.t('The re-entry was not approved; nothing more was sent.');
      return course.notReentered({ reason, words: notReenteredMessage(lamportsBack, why), lamportsBack });
    }
    case 'blocked': {
      const { review } = result;
      const blocking = review.findings.find(({ verdict }) => verdict === 'block')?.message ?? '';
      const words = notReenteredMessage(lamportsBack, l10n.t`The review blocked the re-entry, and it was not signed. ${blocking}`.trim());
      return course.notReentered({ reason: 'blocked', words, lamportsBack, review });
    }
    case 'landedNotListed':
      return course.unconfirmed('zapIn', result.signature, result.stoppedWaiting);
    case 'settled':
      await course.standing().catch((error: unknown) => course.log('warn', `its end is not written: ${errorMessageOf(error)}`));
      return { kind: 'settled', rebalance: course.id, reentry, position: result.position, signature: result.signature };
  }
}

/** The zap-in failed: what that means is in the journal. */
async function afterFailure(course: RebalanceContext, { lamportsBack }: Reentry, error: unknown): Promise<RebalanceResult> {
  const isUnknown = error instanceof OperationError && error.money === 'unknown';
  const standing = await course.standing().catch((unread: unknown) => {
    course.log('warn', `how it stands is not known: ${errorMessageOf(unread)}`);
    return undefined;
  });
  if (standing === undefined ? isUnknown : standing.kind === 'underWay') {
    return course.unconfirmed('zapIn', undefined, course.signal.aborted);
  }
  if (standing?.kind === 'concluded') {
    const { event } = standing;
    const words = (event.kind === 'settled' ? event.shortfall : event.reason) ?? positionChangedMessage();
    return course.notReentered({
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
