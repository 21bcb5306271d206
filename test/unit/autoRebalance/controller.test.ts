import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { readdir, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import type { ParseWarning } from '../../../src/service/common';
import type { OpenPosition } from '../../../src/service/positions';
import type { Benefit } from '../../../src/autoRebalance/benefit';
import { type ConsentSecrets, ConsentStore } from '../../../src/autoRebalance/consentStore';
import { worthsOf } from '../../../src/autoRebalance/limits';
import { AUTO_REBALANCE_LOCK, AutoRebalanceController } from '../../../src/autoRebalance/controller';
import type {
  ActionOutcome,
  AutoRebalanceAction,
  AutoRebalanceConsent,
  AutoRebalanceRules,
  AutoRebalanceState,
} from '../../../src/autoRebalance/types';
import { Portfolio } from '../../../src/portfolio/portfolio';
import { OwnPortfolio } from '../../../src/ui/autoRebalance/ownPortfolio';
import { ANSWER_WITHIN_MS, Secrets, unansweredText } from '../../../src/ui/shell/secrets';
import { deferred, fakeService, FakeClock, OTHER_OWNER, OWNER, settledMicrotasks } from '../../support/portfolio/fixtures';
import { newStorage, openWindow, type Storage, type Window } from '../../support/transactions/harness';
import { fail, KeyringSecrets, MemorySecrets } from '../../support/ui/memory';
import type { LedgerMemory } from '../../../src/autoRebalance/scheduler';
import { above, ledgersInMemory, listed, MINUTE_MS, rulesWith } from '../../support/autoRebalance/listed';
import { PATIENCE_MS } from '../../support/patience';

/** One action that the host was asked for. */
interface Act {
  readonly key: string;
  readonly owner: string;
  readonly action: AutoRebalanceAction;
  readonly why: string;
  readonly asks: string | undefined;
  readonly cancelled: AbortSignal;
  readonly mayStillAct: () => Promise<boolean>;
}

/** A window with a controller, and everything around it that can change. */
interface Rig {
  readonly clock: FakeClock;
  readonly storage: Storage;
  readonly window: Window;
  readonly store: ConsentStore;
  readonly secrets: ConsentSecrets;
  readonly portfolio: Portfolio;
  readonly controller: AutoRebalanceController;
  readonly acts: Act[];
  readonly told: string[];
  readonly logged: string[];
  readonly states: AutoRebalanceState['kind'][];
  positions: readonly OpenPosition[];
  warnings: readonly ParseWarning[];
  failure: Error | undefined;
  service: string | undefined;
  benefit: Benefit | undefined;
  rules: AutoRebalanceRules;
  reads: number;
  /** What becomes of an action. */
  outcome: (act: Act) => Promise<ActionOutcome>;
}

const rigs: Rig[] = [];

async function openRig({
  clock = new FakeClock(),
  storage,
  secrets = new MemorySecrets(),
  memory = ledgersInMemory(),
  rules = rulesWith(),
  hasOwn = false,
}: {
  readonly clock?: FakeClock;
  readonly storage?: Storage;
  readonly secrets?: ConsentSecrets;
  readonly memory?: LedgerMemory;
  readonly rules?: AutoRebalanceRules;
  /** It has a portfolio of its own while another wallet is shown, as in the editor. */
  readonly hasOwn?: boolean;
} = {}): Promise<Rig> {
  const place = storage ?? (await newStorage());
  const window = openWindow(place, () => clock.now());
  const store = new ConsentStore({ folder: join(place.folder, 'automation'), secrets, log: () => undefined });
  const service = fakeService({
    openPositions: () => {
      rig.reads += 1;
      return rig.failure === undefined ? Promise.resolve({ items: rig.positions, warnings: rig.warnings }) : Promise.reject(rig.failure);
    },
  });
  const portfolio = new Portfolio({ service: () => Promise.resolve(service), log: () => undefined, clock });
  const own = new OwnPortfolio(portfolio, () => new Portfolio({ service: () => Promise.resolve(service), log: () => undefined, clock }));
  const controller = new AutoRebalanceController({
    store,
    portfolio,
    ...(hasOwn ? { portfolioOf: (owner) => own.of(owner) } : {}),
    clock,
    memory,
    rpc: () => Promise.resolve(undefined),
    benefitOf: () => Promise.resolve(rig.benefit),
    records: { journal: () => Promise.resolve(window.journal), locks: () => Promise.resolve(window.locks) },
    whyNotHere: () => undefined,
    log: (_, message) => rig.logged.push(message),
    onError: fail,
    serviceId: () => rig.service,
    rules: () => rig.rules,
    host: {
      act: async ({ position: { key }, owner, action, why, asks }, _, cancelled, mayStillAct) => {
        const act = { key, owner, action, why, asks, cancelled, mayStillAct };
        rig.acts.push(act);
        return rig.outcome(act);
      },
      notify: (message) => rig.told.push(message),
    },
  });
  const rig: Rig = {
    clock,
    storage: place,
    window,
    store,
    secrets,
    portfolio,
    controller,
    acts: [],
    told: [],
    logged: [],
    states: [],
    rules,
    positions: [old(above())],
    warnings: [],
    failure: undefined,
    service: 'service',
    benefit: undefined,
    reads: 0,
    outcome: async ({ key }) => {
      rig.positions = rig.positions.filter((position) => position.key !== key);
      return { kind: 'done' };
    },
  };
  controller.onDidChange(() => rig.states.push(controller.state.kind));
  portfolio.setOwner(OWNER);
  rigs.push(rig);
  return rig;
}

/** As old as it takes, by any clock of these tests. */
function old(position: OpenPosition): OpenPosition {
  return { ...position, createdAt: undefined, ageHours: 5 };
}

function consentOf(
  { rules, clock, positions }: Pick<Rig, 'rules' | 'clock' | 'positions'>,
  part: Partial<AutoRebalanceConsent> = {},
): AutoRebalanceConsent {
  return { service: 'service', owner: OWNER, rules, sinceMs: clock.now(), worths: worthsOf(positions, rules), ...part };
}

/** Opens the window, and turns auto-rebalance on in it. */
async function turnOn(rig: Rig): Promise<void> {
  await rig.controller.begin();
  await rig.controller.turnOn(consentOf(rig));
}

/** Waits for what disks take, by which the clock of the tests does not go. */
async function until(isSo: () => boolean, what = 'it does not come about'): Promise<void> {
  for (const startMs = performance.now(); !isSo();) {
    assert.ok(performance.now() - startMs < PATIENCE_MS, what);
    await later(2);
  }
}

const lastCheck = ({ controller: { state } }: Rig) => (state.kind === 'on' ? state.lastCheckMs : undefined);
const isIdle = ({ controller: { state } }: Rig) => state.kind !== 'on' || state.acting.length === 0;

/** Waits until a check at this time is over, and everything that it led to. */
async function checked(rig: Rig): Promise<void> {
  await until(() => lastCheck(rig) === rig.clock.now() && isIdle(rig), `${JSON.stringify(rig.controller.state.kind)}: no check`);
  await rested(rig);
}

/** Waits until the scheduler sleeps: there is a timer, and nothing comes any more. */
async function rested(rig: Rig): Promise<void> {
  await until(() => rig.clock.timers > 0);
  await settledMicrotasks();
}

/** Lets a check interval pass, and the check at its end. */
async function nextCheck(rig: Rig, ms = rig.rules.checkEveryMs): Promise<void> {
  await rig.clock.advance(ms);
  await checked(rig);
}

async function started(options: Parameters<typeof openRig>[0] = {}): Promise<Rig> {
  const rig = await openRig(options);
  await turnOn(rig);
  await checked(rig);
  return rig;
}

describe('The controller of auto-rebalance', function () {
  afterEach(async () => {
    for (const { controller, portfolio } of rigs.splice(0)) {
      controller.dispose();
      portfolio.dispose();
    }
    // What was under way gives its lock back.
    await later(10);
  });

  describe('while a keyring asks for its password', () => {
    async function startedWithKeyring() {
      const keyring = new KeyringSecrets();
      const clock = new FakeClock();
      const storage = await newStorage();
      const secrets = new Secrets(keyring, clock, fail).brief();
      const rig = await started({ clock, storage, secrets });
      return { rig, keyring, clock, storage, secrets };
    }

    it('Auto-rebalance does nothing, says that it waits and when it checked last, and goes on with the answer', async () => {
      const { rig, keyring, clock } = await startedWithKeyring();
      const checkedMs = clock.now();
      await nextCheck(rig);
      keyring.ask();
      const { calls } = keyring;
      await clock.advance(rig.rules.checkEveryMs);
      await until(() => keyring.calls > calls);
      await clock.advance(ANSWER_WITHIN_MS);
      await until(() => rig.controller.state.kind === 'paused', 'it still says that it is on');
      const { state } = rig.controller;
      assert.ok(state.kind === 'paused');
      assert.deepEqual([state.cause, state.lastCheckMs], ['secretStorage', checkedMs + rig.rules.checkEveryMs]);
      assert.equal(state.why, unansweredText());
      assert.deepEqual([rig.acts, rig.told], [[], []]);
      keyring.unlock();
      rig.controller.lookAgain();
      await until(() => rig.controller.state.kind === 'on');
    });

    it('Auto-rebalance that was left on is not taken for off or on by a window that opens', async () => {
      const { rig, keyring, clock, storage, secrets } = await startedWithKeyring();
      rig.controller.dispose();
      keyring.ask();
      const next = await openRig({ clock, storage, secrets });
      const { calls } = keyring;
      const beginning = next.controller.begin();
      await until(() => keyring.calls > calls);
      await clock.advance(ANSWER_WITHIN_MS);
      await beginning;
      assert.equal(next.controller.state.kind, 'paused');
      keyring.unlock();
      next.controller.lookAgain();
      await until(() => next.told.some((message) => message.startsWith('Auto-rebalance was left on and continues.')));
    });

    it('Stopping does not wait for the keyring, and what it answers later turns nothing on again', async () => {
      const { rig, keyring, clock } = await startedWithKeyring();
      keyring.ask();
      rig.controller.lookAgain();
      await rig.controller.turnOff();
      assert.equal(rig.controller.state.kind, 'off');
      keyring.unlock();
      await clock.advance(60 * MINUTE_MS);
      await later(20);
      assert.deepEqual([rig.controller.state.kind, rig.acts], ['off', []]);
    });

    it('A refusal of the secret storage is the reason that the user reads', async () => {
      const { rig, keyring } = await startedWithKeyring();
      keyring.refuse();
      rig.controller.lookAgain();
      await until(() => rig.controller.state.kind === 'paused');
      const { state } = rig.controller;
      assert.match(state.kind === 'paused' ? state.why : '', /secret storage could not be read/);
    });
  });

  it('Nothing is read or done while auto-rebalance is off', async () => {
    const rig = await openRig();
    await rig.controller.begin();
    await later(50);
    await rig.clock.advance(60 * MINUTE_MS);
    assert.deepEqual([rig.controller.state.kind, rig.reads, rig.acts], ['off', 0, []]);
  });

  it('A position out of range in three checks is rebalanced, and each check reads the positions itself', async () => {
    const rig = await started();
    assert.deepEqual([rig.reads, rig.acts.length], [1, 0]);
    await nextCheck(rig);
    assert.equal(rig.acts.length, 0);
    await nextCheck(rig);
    assert.equal(rig.acts.length, 1);
    assert.deepEqual(
      rig.acts.map(({ action, why }) => [action, /3 checks/.test(why)]),
      [['rebalance', true]],
    );
    assert.deepEqual(rig.told, []);
    await nextCheck(rig);
    assert.equal(rig.acts.length, 1);
  });

  it('A rebalance that is not expected to cover its costs waits, and the dry run says why; it is made once it is worth it', async () => {
    const rig = await openRig();
    rig.benefit = { known: true, benefitUsd: 0.4, costUsd: 0.9, horizonMs: 60 * MINUTE_MS, isWorthIt: false };
    await turnOn(rig);
    await checked(rig);
    for (let check = 0; check < 4; check += 1) {
      await nextCheck(rig);
    }
    assert.deepEqual(rig.acts, []);
    const { state } = rig.controller;
    const [row] = state.kind === 'on' ? state.planned : [];
    assert.match(`${row?.decision.kind}: ${row?.decision.why}`, /^wait: .* expected to bring \$0\.40 .* cost \$0\.90/);
    rig.benefit = { ...rig.benefit, isWorthIt: true };
    await nextCheck(rig);
    assert.deepEqual(
      rig.acts.map(({ action }) => action),
      ['rebalance'],
    );
  });

  it('Auto-rebalance continues after a restart, and counts checks from zero', async () => {
    const first = await started();
    await nextCheck(first);
    first.controller.dispose();
    await until(() => first.controller.state.kind === 'on');
    const again = await openRig({ clock: first.clock, storage: first.storage, secrets: first.secrets });
    await again.controller.begin();
    // The lock of the first is given back when its run has ended.
    await until(() => again.controller.state.kind === 'on');
    await again.clock.advance(15_000);
    await until(() => lastCheck(again) !== undefined);
    assert.equal(again.acts.length, 0);
  });

  it('A restart does not forget what was deposited: a wrong deposit afterwards triggers no stop-loss', async () => {
    const rules = rulesWith({ stopLossPercent: 20 });
    const memory = ledgersInMemory();
    const first = await openRig({ rules, memory });
    first.positions = [old(listed())];
    await turnOn(first);
    await checked(first);
    for (let check = 0; check < 6; check += 1) {
      await nextCheck(first);
    }
    first.controller.dispose();
    const again = await openRig({ clock: first.clock, storage: first.storage, secrets: first.secrets, rules, memory });
    again.positions = [old(listed({ inputUsd: 200 }))];
    await again.controller.begin();
    await until(() => again.controller.state.kind === 'on');
    await again.clock.advance(15_000);
    await until(() => lastCheck(again) !== undefined);
    for (let check = 0; check < 12; check += 1) {
      await rested(again);
      await nextCheck(again);
    }
    assert.deepEqual(again.acts, []);
    assert.match(again.told.join(), /needs you for .+ lists a deposit of \$200\.00; earlier it was \$100\.00\./);
  });

  it('Actions run one at a time, stop-losses first, and positions are read again before the next one', async () => {
    const rules = rulesWith({ stopLossPercent: 20, outOfRangeChecks: 6 });
    const rig = await openRig({ rules });
    rig.positions = [old(above({ number: 1 })), old(above({ number: 2 })), old(listed({ number: 3, valueUsd: 60 }))];
    const [first, second, third] = rig.positions.map(({ key }) => key);
    let underWay = 0;
    rig.outcome = async ({ key }) => {
      underWay += 1;
      assert.equal(underWay, 1);
      await later(5);
      underWay -= 1;
      rig.positions = rig.positions.filter((position) => position.key !== key);
      // While the loss was cut, the price of another one came back.
      rig.positions = rig.positions.map((position) => (position.key === second ? old(listed({ number: 2 })) : position));
      return { kind: 'done' };
    };
    await turnOn(rig);
    await checked(rig);
    for (let check = 0; check < 5; check += 1) {
      await nextCheck(rig);
    }
    await until(() => rig.acts.length === 2);
    assert.deepEqual(
      rig.acts.map(({ key, action }) => [key, action]),
      [
        [third, 'close'],
        [first, 'rebalance'],
      ],
    );
  });

  it('A failure does not stop the other positions; it backs off and is reported once', async () => {
    const rig = await openRig();
    rig.positions = [old(above({ number: 1 })), old(above({ number: 2 }))];
    const [bad] = rig.positions.map(({ key }) => key);
    rig.outcome = async ({ key }) => {
      if (key === bad) {
        throw new Error('The disk is full');
      }
      rig.positions = rig.positions.filter((position) => position.key !== key);
      return { kind: 'done' };
    };
    await turnOn(rig);
    await checked(rig);
    for (let check = 0; check < 40; check += 1) {
      await nextCheck(rig);
    }
    const ofBad = rig.acts.filter(({ key }) => key === bad).length;
    assert.equal(rig.acts.length - ofBad, 1, 'the other one was re-centered once');
    assert.ok(ofBad >= 4 && ofBad <= 7, `${ofBad} tries in 40 minutes`);
    assert.equal(rig.told.filter((words) => words.includes('The disk is full')).length, 1);
  });

  it('An action that needs the user is not retried until the user is back', async () => {
    const rig = await openRig();
    rig.outcome = () => Promise.resolve({ kind: 'needsUser', words: 'The key is locked.' });
    await turnOn(rig);
    await checked(rig);
    for (let check = 0; check < 6; check += 1) {
      await nextCheck(rig);
    }
    assert.equal(rig.acts.length, 1);
    assert.ok(rig.controller.state.kind === 'on' && rig.controller.state.planned[0]?.decision.kind === 'user');
    assert.deepEqual(rig.told, [], 'they were told by the host');
    rig.outcome = () => Promise.resolve({ kind: 'done' });
    rig.controller.tryAgain();
    await until(() => rig.acts.length === 2);
  });

  it('Turning auto-rebalance off stops it at once, also while an action is in progress', async () => {
    const rig = await openRig();
    rig.positions = [old(above({ number: 1 })), old(above({ number: 2 }))];
    const going = deferred<undefined>();
    rig.outcome = async ({ cancelled }) => {
      cancelled.addEventListener('abort', () => going.resolve(undefined));
      await going.promise;
      return { kind: 'notNow' };
    };
    await turnOn(rig);
    await checked(rig);
    await nextCheck(rig);
    await rig.clock.advance(MINUTE_MS);
    await until(() => rig.acts.length === 1);
    // Another window does it.
    const other = new ConsentStore({ folder: join(rig.storage.folder, 'automation'), secrets: rig.secrets, log: () => undefined });
    await other.turnOff();
    other.dispose();
    assert.equal(await rig.acts[0]?.mayStillAct(), false, 'right before a signature, in whatever order they hear of it');
    await until(() => rig.controller.state.kind === 'off');
    await going.promise;
    await rig.clock.advance(10 * MINUTE_MS);
    assert.equal(rig.acts.length, 1);
    assert.deepEqual(rig.told, []);
    const lock = await rig.window.locks.tryAcquire(AUTO_REBALANCE_LOCK);
    assert.ok(lock !== undefined, 'the lock was given back');
  });

  it('What still ends after auto-rebalance was turned off does not show it as on again', async () => {
    const rig = await openRig();
    const ending = deferred<ActionOutcome>();
    rig.outcome = () => ending.promise;
    await turnOn(rig);
    await checked(rig);
    await nextCheck(rig);
    await rig.clock.advance(MINUTE_MS);
    await until(() => rig.acts.length === 1);
    await rig.controller.turnOff();
    rig.states.length = 0;
    ending.resolve({ kind: 'done' });
    await until(() => rig.logged.includes('Automation: this window is no longer active'));
    assert.deepEqual([rig.states, rig.controller.state.kind], [[], 'off']);
  });

  it('A window that could not save that auto-rebalance is off does nothing more, says so, and leaves it to other windows until it is turned on', async () => {
    const rig = await started();
    const other = await openRig({ clock: rig.clock, storage: rig.storage, secrets: rig.secrets });
    await other.controller.begin();
    await until(() => other.controller.state.kind === 'on');
    rig.store.turnOff = () => Promise.reject(new Error('EROFS: read-only file system'));
    await assert.rejects(rig.controller.turnOff(), /EROFS/);
    const { state } = rig.controller;
    assert.ok(state.kind === 'paused');
    assert.equal(state.why, 'It is stopped in this window, but others may continue: stop it again, or close them.');
    assert.deepEqual(rig.told, [], 'the command says what failed');
    await other.clock.advance(15_000);
    await until(() => other.controller.state.kind === 'on' && other.controller.state.role === 'active' && lastCheck(other) !== undefined);
    other.controller.dispose();
    await until(() => rig.controller.state.kind === 'paused');
    await rig.clock.advance(10 * MINUTE_MS);
    await settledMicrotasks();
    assert.deepEqual([rig.controller.state.kind, rig.acts.length], ['paused', 0]);
    await rig.controller.turnOn(consentOf(rig));
    await until(() => rig.controller.state.kind === 'on' && rig.controller.state.role === 'active');
  });

  for (const shown of [OTHER_OWNER, undefined]) {
    it(`It goes on for its wallet while ${shown === undefined ? 'no' : 'another'} wallet is shown, and never acts for that one`, async () => {
      const rig = await started({ hasOwn: true });
      const { reads } = rig;
      rig.portfolio.setOwner(shown);
      await until(() => rig.reads > reads, 'no check');
      await checked(rig);
      assert.ok(!rig.states.includes('paused'), rig.states.join(', '));
      for (let checks = 0; rig.acts.length === 0; checks += 1) {
        assert.ok(checks < 30, 'it acts in the end');
        await nextCheck(rig);
      }
      const [act] = rig.acts;
      assert.equal(act?.owner, OWNER);
      assert.equal(rig.portfolio.snapshot.owner, shown, 'the views are left alone');
      assert.deepEqual(rig.told, []);
      rig.portfolio.setOwner(OWNER);
      await settledMicrotasks();
      assert.equal(rig.controller.state.kind, 'on');
      assert.ok(!rig.states.includes('paused'), rig.states.join(', '));
    });
  }

  it('What is in progress for the shown wallet is stopped before another wallet is shown, and may sign nothing more', async () => {
    const rig = await openRig({ hasOwn: true });
    let mayAct: Promise<boolean> | undefined;
    rig.outcome = async ({ cancelled, mayStillAct }) => {
      rig.portfolio.setOwner(OTHER_OWNER);
      mayAct = mayStillAct();
      assert.ok(cancelled.aborted);
      await mayAct;
      return { kind: 'notNow' };
    };
    await turnOn(rig);
    await checked(rig);
    for (let checks = 0; rig.acts.length === 0; checks += 1) {
      assert.ok(checks < 30, 'it acts in the end');
      await rig.clock.advance(rig.rules.checkEveryMs);
      await until(() => rig.acts.length > 0 || (lastCheck(rig) === rig.clock.now() && isIdle(rig)));
    }
    assert.equal(await mayAct, false);
  });

  const obstacles: readonly (readonly [name: string, words: RegExp, put: (rig: Rig) => void, back: (rig: Rig) => void])[] = [
    ['another wallet', /another wallet/, (rig) => rig.portfolio.setOwner(OTHER_OWNER), (rig) => rig.portfolio.setOwner(OWNER)],
    [
      'another service',
      /another wallet or service/,
      (rig) => {
        rig.service = 'other';
        rig.controller.lookAgain();
      },
      (rig) => {
        rig.service = 'service';
        rig.controller.lookAgain();
      },
    ],
    [
      'other rules in the settings',
      /The rules, review settings or RPC differ from those that you confirmed/,
      (rig) => {
        rig.rules = rulesWith({ mostPerDay: 9 });
        rig.controller.lookAgain();
      },
      (rig) => {
        rig.rules = rulesWith();
        rig.controller.lookAgain();
      },
    ],
  ];
  for (const [name, words, put, back] of obstacles) {
    it(`Auto-rebalance pauses because of ${name}, reports that once, signs nothing, and continues when that is undone`, async () => {
      const rig = await openRig();
      const going = deferred<undefined>();
      rig.outcome = async ({ cancelled }) => {
        cancelled.addEventListener('abort', () => going.resolve(undefined));
        await going.promise;
        return { kind: 'failed', words: 'It was cancelled.' };
      };
      await turnOn(rig);
      await checked(rig);
      await nextCheck(rig);
      await rig.clock.advance(MINUTE_MS);
      await until(() => rig.acts.length === 1);
      put(rig);
      assert.deepEqual(
        rig.acts.map(({ cancelled }) => cancelled.aborted),
        [true],
        'at once',
      );
      assert.deepEqual(await Promise.all(rig.acts.map(({ mayStillAct }) => mayStillAct())), [false]);
      await until(() => rig.controller.state.kind === 'paused');
      await rig.clock.advance(5 * MINUTE_MS);
      await later(20);
      assert.equal(rig.acts.length, 1);
      assert.equal(rig.told.filter((told) => words.test(told)).length, 1);
      assert.equal(rig.told.filter((told) => /was stopped while it worked on BONK\/SOL\. It was cancelled\./.test(told)).length, 1);
      assert.equal(rig.told.length, 2);
      back(rig);
      await until(() => rig.controller.state.kind === 'on');
      // What was stopped comes to its end first.
      await until(() => lastCheck(rig) !== undefined);
    });
  }

  it('Auto-rebalance continues under new rules once the user confirms them', async () => {
    const rig = await started();
    rig.rules = rulesWith({ outOfRangeChecks: 2 });
    rig.controller.lookAgain();
    await until(() => rig.controller.state.kind === 'paused');
    await rig.clock.advance(1_000);
    await rig.store.turnOn(consentOf(rig));
    await until(() => rig.controller.state.kind === 'on' && lastCheck(rig) !== undefined);
    assert.deepEqual(rig.controller.state.kind === 'on' && rig.controller.state.consent.rules, rig.rules);
  });

  it('One window is active; another one stands by and takes over', async () => {
    const first = await started();
    const second = await openRig({ clock: first.clock, storage: first.storage, secrets: first.secrets });
    await second.controller.begin();
    await until(() => second.controller.state.kind === 'on');
    assert.equal(second.controller.state.kind === 'on' && second.controller.state.role, 'standby');
    assert.equal(second.reads, 0);
    first.controller.dispose();
    await later(50);
    await second.clock.advance(15_000);
    await until(
      () => second.controller.state.kind === 'on' && second.controller.state.role === 'active' && lastCheck(second) !== undefined,
    );
    await nextCheck(second);
    await nextCheck(second);
    assert.deepEqual([first.acts.length, second.acts.length], [0, 1]);
  });

  it('A lost lock ends the run, and nothing more is signed', async () => {
    const rig = await openRig();
    const going = deferred<undefined>();
    rig.outcome = async ({ cancelled }) => {
      cancelled.addEventListener('abort', () => going.resolve(undefined));
      await going.promise;
      return { kind: 'notNow' };
    };
    await turnOn(rig);
    await checked(rig);
    await nextCheck(rig);
    await rig.clock.advance(MINUTE_MS);
    await until(() => rig.acts.length === 1);
    await rig.window.locks.dispose();
    assert.equal(await rig.acts[0]?.mayStillAct(), false);
    rig.controller.dispose();
    await going.promise;
  });

  it('A window whose lock another one removed cancels its action, and starts again only once it has the lock again', async () => {
    const rig = await openRig();
    const going = deferred<undefined>();
    rig.outcome = async ({ cancelled }) => {
      cancelled.addEventListener('abort', () => going.resolve(undefined));
      await going.promise;
      return { kind: 'notNow' };
    };
    await turnOn(rig);
    await checked(rig);
    await nextCheck(rig);
    await rig.clock.advance(MINUTE_MS);
    await until(() => rig.acts.length === 1);
    const folder = join(rig.storage.folder, 'locks');
    for (const claim of await readdir(folder)) {
      await rm(join(folder, claim), { recursive: true });
    }
    // The heartbeat notices it.
    await going.promise;
    assert.equal(rig.acts[0]?.cancelled.aborted, true);
    await until(() => readdirSync(folder).length > 0, 'it does not get the lock again');
    await until(() => rig.controller.state.kind === 'on' && rig.controller.state.role === 'active' && isIdle(rig));
  });

  it('A clock that is set back during a check does not delay the next check', async () => {
    const rig = await started();
    rig.outcome = async () => {
      await rig.clock.advance(-600 * MINUTE_MS);
      return { kind: 'notNow' };
    };
    await nextCheck(rig);
    await rig.clock.advance(rig.rules.checkEveryMs);
    await until(() => rig.acts.length === 1 && isIdle(rig));
    await rested(rig);
    const { reads } = rig;
    await rig.clock.advance(rig.rules.checkEveryMs);
    await until(() => rig.reads > reads, 'no check');
  });

  it('Failed checks back off, are reported once, do not count, and end when the service is back', async () => {
    const rig = await started();
    rig.failure = new Error('connect ECONNREFUSED');
    const readsBefore = rig.reads;
    for (let minute = 0; minute < 120; minute += 1) {
      const before = rig.reads;
      await rig.clock.advance(MINUTE_MS);
      // A read that was begun comes to its end before the clock goes on.
      await later(rig.reads === before ? 1 : 20);
    }
    const tries = rig.reads - readsBefore;
    assert.ok(tries >= 5 && tries <= 8, `${tries} tries in two hours`);
    assert.equal(rig.told.length, 1);
    assert.match(rig.told[0] ?? '', /3 checks in a row failed.*ECONNREFUSED/);
    rig.failure = undefined;
    // Somebody else's read shows that the service is back.
    await rig.portfolio.refresh('manual', ['positions']);
    await until(() => lastCheck(rig) === rig.clock.now());
    assert.equal(rig.acts.length, 0, 'the row of checks was broken');
    await nextCheck(rig);
    await nextCheck(rig);
    assert.equal(rig.acts.length, 1);
  });

  it('Rebalances that are missing from the journal stop all actions', async () => {
    const rig = await openRig({ rules: rulesWith({ mostPerDay: 1 }) });
    rig.positions = [0, 1].map((number) => old(above({ number })));
    rig.outcome = async ({ key }) => {
      const position = rig.positions.find((one) => one.key === key);
      assert.ok(position?.address !== undefined && position.pool !== undefined);
      const plan = {
        kind: 'rebalance',
        position: position.address,
        fromBinId: -386,
        toBinId: -376,
        halfWidthBins: 34,
        strategy: 'Spot',
        slippageBps: 100,
        reserveLamports: 0n,
      } as const;
      const entry = await rig.window.journal.begin({
        operation: 'rebalance',
        service: 'service',
        owner: OWNER,
        pool: position.pool,
        poolType: 'dlmm',
        pairName: 'BONK/SOL',
        plan,
        parent: undefined,
      });
      await entry.append({ kind: 'settled', lamportsBack: 1n, shortfall: undefined });
      rig.positions = rig.positions.filter((one) => one.key !== key);
      return { kind: 'done' };
    };
    await turnOn(rig);
    await checked(rig);
    await nextCheck(rig);
    await nextCheck(rig);
    assert.equal(rig.acts.length, 1, 'one a day');
    const folder = join(rig.storage.folder, 'journal');
    await Promise.all((await readdir(folder)).map((name) => unlink(join(folder, name))));
    for (let check = 0; rig.told.length === 0; check += 1) {
      assert.ok(check < 10, 'it counts again');
      await rig.clock.advance(4 * MINUTE_MS);
      await later(20);
    }
    assert.match(rig.told[0] ?? '', /missing from the journal, so daily limits cannot be enforced/);
    assert.equal(rig.acts.length, 1);
  });

  it('An incomplete list does not count as a check', async () => {
    const rig = await started();
    rig.warnings = [{ path: 'data[1]', message: 'left out' }];
    for (let check = 0; rig.told.length === 0; check += 1) {
      assert.ok(check < 10);
      await rig.clock.advance(4 * MINUTE_MS);
      await later(20);
    }
    assert.equal(rig.acts.length, 0);
    assert.match(rig.told[0] ?? '', /Part of the service's answer cannot be read/);
  });

  it('Unreadable fields of other records do not matter', async () => {
    const rig = await started();
    rig.warnings = [{ path: 'data[1].dpr', message: 'is no number' }];
    await nextCheck(rig);
    await nextCheck(rig);
    assert.equal(rig.acts.length, 1);
  });

  it('A position that needs the user is reported once', async () => {
    const rig = await openRig({ rules: rulesWith({ stopLossPercent: 20 }) });
    rig.positions = [old(listed({ valueUsd: 20 }))];
    await turnOn(rig);
    await checked(rig);
    for (let check = 0; check < 6; check += 1) {
      await nextCheck(rig);
    }
    assert.deepEqual([rig.acts.length, rig.told.length], [0, 1]);
    assert.match(rig.told[0] ?? '', /needs you for BONK\/SOL.*stop-loss/);
  });

  it('A dry run decides without acting, also while auto-rebalance is off', async () => {
    const rig = await openRig();
    rig.positions = [old(above({ number: 1 })), old(listed({ number: 2 }))];
    const off = await rig.controller.plan();
    assert.deepEqual(
      off.planned.map(({ decision }) => decision.kind),
      ['wait', 'fine'],
    );
    assert.deepEqual(off.rules, rig.rules);
    await turnOn(rig);
    await checked(rig);
    for (let look = 0; look < 5; look += 1) {
      await rig.controller.plan();
    }
    assert.match((await rig.controller.plan()).planned[0]?.decision.why ?? '', /1 of 3 checks/);
    assert.equal(rig.acts.length, 0);
    rig.failure = new Error('No answer');
    await assert.rejects(rig.controller.plan(), /Could not load the positions. No answer/);
    rig.portfolio.setOwner(undefined);
    await assert.rejects(rig.controller.plan(), /No wallet is selected/);
  });
});
