import assert from 'node:assert/strict';
import { AutoRebalanceExecutor } from '../../src/ui/autoRebalance/executor';
import { SANDBOX_ID, SANDBOX } from '../../src/ui/shell/serviceChoice';
import { ConsentStore } from '../../src/autoRebalance/consentStore';
import { AutoRebalanceController } from '../../src/autoRebalance/controller';
import { worthsOf } from '../../src/autoRebalance/limits';
import type { AutoRebalanceRules } from '../../src/autoRebalance/types';
import { ledgersInMemory } from '../support/autoRebalance/listed';
import type { ScriptedAnswer, ScriptedPrompts } from '../support/editor/scriptedPrompts';
import { MemorySecrets } from '../support/ui/memory';
import { landed } from '../support/sandbox/client';
import { IS_REAL_TIME } from '../support/sandbox/limitedService';
import { PER_MINUTE, RateLimitedWindow, TERMS } from '../support/sandbox/rateLimitedWindow';
import { STILL_AND_SHORT, useSandbox } from '../support/sandbox/useSandbox';

const MINUTE_MS = 60_000;
const WAITING = /^Waiting \d+ s for the request limit of your plan\. Next: /;
const ZAP_IN: readonly ScriptedAnswer[] = [{ press: 'Sign and Send' }];
const LANDINGS = /landing-(?:add|decrease)-tx$/;

describe('Operations at a used-up limit of five requests per minute, with polling and an open panel', function () {
  this.timeout(IS_REAL_TIME ? 1_200_000 : 120_000);
  const client = useSandbox('each', STILL_AND_SHORT);
  let window: RateLimitedWindow;
  let knownAtMs: number;
  let beganAtMs: number;

  afterEach(() => window.close());

  /** Opens a window, and uses its plan up. */
  async function open(hasRpc: boolean): Promise<void> {
    window = await RateLimitedWindow.open(client(), hasRpc);
    knownAtMs = await window.useUp();
    beganAtMs = window.clock.now();
  }

  async function outOfRange(pairName: string, binStep: number): Promise<string> {
    const { pool } = await client().pool(pairName, binStep);
    const active = await client().activeBin(pool);
    const built = await client().add(pool, { inputSOL: 2, fromBinId: active - 20, toBinId: active + 20, slippage_bps: 500 });
    landed(await client().landAdd(built));
    await client().control('active-bin', { pool, binId: active + 30 });
    return built.meta.positionPubKey;
  }

  /** It waited and said so, sent no more than the plan allows, and left nothing half-way. */
  async function assertWhole(prompts: ScriptedPrompts, what: string): Promise<void> {
    const said = prompts.progressed.filter((words) => WAITING.test(words));
    assert.ok(said.length > 0, `it said that it waits: ${prompts.progressed.join(' | ')}`);
    assert.ok(
      !prompts.notices.some(({ message }) => message.includes('Nothing was sent')),
      prompts.notices.map(({ message }) => message).join('\n'),
    );
    const late = window.way.heard.filter(({ atMs }) => atMs >= knownAtMs);
    assert.deepEqual(
      late.filter(({ status }) => status === 429),
      [],
      'nothing is refused once the limit is known',
    );
    assert.ok(window.way.mostInAMinute(knownAtMs) <= PER_MINUTE, window.transcript);
    const landings = window.way.heard.filter(({ line }) => LANDINGS.test(line)).map(({ body }) => body);
    assert.equal(new Set(landings).size, landings.length, 'nothing is sent twice');
    assert.deepEqual(
      (await window.records()).filter(({ state }) => state !== 'settled').map(({ created, state }) => `${created.operation} ${state}`),
      [],
    );
    assert.deepEqual(await client().audit(), []);
    if (IS_REAL_TIME) {
      process.stdout.write(`      ${what}: ${((window.clock.now() - beganAtMs) / MINUTE_MS).toFixed(1)} min, ${late.length} requests\n`);
    }
  }

  for (const hasRpc of [true, false]) {
    const withRpc = hasRpc ? 'with an RPC' : 'without an RPC';

    it(`Zap In waits ${withRpc} where it was refused before: for the balances, the pool, the transactions and the landing`, async () => {
      await open(hasRpc);
      const before = window.portfolio.snapshot.positions.length;
      const pool = window.portfolio.snapshot.pools.find(({ pairName, poolType }) => pairName.endsWith('/SOL') && poolType === 'dlmm');
      assert.ok(pool !== undefined);
      const prompts = await window.answering(ZAP_IN, () => window.zapIn(pool.address));
      assert.match(prompts.notices.map(({ message }) => message).join('\n'), /^Zap .+ into .+: done\. Value: about \$/);
      assert.equal(window.portfolio.snapshot.positions.length, before + 1);
      assert.ok(WAITING.test(prompts.progressed[0] ?? ''), 'the first request of the questions waits already');
      await assertWhole(prompts, `zap-in ${withRpc}`);
    });
  }

  // Without an RPC: rateLimitedRebalance.test.ts.
  it('Rebalance All rebalances two positions with an RPC, one after the other', async () => {
    const out = [await outOfRange('BONQ/SOL', 25), await outOfRange('JUPP/SOL', 20)];
    await open(true);
    const others = window.portfolio.snapshot.positions
      .filter(({ address: at, inRange }) => inRange === false && !out.includes(at ?? ''))
      .map(({ pairName }) => pairName);
    const prompts = await window.answering([{ untick: others }, { press: 'Rebalance' }], () => window.rebalanceAll());
    assert.match(prompts.notices.at(-1)?.message ?? '', /^Rebalance All Out of Range: 2 of 2\. /, window.transcript);
    const left = new Set(window.portfolio.snapshot.positions.map(({ address: at }) => String(at)));
    assert.deepEqual(
      out.filter((one) => left.has(one)),
      [],
    );
    await assertWhole(prompts, 'two rebalances');
  });

  it('Auto-rebalance checks, zaps out and re-enters, and polling gives way to it', async () => {
    const left = await outOfRange('BONQ/SOL', 25);
    await open(true);
    const others = window.portfolio.snapshot.positions.filter(({ address: at }) => at !== left);
    const rules: AutoRebalanceRules = {
      ...RULES,
      poolsLeftAlone: others
        .flatMap(({ pool }) => pool ?? [])
        .filter((pool) => !window.portfolio.snapshot.positions.some((one) => one.address === left && one.pool === pool)),
    };
    const store = new ConsentStore({ folder: `${window.storage}/automation`, secrets: new MemorySecrets(), log: () => undefined });
    const outcomes: string[] = [];
    const host = new AutoRebalanceExecutor({
      prompts: window.slot,
      questions: { ask: () => Promise.reject(new Error('No question is expected')) },
      runs: () => Promise.resolve(window.rebalances),
      rpc: window.runner.rpc,
      ownerOf: () => window.owners.active(SANDBOX),
      owner: () => window.owners.active(SANDBOX),
      isShown: () => true,
      owners: window.owners,
      onUnlocked: () => assert.fail('Nothing is locked'),
      announce: () => undefined,
      command: () => Promise.reject(new Error('No command is run')),
      onError: (error) => assert.fail(String(error)),
    });
    const { portfolio, journal, locks, clock, runner } = window;
    let isActing = false;
    let ended: () => void = () => undefined;
    const isDone = new Promise<void>((resolve) => (ended = resolve));
    const controller = new AutoRebalanceController({
      store,
      portfolio,
      records: { journal: () => Promise.resolve(journal), locks: () => Promise.resolve(locks) },
      log: runner.log,
      onError: (error) => assert.fail(String(error)),
      whyNotHere: () => undefined,
      clock: { now: clock.now, after: (ms, run) => (isActing ? clock : window.waits).after(ms, run) },
      serviceId: () => SANDBOX_ID,
      rules: () => rules,
      memory: ledgersInMemory(),
      rpc: runner.rpc,
      host: {
        act: async (...given) => {
          isActing = true;
          const outcome = await host.act(...given);
          outcomes.push(`${given[0].position.key} ${outcome.kind}`);
          ended();
          return outcome;
        },
        notify: (message) => assert.fail(message),
      },
    });
    const prompts = await window.answering([], async () => {
      await controller.begin();
      const worths = worthsOf(portfolio.snapshot.positions, rules);
      await controller.turnOn({ service: SANDBOX_ID, owner: window.owner, rules, sinceMs: clock.now(), worths });
      await isDone;
    });
    controller.dispose();
    assert.deepEqual(outcomes, [`${left} done`], window.transcript);
    await assertWhole(prompts, 'auto-rebalance');
  });
});

