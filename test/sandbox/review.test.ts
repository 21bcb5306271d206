import assert from 'node:assert/strict';
import { address } from '../../src/solana/address';
import { parseBase64Transaction } from '../../src/solana/base64Transaction';
import { reviewOperation } from '../../src/review/review';
import type { Intent, Review, TransactionGroup } from '../../src/review/types';
import { POOLS, tokenSpec, type BinPoolSpec, type PoolSpec } from '../../src/sandbox/market/catalog';
import { landed, type AddBuild, type DecreaseBuild, type DiscoveredPool } from './support/client';
import { STILL, useSandbox } from './support/useSandbox';

const SLIPPAGE_BPS = 500;
const OUTPUTS = ['allBaseToken', 'allToken0', 'allToken1', 'both'] as const;
/** Little enough for the smallest pool, lamports. */
const INPUT_LAMPORTS = 200_000_000n;

/** What builds in the others look like is not for the review to know yet: it asks about them. */
const BIN_POOLS = POOLS.filter((spec): spec is BinPoolSpec => spec.type === 'bins');

const pairOf = ({ tokenX, tokenY }: PoolSpec): string => `${tokenSpec(tokenX).symbol}/${tokenSpec(tokenY).symbol}`;

// What an honest service builds must pass the review without a question: else people learn to wave questions through.
describe('what the sandbox builds passes the review', function () {
  this.timeout(60_000);
  // Prices stand still: what is built is looked at, not how the market moves meanwhile.
  const client = useSandbox('all', STILL);

  for (const spec of BIN_POOLS) {
    it(`in ${pairOf(spec)}, ${spec.binStepBps} bp: zap-ins to either side and both, and zap-outs of all and of half into everything`, async () => {
      const pool = await client().pool(pairOf(spec), spec.binStepBps);
      for (const [percentX, lower, upper] of [[0, -20, -1], [0.3, -10, 20], [1, 1, 20]] as const) {
        const active = await client().activeBin(pool.pool);
        const [fromBinId, toBinId] = [active + lower, active + upper];
        const built = await client().add(pool.pool, { inputSOL: Number(INPUT_LAMPORTS) / 1e9, percentX, fromBinId, toBinId });
        allowed(reviewAdd(pool, built, fromBinId, toBinId), `zap-in with ${percentX} of X`);
        landed(await client().landAdd(built));
        const position = built.meta.positionPubKey;
        await allowsEveryWithdrawal(pool, position);
        landed(await client().landDecrease(await client().decrease(position, 10_000)));
      }
    });
  }

  it('out of every position that is open at the start', async () => {
    for (const { pool: at, pairName, position } of await client().binPositions()) {
      const binSteps = BIN_POOLS.filter((spec) => pairOf(spec) === pairName).map((spec) => spec.binStepBps);
      const pools = await Promise.all(binSteps.map((step) => client().pool(pairName, step)));
      const pool = pools.find((candidate) => candidate.pool === at);
      assert.ok(pool !== undefined);
      await allowsEveryWithdrawal(pool, position);
    }
  });

  async function allowsEveryWithdrawal(pool: DiscoveredPool, position: string): Promise<void> {
    for (const shareBps of [10_000, 5_000]) {
      for (const output of OUTPUTS) {
        const built = await client().decrease(position, shareBps, { output, slippage_bps: SLIPPAGE_BPS });
        const intent: Intent = { ...intentBase(pool), kind: 'zapOut', position: address(position), shareBps, output };
        allowed(review(intent, built, ['close', built.closeTxsWithJito], ['swap', built.swapTxsWithJito]), `${shareBps} bp of ${position} in ${pool.pairName} to ${output}`);
      }
    }
  }

  function reviewAdd(pool: DiscoveredPool, built: AddBuild, fromBinId: number, toBinId: number): Review {
    const position = address(built.meta.positionPubKey);
    const intent: Intent = { ...intentBase(pool), kind: 'zapIn', position, inputLamports: INPUT_LAMPORTS, strategy: 'Spot', fromBinId, toBinId };
    const result = review(intent, built, ['swap', built.swapTxsWithJito], ['add', built.addLiquidityTxsWithJito]);
    assert.ok(result.spends.consumedLamports <= INPUT_LAMPORTS);
    assert.deepEqual(result.tokenSpends.filter(({ into }) => into === 'swap'), []);
    return result;
  }

  function intentBase({ pool, token0, token1 }: DiscoveredPool): Pick<Intent, 'owner' | 'pool' | 'slippageBps' | 'tokenX' | 'tokenY'> {
    return { owner: address(client().sandbox.owner), pool: address(pool), slippageBps: SLIPPAGE_BPS, tokenX: address(token0), tokenY: address(token1) };
  }
});

function review(intent: Intent, { lastValidBlockHeight }: AddBuild | DecreaseBuild, ...groups: readonly (readonly [TransactionGroup, readonly string[]])[]): Review {
  const transactions = groups.flatMap(([group, texts]) =>
    texts.map((text) => {
      const base64 = parseBase64Transaction(text);
      assert.ok(base64 !== undefined);
      return { group, base64 };
    }),
  );
  return reviewOperation({ intent, transactions, lastValidBlockHeight });
}

function allowed({ verdict, findings }: Review, what: string): void {
  assert.deepEqual(findings.filter((finding) => finding.verdict !== 'info').map(({ rule, message }) => `${rule} ${message}`), [], what);
  assert.equal(verdict, 'allow', what);
}
