import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import * as z from 'zod';
import { type HistoryRequest, overviewToHost } from '../../src/protocol/overview';
import type { PanelId } from '../../src/ui/panels/panelHtml';
import { axeFindings, focusedName, isInTableView, scrollToEnd, standingOut, wearTheme } from '../support/browser/inPage.mjs';
import { openChromium } from '../support/browser/chromium';
import { openEditor } from '../support/browser/openEditor';
import { bringAxe, openPanelPage } from '../support/browser/panelPage';
import { panelFrame, textOf } from '../support/browser/panels';
import { AMBIENT, POOL, ready } from '../support/browser/samples/common';
import { historyOf, OVERVIEW_SAMPLES } from '../support/browser/samples/overview';
import { POOL_SAMPLES } from '../support/browser/samples/pool';
import { POSITION_KEY, POSITION_SAMPLES } from '../support/browser/samples/position';
import { Sidebar } from '../support/browser/sidebar';
import { takeThemes, THEME_IDS, type ThemeId } from '../support/browser/themes';

const PANELS = {
  pool: { subject: POOL, samples: POOL_SAMPLES },
  overview: { subject: '', samples: OVERVIEW_SAMPLES },
  position: { subject: POSITION_KEY, samples: POSITION_SAMPLES },
} as const;
const Saved = z.object({ period: z.string(), currency: z.string(), search: z.string(), columns: z.array(z.string()) });
const WIDTHS = [320, 1_600] as const;
const PAGE_HEIGHT = 900;
/** Pictures for people to look at take most of the time of these tests, so they are taken only on request. */
const TAKES_PICTURES = process.env['BINSIGHT_PICTURES'] === '1';
/** Pictures are as high as the page, up to this. */
const HIGHEST = 4_000;
/** A panel draws in the frame after a change, and its controls take colors in the one after a change of the theme. */
const TWO_FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';
const FOLDER = join('.vscode-test', 'screenshots', 'panels');

