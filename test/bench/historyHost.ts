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
import { ReadScheduler } from '../../src/portfolio/readScheduler';
import { overviewToHost } from '../../src/protocol/overview';
import { parseBaseUrl } from '../../src/service/baseUrl';
import { createLiquidityService } from '../../src/service/client';
import { overviewPresenter } from '../../src/ui/panels/overview/overviewPresenter';
import type { EditorActions } from '../../src/ui/shell/editorAccess';
import { ScriptedPrompts } from '../support/editor/scriptedPrompts';

/** Memory is looked at this often for its peak, milliseconds. */
const LOOK_MS = 50;

const { url, owner } = z.object({ url: z.string(), owner: z.string() }).parse(workerData);
const Order = z.union([z.object({ panel: z.unknown() }), z.object({ figures: z.literal(true) })]);

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const delay = monitorEventLoopDelay({ resolution: 1 });
const service = createLiquidityService({ baseUrl: parseBaseUrl(url), apiKey: 'bench' });
const connect = () => Promise.resolve(service);
const portfolio = new Portfolio({ service: connect, clock: systemClock, log: () => undefined });
portfolio.setOwner(address(owner));
const none = () => ({ dispose: () => undefined });
const presenter = overviewPresenter(
  '',
  {
    portfolio,
    coordinator: { show: none, scheduler: new ReadScheduler(systemClock) },
    connect,
    serviceId: () => 'bench',
    ambient: () => ({ locale: 'en-US', currency: 'usd', serviceName: 'Bench', isSandbox: false, owner, canSign: true }),
    onDidChangeAmbient: none,
    rpc: () => Promise.resolve(undefined),
    busy: { has: () => false, onDidChange: none },
    defaultSlippageBps: () => 500,
    clock: systemClock,
    prompts: new ScriptedPrompts(),
    actions: {} as Partial<EditorActions> as EditorActions,
    execute: () => Promise.resolve(),
    watch: () => Promise.resolve(),
    log: () => undefined,
  },
  (message) => parentPort?.postMessage({ panel: message }),
);
presenter.setVisible(true);

const held = (): number => {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
/**
 * Processor time of this thread, milliseconds; `undefined` where the system does not tell it. On a machine with other work, the clock also counts the
 * time in which this thread waits for a processor. Linux may count it in steps of 4 ms.
 */
const processorMs = (): number | undefined => {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return undefined;
  }
};
let usedMs = processorMs();
let longestUsedMs = 0;
const tick = (): void => {
  const now = processorMs();
  longestUsedMs = Math.max(longestUsedMs, (now ?? 0) - (usedMs ?? 0));
  usedMs = now;
};
// At most one tick per turn of the event loop.
setInterval(tick, 1).unref();

let peak = 0;
setInterval(() => {
  peak = Math.max(peak, held());
}, LOOK_MS).unref();

parentPort?.on('message', (message: unknown) => {
  const order = Order.parse(message);
  if ('figures' in order) {
    // The timer itself is late by its interval.
    const longestMs = Math.max(delay.max / 1e6 - 1, 0);
    tick();
    const [reached, processor] = [peak, usedMs === undefined ? undefined : longestUsedMs];
    delay.disable();
    collect();
    parentPort?.postMessage({ figures: { longestMs, processorMs: processor, peakBytes: reached, heldBytes: held() } });
    delay.reset();
    delay.enable();
    usedMs = processorMs();
    longestUsedMs = peak = 0;
    return;
  }
  const parsed = overviewToHost.safeParse(order.panel);
  if (parsed.success) {
    presenter.receive(parsed.data);
  }
});
delay.enable();
