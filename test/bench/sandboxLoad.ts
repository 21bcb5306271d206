import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as later } from 'node:timers/promises';
import { execFileSync } from 'node:child_process';
import bs58 from 'bs58';
import { TestClient } from '../support/sandbox/client';
import type { RunningSandbox } from '../support/sandbox/process';
import { signAll } from '../support/sandbox/sign';

/** The load on a sandbox. The bounds keep a mistyped number from overloading the machine. */
export interface Load {
  /** 1 to 50. Each client has its own wallet. */
  readonly clients: number;
  /** Requests per second of all clients together, 1 to 200. */
  readonly requestsPerSecond: number;
  /** Duration in seconds, 1 to 900. */
  readonly seconds: number;
  /** Whether the sandbox injects faults. */
  readonly hasFaults: boolean;
}

/** Resident memory of the sandbox at one time. */
export interface MemorySample {
  /** Time since the start of the load. */
  readonly seconds: number;
  readonly megabytes: number;
}

/** How long a process ran between two times, and how long it waited for a processor. Seconds; `undefined` if the system does not report it. */
export interface ProcessorTime {
  readonly worked: number;
  readonly waited: number;
}

/** The results of a load. */
export interface LoadReport {
  readonly memory: readonly MemorySample[];
  /** Milliseconds from the scheduled time of a request to the end of its response: includes waiting for a connection and injected delays. */
  readonly latenciesMs: readonly number[];
  /** Number of responses by status; 0: the connection ended without a response. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Responses of landings that executed an operation. */
  readonly landed: number;
  /** Of the sandbox: the latencies are meaningful only if it hardly waited. */
  readonly processor: ProcessorTime | undefined;
}

/** The parts of a load that is given as a number of requests, whatever their duration. */
export type Requests = Pick<Load, 'clients' | 'hasFaults'> & {
  /** Requests of each client, in sequence. */
  readonly each: number;
};

const MOST = { clients: 50, requestsPerSecond: 200, seconds: 900 } as const;
const SAMPLE_EVERY_MS = 1_000;
/** Milliseconds until a client times out; the sandbox responds much sooner. */
const REQUEST_TIMEOUT_MS = 20_000;
const LOOPBACK = '127.0.0.1';
const SECRET_KEY_BYTES = 32;
const AIRDROP_SOL = 500;
const INPUT_SOL = 0.05;
const HALF_WIDTH = 10;
/** A client aborts one in this many requests before the response can arrive. */
const ABORT_EVERY = 97;
const ABORT_AFTER_MS = 2;

/** Faults as on a bad network. The delay is longer than any response takes, so that delayed responses differ from slow ones. */
const FAULTS = [
  { kind: 'latency', ms: 700, probability: 0.02 },
  { kind: 'status', status: 503, probability: 0.02 },
  { kind: 'status', status: 429, retryAfterSeconds: 1, probability: 0.01 },
  { kind: 'truncate', probability: 0.02 },
  { kind: 'wrongTypes', probability: 0.02 },
  { kind: 'drop', probability: 0.02 },
  { kind: 'landed', status: 502, probability: 0.05 },
  { kind: 'partial', transactions: 1, probability: 0.03 },
] as const;

