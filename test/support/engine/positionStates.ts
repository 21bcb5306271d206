import type { ClosedPositionState, OpenPositionState, PositionFacts } from '../../../src/engine/state/positionState';
import { mintOf, poolAddressOf, SOL } from '../chain/dataPools';

/** What differs between positions of a test. Figures are the same in US dollars and in SOL; times are milliseconds since 1970. */
export interface PositionSample {
  readonly owner: string;
  readonly input: number;
  readonly output?: number;
  readonly openedAt: number;
}

const MOMENT = { usd0: 1, usd1: 1, uiPrice: 1, activeBinId: 0 };

/** An open position in a pool of bins. */
export function openPosition({ value, ...sample }: PositionSample & { readonly value: number }): OpenPositionState {
  return {
    ...factsOf(sample),
    contents: {
      ...{ id: mintOf(3), amounts: { x: 1n, y: 1n }, withdrawableShare: 1, fees: { x: 0n, y: 0n } },
      ...{ value: both(value), fee: both(0), liquidity: '0' },
    },
    moment: MOMENT,
    events: [],
  };
}

/** A closed position in a pool of bins. */
export function closedPosition({ closedAt, ...sample }: PositionSample & { readonly closedAt: number }): ClosedPositionState {
  return { ...factsOf(sample), updatedAt: closedAt, closedAt, moment: MOMENT };
}

function factsOf({ owner, input, output = 0, openedAt }: PositionSample): PositionFacts {
  const token = (mint: string): PositionFacts['pool']['token0'] => ({ mint, symbol: 'T', name: 'T', decimals: 6, logo: null });
  return {
    ...{ address: mintOf(3), owner, strategy: null, range: { fromBinId: -1, toBinId: 1 }, openedAt, updatedAt: openedAt },
    pool: {
      ...{ address: poolAddressOf(1), protocol: 'meteora', pairName: 'T/T', token0: token(mintOf(4)), token1: token(SOL) },
      bins: { kind: 'bins', stepBps: 10 },
    },
    ...{ input: both(input), output: both(output), collectedFee: both(0), collectedReward: both(0) },
  };
}

function both(worth: number): PositionFacts['input'] {
  return { usd: worth, native: worth };
}
