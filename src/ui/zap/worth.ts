import * as l10n from '@vscode/l10n';
import type { OpenPosition } from '../../service/positions';
import { sol, usd } from '../../base/format/money';
import { isKnown } from '../../base/format/numbers';
import { isPlausibleAmount } from '../../portfolio/snapshot';
import { WHOLE_BPS } from '../../base/basisPoints';

/** Estimated return of a withdrawal at the prices of the last refresh. */
export interface Worth {
  readonly usd: number;
  /** `undefined` where the service does not report it. */
  readonly sol: number | undefined;
  /** Without fees where the service does not value them. */
  readonly hasFees: boolean;
}

/**
 * Value of a share of a position plus all its fees: every withdrawal collects all fees, whatever the share. `undefined` where the service
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

function worthByFigures({ value, uncollectedFee }: OpenPosition, shareBps: number): Worth | undefined {
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

/** Its line in a question; none where the service does not value the position. */
export function worthLines(position: OpenPosition, shareBps: number): readonly string[] {
  const worth = withdrawalWorth(position, shareBps);
  return worth === undefined ? [] : [l10n.t`Estimated return: about ${worth} (service figures)`];
}

/** "$102.00 (0.714 SOL)" */
export function figuresOf(worth: Pick<Worth, 'usd' | 'sol'>): string {
  return `${usd(worth.usd)}${worth.sol === undefined ? '' : ` (${sol(worth.sol)})`}`;
}
