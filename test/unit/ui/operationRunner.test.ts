import assert from 'node:assert/strict';
import { OperationRunner } from '../../../src/ui/zap/operationRunner';
import type { ZapInChoices } from '../../../src/ui/zap/zapInDialog';
import { targetOfPool } from '../../../src/ui/zap/zapInDraft';
import { readServiceChoice, SANDBOX, type ServiceChoice } from '../../../src/ui/shell/serviceChoice';
import { shortAddress } from '../../../src/base/format/identifiers';
import { WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { ScriptedPrompts, type ScriptedAnswer } from '../../support/editor/scriptedPrompts';
import { success } from '../../support/service/given';
import { ScriptedService } from '../../support/service/scriptedService';
import { bench, CLOSE, failureOf, realSigner, SWAPS, thePosition, type Bench } from '../../support/transactions/harness';
import { FakeClock, pool, settledMicrotasks } from '../../support/portfolio/fixtures';
import { poolInfo } from '../../support/ui/panels/poolFixtures';
import { swingingCandles } from '../../support/service/candles';
import type { LiquidityService } from '../../../src/service/service';
import { FROM_BIN, MINT, OWNER, POOL, TO_BIN } from '../../support/review/bundles';
import { ANSWER_WITHIN_MS, Secrets, unansweredText } from '../../../src/ui/shell/secrets';
import { windowProblems } from '../../../src/ui/shell/windowProblem';
import { fail, INTACT, KeyringSecrets, NO_PROBLEMS } from '../../support/ui/memory';
import type { RunnerDependencies } from '../../../src/ui/zap/operationDependencies';

const REAL = readServiceChoice('https://example.org/v1');
const noAction = () => Promise.reject(new Error('nothing is shown'));
const NO_ACTIONS: RunnerDependencies['actions'] = {
  copy: noAction,
  openExternal: noAction,
  showDocument: noAction,
  saveText: noAction,
  focusPositions: noAction,
  focusActivity: noAction,
  showLog: () => undefined,
};

interface Ready {
  readonly runner: OperationRunner;
  readonly prompts: ScriptedPrompts;
  readonly bench: Bench;
}

/** A runner over a real portfolio, review and wallet, whose user answers so. */
async function runnerWith(
  answers: readonly ScriptedAnswer[],
  part: (prompts: ScriptedPrompts, service: LiquidityService) => Partial<RunnerDependencies> = () => ({}),
  presses: Readonly<Record<string, string>> = {},
): Promise<Ready> {
  const rig = await bench();
  const { dependencies, portfolio } = rig;
  const prompts = new ScriptedPrompts(answers, presses);
  const runner = new OperationRunner({
    prompts,
    portfolio,
    log: () => undefined,
    serviceInUse: () => REAL,
    actions: NO_ACTIONS,
    service: () => Promise.resolve(dependencies.service),
    rpc: () => Promise.resolve(undefined),
    policy: () => ({}),
    isSimulating: () => true,
    signer: () => Promise.resolve(realSigner()),
    nowMs: dependencies.nowMs,
    records: { journal: () => Promise.resolve(dependencies.journal), locks: () => Promise.resolve(dependencies.locks) },
    problems: NO_PROBLEMS,
    began: () => undefined,
    leftOpen: () => undefined,
    ...part(prompts, dependencies.service),
  });
  return { runner, prompts, bench: rig };
}

const WHOLE = { position: thePosition(), shareBps: 10_000, output: 'allBaseToken', slippageBps: 300 } as const;

/** Runs a zap-out that the user approves; `chosen` says which service is in use before and after the user was asked. */
async function zapOut(
  chosen: (wasAsked: boolean) => ServiceChoice,
): Promise<{ readonly running: ReturnType<OperationRunner['zapOut']>; readonly trace: Bench['trace'] }> {
  const { runner, bench: rig } = await runnerWith([{ press: 'Sign and Send' }], (prompts) => ({
    serviceInUse: () => chosen(prompts.asked.length > 0),
  }));
  return { running: runner.zapOut(WHOLE, OWNER), trace: rig.trace };
}

describe('An operation that waits for the secret storage', () => {
  /** A runner whose signer reads a key that a keyring asks a password for. */
  async function waiting(presses: Readonly<Record<string, string>> = {}) {
    const keyring = new KeyringSecrets();
    const clock = new FakeClock();
    const secrets = new Secrets(keyring, clock, fail);
    keyring.ask();
    const ready = await runnerWith(
      [{ press: 'Sign and Send' }],
      () => ({
        problems: windowProblems(secrets, INTACT),
        signer: async () => {
          await secrets.patient().get('key');
          return realSigner();
        },
      }),
      presses,
    );
    const running = ready.runner.zapOut(WHOLE, OWNER);
    while (keyring.calls === 0) {
      await settledMicrotasks();
    }
    await clock.advance(ANSWER_WITHIN_MS);
    return { ...ready, keyring, running };
  }

  it('The progress says what it waits for, and signs with the answer', async () => {
    const { prompts, keyring, running, bench: rig } = await waiting();
    assert.equal(prompts.progressed.at(-1), unansweredText());
    keyring.unlock();
    assert.equal((await running).kind, 'settled');
    assert.equal(rig.trace.landings.length, 1);
    assert.ok(prompts.progressed.indexOf(unansweredText()) < prompts.progressed.length - 1);
  });

  it('Cancel ends it, and a late answer signs nothing', async () => {
    const { keyring, running, bench: rig } = await waiting({ 'does not answer': 'Cancel' });
    assert.equal((await running).kind, 'declined');
    keyring.unlock();
    await settledMicrotasks();
    assert.equal(rig.trace.landings.length, 0);
  });

  it('Cancel also ends it before it has a service', async () => {
    const { runner } = await runnerWith(
      [],
      () => ({
        problems: {
          current: { kind: 'secretStorage', brief: '', message: 'No answer yet.' },
          onDidChange: () => ({ dispose: () => undefined }),
        },
        service: () => new Promise(() => undefined),
      }),
      { 'No answer yet.': 'Cancel' },
    );
    assert.equal((await runner.zapOut(WHOLE, OWNER)).kind, 'declined');
  });
});

describe('An operation from the editor', () => {
  it('An operation is signed and sent with the service that it began with', async () => {
    const { running, trace } = await zapOut(() => REAL);
    assert.equal((await running).kind, 'settled');
    assert.equal(trace.landings.length, 1);
  });

  for (const [from, to] of [
    [REAL, SANDBOX],
    [SANDBOX, REAL],
  ] as const) {
    it(`An operation stops unsigned if ${to.name} replaces ${from.name} while the user is asked`, async () => {
      const { running, trace } = await zapOut((wasAsked) => (wasAsked ? to : from));
      const failure = await failureOf(running);
      assert.deepEqual([failure.kind, failure.money, trace.landings.length], ['notSigned', 'untouched', 0]);
      assert.match(failure.message, /Another service is in use now\./);
    });
  }

  it('An operation names the profile that built it, and stops unsigned if another profile of the service is used meanwhile', async () => {
    const named = (name: string): ServiceChoice => ({ ...REAL, name });
    const {
      runner,
      prompts,
      bench: rig,
    } = await runnerWith([{ press: 'Sign and Send' }], (asked) => ({
      serviceInUse: () => named(asked.asked.length > 0 ? 'second' : 'first'),
    }));
    const failure = await failureOf(runner.zapOut(WHOLE, OWNER));
    assert.deepEqual([failure.kind, failure.money, rig.trace.landings.length], ['notSigned', 'untouched', 0]);
    assert.match(failure.message, /Another service is in use now\./);
    assert.match(JSON.stringify(prompts.asked), /Service: first/);
  });

  for (const height of [null, undefined]) {
    it(`An operation stops before the question if the service omits the block height (${String(height)}) for its landing`, async () => {
      const server = await ScriptedService.start();
      try {
        server.willAnswer(success({ closeTxsWithJito: [CLOSE], swapTxsWithJito: SWAPS, lastValidBlockHeight: height }));
        const { runner, prompts, bench: rig } = await runnerWith([]);
        rig.dependencies.service.buildDecrease = (request, options) => server.client().buildDecrease(request, options);
        const failure = await failureOf(runner.zapOut(WHOLE, OWNER));
        assert.deepEqual([failure.kind, failure.money, prompts.asked.length, rig.trace.signersAsked], ['notBuilt', 'untouched', 0, 0]);
        assert.match(
          failure.message,
          /cannot be landed: "data\.lastValidBlockHeight" is missing\. Nothing was signed or sent\. Your money has not moved\./,
        );
      } finally {
        await server.stop();
      }
    });
  }

  it('The review uses the user’s own caps and asks about a fee above them', async () => {
    const {
      runner,
      prompts,
      bench: rig,
    } = await runnerWith([{ press: 'Decide…' }, 'escape'], () => ({ policy: () => ({ tipAllowLamports: 0n, feeAllowLamports: 0n }) }));
    assert.equal((await runner.zapOut(WHOLE, OWNER)).kind, 'declined');
    assert.match(prompts.asked[1]?.text ?? '', /Rule (TIP|FEE|LIM)-/);
    assert.equal(rig.trace.landings.length, 0);
  });

  it('The wallet’s key is requested only after the approval, and the request is cancelled with the operation', async () => {
    const asked: (AbortSignal | undefined)[] = [];
    const signer: RunnerDependencies['signer'] = (_, cancelled) => {
      asked.push(cancelled);
      return Promise.resolve(realSigner());
    };
    const declined = await runnerWith(['escape'], () => ({ signer }));
    await declined.runner.zapOut(WHOLE, OWNER);
    assert.equal(asked.length, 0);
    const approved = await runnerWith([{ press: 'Sign and Send' }], () => ({ signer }));
    await approved.runner.zapOut(WHOLE, OWNER);
    assert.deepEqual(
      asked.map((signal) => signal?.aborted),
      [false],
    );
  });
});

describe('A zap-in from the editor', () => {
  const choices: ZapInChoices = {
    target: targetOfPool(
      pool(1, {
        address: POOL,
        poolType: 'dammV2',
        token0: { ...pool(1).token0, address: MINT },
        token1: { ...pool(1).token1, address: WRAPPED_SOL_MINT },
      }),
    ),
    inputLamports: 1_000_000_000n,
    bins: undefined,
    percentX: 0.5,
    slippageBps: 300,
    solUsd: 100,
  };

  it('A zap-in to a pool without bins requests it from the service and shows what it would do', async () => {
    // The bundle that comes back opens a position with bins: it is not what was asked for.
    const { runner, prompts, bench: rig } = await runnerWith(['escape']);
    assert.equal((await runner.zapIn(choices, OWNER)).kind, 'blocked');
    const [request] = rig.trace.builds;
    assert.ok(request !== undefined && 'percentX' in request && 'pool' in request);
    assert.deepEqual([request.pool, request.percentX, request.slippageBps], [POOL, 0.5, 300]);
    assert.match(prompts.asked[0]?.title ?? '', /^Zap 1 SOL into .+: not signed$/);
  });

  for (const [name, line] of [
    [undefined, `Wallet: ${shortAddress(OWNER)}`],
    ['Savings', `Wallet: Savings (${shortAddress(OWNER)})`],
  ] as const) {
    it(`The question about a zap-in says which wallet pays (${name ?? 'without a name'})`, async () => {
      const target = targetOfPool(
        pool(1, { address: POOL, token0: { ...pool(1).token0, address: MINT }, token1: { ...pool(1).token1, address: WRAPPED_SOL_MINT } }),
      );
      const bins = {
        strategy: 'Spot',
        range: { fromBinId: FROM_BIN, toBinId: TO_BIN },
        activeBin: { binId: 0, price: 0.5 / 4.1 },
      } as const;
      const { runner, prompts } = await runnerWith(['escape'], () => ({ walletName: (owner) => (owner === OWNER ? name : undefined) }));
      assert.equal(
        (await runner.zapIn({ ...choices, target: { ...target, binStepBps: undefined }, bins, solUsd: undefined }, OWNER)).kind,
        'declined',
        prompts.asked[0]?.text,
      );
      assert.ok(prompts.asked[0]?.text.split('\n').includes(line), prompts.asked[0]?.text);
    });
  }

  for (const [name, isAnswered] of [
    ['shows the outlook in three lines', true],
    ['does not wait for an outlook', false],
  ] as const) {
    it(`The question about a zap-in ${name}`, async () => {
      const target = targetOfPool(
        pool(1, { address: POOL, token0: { ...pool(1).token0, address: MINT }, token1: { ...pool(1).token1, address: WRAPPED_SOL_MINT } }),
      );
      const range = { fromBinId: FROM_BIN, toBinId: TO_BIN };
      const bins = { strategy: 'Spot', range, activeBin: { binId: 0, price: 0.5 / 4.1 } } as const;
      const asked: string[] = [];
      let details = '';
      const {
        runner,
        prompts,
        bench: rig,
      } = await runnerWith([{ press: 'Show Details' }, 'escape'], (_, service) => {
        const withPrices: Partial<LiquidityService> = {
          poolInfo: (of) => {
            asked.push(of);
            const [x, y] = poolInfo().tokens;
            const inBins = Array.from({ length: 201 }, (__, place) => ({ binId: place - 100, amountX: 0, amountY: 5, price: undefined }));
            const info = poolInfo({
              tokens: x === undefined || y === undefined ? [] : [x, { ...y, address: WRAPPED_SOL_MINT }],
              activeBin: { binId: 0, price: 0.5 / 4.1 },
              bins: inBins,
              statistics: { fees24hUsd: 900, binStepBps: 100 },
            });
            return isAnswered ? Promise.resolve(info) : new Promise(() => undefined);
          },
          candles: (_pool, span) => Promise.resolve(swingingCandles(span)),
        };
        return {
          serviceInUse: () => SANDBOX,
          actions: { ...NO_ACTIONS, showDocument: (__, text) => Promise.resolve(void (details = text)) },
          service: () => Promise.resolve(Object.assign(Object.create(service) as LiquidityService, withPrices)),
        };
      });
      const result = await runner.zapIn({ ...choices, target: { ...target, binStepBps: undefined }, bins, solUsd: undefined }, OWNER);
      assert.equal(result.kind, 'declined', prompts.asked[0]?.text);
      assert.deepEqual([asked, rig.trace.landings.length], [[POOL], 0]);
      const lines = details.split('\n').map((line) => line.replace(/^\W+/, ''));
      const found = [/^In range about [\d.]+% of 24 hours$/, /^Left: about .*fees about \$[\d.]+, loss/, /^Worth it below/];
      assert.deepEqual(
        found.map((line) => lines.some((one) => line.test(one))),
        found.map(() => isAnswered),
        lines.join('\n'),
      );
    });
  }

  it('A zap-in of tokens requests a deposit without swaps from the service and says so', async () => {
    const target = targetOfPool(
      pool(1, { address: POOL, token0: { ...pool(1).token0, address: MINT }, token1: { ...pool(1).token1, address: WRAPPED_SOL_MINT } }),
    );
    const bins = { strategy: 'Spot', range: { fromBinId: FROM_BIN, toBinId: TO_BIN }, activeBin: { binId: 0, price: 0.5 } } as const;
    // The bundle that comes back swaps: it is not what was asked for.
    const { runner, prompts, bench: rig } = await runnerWith(['escape']);
    const result = await runner.zapIn(
      { ...choices, target, bins, inputLamports: 0n, tokens: { amountXRaw: 1_500_000n, amountYRaw: 250_000_000n } },
      OWNER,
    );
    assert.equal(result.kind, 'blocked');
    const [request] = rig.trace.builds;
    assert.ok(request !== undefined && 'amountX' in request);
    assert.deepEqual([request.mode, request.amountX, request.amountY], ['normal', 1.5, 0.25]);
    assert.match(prompts.asked[0]?.title ?? '', /^Zap 1\.5 P1 and 0\.25 SOL into .+: not signed$/);
    assert.match(prompts.asked[0]?.text ?? '', /SWP-6/);
    // For those who read it in Activity.
    const [record] = (await rig.dependencies.journal.read()).records;
    assert.ok(record?.created.plan.kind === 'zapIn');
    assert.deepEqual([record.created.plan.tokens?.x?.symbol, record.created.plan.tokens?.y?.symbol], ['P1', 'SOL']);
  });
});
