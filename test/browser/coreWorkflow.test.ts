import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Editor } from '../host/browserEditor.mjs';
import { openInstalledEditor, SANDBOX_FOLDER } from '../support/browser/openEditor';
import { panelFrame, tabTo } from '../support/browser/panels';
import { Dialog, notification, QuickInput, Sidebar } from '../support/browser/sidebar';
import { PATIENCE_MS } from '../support/patience';

describe('The core workflow of the installed package, by mouse and keyboard in a real window', function () {
  let editor: Editor;
  let sidebar: Sidebar;
  let quick: QuickInput;
  let dialog: Dialog;

  before(async () => {
    editor = await openInstalledEditor('own', {});
    sidebar = new Sidebar(editor.page);
    quick = new QuickInput(editor.page);
    dialog = new Dialog(editor.page);
    // The sandbox has not been started either.
    await sidebar.statusBar().filter({ hasText: 'Sandbox' }).waitFor({ timeout: PATIENCE_MS });
    assert.ok(!existsSync(join(editor.profile, ...SANDBOX_FOLDER)));
    await sidebar.filled();
  });

  after(() => editor.stop());

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') {
      await editor.screenshot(`failed ${this.currentTest.title}`);
    }
  });

  it('Nothing opened by itself: the window has no tab of Binsight', async () => {
    assert.equal(await editor.page.locator('.tabs-container .tab', { hasText: /Overview|Position|Binsight/ }).count(), 0);
    await editor.screenshot('first start');
  });

  it('The sidebar shows open positions, those out of range first, then pools and total PnL', async () => {
    const [totals, first] = await sidebar
      .rows('Positions')
      .evaluateAll((rows: { getAttribute(name: string): string | null }[]) => rows.map((row) => row.getAttribute('aria-label')));
    assert.match(totals ?? '', /^Total of \d+, PnL: /);
    assert.match(first ?? '', /out of range/);
    assert.ok((await sidebar.rows('Positions').count()) >= 5);
    assert.ok((await sidebar.rows('Pools').count()) >= 8);
    const status = await sidebar.statusBar().innerText();
    assert.match(status, /[+−]\$[\d,.]+ \([+−][\d.]+%\) · \d+ out of range/);
  });

  it('Favorites are dragged into the order that one wants', async () => {
    const favorites = sidebar.rows('Pools').and(editor.page.locator('[aria-level="2"]'));
    for (const place of [1, 2]) {
      // Each favorite, and their heading, is a row above the list.
      const pool = sidebar.rows('Pools').nth(place === 1 ? 0 : 3);
      await sidebar.pressIn(pool, /Favorite/);
      await favorites.nth(place - 1).waitFor({ timeout: PATIENCE_MS });
    }
    const before = await favorites.allInnerTexts();
    const [first, second] = [await favorites.nth(0).boundingBox(), await favorites.nth(1).boundingBox()];
    assert.ok(first !== null && second !== null && before.length === 2);
    const { mouse } = editor.page;
    await mouse.move(second.x + 60, second.y + 10);
    await mouse.down();
    await mouse.move(second.x + 62, second.y + 4, { steps: 4 });
    await mouse.move(first.x + 60, first.y + 10, { steps: 10 });
    await mouse.up();
    const [label = ''] = before[1]?.split('vol') ?? [];
    await favorites.nth(0).filter({ hasText: label }).waitFor({ timeout: PATIENCE_MS });
    for (const left of [1, 0]) {
      await sidebar.pressIn(favorites.nth(0), /Favorite/);
      await favorites.nth(left).waitFor({ state: 'detached', timeout: PATIENCE_MS });
    }
  });

  it('A click lists more pools until all pools are listed', async () => {
    const more = sidebar.rows('Pools').filter({ hasText: 'Load More' });
    const before = await sidebar.rows('Pools').count();
    await sidebar.scrollDown('Pools');
    await more.click();
    await more.waitFor({ state: 'detached', timeout: PATIENCE_MS });
    assert.ok((await sidebar.rows('Pools').count()) >= before);
  });

  it('Escape on a question leaves everything unchanged', async () => {
    const before = await sidebar.rows('Positions').count();
    await editor.runCommand('Binsight: Zap Out…');
    await quick.at('Zap Out');
    await quick.choose('POPKAT/SOL');
    await quick.at('Zap Out: POPKAT/SOL');
    await quick.escape();
    assert.equal(await sidebar.rows('Positions').count(), before);
  });

  it('A zap-out is described before it is signed, and Cancel does nothing', async () => {
    await chooseZapOut('POPKAT/SOL');
    const question = await dialog.text();
    assert.match(question, /Zap out 100% of POPKAT\/SOL\?/);
    assert.match(question, /You pay: 100% of the position, ≈ \$[\d,.]+/);
    assert.match(question, /Costs: at most 0\.0\d+ SOL/);
    assert.match(question, /You get: .*at least 0?\.?\d+/);
    assert.match(question, /Goes to: only you, pool/);
    await dialog.press('Cancel');
    await notification(editor.page, /Nothing was signed/).waitFor({ timeout: PATIENCE_MS });
    assert.equal(await sidebar.positionsOf('POPKAT/SOL').count(), 1);
  });

  it('A zap-out removes the position from the list', async () => {
    await chooseZapOut('POPKAT/SOL');
    await dialog.text();
    await dialog.press('Sign and Send');
    await notification(editor.page, /Zap out 100% of POPKAT\/SOL: done\. The position was closed\. Value: about \$\d/).waitFor({
      timeout: PATIENCE_MS,
    });
    await sidebar.positionsOf('POPKAT/SOL').waitFor({ state: 'detached', timeout: PATIENCE_MS });
  });

  it('The Activity view lists the zap-out as done', async () => {
    await sidebar.unfold('Activity');
    await sidebar.row('Activity', 'Zap out of POPKAT/SOL, Sandbox (pretend), Done, ').waitFor({ timeout: PATIENCE_MS });
  });

  it('A zap-in, planned with the keyboard alone, adds a new position to the list', async () => {
    const before = await sidebar.positionsOf('JUPP/SOL').count();
    await editor.runCommand('Binsight: Zap In…');
    await quick.at('Zap In');
    await quick.choose('JUPP/SOL');
    const frame = await panelFrame(editor.page, 'pool');
    const { keyboard } = editor.page;
    const fillIn = async (label: RegExp, text: string): Promise<void> => {
      await tabTo(editor.page, frame.locator('input[type=text]').and(frame.getByLabel(label)));
      // Not Ctrl+A, which VS Code runs as a command of its own, some keys later.
      await keyboard.press('End');
      await keyboard.press('Shift+Home');
      await keyboard.type(text);
    };
    await fillIn(/^Range in percent/, '-5% +5%');
    await tabTo(editor.page, frame.locator('vscode-radio[value=Spot]'));
    await keyboard.press('ArrowDown');
    await fillIn(/^SOL to deposit/, '1.25');
    await fillIn(/^JUPP share/, '40');
    await fillIn(/^Max slippage/, '3');
    await tabTo(editor.page, frame.locator('vscode-button', { hasText: 'Continue…' }));
    await keyboard.press('Enter');
    const question = await dialog.text();
    assert.match(question, /Zap 1\.25 SOL into JUPP\/SOL\?/);
    assert.match(question, /You get: a Curve position, \S+ to \S+ SOL per JUPP \(−[\d.]+% to \+[\d.]+%\)/);
    assert.match(question, /You pay: at most 1\.25 SOL/);
    await dialog.press('Sign and Send');
    await notification(editor.page, /Zap .+ into JUPP\/SOL: done\. Value: about \$\d/).waitFor({ timeout: PATIENCE_MS });
    await sidebar.positionsOf('JUPP/SOL').nth(before).waitFor({ timeout: PATIENCE_MS });
  });

  it('A pasted API key appears as dots, is validated with a clear message, and is not kept', async () => {
    await editor.runCommand('Binsight: Import Wallet Key…');
    await quick.at('Import Wallet Key');
    await quick.choose('Paste');
    await quick.secretField.waitFor();
    await quick.type('this is no key');
    assert.match(await quick.message.innerText(), /key/i);
    await quick.escape();
    assert.ok((await sidebar.rows('Positions').count()) >= 5);
  });

  async function chooseZapOut(pair: string): Promise<void> {
    await editor.runCommand('Binsight: Zap Out…');
    await quick.at('Zap Out');
    await quick.choose(pair);
    await quick.at('(2/4)');
    await quick.choose('100%');
    await quick.at('(3/4)');
    await quick.choose('swaps');
    await quick.at('(4/4)');
    // More than prices move here between the question and the landing.
    await quick.choose('3%');
  }

  it('A step of the walkthrough is checked off by what happened, not by what was opened', async () => {
    await editor.runCommand('Welcome: Open Walkthrough...');
    await quick.field.fill('Binsight');
    await editor.page.keyboard.press('Enter');
    // The walkthrough focuses its first step with a delay, which would close a command palette that is open by then.
    await editor.page.locator('.getting-started-step:focus').waitFor();
    const done = (title: string) => editor.page.locator('.getting-started-step', { hasText: title }).locator('.codicon.complete');
    for (const [title, command] of [
      ['Rebalance the position', 'Binsight: Rebalance Position…'],
      ['Watch an address', 'Binsight: Watch Address…'],
      ['Connect a service or an RPC', 'Binsight: Connect to Service…'],
      ['Import a key', 'Binsight: Import Wallet Key…'],
    ] as const) {
      await editor.runCommand(command);
      await editor.page.locator('.quick-input-widget').waitFor();
      await quick.escape();
      assert.equal(await done(title).count(), 0, title);
    }
    await editor.runCommand('Binsight: Sandbox…');
    await quick.choose('Move Price…');
    await quick.choose('BONQ/SOL');
    await quick.choose('+1%');
    await done('Move a price out of range').waitFor({ timeout: PATIENCE_MS });
    await editor.screenshot('walkthrough');
  });
});
