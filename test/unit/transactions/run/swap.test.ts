import assert from 'node:assert/strict';
import { WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import type { SwapLanding, SwapRequest } from '../../../../src/service/transactions';
import type { LiquidityService } from '../../../../src/service/service';
import { runSwap, runUnwrap } from '../../../../src/transactions/run/swap';
import { conclude } from '../../../../src/transactions/outcome/reconcile';
import { isOnSame } from '../../../../src/transactions/target';
import type { TokenSwapPlan } from '../../../../src/transactions/types';
import { base64Of, honestSwap, honestUnwrap, MINT, OWNER, removal } from '../../../support/review/bundles';
import { OTHER_OWNER } from '../../../support/portfolio/fixtures';
import { bench, type Bench, recordsOf, SIGNATURE } from '../../../support/transactions/harness';

const PLAN: TokenSwapPlan = {
  owner: OWNER,
  sold: { mint: MINT, symbol: 'MINT', decimals: 9, priceUsd: 13_120 },
  bought: { mint: WRAPPED_SOL_MINT, symbol: 'SOL', decimals: 9, priceUsd: 164 },
  amountRaw: 5_000_000n,
  slippageBps: 300,
  solUsd: 164,
};
const BUILD = { swapTransactions: honestSwap().map(base64Of), lastValidBlockHeight: 1_000 };
const UNWRAP_BUILD = { swapTransactions: honestUnwrap().map(base64Of), lastValidBlockHeight: 1_000 };

/** A service that builds honest swaps and reports that they landed. */
async function swapBench(
  part: Partial<LiquidityService> = {},
): Promise<{ readonly rig: Bench; readonly requests: SwapRequest[]; readonly landings: SwapLanding[] }> {
  const [requests, landings]: [SwapRequest[], SwapLanding[]] = [[], []];
  const rig = await bench({
    service: {
      buildSwap: (request) => {
        requests.push(request);
        return Promise.resolve(request.kind === 'swap' ? BUILD : UNWRAP_BUILD);
      },
      landSwap: (landing) => {
        landings.push(landing);
        return Promise.resolve({ signature: SIGNATURE });
      },
      ...part,
    },
  });
  return { rig, requests, landings };
}

const swap = ({ dependencies, host, abort }: Bench, part: Partial<TokenSwapPlan> = {}) =>
  runSwap({ ...PLAN, ...part }, dependencies, host, abort.signal);

describe('operation: swap', () => {
  it('A swap asks the service for exactly what was chosen, is reviewed against it, and is recorded with both tokens', async () => {
    const { rig, requests, landings } = await swapBench();
    await swap(rig);
    const [review] = rig.trace.reviews;
    assert.equal(review?.verdict, 'allow', review?.findings.map(({ message }) => message).join());
    assert.deepEqual(requests, [
      { kind: 'swap', owner: OWNER, inputMint: MINT, outputMint: WRAPPED_SOL_MINT, amountRaw: 5_000_000n, slippageBps: 300 },
    ]);
    assert.deepEqual([landings.length, landings[0]?.swapTransactions.length], [1, 2]);
    const [record] = await recordsOf(rig);
    assert.deepEqual(record?.created.plan, {
      kind: 'swap',
      sold: { mint: MINT, symbol: 'MINT', decimals: 9 },
      bought: { mint: WRAPPED_SOL_MINT, symbol: 'SOL', decimals: 9 },
      amountRaw: 5_000_000n,
      slippageBps: 300,
    });
    assert.deepEqual([record.created.pool, record.created.poolType], [undefined, undefined]);
  });

  it("Without an RPC the service's word settles neither a swap nor an unwrapping: once it can no longer land, its outcome is unclear", async () => {
    for (const run of [
      swap,
      ({ dependencies, host, abort }: Bench) => runUnwrap({ owner: OWNER, lamports: 5n, solUsd: 20 }, dependencies, host, abort.signal),
    ]) {
      const { rig } = await swapBench();
      const result = await run(rig);
      assert.ok(result.kind === 'landedNotListed' && result.awaits === 'proof', result.kind);
      const [record] = await recordsOf(rig);
      assert.ok(record?.state === 'unconfirmed');
      const seen = { network: undefined, showing: 5, notShowing: 5, nowMs: record.updatedAtMs };
      assert.equal(conclude(record, seen), undefined);
      const later = conclude(record, { ...seen, nowMs: record.updatedAtMs + 3_600_000 });
      assert.ok(later?.kind === 'failed' && later.isUnclear === true && later.reason.code === 'unproven');
    }
  });

  it('With an RPC its own signatures settle a swap, in part where only some landed, and none of it before', async () => {
    const { rig } = await swapBench();
    await swap(rig);
    const [record] = await recordsOf(rig);
    assert.ok(record !== undefined);
    const landed = { slot: 1n, error: undefined };
    const by = (statuses: readonly (typeof landed | undefined)[], blockHeight = 2_000n) =>
      conclude(record, {
        network: { blockHeight, isBlockhashValid: blockHeight < 1_000n, statuses },
        nowMs: record.updatedAtMs + 200_000,
        showing: 0,
        notShowing: 0,
        silent: 2,
      });
    assert.equal(by([landed, landed])?.kind, 'settled');
    const part = by([landed, undefined]);
    assert.ok(part?.kind === 'failed' && part.landedTransactions === 1);
    assert.equal(by([undefined, undefined])?.kind, 'expired');
    assert.equal(by([landed, undefined], 10n), undefined);
  });

  it('Swaps of one token of a wallet exclude each other, and those of other tokens do not', async () => {
    const { rig } = await swapBench();
    await swap(rig);
    const [record] = await recordsOf(rig);
    const other = { ...PLAN.sold, mint: OTHER_OWNER };
    assert.ok(record?.created.plan.kind === 'swap');
    const { created } = record;
    const plan = record.created.plan;
    assert.equal(isOnSame(record, created), true);
    assert.equal(isOnSame(record, { ...created, owner: OTHER_OWNER }), false);
    assert.equal(isOnSame(record, { ...created, plan: { ...plan, sold: other } }), false);
    await assert.rejects(swap(rig), /The outcome of an earlier swap is not known yet/);
  });

  it('A withdrawal in the place of a swap is blocked, and nothing is signed', async () => {
    const hostile = honestSwap().map((draft) => base64Of({ ...draft, instructions: [...draft.instructions, removal()] }));
    const { rig, landings } = await swapBench({ buildSwap: () => Promise.resolve({ ...BUILD, swapTransactions: hostile }) });
    assert.equal((await swap(rig)).kind, 'blocked');
    assert.deepEqual([landings, rig.trace.signersAsked], [[], 0]);
  });

  it('A swap for another wallet, of nothing, or of a token to itself is refused before anything is built', async () => {
    const { rig, requests } = await swapBench();
    for (const [plan, words] of [
      [{ owner: OTHER_OWNER }, /wallet/],
      [{ amountRaw: 0n }, /greater than 0/],
      [{ amountRaw: 1n << 64n }, /amount is too large/],
      [{ bought: PLAN.sold }, /to itself/],
      [{ slippageBps: 10_001 }, /slippage/i],
    ] as const) {
      assert.match(String(await swap(rig, plan).catch((error: unknown) => error)), words);
    }
    assert.deepEqual(requests, []);
  });
});
