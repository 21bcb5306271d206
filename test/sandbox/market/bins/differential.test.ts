import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import * as z from 'zod';
import { priceQ64OfBin } from '../../../../src/base/dlmm/bins';
import type { BinPoolSpec } from '../../../../src/sandbox/market/catalog';
import { decodeBinArray } from '../../../../src/sandbox/market/pools/binArrays';
import { accumulatorIn, BinFees, referredTo } from '../../../../src/sandbox/market/pools/binFees';
import { fillBin } from '../../../../src/sandbox/market/pools/binTrading';
import type { BinHolding, TokenSide } from '../../../../src/sandbox/market/types';
import { anySteps, Play } from '../../../support/sandbox/market/bins/steps';
import { binWorld, holdingOver, NOON, stockedHolding, type World } from '../../../support/sandbox/market/bins/common';

/** bn.js, as far as it is used here. */
interface BigNumber {
  toString(): string;
}

interface SdkVolatility {
  volatilityAccumulator: number;
  volatilityReference: number;
  indexReference: number;
  lastUpdateTimestamp: { toNumber(): number };
}

interface SdkTrade {
  readonly amountIn: BigNumber;
  readonly amountOut: BigNumber;
  /** Without the protocol's share. */
  readonly fee: BigNumber;
  readonly protocolFee: BigNumber;
}

interface SdkQuote {
  readonly consumedInAmount: BigNumber;
  readonly outAmount: BigNumber;
  readonly fee: BigNumber;
  readonly protocolFee: BigNumber;
}

interface SdkPosition {
  readonly positionBinData: {
    readonly binId: number;
    readonly positionXAmount: string;
    readonly positionYAmount: string;
    readonly positionFeeXAmount: string;
    readonly positionFeeYAmount: string;
  }[];
  readonly feeX: BigNumber;
  readonly feeY: BigNumber;
}

/** What is used of npm @meteora-ag/dlmm; its declarations would pull half of Anchor into the type check. */
interface Sdk {
  readonly prototype: {
    swapQuote(
      this: object,
      inAmount: BigNumber,
      swapForY: boolean,
      allowedSlippage: BigNumber,
      binArrays: object[],
      isPartialFill: boolean,
    ): SdkQuote;
  };
  updateReference(activeId: number, volatility: SdkVolatility, parameters: object, seconds: number): void;
  updateVolatilityAccumulator(volatility: SdkVolatility, parameters: object, activeId: number): void;
  processPosition(
    program: object,
    lbPair: object,
    clock: object,
    position: object,
    baseMint: object,
    quoteMint: object,
    rewardMint0: null,
    rewardMint1: null,
    binArrays: Map<string, object>,
  ): Promise<SdkPosition>;
  swapExactInQuoteAtBin(
    bin: object,
    binStep: number,
    parameters: object,
    volatility: object,
    inAmount: BigNumber,
    swapForY: boolean,
    supportLimitOrder: boolean,
    feeOnInput: boolean,
  ): SdkTrade;
  toAmountsBothSideByStrategy(
    activeId: number,
    binStep: number,
    minBinId: number,
    maxBinId: number,
    amountX: BigNumber,
    amountY: BigNumber,
    activeX: BigNumber,
    activeY: BigNumber,
    strategy: number,
    mintX: object,
    mintY: object,
    clock: object,
  ): { binId: number; amountX: BigNumber; amountY: BigNumber }[];
  deriveBinArray(lbPair: object, index: BigNumber, programId: object): [{ toBase58(): string }];
}

const StateJson = z.object({
  activeBinId: z.int(),
  volatility: z.object({ accumulator: z.int(), reference: z.int(), referenceBin: z.int(), movedAt: z.int() }),
});

const side = fc.constantFrom<TokenSide>('x', 'y');
const amount = fc.oneof(fc.bigInt({ min: 1n, max: 1_000n }), fc.bigInt({ min: 1n, max: 10n ** 16n }));