// Each state of each panel, in a page of its own with what a theme of the real editor gives to webviews: too many for the editor itself.
describe('The layout of the panels', function () {
  let browser: Browser | undefined;
  let dress: Awaited<ReturnType<typeof takeThemes>>;

  before(async () => {
    if (TAKES_PICTURES) {
      mkdirSync(FOLDER, { recursive: true });
    }
    const editor = await openEditor({});
    try {
      // Its commands are there by then.
      await new Sidebar(editor.page).filled();
      await editor.runCommand('Binsight: Open Overview');
      dress = await takeThemes(editor.page, await panelFrame(editor.page, 'overview'));
    } finally {
      await editor.stop();
    }
    browser = await openChromium();
  });

  after(() => browser?.close());

  for (const [id, { samples }] of Object.entries(PANELS) as [PanelId, (typeof PANELS)[PanelId]][]) {
    Object.keys(samples).forEach((state, place) => {
      // What is the same in every state is seen in all themes once; the other states take turns.
      const themes = state === 'ready' || state === 'plan' ? THEME_IDS : THEME_IDS.slice(place % THEME_IDS.length).slice(0, 1);
      it(`The ${id} panel, ${state}, looks right at 320 and at 1600 px, in ${themes.join(', ')}`, async () => {
        await look(id, state, themes);
      });
    });
  }

  for (const [id, state] of [
    ['overview', 'ready'],
    ['pool', 'plan'],
    ['position', 'ready'],
  ] as const) {
    it(`The ${id} panel looks right at 320 and at 1600 px in Simplified Chinese`, async () => {
      await look(id, state, ['light'], 'zh-cn');
    });
  }

  it('The keyboard operates the period, the currency, the columns and the search', async () => {
    assert.ok(browser !== undefined);
    const panel = await openPanelPage(browser, {
      id: 'overview',
      theme: dress.themes.dark,
      styles: dress.styles,
      size: { width: 1_200, height: 900 },
      messages: OVERVIEW_SAMPLES['ready'] ?? [],
    });
    const { page } = panel;
    try {
      const tabTo = async (name: string): Promise<void> => {
        await page.keyboard.press('Tab');
        assert.equal(await page.evaluate(focusedName), name);
      };
      await page.locator('vscode-radio-group[name=currency] vscode-radio[aria-checked=true]').focus();
      assert.equal(await page.evaluate(focusedName), 'radio USD');
      await page.keyboard.press('ArrowRight');
      assert.equal(await page.evaluate(focusedName), 'radio SOL');
      await tabTo('button Refresh');
      await page.keyboard.press('Enter');
      assert.ok((await panel.posted()).some(({ kind }) => kind === 'refresh'));
      await page.locator('vscode-radio-group[name=period] vscode-radio[aria-checked=true]').focus();
      assert.equal(await page.evaluate(focusedName), 'radio 1M');
      await page.keyboard.press('ArrowRight');
      assert.equal(await page.evaluate(focusedName), 'radio 3M');
      assert.deepEqual(
        (await panel.posted()).filter(({ kind }) => kind === 'period'),
        [{ kind: 'period', period: '3M' }],
      );

      await page.locator('.search input').focus();
      await page.keyboard.type('bonq');
      await page.locator('#history[aria-busy=true]').waitFor();
      await page.evaluate(TWO_FRAMES);
      const asked = overviewToHost.parse((await panel.posted()).findLast(({ kind }) => kind === 'historyRows'));
      assert.ok(asked.kind === 'historyRows');
      assert.deepEqual([asked.request.query.search, asked.request.query.currency], ['bonq', 'native']);

      await page.locator('.drop > summary').focus();
      await page.keyboard.press('Enter');
      await tabTo('checkbox Pair');
      await page.keyboard.press('Space');
      await page.locator('vscode-checkbox[aria-checked=false]', { hasText: 'Pair' }).waitFor();
      await page.locator('#history th', { hasText: 'Pair' }).waitFor({ state: 'detached' });
      await page.keyboard.press('Escape');
      await page.locator('.drop[open]').waitFor({ state: 'detached' });
      const { period, currency, search, columns } = Saved.parse(await panel.saved());
      assert.deepEqual(
        { period, currency, search, hasPair: columns.includes('pairName') },
        { period: '3M', currency: 'native', search: 'bonq', hasPair: false },
      );
      assert.deepEqual(panel.errors, []);
    } finally {
      await page.close();
    }
  });

  it('What closed positions really earned is requested for the rows on the screen, once a column shows it, and a cell says why it is not known', async () => {
    assert.ok(browser !== undefined);
    const messages = (OVERVIEW_SAMPLES['ready'] ?? []).filter(({ kind }) => kind !== 'history');
    // Each width in a dark theme and in a light one.
    for (const [width, themes] of [
      [WIDTHS[0], ['dark', 'light']],
      [WIDTHS[1], ['hcDark', 'hcLight']],
    ] as const) {
      const panel = await openPanelPage(browser, {
        id: 'overview',
        theme: dress.themes[themes[0]],
        styles: dress.styles,
        size: { width, height: PAGE_HEIGHT },
        messages: [...messages, { kind: 'history', history: ready(historyOf(40, 40)) }],
        saved: { columns: ['pairName', 'pnl'] },
      });
      const { page } = panel;
      try {
        const table = page.locator('#history');
        await table.locator('tr.row', { hasText: '/SOL' }).first().waitFor();
        const requests = async () =>
          (await panel.posted()).flatMap((one) => (one.kind === 'historyEarnings' ? [overviewToHost.parse(one)] : []));
        assert.deepEqual(await requests(), []);
        await page.locator('.drop > summary').click();
        for (const name of ['Really', 'Difference']) {
          await page.locator('vscode-checkbox', { hasText: name }).click();
        }
        await page.keyboard.press('Escape');
        await page.waitForFunction(`window.standIn.posted.some(({ kind, keys }) => kind === 'historyEarnings' && keys.length > 0)`);
        const asked = (await requests()).at(-1);
        assert.ok(asked?.kind === 'historyEarnings');
        const shown = await table.locator('tr.row').count();
        assert.ok(asked.keys.length > 0 && asked.keys.length <= shown, `${asked.keys.length} of ${shown}`);
        const [first = '', second = ''] = asked.keys;
        await panel.send({
          kind: 'historyEarnings',
          earned: [
            { key: first, earned: { known: true, realSol: -0.25, differenceSol: -0.125 } },
            { key: second, earned: { known: false, why: 'notRead', count: 1, of: 6 } },
          ],
          sums: { really: { sol: -12.25, count: 21 }, difference: { sol: -0.875, count: 20 } },
        });
        await table.locator('tr.row', { hasText: '−0.125 SOL' }).waitFor();
        await table
          .locator('tfoot', { hasText: '−12.25 SOL' })
          .and(table.locator('tfoot', { hasText: '−0.875 SOL' }))
          .waitFor();
        await page.getByText('In sums so far: Really 21, Difference 20, of 40.').waitFor();
        await table.locator('[title*="1 of 6 transactions could not be read"]').first().waitFor();
        // A row below the pointer has another background.
        await page.mouse.move(0, 0);
        await bringAxe(page);
        for (const [turn, theme] of themes.entries()) {
          await page.evaluate(wearTheme, dress.themes[theme]);
          await page.evaluate(TWO_FRAMES);
          assert.deepEqual(await page.evaluate(axeFindings, turn === 0 ? 'all' : 'colors'), []);
          if (TAKES_PICTURES) {
            await table.scrollIntoViewIfNeeded();
            await page.screenshot({ path: join(FOLDER, `earned-${theme}-${width}.png`) });
          }
        }
        assert.deepEqual(panel.errors, []);
      } finally {
        await page.close();
      }
    }
  });

  it('The last of 100,000 closed positions is reached by scrolling and by keyboard', async () => {
    assert.ok(browser !== undefined);
    const count = 100_000;
    const history = (request?: HistoryRequest) => ({ kind: 'history', history: ready(historyOf(count, count, request)) });
    const panel = await openPanelPage(browser, {
      id: 'overview',
      theme: dress.themes.dark,
      styles: dress.styles,
      size: { width: 1_200, height: 900 },
      messages: [...(OVERVIEW_SAMPLES['long'] ?? []).filter(({ kind }) => kind !== 'history'), history()],
    });
    const { page } = panel;
    try {
      let answered = 1;
      /** Answers requests for rows until this one is there; the pair's name shows that the answer has it. */
      const arrivesAt = async (index: number, state = ''): Promise<void> => {
        const row = page.locator(`#history tr[aria-rowindex="${index + 2}"]${state}`);
        await row.waitFor();
        await page.waitForFunction(`window.standIn.posted.some(({ request }) => request?.id > ${answered})`);
        const asked = overviewToHost.parse((await panel.posted()).findLast(({ kind }) => kind === 'historyRows'));
        assert.ok(asked.kind === 'historyRows');
        const { from, count: wanted } = asked.request;
        assert.ok(from <= index && index < from + wanted, `row ${index} is requested: ${from} and ${wanted} more`);
        answered = asked.request.id;
        await panel.send(history(asked.request));
        await row.filter({ hasText: '/SOL' }).waitFor();
        assert.equal(await row.evaluate(isInTableView), true, `row ${index} is in view`);
      };
      const table = page.locator('#history');
      await table.locator('tr.row', { hasText: '/SOL' }).first().waitFor();
      assert.equal(await table.getAttribute('aria-rowcount'), String(count + 1));
      const region = page.locator('.table-region').last();
      await region.scrollIntoViewIfNeeded();
      await region.evaluate(scrollToEnd);
      await arrivesAt(count - 1);
      await region.focus();
      await page.keyboard.press('Control+Home');
      await arrivesAt(0, ':focus');
      await page.keyboard.press('Control+End');
      await arrivesAt(count - 1, ':focus');
      for (const key of ['PageUp', 'PageDown', 'PageDown']) {
        await page.keyboard.press(key);
      }
      await table.locator(`tr[aria-rowindex="${count + 1}"]:focus`).waitFor();
      assert.deepEqual(panel.errors, []);
    } finally {
      await page.close();
    }
  });

  it("A plan gives an upper bound of the rent where neither today's rent nor all bin arrays are known", async () => {
    assert.ok(browser !== undefined);
    const panel = await openPanelPage(browser, {
      id: 'pool',
      theme: dress.themes.dark,
      styles: dress.styles,
      size: { width: 1_200, height: 900 },
      messages: POOL_SAMPLES['planWithoutRpc'] ?? [],
      subject: POOL,
    });
    try {
      const row = panel.page.locator('.plan-facts > div', { hasText: 'New bin arrays' });
      assert.equal(await textOf(row), 'New bin arrays\nat most 0.10428224 SOL\n1–2 new, non-refundable');
    } finally {
      await panel.page.close();
    }
  });

  it('A plan shows its outlook and the rule of its fees, takes a range in percent, and warns of high slippage', async () => {
    assert.ok(browser !== undefined);
    const panel = await openPanelPage(browser, {
      id: 'pool',
      theme: dress.themes.dark,
      styles: dress.styles,
      size: { width: 1_200, height: 900 },
      messages: POOL_SAMPLES['plan'] ?? [],
      subject: POOL,
    });
    try {
      const { page } = panel;
      await page.locator('#plan-range').fill('-2% +2%');
      await page.locator('#plan-amount').fill('2');
      await page.locator('#plan-slippage').fill('20');
      await page.locator('#plan-slippage').blur();
      // The panel draws with the next frame.
      await page.locator('.outlook-facts > div', { hasText: 'Costs covered after' }).waitFor();
      assert.equal(await page.locator('#plan-range').inputValue(), '-2.17% +2.02%');
      assert.equal(await page.locator('#plan-fromBin').inputValue(), '−4123');
      assert.match(
        await textOf(page.locator('.outlook-facts')),
        /^In range\n≈ [\d.]+%\n[\d.]+% to [\d.]+%\nLeaves the range after\n≈ .+\n[\d.]+% never within 24h\nFees\n≈ \$[\d.]+\n\$[\d.]+ to \$[\d.]+ · [\d.]+% of the liquidity on the price's way × \$[\d,.]+ a day\nLoss to price moves\n≈ −\$[\d.]+\n/,
      );
      await page.locator('.outlook-widths > summary').click();
      const width = page.locator('.outlook-widths tbody button').first();
      const half = Number((await textOf(width)).slice(1));
      await width.click();
      await page.locator('.outlook-widths button[aria-pressed=true]', { hasText: `±${half}` }).waitFor();
      assert.equal(await page.locator('#plan-fromBin').inputValue(), `−${4112 + half}`);
      assert.equal(await page.locator('#plan-toBin').inputValue(), `−${4112 - half}`);
      assert.match(await textOf(page.locator('.plan-warning', { hasText: 'slippage' })), /20% worse/);
      assert.match(await textOf(page.locator('.legend-plan')), /^Your plan \(not to scale\)$/);
      const add = page.getByRole('button', { name: 'Add to Open Position…' });
      await add.waitFor();
      assert.equal(await add.isDisabled(), false);
      if (TAKES_PICTURES) {
        for (const width of [1_200, ...WIDTHS]) {
          await page.setViewportSize({ width, height: PAGE_HEIGHT });
          await takePicture(page, width, `pool filled plan ${width}`);
        }
        assert.deepEqual(await settled(page, () => page.evaluate(standingOut)), []);
      }
    } finally {
      await panel.page.close();
    }
  });

  it('A panel offers an explorer only outside of the sandbox, and a pool in error keeps its name', async () => {
    assert.ok(browser !== undefined);
    const options = { theme: dress.themes.dark, styles: dress.styles, size: { width: 1_200, height: 900 } };
    for (const [id, name] of [
      ['pool', 'Open in Explorer'],
      ['position', 'Open in Explorer'],
    ] as const) {
      const { subject, samples } = PANELS[id];
      const panel = await openPanelPage(browser, { ...options, id, subject, messages: samples.ready ?? [] });
      const button = panel.page.getByRole('button', { name });
      assert.equal(await button.count(), 0);
      await panel.send({ kind: 'ambient', ambient: { ...AMBIENT, isSandbox: false, hasExplorer: true } });
      await button.waitFor();
      await panel.page.close();
    }
    const failed = await openPanelPage(browser, { ...options, id: 'pool', subject: POOL, messages: POOL_SAMPLES['failed'] ?? [] });
    await failed.page.locator('h1', { hasText: 'BONQ/SOL' }).waitFor();
    await failed.page.close();
  });

  it('The panel of a position in a pool of an unknown type offers no zap-out, and says why', async () => {
    assert.ok(browser !== undefined);
    const { subject, samples } = PANELS.position;
    const messages = samples['empty'] ?? [];
    const options = { theme: dress.themes.dark, styles: dress.styles, size: { width: 1_200, height: 900 } };
    const { page } = await openPanelPage(browser, { ...options, id: 'position', subject, messages });
    await page.locator('.disabled-reason', { hasText: 'Binsight supports only Meteora DLMM and DAMM v2 pools' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Zap Out…' }).isDisabled(), true);
    await page.close();
  });

  /** Shows one state of a panel in all its themes and widths, in one page, as a window that changes its theme and is resized. */
  async function look(id: PanelId, state: string, themes: readonly ThemeId[], language?: string): Promise<void> {
    const { subject, samples } = PANELS[id];
    assert.ok(browser !== undefined);
    const panel = await openPanelPage(browser, {
      id,
      theme: dress.themes[themes[0] ?? 'dark'],
      styles: dress.styles,
      size: { width: WIDTHS[0], height: PAGE_HEIGHT },
      messages: samples[state] ?? [],
      subject,
      ...(language === undefined ? {} : { language, translations: await translationsOf(language) }),
    });
    const { page } = panel;
    try {
      await page.locator('#root > main > *').first().waitFor();
      if (language !== undefined) {
        await panel.send({ kind: 'ambient', ambient: { ...AMBIENT, locale: language } });
      }
      await bringAxe(page);
      for (const [turn, theme] of themes.entries()) {
        await page.evaluate(wearTheme, dress.themes[theme]);
        for (const width of WIDTHS) {
          const what = [id, state, theme, width, language].filter((part) => part !== undefined).join(' ');
          await page.setViewportSize({ width, height: PAGE_HEIGHT });
          await page.evaluate(TWO_FRAMES);
          if (TAKES_PICTURES) {
            await takePicture(page, width, what);
          }
          // axe takes most of the time, and finds the same at both widths in nearly all cases: they take turns. In further themes only colors differ.
          const isExamined = width === WIDTHS[(state.length + turn) % WIDTHS.length];
          assert.deepEqual(
            {
              errors: panel.errors,
              violations: await panel.violations(),
              standingOut: await settled(page, () => page.evaluate(standingOut)),
              axe: isExamined ? await page.evaluate(axeFindings, turn < WIDTHS.length ? 'all' : 'colors') : [],
            },
            { errors: [], violations: [], standingOut: [], axe: [] },
            what,
          );
        }
      }
    } finally {
      await page.close();
    }
  }
});

async function translationsOf(language: string): Promise<Readonly<Record<string, string>>> {
  return z.record(z.string(), z.string()).parse(JSON.parse(await readFile(join('media', 'l10n', `bundle.l10n.${language}.json`), 'utf8')));
}

/** Frames in which pictures follow a new width: a resize is reported in one, and drawn in the next. A busy machine takes more. */
const MOST_FRAMES = 30;

/** What stands out once the pictures have followed the width. */
async function settled(page: Page, look: () => Promise<readonly string[]>): Promise<readonly string[]> {
  let found = await look();
  for (let frame = 0; frame < MOST_FRAMES && found.length > 0; frame += 1) {
    await page.evaluate('new Promise((done) => requestAnimationFrame(done))');
    found = await look();
  }
  return found;
}

/** Takes a picture of the whole page. */
async function takePicture(page: Page, width: number, name: string): Promise<void> {
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  await page.setViewportSize({ width, height: Math.min(Math.max(height, PAGE_HEIGHT), HIGHEST) });
  await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: 'disabled', caret: 'hide' });
}