/** Puts a load on a sandbox on this machine, and reports the results. @throws Error if the sandbox is on another machine, or the load is out of bounds */
export async function runLoad(
  sandbox: RunningSandbox,
  load: Load,
  onMinute: (minute: number, samples: readonly MemorySample[]) => void = () => undefined,
): Promise<LoadReport> {
  check(sandbox, load);
  const { setup, pools, users, agent } = await startLoad(sandbox, load);
  const report = { memory: [] as MemorySample[], latenciesMs: [] as number[], statuses: new Map<number, number>(), landed: 0 };
  const before = processorTime(sandbox.pid);
  const startMs = performance.now();
  const endMs = startMs + load.seconds * 1_000;
  const sampling = sampleMemory(sandbox.pid, startMs, endMs, report.memory, onMinute);
  try {
    const everyMs = (1_000 * load.clients) / load.requestsPerSecond;
    await Promise.all(
      users.map(async (user, place) => {
        const running = new Set<Promise<void>>();
        const firstMs = startMs + (place * everyMs) / load.clients;
        for (let count = 0; ; count += 1) {
          const dueMs = firstMs + count * everyMs;
          if (dueMs >= endMs) {
            break;
          }
          await later(Math.max(0, dueMs - performance.now()));
          const one = userRequest({ user, place, count, pools, dueMs, agent, sandbox, report }).finally(() => running.delete(one));
          running.add(one);
        }
        await Promise.all(running);
      }),
    );
    await sampling;
  } finally {
    agent.destroy();
    await setup.setFaults();
  }
  return { ...report, processor: between(before, processorTime(sandbox.pid)) };
}

/** Runs the requests of {@link runLoad}, each client as fast as it gets responses. */
export async function runRequests(sandbox: RunningSandbox, { each, ...load }: Requests): Promise<Pick<LoadReport, 'statuses' | 'landed'>> {
  check(sandbox, { ...load, requestsPerSecond: 1, seconds: 1 });
  const { setup, pools, users, agent } = await startLoad(sandbox, load);
  const report = { latenciesMs: [], statuses: new Map<number, number>(), landed: 0 };
  try {
    await Promise.all(
      users.map(async (user, place) => {
        for (let count = 0; count < each; count += 1) {
          await userRequest({ user, place, count, pools, dueMs: performance.now(), agent, sandbox, report });
        }
      }),
    );
  } finally {
    agent.destroy();
    await setup.setFaults();
  }
  return report;
}

interface RunningLoad {
  readonly setup: TestClient;
  readonly pools: readonly PoolOf[];
  readonly users: readonly User[];
  readonly agent: Agent;
}

async function startLoad(sandbox: RunningSandbox, { clients, hasFaults }: Pick<Load, 'clients' | 'hasFaults'>): Promise<RunningLoad> {
  const setup = new TestClient(sandbox);
  const pools = await poolsOf(setup);
  const users = await Promise.all(Array.from({ length: clients }, () => newUser(sandbox, setup)));
  if (hasFaults) {
    await setup.setFaults(...FAULTS);
  }
  return { setup, pools, users, agent: new Agent({ keepAlive: true, maxSockets: 4 * clients }) };
}

function check(sandbox: RunningSandbox, load: Load): void {
  if (new URL(sandbox.url).hostname !== LOOPBACK) {
    throw new Error('The load runs against a sandbox on this machine only.');
  }
  for (const [name, most] of Object.entries(MOST)) {
    const value = load[name as keyof typeof MOST];
    if (!Number.isFinite(value) || value < 1 || value > most) {
      throw new Error(`${name} must be from 1 to ${most}, not ${value}.`);
    }
  }
}

interface PoolOf {
  readonly address: string;
  readonly middle: number;
}

async function poolsOf(client: TestClient): Promise<readonly PoolOf[]> {
  const { pool } = await client.pool('BONQ/SOL', 25);
  return [{ address: pool, middle: await client.activeBin(pool) }];
}

/** A client whose next step depends on the previous responses. */
interface User {
  readonly owner: string;
  readonly secretKey: string;
  /** Its known open positions, oldest first. */
  readonly positions: string[];
  /** Signed transactions that are not landed yet. */
  ready: { readonly path: string; readonly body: unknown; readonly opens?: string } | undefined;
  /** True while a build or a landing is in progress. */
  isBusy: boolean;
}

async function newUser(sandbox: RunningSandbox, setup: TestClient): Promise<User> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-SECRET_KEY_BYTES);
  const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-SECRET_KEY_BYTES);
  const owner = bs58.encode(key);
  const { status, body } = await setup.control('airdrop', { owner, sol: AIRDROP_SOL });
  if (status !== 200) {
    throw new Error(`No simulated SOL from ${sandbox.url}: ${JSON.stringify(body)}`);
  }
  return { owner, secretKey: bs58.encode(Buffer.concat([seed, key])), positions: [], ready: undefined, isBusy: false };
}

