import { createRequire } from 'node:module';
import { join } from 'node:path';

// Meteora's own arithmetic of DAMM v2 pools, for comparison; with `bigint` in the place of its numbers.

/** A bn.js number. */
interface Big {
  toString(): string;
}

type SdkFunction = (...parts: readonly unknown[]) => Big;

interface Sdk {
  readonly [name: string]: unknown;
  readonly cpAmmCoder: { readonly types: { encode(name: string, value: object): Buffer } };
  readonly getDynamicFeeParams: (
    baseFeeBps: number,
  ) => object & { readonly maxVolatilityAccumulator: number; readonly variableFeeControl: number };
  readonly getSwapResultFromPartialInput: (
    state: object,
    amountIn: Big,
    feeMode: object,
    direction: number,
    point: Big,
  ) => Readonly<Record<string, Big>>;
  readonly getUnClaimLpFee: (pool: object, position: object) => { readonly feeTokenA: Big; readonly feeTokenB: Big };
}

const load = createRequire(join(process.cwd(), 'package.json'));
const sdk = load('@meteora-ag/cp-amm-sdk') as Sdk;
const BN = load('bn.js') as new (text: string, base: number) => Big;

/** Numbers of the SDK's enum `Rounding`. */
export const ROUNDING = { up: 0, down: 1 } as const;

/** Its enum `TradeDirection`. */
const DIRECTION = { x: 0, y: 1 } as const;

const big = (value: bigint): Big => new BN(value.toString(), 10);

/** A constant of the SDK. */
export function constant(name: string): bigint {
  return BigInt((sdk[name] as Big).toString());
}

/** What one of its functions gives; whole numbers are handed over as its own, anything else as it is. */
export function call(name: string, ...parts: readonly unknown[]): bigint {
  return BigInt((sdk[name] as SdkFunction)(...parts.map((part) => (typeof part === 'bigint' ? big(part) : part))).toString());
}

/** The parameters that it gives a pool with that base fee. */
export function dynamicFee(baseFeeBps: number): { readonly maxVolatility: bigint; readonly control: bigint } {
  const { maxVolatilityAccumulator, variableFeeControl } = sdk.getDynamicFeeParams(baseFeeBps);
  return { maxVolatility: BigInt(maxVolatilityAccumulator), control: BigInt(variableFeeControl) };
}

/** What a pool's account says, as far as trades depend on it. */
export interface AccountState {
  readonly sqrtPriceQ64: bigint;
  readonly liquidity: bigint;
  readonly baseFeeBps: number;
  readonly protocolFeePercent: number;
  /** `undefined`: the pool has no dynamic fee. */
  readonly volatilityAccumulator: bigint | undefined;
}

/** What selling as much of `amountIn` as there is room for gives, fees as in mode 0. */
export function swapResult(
  state: AccountState,
  sells: 'x' | 'y',
  amountIn: bigint,
): Readonly<Record<'amountIn' | 'amountOut' | 'nextSqrtPrice' | 'claimingFee' | 'protocolFee', bigint>> {
  const cliff_fee_numerator = big(BigInt(state.baseFeeBps) * 100_000n);
  const data = sdk.cpAmmCoder.types.encode('PodAlignedFeeTimeScheduler', {
    cliff_fee_numerator,
    base_fee_mode: 0,
    padding: [0, 0, 0, 0, 0],
    number_of_period: 0,
    period_frequency: big(0n),
    reduction_factor: big(0n),
  });
  const dynamic = {
    ...sdk.getDynamicFeeParams(state.baseFeeBps),
    initialized: state.volatilityAccumulator === undefined ? 0 : 1,
    volatilityAccumulator: big(state.volatilityAccumulator ?? 0n),
  };
  const account = {
    feeVersion: 1,
    collectFeeMode: 0,
    activationPoint: big(0n),
    sqrtPrice: big(state.sqrtPriceQ64),
    sqrtMinPrice: sdk['MIN_SQRT_PRICE'],
    sqrtMaxPrice: sdk['MAX_SQRT_PRICE'],
    liquidity: big(state.liquidity),
    poolFees: {
      baseFee: { baseFeeInfo: { data: [...data] } },
      dynamicFee: dynamic,
      protocolFeePercent: state.protocolFeePercent,
      referralFeePercent: 20,
      compoundingFeeBps: 0,
      initSqrtPrice: big(0n),
    },
  };
  const feeMode = { feesOnInput: false, feesOnTokenA: sells === 'y', hasReferral: false };
  const result = sdk.getSwapResultFromPartialInput(account, big(amountIn), feeMode, DIRECTION[sells], big(1n));
  const read = (name: string): bigint => BigInt((result[name] ?? '').toString());
  return {
    amountIn: read('includedFeeInputAmount'),
    amountOut: read('outputAmount'),
    nextSqrtPrice: read('nextSqrtPrice'),
    claimingFee: read('claimingFee'),
    protocolFee: read('protocolFee'),
  };
}
