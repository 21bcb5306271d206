import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import * as z from 'zod';
import { World, type Estate } from '../crash/world';
import type { Editor } from '../host/browserEditor.mjs';
import { good } from '../support/sandbox/client';
import { openEditor } from '../support/browser/openEditor';
import { sandboxOf } from '../support/browser/sandboxOf';
import { Dialog, notification, QuickInput, Sidebar } from '../support/browser/sidebar';
import { PATIENCE_MS } from '../support/patience';

/** So long the service takes to build a second part: the window is closed meanwhile. */
const BUILDS_FOR_MS = 600_000;
/** So far prices are moved out of a range. */
const BINS_OUTSIDE = 5;
const SOL_LAMPORTS = 1e9;
/** Amounts in sentences are cut to about six digits. */
const SHOWN_TO_SOL = 0.001;

// One profile and three windows, one after the other: each test goes on from where the one before it left off.
describe('Rebalancing by mouse in real windows', function () {
  let profile: string;
  let editor: Editor;
  let sidebar: Sidebar;
  let quick: QuickInput;
  let dialog: Dialog;
  let world: World;

  before(async () => {
    profile = await mkdtemp(join(tmpdir(), 'binsight-'));
    await open();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') {
      await editor.screenshot(`failed ${this.currentTest.title}`);
    }
  });

  after(async () => {
    await editor.stop();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  });

  it('A rebalance from its row centers an out-of-range position on the price, with one click in one question', async () => {
    const before = await world.estate();
    // Below the totals.
    const row = sidebar.rows('Positions').nth(1);
    assert.match((await row.getAttribute('aria-label')) ?? '', /^POPKAT\/SOL, out of range, /);
    await sidebar.pressIn(row, /Rebalance Position/);
    assert.match(
      await dialog.text(),
      /Rebalance POPKAT\/SOL\?\s+You pay: 100% of the position, ≈ \$[\d,.]+\s+You get: about [\d.,]+ SOL[^\n]* of it at least [^\n]* from swaps; the rest is withdrawn as it is[^\n]* SOL rent back\s+Costs: about \$[\d.]+ \(0\.\d+%\)[^]+Re-enters around the price: Spot, \d+ bins/,
    );
    await dialog.press('Sign and Send');
    const done = await told(notification(editor.page, /Rebalance POPKAT\/SOL: .+ re-entered over /));
    assert.match(done, /Value: about \$[\d,.]+\. It is in range and earns fees\. Change in your wallet, with fees and rent: .+ SOL\./);
    await inRange('POPKAT/SOL').waitFor({ timeout: PATIENCE_MS });
    await onceMore(before, figures(done));
  });

  it('Rebalance All rebalances the ticked out-of-range positions and leaves the others unchanged', async () => {
    await moveOutOf('WYFF/SOL', BINS_OUTSIDE);
    await moveOutOf('BONQ/SOL', -BINS_OUTSIDE);
    await sidebar.press('Positions', /Refresh/);
    await outOfRange('WYFF/SOL').waitFor({ timeout: PATIENCE_MS });
    await outOfRange('BONQ/SOL').waitFor({ timeout: PATIENCE_MS });
    const [before, positions] = [await world.estate(), await world.client.opening()];
    await editor.runCommand('Binsight: Rebalance All Out of Range…');
    await quick.at('Rebalance All Out of Range');
    assert.deepEqual([await quick.entries('ticked').count(), await quick.entries('all').count()], [3, 3]);
    await quick.choose('BONQ/SOL');
    await quick.choose('PENGO/SOL');
    assert.equal(await quick.entries('ticked').count(), 1);
    await quick.accept();
    const question = await dialog.text();
    assert.match(question, /Rebalance 1 position\?\s+WYFF\/SOL: estimated return \$[\d,.]+ \([\d.]+ SOL\), Spot\s+Each is closed for SOL/);
    assert.doesNotMatch(question, /BONQ|PENGO/);
    await dialog.press('Rebalance');
    const done = await told(
      notification(editor.page, /Rebalance All Out of Range: 1 of 1\. WYFF\/SOL: [\d.]+\sSOL returned, [\d.]+\sSOL re-entered over /),
    );
    await inRange('WYFF/SOL').waitFor({ timeout: PATIENCE_MS });
    await outOfRange('BONQ/SOL').waitFor({ timeout: PATIENCE_MS });
    const left = positions.filter(({ pairName }) => pairName !== 'WYFF/SOL').map(({ position }) => position);
    await onceMore(before, figures(done), left);
  });

  it('The status bar shows that auto-rebalance is on until its key stops it', async () => {
    assert.equal(await sidebar.automationSign().count(), 0);
    await editor.runCommand('Binsight: Auto-Rebalance, Stop-Loss, Take-Profit…');
    await quick.choose('Start Auto-Rebalance…');
    assert.match(await dialog.text(), /Start auto-rebalance\?\s+Asks you before it rebalances/);
    await dialog.press('Start');
    await sidebar.automationSign().filter({ hasText: 'Auto-rebalance: asks first' }).waitFor({ timeout: PATIENCE_MS });
    await editor.page.keyboard.press('Control+Shift+F8');
    await sidebar.automationSign().waitFor({ state: 'detached', timeout: PATIENCE_MS });
  });

  describe('A window closed between zap-out and zap-in', () => {
    let before: Estate;

    it('The next window asks about the rebalance and does not re-enter if the user declines', async () => {
      before = await closeHalfWay('PENGO/SOL');
      await open();
      const question = await halfWay('PENGO/SOL');
      const closed = await outOf(before, question);
      await question.getByRole('button', { name: "Don't Re-enter" }).click();
      await notification(editor.page, /PENGO\/SOL: Not re-entered; [\d.]+\sSOL returned\./).waitFor({ timeout: PATIENCE_MS });
      await sidebar.unfold('Activity');
      await leftOut().waitFor({ timeout: PATIENCE_MS });
      assert.deepEqual(await world.estate(), closed);
    });

    it('A declined rebalance is not asked about again; another one is re-entered once with what the zap-out returned', async () => {
      before = await closeHalfWay('BONQ/SOL');
      await open();
      const question = await halfWay('BONQ/SOL');
      await outOf(before, question);
      await question.getByRole('button', { name: 'Re-enter', exact: true }).click();
      assert.match(await dialog.text(), /Re-enter BONQ\/SOL\?[^]+buys at least [\d.,]+ BONQ[^]+Deposit: [\d.]+ of [\d.]+ SOL; /);
      await dialog.press('Sign and Send');
      const done = await told(notification(editor.page, /Rebalance BONQ\/SOL: .+ re-entered over .+ It is in range and earns fees\./));
      await inRange('BONQ/SOL').waitFor({ timeout: PATIENCE_MS });
      await onceMore(before, figures(done));
      // All that wait for an answer are asked about at once, and the question stays until it is answered.
      assert.equal(await notification(editor.page, 'PENGO/SOL').count(), 0);
      await sidebar.unfold('Activity');
      await leftOut().waitFor({ timeout: PATIENCE_MS });
      await sidebar.row('Activity', 'Rebalance BONQ/SOL, Sandbox (pretend), Done, ').waitFor({ timeout: PATIENCE_MS });
      assert.equal(await sidebar.row('Activity', 'Rebalance ').count(), 4);
      assert.deepEqual(await world.client.audit(), []);
    });
  });

  /** Opens a window on the profile, and holds the market still. */
  async function open(): Promise<void> {
    editor = await openEditor({ profile });
    sidebar = new Sidebar(editor.page);
    quick = new QuickInput(editor.page);
    dialog = new Dialog(editor.page);
    await sidebar.filled();
    world = new World({ ...(await sandboxOf(profile)), secretKey: '' });
    await control('pause');
  }

  /** Rebalances a position from its row, and ends the window once it is out of the pool and not in again. Gives what there was before. */
  async function closeHalfWay(pair: string): Promise<Estate> {
    const estate = await world.estate();
    await world.client.setFaults({ kind: 'latency', ms: BUILDS_FOR_MS, path: '/pools', method: 'POST' });
    await sidebar.pressIn(outOfRange(pair), /Rebalance Position/);
    await dialog.text();
    await dialog.press('Sign and Send');
    await notification(editor.page, /Zap In, requesting the transactions/).waitFor({ timeout: PATIENCE_MS });
    await editor.stop();
    return estate;
  }

  /** The question about a rebalance that a closed window left half way. */
  async function halfWay(pair: string): Promise<Locator> {
    const question = notification(editor.page, `Rebalance ${pair}: interrupted, the proceeds are in your wallet.`);
    await question.waitFor({ timeout: PATIENCE_MS });
    return question;
  }

  /** Checks that a zap-out has landed, and that a question says what came back of it. Gives what there is now. */
  async function outOf(estate: Estate, question: Locator): Promise<Estate> {
    const now = await world.estate();
    const back = /closed and returned ([\d.]+)\sSOL/.exec(await question.innerText())?.[1];
    assert.ok(
      Math.abs(Number(back) - solBetween(estate, now)) < SHOWN_TO_SOL,
      `${back ?? 'nothing'} SOL came back, and the wallet has ${solBetween(estate, now)} SOL more`,
    );
    assert.deepEqual([now.open.size, [...now.open].filter((address) => !estate.open.has(address))], [estate.open.size - 1, []]);
    return now;
  }

  /**
   * Checks, by the sandbox's own figures, that one position has taken the place of one, and that no more went in than came out.
   * @param kept positions that are to be there as before
   */
  async function onceMore(estate: Estate, { back, again }: ReturnType<typeof figures>, kept: readonly string[] = []): Promise<void> {
    const now = await world.estate();
    const made = [...now.open].filter((address) => !estate.open.has(address));
    assert.deepEqual([made.length, now.open.size], [1, estate.open.size]);
    assert.deepEqual(
      kept.filter((address) => !now.open.has(address)),
      [],
    );
    const position = await world.client.position(made[0] ?? '');
    assert.equal(position?.inRange, true);
    assert.ok(back === undefined || again < back, `${again} SOL went in, and ${String(back)} SOL came back`);
    assert.ok(position.valueNative <= again, `it is worth ${position.valueNative} SOL, and ${again} SOL went in`);
    assert.ok(solBetween(estate, now) >= 0, `the wallet has ${solBetween(estate, now)} SOL more than before`);
  }

  async function control(path: string, body: unknown = {}): Promise<void> {
    good(z.object({}), await world.client.control(path, body));
  }

  /** Moves the price of a position's pool out of its range. `bins`: how far, less than 0 where it falls. */
  async function moveOutOf(pair: string, bins: number): Promise<void> {
    const position = (await world.client.binPositions()).find(({ pairName }) => pairName === pair);
    assert.ok(position);
    const { pool, tickLower, tickUpper } = position;
    await control('active-bin', { pool, binId: (bins < 0 ? tickLower : tickUpper) + bins });
    // The fee of a pool rises with such a move, and a swap that costs more than 2% is a question. It falls again in a quarter of an hour.
    await control('advance', { ms: 15 * 60_000 });
  }

  const inRange = (pair: string) => sidebar.row('Positions', `${pair}, in range, `);
  const outOfRange = (pair: string) => sidebar.row('Positions', `${pair}, out of range, `);
  const leftOut = () => sidebar.row('Activity', 'Rebalance PENGO/SOL, Sandbox (pretend), Not re-entered, ');
});

/** Waits for a notification, and gives what it says. */
async function told(notice: Locator): Promise<string> {
  await notice.waitFor({ timeout: PATIENCE_MS });
  return notice.innerText();
}

/** What came back and what went back in, in SOL, as a notification says it; one about several says only the latter. */
function figures(words: string): { readonly back: number | undefined; readonly again: number } {
  const [back, again] = [/([\d.]+)\sSOL returned/, /([\d.]+)\sSOL re-entered/].map((figure) => figure.exec(words)?.[1]);
  assert.ok(again, words);
  return { back: back === undefined ? undefined : Number(back), again: Number(again) };
}

function solBetween(before: Estate, after: Estate): number {
  return Number(after.lamports - before.lamports) / SOL_LAMPORTS;
}
