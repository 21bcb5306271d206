// The output of `npm run bench -- sandbox`. Figures depend on this machine and its load; nothing is asserted. With `-- --load` it puts a load on a
// sandbox instead, and reports memory and latencies (`--seconds`, `--clients`, `--rate`, `--no-faults`). `--transactions V` sets the
// versions of the transactions that it builds.
import { rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';
import { startSandbox, temporaryFolder, type RunningSandbox } from '../support/sandbox/process';
import { signAll } from '../support/sandbox/sign';
import { reportRow } from '../host/benchRows.mjs';
import { milliseconds, quantile, say, timed } from './figures';
import { residentMegabytes, runLoad } from './sandboxLoad';

const STARTS = 3;
const WARM_UP = 20;
const REQUESTS = 300;
const AT_ONCE = 8;
const BUNDLES = 40;
const DAYS = 5;
const DAY_MS = 86_400_000;
const INPUT_SOL = 0.05;
const HALF_WIDTH = 10;

const { values: options } = parseArgs({
  options: {
    load: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '180' },
    clients: { type: 'string', default: '10' },
    rate: { type: 'string', default: '40' },
    'no-faults': { type: 'boolean', default: false },
    transactions: { type: 'string', default: 'service' },
  },
});
/** Of the sandboxes that are measured. */
const BUILDS = { args: ['--transactions', options.transactions] };

/** Sends requests to one sandbox over persistent connections, as a polling client does. */
class Asker {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

  readonly #sandbox: RunningSandbox;

  constructor(sandbox: RunningSandbox) {
    this.#sandbox = sandbox;
  }

  /** The `data` of the response. @throws Error with the response text if the request fails. */
  async ask(method: 'GET' | 'POST', path: string, body?: unknown): Promise<unknown> {
    const { status, text } = await this.#send(method, path, body);
    if (status !== 200) {
      throw new Error(`${method} ${path}: ${status} ${text}`);
    }
    return (JSON.parse(text) as { readonly data: unknown }).data;
  }

  end(): void {
    this.#agent.destroy();
  }

  #send(method: string, path: string, body: unknown): Promise<{ readonly status: number; readonly text: string }> {
    const url = path.startsWith('/sandbox/') || path === '/rpc' ? new URL(path, this.#sandbox.url) : new URL(`${this.#sandbox.url}${path}`);
    const headers = { 'x-api-key': this.#sandbox.apiKey, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    return new Promise((resolve, reject) => {
      const asked = request(url, { method, agent: this.#agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('error', reject).on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      });
      asked.on('error', reject);
      asked.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}

/** Milliseconds from spawning to the ready line: in new folders first, then in one of them repeatedly. */
async function measureStarts(): Promise<void> {
  const first: number[] = [];
  const later: number[] = [];
  for (let round = 0; round < STARTS; round += 1) {
    const data = temporaryFolder();
    try {
      first.push(await startTime(data));
      later.push(await startTime(data));
    } finally {
      rmSync(data, { recursive: true, force: true });
    }
  }
  reportRow({
    what: 'start to the ready line, new folder',
    beside: `the same folder again: ${milliseconds(quantile(later, 0.5))}`,
    result: milliseconds(quantile(first, 0.5)),
    how: `median of ${STARTS} starts of a process; in a new folder ninety days are simulated`,
  });
}

async function startTime(data: string): Promise<number> {
  let sandbox: RunningSandbox | undefined;
  const ms = await timed(async () => {
    sandbox = await startSandbox({ data });
  });
  await sandbox?.stop();
  return ms;
}

/** One endpoint: sequential requests, then parallel ones. */
async function measureEndpoint(asker: Asker, name: string, method: 'GET' | 'POST', path: string, body?: unknown): Promise<void> {
  const ask = (): Promise<unknown> => asker.ask(method, path, body);
  for (let count = 0; count < WARM_UP; count += 1) {
    await ask();
  }
  const times: number[] = [];
  for (let count = 0; count < REQUESTS; count += 1) {
    times.push(await timed(ask));
  }
  const together = await timed(async () => {
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let count = 0; count < REQUESTS / AT_ONCE; count += 1) {
          await ask();
        }
      }),
    );
  });
  const perSecond = Math.round((Math.ceil(REQUESTS / AT_ONCE) * AT_ONCE * 1_000) / together);
  const [median = '', most = '', slowest = ''] = [0.5, 0.95, 0.99].map((share) => milliseconds(quantile(times, share)));
  reportRow({
    what: name,
    beside: `${AT_ONCE} at once: ${perSecond} a second`,
    result: `${median}, 95 % within ${most}, 99 % within ${slowest}`,
    how: `median of ${REQUESTS} in sequence`,
  });
}

