import * as l10n from '@vscode/l10n';
import type { OpenPosition } from '../../service/positions';
import { usd } from '../../base/format/money';
import { isKnown } from '../../base/format/numbers';
import { percent } from '../../base/format/percent';
import type { OperationRecord } from '../../transactions/journal/types';
import { movedInLine } from './movedTokens';
import { areTokensUnknown } from './operationMessages';
import { pnlText, rangeStatus, type RangeStatus } from '../positions/positionRow';
import { WHOLE_BPS } from '../../base/basisPoints';
import { withdrawalWorth } from './worth';

/**
 * What a zap-out brought, in sentences, once the portfolio shows it. What came into the wallet is read from the transactions; its worth and
 * PnL are those of the last refresh before it.
 * @param now the position as it is listed now, where only a share (basis points) was withdrawn
 * @param record what the journal has of it
 */
export function zapOutResult(
  pair: string,
  before: OpenPosition,
  shareBps: number,
  now: OpenPosition | undefined,
  record?: OperationRecord,
): string {
  return `${withdrawnResult(pair, before, shareBps, now)}${receivedText(record)}`;
}

/** " Into your wallet: +17,002 GIGALAMB, +0.055 SOL." Without an RPC it says what is not known. */
function receivedText(record: OperationRecord | undefined): string {
  if (record === undefined) {
    return '';
  }
  const moved = movedInLine(record);
  if (moved !== undefined) {
    return l10n.t` Into your wallet, fees and rent included: ${moved}.`;
  }
  return areTokensUnknown(record) ? l10n.t(' Which tokens came into your wallet is not known without an RPC.') : '';
}

function withdrawnResult(pair: string, before: OpenPosition, shareBps: number, now: OpenPosition | undefined): string {
  const worth = withdrawalWorth(before, shareBps);
  if (shareBps === WHOLE_BPS) {
    const figures = worth === undefined ? '' : l10n.t` It was worth about ${worth}.`;
    return l10n.t`Zapped out of ${pair}, and the position is closed.${figures}${hasPnl(before) ? l10n.t` Its PnL was ${pnlText(before)}.` : ''}`;
  }
  const figures = worth === undefined ? '' : l10n.t` That was worth about ${worth}.`;
  const left =
    now === undefined
      ? ''
      : isKnown(now.value.usd)
        ? l10n.t` The position stays open, and is worth ${usd(now.value.usd)} now.`
        : l10n.t(' The position stays open.');
  return l10n.t`Zapped ${percent(shareBps / 100)} out of ${pair}.${figures}${left}`;
}

/** What a zap-in made, in sentences, once the portfolio lists it; `made` is absent where the service did not name the new position. */
export function zapInResult(pair: string, made: OpenPosition | undefined): string {
  if (made === undefined) {
    return l10n.t`Zapped into ${pair}. The new position is listed.`;
  }
  return l10n.t`Zapped into ${pair}. ${listedResult(made)}`;
}

/** What a new position is, as it is listed: "The new position is listed, worth $9.99 and in range: it earns fees." */
export function listedResult(made: OpenPosition): string {
  return l10n.t`The new position is listed${isKnown(made.value.usd) ? l10n.t`, worth ${usd(made.value.usd)}` : ''}${rangeWords()[rangeStatus(made)]}`;
}

const rangeWords = (): Readonly<Record<RangeStatus, string>> => ({
  inRange: l10n.t(' and in range: it earns fees.'),
  outOfRange: l10n.t(' and out of range: it earns no fees until the price moves into it.'),
  unknown: '.',
});

function hasPnl({ pnl, pnlPercent }: OpenPosition): boolean {
  return isKnown(pnl.usd) || isKnown(pnlPercent.usd);
}
