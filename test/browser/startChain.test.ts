import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Browser, Page } from 'playwright-core';
import { programFolder } from '../host/programFiles.mjs';
import { openChromium } from '../support/browser/chromium';
import { Sidebar } from '../support/browser/sidebar';
import { PATIENCE_MS } from '../support/patience';

describe('npm start -- --chain', function () {
  let start: ChildProcess | undefined;
  let browser: Browser | undefined;
  let page: Page;

  before(async function () {
    if (programFolder() === undefined) {
      this.skip();
    }
    // What the other tests use is not built again under them.
    start = spawn(process.execPath, ['test/host/start.mjs', '--chain', '--browser', '--no-open', '--no-build', '--port', '0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [address, opened] = await Promise.all([addressFrom(start), openChromium()]);
    browser = opened;
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(address);
  });

  after(async () => {
    await browser?.close();
    if (start?.exitCode === null) {
      const ended = once(start, 'exit');
      start.kill('SIGINT');
      await ended;
    }
  });

  it('The window is connected to the chain: it shows the five positions of its wallet, which can sign', async () => {
    const rows = new Sidebar(page).rows('Positions').and(page.locator('[aria-label*="Value: "]'));
    await rows.nth(5).waitFor({ timeout: PATIENCE_MS });
    // The sum over the positions, and each of them.
    assert.equal(await rows.count(), 6);
    assert.match((await rows.first().getAttribute('aria-label')) ?? '', /^Total of 5, PnL: /);
    await page.locator('.pane-header[aria-label^="Positions"]').hover();
    await page
      .getByRole('button', { name: /^Zap In…/ })
      .first()
      .waitFor({ timeout: PATIENCE_MS });
  });
});

/** The address that the program prints once the window can be opened. */
async function addressFrom({ stdout }: ChildProcess): Promise<string> {
  assert.ok(stdout !== null);
  const said: string[] = [];
  for await (const line of createInterface(stdout)) {
    const [address] = /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(line) ?? [];
    said.push(line);
    if (address !== undefined) {
      stdout.resume();
      return address;
    }
  }
  throw new Error(`npm start ended without an address.\n${said.join('\n')}`);
}