interface RequestContext {
  readonly user: User;
  readonly place: number;
  readonly count: number;
  readonly pools: readonly PoolOf[];
  readonly dueMs: number;
  readonly agent: Agent;
  readonly sandbox: RunningSandbox;
  readonly report: { readonly latenciesMs: number[]; readonly statuses: Map<number, number>; landed: number };
}

/** One request of a client: every tenth belongs to an operation, the others read, as the extension does. */
async function userRequest(context: RequestContext): Promise<void> {
  const { user, count, pools } = context;
  const pool = pools[count % pools.length];
  if (pool === undefined) {
    return;
  }
  if (count % 5 === 0 && !user.isBusy) {
    await operationRequest(context, pool);
    return;
  }
  const { owner } = user;
  const reads: readonly (readonly ['GET' | 'POST', string, unknown?])[] = [
    ['GET', `/lp-positions/opening?owner=${owner}`],
    ['GET', '/pools/discover?sortBy=vol_24h&pageSize=50'],
    ['GET', `/pools/${pool.address}/info`],
    ['GET', `/token/balance?owner=${owner}`],
    ['GET', `/lp-positions/historical?owner=${owner}`],
    ['GET', `/lp-positions/overview?owner=${context.sandbox.owner}`],
    ['GET', `/pools/${pool.address}/positions?status=Open`],
    ['GET', `/lp-positions/logs?owner=${owner}`],
    ['POST', '/rpc', { jsonrpc: '2.0', id: count, method: 'getBalance', params: [owner] }],
    ['POST', '/rpc', { jsonrpc: '2.0', id: count, method: 'getLatestBlockhash', params: [] }],
    ['GET', `/pools/${pool.address}/top-lpers`],
    ['GET', `/lp-positions/opening?owner=${context.sandbox.owner}`],
    ['POST', '/rpc', { jsonrpc: '2.0', id: count, method: 'getMultipleAccounts', params: [[owner, pool.address]] }],
    ['GET', `/pools/${pool.address}/onchain-stats`],
  ];
  const [method, path, body] = reads[(count + context.place) % reads.length] ?? ['GET', `/lp-positions/opening?owner=${owner}`];
  await send(context, method, path, body, count % ABORT_EVERY === context.place);
}

/** Lands what is signed, or else builds and signs: a zap-in, and after some of them a zap-out. */
async function operationRequest(context: RequestContext, { address, middle }: PoolOf): Promise<void> {
  const { user } = context;
  const { owner, secretKey, ready } = user;
  user.isBusy = true;
  try {
    if (ready !== undefined) {
      user.ready = undefined;
      if ((await send(context, 'POST', ready.path, ready.body)) !== undefined) {
        context.report.landed += 1;
        if (ready.opens !== undefined) {
          user.positions.push(ready.opens);
        }
      }
      return;
    }
    const [oldest] = user.positions;
    if (oldest !== undefined && user.positions.length > 2) {
      const built = (await send(context, 'POST', '/position/decrease-tx', {
        position_id: oldest,
        bps: 10_000,
        owner,
        slippage_bps: 1_000,
        output: 'allBaseToken',
      })) as Built | undefined;
      if (built?.closeTxsWithJito !== undefined) {
        user.positions.shift();
        const body = {
          lastValidBlockHeight: built.lastValidBlockHeight,
          closeTxsWithJito: signAll(built.closeTxsWithJito, secretKey),
          swapTxsWithJito: signAll(built.swapTxsWithJito, secretKey),
        };
        user.ready = { path: '/position/landing-decrease-tx', body };
      }
      return;
    }
    const entry = {
      stratergy: 'Spot',
      inputSOL: INPUT_SOL,
      percentX: 0.5,
      fromBinId: middle - HALF_WIDTH,
      toBinId: middle + HALF_WIDTH,
      owner,
      slippage_bps: 2_000,
      mode: 'zap-in',
    };
    const built = (await send(context, 'POST', `/pools/${address}/add-tx`, entry)) as Built | undefined;
    if (built?.addLiquidityTxsWithJito !== undefined && built.meta !== undefined) {
      const lists = {
        swapTxsWithJito: signAll(built.swapTxsWithJito, secretKey),
        addLiquidityTxsWithJito: signAll(built.addLiquidityTxsWithJito, secretKey),
      };
      user.ready = {
        path: '/pools/landing-add-tx',
        body: { lastValidBlockHeight: built.lastValidBlockHeight, ...lists, meta: built.meta },
        opens: built.meta.positionPubKey,
      };
    }
  } catch {
    // A fault changed the types of the built response: the client cancels the operation.
  } finally {
    user.isBusy = false;
  }
}