describe("The bin pool compared with the program's own client", function () {
  const { spec } = binWorld().pool;
  let sdk: Sdk;
  let bn: (of: bigint | number) => BigNumber;
  let nobody: object;

  before(() => {
    const require = createRequire(`${process.cwd()}/package.json`);
    sdk = require('@meteora-ag/dlmm') as Sdk;
    const theirs = createRequire(require.resolve('@meteora-ag/dlmm'));
    const BN = theirs('bn.js') as new (text: string) => BigNumber;
    bn = (of) => new BN(of.toString());
    nobody = (theirs('@solana/web3.js') as { PublicKey: { default: object } }).PublicKey.default;
  });

  const parametersOf = (of: BinPoolSpec) => ({
    baseFactor: of.baseFactor,
    baseFeePowerFactor: of.power,
    variableFeeControl: of.variableFeeControl,
    maxVolatilityAccumulator: of.maxVolatility,
    protocolShare: of.protocolShareBps,
    filterPeriod: 30,
    decayPeriod: 600,
    reductionFactor: 5_000,
    functionType: 1, // no limit orders
    collectFeeMode: 0, // on what is put in
  });

  /** The pool as that client would have read it from its accounts. */
  function accountsOf({ database, unit, pool }: World): {
    lbPair: object;
    binArrays: { publicKey: string; account: { index: BigNumber; bins: object[] } }[];
  } {
    unit.commit();
    const state = database.get(
      z.object({ state: z.string().transform((text) => StateJson.parse(JSON.parse(text))) }),
      'SELECT state FROM pool',
    )?.state;
    assert.ok(state);
    const { accumulator, reference, referenceBin, movedAt } = state.volatility;
    const rows = database.all(z.object({ number: z.int(), bins: z.instanceof(Uint8Array) }), 'SELECT number, bins FROM bin_array');
    const bitmap = rows.reduce(
      (bits, { number, bins }) => (decodeBinArray(bins).stocked > 0 ? bits | (1n << BigInt(number + 512)) : bits),
      0n,
    );
    const lbPair = {
      activeId: state.activeBinId,
      binStep: pool.spec.binStepBps,
      parameters: parametersOf(pool.spec),
      vParameters: {
        volatilityAccumulator: accumulator,
        volatilityReference: reference,
        indexReference: referenceBin,
        lastUpdateTimestamp: bn(movedAt),
      },
      binArrayBitmap: Array.from({ length: 16 }, (_, limb) => bn((bitmap >> BigInt(64 * limb)) & ((1n << 64n) - 1n))),
      rewardInfos: [{ mint: nobody }, { mint: nobody }],
    };
    const zero = bn(0);
    const binArrays = rows.map(({ number, bins }) => ({
      publicKey: String(number),
      account: {
        index: bn(number),
        bins: decodeBinArray(bins).bins.map((bin, slot) => ({
          amountX: bn(bin.x),
          amountY: bn(bin.y),
          price: bn(priceQ64OfBin(number * 70 + slot, pool.spec.binStepBps)),
          liquiditySupply: bn(bin.shares),
          feeAmountXPerTokenStored: bn(bin.feeX),
          feeAmountYPerTokenStored: bn(bin.feeY),
          fulfilledOrderAmountX: zero,
          fulfilledOrderAmountY: zero,
          limitOrderFeeAskSide: zero,
          limitOrderFeeBidSide: zero,
        })),
      },
    }));
    return { lbPair, binArrays };
  }

  const plainMint = { mint: { decimals: 9, tlvData: Buffer.alloc(0) }, decimals: 9, tlvData: Buffer.alloc(0) };
  const clock = { epoch: { toNumber: () => 0 } };

  it('Trades within one bin match the client', () => {
    const binId = fc.integer({ min: -1_500, max: 1_500 });
    // Any amount, or one that is about what the whole bin costs.
    const offer = fc.oneof(amount, fc.integer({ min: -3, max: 3 }));
    fc.assert(
      fc.property(
        side,
        amount,
        offer,
        binId,
        fc.nat(500_000),
        fc.integer({ min: 0, max: 2_500 }),
        (sells, reserve, amountOrMore, bin, volatilityAccumulator, protocolShareBps) => {
          const own = { ...spec, protocolShareBps };
          const fees = new BinFees(own);
          const price = priceQ64OfBin(bin, spec.binStepBps);
          const ours = { amountIn: 0n, amountOut: 0n, fee: 0n };
          const rate = fees.rateAt(volatilityAccumulator);
          fillBin(ours, sells, reserve, price, rate, undefined);
          const offered = typeof amountOrMore === 'bigint' ? amountOrMore : ours.amountIn + BigInt(amountOrMore);
          fc.pre(offered > 0n);
          fillBin(ours, sells, reserve, price, rate, offered);
          const theirBin = { amountX: bn(sells === 'x' ? 0n : reserve), amountY: bn(sells === 'x' ? reserve : 0n), price: bn(price) };
          const theirs = sdk.swapExactInQuoteAtBin(
            theirBin,
            spec.binStepBps,
            parametersOf(own),
            { volatilityAccumulator },
            bn(offered),
            sells === 'x',
            false,
            true,
          );
          assert.deepEqual([ours.amountIn, ours.amountOut].map(String), [theirs.amountIn, theirs.amountOut].map(String));
          if (ours.fee < ours.amountIn) {
            const protocol = fees.protocolPart(ours.fee);
            assert.deepEqual([ours.fee - protocol, protocol].map(String), [theirs.fee, theirs.protocolFee].map(String));
          } else {
            assert.equal(theirs.fee.toString(), '0'); // theirs loses sight of a fee that is all of the amount
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('Volatility matches the client', () => {
    const bin = fc.integer({ min: -300, max: 300 });
    fc.assert(
      fc.property(
        bin,
        bin,
        bin,
        fc.nat(350_000),
        fc.nat(350_000),
        fc.nat(1_000),
        (active, crossed, referenceBin, accumulator, reference, elapsed) => {
          const parameters = parametersOf(spec);
          const theirs: SdkVolatility = {
            volatilityAccumulator: accumulator,
            volatilityReference: reference,
            indexReference: referenceBin,
            lastUpdateTimestamp: { toNumber: () => 1_000 },
          };
          sdk.updateReference(active, theirs, parameters, 1_000 + elapsed);
          sdk.updateVolatilityAccumulator(theirs, parameters, crossed);
          const ours = referredTo({ accumulator, reference, referenceBin, movedAt: 1_000 }, active, 1_000 + elapsed);
          assert.deepEqual(
            [ours.reference, ours.referenceBin, accumulatorIn(ours, crossed, 350_000)],
            [theirs.volatilityReference, theirs.indexReference, theirs.volatilityAccumulator],
          );
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('Quotes match the client across any bins and after any history', () => {
    // That client asks the computer's clock; what it makes of the seconds since the last move is far from its thresholds.
    const sinceMove = fc.constantFrom(5, 300, 5_000);
    fc.assert(
      fc.property(anySteps, sinceMove, side, fc.bigInt({ min: 2n, max: 400_000_000n }), (steps, seconds, sells, offered) => {
        const world = binWorld();
        const { pool } = world;
        stockedHolding(pool, -3, 3, 1_000_000n);
        const play = new Play(pool);
        play.now = Date.now() - 40 * 601_000 - seconds * 1_000;
        steps.forEach((step) => play.play(step));
        pool.swapToBin(pool.activeBinId === 0 ? 1 : 0, Date.now() - seconds * 1_000);
        const { lbPair, binArrays } = accountsOf(world);
        const ours = pool.quote(sells, offered, Date.now());
        const theirPool = { tokenX: plainMint, tokenY: plainMint, clock, lbPair, binArrayBitmapExtension: null };
        const quote = () => sdk.prototype.swapQuote.call(theirPool, bn(offered), sells === 'x', bn(0), binArrays, true);
        if (ours.amountIn === 0n) {
          assert.throws(quote, /Insufficient liquidity/);
          return;
        }
        const theirs = quote();
        assert.deepEqual([ours.amountIn, ours.amountOut].map(String), [theirs.consumedInAmount, theirs.outAmount].map(String));
        const fees = [ours.fees[sells], BigInt(theirs.fee.toString()) + BigInt(theirs.protocolFee.toString())];
        const [mine = 0n, other = 0n] = fees;
        // A last unit that is all fee is not in theirs.
        assert.ok(mine - other === 0n || mine - other === 1n, fees.join(' here, '));
        assert.equal(ours.protocolFees[sells].toString(), theirs.protocolFee.toString());
      }),
      { numRuns: 120 },
    );
  });

  it('Amounts and fees of a position match the client', async () => {
    await fc.assert(
      fc.asyncProperty(anySteps, async (steps) => {
        const world = binWorld();
        const { pool } = world;
        const play = new Play(pool);
        steps.forEach((step) => play.play(step));
        const { lbPair, binArrays } = accountsOf(world);
        const byAddress = new Map(
          binArrays.map(({ account }) => [sdk.deriveBinArray(nobody, account.index, nobody)[0].toBase58(), account]),
        );
        for (const holding of play.holdings) {
          const theirs = await sdk.processPosition(
            { programId: nobody },
            lbPair,
            clock,
            positionOf(holding),
            plainMint,
            plainMint,
            null,
            null,
            byAddress,
          );
          for (const bin of theirs.positionBinData) {
            const ours = [pool.amountsInBin(holding, bin.binId), pool.feesInBin(holding, bin.binId)];
            assert.deepEqual(
              ours.map(({ x, y }) => [String(x), String(y)]),
              [
                [bin.positionXAmount, bin.positionYAmount],
                [bin.positionFeeXAmount, bin.positionFeeYAmount],
              ],
            );
          }
          const { x, y } = pool.feesOf(holding);
          assert.deepEqual([x - holding.pendingX, y - holding.pendingY].map(String), [theirs.feeX, theirs.feeY].map(String));
        }
      }),
      { numRuns: 30 },
    );
  });

  it('The pool accepts deposits as the strategies of the client spread them', () => {
    const bins = fc.integer({ min: 0, max: 34 });
    fc.assert(
      fc.property(
        bins,
        bins,
        fc.constantFrom(0, 1, 2),
        fc.bigInt({ min: 10n ** 6n, max: 10n ** 12n }),
        fc.bigInt({ min: 10n ** 6n, max: 10n ** 12n }),
        (below, above, strategy, amountX, amountY) => {
          const { pool } = binWorld();
          const { activeBinId } = pool;
          const spread = sdk.toAmountsBothSideByStrategy(
            activeBinId,
            20,
            activeBinId - below,
            activeBinId + above,
            bn(amountX),
            bn(amountY),
            bn(0),
            bn(0),
            strategy,
            plainMint,
            plainMint,
            clock,
          );
          const deposits = spread.map((bin) => ({
            binId: bin.binId,
            amountX: BigInt(bin.amountX.toString()),
            amountY: BigInt(bin.amountY.toString()),
          }));
          const holding = holdingOver(pool, activeBinId - below, activeBinId + above);
          pool.deposit(holding, deposits, NOON);
          for (const { binId, amountX: x, amountY: y } of deposits) {
            assert.deepEqual(pool.amountsInBin(holding, binId), { x, y });
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  /** A position as that client wraps it; fees that were settled before are not in it. */
  function positionOf({ lowerBinId, bins }: BinHolding): object {
    const zero = bn(0);
    const feeInfos = bins.map((bin) => ({
      feeXPerTokenComplete: bn(bin.seenFeeX),
      feeYPerTokenComplete: bn(bin.seenFeeY),
      feeXPending: zero,
      feeYPending: zero,
    }));
    return {
      lbPair: () => nobody,
      lowerBinId: () => bn(lowerBinId),
      upperBinId: () => bn(lowerBinId + bins.length - 1),
      liquidityShares: () => bins.map((bin) => bn(bin.shares)),
      feeInfos: () => feeInfos,
      rewardInfos: () => bins.map(() => ({ rewardPerTokenCompletes: [zero, zero], rewardPendings: [zero, zero] })),
      lastUpdatedAt: () => zero,
      totalClaimedFeeXAmount: () => zero,
      totalClaimedFeeYAmount: () => zero,
      feeOwner: () => nobody,
      owner: () => nobody,
    };
  }
});
