import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Frame } from 'playwright-core';
import * as z from 'zod';
import { World } from '../crash/world';
import type { Editor } from '../host/browserEditor.mjs';
import { axeFindings, figuresShown, rowsShown, standingOut } from '../support/browser/inPage.mjs';
import { openEditor } from '../support/browser/openEditor';
import { bringAxe } from '../support/browser/panelPage';
import { activeTab, chooseEditor, closeEditors, panelFrame, textOf } from '../support/browser/panels';
import { sandboxOf } from '../support/browser/sandboxOf';
import { overviewExpected, poolExpected, positionExpected, priceExpected, type Expected } from '../support/browser/serviceFigures';
import { Dialog, notification, QuickInput, Sidebar } from '../support/browser/sidebar';
import { chooseTheme, themeOf } from '../support/browser/themes';
import { PATIENCE_MS } from '../support/patience';

const Historical = z.object({
  data: z.object({ data: z.array(z.looseObject({ pairName: z.string() })), pagination: z.looseObject({ totalCount: z.int() }) }),
});
const Lpers = z.object({ data: z.array(z.looseObject({ owner: z.string() })), pagination: z.looseObject({ totalPages: z.int() }) });
const Discovered = z.object({ data: z.array(z.object({ pool: z.string(), pairName: z.string() })) });
const Exported = z.array(z.looseObject({}));
const THEME = 'hcLight';
/** A panel that reads what is new shows it within this time. */
const FIGURES_MS = 20_000;
/** It is asked to read again so often. */
const READ_AGAIN_MS = 2_000;

