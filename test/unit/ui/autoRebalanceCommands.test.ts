import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConsentFile, ConsentStore } from '../../../src/autoRebalance/consentStore';
import { AutoRebalanceCommands } from '../../../src/ui/autoRebalance/autoRebalanceCommands';
import type { AutoRebalanceStatusBarModel } from '../../../src/ui/autoRebalance/status';
import type { KnownOwner } from '../../../src/ui/wallets/ownerIndex';
import { UserError } from '../../../src/ui/shell/errors';
import type { SecretStore } from '../../../src/ui/shell/editorAccess';
import { SANDBOX } from '../../../src/ui/shell/serviceChoice';
import { isRule, RULE_IDS } from '../../../src/settings/settingTypes';
import { ruleName } from '../../../src/ui/shell/settings/ruleWords';
import { RuleStore } from '../../../src/ui/shell/settings/ruleStore';
import type { Settings } from '../../../src/ui/shell/settings/settings';
import { windowProblems } from '../../../src/ui/shell/windowProblem';
import { openJournal } from '../../../src/transactions/journal/journal';
import { openLocks } from '../../../src/transactions/locks/locks';
import { Portfolio } from '../../../src/portfolio/portfolio';
import { createRpc } from '../../../src/rpc/rpc';
import { parseRpcUrl } from '../../../src/base/solana/rpcUrl';
import type { SolanaRpc } from '../../../src/rpc/types';
import { SigningError } from '../../../src/wallet/errors';
import { ScriptedPrompts, type ScriptedAnswer } from '../../support/editor/scriptedPrompts';
import { addressOf, FakeClock, fakeService, OWNER } from '../../support/portfolio/fixtures';
import { CONSENT } from '../../support/ui/autoRebalanceFixtures';
import { fail, MemorySecrets, MemoryState, NO_PROBLEMS } from '../../support/ui/memory';
import { settingsFor } from '../../support/ui/ruleSettings';
import { PATIENCE_MS } from '../../support/patience';

/** It is not asked anything here. */
const RPC = createRpc({ url: parseRpcUrl('http://127.0.0.1:9') });

/** One window of a user, with the real consent, journal and locks. */
class Window {
  readonly prompts: ScriptedPrompts;
  readonly clock = new FakeClock();
  readonly executed: unknown[] = [];
  readonly documents: string[] = [];
  readonly commands: AutoRebalanceCommands;
  shown: AutoRebalanceStatusBarModel | undefined;
  isOn = false;
  isTrusted = true;
  isLocked = false;
  changed: Record<string, unknown> = {};
  readonly rules = new RuleStore(new MemoryState(), fail);
  readonly installation = {
    isReplaced: false,
    onDidChange: (listener: () => void) => {
      this.#replaced = listener;
      return { dispose: () => undefined };
    },
  };
  #replaced: () => void = () => undefined;
  owner: KnownOwner = { address: OWNER, canSign: true, origin: 'sandbox', hasPassphrase: false };
  readonly #listeners = new Map<'trust' | 'settings', () => void>();
  readonly #journal;
  readonly #locks;
  readonly #portfolio;

  /** Of the sandbox, as it is there always. */
  rpc: SolanaRpc | undefined = RPC;

