import * as l10n from '@vscode/l10n';
import { WHOLE_BPS } from '../../base/basisPoints';
import { binRange } from '../../base/format/identifiers';
import { sol } from '../../base/format/money';
import { counted } from '../../base/format/counted';
import { sentence } from '../../base/format/sentence';
import type { Address } from '../../base/solana/address';
import { enterAmountText, messageOf, readDecimal } from '../../base/format/typedNumbers';
import { SOL_DECIMALS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { TokenNames } from '../../review/describe/tokenNames';
import type { OpenPosition } from '../../service/positions';
import type { LiquidityService } from '../../service/service';
import { errorMessageOf } from '../../transactions/errors';
import type { OperationRecord } from '../../transactions/journal/types';
import type { RebalanceLeg, RebalanceResult, RebalanceStep } from '../../transactions/rebalance/types';
import { minutesFor, requestsToRebalance } from '../../transactions/requestPlan';
import type { OperationDependencies, OperationStep } from '../../transactions/types';
import type { Prompts, Reading } from '../shell/prompts/prompts';
import type { ApprovalSubject } from '../zap/approval';
import { firstTryDidNotLandText } from '../zap/approvalText';
import { movedInAll } from '../zap/movedTokens';
import { type RunnerDependencies, tokenNames } from '../zap/operationDependencies';
import { legTitle, rebalanceTitle, reentryTitle, shortSol } from '../zap/operationWords';
import { canceledText, firstTry, stepText } from '../zap/outcome';
import { unusualSlippage } from '../zap/slippage';
import { pricedPoolOf, pricesOf } from '../zap/zapInRange';
import { givenUp, madeSentences, walletChange } from '../zap/results';
import { rebalanceCostText } from './rebalanceCosts';
import type { RebalanceRequest } from './request';
import { followUpBriefly, followUpText, slippageText } from './summary';

/** A notification about the end of a rebalance. */
export interface RebalanceNotice {
  readonly severity: 'info' | 'warning';
  readonly message: string;
}

/**
 * Gives the notification about the end of a rebalance; `undefined` if the approval has said it all.
 * @param pair made safe for labels
 * @param made the new position, if it is listed
 * @param parts the journal records of its zap-outs and zap-ins
 */
export function rebalanceNotice(
  result: RebalanceResult,
  pair: string,
  made: OpenPosition | undefined,
  parts: readonly OperationRecord[] = [],
): RebalanceNotice | undefined {
  if (result.kind === 'blocked') {
    return undefined;
  }
  const title = rebalanceTitle(pair);
  if (result.kind === 'declined') {
    return { severity: 'info', message: canceledText(title, result.isAfterFirstTry === true) };
  }
  const moved = result.kind === 'unconfirmed' ? undefined : movedInAll(parts);
  return {
    severity: result.kind === 'settled' ? 'info' : 'warning',
    message: [
      l10n.t`${title}: ${sentence(rebalanceBrief(result, made))}`,
      ...(result.kind === 'settled' ? madeSentences(made) : []),
      ...(moved === undefined ? [] : [walletChange(moved)]),
    ].join(' '),
  };
}

/** The same in a few words, for a list of several: "1.25 SOL returned, 1.2 SOL re-entered over 0.0212 to 0.0281 SOL per BONK, Spot". */
export function rebalanceBrief(result: RebalanceResult, made?: OpenPosition): string {
  switch (result.kind) {
    case 'declined':
    case 'blocked':
      return notSignedBrief(result);
    case 'settled': {
      const { lamportsBack, inputLamports, range, strategy } = result.reentry;
      const madeRange = (made && pricesOf(range, pricedPoolOf(made))) ?? binRange(range.fromBinId, range.toBinId);
      return l10n.t`${shortSol(lamportsBack)} returned, ${shortSol(inputLamports)} re-entered over ${madeRange}, ${strategy}`;
    }
    case 'notReentered':
      return l10n.t`stopped after the zap-out. ${result.words}`;
    case 'unconfirmed':
      return result.leg === 'zapOut'
        ? l10n.t('zap-out sent, outcome not known yet. Nothing was re-entered: Binsight offers it once the proceeds are known.')
        : l10n.t('closed, and zap-in sent, outcome not known yet. Do not enter the pool again before Activity shows the result.');
  }
}

/** The end of an operation of which nothing was signed in the end, in a few words. */
export function notSignedBrief(
  result: { readonly kind: 'declined'; readonly isAfterFirstTry?: boolean } | { readonly kind: 'blocked' },
): string {
  return result.kind === 'declined' && result.isAfterFirstTry === true ? firstTry() : l10n.t('Nothing was signed.');
}

const preparingText = (): string => l10n.t('closed; preparing the re-entry. Cancel leaves the proceeds in your wallet…');
const betweenText = (): Readonly<Record<Extract<RebalanceStep, { leg: 'between' }>['step'], string>> => ({
  measuring: preparingText(),
  readingPool: preparingText(),
});

const legText = (leg: RebalanceLeg, step: string): string => `${legTitle(leg)}, ${step}`;
/** Steps in which a zap-out can no longer be canceled. */
const SENT: ReadonlySet<OperationStep> = new Set<OperationStep>(['landing', 'waitingToSendAgain', 'waitingForEffect', 'findingOut']);
/** What a cancellation during these steps means. */
const notReentered = () => l10n.t('Nothing is re-entered then.');

/**
 * Progress text of a step of a rebalance: with its leg, if there are two, and what a cancellation means. `undefined`: not shown.
 * @param parts 1: a re-entry without a zap-out
 * @param isAsked the user is asked
 */
export function shownRebalanceStep(step: RebalanceStep, parts: 1 | 2, isAsked: boolean): string | undefined {
  if (step.leg === 'between') {
    return betweenText()[step.step];
  }
  const words = stepMessageFor(step.step, isAsked, step.leftMs);
  if (words === undefined) {
    return undefined;
  }
  const isSent = step.leg === 'zapOut' && SENT.has(step.step);
  const text = isSent ? `${words.replace(/ ?…$/, '.')} ${notReentered()}` : words;
  return parts === 1 ? text : legText(step.leg, text);
}

/** Progress text of a step of an operation that may be signed without a question. */
export function stepMessageFor(step: OperationStep, isAsked: boolean, leftMs?: number): string | undefined {
  return step === 'waitingForApproval' && !isAsked ? undefined : stepText(step, leftMs);
}

/**
 * Names the tokens of a pool, from the lists of pools and positions or else from the service's details of the pool. Never rejects:
 * tokens without a name are shown by their mint.
 */
export async function namesInPool(
  pool: Address | undefined,
  { portfolio, log }: Pick<RunnerDependencies, 'portfolio' | 'log'>,
  service: LiquidityService,
): Promise<TokenNames> {
  const { pools, positions } = portfolio.snapshot;
  const known =
    pool === undefined
      ? undefined
      : (pools.find(({ address }) => address === pool) ?? positions.find((position) => position.pool === pool));
  if (known !== undefined || pool === undefined) {
    return tokenNames(known === undefined ? [] : [known.token0, known.token1]);
  }
  try {
    const { tokens } = await service.poolInfo(pool);
    return tokenNames(tokens);
  } catch (error) {
    log('warn', `the tokens of the pool ${pool} are shown by their mints: ${errorMessageOf(error)}`);
    return tokenNames([]);
  }
}

export interface SubjectParts extends Pick<OperationDependencies, 'rpc'> {
  /** Distinguishes the position from the other ones (positionList.ts). */
  readonly name: string;
  /** The wallet, if the question has to say which. */
  readonly wallet?: string | undefined;
  /** The pool's fee in percent; `undefined`: not listed. */
  readonly feePercent: number | undefined;
  /** Requests per minute that the service allows; `undefined` if unknown. */
  readonly perMinute: number | undefined;
}

/** The subject of the question about a rebalance. */
export function rebalanceSubject(
  { position, terms, isAgain }: Pick<RebalanceRequest, 'position' | 'terms' | 'isAgain'>,
  parts: SubjectParts,
): ApprovalSubject {
  return {
    title: rebalanceTitle(parts.name),
    pays: givenUp(position, WHOLE_BPS, position.inRange === true),
    costs: (review) => rebalanceCostText(review, position, { feePercent: parts.feePercent, slippageBps: terms.slippageBps }),
    keyFigures: [...walletLines(parts.wallet), ...durationLines(position, parts)],
    expectations: [slippageText(terms)],
    afterwards: followUpBriefly(terms, position),
    details: followUpText(terms, position),
    warnings: [...(isAgain === true ? [firstTryDidNotLandText()] : []), ...unusualSlippage(terms.slippageBps)],
  };
}

export function walletLines(wallet: string | undefined): readonly string[] {
  return wallet === undefined ? [] : [l10n.t`Wallet: ${wallet}`];
}

/** The minimum duration because of the service's request limit, if the limit is known and a rebalance takes more than a minute of it. */
function durationLines({ token0, token1 }: OpenPosition, { rpc, perMinute }: SubjectParts): readonly string[] {
  if (perMinute === undefined) {
    return [];
  }
  const lacksSol = token0.address !== WRAPPED_SOL_MINT && token1.address !== WRAPPED_SOL_MINT;
  const minutes = minutesFor(requestsToRebalance({ rpc }, lacksSol), perMinute);
  return minutes === 0 ? [] : [l10n.t`Duration: at least ${counted(minutes, 'minute')}`];
}

/**
 * Asks how much SOL to re-enter with, if the proceeds could not be measured.
 * @param worthSol the position's value before the zap-out, as the service reported it
 * @returns lamports; `undefined` if the user cancels
 */
export async function askAmountBack(pair: string, worthSol: number | undefined, prompts: Prompts): Promise<bigint | undefined> {
  const answer = await prompts.input<bigint>({
    title: reentryTitle(pair),
    prompt: worthSol === undefined || !Number.isFinite(worthSol) ? mostText() : `${l10n.t`Value: about ${sol(worthSol)}.`} ${mostText()}`,
    read: readSol,
  });
  return answer.kind === 'value' ? answer.value : undefined;
}

const mostText = (): string => l10n.t('The proceeds could not be measured. Enter the most SOL to re-enter with, costs included.');

function readSol(text: string): Reading<bigint> {
  const reading = readDecimal(text, SOL_DECIMALS);
  return reading.ok && reading.value > 0n ? reading : { ok: false, message: messageOf(reading) ?? enterAmountText('SOL', SOL_DECIMALS) };
}
