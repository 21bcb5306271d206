import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import bs58 from 'bs58';
import { ConsentFile, ConsentStore } from '../../src/autoRebalance/consentStore';
import { AutoRebalanceController } from '../../src/autoRebalance/controller';
import { worthsOf } from '../../src/autoRebalance/limits';
import { gainOf } from '../../src/autoRebalance/plausibility';
import type {
  ActionOutcome,
  AutoRebalanceAction,
  AutoRebalanceDecision,
  AutoRebalanceHost,
  AutoRebalanceRules,
  ConfirmedWorth,
} from '../../src/autoRebalance/types';
import { address, type Address } from '../../src/base/solana/address';
import { Portfolio } from '../../src/portfolio/portfolio';
import { signReviewed } from '../../src/review/review';
import { parseBaseUrl } from '../../src/service/baseUrl';
import { createLiquidityService } from '../../src/service/client';
import type { OpenPosition } from '../../src/service/positions';
import { errorMessageOf } from '../../src/transactions/errors';
import { openJournal } from '../../src/transactions/journal/journal';
import type { OperationJournal, OperationRecord } from '../../src/transactions/journal/types';
import { openLocks } from '../../src/transactions/locks/locks';
import type { OperationLocks } from '../../src/transactions/locks/types';
import { runRebalance } from '../../src/transactions/rebalance/rebalance';
import type { Reentry } from '../../src/transactions/rebalance/types';
import { runZapOut } from '../../src/transactions/run/zapOut';
import type { OperationDependencies } from '../../src/transactions/types';
import { createSigner, type Signer } from '../../src/wallet/signer';
import { ledgersInMemory } from '../support/autoRebalance/listed';
import { PATIENCE_MS } from '../support/patience';
import { MemorySecrets } from '../support/ui/memory';
import { STILL, useSandbox } from '../support/sandbox/useSandbox';
import { rpcOf } from '../support/sandbox/rpcOf';

const SERVICE = 'sandbox';
const MINUTE_MS = 60_000;

/** The machine's clock, and what was skipped of it. */
class SkippingClock {
  #skippedMs = 0;
  readonly now = (): number => Date.now() + this.#skippedMs;
  skip(ms: number): void {
    this.#skippedMs += ms;
  }
  after(ms: number, run: () => void): { dispose(): void } {
    const timer = setTimeout(run, ms);
    return { dispose: () => clearTimeout(timer) };
  }
}

/** A window with automation, and everything that the extension runs it with. */
interface Rig {
  readonly portfolio: Portfolio;
  readonly controller: AutoRebalanceController;
  readonly acts: (readonly [position: string, action: AutoRebalanceAction, outcome: ActionOutcome['kind']])[];
  readonly asked: (readonly [position: string, action: AutoRebalanceAction, why: string])[];
  readonly told: string[];
  /** What the review found in what was signed for. */
  readonly rules: string[];
  readonly act: AutoRebalanceHost['act'];
  /** Changes what the positions are confirmed to be worth. */
  worths: (confirmed: readonly ConfirmedWorth[]) => readonly ConfirmedWorth[];
  /** Called right before each signature. */
  beforeSigning: () => Promise<void>;
  records(): Promise<readonly OperationRecord[]>;
}