  constructor(folder: string, secrets: SecretStore, answers: readonly ScriptedAnswer[] = []) {
    const log = () => undefined;
    this.prompts = new ScriptedPrompts(answers);
    this.#journal = openJournal({ folder: join(folder, 'journal'), nowMs: () => this.clock.now(), log });
    this.#locks = openLocks({ folder: join(folder, 'locks'), log });
    this.#portfolio = new Portfolio({
      service: () => Promise.resolve(fakeService({ openPositions: () => Promise.resolve({ items: [], warnings: [] }) })),
      log,
      clock: this.clock,
    });
    this.#portfolio.setOwner(OWNER);
    const listen = (name: 'trust' | 'settings') => (listener: () => void) => {
      this.#listeners.set(name, listener);
      return { dispose: () => this.#listeners.delete(name) };
    };
    const settings: Pick<Settings, 'raw' | 'get' | 'onDidChange' | 'rules'> = {
      rules: this.rules,
      raw: (id) => (isRule(id) && !(id in this.changed) ? this.rules.get(id) : settingsFor(this.changed)(id)),
      get: () => 15 as never,
      onDidChange: (_, listener) => listen('settings')(listener),
    };
    this.commands = new AutoRebalanceCommands({
      prompts: this.prompts,
      settings,
      portfolio: this.#portfolio,
      clock: this.clock,
      log,
      onError: fail,
      problems: windowProblems(
        { isAnswering: true, onDidChangeAnswering: (listener) => NO_PROBLEMS.onDidChange(listener) },
        this.installation,
      ),
      isInBrowser: false,
      platform: 'linux',
      reviewRpc: () => '',
      announce: () => undefined,
      actions: { showDocument: (_, text) => Promise.resolve(void this.documents.push(text)) },
      connection: { choice: SANDBOX, onDidChange: () => ({ dispose: () => undefined }) },
      owners: {
        active: () => this.owner,
        known: () => [this.owner],
        lockOf: () => (this.isLocked ? { kind: 'locked' } : { kind: 'none' }),
        signer: () =>
          this.isLocked
            ? Promise.reject(new SigningError('locked', 'It was not entered.'))
            : Promise.resolve({ owner: OWNER, sign: () => fail(new Error('Nothing is signed')) }),
        onDidChange: () => ({ dispose: () => undefined }),
      },
      records: { journal: () => Promise.resolve(this.#journal), locks: () => Promise.resolve(this.#locks) },
      store: new ConsentStore({ folder: join(folder, 'automation'), secrets, log }),
      state: new MemoryState(),
      rpc: () => Promise.resolve(this.rpc),
      runs: () => fail(new Error('Nothing is run')),
      isTrusted: () => this.isTrusted,
      onDidGrantTrust: listen('trust'),
      execute: (...given) => Promise.resolve(void this.executed.push(given)),
      setOn: (isOn) => (this.isOn = isOn),
      statusBarItem: { show: (model) => (this.shown = model), dispose: () => undefined },
    });
  }

  replaceFiles(): void {
    this.installation.isReplaced = true;
    this.#replaced();
  }

  tell(what: 'trust' | 'settings'): void {
    this.#listeners.get(what)?.();
  }

  setOwner(owner: KnownOwner['address'] | undefined): void {
    this.#portfolio.setOwner(owner);
  }

  /** Waits until the status bar item says this. */
  async untilShown(pattern: RegExp): Promise<void> {
    const end = Date.now() + PATIENCE_MS;
    while (!pattern.test(this.shown?.text ?? 'nothing')) {
      assert.ok(Date.now() < end, `The status bar says ${this.shown?.text ?? 'nothing'}, not ${String(pattern)}`);
      await new Promise((resolve) => {
        setTimeout(resolve, 10);
      });
    }
  }

  async close(): Promise<void> {
    this.commands.dispose();
    this.#portfolio.dispose();
    this.#journal.dispose();
    await this.#locks.dispose();
  }
}

describe('Auto-rebalance in a window', () => {
  let folder: string;
  let elsewhere: ConsentStore;
  let secrets: SecretStore;
  const windows: Window[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'automation-'));
    secrets = new MemorySecrets();
    elsewhere = new ConsentStore({ folder: join(folder, 'automation'), secrets, log: () => undefined });
  });
  afterEach(async () => {
    for (const window of windows.splice(0)) {
      await window.close();
    }
    elsewhere.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  async function open(prepare: (window: Window) => void = () => undefined, answers: readonly ScriptedAnswer[] = []): Promise<Window> {
    const window = new Window(folder, secrets, answers);
    windows.push(window);
    prepare(window);
    await window.commands.begin();
    return window;
  }
  const told = ({ prompts }: Window) => prompts.notices.map(({ message }) => message);

  it('Auto-rebalance that was left on continues, and the window reports it once', async () => {
    await elsewhere.turnOn(CONSENT);
    const window = await open();
    await window.prompts.noticed(/^Auto-rebalance was left on and continues\. It asks you first\.$/);
    await window.untilShown(/asks first$/);
    window.tell('settings');
    await window.commands.controller.plan();
    assert.equal(told(window).length, 1);
    assert.equal(window.isOn, true);
  });

  it('One window runs auto-rebalance, the others show that, and any of them can stop it', async () => {
    await elsewhere.turnOn(CONSENT);
    const first = await open();
    await first.prompts.noticed(/continues/);
    const second = await open();
    await second.untilShown(/another window$/);
    assert.deepEqual(told(second), []);
    await second.commands.stop();
    await first.untilShown(/^nothing$/);
    assert.deepEqual([first.isOn, second.isOn], [false, false]);
    assert.match(told(second).at(-1) ?? '', /^Auto-rebalance is off in all windows\.$/);
  });

  it('Once the extension was updated under the window, auto-rebalance does nothing more in it and says so', async () => {
    await elsewhere.turnOn(CONSENT);
    const window = await open();
    await window.untilShown(/asks first$/);
    window.replaceFiles();
    await window.untilShown(/Auto-rebalance is off until the window is reloaded$/);
    assert.match(window.shown?.tooltip ?? '', /Binsight was updated/);
  });

  it('Auto-rebalance does nothing in an untrusted folder until the user trusts it', async () => {
    await elsewhere.turnOn(CONSENT);
    const window = await open((one) => (one.isTrusted = false));
    assert.match(window.shown?.tooltip ?? '', /Restricted Mode: nothing is signed in this window until you trust the folder/);
    assert.equal(window.isOn, true);
    window.isTrusted = true;
    window.tell('trust');
    await window.untilShown(/asks first$/);
  });

  it('An invalid setting pauses auto-rebalance with one report, and the correction resumes it', async () => {
    await elsewhere.turnOn(CONSENT);
    const window = await open();
    await window.untilShown(/asks first$/);
    window.changed = { 'binsight.rebalance.slippageBps': 'some' };
    window.tell('settings');
    await window.untilShown(/paused$/);
    window.tell('settings');
    window.changed = {};
    window.tell('settings');
    await window.untilShown(/asks first$/);
    assert.equal(told(window).filter((message) => /paused\. .*must be 0–10000 basis points/.test(message)).length, 1);
  });

  it('Auto-rebalance turns on only by a confirmed question and with the rules shown in it', async () => {
    const window = await open(undefined, ['escape', { press: 'Preview (Dry Run)' }, { pick: "Don't Start" }, { press: 'Start' }]);
    await window.commands.start();
    await window.commands.start();
    assert.equal(await elsewhere.read(), undefined);
    assert.equal(window.documents.length, 1);
    await window.commands.start();
    const consent = await elsewhere.read();
    assert.deepEqual([consent?.owner, consent?.service, consent?.rules], [OWNER, 'sandbox', CONSENT.rules]);
    // What says that it is on would stay beside what says that it is off.
    assert.deepEqual(told(window), []);
    await window.untilShown(/asks first$/);
    window.prompts.assertDone();
  });

  it('The preview in the start question uses the new rules while others are in force', async () => {
    await elsewhere.turnOn(CONSENT);
    const window = await open(undefined, [{ press: 'Preview (Dry Run)' }, { pick: "Don't Start" }]);
    await window.untilShown(/asks first$/);
    window.changed = { 'binsight.autoRebalance.maxPerDay': 7 };
    await window.commands.start();
    const document = window.documents[0] ?? '';
    assert.match(document, /7 in all/);
    assert.match(document, /rules that you have not confirmed yet/);
    assert.equal((await elsewhere.read())?.rules.mostPerDay, CONSENT.rules.mostPerDay);
  });

  it('Auto-rebalance does not turn on for a watch-only wallet or without the passphrase', async () => {
    const window = await open((one) => (one.owner = { ...one.owner, canSign: false }), [{ press: 'Start and Sign Automatically' }]);
    await assert.rejects(window.commands.start(), (error) => error instanceof UserError && /watch-only/.test(error.message));
    Object.assign(window, {
      owner: { ...window.owner, canSign: true, hasPassphrase: true },
      isLocked: true,
      changed: { 'binsight.autoRebalance.mode': 'automatic' },
    });
    await assert.rejects(
      window.commands.start(),
      (error) => error instanceof UserError && /was not started: to sign automatically, it needs the passphrase/.test(error.message),
    );
    assert.match(window.prompts.asked[0]?.text ?? '', /while the wallet is unlocked, for 15 minutes/);
    assert.equal(await elsewhere.read(), undefined);
  });

  it('Consent that was not confirmed here pauses auto-rebalance in the window, which can start or stop it', async () => {
    const forged = new ConsentFile({ folder: join(folder, 'automation'), log: () => undefined });
    await forged.turnOn({ ...CONSENT, rules: { ...CONSENT.rules, mode: 'automatic' } });
    const window = await open(
      (one) => (one.changed = { 'binsight.autoRebalance.mode': 'automatic' }),
      [{ press: 'Start and Sign Automatically' }],
    );
    assert.match(window.shown?.tooltip ?? '', /rules that you did not confirm here/);
    assert.deepEqual([window.commands.controller.state.kind, window.isOn, told(window)], ['paused', true, []]);
    await window.commands.start();
    await window.untilShown(/signs automatically$/);
    await forged.turnOn({ ...CONSENT, rules: { ...CONSENT.rules, mode: 'automatic', mostPerDay: 1_000 } });
    await window.untilShown(/paused$/);
    await window.commands.stop();
    await window.untilShown(/^nothing$/);
    assert.equal(await forged.read(), undefined);
    forged.dispose();
  });

  it('Automatic mode does not start without an RPC', async () => {
    const window = await open((one) => Object.assign(one, { rpc: undefined, changed: { 'binsight.autoRebalance.mode': 'automatic' } }));
    await assert.rejects(window.commands.start(), (error) => error instanceof UserError && /needs your own Solana RPC/.test(error.message));
    assert.equal(await elsewhere.read(), undefined);
  });

  it('Stopping auto-rebalance twice does no harm', async () => {
    const window = await open();
    await window.commands.stop();
    assert.deepEqual(told(window), ['Auto-rebalance is off.']);
  });

  // It asked nothing before the rules had limits that follow from what the positions are worth.
  it('Starting auto-rebalance while it is on asks again, since its limits follow from what the positions are worth now', async () => {
    const window = await open(undefined, [{ press: 'Start' }, 'escape', { press: 'Start' }]);
    await window.commands.start();
    await window.untilShown(/asks first$/);
    const before = await elsewhere.read();
    await window.clock.advance(1_000);
    await window.commands.start();
    assert.deepEqual(await elsewhere.read(), before);
    await window.commands.start();
    assert.ok(((await elsewhere.read())?.sinceMs ?? 0) > (before?.sinceMs ?? 0));
    assert.equal(window.prompts.asked.at(-1)?.title, 'Start auto-rebalance?');
  });

  it('Rules that an earlier version confirmed pause auto-rebalance until they are confirmed with their limits', async () => {
    const { worths: _, ...earlier } = CONSENT;
    await elsewhere.turnOn(earlier);
    const window = await open(undefined, [{ press: 'Start' }]);
    await window.prompts.noticed(/is paused\. .*differ from those that you confirmed\. Start it again, or undo the change\.$/);
    assert.deepEqual(window.commands.controller.state.kind, 'paused');
    await window.commands.start();
    await window.untilShown(/asks first$/);
    assert.notEqual((await elsewhere.read())?.worths, undefined);
  });

  it('A dry run without a wallet is refused in one sentence that says what to do', async () => {
    const window = await open();
    window.setOwner(undefined);
    await assert.rejects(
      window.commands.showPlan(),
      (error) => error instanceof UserError && error.message === 'No wallet is selected. Choose one first.',
    );
    assert.deepEqual(window.documents, []);
  });

  it('The auto-rebalance menu leads to the commands and to a form with every rule, where one is changed after the other', async () => {
    const window = await open(undefined, [
      { pick: 'Rules' },
      ...[{ pick: 'Mode' }, { pick: 'Automatic' }],
      ...[{ pick: 'Stop-loss' }, { type: 'some' }, { type: '101' }, { type: '12.5' }],
      ...[{ pick: 'Reserve' }, { type: '0.25' }],
      ...[{ pick: 'Excluded pools' }, { type: `${addressOf(1)}, here` }, { type: `${addressOf(1)}, ${addressOf(2)}` }],
      ...[{ pick: 'Cooldown' }, 'escape' as const],
      'escape',
      { pick: 'Start' },
      'escape',
    ]);
    for (let times = 0; times < 3; times++) {
      await window.commands.menu();
    }
    const { mode, stopLossPercent, terms, poolsLeftAlone, cooldownMs } = window.commands.readRules();
    assert.deepEqual(
      [mode, stopLossPercent, terms.reserveLamports, [...poolsLeftAlone].sort(), cooldownMs],
      ['automatic', 12.5, 250_000_000n, [addressOf(1), addressOf(2)].sort(), 3_600_000],
    );
    const form = window.prompts.asked.find(({ title }) => title === 'Rules of Rebalances');
    assert.deepEqual(
      form?.shown,
      RULE_IDS.map((id) => ruleName(id)),
    );
    assert.equal(window.prompts.refused.length, 3);
    assert.deepEqual(window.executed, [['binsight.startAutoRebalance']]);
    window.prompts.assertDone();
  });

  it('Rules can be changed from the question before the start, which then names the new ones', async () => {
    const window = await open(undefined, [
      ...[{ press: 'Change Rules…' }, { pick: 'Least value' }, { type: '40' }, 'escape' as const],
      { press: 'Start' },
    ]);
    await window.commands.start();
    window.prompts.assertDone();
    const questions = window.prompts.asked.filter(({ kind }) => kind === 'confirm').map(({ text }) => text);
    assert.doesNotMatch(questions[0] ?? '', /\$40\.00/);
    assert.match(questions[1] ?? '', / worth at least \$40\.00\./);
    const { state } = window.commands.controller;
    assert.ok(state.kind === 'on' && state.consent.rules.leastValueUsd === 40);
  });

  it('A rule that is changed while auto-rebalance runs pauses it until the change is confirmed', async () => {
    const window = await open(undefined, [{ press: 'Start' }]);
    await window.commands.start();
    await window.rules.set('binsight.autoRebalance.maxPerDay', 7);
    await window.untilShown(/paused$/);
    await window.rules.set('binsight.autoRebalance.maxPerDay', undefined);
    await window.untilShown(/asks first$/);
  });
});
