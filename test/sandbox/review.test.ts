import assert from 'node:assert/strict';
import { address } from '../../src/base/solana/address';
import { reviewOperation } from '../../src/review/review';
import type { ZapOutIntent, ReviewInput } from '../../src/review/types';
import type { TransactionFormat } from '../../src/engine/assembly/types';
import { POOLS, tokenSpec, type BinPoolSpec, type PoolSpec, type ProductPoolSpec } from '../../src/sandbox/market/catalog';
import { IS_LONG } from '../support/runs';
import { landed, type AddBuild, type DiscoveredPool } from '../support/sandbox/client';
import {
  addInput,
  assertAllowed,
  decreaseInput,
  intentBase,
  reviewWithRpc,
  shownOfPool,
  shownOfPosition,
  SLIPPAGE_BPS,
  type ShownPool,
} from '../support/sandbox/review';
import { STILL, useSandbox } from '../support/sandbox/useSandbox';

/** The share of X, and the range from the active bin: below it, around it and above it. */
const SIDES = [
  [0, -20, -1],
  [0.3, -10, 20],
  [1, 1, 20],
] as const;
const OUTPUTS = ['allBaseToken', 'allToken0', 'allToken1', 'both'] as const;
/** Little enough for the smallest pool, lamports. */
const INPUT_LAMPORTS = 200_000_000n;

/** Every other pool: they differ in their steps and prices. */
const isTried = (_: PoolSpec, index: number): boolean => IS_LONG || index % 2 === 0;
const BIN_POOLS = POOLS.filter((spec): spec is BinPoolSpec => spec.type === 'bins');
const PRODUCT_POOLS = POOLS.filter((spec): spec is ProductPoolSpec => spec.type === 'product');

/** A pool with SOL and one without: their swaps go through one and two pools. */
const SOME_BIN_POOLS = BIN_POOLS.filter(({ key }) => key === 'BONQ-SOL-25' || key === 'TRUMPET-USDC-50');

/** Pools, each with the versions of transactions. */
function inFormat<Spec>(specs: readonly Spec[], transactions: TransactionFormat): readonly (readonly [Spec, TransactionFormat])[] {
  return specs.map((spec) => [spec, transactions]);
}

const pairOf = ({ tokenX, tokenY }: PoolSpec): string => `${tokenSpec(tokenX).symbol}/${tokenSpec(tokenY).symbol}`;

/**
 * Pools in which a swap costs 4% and more. With the slippage of these tests and what a sale does to their price, a swap through one guarantees
 * less than 90% of what it takes by the price on the chain: that is a true question (SWP-3).
 */
const DEAR_PAIRS = new Set(PRODUCT_POOLS.filter(({ baseFeeBps }) => baseFeeBps >= 400).map((spec) => pairOf(spec)));

