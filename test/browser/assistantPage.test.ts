import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Frame, Page } from 'playwright-core';
import { openChromium } from '../support/browser/chromium';
import { askedOfHost, colorOf, hostPage } from '../support/browser/inPage.mjs';

/** What a host has to enforce for a page that declares no domains (MCP Apps, 2026-01-26). */
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'";

const MONEY = { usd: 12.5, sol: 0.0625 };
const POSITION = {
  pair: { untrusted: '<img src=x onerror="document.title=1"> Approved' },
  range: { lowerBinId: -386, upperBinId: -376 },
  activeBinId: -350,
  status: 'outOfRange',
  value: MONEY,
  uncollectedFees: MONEY,
  pnl: {},
  isOutdated: true,
  isPretendMoney: true,
};
const PLAN = {
  amountSol: 0.25,
  range: { lowerBinId: -384, upperBinId: -316, bins: 69, activeBinId: -350, takes: 'both tokens' },
  positionRentSol: 0.057,
  isPositionRentRefundable: true,
  isRentUpperBound: true,
  newBinArraysRentSol: 0,
  mostNetworkFeesSol: 0.01,
  staysInWalletSol: 1.7,
  isAffordable: false,
};

describe('The picture of a range for hosts of assistants', () => {
  let browser: Browser;
  before(async () => {
    browser = await openChromium();
  });
  after(() => browser.close());

  /** The picture in a host that has handed it an answer (`undefined`: that the call was cancelled), and what it asked of the host. */
  async function open(
    result: object | undefined,
  ): Promise<{ readonly page: Page; readonly frame: Frame; readonly asked: ReadonlySet<string> }> {
    const html = await readFile(join('src', 'mcp', 'rangeApp.html'), 'utf8');
    const page = await browser.newPage();
    await page.evaluate(hostPage, {
      html: html.replace('<head>', `<head><meta http-equiv="Content-Security-Policy" content="${POLICY}" />`),
      result,
    });
    const asked = await (await page.waitForFunction(askedOfHost)).jsonValue();
    const frame = page.frames()[1];
    assert.ok(frame !== undefined);
    return { page, frame, asked: new Set(asked) };
  }

  it('A position is drawn with its range, price and figures; names from outside are text, and only figures that are known are shown', async () => {
    const { page, frame, asked } = await open({ structuredContent: POSITION });
    assert.equal(await frame.locator('h1').textContent(), POSITION.pair.untrusted);
    assert.equal(await frame.locator('img').count(), 0);
    assert.equal(await frame.locator('svg').getAttribute('aria-label'), 'Bins -386 to -376 (11 bins), active bin -350: out of range.');
    assert.deepEqual(await frame.locator('svg text').allTextContents(), ['price']);
    assert.deepEqual(await frame.locator('dt').allTextContents(), ['Value', 'Can be claimed']);
    assert.equal(await frame.locator('dd').first().textContent(), '$12.50 · 0.0625 SOL');
    assert.match(
      (await frame.locator('main').textContent()) ?? '',
      /Pretend money of the sandbox\..*Out of range: earns no fees\..*These figures are outdated\./,
    );
    // In the colors of the host, and it asks the host for nothing but room.
    assert.equal(await frame.locator('h1').evaluate(colorOf), 'rgb(1, 2, 3)');
    assert.deepEqual([...asked].sort(), ['ui/initialize', 'ui/notifications/initialized', 'ui/notifications/size-changed']);
    await page.close();
  });

  it('Where prices are known, the range is in dollars, and nothing says pretend money of a real wallet', async () => {
    const priceRangeUsd = { lower: 0.0002214, current: 0.0003012, upper: 0.0002301 };
    const { page, frame } = await open({ structuredContent: { ...POSITION, priceRangeUsd, isPretendMoney: false } });
    assert.equal(
      await frame.locator('svg').getAttribute('aria-label'),
      '$0.0002214 to $0.0002301 (11 bins), price $0.0003012: out of range.',
    );
    assert.doesNotMatch((await frame.locator('main').textContent()) ?? '', /Pretend/);
    await page.close();
  });

  it('A plan is drawn with its costs, and says if the wallet cannot pay it', async () => {
    const { page, frame } = await open({ structuredContent: PLAN });
    assert.equal(await frame.locator('svg').getAttribute('aria-label'), 'Bins -384 to -316 (69 bins), active bin -350: in range.');
    assert.equal(await frame.locator('dt').count(), 6);
    assert.deepEqual((await frame.locator('dt').allTextContents()).slice(2, 4), ['Position rent (refundable)', 'Bin array rent, at most']);
    assert.match((await frame.locator('main').textContent()) ?? '', /does not have enough SOL/);
    await page.close();
  });

  it('After a cancelled call it does not wait any longer', async () => {
    const { page, frame } = await open(undefined);
    assert.equal(await frame.locator('main').textContent(), 'The question was cancelled.');
    await page.close();
  });

  it('A refusal is no picture', async () => {
    const { page, frame } = await open({ isError: true, content: [{ type: 'text', text: '{}' }] });
    assert.equal(await frame.locator('svg').count(), 0);
    assert.match((await frame.locator('main').textContent()) ?? '', /could not answer/);
    await page.close();
  });
});
