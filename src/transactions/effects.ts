import { WHOLE_BPS } from '../base/basisPoints';
import type { OpenPosition } from '../service/positions';
import type { PortfolioSnapshot } from '../portfolio/types';
import type { Address } from '../base/solana/address';
import { dammPosition } from '../base/solana/pda';

/** Tells whether a snapshot shows what an operation was to bring about. */
export type Effect = (snapshot: PortfolioSnapshot) => boolean;

/** Amounts drift with the price; this much of the withdrawn share has to be missing to be no drift. */
const CLEAR_PART = 0.5;

/** A withdrawal shows when the position is gone or, where only a share was withdrawn, when that share is. */
export function withdrawn(before: OpenPosition, shareBps: number): Effect {
  return ({ positions }) => {
    const now = positions.find((position) => position.key === before.key);
    return now === undefined || (shareBps < WHOLE_BPS && isReduced(before, now, shareBps));
  };
}

/**
 * An entry shows when the new position is listed; where its address is not known, when the pool has one that was not there
 * before. `before` is `undefined` where the positions had not been read: then no position can be told to be new.
 */
export function entered(position: Address | undefined, pool: Address, before: readonly OpenPosition[] | undefined): Effect {
  const known = before && new Set(before.map(({ key }) => key));
  const isNew = (listed: OpenPosition) =>
    position === undefined ? listed.pool === pool && known?.has(listed.key) === false : isSamePosition(listed, position);
  return ({ positions }) => positions.some(isNew);
}

/** A DAMM v2 position is named by its account or by the mint of its NFT, and not always by the same one in building and in listing. */
export function isSamePosition({ address, poolType }: OpenPosition, position: Address): boolean {
  return (
    address === position ||
    (poolType === 'dammV2' && address !== undefined && (address === dammPosition(position) || dammPosition(address) === position))
  );
}

/**
 * Whether a share was taken out of a position: the service reports more taken out, or the tokens in it are worth clearly less
 * at the prices of before, which swaps in the pool hardly change. Where neither can be told, any change of what is in it counts.
 */
function isReduced(before: OpenPosition, now: OpenPosition, shareBps: number): boolean {
  if (isMore(before.output.usd, now.output.usd) || isMore(before.output.native, now.output.native)) {
    return true;
  }
  const worthBefore = worth(before, before);
  const worthNow = worth(now, before);
  if (worthBefore !== undefined && worthNow !== undefined) {
    return worthNow <= worthBefore * (1 - (CLEAR_PART * shareBps) / WHOLE_BPS);
  }
  return (
    now.amount0 !== before.amount0 ||
    now.amount1 !== before.amount1 ||
    now.value.usd !== before.value.usd ||
    now.value.native !== before.value.native
  );
}

function worth({ amount0, amount1 }: OpenPosition, { price0Usd, price1Usd }: OpenPosition): number | undefined {
  const known = amount0 !== undefined && amount1 !== undefined && price0Usd !== undefined && price1Usd !== undefined;
  return known ? amount0 * price0Usd + amount1 * price1Usd : undefined;
}

function isMore(before: number | undefined, now: number | undefined): boolean {
  return before !== undefined && now !== undefined && now > before;
}
