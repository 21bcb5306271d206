// The extension's side of the overview in a thread of its own, as in the extension host: the real presenter and client, asking a service over HTTP.
// Tells how long its event loop was blocked at most, by the clock and in processor time, and its memory.
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import * as z from 'zod';
import { systemClock } from '../../src/base/async/clock';
import { address } from '../../src/base/solana/address';
import { Portfolio } from '../../src/portfolio/portfolio';
import { overviewToHost } from '../../src/protocol/overview';
import { parseBaseUrl } from '../../src/service/baseUrl';
import { createLiquidityService } from '../../src/service/client';
import { overviewPresenter } from '../../src/ui/panels/overview/overviewPresenter';
import { panelDependencies } from '../support/ui/panels/panelDependencies';

/** Milliseconds. */
const TICK_MS = 1;
/** Memory is looked at this often for its peak, milliseconds. */
const LOOK_MS = 50;

const { url, owner } = z.object({ url: z.string(), owner: z.string() }).parse(workerData);
const Order = z.union([z.object({ panel: z.unknown() }), z.object({ figures: z.literal(true) })]);

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const delay = monitorEventLoopDelay({ resolution: TICK_MS });
const service = createLiquidityService({ baseUrl: parseBaseUrl(url), apiKey: 'bench' });
const connect = () => Promise.resolve(service);
const portfolio = new Portfolio({ service: connect, clock: systemClock, log: () => undefined });
portfolio.setOwner(address(owner));
const presenter = overviewPresenter(
  '',
  panelDependencies({
    service,
    portfolio,
    owner,
    ambient: { serviceName: 'Bench', isSandbox: false, hasExplorer: true, isOwnService: false },
  }),
  (message) => parentPort?.postMessage({ panel: message }),
);
presenter.setVisible(true);

const held = (): number => {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
interface Spent {
  readonly atMs: number;
  /** Processor time of this thread. Linux may count it in steps of 4 ms. */
  readonly processorMs: number;
  /** Time in which this thread was ready and waited for a processor: the clock counts it where the machine has other work. */
  readonly waitedMs: number;
}

/** Times of this thread so far; `undefined` where the system does not tell them. */
const spentNow = (): Spent | undefined => {
  try {
    const [processor = NaN, waited = NaN] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ').map(Number);
    return { atMs: performance.now(), processorMs: processor / 1e6, waitedMs: waited / 1e6 };
  } catch {
    return undefined;
  }
};
const nothingSpent = { processorMs: 0, ownMs: 0 };
let spent = spentNow();
/** Of one turn of the event loop at most. `ownMs`: by the clock, without the time it waited for a processor. */
let longest = nothingSpent;
const tick = (): void => {
  const [before, now] = [spent, spentNow()];
  if (before !== undefined && now !== undefined) {
    const own = now.atMs - before.atMs - (now.waitedMs - before.waitedMs) - TICK_MS;
    longest = { processorMs: Math.max(longest.processorMs, now.processorMs - before.processorMs), ownMs: Math.max(longest.ownMs, own) };
  }
  spent = now;
};
// At most one tick per turn of the event loop.
setInterval(tick, TICK_MS).unref();

let peak = 0;
setInterval(() => {
  peak = Math.max(peak, held());
}, LOOK_MS).unref();

parentPort?.on('message', (message: unknown) => {
  const order = Order.parse(message);
  if ('figures' in order) {
    // The timer itself is late by its interval.
    const longestMs = Math.max(delay.max / 1e6 - TICK_MS, 0);
    tick();
    const [reached, turn] = [peak, spent === undefined ? undefined : longest];
    delay.disable();
    collect();
    parentPort?.postMessage({ figures: { longestMs, turn, peakBytes: reached, heldBytes: held() } });
    delay.reset();
    delay.enable();
    spent = spentNow();
    longest = nothingSpent;
    peak = 0;
    return;
  }
  const parsed = overviewToHost.safeParse(order.panel);
  if (parsed.success) {
    presenter.receive(parsed.data);
  }
});
delay.enable();
