// The extension's side of the overview in a thread of its own, as in the extension host: the real presenter and client, asking a service over HTTP.
// Tells how long its event loop was blocked at most, and its memory.
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
let peak = 0;
setInterval(() => {
  peak = Math.max(peak, held());
}, LOOK_MS).unref();

parentPort?.on('message', (message: unknown) => {
  const order = Order.parse(message);
  if ('figures' in order) {
    // The timer itself is late by its interval.
    const longestMs = Math.max(delay.max / 1e6 - 1, 0);
    const reached = peak;
    delay.disable();
    collect();
    parentPort?.postMessage({ figures: { longestMs, peakBytes: reached, heldBytes: held() } });
    delay.reset();
    delay.enable();
    peak = 0;
    return;
  }
  const parsed = overviewToHost.safeParse(order.panel);
  if (parsed.success) {
    presenter.receive(parsed.data);
  }
});
delay.enable();