// One profile and its windows, one after the other: each test goes on from where the one before it left off. The market stands still, so that
// what is shown can be held against what the service says a moment later.
describe('The panels in a real window', function () {
  let profile: string;
  let editor: Editor;
  let sidebar: Sidebar;
  let quick: QuickInput;
  let dialog: Dialog;
  let world: World;
  let pool = { address: '', pair: 'JUPP/SOL' };

  before(async () => {
    profile = await mkdtemp(join(tmpdir(), 'binsight-'));
    await open();
    await findWorld();
    await sidebar.press('Positions', /Refresh/);
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

  describe('The overview panel', () => {
    it('A click on the status bar opens the overview with the figures of the service, per period and currency', async () => {
      await sidebar.statusBar().click();
      const frame = await panelFrame(editor.page, 'overview');
      await read(frame);
      await shows(frame, () => overview('1M', 'usd'));
      for (const period of ['7D', '3M', '1Y', 'YTD', 'ALL'] as const) {
        await frame.locator(`vscode-radio-group[name=period] vscode-radio[value="${period}"]`).click();
        await shows(frame, () => overview(period, 'usd'));
      }
      await frame.locator('vscode-radio-group[name=currency] vscode-radio[value=native]').click();
      await shows(frame, () => overview('ALL', 'native'));
      await frame.locator('vscode-radio-group[name=currency] vscode-radio[value=usd]').click();
    });

    it('Closed positions match the service, load more on scroll, and can be sorted and searched', async () => {
      const frame = await panelFrame(editor.page, 'overview');
      const first = await historical(1);
      const table = frame.locator('#history');
      await table.scrollIntoViewIfNeeded();
      assert.deepEqual(
        (await rows(frame)).slice(0, 10).map(([pair]) => plainPair(pair)),
        first.data.slice(0, 10).map(({ pairName }) => pairName),
      );
      assert.equal(await table.getAttribute('aria-rowcount'), String(first.pagination.totalCount + 1));

      await frame.locator('.table-region').hover();
      await frame
        .locator('.table-region')
        .evaluate((region: { scrollTop: number; scrollHeight: number }) => (region.scrollTop = region.scrollHeight));
      if (first.pagination.totalCount > first.data.length) {
        await frame
          .locator('.history-footer', { hasText: new RegExp(`^\\s*(?!${first.data.length} of )\\S.* positions`) })
          .waitFor({ timeout: PATIENCE_MS });
      }
      if ((await frame.locator('vscode-button', { hasText: 'Load All' }).count()) > 0) {
        await frame.locator('vscode-button', { hasText: 'Load All' }).click();
      }
      await frame
        .locator('.history-footer', { hasText: new RegExp(`^\\s*${first.pagination.totalCount.toLocaleString('en')} positions\\s*$`) })
        .waitFor({ timeout: PATIENCE_MS });

      await frame
        .locator('#history th', { hasText: /^\s*PnL\s*$/ })
        .getByRole('button')
        .click();
      await until('the rows sorted by PnL, largest first', async () => {
        const pnls = (await rows(frame)).map(([, , , , , , pnl]) => Number(pnl?.replace('−', '-').replaceAll(/[^\d.-]/g, '')));
        return pnls.length > 5 && pnls.every((pnl, index) => index === 0 || pnl <= (pnls[index - 1] ?? NaN));
      });

      const pair = first.data[0]?.pairName ?? '';
      const search = frame.locator('.search input');
      await search.fill(pair);
      await frame.locator('.history-footer', { hasText: /found/ }).waitFor();
      assert.deepEqual([...new Set((await rows(frame)).map(([name]) => plainPair(name)))], [pair]);
      await search.fill('');
    });

    it('The export contains all closed positions, including those that the panel does not show', async () => {
      const frame = await panelFrame(editor.page, 'overview');
      const { pagination } = await historical(1);
      const count = pagination.totalCount.toLocaleString('en');
      await frame.locator('vscode-button', { hasText: 'Export JSON' }).click();
      await quick.at(`Save ${count} positions`);
      await until('a name is offered', async () => (await quick.field.inputValue()).endsWith('.json'));
      const file = await quick.field.inputValue();
      assert.equal(dirname(file), profile);
      await quick.accept();
      await notification(editor.page, `Exported ${count} positions to ${basename(file)}.`).waitFor({ timeout: PATIENCE_MS });
      const exported: unknown = JSON.parse(await readFile(file, 'utf8'));
      assert.equal(Exported.parse(exported).length, pagination.totalCount);
    });
  });

  describe('The pool panel', () => {
    it('A click on its row opens the pool with the figures of the service', async () => {
      await sidebar.rows('Pools').filter({ hasText: pool.pair }).first().click();
      const frame = await panelFrame(editor.page, 'pool');
      pool = { ...pool, address: await frame.locator('body').evaluate((body: { dataset: { subject: string } }) => body.dataset.subject) };
      await read(frame);
      assert.match(await activeTab(editor.page).innerText(), new RegExp(`^${escaped(pool.pair)}`));
      await showsPool(frame);
      assert.match(await textOf(frame.locator('.price-figure')), new RegExp(`=\\s${escaped(priceExpected((await info()).body))}\\s`));
    });

    it('A pool that the list does not show is found by typing its name', async () => {
      const shown = await sidebar.rows('Pools').allInnerTexts();
      const all = Discovered.parse((await world.client.get('/pools/discover?pageSize=100')).body).data;
      const { pairName, pool: wanted } = all.find((one) => !shown.some((text) => text.includes(one.pairName))) ?? assert.fail();
      await editor.runCommand('Binsight: Open Pool');
      await quick.at('Open Pool');
      await quick.field.fill(pairName);
      await quick.choose(wanted);
      await panelFrame(editor.page, 'pool', wanted);
      await sidebar.rows('Pools').filter({ hasText: pool.pair }).first().click();
      await showsPool(await panelFrame(editor.page, 'pool', pool.address));
    });

    it('The keyboard reads the liquidity bin by bin, and a table lists all bins', async () => {
      const frame = await panelFrame(editor.page, 'pool');
      const active = await world.client.activeBin(pool.address);
      const cursor = frame.getByRole('slider', { name: 'Liquidity' });
      await cursor.focus();
      assert.equal(await cursor.getAttribute('aria-valuenow'), String(active));
      await editor.page.keyboard.press('ArrowRight');
      await until('the next bin', async () => (await cursor.getAttribute('aria-valuenow')) === String(active + 1));
      assert.match((await cursor.getAttribute('aria-valuetext')) ?? '', /bin .*SOL/i);
      await editor.page.keyboard.press('0');
      await until('the active bin again', async () => (await cursor.getAttribute('aria-valuenow')) === String(active));
      await frame.locator('.distribution-card summary').click();
      await frame.locator('.distribution-card table tbody tr').first().waitFor();
      await frame.locator('.distribution-card summary').click();
    });

    it('The top LPers are paged and sorted by the service', async () => {
      const frame = await panelFrame(editor.page, 'pool');
      const table = frame.locator('#top-lpers');
      await table.scrollIntoViewIfNeeded();
      const owners = async (): Promise<readonly string[]> =>
        table.locator('tbody .address').evaluateAll((cells: { title: string }[]) => cells.map(({ title }) => title));
      const isPage = (what: string, orderBy: string, order: string, page: number) =>
        until(what, async () => {
          const [shown, service] = [await owners(), await lpers(orderBy, order, page)];
          return shown.length > 0 && shown.every((owner, index) => owner === service.data[index]?.owner);
        });
      await isPage('the first page', 'total_pnl', 'desc', 1);
      await table.getByRole('button', { name: 'Fees', exact: true }).click();
      await isPage('by fees', 'total_fee', 'desc', 1);
      const next = frame.getByRole('button', { name: 'Next Page' });
      if (await next.isEnabled()) {
        await next.click();
        await isPage('the second page', 'total_fee', 'desc', 2);
      }
    });
  });

  describe('The position panel', () => {
    it('The position panel shows the figures of the service', async () => {
      await editor.runCommand('Binsight: Open Position');
      await quick.choose('POPKAT/SOL');
      const frame = await panelFrame(editor.page, 'position');
      await read(frame);
      const address = (await world.client.opening()).find(({ pairName }) => pairName === 'POPKAT/SOL')?.position ?? '';
      await shows(frame, async () =>
        positionExpected((await world.client.get('/lp-positions/opening', { owner: world.sandbox.owner })).body, address),
      );
      await frame.getByText('Out of range', { exact: true }).first().waitFor();
      await frame.locator('[aria-labelledby=events-title] li, .events li').first().waitFor();
    });

    it('A zap-out of a position is confirmed only in the dialog of the extension', async () => {
      const frame = await panelFrame(editor.page, 'position');
      await frame.locator('vscode-button', { hasText: 'Zap Out' }).click();
      await quick.at('Zap Out');
      await quick.escape();
    });
  });

  describe('All panels', () => {
    // In one theme, which is not the first one. panelLayout.test.ts looks at all states in all themes, in plain pages.
    it('The panels pass the accessibility checks and fit the page in a theme of high contrast', async () => {
      await chooseTheme(editor.page, THEME);
      for (const panel of ['overview', 'pool', 'position'] as const) {
        await chooseEditor(editor.page, { overview: 'Overview', pool: pool.pair, position: 'POPKAT/SOL' }[panel]);
        const frame = await panelFrame(editor.page, panel);
        await read(frame);
        await themeOf(frame, THEME);
        await editor.screenshot(`panel ${panel} ${THEME}`);
        await bringAxe(frame);
        assert.deepEqual(await frame.evaluate(axeFindings, 'all'), [], panel);
        assert.deepEqual(await frame.evaluate(standingOut), [], panel);
      }
    });

    it('Panels and their state are restored after the window is reloaded', async () => {
      await editor.page.reload();
      await sidebar.filled();
      // Where the window takes longer than the sandbox waits for one, another process serves the world.
      await findWorld();
      await chooseEditor(editor.page, 'Overview');
      const overviewFrame = await panelFrame(editor.page, 'overview');
      await read(overviewFrame);
      assert.equal(
        await overviewFrame.locator('vscode-radio-group[name=period] vscode-radio[aria-checked=true]').getAttribute('value'),
        'ALL',
      );
      assert.equal(
        await overviewFrame
          .locator('#history th[aria-sort=descending]')
          .innerText()
          .then((text) => text.trim()),
        'PnL',
      );
      await shows(overviewFrame, () => overview('ALL', 'usd'));
      await chooseEditor(editor.page, pool.pair);
      const poolFrame = await panelFrame(editor.page, 'pool');
      await read(poolFrame);
      await showsPool(poolFrame);
      assert.equal(
        await poolFrame
          .locator('#top-lpers th[aria-sort=descending]')
          .innerText()
          .then((text) => text.trim()),
        'Fees',
      );
    });

    it('Panels mark their figures as stale while the service is down and refresh them when it is back', async () => {
      await chooseEditor(editor.page, pool.pair);
      const frame = await panelFrame(editor.page, 'pool');
      await read(frame);
      await world.client.setFaults({ kind: 'status', status: 503 });
      await frame.getByRole('button', { name: 'Refresh' }).click();
      const banner = frame
        .locator('.banner')
        .filter({ hasText: /Last updated \d/ })
        .first();
      await banner.waitFor({ timeout: PATIENCE_MS });
      await editor.screenshot('panel pool stale');
      await world.client.setFaults();
      await banner.locator('vscode-button').click();
      await banner.waitFor({ state: 'detached', timeout: PATIENCE_MS });
      await showsPool(frame);
    });
  });

  describe('Planning in the pool panel', () => {
    it('A plan is dragged, handed over, reviewed natively, and lands as a position that the panel shows', async () => {
      await chooseEditor(editor.page, pool.pair);
      const frame = await panelFrame(editor.page, 'pool');
      assert.equal((await world.client.control('resume')).status, 200);
      const active = await world.client.activeBin(pool.address);
      const before = await sidebar.positionsOf(pool.pair).count();
      await frame.locator('vscode-button', { hasText: 'Zap In…' }).click();
      await frame.getByRole('button', { name: '±10' }).click();
      const upper = frame.getByLabel('Bin', { exact: true }).nth(1);
      await until('the range ±10', async () => Math.abs(binOf(await upper.inputValue()) - active - 10) <= 2);
      const from = binOf(await upper.inputValue());

      const grip = frame.locator('[data-grip=to] .plan-touch');
      await grip.scrollIntoViewIfNeeded();
      const box = await grip.boundingBox();
      assert.ok(box !== null);
      await editor.page.mouse.move(box.x + box.width / 2, box.y + box.height * 0.6);
      await editor.page.mouse.down();
      await editor.page.mouse.move(box.x + box.width / 2 + 60, box.y + box.height * 0.6, { steps: 6 });
      await editor.page.mouse.up();
      await until('the end is dragged', async () => binOf(await upper.inputValue()) > from);
      const to = binOf(await upper.inputValue());
      await editor.page.keyboard.press('ArrowLeft');
      await until('by keyboard, a bin back', async () => binOf(await upper.inputValue()) === to - 1);
      const width = to - binOf(await frame.getByLabel('Bin', { exact: true }).first().inputValue());

      await frame.getByLabel('SOL to deposit').fill('a lot');
      await until('the error at the field', async () => (await frame.getByLabel('SOL to deposit').getAttribute('aria-invalid')) === 'true');
      await frame.getByLabel('SOL to deposit').fill('0.75');
      await editor.screenshot('panel pool plan');
      await frame.locator('vscode-button', { hasText: 'Continue' }).click();
      const question = await dialog.text();
      assert.match(question, new RegExp(`Zap 0\\.75 SOL into ${escaped(pool.pair)}\\?`));
      assert.match(question, /You pay: at most 0\.75 SOL/);
      await dialog.press('Sign and Send');
      await notification(editor.page, new RegExp(`Zap .+ into ${escaped(pool.pair)}: done\\. `)).waitFor({ timeout: PATIENCE_MS });
      await sidebar.positionsOf(pool.pair).nth(before).waitFor({ timeout: PATIENCE_MS });
      await until(
        'the new range on the chart',
        async () =>
          (await frame
            .locator('.own-list > *, .own-ranges > *')
            .filter({ hasText: `${width} bins` })
            .count()) > 0,
      );
    });

    it('Stop Planning ends the plan and returns the panel to viewing', async () => {
      const frame = await panelFrame(editor.page, 'pool');
      await frame.locator('vscode-button', { hasText: 'Zap In…' }).click();
      await frame.locator('vscode-button', { hasText: 'Stop Planning' }).click();
      await frame.locator('[data-grip=to]').waitFor({ state: 'detached' });
      await closeEditors(editor.page);
    });
  });

  async function open(): Promise<void> {
    // What is saved is offered to be saved at home.
    editor = await openEditor({ profile, env: { ...process.env, HOME: profile } });
    sidebar = new Sidebar(editor.page);
    quick = new QuickInput(editor.page);
    dialog = new Dialog(editor.page);
    await sidebar.filled();
  }

  /** Waits until a panel has read everything. */
  async function read(frame: Frame): Promise<void> {
    await frame.locator('.card .figure, .tiles .figure').first().waitFor({ timeout: PATIENCE_MS });
    await until('nothing is being read', async () => (await frame.locator('.skeleton').count()) === 0);
  }

  /**
   * Waits until a panel shows what the service says; else says what is different. Some figures are of the last minutes, whatever the market
   * does: what is shown has to be one of the answers since this began, whole.
   */
  async function shows(frame: Frame, expected: () => Promise<Expected>): Promise<void> {
    const answers: Expected[] = [];
    let shown: Expected = {};
    let readAt = 0;
    const isSo = async (): Promise<boolean> => {
      answers.push(await expected());
      const all = await frame.evaluate(figuresShown);
      shown = Object.fromEntries(Object.keys(answers[0] ?? {}).map((name) => [name, all[name] ?? 'not there']));
      if (answers.some((answer) => Object.entries(answer).every(([name, value]) => shown[name] === value))) {
        return true;
      }
      if (Date.now() - readAt > READ_AGAIN_MS) {
        readAt = Date.now();
        await frame.locator('vscode-button:has(.codicon-refresh)').first().click();
      }
      return false;
    };
    await until('the figures of the service', isSo, FIGURES_MS).catch((error: unknown) => {
      assert.deepEqual(shown, answers.at(-1));
      throw error;
    });
    assert.ok(Object.keys(shown).length > 10);
  }

  /** Finds the sandbox of the window, and stops its time. */
  async function findWorld(): Promise<void> {
    world = new World({ ...(await sandboxOf(profile)), secretKey: '' });
    assert.equal((await world.client.control('pause')).status, 200);
  }

  /** A listed pool is shown as it is listed: the list is read first. */
  async function showsPool(frame: Frame): Promise<void> {
    await editor.runCommand('Binsight: Refresh');
    await shows(frame, async () => poolExpected((await info()).body, await discovered(), pool.address));
  }

  const rows = (frame: Frame): Promise<readonly (readonly string[])[]> => frame.locator('#history').evaluate(rowsShown);

  async function overview(period: Parameters<typeof overviewExpected>[1], currency: 'usd' | 'native'): Promise<Expected> {
    const of = async (protocol: string): Promise<unknown> =>
      (await world.client.get('/lp-positions/overview', { owner: world.sandbox.owner, protocol })).body;
    return overviewExpected({ dlmm: await of('meteora'), dammV2: await of('meteora_damm_v2') }, period, currency);
  }

  const info = () => world.client.get(`/pools/${pool.address}/info`);

  async function discovered(): Promise<unknown> {
    return (await world.client.get('/pools/discover', { search: pool.address })).body;
  }

  async function historical(page: number): Promise<z.output<typeof Historical>['data']> {
    return Historical.parse((await world.client.get('/lp-positions/historical', { owner: world.sandbox.owner, page, limit: 100 })).body)
      .data;
  }

  async function lpers(orderBy: string, order: string, page: number): Promise<z.output<typeof Lpers>> {
    return Lpers.parse(
      (await world.client.get(`/pools/${pool.address}/top-lpers`, { order_by: orderBy, sort_order: order, page, limit: 20 })).body,
    );
  }
});

/** Asks again and again until it is so. @throws where it is not within the time */
async function until(what: string, isSo: () => Promise<boolean>, withinMs = PATIENCE_MS): Promise<void> {
  const end = Date.now() + withinMs;
  while (!(await isSo())) {
    if (Date.now() > end) {
      throw new Error(`Not within ${withinMs} ms: ${what}`);
    }
    await new Promise((done) => setTimeout(done, 50));
  }
}

/** A bin's number, as it is written. */
function binOf(text: string): number {
  return Number(text.replace('−', '-').replaceAll(',', ''));
}

/** The pair of a row, without the wallet that it follows. */
function plainPair(cell: string | undefined): string {
  return /^\S+/.exec(cell ?? '')?.[0] ?? '';
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
