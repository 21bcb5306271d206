// The output of `npm run bench -- panels`: the size of the panels, how soon they appear in a real editor, and their frame rate during fast input.
// Figures depend on this machine and its load, with a Chromium without a graphics card; nothing is asserted.
import { readFileSync } from 'node:fs';
import type { Browser, CDPSession, Page } from 'playwright-core';
import type { PanelId } from '../../src/ui/panels/panelHtml';
import { openChromium } from '../support/browser/chromium';
import { framesNoted, noteFrames, sendOver, stylesOfPage, themeOfPage, type Theme } from '../support/browser/inPage.mjs';
import { openEditor } from '../support/browser/openEditor';
import { openPanelPage, type PanelPage } from '../support/browser/panelPage';
import { closeEditors, panelFrame } from '../support/browser/panels';
import { POOL, ready } from '../support/browser/samples/common';
import { OVERVIEW_SAMPLES } from '../support/browser/samples/overview';
import { POOL_SAMPLES, poolOf } from '../support/browser/samples/pool';
import { POSITION_KEY, POSITION_SAMPLES } from '../support/browser/samples/position';
import { Sidebar } from '../support/browser/sidebar';
import { PATIENCE_MS } from '../support/patience';
import { reportRow } from '../host/benchRows.mjs';
import { milliseconds, quantile } from './figures';
import { loadingHistory } from './historyLoad';

const PANELS: readonly PanelId[] = ['pool', 'overview', 'position'];
const SIZE = { width: 1_200, height: 900 };
/** Number of times that each panel is opened. */
const OPENINGS = 6;
const UPDATES = 1_000;
/** Number of updates after which everything that is created only once (styles, fonts, caches) exists. */
const WARM_UP = 100;
const MOVES = 240;
/** Milliseconds. A longer frame counts as missed, at 60 frames per second. */
const MISSED_MS = 20;

interface Output {
  readonly imports: readonly { readonly path: string; readonly kind: string }[];
  readonly bytes: number;
}

/** Bytes of a panel's script with all static imports, and of its style sheet. */
function weights(id: PanelId): readonly [number, number] {
  const { outputs } = JSON.parse(readFileSync('dist/webview.meta.json', 'utf8')) as { outputs: Readonly<Record<string, Output>> };
  const loaded = new Set<string>();
  const load = (path: string): void => {
    if (!loaded.has(path)) {
      loaded.add(path);
      outputs[path]?.imports.filter(({ kind }) => kind === 'import-statement').forEach((next) => load(next.path));
    }
  };
  load(`dist/webview/${id}.js`);
  return [[...loaded].reduce((sum, path) => sum + (outputs[path]?.bytes ?? 0), 0), outputs[`dist/webview/${id}.css`]?.bytes ?? 0];
}

for (const id of PANELS) {
  const [script, style] = weights(id);
  reportRow({
    what: `${id}: size`,
    result: `${(script / 1000).toFixed(1)} kB of script, ${(style / 1000).toFixed(1)} kB of styles`,
    how: 'loaded at its start, by the metafile of the build',
  });
}

const { theme, styles } = await openings();
const browser = await openChromium();
try {
  await panning(browser);
  await scrolling(browser);
  await loadingHistory(() => openSample(browser, 'overview', []));
  for (const id of PANELS) {
    await updating(browser, id);
  }
} finally {
  await browser.close();
}

