import type { TransactionInstruction } from '@solana/web3.js';
import { NO_FACTS, type ChainFacts } from '../../src/review/facts/facts';
import { WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import { MINT, openPosition, POOL, POSITION_KEY, TO_BIN } from '../support/review/bundles';
import {
  byDistribution,
  byLiquidity,
  byLiquidityAt,
  byRebalance,
  byStrategy,
  byStrategyOneSide,
  byWeight,
  byWeightOneSide,
  byZap,
  byZapIntoDamm,
  exactAmounts,
  ledger,
  SHOWN_BIN,
  SHOWN_PRICE,
} from '../support/review/deposits';
import { createDamm, NFT_KEY } from '../support/review/meteoraDrafts';
import { attack, inputOf, type Attack } from './attack';

// Deposits that land at other prices than the user was shown: the service trades right before and after them (DLMM-7, DAMM-7).

type Input = ReturnType<typeof inputOf>;

const intoBins = (instructions: readonly TransactionInstruction[], intent = SHOWN_BIN, facts?: ChainFacts): Input =>
  inputOf(intent, [{ group: 'add', instructions: [openPosition(), ...instructions], signers: [POSITION_KEY] }], facts && { facts });
const intoProduct = (instructions: readonly TransactionInstruction[], intent = SHOWN_PRICE, facts?: ChainFacts): Input =>
  inputOf(intent, [{ group: 'add', instructions: [createDamm(), ...instructions], signers: [NFT_KEY] }], facts && { facts });

const WIDE = { slippageBins: 100 };
const AT_THE_TOP = { activeBinId: TO_BIN, slippageBins: 1 };
const JUST_BEYOND = { slippageBins: 5 };
/** Nearly all of it into the highest bin but one, as soon as the price is there. */
const TOP_HEAVY = (binId: number): number => (binId === TO_BIN - 1 ? 65_535 : binId < 0 ? 1 : 0);

/** The pool on the chain, where the price is another one than was shown. */
const onChain = (activeBinId: number): ChainFacts => ({
  ...NO_FACTS,
  pools: new Map([[POOL, { kind: 'dlmm', tokenX: MINT, tokenY: WRAPPED_SOL_MINT, activeBinId, binStepBps: 100 }]]),
});
const productOnChain = (sqrtPriceQ64: bigint, range?: { readonly minQ64: bigint; readonly maxQ64: bigint }): ChainFacts => ({
  ...NO_FACTS,
  pools: new Map([[POOL, { kind: 'dammV2', tokenX: MINT, tokenY: WRAPPED_SOL_MINT, sqrtPriceQ64, range }]]),
});
const ONE_Q64 = 2n ** 64n;

export const DEPOSIT_PRICES: readonly Attack[] = [
  attack('DLMM-7', 'deposits into bins at a multiple of the shown price', 'block DLMM-7', () => ({
    'by strategy': intoBins([byStrategy(WIDE)]),
    'by strategy, one token': intoBins([byStrategyOneSide(WIDE)]),
    'by weight': intoBins([byWeight(WIDE)]),
    'by weight, one token': intoBins([byWeightOneSide(WIDE)]),
    'by weight, most of it in a bin far above the price': intoBins([byWeight(WIDE, TOP_HEAVY)]),
    'by rebalance': intoBins([byRebalance(WIDE)]),
    'by Meteora Zap': intoBins([...ledger(), byZap(WIDE)]),
    'around another active bin': intoBins([byStrategy({ activeBinId: 90, slippageBins: 1 })]),
    'around the top of the range, in a pool of large steps': intoBins([byStrategy(AT_THE_TOP)], { ...SHOWN_BIN, binStepBps: 400 }),
    'next to an honest deposit': intoBins([byStrategy(), byStrategy(WIDE)]),
    'by a price that only the chain tells': intoBins([byStrategy()], { ...SHOWN_BIN, references: [] }, onChain(-90)),
  })),
  attack('DLMM-7', 'deposits into bins beside the shown price', 'confirm DLMM-7', () => ({
    'by strategy': intoBins([byStrategy(JUST_BEYOND)]),
    'by strategy, one token': intoBins([byStrategyOneSide(JUST_BEYOND)]),
    'by weight': intoBins([byWeight(JUST_BEYOND)]),
    'by weight, one token': intoBins([byWeightOneSide(JUST_BEYOND)]),
    'by rebalance': intoBins([byRebalance(JUST_BEYOND)]),
    'by Meteora Zap': intoBins([...ledger(), byZap(JUST_BEYOND)]),
    'around the top of the range': intoBins([byStrategy(AT_THE_TOP)]),
    'by exact amounts above the price': intoBins([exactAmounts(TO_BIN)]),
    'by a price that only the chain tells': intoBins([byStrategy()], SHOWN_BIN, onChain(-5)),
    'the step between bins is not known': intoBins([byStrategy({ slippageBins: 6 })], { ...SHOWN_BIN, binStepBps: undefined }),
    'the active bin is not known': intoBins([byStrategy(AT_THE_TOP)], { ...SHOWN_BIN, activeBinId: undefined }),
    'nothing is known, and exact amounts have no bound': intoBins([exactAmounts()], {
      ...SHOWN_BIN,
      activeBinId: undefined,
      binStepBps: undefined,
    }),
  })),
  attack('DLMM-7', 'deposits into bins without any bound of the price', 'confirm DLMM-7', () => ({
    'by distribution': intoBins([byDistribution()]),
  })),
  attack('DLMM-7', 'divides a deposit among bins in another shape than chosen', 'confirm DLMM-7', () => ({
    'most of it in one bin': intoBins([byWeight({}, (binId) => (binId === -20 ? 65_535 : 1))]),
    'nothing in the bins near the price': intoBins([byWeight({}, (binId) => (binId < -10 ? 100 : 0))]),
    'only the lowest bin, by exact amounts': intoBins([exactAmounts(-20)]),
    'evenly instead of near the price': intoBins([byWeight()], { ...SHOWN_BIN, strategy: 'Curve' }),
  })),
  attack('DAMM-7', 'deposits into DAMM v2 at a multiple of the shown price', 'block DAMM-7', () => ({
    '50 times the price': intoProduct([byLiquidityAt(50)]),
    'a fiftieth of the price': intoProduct([byLiquidity({ liquidity: 70_710_678n, mostX: 500_000_000n, mostY: 10_000_000n })]),
    'only at 50 times the price': intoProduct([byLiquidity({ liquidity: 70_710_678n, mostX: 10_000_001n, mostY: 500_000_000n })]),
    'no liquidity at all': intoProduct([byLiquidity({ liquidity: 0n })]),
    'by Meteora Zap': intoProduct([...ledger(), byZapIntoDamm(9_000)]),
    'by a price that only the chain tells': intoProduct([byLiquidity()], { ...SHOWN_PRICE, references: [] }, productOnChain(3n * ONE_Q64)),
    'in a pool that has liquidity above a price only': intoProduct(
      [byLiquidity()],
      SHOWN_PRICE,
      productOnChain(ONE_Q64, { minQ64: ONE_Q64 / 2n, maxQ64: ONE_Q64 * 1_000n }),
    ),
  })),
  attack('DAMM-7', 'deposits into DAMM v2 beside the shown price', 'confirm DAMM-7', () => ({
    'a quarter above it': intoProduct([byLiquidity({ mostY: 560_000_000n })]),
    'a fifth below it': intoProduct([byLiquidity({ mostX: 560_000_000n })]),
    'by a price that only the chain tells': intoProduct([byLiquidity()], SHOWN_PRICE, productOnChain((ONE_Q64 * 112n) / 100n)),
    'no price was shown': intoProduct([byLiquidity({ mostY: 520_000_000n })], { ...SHOWN_PRICE, references: [] }),
  })),
];