interface Built {
  readonly lastValidBlockHeight: number;
  readonly closeTxsWithJito?: readonly string[];
  readonly swapTxsWithJito: readonly string[];
  readonly addLiquidityTxsWithJito?: readonly string[];
  readonly meta?: { readonly positionPubKey: string };
}

/** Zaps in and out again, and counts only the time for landing. */
async function measureLanding(asker: Asker, { owner, secretKey }: RunningSandbox, pool: string): Promise<void> {
  const landing: number[] = [];
  let transactions = 0;
  const whole = await timed(async () => {
    for (let round = 0; round < BUNDLES / 2; round += 1) {
      const info = (await asker.ask('GET', `/pools/${pool}/info`)) as {
        readonly liquidityViz: { readonly activeBin: { readonly binId: number } };
      };
      const middle = info.liquidityViz.activeBin.binId;
      const entry = {
        stratergy: 'Spot',
        inputSOL: INPUT_SOL,
        percentX: 0.5,
        fromBinId: middle - HALF_WIDTH,
        toBinId: middle + HALF_WIDTH,
        owner,
        slippage_bps: 1_000,
        mode: 'zap-in',
      };
      const added = (await asker.ask('POST', `/pools/${pool}/add-tx`, entry)) as Built;
      const addLists = {
        swapTxsWithJito: signAll(added.swapTxsWithJito, secretKey),
        addLiquidityTxsWithJito: signAll(added.addLiquidityTxsWithJito ?? [], secretKey),
      };
      landing.push(
        await timed(() =>
          asker.ask('POST', '/pools/landing-add-tx', { lastValidBlockHeight: added.lastValidBlockHeight, ...addLists, meta: added.meta }),
        ),
      );
      const exit = { position_id: added.meta?.positionPubKey, bps: 10_000, owner, slippage_bps: 1_000, output: 'allBaseToken' };
      const closed = (await asker.ask('POST', '/position/decrease-tx', exit)) as Built;
      const closeLists = {
        closeTxsWithJito: signAll(closed.closeTxsWithJito ?? [], secretKey),
        swapTxsWithJito: signAll(closed.swapTxsWithJito, secretKey),
      };
      landing.push(
        await timed(() =>
          asker.ask('POST', '/position/landing-decrease-tx', { lastValidBlockHeight: closed.lastValidBlockHeight, ...closeLists }),
        ),
      );
      transactions += [
        ...addLists.swapTxsWithJito,
        ...addLists.addLiquidityTxsWithJito,
        ...closeLists.closeTxsWithJito,
        ...closeLists.swapTxsWithJito,
      ].length;
    }
  });
  const perSecond = (landing.length * 1_000) / landing.reduce((sum, ms) => sum + ms, 0);
  reportRow({
    what: 'landing a bundle',
    beside: `with building and signing: ${((landing.length * 1_000) / whole).toFixed(1)} operations a second`,
    result: `${perSecond.toFixed(1)} a second; ${milliseconds(quantile(landing, 0.5))}, 95 % within ${milliseconds(quantile(landing, 0.95))}`,
    how: `median of ${landing.length} bundles of ${transactions} transactions in sequence`,
  });
}

async function measureTime(asker: Asker): Promise<void> {
  const ms = await timed(async () => {
    for (let day = 0; day < DAYS; day += 1) {
      await asker.ask('POST', '/sandbox/advance', { ms: DAY_MS });
    }
  });
  reportRow({
    what: 'simulated time',
    result: `${((DAYS * 1_000) / ms).toFixed(1)} days a second`,
    how: `${DAYS} times a day at once, of 600 steps each`,
  });
}