/** Time until panels appear in a real editor: the first paint, and the first paint with figures. */
async function openings(): Promise<{ readonly theme: Theme; readonly styles: string }> {
  const editor = await openEditor({});
  try {
    const { page } = editor;
    const sidebar = new Sidebar(page);
    await sidebar.filled();
    // The first start opens the overview by itself: its first opening here is the second one.
    await panelFrame(page, 'overview');
    await closeEditors(page);
    const panelOpenings: readonly (readonly [PanelId, string, () => Promise<number>])[] = [
      ['overview', '.card .figure', () => byCommand(page, 'Binsight: Open Overview')],
      ['pool', '.distribution-picture', async () => byClick(page, sidebar)],
      ['position', '.card .figure', () => byCommand(page, 'Binsight: Open Position', true)],
    ];
    let look: { readonly theme: Theme; readonly styles: string } | undefined;
    for (const [id, figures, open] of panelOpenings) {
      const [first, whole]: [number[], number[]] = [[], []];
      for (let time = 0; time < OPENINGS; time += 1) {
        const from = await open();
        const frame = await panelFrame(page, id);
        await frame.locator(figures).first().waitFor({ timeout: PATIENCE_MS });
        whole.push((await now(page)) - from);
        first.push(
          (await frame.evaluate<number>(
            "performance.timeOrigin + (performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN)",
          )) - from,
        );
        look = { theme: await frame.evaluate(themeOfPage), styles: await frame.evaluate(stylesOfPage) };
        await closeEditors(page);
      }
      reportRow({
        what: `${id}: first paint with figures`,
        beside: `first paint: ${timesText(first)}`,
        result: timesText(whole),
        how: `after the command, in an editor, median of ${OPENINGS} openings`,
      });
    }
    if (look === undefined) {
      throw new Error('No panel was opened.');
    }
    return look;
  } finally {
    await editor.stop();
  }
}

/** The first time, which loads everything, and the others. */
function timesText([first = NaN, ...others]: readonly number[]): string {
  return `${milliseconds(first)} the first time, then ${milliseconds(quantile(others, 0.5))} (at most ${milliseconds(Math.max(...others))})`;
}

/** Milliseconds since 1970, with fractions: the same clock in all frames. */
function now(page: Page): Promise<number> {
  return page.evaluate<number>('performance.timeOrigin + performance.now()');
}

/** Runs a command from the palette. @param picks whether the command shows a list, of which the first entry is taken. @returns the time of the last key press */
async function byCommand(page: Page, title: string, picks = false): Promise<number> {
  const list = page.locator('.quick-input-widget');
  await page.keyboard.press('F1');
  await list.locator('input[type=text]').fill(`>${title}`);
  await list.locator('.monaco-list-row.focused', { hasText: title }).waitFor();
  if (picks) {
    await page.keyboard.press('Enter');
    await list.locator('.quick-input-title').waitFor();
    await list.locator('.monaco-list-row.focused').waitFor();
  }
  const from = await now(page);
  await page.keyboard.press('Enter');
  return from;
}

/** Opens a pool by clicking on its row. */
async function byClick(page: Page, sidebar: Sidebar): Promise<number> {
  const row = sidebar.rows('Pools').first();
  await row.hover();
  const from = await now(page);
  await row.click();
  return from;
}

function openSample(of: Browser, id: PanelId, messages: readonly unknown[]): Promise<PanelPage> {
  const subject = { pool: POOL, overview: '', position: POSITION_KEY }[id];
  return openPanelPage(of, { id, theme, styles, size: SIZE, messages, subject, hasFixedTime: false });
}