describe('A first 429 in the middle of an operation', function () {
  this.timeout(IS_REAL_TIME ? 1_200_000 : 120_000);
  const client = useSandbox('each', STILL_AND_SHORT);
  let window: RateLimitedWindow;
  afterEach(() => window.close());

  const faults = [
    ['that was not carried out', { kind: 'status', status: 429, retryAfterSeconds: 4 }],
    ['that was carried out', { kind: 'landed', status: 429, retryAfterSeconds: 4 }],
  ] as const;
  for (const [which, fault] of faults) {
    it(`A zap-in landing ${which} and got a 429 is sent again with the same bytes and lands once`, async () => {
      window = await RateLimitedWindow.open(client(), true);
      const pool = window.portfolio.snapshot.pools.find(({ pairName, poolType }) => pairName.endsWith('/SOL') && poolType === 'dlmm');
      assert.ok(pool !== undefined);
      const before = new Set((await client().opening()).map(({ position }) => position));
      assert.equal(window.budget.perMinute, undefined, 'no limit was known');
      await client().setFaults({ ...fault, path: '/pools/landing-add-tx', times: 1 });
      const prompts = await window.answering(ZAP_IN, () => window.zapIn(pool.address));
      assert.match(prompts.notices.map(({ message }) => message).join('\n'), /^Zap .+ into .+: done\. Value: about \$/, window.transcript);
      const landings = window.way.heard.filter(({ line }) => LANDINGS.test(line));
      assert.equal(landings[0]?.status, 429);
      assert.equal(new Set(landings.map(({ body }) => body)).size, 1, 'the same bytes');
      if (fault.kind === 'status') {
        assert.deepEqual([landings.at(-1)?.status, landings.filter(({ status }) => status === 200).length], [200, 1]);
      }
      assert.equal((await client().opening()).filter(({ position }) => !before.has(position)).length, 1);
      assert.deepEqual(
        (await window.records()).map(({ state }) => state),
        ['settled'],
      );
      assert.equal(prompts.asked.filter(({ kind }) => kind === 'confirm').length, 1, 'it is asked once');
      assert.deepEqual(await client().audit(), []);
    });
  }
});

const RULES: AutoRebalanceRules = {
  mode: 'automatic',
  checkEveryMs: MINUTE_MS,
  outOfRangeChecks: 2,
  leastValueUsd: 25,
  cooldownMs: 60 * MINUTE_MS,
  mostPerPositionAndDay: 3,
  mostPerDay: 10,
  mostClosingsPerDay: 3,
  mostCostPercentPerDay: 1,
  terms: TERMS,
  stopLossPercent: undefined,
  takeProfitPercent: undefined,
  pnlIn: 'usd',
  poolsLeftAlone: [],
};
