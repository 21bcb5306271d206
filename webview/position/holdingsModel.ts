import type { PositionView } from '../../src/protocol/position';
import type { CurrencyView } from '../../src/protocol/schemas';

/** One token of a position. */
export interface HoldingFigures {
  readonly side: 'x' | 'y';
  readonly symbol: string;
  readonly address: string | undefined;
  /** Whole tokens. */
  readonly amount: number | undefined;
  readonly uncollectedFee: number | undefined;
  readonly priceUsd: number | undefined;
  /** In the requested currency. */
  readonly value: number | undefined;
  readonly feeValue: number | undefined;
  /** Share of the position's value, 0 to 1; `undefined` if either token has no price. */
  readonly share: number | undefined;
}

/** A position's tokens X and Y, valued at the service's prices. For display only: never used for anything that is signed. */
export function holdingsOf(
  position: Pick<PositionView, 'x' | 'y' | 'value'>,
  currency: CurrencyView,
): readonly [HoldingFigures, HoldingFigures] {
  const rate = currency === 'usd' ? 1 : nativePerUsd(position.value);
  const worth = (amount: number | undefined, priceUsd: number | undefined) =>
    amount === 0 ? 0 : amount === undefined || priceUsd === undefined || rate === undefined ? undefined : amount * priceUsd * rate;
  const usdOf = (side: 'x' | 'y') => (position[side].amount === 0 ? 0 : product(position[side].amount, position[side].priceUsd));
  const [xUsd, yUsd] = [usdOf('x'), usdOf('y')];
  const total = xUsd === undefined || yUsd === undefined ? undefined : xUsd + yUsd;
  const figuresOf = (side: 'x' | 'y', usd: number | undefined): HoldingFigures => {
    const { symbol, address, amount, uncollectedFee, priceUsd } = position[side];
    return {
      side,
      symbol,
      address,
      amount,
      uncollectedFee,
      priceUsd,
      value: worth(amount, priceUsd),
      feeValue: worth(uncollectedFee, priceUsd),
      share: usd === undefined || total === undefined || !(total > 0) || !Number.isFinite(total) ? undefined : usd / total,
    };
  };
  return [figuresOf('x', xUsd), figuresOf('y', yUsd)];
}

/** SOL per US dollar, derived from the position's value in both currencies; `undefined` if one of them is missing or not positive. */
function nativePerUsd({ usd, native }: PositionView['value']): number | undefined {
  return usd === undefined || native === undefined || !(usd > 0) || !(native > 0) ? undefined : native / usd;
}

function product(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one * other;
}
