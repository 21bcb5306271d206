import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { counted } from '../../base/format/counted';
import { errorText } from '../../base/thrown';
import { MINUTE_MS } from '../../base/time';
import { amountText } from '../../review/describe/summary';
import type { TokenNames } from '../../review/describe/tokenNames';
import { ServiceError } from '../../service/errors';
import type { OperationErrorDetails } from '../errors';
import { isExpiryError } from '../expiry';
import type { ServiceAnswer } from '../../base/reasons/reason';
import type { OperationRecord } from '../journal/types';
import { answerWords } from '../../base/reasons/reasonWords';
import { failedWords } from '../words';
import type { OperationSpec } from './steps';

// Messages about sent transactions. They quote the service's answer but never take it as proof.

/** The service's answer, for the journal. */
export function serviceAnswerOf(cause: unknown): ServiceAnswer {
  if (!(cause instanceof ServiceError)) {
    return { kind: 'unusable', error: quoted(cause) };
  }
  const { status, serviceMessage, kind } = cause;
  if (status === undefined) {
    return { kind: 'none', error: quoted(cause) };
  }
  return kind === 'malformed' ? { kind: 'unreadable' } : { kind: 'status', status, said: serviceMessage };
}

/** The service's answer as the end of a sentence. */
export function answerMessage(cause: unknown): string {
  return answerWords(serviceAnswerOf(cause));
}

/** "2 minutes", "1 minute"; rounded up. */
export function minutesText(ms: number): string {
  return counted(Math.max(1, Math.ceil(ms / MINUTE_MS)), 'minute');
}

function quoted(thrown: unknown): string {
  return errorText(thrown)
    .trim()
    .replace(/[.!?]+$/, '');
}

/** Why a landing failed according to the service. Only the chain says whether something landed (waiting.ts). */
export type LandingFailure =
  /** The price moved beyond the slippage tolerance. */
  | 'slippage'
  /** The blockhash expired. */
  | 'expired'
  | 'other';

// The interface has no code for it: services pass on the messages of programs ("ExceededSlippageTolerance").
const SLIPPAGE = /slippage|price (?:has )?(?:moved|changed)|exceeds desired/i;

/** Whether the request never left this machine: no connection, no key, or refused before sending. */
export function wasNotSent(cause: unknown): boolean {
  return cause instanceof ServiceError && !cause.mayHaveLanded;
}

/** Classifies the service's answer by its message. */
export function landingFailure(cause: unknown): LandingFailure {
  const said = cause instanceof ServiceError ? `${cause.message} ${cause.serviceMessage ?? ''}` : '';
  return SLIPPAGE.test(said) ? 'slippage' : isExpiryError(said) ? 'expired' : 'other';
}

/**
 * The error for transactions that are proven not to have landed.
 * @param cause the error of the landing
 * @param slippageBps the user's slippage tolerance
 */
export function notLandedError(cause: unknown, { noun }: Pick<OperationSpec, 'noun'>, slippageBps: number): OperationErrorDetails {
  const isSlippage = landingFailure(cause) === 'slippage';
  const sent = sentWords(noun, cause);
  return {
    kind: 'notLanded',
    what: isSlippage ? `${movedWords(slippageBps)} ${sent}` : sent,
    advice: isSlippage ? freshOrMoreSlippage() : l10n.t('Try again with a fresh quote.'),
    offersFreshQuote: true,
    cause,
  };
}

/** What the service answered to what was sent. */
export const sentWords = (noun: string, cause: unknown): string => l10n.t`The ${noun} was sent, and ${answerMessage(cause)}.`;
const movedWords = (slippageBps: number): string => l10n.t`The price moved beyond your slippage tolerance of ${slippageBps / 100}%.`;

/**
 * The error for transactions that landed and failed on chain.
 * @param reason the journal's reason, in sentences
 */
export function notCarriedOutError(
  cause: unknown,
  { noun }: Pick<OperationSpec, 'noun'>,
  slippageBps: number,
  reason: string | undefined,
): OperationErrorDetails {
  const isSlippage = landingFailure(cause) === 'slippage';
  return {
    kind: 'notCarriedOut',
    what: [failedWords(noun), ...(isSlippage ? [movedWords(slippageBps)] : reason === undefined ? [] : [reason])].join(' '),
    advice: isSlippage ? freshOrMoreSlippage() : l10n.t('Try again with a fresh quote.'),
    offersFreshQuote: true,
    cause,
  };
}

const freshOrMoreSlippage = () => l10n.t('Try again with a fresh quote, or raise the slippage tolerance.');

/** Balance changes by symbol, SOL last: "+12.5 BONK, −0.0104 SOL"; `undefined` if they were not read from the transactions. */
export function changesText({ changes, created: { tokens = [] } }: Pick<OperationRecord, 'changes' | 'created'>): string | undefined {
  if (changes === undefined) {
    return undefined;
  }
  const names: TokenNames = (mint) => {
    const token = tokens.find((one) => one.mint === mint);
    return token?.symbol === undefined ? undefined : { symbol: token.symbol, decimals: token.decimals };
  };
  const wrapped = changes.tokens.find(({ mint }) => mint === WRAPPED_SOL_MINT)?.changeRaw ?? 0n;
  const all: readonly (readonly [Address, bigint])[] = [
    ...changes.tokens.filter(({ mint }) => mint !== WRAPPED_SOL_MINT).map(({ mint, changeRaw }) => [mint, changeRaw] as const),
    [WRAPPED_SOL_MINT, changes.lamports + wrapped],
  ];
  const moved = all.filter(([, changeRaw]) => changeRaw !== 0n);
  return moved.length === 0
    ? undefined
    : moved
        .map(([mint, changeRaw]) => (changeRaw < 0n ? `−${amountText(mint, -changeRaw, names)}` : `+${amountText(mint, changeRaw, names)}`))
        .join(', ');
}