/** Puts a load on a sandbox, and prints its memory and latencies. */
async function measureLoad({
  seconds,
  clients,
  rate,
  faults,
}: {
  readonly seconds: string;
  readonly clients: string;
  readonly rate: string;
  readonly faults: boolean;
}): Promise<void> {
  const sandbox = await startSandbox(BUILDS);
  try {
    const megabytesAtStart = residentMegabytes(sandbox.pid);
    const load = { clients: Number(clients), requestsPerSecond: Number(rate), seconds: Number(seconds), hasFaults: faults };
    const { memory, latenciesMs, statuses, landed, processor } = await runLoad(sandbox, load, (minute, samples) => {
      const megabytes = samples.map((sample) => sample.megabytes);
      say(
        `  minute ${minute}: memory median ${quantile(megabytes, 0.5).toFixed(1)} MB, minimum ${Math.min(...megabytes).toFixed(1)}, maximum ${Math.max(...megabytes).toFixed(1)}`,
      );
    });
    const how = `${clients} clients, ${rate} requests a second, ${seconds} s${faults ? ', with faults' : ''}`;
    reportRow({
      what: 'memory at the end of a load',
      beside: `when ready: ${megabytesAtStart.toFixed(1)} MB`,
      result: `${(memory.at(-1)?.megabytes ?? 0).toFixed(1)} MB resident, at most ${Math.max(...memory.map(({ megabytes }) => megabytes)).toFixed(1)} MB`,
      how,
    });
    reportRow({
      what: 'latency under a load',
      ...(processor === undefined
        ? {}
        : { beside: `main thread ran ${processor.worked.toFixed(1)} s, waited ${processor.waited.toFixed(1)} s for a processor` }),
      result: `${milliseconds(quantile(latenciesMs, 0.5))}, 95 % within ${milliseconds(quantile(latenciesMs, 0.95))}, 99 % within ${milliseconds(quantile(latenciesMs, 0.99))}`,
      how: `median of ${latenciesMs.length} requests; ${how}`,
    });
    reportRow({
      what: 'answers under a load',
      result: `${landed} operations landed; by status: ${[...statuses]
        .sort()
        .map(([status, count]) => `${status === 0 ? 'none' : status} ${count}`)
        .join(', ')}`,
      how,
    });
  } finally {
    await sandbox.stop();
  }
}

async function measureAll(): Promise<void> {
  await measureStarts();
  const sandbox = await startSandbox(BUILDS);
  const asker = new Asker(sandbox);
  try {
    const megabytesAtStart = residentMegabytes(sandbox.pid);
    const { owner } = sandbox;
    const listed = (await asker.ask('GET', '/pools/discover?sortBy=tvl&type=meteora')) as readonly { readonly pool: string }[];
    const opened = (await asker.ask('GET', `/lp-positions/opening?owner=${owner}`)) as readonly { readonly id: string }[];
    const pool = listed[0]?.pool ?? '';
    const id = opened[0]?.id ?? '';
    await measureEndpoint(asker, 'opening', 'GET', `/lp-positions/opening?owner=${owner}`);
    await measureEndpoint(asker, 'historical', 'GET', `/lp-positions/historical?owner=${owner}`);
    await measureEndpoint(asker, 'overview', 'GET', `/lp-positions/overview?owner=${owner}`);
    await measureEndpoint(asker, 'logs', 'GET', `/lp-positions/logs?owner=${owner}`);
    await measureEndpoint(asker, 'revenue', 'GET', `/lp-positions/revenue/${owner}?range=1M`);
    await measureEndpoint(asker, 'discover', 'GET', '/pools/discover?sortBy=vol_24h&pageSize=50');
    await measureEndpoint(asker, 'pool info', 'GET', `/pools/${pool}/info`);
    await measureEndpoint(asker, 'pool positions', 'GET', `/pools/${pool}/positions?status=Open`);
    await measureEndpoint(asker, 'onchain stats', 'GET', `/pools/${pool}/onchain-stats`);
    await measureEndpoint(asker, 'top LPers', 'GET', `/pools/${pool}/top-lpers`);
    await measureEndpoint(asker, 'token balance', 'GET', `/token/balance?owner=${owner}`);
    await measureEndpoint(asker, 'decrease quotes', 'POST', '/position/decrease-quotes', { id, bps: 10_000 });
    await measureEndpoint(asker, 'decrease-tx (built, not landed)', 'POST', '/position/decrease-tx', {
      position_id: id,
      bps: 5_000,
      owner,
      slippage_bps: 500,
      output: 'allBaseToken',
    });
    await measureLanding(asker, sandbox, pool);
    await measureTime(asker);
    reportRow({
      what: 'memory after all requests',
      beside: `when ready: ${Math.round(megabytesAtStart)} MB`,
      result: `${Math.round(residentMegabytes(sandbox.pid))} MB resident`,
      how: 'of a process that has simulated ninety days',
    });
  } finally {
    asker.end();
    await sandbox.stop();
  }
}

await (options.load ? measureLoad({ ...options, faults: !options['no-faults'] }) : measureAll());
