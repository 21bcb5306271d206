import {
  CpAmm,
  getBaseFeeHandlerFromPodAlignedData,
  getDynamicFeeNumerator,
  getLiquidityHandler,
  getMaxFeeNumerator,
  getTotalFeeNumerator,
  type PoolState as DammState,
  TradeDirection,
} from '@meteora-ag/cp-amm-sdk';
import type { Connection } from '@solana/web3.js';
import BN from 'bn.js';
import { address } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';
import type { RawAccount } from '../positions/accounts';
import type { ChainClock } from '../positions/clock';
import type { PoolAccount, PoolFees } from './poolAccount';

const POOL_DISCRIMINATOR = Buffer.from('f19a6d0411b16dbc', 'hex');
const POOL_BYTES = 1_112;
const Q64 = 2 ** 64;
/** Rates are over 1e9. */
const RATE_PER_PERCENT = 1e7;
/** `activation_type` of a pool whose fee schedule counts slots; 1 counts seconds. */
const BY_SLOT = 0;

/** Decodes pools without bins with the SDK. */
export class DammPools {
  readonly #coder: CpAmm['_program']['coder'];

  constructor(connection: Connection) {
    this.#coder = new CpAmm(connection)._program.coder;
  }

  /** `undefined` if the account is no such pool. */
  read({ program, data }: RawAccount): PoolAccount | undefined {
    if (program !== PROGRAMS.dammV2 || data.length < POOL_BYTES || !data.subarray(0, 8).equals(POOL_DISCRIMINATOR)) {
      return undefined;
    }
    const pool = this.#coder.accounts.decode<DammState>('pool', data);
    const root = Number(pool.sqrtPrice.toString()) / Q64;
    return {
      program: 'damm',
      mints: { x: address(pool.tokenAMint.toBase58()), y: address(pool.tokenBMint.toBase58()) },
      vaults: { x: address(pool.tokenAVault.toBase58()), y: address(pool.tokenBVault.toBase58()) },
      binStep: undefined,
      activeBinId: undefined,
      rawPrice: root * root,
      rewardMints: pool.rewardInfos.flatMap(({ initialized, mint }) => (initialized === 0 ? [] : [address(mint.toBase58())])),
      reserves: () => {
        const [x, y] = getLiquidityHandler(pool).getReservesAmount();
        return { x: BigInt(x.toString()), y: BigInt(y.toString()) };
      },
      fees: (clock) => feesOf(pool, clock),
      decoded: pool,
    };
  }
}

/** Fees are null if a later version of the program has a kind of fee that the SDK does not know. */
function feesOf(pool: DammState, clock: ChainClock): PoolFees {
  const protocolPercent = pool.poolFees.protocolFeePercent;
  try {
    return { ...knownFeesOf(pool, clock), protocolPercent };
  } catch {
    return { basePercent: null, dynamicPercent: null, maximumPercent: null, protocolPercent };
  }
}

/**
 * The program uses the volatility of the last trade, however long ago it was. A base fee that depends on the amount is that of the smallest. Before
 * the activation, the fees are those at the activation.
 * @throws Error if the SDK does not know the kind of fee
 */
function knownFeesOf(pool: DammState, clock: ChainClock): Omit<PoolFees, 'protocolPercent'> {
  const { poolFees, activationType, activationPoint, feeVersion, sqrtPrice } = pool;
  const { dynamicFee } = poolFees;
  const handler = getBaseFeeHandlerFromPodAlignedData(poolFees.baseFee.baseFeeInfo.data);
  const now = new BN((activationType === BY_SLOT ? clock.slot : clock.unixTimeS).toString());
  const cap = getMaxFeeNumerator(feeVersion);
  const base = handler.getBaseFeeNumeratorFromIncludedFeeAmount(
    BN.max(now, activationPoint),
    activationPoint,
    TradeDirection.AtoB,
    new BN(1),
    poolFees.initSqrtPrice,
    sqrtPrice,
  );
  const mostDynamic =
    dynamicFee.initialized === 0
      ? new BN(0)
      : getDynamicFeeNumerator(
          new BN(dynamicFee.maxVolatilityAccumulator),
          new BN(dynamicFee.binStep),
          new BN(dynamicFee.variableFeeControl),
        );
  return {
    basePercent: percentOf(base),
    dynamicPercent: percentOf(getTotalFeeNumerator(poolFees, base, cap)),
    maximumPercent: percentOf(BN.min(BN.max(base, handler.getMaxFeeNumerator()).add(mostDynamic), cap)),
  };
}

function percentOf(rate: BN): number {
  return Number(rate.toString()) / RATE_PER_PERCENT;
}
