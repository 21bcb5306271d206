import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { CDPSession, Page } from 'playwright-core';
import * as z from 'zod';
import { scrollToEnd, sendOver } from '../support/browser/inPage.mjs';
import type { PanelPage } from '../support/browser/panelPage';
import { addressOf } from '../support/portfolio/fixtures';
import { reportRow } from '../host/benchRows.mjs';
import { milliseconds } from './figures';

/** Closed positions of the wallet: as many as are kept. */
const COUNT = 100_000;
const PAIRS = ['POPKAT/SOL', 'JUPP/SOL', 'WYFF/SOL', 'BONQ/SOL', 'PENGO/SOL', 'USDX/SOL'];
const HOUR_MS = 3_600_000;
/** Milliseconds; the whole load takes a minute or two. */
const PATIENCE_MS = 600_000;

const Figures = z.object({
  longestMs: z.number(),
  turn: z.optional(z.object({ ownMs: z.number(), processorMs: z.number() })),
  peakBytes: z.number(),
  heldBytes: z.number(),
});
type HostFigures = z.output<typeof Figures>;

/** Loads 100,000 closed positions in the overview, sorts, searches and scrolls them: the longest tasks on both sides, and the memory. */
export async function loadingHistory(open: () => Promise<PanelPage>): Promise<void> {
  const server = createServer(({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://bench.test');
    const data = pathname.endsWith('/historical') ? historical(Number(searchParams.get('page')), Number(searchParams.get('limit'))) : [];
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ status: 'success', data }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = new Host(addressIn(server));
  const { page } = await open();
  try {
    await connect(page, host);
    const memory = await page.context().newCDPSession(page);
    const footer = (text: string | RegExp) => page.locator('.history-footer', { hasText: text }).waitFor({ timeout: PATIENCE_MS });
    await footer('100 of 100,000');
    await page.locator('.history-footer').scrollIntoViewIfNeeded();
    await measured('Loading 100,000 closed positions', page, host, memory, async () => {
      await page.getByRole('button', { name: 'Load All' }).click();
      await footer(/^\s*100,000 positions\s*$/);
    });
    await measured('Sorting 100,000 closed positions by PnL', page, host, memory, async () => {
      await page
        .locator('#history th', { hasText: /^\s*PnL\s*$/ })
        .getByRole('button')
        .click();
      // The position closed last is also the one with the highest PnL: the first row does not tell.
      await page
        .locator('#history[aria-busy=false]', { has: page.locator('th[aria-sort=descending]', { hasText: /^\s*PnL\s*$/ }) })
        .waitFor();
    });
    await measured('Searching 100,000 closed positions', page, host, memory, async () => {
      await page.locator('.search input').fill('bonq');
      await footer('16,667 found');
    });
    const row = (index: number, text: string, state = '') =>
      page.locator(`#history tr[aria-rowindex="${index + 2}"]${state}`, { hasText: text }).waitFor();
    await measured('Showing 100,000 closed positions after a search', page, host, memory, async () => {
      await page.locator('.search input').fill('');
      await page.locator('#history tfoot', { hasText: 'Total of 100,000' }).waitFor();
    });
    await measured('Scrolling 100,000 closed positions to the end', page, host, memory, async () => {
      await page.locator('.table-region').last().evaluate(scrollToEnd);
      await row(COUNT - 1, '−$');
    });
    await measured('100,000 closed positions: first and last row by keyboard', page, host, memory, async () => {
      await page.locator('.table-region').last().focus();
      await page.keyboard.press('Home');
      await row(0, '+$99.99', ':focus');
      await page.keyboard.press('End');
      await row(COUNT - 1, '−$', ':focus');
    });
  } finally {
    await page.close();
    await host.stop();
    server.close();
  }
}

/** Runs one action and reports it. */
async function measured(what: string, page: Page, host: Host, memory: CDPSession, work: () => Promise<void>): Promise<void> {
  await host.figures();
  await page.evaluate('window.longTasks = []');
  const from = performance.now();
  await work();
  const ms = performance.now() - from;
  const tasks = await page.evaluate<readonly number[]>('window.longTasks');
  const { usedSize: peak } = await memory.send('Runtime.getHeapUsage');
  const own = await host.figures();
  await memory.send('HeapProfiler.collectGarbage');
  const { usedSize } = await memory.send('Runtime.getHeapUsage');
  const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
  const turn =
    own.turn === undefined
      ? ''
      : ` (${milliseconds(own.turn.ownMs)} without the wait for a processor, ${milliseconds(own.turn.processorMs)} of processor time)`;
  reportRow({
    what,
    result: `${milliseconds(ms)}; extension blocked for ${milliseconds(own.longestMs)} at most${turn}`,
    how: `once; panel: ${tasks.length} tasks over 50 ms${tasks.length === 0 ? '' : `, the longest ${milliseconds(Math.max(...tasks))}`}, ${megabytes(usedSize)} (${megabytes(peak)} with garbage); extension: ${megabytes(own.heldBytes)} (${megabytes(own.peakBytes)} at the peak)`,
  });
}

/** Carries messages between the panel and the presenter. */
async function connect(page: Page, host: Host): Promise<void> {
  await page.exposeFunction('toHost', (message: unknown) => host.send(message));
  host.listen((message) => {
    void page.evaluate(sendOver, { messages: [message], count: 1 }).catch(() => undefined);
  });
  await page.evaluate(`
    window.longTasks = [];
    new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' });
    const { posted } = window.standIn;
    posted.push = (message) => { void window.toHost(message); return 0; };
    posted.forEach((message) => void window.toHost(message));
  `);
}

/** The presenter in its thread. */
class Host {
  readonly #worker: Worker;
  #figures: ((figures: HostFigures) => void) | undefined;
  #listen: (message: unknown) => void = () => undefined;

  constructor(url: string) {
    this.#worker = new Worker(resolve('dist', 'test', 'bench', 'historyHost.js'), { workerData: { url, owner: addressOf(1) } });
    const Message = z.union([z.object({ panel: z.unknown() }), z.object({ figures: Figures })]);
    this.#worker.on('message', (message) => {
      const parsed = Message.parse(message);
      if ('figures' in parsed) {
        this.#figures?.(parsed.figures);
      } else {
        this.#listen(parsed.panel);
      }
    });
  }

  listen(listen: (message: unknown) => void): void {
    this.#listen = listen;
  }

  send(message: unknown): void {
    this.#worker.postMessage({ panel: message });
  }

  /** The figures since the last call. */
  figures(): Promise<HostFigures> {
    return new Promise((done) => {
      this.#figures = done;
      this.#worker.postMessage({ figures: true });
    });
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}

function addressIn(server: Server): string {
  const at = server.address();
  if (at === null || typeof at === 'string') {
    throw new Error('The server has no port.');
  }
  return `http://127.0.0.1:${at.port}/open-api/v1`;
}

/** A page of the closed positions, the last closed first. */
function historical(page: number, limit: number): unknown {
  const from = (page - 1) * limit;
  const length = Math.max(Math.min(limit, COUNT - from), 0);
  return {
    data: Array.from({ length }, (_, index) => closedRecord(from + index)),
    pagination: { currentPage: page, pageSize: limit, totalCount: COUNT, totalPages: Math.ceil(COUNT / limit) },
  };
}

function closedRecord(index: number): unknown {
  const closedAtMs = Date.UTC(2026, 10, 20) - index * 0.1 * HOUR_MS;
  const pnl = 99.99 - ((index * 7_919) % 19_999) / 100;
  const pair = PAIRS[index % PAIRS.length] ?? '';
  const token = (number: number, symbol: string) => ({
    token_address: addressOf(number),
    token_symbol: symbol,
    token_name: symbol,
    token_decimals: 6,
    logo: null,
  });
  return {
    status: 'Close',
    strategyType: 'Spot',
    tokenId: addressOf(1_000_000 + index),
    position: addressOf(1_000_000 + index),
    owner: addressOf(1),
    pool: addressOf(500 + (index % 40)),
    pairName: pair,
    protocol: 'meteora',
    ...{ token0: addressOf(600 + (index % 40)), token1: addressOf(601), decimal0: 6, decimal1: 9 },
    ...{ token0Info: token(600 + (index % 40), pair.split('/')[0] ?? ''), token1Info: token(601, 'SOL') },
    ...{ tickLower: -40, tickUpper: 28, poolInfo: { fee: 20, tickSpacing: 20 } },
    ...{
      inputValue: 500,
      inputNative: 3,
      outputValue: 490,
      outputNative: 2.9,
      fee: 6,
      feeNative: 0.04,
      feePercent: 1.2,
      feePercentNative: 1.2,
    },
    ...{ collectedFee: 6, collectedFeeNative: 0.04, collectedReward: 0, collectedRewardNative: 0 },
    pnl: { value: pnl, valueNative: pnl / 170, percent: pnl / 5, percentNative: pnl / 5 },
    ...{ pnlNative: pnl / 170, dpr: pnl / 1_000, dprNative: pnl / 1_000, ageHour: '20.5', age: '0.85' },
    ...{ solInAudited: 3, solOutAudited: 2.9, pnlNativeAudited: -0.1 },
    createdAt: new Date(closedAtMs - 20 * HOUR_MS).toISOString(),
    updatedAt: new Date(closedAtMs).toISOString(),
    closeAt: new Date(closedAtMs).toISOString(),
  };
}