// What an honest service builds must pass the review without a question: else people learn to wave questions through.
describe('The review of sandbox operations, offline and with the RPC', function () {
  // Prices stand still: what is built is looked at, not how the market moves meanwhile.
  const client = useSandbox('all', STILL);

  for (const [place, [spec, transactions]] of [
    ...inFormat(BIN_POOLS.filter(isTried), 'service'),
    ...inFormat(SOME_BIN_POOLS, 'v1'),
    ...inFormat(SOME_BIN_POOLS, 'mixed'),
  ].entries()) {
    it(`Zap-ins and zap-outs pass in ${pairOf(spec)}, ${spec.binStepBps} bp, for two sides, and for every share and output of one of them, transactions: ${transactions}`, async () => {
      await client().control('settings', { transactions });
      const pool = await client().pool(pairOf(spec), spec.binStepBps);
      for (const [index, [percentX, lower, upper]] of SIDES.entries()) {
        if (index === (place + 1) % SIDES.length) {
          continue;
        }
        const active = await client().activeBin(pool.pool);
        const [fromBinId, toBinId] = [active + lower, active + upper];
        const built = await client().add(pool.pool, { inputSOL: Number(INPUT_LAMPORTS) / 1e9, percentX, fromBinId, toBinId });
        await allowsEntry(pool, built, { strategy: 'Spot', fromBinId, toBinId }, `zap-in with ${percentX} of X`);
        landed(await client().landAdd(built));
        const position = built.meta.positionPubKey;
        if (index === place % SIDES.length) {
          await allowsWithdrawals(pool, position, 'dlmm', OUTPUTS);
        }
        landed(await client().landDecrease(await client().decrease(position, 10_000)));
      }
    });
  }

  for (const [place, [spec, transactions]] of [
    ...inFormat(PRODUCT_POOLS, 'service'),
    ...inFormat(PRODUCT_POOLS.slice(2, 4), 'v1'),
  ].entries()) {
    // The outputs differ in what is swapped, which does not depend on the pool: each of them in a few pools.
    const outputs = OUTPUTS.filter((_, index) => index % 2 === place % 2);
    it(`Zap-ins and zap-outs pass in ${pairOf(spec)} without bins, for all and half and the outputs ${outputs.join(' and ')}, transactions: ${transactions}`, async () => {
      await client().control('settings', { transactions });
      const pool = await client().productPool(pairOf(spec));
      const built = await client().add(pool.pool, { inputSOL: Number(INPUT_LAMPORTS) / 1e9 });
      await allowsEntry(pool, built, { strategy: undefined, fromBinId: undefined, toBinId: undefined }, 'zap-in');
      landed(await client().landAdd(built));
      const position = built.meta.positionPubKey;
      await allowsWithdrawals(pool, position, 'dammV2', outputs);
      landed(await client().landDecrease(await client().decrease(position, 10_000)));
    });
  }

  it('Withdrawals pass for every position that is open at the start', async () => {
    await client().control('settings', { transactions: 'service' });
    const withBins = new Set((await client().binPositions()).map(({ position }) => position));
    for (const [place, open] of (await client().opening()).entries()) {
      const output = OUTPUTS[place % OUTPUTS.length] ?? 'both';
      await allowsWithdrawals(open, open.position, withBins.has(open.position) ? 'dlmm' : 'dammV2', [output]);
    }
  });

  /** All and half of a position can be withdrawn in these forms without a question. */
  async function allowsWithdrawals(
    pool: ShownPool & { readonly pairName: string },
    position: string,
    poolType: 'dlmm' | 'dammV2',
    outputs: readonly (typeof OUTPUTS)[number][],
  ): Promise<void> {
    for (const shareBps of [10_000, 5_000]) {
      for (const output of outputs) {
        const built = await client().decrease(position, shareBps, { output, slippage_bps: SLIPPAGE_BPS });
        const intent: ZapOutIntent = {
          ...intentBase(client(), pool),
          ...(await shownOfPosition(client(), position, shareBps)),
          poolType,
          kind: 'zapOut',
          position: address(position),
          shareBps,
          output,
        };
        const isDear = poolType === 'dammV2' && DEAR_PAIRS.has(pool.pairName);
        await allowsBothWays(
          decreaseInput(intent, built),
          `${shareBps} bp of ${position} in ${pool.pool} to ${output}`,
          isDear ? ['SWP-3'] : [],
        );
      }
    }
  }

  async function allowsEntry(
    pool: DiscoveredPool,
    built: AddBuild,
    range: { readonly strategy: 'Spot' | undefined; readonly fromBinId: number | undefined; readonly toBinId: number | undefined },
    what: string,
  ): Promise<void> {
    const poolType = range.strategy === undefined ? 'dammV2' : 'dlmm';
    const input = addInput(
      {
        ...intentBase(client(), pool),
        ...(await shownOfPool(client(), pool.pool)),
        ...range,
        poolType,
        kind: 'zapIn',
        position: address(built.meta.positionPubKey),
        inputLamports: INPUT_LAMPORTS,
        isSolOnly: true,
      },
      built,
    );
    const { spends, tokenSpends } = reviewOperation(input);
    assert.ok(spends.consumedLamports <= INPUT_LAMPORTS);
    assert.deepEqual(
      tokenSpends.filter(({ into }) => into === 'swap'),
      [],
    );
    await allowsBothWays(input, what);
  }

  async function allowsBothWays(input: ReviewInput, what: string, trueQuestions: readonly string[] = []): Promise<void> {
    const offline = reviewOperation(input);
    assertAllowed(offline, `${what}, offline`);
    const informed = await reviewWithRpc(client(), input);
    const isDear = informed.findings.some(({ rule, verdict }) => verdict === 'confirm' && trueQuestions.includes(rule));
    assertAllowed(
      isDear
        ? { ...informed, verdict: 'allow', findings: informed.findings.filter(({ rule }) => !trueQuestions.includes(rule)) }
        : informed,
      `${what}, with an RPC`,
    );
    const { usedTables } = offline.checked;
    assert.equal(usedTables, new Set(offline.questions.lookupTables).size);
    assert.equal(informed.checked.resolvedTables, usedTables, what);
    assert.equal(informed.checked.simulation?.transactions, input.transactions.length, what);
  }
});
