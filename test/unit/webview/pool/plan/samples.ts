import type { PlanFigures, PoolView, TokenView } from '../../../../../src/protocol/pool';
import type { VolatilityView } from '../../../../../src/protocol/outlook';
import type { Ambient } from '../../../../../src/protocol/schemas';
import type { PlanDraft, PlanState } from '../../../../../webview/pool/plan/types';

export const ACTIVE = -350;
const SOL_MINT = 'So11111111111111111111111111111111111111112';

function token(symbol: string, decimals: number | undefined, address?: string): TokenView {
  return {
    address,
    symbol,
    name: undefined,
    decimals,
    priceUsd: undefined,
    marketCapUsd: undefined,
    fdvUsd: undefined,
    organicScore: undefined,
    holders: undefined,
  };
}

/** A pool of BONK and SOL, 100 bps, that trades at bin −350. */
export function poolView(part: Partial<PoolView> = {}): PoolView {
  const none = { '5m': undefined, '1h': undefined, '6h': undefined, '24h': undefined };
  return {
    pairName: 'BONK/SOL',
    poolType: 'dlmm',
    x: token('BONK', 5),
    y: token('SOL', 9, SOL_MINT),
    price: undefined,
    binStepBps: 100,
    tvlUsd: undefined,
    amountX: undefined,
    amountY: undefined,
    volumeUsd: none,
    volumeChangePercent: none,
    priceChangePercent: none,
    fees: {
      basePercent: undefined,
      dynamicPercent: undefined,
      maxPercent: undefined,
      protocolPercent: undefined,
      fees24hUsd: undefined,
      feeTvl24h: undefined,
    },
    createdAtMs: undefined,
    activeBinId: ACTIVE,
    bins: [],
    feeStats: [],
    ...part,
  };
}

/** 10 SOL in the wallet, all bin arrays from −10 to 0 there but −5. */
export const FIGURES: PlanFigures = {
  balanceLamports: '10000000000',
  reserveLamports: '100000000',
  solUsd: 100,
  defaultSlippageBps: 100,
  positionLamports: '57406080',
  positionPerBinAbove70Lamports: '779520',
  binArrayLamports: '71437440',
  isRentUpperBound: false,
  binArrays: { from: -10, to: 0, existing: [-10, -9, -8, -7, -6, -4, -3, -2, -1, 0] },
  feePerTransactionLamports: '1000000',
  tipLamports: '10000000',
};

export const AMBIENT: Ambient = {
  locale: 'en-US',
  currency: 'usd',
  serviceName: 'Sandbox',
  isSandbox: true,
  hasExplorer: false,
  owner: 'someone',
  canSign: true,
  isOwnService: true,
};

/** 4% a day. */
export const VOLATILITY: VolatilityView = { known: true, sigmaPerDay: 0.04, low: 0.03, high: 0.06, isRough: false, candles: 336 };

/** What planning is shown from, with this draft. */
export function planState(draft: PlanDraft, part: Partial<PlanState> = {}): PlanState {
  return {
    ambient: AMBIENT,
    pool: poolView(),
    figures: { status: 'ready', data: FIGURES, asOfMs: 0 },
    draft,
    isPriceSwapped: false,
    volatility: { status: 'ready', data: VOLATILITY, asOfMs: 0 },
    counterRecord: undefined,
    ownForecasts: undefined,
    horizon: '24h',
    currency: 'usd',
    canAdd: false,
    ...part,
  };
}
