import { createProgram, decodeAccount, type LbPair } from '@meteora-ag/dlmm';
import { type Connection, PublicKey } from '@solana/web3.js';
import { isBinStep, maxBinIdOf, priceOfBin } from '../../base/dlmm/bins';
import { type FeeNumerators, feeNumerators } from '../../base/dlmm/fees';
import { address } from '../../base/solana/address';
import { PROGRAMS } from '../../base/solana/programs';
import type { RawAccount } from '../positions/accounts';
import { PAIR_DISCRIMINATOR, PAIR_LAYOUT } from '../positions/dlmmRewards';
import type { ChainClock } from '../positions/clock';
import type { PoolAccount, PoolFees } from './poolAccount';

const WHOLE_BPS = 10_000;
/** Rates are over 1e9. */
const RATE_PER_PERCENT = 1e7;

/** Decodes pools in bins with the SDK. */
export class DlmmPools {
  readonly #program: ReturnType<typeof createProgram>;

  constructor(connection: Connection) {
    this.#program = createProgram(connection);
  }

  /** `undefined` if the account is no such pool, or its active bin has no price in the program's numbers. */
  read(account: RawAccount): PoolAccount | undefined {
    const { program, data } = account;
    if (program !== PROGRAMS.dlmm || data.length < PAIR_LAYOUT.bytes || !data.subarray(0, 8).equals(PAIR_DISCRIMINATOR)) {
      return undefined;
    }
    const pair = decodeAccount<LbPair>(this.#program, 'lbPair', data);
    const { activeId, binStep, protocolFee } = pair;
    if (!isBinStep(binStep) || Math.abs(activeId) > maxBinIdOf(binStep)) {
      return undefined;
    }
    const collected = { x: BigInt(protocolFee.amountX.toString()), y: BigInt(protocolFee.amountY.toString()) };
    return {
      program: 'dlmm',
      mints: { x: address(pair.tokenXMint.toBase58()), y: address(pair.tokenYMint.toBase58()) },
      vaults: { x: address(pair.reserveX.toBase58()), y: address(pair.reserveY.toBase58()) },
      binStep,
      activeBinId: activeId,
      rawPrice: priceOfBin(activeId, binStep),
      rewardMints: pair.rewardInfos.flatMap(({ mint }) => (mint.equals(PublicKey.default) ? [] : [address(mint.toBase58())])),
      // The vaults also hold unclaimed fees of positions; the amount is only in the positions.
      reserves: ({ x, y }) => ({ x: less(x, collected.x), y: less(y, collected.y) }),
      fees: (clock) => feesOf(pair, clock),
      decoded: pair,
    };
  }
}

/** Fees as the next trade would find them (SDK `getDynamicFee`); the maximum is that of the highest volatility. */
function feesOf({ binStep, activeId, parameters, vParameters }: LbPair, clock: ChainClock): PoolFees {
  const at = (volatilityAccumulator: number): FeeNumerators =>
    feeNumerators({
      binStepBps: binStep,
      baseFactor: parameters.baseFactor,
      power: parameters.baseFeePowerFactor,
      variableFeeControl: parameters.variableFeeControl,
      volatilityAccumulator,
    });
  const elapsedS = Number(clock.unixTimeS) - Number(vParameters.lastUpdateTimestamp.toString());
  const isFresh = elapsedS < parameters.filterPeriod;
  const decayed =
    elapsedS < parameters.decayPeriod ? Math.floor((vParameters.volatilityAccumulator * parameters.reductionFactor) / WHOLE_BPS) : 0;
  const reference = isFresh ? vParameters.volatilityReference : decayed;
  const crossed = isFresh ? Math.abs(vParameters.indexReference - activeId) : 0;
  const now = at(Math.min(reference + crossed * WHOLE_BPS, parameters.maxVolatilityAccumulator));
  return {
    basePercent: Number(now.base) / RATE_PER_PERCENT,
    dynamicPercent: Number(now.total) / RATE_PER_PERCENT,
    maximumPercent: Number(at(parameters.maxVolatilityAccumulator).total) / RATE_PER_PERCENT,
    protocolPercent: (100 * parameters.protocolShare) / WHOLE_BPS,
  };
}

function less(from: bigint, amount: bigint): bigint {
  return from > amount ? from - amount : 0n;
}