/** Drags across the distribution of 1,400 bins, with all of them visible, and zoomed in. */
async function panning(of: Browser): Promise<void> {
  const { page } = await openSample(of, 'pool', POOL_SAMPLES['wide'] ?? []);
  const plot = page.locator('.distribution-plot');
  await plot.scrollIntoViewIfNeeded();
  await page.getByRole('button', { name: 'Show All Bins' }).click();
  const drag = async (what: string): Promise<void> => {
    const { x, y, width, height } = (await plot.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    const frames = await framesDuring(page, async () => {
      for (let move = 1; move <= MOVES; move += 1) {
        await page.mouse.move(x + width / 2 + (width / 3) * Math.sin(move / 20), y + height / 2);
      }
    });
    await page.mouse.up();
    reportFrames(what, frames);
  };
  await drag('Dragging 1,400 bins, all visible');
  await page.getByRole('button', { name: 'Zoom In' }).click();
  await drag('Dragging 1,400 bins, two thirds of them visible');
  await page.mouse.wheel(0, 0);
  const frames = await framesDuring(page, async () => {
    for (let turn = 0; turn < MOVES / 2; turn += 1) {
      await page.mouse.wheel((turn % 40 < 20 ? 1 : -1) * 30, 0);
    }
  });
  reportFrames('Moving 1,400 bins by wheel, two thirds of them visible', frames);
  await page.close();
}

/** Scrolls a table of 10,000 rows to its end and back. */
async function scrolling(of: Browser): Promise<void> {
  const { page } = await openSample(of, 'overview', OVERVIEW_SAMPLES['long'] ?? []);
  const table = page.locator('.table-region').last();
  await table.scrollIntoViewIfNeeded();
  await table.hover();
  for (const [what, pixels] of [
    ['Scrolling 10,000 rows by wheel', 240],
    ['Scrolling 10,000 rows by wheel, faster', 4_000],
  ] as const) {
    const frames = await framesDuring(page, async () => {
      for (let turn = 0; turn < MOVES / 2; turn += 1) {
        await page.mouse.wheel(0, turn < MOVES / 4 ? pixels : -pixels);
      }
    });
    reportFrames(what, frames);
  }
  await page.close();
}

/** The milliseconds between frames during an action. */
async function framesDuring(page: Page, work: () => Promise<void>): Promise<readonly number[]> {
  await page.evaluate(noteFrames);
  await work();
  return page.evaluate(framesNoted);
}

function reportFrames(what: string, frames: readonly number[]): void {
  const missed = frames.filter((ms) => ms > MISSED_MS).length;
  const seconds = frames.reduce((sum, ms) => sum + ms, 0) / 1000;
  reportRow({
    what,
    result: `${(frames.length / seconds).toFixed(1)} frames a second, median ${milliseconds(quantile(frames, 0.5))}, 99 % within ${milliseconds(quantile(frames, 0.99))}`,
    how: `${missed} of ${frames.length} frames over ${MISSED_MS} ms, Chromium without a graphics card`,
  });
}

/** Memory of a panel after its first updates, and after a thousand more. */
async function updating(of: Browser, id: PanelId): Promise<void> {
  const samples = { pool: POOL_SAMPLES, overview: OVERVIEW_SAMPLES, position: POSITION_SAMPLES }[id];
  const usual = samples['ready'] ?? [];
  const { page } = await openSample(of, id, usual);
  const memory = await page.context().newCDPSession(page);
  const messages = id === 'pool' ? [...usual, ...[200, 210, 220, 230].map((bins) => ({ kind: 'pool', pool: ready(poolOf(bins)) }))] : usual;
  await page.evaluate(sendOver, { messages, count: WARM_UP });
  const before = await held(memory);
  const from = performance.now();
  await page.evaluate(sendOver, { messages, count: UPDATES });
  const ms = performance.now() - from;
  const after = await held(memory);
  const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(2)} MB`;
  reportRow({
    what: `${id}: memory after ${UPDATES} updates`,
    beside: `before: ${megabytes(before.bytes)}, ${before.nodes} nodes, ${before.listeners} listeners`,
    result: `${megabytes(after.bytes)}, ${after.nodes} nodes, ${after.listeners} listeners`,
    how: `after garbage collection; the updates took ${milliseconds(ms)}`,
  });
  await page.close();
}

/** The memory that remains after garbage collection. */
async function held(memory: CDPSession): Promise<{ readonly bytes: number; readonly nodes: number; readonly listeners: number }> {
  await memory.send('HeapProfiler.collectGarbage');
  const { usedSize } = await memory.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners } = await memory.send('Memory.getDOMCounters');
  return { bytes: usedSize, nodes, listeners: jsEventListeners };
}
