import * as l10n from '@vscode/l10n';
import { WHOLE_BPS } from '../../base/basisPoints';
import { sol, usd } from '../../base/format/money';
import { isKnown } from '../../base/format/numbers';
import { percent } from '../../base/format/percent';
import { sentence } from '../../base/format/sentence';
import { isPlausibleAmount } from '../../portfolio/snapshot';
import { isPartlyLocked, type OpenPosition, withdrawablePart } from '../../service/positions';
import { rangeStatus } from '../../base/dlmm/rangeStatus';
import type { OperationRecord } from '../../transactions/journal/types';
import { pnlText } from '../positions/positionRows';
import { movedInLine, movedWithValues } from './movedTokens';
import { areTokensUnknown, positionClosedWords, tokensUnknownText } from './operationWords';

/** Estimated return of a withdrawal at the prices of the last refresh. */
export interface Worth {
  readonly usd: number;
  /** `undefined` if the service does not report it. */
  readonly sol: number | undefined;
  /** Without fees where the service does not value them. */
  readonly hasFees: boolean;
}

/**
 * Value of a share of a position plus all its fees: every withdrawal collects all fees, whatever the share. `undefined` if the service
 * does not value the position, or with a figure that is too large to be real.
 * @param shareBps 1 to 10000 basis points
 */
export function worthOfWithdrawal(position: OpenPosition, shareBps: number): Worth | undefined {
  return hasImplausibleWorth(position) ? undefined : worthByFigures(position, shareBps);
}

/** Whether the service's value of a position, or of its fees, is too large to be real. */
export function hasImplausibleWorth({ value, uncollectedFee }: OpenPosition): boolean {
  return [value, uncollectedFee].some((money) =>
    (['usd', 'native'] as const).some((currency) => money[currency] !== undefined && !isPlausibleAmount(money[currency], currency)),
  );
}

function worthByFigures(position: OpenPosition, shareBps: number): Worth | undefined {
  const { uncollectedFee } = position;
  const { value } = withdrawablePart(position);
  const hasFees = isKnown(uncollectedFee.usd);
  const sum = (whole: number | undefined, fees: number | undefined) =>
    isKnown(whole) && (!hasFees || isKnown(fees)) ? (whole * shareBps) / WHOLE_BPS + (hasFees ? (fees ?? 0) : 0) : undefined;
  const inUsd = sum(value.usd, uncollectedFee.usd);
  return inUsd === undefined ? undefined : { usd: inUsd, sol: sum(value.native, uncollectedFee.native), hasFees };
}

/** The same as text: "$102.00 (0.714 SOL), fees included". */
export function withdrawalWorth(position: OpenPosition, shareBps: number): string | undefined {
  const worth = worthOfWithdrawal(position, shareBps);
  if (worth === undefined) {
    return undefined;
  }
  return worth.hasFees ? l10n.t`${figuresOf(worth)}, fees included` : l10n.t`${figuresOf(worth)}, without fees`;
}

/**
 * What a question says is given up: "50% of the position, ≈ $102.00", fees included unless it says otherwise.
 * @param saysInRange says that the position is in range: it earns fees, which a rebalance interrupts
 */
export function givenUp(position: OpenPosition, shareBps: number, saysInRange = false): string {
  const worth = worthOfWithdrawal(position, shareBps);
  const share = percent(shareBps / 100);
  const what = saysInRange ? l10n.t`${l10n.t`${share} of the position`} (${l10n.t('in range')})` : l10n.t`${share} of the position`;
  if (worth === undefined) {
    return `${what}, ${l10n.t('value unknown')}`;
  }
  return worth.hasFees ? `${what}, ≈ ${usd(worth.usd)}` : l10n.t`${`${what}, ≈ ${usd(worth.usd)}`}, without fees`;
}

/** "$102.00 (0.714 SOL)" */
export function figuresOf(worth: Pick<Worth, 'usd' | 'sol'>): string {
  return `${usd(worth.usd)}${worth.sol === undefined ? '' : ` (${sol(worth.sol)})`}`;
}

