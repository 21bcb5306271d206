import assert from 'node:assert/strict';
import type { Editor } from '../host/browserEditor.mjs';
import { FaultyExtension } from '../support/browser/faultyExtension';
import { openEditor } from '../support/browser/openEditor';
import { askService, sandboxOf } from '../support/browser/sandboxOf';
import { Dialog, notification, QuickInput, Sidebar } from '../support/browser/sidebar';
import { PATIENCE_MS } from '../support/patience';

const UNANSWERED = /VS Code's secret storage does not answer/;
const UPDATED = /Binsight was updated\. This window signs nothing more\. Reload the window\./;

// One window: each test goes on from where the one before it left off.
describe('A window whose keyring asks for its password, and whose extension is then updated', function () {
  let extension: FaultyExtension;
  let editor: Editor;
  let sidebar: Sidebar;
  let quick: QuickInput;
  let dialog: Dialog;

  before(async () => {
    extension = await FaultyExtension.make();
    await extension.lockKeyring();
    editor = await openEditor({ extension: extension.folder });
    sidebar = new Sidebar(editor.page);
    quick = new QuickInput(editor.page);
    dialog = new Dialog(editor.page);
    await sidebar.open();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') {
      await editor.screenshot(`failed ${this.currentTest.title}`);
    }
  });

  after(async () => {
    await editor.stop();
    await extension.remove();
  });

  it('At the start, Positions, the status bar and a notification say what the window waits for, and it goes on with the answer', async () => {
    await sidebar.message('Positions').filter({ hasText: UNANSWERED }).waitFor({ timeout: PATIENCE_MS });
    await sidebar.statusBar().filter({ hasText: 'Waiting for the secret storage' }).waitFor({ timeout: PATIENCE_MS });
    const said = notification(editor.page, UNANSWERED);
    await said.waitFor({ timeout: PATIENCE_MS });
    await extension.unlockKeyring();
    await sidebar.filled();
    await said.waitFor({ state: 'detached', timeout: PATIENCE_MS });
    await sidebar.message('Positions').filter({ hasText: UNANSWERED }).waitFor({ state: 'detached', timeout: PATIENCE_MS });
  });

  it('A zap-out says what it waits for instead of signing, and Cancel ends it with nothing signed', async () => {
    const before = await positions();
    await chooseZapOut();
    await dialog.text();
    await extension.lockKeyring();
    await dialog.press('Sign and Send');
    const progress = notification(editor.page, /Zap out 100% of POPKAT\/SOL.*secret storage does not answer/);
    await progress.waitFor({ timeout: PATIENCE_MS });
    await progress.getByRole('button', { name: 'Cancel' }).click();
    await progress.waitFor({ state: 'detached', timeout: PATIENCE_MS });
    await extension.unlockKeyring();
    await sidebar.statusBar().filter({ hasNotText: 'Waiting' }).waitFor({ timeout: PATIENCE_MS });
    assert.deepEqual(await positions(), before);
  });

  it('Auto-rebalance says that it waits, not that it is on, and goes on with the answer', async () => {
    await editor.runCommand('Binsight: Auto-Rebalance, Stop-Loss, Take-Profit…');
    await quick.choose('Rules…');
    await quick.choose('Time between checks');
    await quick.at('Time between checks');
    await quick.type('15');
    await quick.at('Rules of Rebalances');
    await quick.escape();
    await editor.runCommand('Binsight: Auto-Rebalance, Stop-Loss, Take-Profit…');
    await quick.choose('Start Auto-Rebalance…');
    await dialog.press('Start');
    const sign = sidebar.automationSign();
    await sign.filter({ hasText: 'Auto-rebalance: asks first' }).waitFor({ timeout: PATIENCE_MS });
    await extension.lockKeyring();
    await sign.filter({ hasText: 'Auto-rebalance waits for the secret storage' }).waitFor({ timeout: PATIENCE_MS });
    await extension.unlockKeyring();
    await sign.filter({ hasNotText: 'waits for the secret storage' }).waitFor({ timeout: PATIENCE_MS });
  });

  it('Once the files are gone, the operation, the panel, auto-rebalance, Positions and the status bar say so, and nothing is signed', async () => {
    const before = await positions();
    await editor.runCommand('Binsight: Open Overview');
    const panel = editor.page.frameLocator('iframe.webview.ready:visible').frameLocator('#active-frame');
    await panel.getByRole('region', { name: 'Open positions as a table' }).waitFor({ timeout: PATIENCE_MS });
    await extension.takeFilesAway();
    await editor.runCommand('Binsight: Zap Out…');
    const said = notification(editor.page, UPDATED);
    await said.first().waitFor({ timeout: PATIENCE_MS });
    assert.equal(await said.count(), 1);
    assert.ok(await said.getByRole('button', { name: 'Reload Window' }).isVisible());
    assert.ok(!(await quick.isOpen()));
    await sidebar
      .automationSign()
      .filter({ hasText: 'Auto-rebalance is off until the window is reloaded' })
      .waitFor({ timeout: PATIENCE_MS });
    await sidebar.statusBar().filter({ hasText: 'Binsight was updated: reload' }).waitFor({ timeout: PATIENCE_MS });
    await sidebar.message('Positions').filter({ hasText: UPDATED }).waitFor({ timeout: PATIENCE_MS });
    assert.equal(await sidebar.message('Wallet').filter({ hasText: UPDATED }).count(), 0, 'one view says it');
    assert.equal(await sidebar.message('Pools').filter({ hasText: UPDATED }).count(), 0, 'one view says it');
    await panel.getByText(UPDATED).waitFor({ timeout: PATIENCE_MS });
    await panel.getByRole('link', { name: 'Reload Window' }).waitFor({ timeout: PATIENCE_MS });
    await editor.screenshot('updated extension');
    assert.deepEqual(await positions(), before);
  });

  it('It stays so when files come back, until the window is reloaded', async () => {
    await extension.bringFilesBack();
    await editor.runCommand('Binsight: Zap Out…');
    const said = notification(editor.page, UPDATED);
    await said.waitFor({ timeout: PATIENCE_MS });
    await said.getByRole('button', { name: 'Reload Window' }).click();
    await sidebar.message('Positions').filter({ hasText: UPDATED }).waitFor({ state: 'detached', timeout: PATIENCE_MS });
    await sidebar.filled();
    await chooseZapOut();
    assert.match(await dialog.text(), /You get: /);
    await dialog.press('Cancel');
  });

  async function chooseZapOut(): Promise<void> {
    await editor.runCommand('Binsight: Zap Out…');
    await quick.at('Zap Out');
    await quick.choose('POPKAT/SOL');
    await quick.at('(2/4)');
    await quick.choose('100%');
    await quick.at('(3/4)');
    await quick.choose('swaps');
    await quick.at('(4/4)');
    await quick.choose('3%');
  }

  async function positions(): Promise<unknown> {
    const sandbox = await sandboxOf(editor.profile);
    const opening = (await askService(sandbox, `/lp-positions/opening?owner=${sandbox.owner}`))['data'] as readonly Readonly<
      Record<string, unknown>
    >[];
    return opening.map(({ position }) => position).sort();
  }
});
