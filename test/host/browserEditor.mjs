import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium } from './chromium.mjs';
import { Ending } from './ending.mjs';
import { vscodeFromNpm } from './hostCache.mjs';
import { projectRoot, runFolder } from './paths.mjs';
import { endProcessesIn } from './processes.mjs';
import { makeProfile, STILL_SETTINGS } from './profile.mjs';
import { startServerHost } from './serverHost.mjs';
import { createTeller } from './tell.mjs';

const CHROMIUM_SWITCHES = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--force-prefers-reduced-motion'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];
const USUAL_SIZE = { width: 1280, height: 800 };
/** The first window of a fresh cache is the slow one. */
const WORKBENCH_LIMIT_MS = 60_000;
/** Until the command palette is open. Then it is opened again, so many times in all. */
const PALETTE_LIMIT_MS = 5_000;
const PALETTE_ATTEMPTS = 6;
const KEPT_LINES = 400;
const LONGEST_LINE = 300;
/** Style codes that the workbench puts into its console lines. */
const FORMATTING = /%c|color: #[0-9a-f]{3} /g;
/** The server's native modules are not built (hostCache.mjs); it does without, and complains at length each time. */
const MISSING_MODULE = /Could not locate the bindings file|Cannot find module '[^']*build\/Release/;
/** What went without a word is not waited for: here no window ever comes back. */
const RECONNECT_SECONDS = 10;

/**
 * Ends what VS Code moves without end, such as the bars and circles of progress, at once, in spite of its settings: for as long as it is on the screen, the processor would draw each frame of it.
 * What moves once still comes to its end, and says so.
 */
function stopMotion() {
  const styles = new CSSStyleSheet();
  styles.replaceSync('*, ::before, ::after { animation-duration: 1ms !important; animation-iteration-count: 1 !important; }');
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, styles];
}

/**
 * Opens the VS Code from npm in a Chromium with the extension loaded, and waits until its workbench stands. Every editor has
 * a profile of its own, which is gone afterwards. browserEditor.d.mts has the types.
 */
export async function openEditor({
  ending = new Ending(),
  tell = createTeller(process.stderr),
  extension = projectRoot,
  vsix,
  workspace,
  settings = {},
  size = USUAL_SIZE,
  scale = 1,
  env = process.env,
  profile,
  tests,
  pageFunctions = {},
} = {}) {
  const vscode = await vscodeFromNpm(ending, tell);
  const chromium = await findChromium(ending, tell);
  const { chromium: playwright } = await import('playwright-core');

  const undo = new Ending();
  const forget = ending.add(() => undo.end());
  const stop = async () => {
    await undo.end();
    forget();
  };
  /** Tells what happened unless it was meant to. */
  const unlessEnding = (what) => (undo.isEnding ? new Promise(() => undefined) : what);
  try {
    // Short: the server makes sockets in it, whose paths may have about a hundred characters.
    const own = mkdtempSync(join(tmpdir(), 'binsight-'));
    undo.add(() => rmSync(own, { recursive: true, force: true, maxRetries: 5 }));
    undo.add(() => endProcessesIn(own));
    const profileFolder = profile ?? join(own, 'profile');
    const workspaceFolder = workspace ?? join(own, 'workspace');
    mkdirSync(workspaceFolder, { recursive: true });
    makeProfile(profileFolder, { ...STILL_SETTINGS, ...settings });

    const host = await startServerHost(undo, vscode, {
      ...{ profile: profileFolder, workspace: workspaceFolder, extension, vsix, tests, env },
      reconnectSeconds: RECONNECT_SECONDS,
    });
    const browser = await playwright.launch({
      executablePath: chromium.executablePath,
      args: CHROMIUM_SWITCHES,
      env: { ...process.env, ...chromium.env },
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
    undo.add(() => browser.close());
    const page = await browser.newPage({ viewport: size, deviceScaleFactor: scale });
    const lines = keepConsole(page);
    await page.addInitScript(stopMotion);
    for (const [name, call] of Object.entries(pageFunctions)) await page.exposeFunction(name, call);

    await page.goto(host.address);
    await page.locator('.monaco-workbench .part.statusbar .statusbar-item').first().waitFor({ timeout: WORKBENCH_LIMIT_MS });
    const broken = Promise.race([
      host.ended.then((log) => unlessEnding(`The VS Code server ended by itself.\n${log}`)),
      new Promise((resolve) => browser.once('disconnected', () => resolve(unlessEnding('Chromium ended by itself.')))),
      new Promise((resolve) => page.once('crash', () => resolve(unlessEnding('The page crashed.')))),
    ]);
    return {
      ...{ page, address: host.address, profile: profileFolder, broken, stop },
      consoleLines: () => [...lines],
      screenshot: (name, folder) => screenshot(page, name, folder),
      runCommand: (title) => runCommand(page, title),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The end of what the page, and through it the extension host, wrote to the console: of each message its first line. */
function keepConsole(page) {
  const lines = [];
  page.on('console', (message) => {
    const [line = ''] = message.text().replace(FORMATTING, '').split('\n');
    if (MISSING_MODULE.test(line)) return;
    lines.push(line.slice(0, LONGEST_LINE));
    if (lines.length > KEPT_LINES) lines.shift();
  });
  return lines;
}

async function screenshot(page, name, folder = join(runFolder, 'screenshots')) {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  return path;
}

async function runCommand(page, title) {
  const input = page.locator('.quick-input-widget input[type=text]');
  const row = page.locator('.quick-input-list .monaco-list-row.focused', { hasText: title });
  // A dialog that is just closing takes the focus back, and the palette closes without the focus.
  for (let attempt = 1; ; attempt += 1) {
    await page.keyboard.press('F1');
    try {
      await input.fill(`>${title}`, { timeout: PALETTE_LIMIT_MS });
      await row.waitFor({ timeout: PALETTE_LIMIT_MS });
      break;
    } catch (error) {
      if (attempt === PALETTE_ATTEMPTS) throw error;
    }
  }
  await page.keyboard.press('Enter');
}