/**
 * The result of a zap-out in sentences, once the portfolio shows it. Amounts are read from the transactions; value and PnL are those of
 * the last refresh before it.
 * @param title "Zap out 50% of BONK/SOL"
 * @param shareBps withdrawn share, 1 to 10000 basis points
 * @param now the position as listed now, where only a share was withdrawn
 * @param record the journal's record of the operation
 */
export function zapOutResult(
  title: string,
  before: OpenPosition,
  shareBps: number,
  now: OpenPosition | undefined,
  record?: OperationRecord,
): string {
  return [doneText(title), ...withdrawnSentences(before, shareBps, now), ...receivedSentences(record)].join(' ');
}

/**
 * The result of a claim in sentences, with the amount of each token and its value.
 * @param title "Claim fees of SOL/USDC"
 */
export function claimResult(title: string, record: OperationRecord | undefined): string {
  const done = doneText(title);
  const moved = record === undefined ? undefined : movedWithValues(record);
  return moved === undefined || moved === '' ? [done, ...receivedSentences(record)].join(' ') : `${done} ${walletChange(moved)}`;
}

/**
 * The result of a deposit into a position in sentences.
 * @param title "Compound fees of SOL/USDC"
 * @param deposited what went into the position; `undefined`: what left the wallet says it
 */
export function additionResult(title: string, deposited: string | undefined, record: OperationRecord | undefined): string {
  const moved = record === undefined ? undefined : movedWithValues(record);
  return [
    doneText(title),
    ...(deposited === undefined ? [] : [l10n.t`Into the position: about ${deposited}.`]),
    ...(moved === undefined || moved === '' ? [] : [walletChange(moved)]),
  ].join(' ');
}

const doneText = (title: string): string => l10n.t`${title}: done.`;

/** What an operation moved: "Change in your wallet, with fees and rent: +17,002 GIGALAMB, +0.055 SOL." */
export const walletChange = (moved: string): string => l10n.t`Change in your wallet, with fees and rent: ${moved}.`;

/** What was received. Without an RPC the tokens are unknown. */
function receivedSentences(record: OperationRecord | undefined): readonly string[] {
  if (record === undefined) {
    return [];
  }
  const moved = movedInLine(record);
  if (moved !== undefined) {
    return [walletChange(moved)];
  }
  return areTokensUnknown(record) ? [sentence(tokensUnknownText())] : [];
}

function withdrawnSentences(before: OpenPosition, shareBps: number, now: OpenPosition | undefined): readonly string[] {
  const worth = withdrawalWorth(before, shareBps);
  const value = worth === undefined ? [] : [l10n.t`Value: about ${worth}.`];
  if (shareBps === WHOLE_BPS && !isPartlyLocked(before)) {
    return [positionClosedWords(), ...value, ...(hasPnl(before) ? [l10n.t`PnL: ${pnlText(before)}.`] : [])];
  }
  return [...value, ...(isKnown(now?.value.usd) ? [l10n.t`The position stays open, now worth ${usd(now.value.usd)}.`] : [])];
}

/** The result of a zap-in in sentences, once the portfolio lists it; `made` is `undefined` if the service did not name the new position. */
export function zapInResult(title: string, made: OpenPosition | undefined): string {
  return [doneText(title), ...madeSentences(made)].join(' ');
}

/** The new position as listed: "Value: about $9.99. It is in range and earns fees." */
export function madeSentences(made: OpenPosition | undefined): readonly string[] {
  return made === undefined
    ? []
    : [...(isKnown(made.value.usd) ? [l10n.t`Value: about ${usd(made.value.usd)}.`] : []), ...rangeSentences(made)];
}

/** What the range status of a position means. */
export function rangeSentences(made: OpenPosition): readonly string[] {
  switch (rangeStatus(made)) {
    case 'inRange':
      return [l10n.t('It is in range and earns fees.')];
    case 'outOfRange':
      return [l10n.t('It is out of range and earns no fees.')];
    case 'unknown':
    case 'none':
      return [];
  }
}

function hasPnl({ pnl, pnlPercent }: OpenPosition): boolean {
  return isKnown(pnl.usd) || isKnown(pnlPercent.usd);
}
