import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { OpenPosition } from '../../src/service/positions';
import type { AutoRebalanceCommands } from '../../src/ui/autoRebalance/autoRebalanceCommands';
import type { Inspection } from '../../src/ui/services';
import { CONTEXT } from '../../src/ui/shell/names';
import { ConsentFile } from '../../src/autoRebalance/consentStore';
import {
  answering,
  documentOf,
  openAddresses,
  readExtension,
  refresh,
  sandboxOf,
  setFaults,
  setSetting,
  solBalance,
  until,
  withoutWaits,
  withSetting,
} from '../support/editor/inspect';
import type { ScriptedPrompts } from '../support/editor/scriptedPrompts';

/** Two checks, the least that there are, with the shortest time between them. */
const QUICK_RULES = {
  'binsight.autoRebalance.checkIntervalSeconds': 15,
  'binsight.autoRebalance.outOfRangeChecks': 2,
  'binsight.autoRebalance.minPositionValueUsd': 0,
  'binsight.autoRebalance.cooldownMinutes': 0,
  'binsight.rebalance.slippageBps': 500,
};

describe('Auto-rebalance', () => {
  let inspection: Inspection;
  let commands: AutoRebalanceCommands;
  before(async () => {
    inspection = await readExtension();
    commands = await inspection.automation.commands();
    for (const [name, value] of Object.entries(QUICK_RULES)) {
      await setSetting(name, value);
    }
  });
  after(async () => {
    for (const name of [...Object.keys(QUICK_RULES), 'binsight.autoRebalance.mode', 'binsight.autoRebalance.excludedPools']) {
      await setSetting(name, undefined);
    }
    await control('resume', {});
  });

  afterEach(async () => {
    await commands.controller.turnOff();
  });

  async function control(name: string, body: unknown): Promise<void> {
    const { url, apiKey } = sandboxOf(inspection);
    const response = await fetch(new URL(`/sandbox/${name}`, url), {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.ok(response.ok, `${name}: ${response.status} ${await response.clone().text()}`);
  }

  /** Drives the price out of the range of a position that pairs with SOL, and keeps automation to its pool. Below it, the position is all tokens. */
  async function driveOut(side: 'above' | 'below' = 'above'): Promise<OpenPosition> {
    await control('pause', {});
    await refresh(inspection);
    const { positions } = inspection.portfolio.snapshot;
    const position = positions.find(
      ({ poolType, token1, inRange, pool, value, ageHours }) =>
        poolType === 'dlmm' &&
        token1.symbol === 'SOL' &&
        inRange === true &&
        (value.usd ?? 0) > 50 &&
        (ageHours ?? 0) > 1 &&
        positions.filter((one) => one.pool === pool).length === 1,
    );
    assert.ok(
      position?.pool !== undefined && position.lowerBinId !== undefined && position.upperBinId !== undefined,
      'a position to drive out of its range',
    );
    await control('active-bin', { pool: position.pool, binId: side === 'above' ? position.upperBinId + 3 : position.lowerBinId - 3 });
    // The fee of a pool rises with such a move, and a swap that costs more than 2% is a question. It falls again in a quarter of an hour.
    await control('advance', { ms: 15 * 60_000 });
    const others = positions.flatMap(({ pool }) => (pool === undefined || pool === position.pool ? [] : [pool]));
    await setSetting('binsight.autoRebalance.excludedPools', [...new Set(others)]);
    await refresh(inspection);
    return position;
  }

  const isOnKey = () => inspection.views.contextKeys.get(CONTEXT.isAutomationOn) ?? false;
  const untilState = (what: string, holds: () => boolean) =>
    until(
      what,
      (listener) => {
        const timer = setInterval(listener, 50);
        return { dispose: () => clearInterval(timer) };
      },
      holds,
    );
  /** Starts auto-rebalance and does `work`, without the wait between the first check and the second, which acts. */
  const started = (work: () => Promise<unknown>) =>
    withoutWaits(
      inspection,
      async () => {
        await vscode.commands.executeCommand('binsight.startAutoRebalance');
        await untilState('it is on', () => commands.controller.state.kind === 'on');
        await work();
      },
      1,
    );
  /** Without prices of the past it does not wait until re-centering is worth it. */
  const pricesOff = ({ pool }: Pick<OpenPosition, 'pool'>) => ({ kind: 'status', status: 501, path: `/pools/${pool ?? ''}/candles` });
  const stop = async () => {
    const { notices } = await answering(inspection, [], async () => {
      await vscode.commands.executeCommand('binsight.stopAllAutomation');
    });
    assert.match(notices.at(-1)?.message ?? '', /^Auto-rebalance is off/);
  };

  it('Auto-rebalance is off by default and shows nothing in the status bar', () => {
    assert.equal(commands.controller.state.kind, 'off');
    assert.equal(commands.shown, undefined);
    assert.equal(isOnKey(), false);
  });

  it('The dry run shows what auto-rebalance would do for each position and changes nothing', async () => {
    const [before, balance] = [await openAddresses(inspection), await solBalance(inspection)];
    const text = await documentOf(inspection, async () => vscode.commands.executeCommand('binsight.showAutomationPlan'));
    assert.match(text, /^# Preview \(Dry Run\)\n\nAuto-rebalance is off\. [^]+Nothing was signed\./);
    assert.equal((text.match(/^\| .+`[^`]+` +\|$/gm) ?? []).length, inspection.portfolio.snapshot.positions.length);
    for (const address of before) {
      assert.ok(text.includes(`\`${String(address)}\``));
    }
    assert.match(text, /^- Every 15 seconds, checks your positions and rebalances /m);
    assert.deepEqual(await openAddresses(inspection), before);
    assert.equal(await solBalance(inspection), balance);
  });

  it('Auto-rebalance starts only after the user has seen the rules and confirmed them', async () => {
    const { asked } = await answering(
      inspection,
      [{ press: 'Preview (Dry Run)' }, { pick: 'Back to Confirmation' }, 'escape'],
      async () => {
        await vscode.commands.executeCommand('binsight.startAutoRebalance');
      },
    );
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    assert.equal(asked[0]?.title, 'Start auto-rebalance?');
    assert.match(asked[0].text, /^Asks you before it rebalances[^]+Sandbox \(pretend\)[^]+Every 15 seconds/);
    assert.equal(commands.controller.state.kind, 'off');
  });

  it('Auto-rebalance does not start with unreadable rules', async () => {
    await withSetting('binsight.rebalance.reserveSol', 'much', async () => {
      const { notices, asked } = await answering(inspection, [], async () => {
        await vscode.commands.executeCommand('binsight.startAutoRebalance');
      });
      assert.match(notices.at(-1)?.message ?? '', /^“Reserve” must be 0–1000 SOL, not "much"\./);
      assert.deepEqual(asked, []);
    });
    assert.equal(commands.controller.state.kind, 'off');
  });

  it('Auto-rebalance asks first and then rebalances positions that are out of range', async function () {
    const position = await driveOut();
    const before = await openAddresses(inspection);
    await setFaults(inspection, [pricesOff(position)]);
    const { asked } = await answering(
      inspection,
      [{ press: 'Start' }, { press: 'Sign and Send' }],
      async (scripted) => {
        await started(async () => {
          assert.equal(isOnKey(), true);
          assert.match(commands.shown?.text ?? '', /^\$\(sync\) Auto-rebalance: asks first$/);
          const { message, actions } = await scripted.noticed(/^Auto-rebalance: Rebalance .+\? The price is \d+ bins above its range\./);
          assert.ok(message.includes(position.pairName));
          assert.deepEqual(actions, ['Rebalance…', 'Not Now', 'Leave It Alone']);
          await scripted.noticed(/^Rebalance .+ returned, .+ re-entered over /);
        });
      },
      { 'Auto-rebalance: Rebalance ': 'Rebalance…' },
    );
    assert.match(asked.at(-1)?.text ?? '', /^Costs: about \$[\d.]+ \([\d.]+%\)$/m);
    await stop();
    await setFaults(inspection, []);
    assert.equal(commands.shown, undefined);
    assert.equal(isOnKey(), false);
    const after = await openAddresses(inspection);
    assert.equal(after.length, before.length);
    assert.ok(!after.includes(position.address));
  });

  it('Auto-rebalance signs by the rules if the review finds nothing', async function () {
    const position = await driveOut();
    await setFaults(inspection, [pricesOff(position)]);
    await withSetting('binsight.autoRebalance.mode', 'automatic', async () => {
      const { asked } = await answering(inspection, [{ press: 'Start and Sign Automatically' }], async (scripted) => {
        await started(() => scripted.noticed(/^Rebalance .+ re-entered over /));
      });
      assert.deepEqual(asked[0]?.shown, ['Preview (Dry Run)', 'Start and Sign Automatically', 'Change Rules…']);
      await stop();
    });
    await setFaults(inspection, []);
    assert.ok(!(await openAddresses(inspection)).includes(position.address));
    const { records } = await (await inspection.records.journal()).read();
    const rebalance = records.find(({ created: { plan } }) => plan.kind === 'rebalance' && plan.position === position.address);
    assert.equal(rebalance?.state, 'settled');
    const parts = records.filter(({ created }) => created.parent === rebalance.id);
    assert.deepEqual(parts.map(({ created }) => created.operation).sort(), ['zapIn', 'zapOut']);
    for (const { events } of parts) {
      assert.deepEqual(
        events.flatMap((event) => (event.kind === 'approved' ? [event.by] : [])),
        ['automation'],
      );
    }
  });

  it('Auto-rebalance signs no sale for dust, whatever the lists say, and reports what it found', async function () {
    const position = await driveOut('below');
    const [before, balance] = [await openAddresses(inspection), await solBalance(inspection)];
    const { token0, price0Usd } = position;
    const sale = { kind: 'hostile', attack: 'sellForDust' };
    /** Lets the service sell for dust and lie besides, and automation sign by its rules until `seen`; nothing is signed. */
    const refuses = async (lies: readonly unknown[], seen: (scripted: ScriptedPrompts) => Promise<unknown>): Promise<void> => {
      await setFaults(inspection, [sale, pricesOff(position), ...lies]);
      await withSetting('binsight.autoRebalance.mode', 'automatic', async () => {
        const { asked } = await answering(inspection, [{ press: 'Start and Sign Automatically' }], async (scripted) => {
          await started(() => seen(scripted));
        });
        assert.equal(asked.length, 1, 'nothing was asked besides the start');
        await stop();
      });
      assert.deepEqual(await openAddresses(inspection), before);
      assert.equal(await solBalance(inspection), balance);
    };
    const decided = (why: RegExp) => () =>
      untilState(`a decision like ${String(why)}`, () => {
        const { state } = commands.controller;
        return (
          state.kind === 'on' &&
          state.planned.some(
            (planned) => planned.position.key === position.key && planned.decision.kind !== 'act' && why.test(planned.decision.why),
          )
        );
      });
    try {
      await refuses([], (scripted) =>
        scripted.noticed(
          /^Auto-rebalance could not rebalance .+: not signed\. The review found: .*The quote of the swap is off: −99\.99% against .+ Nothing was sent\. Your money has not moved\.$/,
        ),
      );
      await refuses(
        [{ kind: 'wrongPrice', mint: token0.address, usd: (price0Usd ?? 1) / 1e6 }],
        decided(/figures do not match: Price, Pool price\./),
      );
      await refuses([{ kind: 'missingWorth', of: 'price' }], decided(/does not report all of its figures/));
    } finally {
      await setFaults(inspection, []);
      await refresh(inspection);
    }
  });

  it('Auto-rebalance pauses if the rules in the settings differ from the confirmed ones', async () => {
    await answering(inspection, [{ press: 'Start' }], async (scripted) => {
      await vscode.commands.executeCommand('binsight.startAutoRebalance');
      await untilState('it is on', () => commands.controller.state.kind === 'on');
      await withSetting('binsight.autoRebalance.maxPerDay', 5, async () => {
        await scripted.noticed(/^Auto-rebalance is paused\. .*The rules, review settings or RPC differ/);
        await untilState('it is paused', () => commands.controller.state.kind === 'paused' && commands.shown?.warns === true);
      });
      await untilState('it goes on', () => commands.controller.state.kind === 'on');
      await withSetting('binsight.autoRebalance.maxPerDay', 'five', async () => {
        await untilState('it is paused, and says why', () => (commands.shown?.tooltip ?? '').includes('must be 0–'));
      });
      await untilState('it goes on', () => commands.controller.state.kind === 'on');
    });
    await stop();
  });

  it('The auto-rebalance menu shows the current state and offers the available actions', async () => {
    const menu = async (pick: string) =>
      (await answering(inspection, [{ pick }], async () => vscode.commands.executeCommand('binsight.automationMenu'))).asked[0];
    const whileOff = await menu('Preview (Dry Run)');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    assert.deepEqual(whileOff?.shown, ['Start Auto-Rebalance…', 'Preview (Dry Run)', 'Rules…']);
    await answering(inspection, [{ press: 'Start' }], async () => vscode.commands.executeCommand('binsight.startAutoRebalance'));
    const whileOn = await menu('Stop All Automation');
    assert.deepEqual(whileOn?.shown, ['Stop All Automation', 'Preview (Dry Run)', 'Rules…']);
    assert.match(whileOn.text, /^Auto-rebalance is on\. For .+ since /);
    await untilState('it is off', () => commands.controller.state.kind === 'off');
  });

  describe('of another window', () => {
    let other: ConsentFile;
    before(() => {
      other = new ConsentFile({ folder: join(dirname(inspection.sandboxPlace.dataDir), 'automation'), log: () => undefined });
    });
    after(() => other.dispose());

    it('Auto-rebalance stops in this window when another window stops it', async () => {
      await answering(inspection, [{ press: 'Start' }], async () => {
        await vscode.commands.executeCommand('binsight.startAutoRebalance');
        await untilState('it is on', () => isOnKey() === true);
        await other.turnOff();
        await untilState('it is off', () => isOnKey() === false && commands.shown === undefined);
      });
    });

    it('Auto-rebalance pauses on consent that this VS Code did not record', async () => {
      const rules = commands.readRules();
      const { owner } = inspection.portfolio.snapshot;
      assert.ok(owner !== undefined);
      await answering(inspection, [], async () => {
        await other.turnOn({ service: 'sandbox', owner, rules, sinceMs: Date.now() });
        await untilState('it is paused', () => commands.controller.state.kind === 'paused' && isOnKey() === true);
      });
      assert.match(commands.shown?.tooltip ?? '', /rules that you did not confirm here/);
      await stop();
    });
  });
});
