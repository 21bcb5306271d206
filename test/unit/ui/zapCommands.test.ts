import assert from 'node:assert/strict';
import { LAMPORTS_PER_SOL, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import type { Plan } from '../../../src/protocol/pool';
import { emptySnapshot, withParts } from '../../../src/portfolio/snapshot';
import { ServiceError } from '../../../src/service/errors';
import type { PoolInfo } from '../../../src/service/poolInfo';
import type { Pool } from '../../../src/service/pools';
import type { TokenBalance } from '../../../src/service/tokens';
import type { OpenPosition } from '../../../src/service/positions';
import type { AddLiquidityPlan, TokenSwapPlan, UnwrapPlan } from '../../../src/transactions/types';
import { BusyPositions } from '../../../src/ui/shell/busyPositions';
import { SANDBOX } from '../../../src/ui/shell/serviceChoice';
import { swapCommands } from '../../../src/ui/zap/swapCommands';
import { operationCommands, type PlanCommandDependencies, planCommands } from '../../../src/ui/zap/zapCommands';
import type { ZapInChoices } from '../../../src/ui/zap/zapInDialog';
import { type ScriptedAnswer, ScriptedPrompts } from '../../support/editor/scriptedPrompts';
import { fakeService, openPosition, OWNER, pool } from '../../support/portfolio/fixtures';
import { fail } from '../../support/ui/memory';

function infoOf({ poolType, protocol, token0, token1 }: Pool): PoolInfo {
  const facts = { marketCapUsd: undefined, fdvUsd: undefined, priceUsd: 1, organicScore: undefined, holders: undefined };
  return {
    ...{ poolType, protocol, amountX: undefined, amountY: undefined, activeBin: { binId: -350, price: 0.5 }, bins: [], feeStats: [] },
    tokens: [
      { ...token0, ...facts },
      { ...token1, ...facts },
    ],
    fees: { basePercent: 1, maxPercent: undefined, protocolPercent: undefined, dynamicPercent: undefined },
    statistics: {},
  };
}

/** A window that lists pool 1; the service knows pool 7 besides. */
function setUp(answers: readonly ScriptedAnswer[], balances?: readonly TokenBalance[], positions: readonly OpenPosition[] = []) {
  const prompts = new ScriptedPrompts(answers);
  const begun: ZapInChoices[] = [];
  const [swaps, unwraps]: [TokenSwapPlan[], UnwrapPlan[]] = [[], []];
  const added: Omit<AddLiquidityPlan, 'owner' | 'strategy'>[] = [];
  const snapshot = withParts(emptySnapshot(OWNER), { pools: [pool(1)], positions });
  const changed: (readonly [string, Plan])[] = [];
  const dependencies: PlanCommandDependencies = {
    changePlan: (address, plan) => Promise.resolve(void changed.push([address, plan])),
    prompts,
    portfolio: { snapshot, warnings: [], onDidChange: () => ({ dispose: () => undefined }) },
    busy: new BusyPositions(fail),
    owners: { active: () => ({ address: OWNER, canSign: true, origin: 'sandbox', hasPassphrase: false }) },
    service: () => SANDBOX,
    isInBrowser: false,
    waiting: { nowMs: () => 0, log: () => undefined },
    slippageBps: () => 100,
    connect: () =>
      Promise.resolve(
        fakeService({
          poolInfo: (address) => {
            const found = [pool(1), pool(7)].find((one) => one.address === address);
            return found === undefined
              ? Promise.reject(new ServiceError('no', { kind: 'notFound', endpoint: 'GET /pools/{id}/info' }))
              : Promise.resolve(infoOf(found));
          },
          tokenBalances: () =>
            Promise.resolve({
              items: balances ?? [
                {
                  ...{ mint: WRAPPED_SOL_MINT, symbol: 'SOL', decimals: 9, amountText: '10', priceUsd: 100 },
                  amountRaw: 10n * LAMPORTS_PER_SOL,
                },
              ],
              warnings: [],
            }),
        }),
      ),
    runner: () =>
      Promise.resolve({
        zapOut: () => fail(new Error('Nothing is zapped out')),
        claim: () => fail(new Error('Nothing is claimed')),
        addLiquidity: (plan) => {
          added.push(plan);
          return Promise.resolve({ kind: 'declined' });
        },
        swap: (plan) => {
          swaps.push(plan);
          return Promise.resolve({ kind: 'declined' });
        },
        unwrap: (plan) => {
          unwraps.push(plan);
          return Promise.resolve({ kind: 'declined' });
        },
        zapIn: (choices) => {
          begun.push(choices);
          return Promise.resolve({ kind: 'declined' });
        },
      }),
  };
  const { 'binsight.addLiquidity': addLiquidity } = operationCommands(dependencies);
  const { 'binsight.continuePlan': continuePlan } = planCommands(dependencies);
  const { 'binsight.swapToSol': swapToSol, 'binsight.unwrapSol': unwrapSol } = swapCommands(dependencies);
  return { prompts, begun, swaps, unwraps, added, changed, addLiquidity, continuePlan, swapToSol, unwrapSol };
}

describe('A plan of a pool', () => {
  const PLAN: Plan = {
    range: { fromBinId: -360, toBinId: -340 },
    strategy: 'Spot',
    amountLamports: '9900000000',
    percentX: 0.5,
    slippageBps: 100,
  };

  for (const number of [1, 7]) {
    it(`A plan is continued in a pool that the list ${number === 1 ? 'has' : 'does not have, such as a favorite'}`, async () => {
      const { prompts, begun, continuePlan } = setUp([]);
      await continuePlan({ kind: 'plan', pool: pool(number).address, plan: PLAN });
      prompts.assertDone();
      assert.deepEqual(
        begun.map(({ target, inputLamports }) => [target.pool, target.pairName, inputLamports]),
        [[pool(number).address, `P${number}/SOL`, 9_900_000_000n]],
      );
    });
  }

  it('A plan for a pool that the service does not know reports that, and asks nothing', async () => {
    const { prompts, continuePlan } = setUp([]);
    await assert.rejects(continuePlan({ kind: 'plan', pool: pool(8).address, plan: PLAN }), ServiceError);
    prompts.assertDone();
  });

  it('Change shows all of the plan in its panel again, and nothing is begun', async () => {
    const { begun, changed, continuePlan } = setUp([{ press: 'Change…' }, { press: 'Change…' }]);
    const tooMuch = { ...PLAN, amountLamports: '99000000000' };
    await continuePlan({ kind: 'plan', pool: pool(1).address, plan: tooMuch });
    await continuePlan({ kind: 'plan', pool: pool(1).address, plan: PLAN, isProposal: true });
    assert.deepEqual(changed, [
      [pool(1).address, tooMuch],
      [pool(1).address, PLAN],
    ]);
    assert.deepEqual(begun, []);
  });
});

describe('Add Liquidity on the plan of a panel', () => {
  const { address: plannedIn } = pool(1);
  const plan = { strategy: 'Curve', amountLamports: '300000000', percentX: 0.45, slippageBps: 70, range: { fromBinId: 1, toBinId: 2 } };
  const target = { kind: 'plan', pool: plannedIn, plan } as const;
  const [one, other, elsewhere] = [openPosition(1, { pool: plannedIn }), openPosition(2, { pool: plannedIn }), openPosition(3)] as const;

  it('adds to the only open position of the pool, in its own range: amount and slippage tolerance of the plan are offered first', async () => {
    const { prompts, added, addLiquidity } = setUp([{ pick: '0.3 SOL' }, { pick: '0.7%' }], undefined, [elsewhere, one]);
    await addLiquidity(target);
    prompts.assertDone();
    assert.deepEqual(
      added.map(({ position, slippageBps, deposit }) => [position.key, slippageBps, deposit !== 'fees' && deposit.inputLamports]),
      [[one.key, 70, 300_000_000n]],
    );
  });

  it('asks to which of several positions of the pool it is added, and says where there is none', async () => {
    const { prompts, added, addLiquidity } = setUp(
      [{ pick: 'BONK/SOL −386 … −376 (1111…11JJ)' }, { pick: '0.3 SOL' }, { pick: '1%' }],
      undefined,
      [one, other, elsewhere],
    );
    await addLiquidity(target);
    prompts.assertDone();
    assert.deepEqual([prompts.asked[0]?.shown.length, added[0]?.position.key], [2, other.key]);
    await assert.rejects(setUp([], undefined, [elsewhere]).addLiquidity(target), /There is no open position\./);
    await assert.rejects(setUp([], undefined, [one]).addLiquidity({ ...target, plan: { amountLamports: -1 } }), /plan cannot be used/);
  });
});

describe('Swap to SOL and Unwrap SOL', () => {
  const BONK = pool(1).token0.address ?? OWNER;
  const held = { mint: BONK, symbol: 'BONK', decimals: 5, amountRaw: 1_266_100_000n, amountText: '12661', priceUsd: 0.03225 };
  const sol = { mint: WRAPPED_SOL_MINT, symbol: 'SOL', decimals: 9, amountRaw: 10n * LAMPORTS_PER_SOL, amountText: '10', priceUsd: 100 };

  it('All of the token of the row is swapped, or exactly what is typed, at the prices that the wallet shows', async () => {
    const { prompts, swaps, swapToSol } = setUp([{ pick: '12,661 BONK' }, { pick: 'Other…' }, { type: '0.5' }], [held, sol]);
    await swapToSol({ kind: 'account', address: BONK });
    await swapToSol({ kind: 'account', address: BONK });
    prompts.assertDone();
    const { amountRaw: _, amountText: __, ...sold } = held;
    const { amountRaw: ___, amountText: ____, ...bought } = sol;
    const plan = { owner: OWNER, sold, bought, slippageBps: 100, solUsd: 100 };
    assert.deepEqual(swaps, [
      { ...plan, amountRaw: 1_266_100_000n },
      { ...plan, amountRaw: 50_000n },
    ]);
    assert.match(prompts.asked[0]?.text ?? '', /\$408/);
  });

  it('From the palette a token is chosen; without any, or where it is gone, nothing is asked', async () => {
    const { prompts, swaps, swapToSol } = setUp([{ pick: '12,661 BONK' }, { pick: '12,661 BONK' }], [held, sol]);
    await swapToSol(undefined);
    prompts.assertDone();
    assert.equal(swaps.length, 1);
    const without = setUp([], [sol]);
    await assert.rejects(without.swapToSol(undefined), /no token to swap/);
    await assert.rejects(without.swapToSol({ kind: 'account', address: BONK }), /no token to swap/);
  });

  it('What is wrapped is unwrapped, and nothing is begun where nothing is', async () => {
    const { unwraps, unwrapSol } = setUp([], [{ ...sol, wrappedLamports: 500_000_000n }]);
    await unwrapSol(undefined);
    assert.deepEqual(unwraps, [{ owner: OWNER, lamports: 500_000_000n, solUsd: 100 }]);
    await assert.rejects(setUp([], [sol]).unwrapSol(undefined), /no wrapped SOL/);
  });
});