// Client and sandbox meet over HTTP alone: service, RPC, review, wallet, portfolio, journal and locks are the ones that the extension uses.
describe('Auto-rebalance in the sandbox', function () {
  const client = useSandbox('each', STILL);

  let storage = '';
  let clock = new SkippingClock();
  let memory = ledgersInMemory();
  let opened:
    | {
        readonly controller: AutoRebalanceController;
        readonly portfolio: Portfolio;
        readonly journal: OperationJournal;
        readonly locks: OperationLocks;
      }
    | undefined;
  beforeEach(async () => {
    storage = await mkdtemp(join(tmpdir(), 'binsight-automation-'));
    clock = new SkippingClock();
    memory = ledgersInMemory();
  });
  afterEach(async () => {
    const { controller, portfolio, journal, locks } = opened ?? {};
    opened = undefined;
    controller?.dispose();
    portfolio?.dispose();
    journal?.dispose();
    await locks?.dispose();
    await rm(storage, { recursive: true, force: true });
  });

  const owner = (): Address => address(client().sandbox.owner);

  async function openRig(rules: AutoRebalanceRules): Promise<Rig> {
    const { url, apiKey, secretKey } = client().sandbox;
    const log = (): void => undefined;
    const service = createLiquidityService({ baseUrl: parseBaseUrl(url), apiKey });
    const portfolio = new Portfolio({ service: () => Promise.resolve(service), log, clock });
    portfolio.setOwner(owner());
    await portfolio.refresh('startup', ['positions']);
    const journal = openJournal({ folder: join(storage, 'journal'), nowMs: clock.now, log });
    const locks = openLocks({ folder: join(storage, 'locks'), log });
    const store = new ConsentStore({ folder: join(storage, 'automation'), secrets: new MemorySecrets(), log });
    const dependencies: OperationDependencies = {
      ...{ service, portfolio, journal, locks, clock, log, nowMs: clock.now, serviceId: SERVICE },
      isServiceInUse: () => true,
      rpc: rpcOf({ url, apiKey }),
      policy: () => ({}),
      isSimulating: true,
      ...{ settleTimeoutMs: 20_000, settleEveryMs: 200 },
    };
    const readSeed = () => Promise.resolve(bs58.decode(secretKey).slice(0, 32));
    const signerIf = async (mayStillAct: () => Promise<boolean>): Promise<Signer> => {
      await rig.beforeSigning();
      if (!(await mayStillAct())) {
        throw new Error('Automation was switched off.');
      }
      return createSigner({ owner: owner(), readSeed, signReviewed, nowMs: clock.now });
    };
    const act: AutoRebalanceHost['act'] = async ({ position, action, asks, mostReentryLamports }, { terms }, cancelled, mayStillAct) => {
      if (asks !== undefined) {
        rig.asked.push([position.key, action, asks]);
        return { kind: 'refused', leaveAlone: true };
      }
      const signer = () => signerIf(mayStillAct);
      const outcome = await (
        action === 'close'
          ? close(position, terms.slippageBps, signer, cancelled)
          : rebalance(position, terms, mostReentryLamports, signer, cancelled)
      ).catch((error: unknown): ActionOutcome => ({ kind: 'failed', words: errorMessageOf(error) }));
      rig.acts.push([position.key, action, outcome.kind]);
      return outcome;
    };
    const rebalance = async (
      position: OpenPosition,
      terms: AutoRebalanceRules['terms'],
      mostReentryLamports: bigint | undefined,
      signer: () => Promise<Signer>,
      cancelled: AbortSignal,
    ): Promise<ActionOutcome> => {
      const approve = ({
        review,
        reentry,
      }: {
        readonly reentry: Reentry | undefined;
        readonly review: { readonly verdict: string; readonly findings: readonly { readonly rule: string }[] };
      }) => {
        rig.rules.push(...review.findings.map(({ rule }) => rule));
        return Promise.resolve(review.verdict === 'allow' && (reentry?.warnings ?? []).length === 0);
      };
      const result = await runRebalance(
        { position, owner: owner(), terms, mostReentryLamports },
        dependencies,
        { report: log, approve, signer, approver: 'automation' },
        cancelled,
      );
      return result.kind === 'settled' ? { kind: 'done' } : { kind: 'needsUser', words: 'words' in result ? result.words : result.kind };
    };
    const close = async (
      position: OpenPosition,
      slippageBps: number,
      signer: () => Promise<Signer>,
      cancelled: AbortSignal,
    ): Promise<ActionOutcome> => {
      const host = {
        report: log,
        approve: ({ verdict }: { readonly verdict: string }) => Promise.resolve(verdict === 'allow'),
        signer,
        approver: 'automation',
      } as const;
      const { kind } = await runZapOut(
        { position, owner: owner(), shareBps: 10_000, output: 'allBaseToken', slippageBps },
        dependencies,
        host,
        cancelled,
      );
      return kind === 'settled' ? { kind: 'done' } : { kind: 'needsUser', words: kind };
    };
    const controller = new AutoRebalanceController({
      store,
      portfolio,
      records: { journal: () => Promise.resolve(journal), locks: () => Promise.resolve(locks) },
      clock,
      log,
      onError: (error) => assert.fail(String(error)),
      whyNotHere: () => undefined,
      serviceId: () => SERVICE,
      rules: () => rules,
      memory,
      rpc: () => Promise.resolve(dependencies.rpc),
      host: { act, notify: (message) => rig.told.push(message) },
    });
    opened = { controller, portfolio, journal, locks };
    const rig: Rig = {
      portfolio,
      controller,
      acts: [],
      asked: [],
      act,
      worths: (confirmed) => confirmed,
      told: [],
      rules: [],
      beforeSigning: () => Promise.resolve(),
      records: async () => (await journal.read()).records,
    };
    return rig;
  }

  /** Turns it on, and waits for so many checks a minute apart. */
  async function checks(rig: Rig, rules: AutoRebalanceRules, count: number): Promise<void> {
    await rig.controller.begin();
    await rig.controller.turnOn({
      service: SERVICE,
      owner: owner(),
      rules,
      sinceMs: clock.now(),
      worths: rig.worths(worthsOf(rig.portfolio.snapshot.positions, rules)),
    });
    await checkAfter(rig, undefined);
    for (let check = 1; check < count; check += 1) {
      await nextCheck(rig);
    }
  }

  /** Lets a minute pass, and waits for the check after it and what comes of it. */
  async function nextCheck(rig: Rig): Promise<void> {
    const before = rig.controller.state.kind === 'on' ? rig.controller.state.lastCheckMs : undefined;
    clock.skip(MINUTE_MS);
    rig.controller.tryAgain();
    await checkAfter(rig, before);
  }

  async function checkAfter({ controller }: Rig, before: number | undefined): Promise<void> {
    for (const startMs = performance.now(); ;) {
      const { state } = controller;
      if (
        state.kind === 'on' &&
        state.lastCheckMs !== undefined &&
        state.lastCheckMs !== before &&
        state.acting.length === 0 &&
        !state.planned.some(({ decision }) => decision.kind === 'act')
      ) {
        return;
      }
      assert.ok(
        state.kind !== 'paused' && performance.now() - startMs < PATIENCE_MS,
        `No check: ${JSON.stringify(state, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)).slice(0, 600)}`,
      );
      await later(20);
    }
  }

  /** Rules that leave all pools alone but one. */
  async function rulesFor(pool: string, part: Partial<AutoRebalanceRules> = {}): Promise<AutoRebalanceRules> {
    const others = (await client().opening()).map((position) => position.pool).filter((one) => one !== pool);
    return { ...RULES, poolsLeftAlone: others.map((one) => address(one)), ...part };
  }

  const decisionOn = ({ controller: { state } }: Rig, key: string): AutoRebalanceDecision | undefined =>
    state.kind === 'on' ? state.planned.find(({ position }) => position.key === key)?.decision : undefined;

  const doneToday = ({ controller: { state } }: Rig): number | undefined => (state.kind === 'on' ? state.doneToday : undefined);

  it('Auto-rebalance finds the figures of every honest position plausible and reports its decision for each', async () => {
    const rules = { ...RULES, stopLossPercent: 90, takeProfitPercent: 10_000 };
    const rig = await openRig(rules);
    const { planned } = await rig.controller.plan();
    assert.ok(planned.length > 3);
    for (const { position, decision } of planned) {
      assert.doesNotMatch(decision.why, /consistent figures/, position.pairName);
      const isOut = position.poolType === 'dlmm' && position.inRange === false && (position.value.usd ?? 0) >= rules.leastValueUsd;
      assert.equal(
        decision.kind === 'wait' && /Out of range in 0 of 2 checks/.test(decision.why),
        isOut,
        `${position.pairName}: ${decision.why}`,
      );
    }
    assert.ok(planned.some(({ decision }) => decision.kind === 'wait') && planned.some(({ decision }) => decision.kind === 'fine'));
    assert.deepEqual(rig.acts, []);
  });

  it('Auto-rebalance rebalances a position that stays out of range once and leaves all other positions alone', async () => {
    const left = await client().soldOutPosition();
    const before = new Set((await client().opening()).map(({ position }) => position));
    const rules = await rulesFor(left.pool);
    const rig = await openRig(rules);
    await checks(rig, rules, 1);
    assert.deepEqual(rig.acts, [], 'seen once');
    await nextCheck(rig);
    assert.deepEqual(rig.acts, [[left.position, 'rebalance', 'done']]);
    const made = (await client().opening()).filter(({ position }) => !before.has(position));
    assert.equal(made.length, 1);
    assert.ok(made[0]?.inRange === true && made[0].pool === left.pool);
    assert.equal(await client().position(left.position), undefined);
    assert.equal((await client().opening()).length, before.size);
    const [whole, ...more] = (await rig.records()).filter(({ created }) => created.operation === 'rebalance');
    assert.deepEqual([whole?.state, more], ['settled', []]);
    assert.ok(
      (await rig.records()).flatMap(({ events }) => events).every((event) => event.kind !== 'approved' || event.by === 'automation'),
    );
    assert.equal(doneToday(rig), 1);
    const costs = (await rig.records()).flatMap(({ events }) =>
      events.flatMap((event) => (event.kind === 'signed' ? [event.swapCostLamports ?? assert.fail('The cost of the swaps is known')] : [])),
    );
    // The zap-in sold SOL for the other token, and pools take a fee.
    assert.ok(costs.length === 2 && costs.some((cost) => cost > 0n && cost < 100_000_000n), costs.join());
    // Its price runs away at once: the new position is left alone, for it was rebalanced a moment ago.
    await client().control('shock', { pool: left.pool, percent: 60 });
    for (let check = 0; check < 4; check += 1) {
      await nextCheck(rig);
    }
    const decision = decisionOn(rig, made[0].position);
    assert.match(decision?.why ?? '', /above its range.*Cooldown: /);
    assert.equal(rig.acts.length, 1);
    assert.deepEqual(await client().audit(), []);
  });

  it('Auto-rebalance does not sign a re-entry that could land at almost any price', async () => {
    const left = await client().soldOutPosition();
    const before = (await client().opening()).length;
    const rules = await rulesFor(left.pool);
    const rig = await openRig(rules);
    await client().setFaults({ kind: 'hostile', attack: 'anyPrice' });
    await checks(rig, rules, 2);
    assert.deepEqual(rig.acts, [[left.position, 'rebalance', 'needsUser']]);
    assert.ok(rig.rules.some((rule) => rule === 'DLMM-7'));
    assert.equal((await client().opening()).length, before - 1, 'it was closed, and nothing was entered');
    const entries = (await rig.records()).filter(({ created }) => created.operation === 'zapIn');
    assert.ok(entries.flatMap(({ events }) => events).every(({ kind }) => kind !== 'signed' && kind !== 'submitted'));
  });

  it('Auto-rebalance signs nothing when it is switched off right before the signature', async () => {
    const left = await client().soldOutPosition();
    const rules = await rulesFor(left.pool);
    const rig = await openRig(rules);
    rig.beforeSigning = async () => {
      const elsewhere = new ConsentFile({ folder: join(storage, 'automation'), log: () => undefined });
      await elsewhere.turnOff();
      elsewhere.dispose();
    };
    await checks(rig, rules, 1);
    clock.skip(rules.checkEveryMs);
    rig.controller.tryAgain();
    for (const startMs = performance.now(); rig.acts.length === 0 || rig.controller.state.kind !== 'off';) {
      assert.ok(performance.now() - startMs < PATIENCE_MS);
      await later(20);
    }
    assert.ok((await client().position(left.position)) !== undefined);
    const kinds = (await rig.records()).flatMap(({ events }) => events.map(({ kind }) => kind));
    assert.ok(kinds.includes('approved') && !kinds.includes('signed') && !kinds.includes('submitted'));
    assert.equal(rig.told.length, 1);
    assert.match(rig.told[0] ?? '', /was stopped while it worked on.*Nothing was (signed|sent)/);
  });

  it('Auto-rebalance closes a position at its stop-loss or take-profit and does not re-enter', async () => {
    const { portfolio } = await openRig(RULES);
    const gains = portfolio.snapshot.positions.flatMap((position) => {
      const gain = gainOf(position, 'usd', { pool: undefined, ledgerProblem: undefined });
      return gain.isPlausible &&
        position.poolType === 'dlmm' &&
        position.pairName.endsWith('/SOL') &&
        (position.value.usd ?? 0) > 50 &&
        Math.abs(gain.value) > 0.5
        ? [{ position, percent: gain.value }]
        : [];
    });
    const [chosen] = gains.toSorted((a, b) => a.percent - b.percent);
    assert.ok(chosen !== undefined);
    const limit = Math.abs(chosen.percent) / 2;
    const rules = await rulesFor(chosen.position.pool ?? '', {
      leastValueUsd: 50,
      ...(chosen.percent < 0 ? { stopLossPercent: limit } : { takeProfitPercent: limit }),
    });
    const rig = await openRig(rules);
    await checks(rig, rules, 5);
    assert.deepEqual(rig.acts, [], 'seen for four minutes');
    await nextCheck(rig);
    assert.deepEqual(
      rig.acts.filter((act) => act[0] === chosen.position.key),
      [[chosen.position.key, 'close', 'done']],
      rig.told.join('\n'),
    );
    assert.equal(await client().position(chosen.position.key), undefined);
    assert.ok((await rig.records()).every(({ created }) => created.operation === 'zapOut'));
    assert.deepEqual(await client().audit(), []);
  });
  it('A price glitch triggers no stop-loss: SOL at half its price for two minutes closes nothing, and a lasting loss closes as the rules say', async () => {
    const { portfolio } = await openRig(RULES);
    const chosen = await (async () => {
      await portfolio.refresh('manual', ['positions']);
      return portfolio.snapshot.positions.find(
        (position) =>
          position.poolType === 'dlmm' &&
          position.token1.symbol === 'SOL' &&
          position.inRange === true &&
          (position.value.usd ?? 0) > 100 &&
          (position.pnlPercent.usd ?? -100) > -5,
      );
    })();
    assert.ok(chosen !== undefined);
    const rules = await rulesFor(chosen.pool ?? '', { stopLossPercent: 30 });
    const rig = await openRig(rules);
    await checks(rig, rules, 6);
    assert.equal(decisionOn(rig, chosen.key)?.kind, 'fine');
    for (const glitch of [
      { of: 'dollars', factor: 0.5 },
      { of: 'deposits', factor: 2 },
    ]) {
      await client().setFaults({ kind: 'glitch', ...glitch });
      for (let check = 0; check < 3; check += 1) {
        await nextCheck(rig);
        const decision = decisionOn(rig, chosen.key);
        assert.equal(decision?.kind, 'wait');
        assert.match(
          decision.why,
          glitch.of === 'dollars'
            ? /^It is down .+ in US dollars \(stop-loss: 30\s?%\)\. It will be closed once/
            : /deposit of .+; earlier it was/,
        );
      }
      await client().setFaults();
      await nextCheck(rig);
      assert.equal(decisionOn(rig, chosen.key)?.kind, 'fine');
    }
    await client().setFaults({ kind: 'glitch', of: 'dollars', factor: 0.5 });
    for (let check = 0; check < 5; check += 1) {
      await nextCheck(rig);
      assert.deepEqual(rig.acts, []);
    }
    await nextCheck(rig);
    assert.deepEqual(
      rig.acts.filter(([key]) => key === chosen.key),
      [[chosen.key, 'close', 'done']],
      rig.told.join('\n'),
    );
  });

  it('A price glitch that lasts closes nothing without a question where it would close more than two positions', async () => {
    const { portfolio } = await openRig(RULES);
    const down = portfolio.snapshot.positions.filter(({ pnlPercent }) => (pnlPercent.usd ?? -100) < -10).flatMap(({ pool }) => pool ?? []);
    const rules = { ...RULES, stopLossPercent: 50, outOfRangeChecks: 100, poolsLeftAlone: down };
    const rig = await openRig(rules);
    await checks(rig, rules, 6);
    await client().setFaults({ kind: 'glitch', of: 'dollars', factor: 0.4 });
    for (let check = 0; check < 8; check += 1) {
      await nextCheck(rig);
    }
    assert.deepEqual(rig.acts, []);
    const closings = rig.asked.filter(([, action]) => action === 'close');
    assert.ok(closings.length > 2, String(closings.length));
    assert.ok(closings.every(([, , why]) => /Closings at once: \d+ \(limit: 2\)/.test(why)));
    assert.equal((await rig.records()).length, 0);
  });

  it('A re-entry with more than the position was worth when the rules were confirmed is not signed without a question', async () => {
    const left = await client().soldOutPosition();
    const rules = await rulesFor(left.pool);
    const rig = await openRig(rules);
    rig.worths = (confirmed) => confirmed.map((worth) => ({ ...worth, lamports: worth.lamports / 2n }));
    await checks(rig, rules, 2);
    assert.deepEqual(rig.acts, []);
    assert.match(rig.asked[0]?.[2] ?? '', /A re-entry may deposit at most .+ SOL, and it is worth/);
    // Proceeds that turn out greater are not re-entered either, although the listed worth was within the limit.
    const position = rig.portfolio.snapshot.positions.find(({ key }) => key === left.position);
    assert.ok(position !== undefined);
    const due = { position, owner: owner(), action: 'rebalance', why: 'It is due.', mostReentryLamports: 20_000_000n } as const;
    const outcome = await rig.act(due, rules, new AbortController().signal, () => Promise.resolve(true));
    assert.equal(outcome.kind, 'needsUser');
    assert.equal(await client().position(left.position), undefined);
    const zapIns = (await rig.records()).filter(({ created }) => created.operation === 'zapIn');
    assert.ok(zapIns.every(({ events }) => events.every(({ kind }) => kind !== 'signed')));
  });

  it('A loss that the pool on the chain proves is closed after two checks and 90 seconds', async () => {
    const { portfolio } = await openRig(RULES);
    const chosen = portfolio.snapshot.positions.find(
      (position) =>
        position.poolType === 'dlmm' &&
        position.token1.symbol === 'SOL' &&
        position.inRange === true &&
        (position.value.usd ?? 0) > 100 &&
        Math.abs(position.pnlPercent.native ?? 100) < 20,
    );
    assert.ok(chosen?.pool !== undefined);
    const rules = await rulesFor(chosen.pool, { stopLossPercent: 40, outOfRangeChecks: 100 });
    const rig = await openRig(rules);
    await checks(rig, rules, 6);
    await client().control('shock', { pool: chosen.pool, percent: -80 });
    await nextCheck(rig);
    await nextCheck(rig);
    assert.deepEqual(rig.acts, []);
    await nextCheck(rig);
    assert.deepEqual(
      rig.acts.filter((act) => act[0] === chosen.key),
      [[chosen.key, 'close', 'done']],
      `${JSON.stringify(decisionOn(rig, chosen.key))} ${rig.told.join('\n')}`,
    );
  });
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
  terms: { halfWidthBins: 20, strategy: undefined, slippageBps: 300, reserveLamports: 50_000_000n },
  stopLossPercent: undefined,
  takeProfitPercent: undefined,
  pnlIn: 'usd',
  poolsLeftAlone: [],
};
