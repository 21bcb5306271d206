import type { OpenPosition } from '../../api/records/position';
import { sol, usd } from '../../format/money';
import { isKnown } from '../../format/numbers';
import { WHOLE_BPS } from './basisPoints';

/**
 * What a share of a position (basis points) and all its fees are worth at the prices of the last refresh: "$102.00 (0.714 SOL),
 * fees included". A withdrawal collects all fees, whatever the share. `undefined` where the service does not value the position.
 */
export function withdrawalWorth({ value, uncollectedFee }: OpenPosition, shareBps: number): string | undefined {
  const hasFees = isKnown(uncollectedFee.usd);
  const sum = (whole: number | undefined, fees: number | undefined) => (isKnown(whole) && (!hasFees || isKnown(fees)) ? (whole * shareBps) / WHOLE_BPS + (hasFees ? (fees ?? 0) : 0) : undefined);
  const inUsd = sum(value.usd, uncollectedFee.usd);
  if (inUsd === undefined) {
    return undefined;
  }
  const inSol = sum(value.native, uncollectedFee.native);
  return `${usd(inUsd)}${inSol === undefined ? '' : ` (${sol(inSol)})`}, ${hasFees ? 'fees included' : 'fees not counted'}`;
}
