import * as l10n from '@vscode/l10n';
import type { OpenPosition } from '../../service/positions';
import { sol, usd } from '../../base/format/money';
import { isKnown } from '../../base/format/numbers';
import { isPlausibleAmount } from '../../portfolio/snapshot';
import { WHOLE_BPS } from '../../base/basisPoints';

/** What a withdrawal should bring, at the prices of the last refresh. */
export interface Worth {
  readonly usd: number;
  /** `undefined`: the service does not say. */
  readonly sol: number | undefined;
  /** Whether the fees are in it: where the service does not value them, they are not. */
  readonly hasFees: boolean;
}

/**
 * What a share of a position (basis points) and all its fees are worth: a withdrawal collects all fees, whatever the share. `undefined`
 * where the service does not value the position, or with a figure that is too large to be real.
 */
export function worthOfWithdrawal(position: OpenPosition, shareBps: number): Worth | undefined {
  return hasImplausibleWorth(position) ? undefined : worthByFigures(position, shareBps);
}

/** Whether the service values a position, or its fees, with a figure that is too large to be real. */
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

/** The same in words: "$102.00 (0.714 SOL), fees included". */
export function withdrawalWorth(position: OpenPosition, shareBps: number): string | undefined {
  const worth = worthOfWithdrawal(position, shareBps);
  return worth === undefined ? undefined : `${figuresOf(worth)}, ${worth.hasFees ? l10n.t('fees included') : l10n.t('fees not counted')}`;
}

/** What a question says of it; nothing where the service does not value the position. */
export function worthLines(position: OpenPosition, shareBps: number): readonly string[] {
  const worth = withdrawalWorth(position, shareBps);
  return worth === undefined ? [] : [l10n.t`Should come back: about ${worth} (service's figures)`];
}

/** "$102.00 (0.714 SOL)" */
export function figuresOf(worth: Pick<Worth, 'usd' | 'sol'>): string {
  return `${usd(worth.usd)}${worth.sol === undefined ? '' : ` (${sol(worth.sol)})`}`;
}