interface Built {
  readonly lastValidBlockHeight: number;
  readonly closeTxsWithJito?: readonly string[];
  readonly swapTxsWithJito: readonly string[];
  readonly addLiquidityTxsWithJito?: readonly string[];
  readonly meta?: { readonly positionPubKey: string };
}

/** The `data` of the response; `undefined` if the request fails. Never rejects. */
async function send(
  { dueMs, agent, sandbox, report }: RequestContext,
  method: string,
  path: string,
  body?: unknown,
  isAborted = false,
): Promise<unknown> {
  const url = path.startsWith('/rpc') ? new URL(path, sandbox.url) : new URL(`${sandbox.url}${path}`);
  const { status, text } = await new Promise<{ status: number; text: string }>((resolve) => {
    const ended = { status: 0, text: '' };
    const headers = { 'x-api-key': sandbox.apiKey, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const asked = request(url, { method, agent, headers, timeout: REQUEST_TIMEOUT_MS }, (response) => {
      let answer = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
      response.on('error', () => resolve(ended)).on('end', () => resolve({ status: response.statusCode ?? 0, text: answer }));
    });
    asked.on('error', () => resolve(ended)).on('timeout', () => asked.destroy());
    asked.end(body === undefined ? undefined : JSON.stringify(body));
    if (isAborted) {
      setTimeout(() => asked.destroy(), ABORT_AFTER_MS);
    }
  });
  report.statuses.set(status, (report.statuses.get(status) ?? 0) + 1);
  const tookMs = performance.now() - dueMs;
  report.latenciesMs.push(tookMs);
  if (status !== 200) {
    return undefined;
  }
  try {
    return (JSON.parse(text) as { readonly data: unknown }).data;
  } catch {
    return undefined;
  }
}

async function sampleMemory(
  pid: number,
  startMs: number,
  endMs: number,
  samples: MemorySample[],
  onMinute: (minute: number, samples: readonly MemorySample[]) => void,
): Promise<void> {
  let minute: MemorySample[] = [];
  while (performance.now() < endMs) {
    await later(SAMPLE_EVERY_MS);
    const sample = { seconds: (performance.now() - startMs) / 1_000, megabytes: residentMegabytes(pid) };
    samples.push(sample);
    minute.push(sample);
    if (minute.length * SAMPLE_EVERY_MS >= 60_000) {
      onMinute(Math.round(sample.seconds / 60), minute);
      minute = [];
    }
  }
}

/** Resident memory of a process. */
export function residentMegabytes(pid: number): number {
  if (process.platform === 'linux') {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) / 1_024;
  }
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1_024;
}

const NANOSECONDS = 1e9;

/** Scheduler statistics of Linux for a process and its main thread since its start. */
function processorTime(pid: number): ProcessorTime | undefined {
  if (process.platform !== 'linux') {
    return undefined;
  }
  const [worked = 0, waited = 0] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number);
  return { worked: worked / NANOSECONDS, waited: waited / NANOSECONDS };
}

function between(before: ProcessorTime | undefined, after: ProcessorTime | undefined): ProcessorTime | undefined {
  return before === undefined || after === undefined
    ? undefined
    : { worked: after.worked - before.worked, waited: after.waited - before.waited };
}
