// `npm run screenshots [-- --folder DIR] [--scene NAME] [--theme dark|light|contrast]`: the pictures of the README and of the walkthrough, made from the running extension
// and the sandbox. Each editor has a fresh profile, so the market is the one of the sandbox's usual seed. Scenes and themes that the README does
// not show are taken if they are named.
import { requireNode } from './nodeVersion.mjs';

requireNode();
const { spawn } = await import('node:child_process');
const { mkdirSync, readFileSync } = await import('node:fs');
const { join, resolve } = await import('node:path');
const { createInterface } = await import('node:readline');
const { parseArgs } = await import('node:util');
const { openEditor } = await import('./browserEditor.mjs');
const { runToEnd } = await import('./ending.mjs');
const { projectRoot } = await import('./paths.mjs');
const { prepareProject } = await import('./prepare.mjs');
const { writeSmallPicture } = await import('./smallPicture.mjs');
const { createTeller } = await import('./tell.mjs');

const SIZE = { width: 1200, height: 750 };
/** A plan is under the liquidity that it is laid over. */
const TALL = { width: 1200, height: 1150 };
/** Sharp on a screen with two device pixels for each CSS pixel. */
const SCALE = 2;
const THEMES = { dark: 'Default Dark Modern', light: 'Default Light Modern', contrast: 'Default High Contrast' };
const QUOTE_IS_YOUNG_MS = 6_000;
/** Earlier, an answer to a modal question does not count (src/ui/shell/prompts/modalQuestions.ts). */
const ANSWER_DELAY_MS = 500;
/** The sandbox starts with the first window. */
const DATA_LIMIT_MS = 240_000;

const tell = createTeller();

/** Wide enough for a row to be read to its end. */
const SIDE_BAR_WIDTH = 620;

/** Drags the edge of the side bar. */
async function widenSideBar(page) {
  const { x, y, width, height } = await page.locator('.part.sidebar').boundingBox();
  await page.mouse.move(x + width, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + SIDE_BAR_WIDTH, y + height / 2, { steps: 5 });
  await page.mouse.up();
}

/** Opens the views, and waits until both have something in them. */
async function showNarrowViews({ page }) {
  const tab = page.locator('.part.activitybar').getByRole('tab', { name: /^Binsight/ });
  await tab.waitFor({ timeout: DATA_LIMIT_MS });
  if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click();
  for (const view of ['Positions', 'Pools']) {
    await page.locator(`.pane:has(.pane-header[aria-label^="${view}"]) .monaco-list-row`).first().waitFor({ timeout: DATA_LIMIT_MS });
  }
}

/** The same, with room for whole rows, and the overview beside them. */
async function showViews(editor) {
  const { page } = editor;
  await showNarrowViews(editor);
  await editor.runCommand('Binsight: Open Overview');
  await inPanel(page).getByRole('figure').first().waitFor({ timeout: DATA_LIMIT_MS });
  await widenSideBar(page);
  // Away from everything that would explain itself, and until it has stopped.
  await page.mouse.move(SIZE.width - 100, SIZE.height / 2);
  await page.locator('.workbench-hover:visible').waitFor({ state: 'hidden' });
}

/** Goes through a zap-out up to what is said of its transactions; each step takes what is suggested. */
async function askZapOut({ page }) {
  const row = page.locator('.monaco-list-row[aria-label^="PENGO/SOL"]').first();
  await row.hover();
  await row.locator('.action-label[aria-label*="Zap Out"]').click();
  for (const step of ['(1/3)', '(2/3)', '(3/3)']) {
    await page.locator('.quick-input-title', { hasText: step }).waitFor();
    await page.keyboard.press('Enter');
  }
  await page.locator('.monaco-dialog-box').waitFor({ timeout: DATA_LIMIT_MS });
}

async function showConfirmation(editor) {
  await showViews(editor);
  await askZapOut(editor);
}

/** Presses a button of a modal question, once its answer counts. */
async function pressInDialog(page, hasText) {
  const button = page.locator('.monaco-dialog-box .monaco-button', { hasText });
  await button.waitFor({ timeout: DATA_LIMIT_MS });
  await page.waitForTimeout(ANSWER_DELAY_MS);
  await button.click();
}

/** Everything about the transactions, with the way back to the question. */
async function showDetails(editor) {
  await showConfirmation(editor);
  const { page } = editor;
  await pressInDialog(page, 'Show Details');
  await inPanel(page).getByRole('heading', { level: 1 }).waitFor({ timeout: DATA_LIMIT_MS });
  await page.locator('.quick-input-widget', { hasText: 'Back to Confirmation' }).waitFor();
}

/** What auto-rebalance would do. */
async function showDryRun(editor) {
  await showNarrowViews(editor);
  await editor.runCommand('Binsight: Auto-Rebalance, Stop-Loss, Take-Profit…');
  await editor.page.locator('.quick-input-list-row', { hasText: 'Preview (Dry Run)' }).click();
  await editor.runCommand('View: Close Primary Side Bar');
  await inPanel(editor.page).getByRole('heading', { name: 'Auto-rebalance dry run' }).waitFor({ timeout: DATA_LIMIT_MS });
}

