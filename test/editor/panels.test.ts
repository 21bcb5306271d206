import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Inspection } from '../../src/ui/services';
import { PANEL } from '../../src/ui/shell/names';
import type { PanelId } from '../../src/ui/panels/panelHtml';
import { Settings } from '../../src/ui/shell/settings/settings';
import { systemClock } from '../../src/base/async/clock';
import { ReadScheduler } from '../../src/portfolio/readScheduler';
import type { PortfolioControl } from '../../src/portfolio/types';
import { extensionReady } from '../support/editor/extensionReady';
import { PanelRegistry, type OpenPanel } from '../../src/ui/panels/panels';
import { tabTitle } from '../../src/ui/panels/panelProtocols';
import { answering, openAddresses, readExtension, until, type Subscribe } from '../support/editor/inspect';

const LOOK_EVERY_MS = 25;

/** For what has no event when it changes. */
const nowAndThen: Subscribe = (listener) => {
  const timer = setInterval(listener, LOOK_EVERY_MS);
  return { dispose: () => clearInterval(timer) };
};

const tabsOf = (id: PanelId): readonly vscode.Tab[] =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(PANEL[id]));

describe('The panels', () => {
  let inspection: Inspection;
  let panels: PanelRegistry;
  before(async () => {
    inspection = await readExtension();
    panels = await inspection.panels.panels();
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await until('no panel is left', nowAndThen, () => panels.all.length === 0);
  });

  const open = async (command: string, argument?: unknown): Promise<OpenPanel> => {
    const before = panels.all.length;
    await vscode.commands.executeCommand(command, argument);
    assert.equal(panels.all.length, before + 1);
    return panels.all.at(-1) ?? assert.fail('nothing was opened');
  };
  const listening = (opened: OpenPanel) =>
    until(`the page of the ${opened.id} panel says that it is ready`, nowAndThen, () => opened.session.isListening);
  const poolNodes = () => inspection.views.pools.getChildren().filter((node) => node.kind === 'pool');
  const positionNodes = () => inspection.views.positions.getChildren().filter((node) => node.kind === 'position');

  it('A click on a pool’s row opens one panel per pool under its name', async () => {
    const { pools } = inspection.views;
    const [first, second] = poolNodes();
    assert.ok(first && second);
    const click = async (node: typeof first): Promise<void> => {
      const { command } = pools.getTreeItem(node);
      assert.ok(command);
      await vscode.commands.executeCommand(command.command, ...((command.arguments ?? []) as unknown[]));
    };
    for (const node of [first, second, first]) {
      await click(node);
    }
    assert.deepEqual(
      panels.all.map(({ id, subject }) => [id, subject]),
      [first, second].map(({ pool }) => ['pool', pool.address]),
    );
    await until('both tabs', nowAndThen, () => tabsOf('pool').length === 2);
    assert.deepEqual(
      tabsOf('pool')
        .map(({ label }) => label)
        .sort(),
      [first, second].map(({ pool }) => tabTitle('pool', pool)).sort(),
    );
    await until('the first one is in front again', nowAndThen, () => panels.all[0]?.panel.active === true);
  });

  it('A position panel opens from its row and leads to the panel of its pool', async () => {
    const [node] = positionNodes();
    assert.ok(node);
    const position = await open('binsight.openPosition', node);
    assert.deepEqual([position.id, position.subject, position.panel.title], ['position', node.key, `${node.position.pairName} position`]);
    const pool = await open('binsight.openPool', node);
    assert.deepEqual([pool.id, pool.subject], ['pool', node.position.pool]);
  });

  it('Every panel page reports ready under its own content policy, and again after it was hidden', async () => {
    const [pool] = poolNodes();
    const [position] = positionNodes();
    const opened = [
      await open('binsight.openPool', pool),
      await open('binsight.openPosition', position),
      await open('binsight.openOverview'),
    ];
    for (const one of opened) {
      one.panel.reveal();
      await listening(one);
    }
    const [first] = opened;
    assert.ok(first);
    await until('the first one is hidden', nowAndThen, () => !first.panel.visible && !first.session.isListening);
    first.panel.reveal();
    await listening(first);
  });

  it('A panel can load only from its own folder and allows no commands and no forms', async () => {
    const nonces = new Set<string>();
    for (const node of poolNodes().slice(0, 2)) {
      const { panel } = await open('binsight.openPool', node);
      const { options, html } = panel.webview;
      assert.deepEqual(
        [options.enableScripts, options.enableForms, options.enableCommandUris, panel.options.retainContextWhenHidden ?? false],
        [true, false, false, false],
      );
      assert.deepEqual(
        options.localResourceRoots?.map(({ path }) => path.split('/').slice(-2).join('/')),
        ['dist/webview'],
      );
      nonces.add(/nonce="([^"]{20,})"/.exec(html)?.[1] ?? assert.fail('no nonce'));
    }
    assert.equal(nonces.size, 2);
  });

  it('Closing a panel ends its session, and opening it again creates a new one', async () => {
    const [node] = poolNodes();
    const first = await open('binsight.openPool', node);
    await listening(first);
    await until('its tab', nowAndThen, () => tabsOf('pool').length === 1);
    await vscode.window.tabGroups.close([...tabsOf('pool')]);
    await until('it is gone', nowAndThen, () => panels.all.length === 0);
    assert.equal(first.session.isListening, false);
    first.session.receive({ kind: 'ready' });
    assert.equal(first.session.isListening, false);
    assert.notEqual(await open('binsight.openPool', node), first);
  });

  it('Panels ignore malformed and hostile messages, ask the user nothing and continue to work', async () => {
    const [pool] = poolNodes();
    const [position] = positionNodes();
    const before = await openAddresses(inspection);
    const opened = [
      await open('binsight.openPool', pool),
      await open('binsight.openPosition', position),
      await open('binsight.openOverview'),
    ];
    const hostile: readonly unknown[] = [
      ...[
        undefined,
        null,
        'zapOut',
        7,
        [],
        {},
        { kind: 'execute', command: 'workbench.action.quit' },
        { kind: 'sign', transaction: 'AQID' },
        { kind: 'getKey' },
      ],
      ...[
        { kind: 'continue' },
        { kind: 'continue', plan: { strategy: 'All', amountLamports: '1', percentX: 0.5, slippageBps: 100 } },
        { kind: 'continue', plan: { strategy: 'Spot', amountLamports: '-1', percentX: 2, slippageBps: 1e9 } },
      ],
      ...[
        { kind: 'copyAddress', address: { toString: () => 'x' } },
        { kind: 'openPosition', key: 'x'.repeat(1_000_000) },
        { kind: 'lpers', query: { orderBy: '../../x', sortOrder: 'asc', page: 1e99 } },
        { kind: 'watchAddress', address: ''.padEnd(45, 'x') },
      ],
    ];
    const { asked, notices } = await answering(inspection, [], () => {
      for (const { session } of opened) {
        hostile.forEach((message) => session.receive(message));
      }
      return Promise.resolve();
    });
    assert.deepEqual([asked, notices], [[], []]);
    assert.deepEqual(await openAddresses(inspection), before);
    for (const one of opened) {
      one.panel.reveal();
      await listening(one);
    }
  });

  it('A restored panel shows the same subject as before', async () => {
    const [pool] = poolNodes();
    const [position] = positionNodes();
    assert.ok(pool && position);
    const kept: readonly (readonly [PanelId, unknown, string])[] = [
      ['pool', { pool: pool.pool.address, mode: 'look' }, pool.pool.address],
      ['position', { key: position.key }, position.key],
      ['overview', undefined, ''],
    ];
    for (const [id, state, subject] of kept) {
      const panel = vscode.window.createWebviewPanel(PANEL[id], 'from before', vscode.ViewColumn.Active);
      panels.revive(id, panel, state);
      const revived = panels.all.at(-1);
      assert.deepEqual([revived?.id, revived?.subject, revived?.panel === panel], [id, subject, true]);
      assert.ok(revived);
      await listening(revived);
    }
  });

  it('A panel without a readable subject closes with a notice, and an already open panel stays the only one', async () => {
    const [pool] = poolNodes();
    assert.ok(pool);
    const opened = await open('binsight.openPool', pool);
    const unusable = vscode.window.createWebviewPanel(PANEL.pool, 'from before', vscode.ViewColumn.Active);
    const again = vscode.window.createWebviewPanel(PANEL.pool, 'from before', vscode.ViewColumn.Active);
    const closed: string[] = [];
    unusable.onDidDispose(() => closed.push('unusable'));
    again.onDidDispose(() => closed.push('again'));
    const { notices } = await answering(inspection, [], async () => {
      panels.revive('pool', unusable, { pool: '<script>' });
      panels.revive('pool', again, { pool: pool.pool.address });
    });
    assert.deepEqual(
      notices.map(({ severity }) => severity),
      ['info'],
    );
    assert.match(notices[0]?.message ?? '', /could not be restored/);
    await until('both are closed', nowAndThen, () => closed.length === 2);
    assert.deepEqual(panels.all, [opened]);
  });

  it('Panels end with their window and stay available for VS Code to restore', async () => {
    const { portfolio, connection, owners, prompts, actions } = inspection;
    const nothing = { dispose: () => undefined };
    const log = () => undefined;
    const ofAnotherWindow = new PanelRegistry({
      ...{
        portfolio: portfolio as PortfolioControl,
        connection,
        connect: () => connection.service(),
        installation: { isReplaced: false, isIntact: () => Promise.resolve(true), onDidChange: () => nothing },
        owners,
        prompts,
        actions,
        log,
        clock: systemClock,
        isInBrowser: false,
        locale: 'en',
      },
      ...{
        coordinator: { show: () => nothing, scheduler: new ReadScheduler(systemClock) },
        settings: new Settings(prompts, log, inspection.rules),
        busy: { has: () => false, onDidChange: () => nothing },
      },
      records: { journal: () => Promise.resolve({ read: () => Promise.resolve({ records: [], problems: [] }) }) },
      ...{ rpc: () => Promise.resolve(undefined), command: () => Promise.resolve(), extensionUri: (await extensionReady()).extensionUri },
      activePoolChanged: () => undefined,
      funnel: { prompts, log, isTrusted: () => true, assertIntact: () => Promise.resolve(), execute: () => Promise.resolve() },
    });
    ofAnotherWindow.openOverview();
    const [opened] = ofAnotherWindow.all;
    assert.ok(opened);
    await listening(opened);
    ofAnotherWindow.dispose();
    assert.deepEqual([ofAnotherWindow.all.length, opened.session.isListening], [0, false]);
    await until('its tab is there', nowAndThen, () => tabsOf('overview').length === 1);
    opened.panel.dispose();
  });
});