/** Asks the sandbox of an editor, also its admin API. */
async function askSandbox({ profile }, path, content, method = 'POST') {
  const file = join(profile, 'User', 'globalStorage', 'binsight.binsight', 'sandbox', 'sandbox.json');
  const { url, apiKey, owner } = JSON.parse(readFileSync(file, 'utf8'));
  const body = content === undefined ? {} : { method, body: JSON.stringify(content) };
  const answer = await fetch(new URL(path.replace('OWNER', owner), url), { headers: { 'x-api-key': apiKey }, ...body });
  if (!answer.ok) {
    throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
  }
  return answer.json();
}

/** The same with a service that was taken over: some SOL is to go to a stranger. */
async function showStopped(editor) {
  await showViews(editor);
  await askSandbox(editor, '/sandbox/faults', { faults: [{ kind: 'hostile', attack: 'sendSol' }] }, 'PUT');
  await askZapOut(editor);
}

/** What an assistant outside of VS Code proposes, by way of dist/mcp.js. */
async function showProposal(editor) {
  await showViews(editor);
  const sessions = join(editor.profile, 'User', 'globalStorage', 'binsight.binsight', 'assistants');
  const server = spawn(process.execPath, [join(projectRoot, 'dist/mcp.js'), '--sessions', sessions], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const call = async (name, input) => {
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
    const params = { _meta, name, arguments: input };
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`);
    const { result } = JSON.parse((await lines.next()).value);
    return JSON.parse(result.content[0].text);
  };
  try {
    const { positions } = await call('binsight_positions', {});
    const { position } = positions.find(({ pair }) => pair.untrusted === 'PENGO/SOL');
    await call('binsight_propose_zap_out', { position, sharePercent: 50, maxSlippagePercent: 1 });
    await editor.page.locator('.monaco-dialog-box').waitFor({ timeout: DATA_LIMIT_MS });
  } finally {
    server.stdin.end();
  }
}

/** A question that comes back: what it showed has expired, and the new quote is worse. */
async function showWorse(editor) {
  await showConfirmation(editor);
  const { page } = editor;
  const { data } = await askSandbox(editor, '/open-api/v1/lp-positions/opening?owner=OWNER');
  const { pool } = data.find(({ pairName }) => pairName === 'PENGO/SOL');
  await askSandbox(editor, '/sandbox/shock', { pool, percent: -2 });
  await askSandbox(editor, '/sandbox/advance', { ms: 60_000 });
  // Before it is due, no RPC is asked about a quote (src/transactions/run/quote.ts).
  await page.waitForTimeout(QUOTE_IS_YOUNG_MS);
  await pressInDialog(page, 'Sign and Send');
  await page.locator('.monaco-dialog-box', { hasText: 'worse' }).waitFor({ timeout: DATA_LIMIT_MS });
  // The countdown is beside the question.
  await page.locator('.notification-toast', { hasText: 'holds for' }).waitFor({ timeout: DATA_LIMIT_MS });
}

/** What a rebalance does, before any of it is signed. */
async function showRebalance(editor) {
  await showViews(editor);
  const { page } = editor;
  const row = page.locator('.monaco-list-row[aria-label^="POPKAT/SOL, out of range"]').first();
  await row.hover();
  await row.locator('.action-label[aria-label*="Rebalance Position"]').click();
  // Away before the question comes: what lies under it does not notice the mouse any more.
  await page.mouse.move(SIZE.width - 250, 150);
  await page.locator('.workbench-hover:visible').waitFor({ state: 'hidden' });
  await page.locator('.monaco-dialog-box').waitFor({ timeout: DATA_LIMIT_MS });
}

/** What a panel shows: its page is a frame within a frame. */
const inPanel = (page) => page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');

/** A position as it is planned, over the liquidity of its pool. */
async function showPlan(editor) {
  const { page } = editor;
  await showViews(editor);
  await page.locator('.pane:has(.pane-header[aria-label^="Pools"]) .monaco-list-row[aria-label^="BONQ/SOL"]').first().click();
  const panel = inPanel(page);
  await panel.getByRole('button', { name: 'Zap In…' }).click({ timeout: DATA_LIMIT_MS });
  await editor.runCommand('View: Close Primary Side Bar');
  await panel.getByRole('button', { name: '25%' }).click();
  await panel.locator('#root h1').first().scrollIntoViewIfNeeded();
}

/** What a position holds and how it has done. */
async function showPosition(editor) {
  await showViews(editor);
  await editor.runCommand('Binsight: Open Position');
  await editor.page.locator('.quick-input-list .monaco-list-row', { hasText: 'PENGO/SOL' }).first().click();
  await inPanel(editor.page).locator('.position-main').waitFor({ timeout: DATA_LIMIT_MS });
  await editor.runCommand('View: Close Primary Side Bar');
}

/** How the wallet has done. */
async function showOverview(editor) {
  await showViews(editor);
  await editor.page.locator('.statusbar-item[id$="binsight.pnl"]').click();
  await inPanel(editor.page).getByRole('figure').first().waitFor({ timeout: DATA_LIMIT_MS });
  await editor.runCommand('View: Close Primary Side Bar');
}

/** The services to choose from, after one that cannot be reached was chosen. */
async function showServices(editor) {
  const { page } = editor;
  await showViews(editor);
  const answer = async (text) => {
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  };
  await editor.runCommand('Binsight: Connect to Service…');
  await page.locator('.quick-input-widget', { hasText: 'LP Agent' }).waitFor();
  await answer('Other');
  await page.locator('.quick-input-widget', { hasText: 'version path' }).waitFor();
  await answer('http://127.0.0.1:9/v1');
  await page.locator('.quick-input-title', { hasText: 'API Key' }).waitFor();
  await answer('made-up-key');
  await pressInDialog(page, 'Save Anyway');
  await page.locator('.notification-toast', { hasText: 'Use the Sandbox' }).waitFor({ timeout: DATA_LIMIT_MS });
  await editor.runCommand('Binsight: Connect to Service…');
  await page.locator('.quick-input-widget', { hasText: 'in use' }).waitFor();
}

/** What the status bar says of the service and its requests. */
async function showStatus(editor) {
  await showViews(editor);
  await editor.page.locator('.statusbar-item[id$="binsight.pnl"]').hover();
  await editor.page.locator('.workbench-hover', { hasText: 'Requests' }).waitFor({ timeout: DATA_LIMIT_MS });
}

/** A notice of a position that left its range, over the settings of notices. */
async function showNotice(editor) {
  await showViews(editor);
  const { page } = editor;
  const { data } = await askSandbox(editor, '/open-api/v1/lp-positions/opening?owner=OWNER');
  const { pool } = data.find(({ pairName }) => pairName === 'BONQ/SOL');
  await askSandbox(editor, '/sandbox/pause', {});
  await askSandbox(editor, '/sandbox/shock', { pool, percent: -50 });
  const outOfRange = page.locator('.monaco-list-row[aria-label^="BONQ/SOL, out of range"]').first();
  await editor.runCommand('Binsight: Refresh');
  await outOfRange.waitFor({ timeout: DATA_LIMIT_MS });
  await editor.runCommand('Binsight: Refresh');
  await page.locator('.notification-toast', { hasText: 'left its range' }).waitFor({ timeout: DATA_LIMIT_MS });
  await editor.runCommand('Preferences: Open Settings (UI)');
  await page.locator('.settings-editor .suggest-input-container').waitFor({ timeout: DATA_LIMIT_MS });
  await page.keyboard.type('binsight.notifications');
  await page.locator('.setting-item-contents', { hasText: 'Left Range' }).first().waitFor({ timeout: DATA_LIMIT_MS });
}

/** @type {Readonly<Record<string, { readonly width: number, readonly height: number }>>} of which pictures the window has another size */
const SIZES = { pool: TALL, position: TALL };

/** @type {Readonly<Record<string, (editor: import('./browserEditor.mjs').Editor) => Promise<void>>>} by the picture's name, how to get there */
const SCENES = {
  views: showViews,
  'narrow-views': showNarrowViews,
  pool: showPlan,
  overview: showOverview,
  position: showPosition,
  'zap-out': showConfirmation,
  rebalance: showRebalance,
  stopped: showStopped,
  worse: showWorse,
  details: showDetails,
  'dry-run': showDryRun,
  proposal: showProposal,
  services: showServices,
  status: showStatus,
  notice: showNotice,
};
/** @type {Readonly<Record<string, Readonly<Record<string, unknown>>>>} settings that a picture needs */
const SETTINGS = { proposal: { 'binsight.assistants.enabled': true } };
const IN_README = { scenes: ['views', 'pool', 'overview', 'zap-out', 'rebalance', 'stopped'], themes: ['dark', 'light'] };

await runToEnd(async (ending) => {
  const names = { type: 'string', multiple: true };
  const { values } = parseArgs({ options: { folder: { type: 'string', default: 'media' }, scene: names, theme: names } });
  const { scene: scenes = IN_README.scenes, theme: themes = IN_README.themes } = values;
  const folder = resolve(projectRoot, values.folder);
  await prepareProject(ending, tell);
  for (const [theme, colorTheme] of Object.entries(THEMES).filter(([name]) => themes.includes(name))) {
    for (const [scene, arrange] of Object.entries(SCENES).filter(([name]) => scenes.includes(name))) {
      await tell.step(`Taking ${scene}-${theme}.png`, async () => {
        const editor = await openEditor({
          ending,
          tell,
          size: SIZES[scene] ?? SIZE,
          scale: SCALE,
          settings: { 'workbench.colorTheme': colorTheme, ...SETTINGS[scene] },
        });
        await arrange(editor);
        const picture = await editor.screenshot(`${scene}-${theme}`, folder);
        if (IN_README.scenes.includes(scene) && IN_README.themes.includes(theme)) {
          mkdirSync(join(folder, 'walkthrough'), { recursive: true });
          await writeSmallPicture(editor.page, picture, join(folder, 'walkthrough', `${scene}-${theme}.webp`));
        }
        await editor.stop();
      });
    }
  }
  return 0;
});
