import assert from 'node:assert/strict';
import { request, type IncomingHttpHeaders } from 'node:http';
import * as z from 'zod';
import type { ReadyLine } from './process';
import { signAll } from './sign';

/** What came back, as text. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** What came back. `body`: the JSON, unchecked. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

const Failure = z.strictObject({ status: z.literal('error'), message: z.string().min(1) });

/** The answer to opening, as far as flows need to know it. */
export const Opening = z.object({
  count: z.int(),
  data: z.array(
    z.looseObject({
      id: z.string(),
      position: z.string(),
      pool: z.string(),
      pairName: z.string(),
      token0: z.string(),
      token1: z.string(),
      tickLower: z.int(),
      tickUpper: z.int(),
      inRange: z.boolean(),
      range: z.tuple([z.int(), z.int(), z.int()]),
      value: z.number(),
      valueNative: z.number(),
      inputValue: z.number(),
      outputValue: z.number(),
      current: z.object({ amount0: z.string(), amount1: z.string(), amount0Adjusted: z.number(), amount1Adjusted: z.number() }),
      unCollectedFee: z.number(),
      pnl: z.object({ value: z.number(), valueNative: z.number(), percent: z.number(), percentNative: z.number() }),
    }),
  ),
});
/** An open position, as far as flows need to know it. */
export type OpenPosition = z.output<typeof Opening>['data'][number];

const Pools = z.object({
  data: z.array(z.looseObject({ pool: z.string(), pairName: z.string(), bin_step: z.number(), token0: z.string(), token1: z.string() })),
});
/** A pool, as far as flows need to know it. */
export type DiscoveredPool = z.output<typeof Pools>['data'][number];

const Status = z.object({
  data: z.strictObject({
    pid: z.int(),
    now: z.iso.datetime(),
    seed: z.int(),
    speed: z.number(),
    paused: z.boolean(),
    storeVersion: z.int(),
    counts: z.record(z.string(), z.int()),
    settings: z.strictObject({ indexingLagMs: z.number(), rateLimitPerMinute: z.int().nullable(), transactions: z.string() }),
    faults: z.array(z.looseObject({ kind: z.string() })),
  }),
});
/** What `GET /sandbox/status` says. */
export type SandboxStatus = z.output<typeof Status>['data'];

const Info = z.object({ data: z.looseObject({ liquidityViz: z.object({ activeBin: z.object({ binId: z.int() }) }) }) });
const Balance = z.object({ data: z.array(z.looseObject({ address: z.string(), rawBalance: z.string() })) });

const Decrease = z.object({
  data: z.looseObject({
    lastValidBlockHeight: z.int(),
    closeTxs: z.array(z.string()),
    swapTxs: z.array(z.string()),
    closeTxsWithJito: z.array(z.string()),
    swapTxsWithJito: z.array(z.string()),
  }),
});
/** The answer to add-tx, as far as flows need to know it. */
export const Add = z.object({
  data: z.looseObject({
    lastValidBlockHeight: z.int(),
    swapTxs: z.array(z.string()),
    addLiquidityTxs: z.array(z.string()),
    swapTxsWithJito: z.array(z.string()),
    addLiquidityTxsWithJito: z.array(z.string()),
    meta: z.looseObject({ positionPubKey: z.string() }),
  }),
});
/** An unsigned withdrawal or entry. The lists without `WithJito` are the same without a tip. */
export type DecreaseBuild = z.output<typeof Decrease>['data'];
export type AddBuild = z.output<typeof Add>['data'];

const Landed = z.object({ data: z.object({ method: z.literal('JITO'), signature: z.string().min(80) }) });

/** The mint under which SOL goes. */
export const SOL = 'So11111111111111111111111111111111111111112';

/** Talks to a sandbox as a client of the service would. */
export class TestClient {
  constructor(readonly sandbox: ReadyLine) {}

  /** A request with the right key; `path` from the base path on. */
  get(path: string, query: Readonly<Record<string, string | number>> = {}): Promise<Answer> {
    const text = new URLSearchParams(Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))).toString();
    return this.send('GET', `${this.sandbox.url}${path}${text === '' ? '' : `?${text}`}`);
  }

  post(path: string, body: unknown): Promise<Answer> {
    return this.send('POST', `${this.sandbox.url}${path}`, JSON.stringify(body));
  }

  /** The sandbox's own controls, which are no part of the service. */
  control(path: string, body: unknown = {}, method = 'POST'): Promise<Answer> {
    return this.send(method, this.controlUrl(path), method === 'GET' || method === 'DELETE' ? undefined : JSON.stringify(body));
  }

  controlUrl(path: string): string {
    return new URL(`/sandbox/${path}`, this.sandbox.url).href;
  }

  /** How the sandbox says that it stands. */
  async status(): Promise<SandboxStatus> {
    return good(Status, await this.control('status', undefined, 'GET')).data;
  }

  /** Lets requests go wrong from now on. */
  async setFaults(...faults: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
    good(z.object({}), await this.control('faults', { faults }, 'PUT'));
  }

  /** What does not add up, according to the sandbox's own books. */
  async audit(): Promise<readonly string[]> {
    return good(z.object({ data: z.array(z.string()) }), await this.control('audit', undefined, 'GET')).data;
  }

  async opening(owner = this.sandbox.owner): Promise<readonly OpenPosition[]> {
    return good(Opening, await this.get('/lp-positions/opening', { owner })).data;
  }

  /** The owner's open positions in pools with bins. */
  async binPositions(): Promise<readonly OpenPosition[]> {
    const { data } = good(Pools, await this.get('/pools/discover', { pageSize: 100 }));
    const withBins = new Set(data.filter(({ bin_step }) => bin_step > 0).map(({ pool }) => pool));
    return (await this.opening()).filter(({ pool }) => withBins.has(pool));
  }

  /** The open position at an address; `undefined` where there is none. */
  async position(address: string): Promise<OpenPosition | undefined> {
    return (await this.opening()).find(({ position }) => position === address);
  }

  /** One of the owner's open positions in pools with bins. */
  async anyPosition(): Promise<OpenPosition> {
    return found((await this.binPositions())[0], 'open position');
  }

  /** An open position that is out of range because its price rose: all of it is SOL, and stays what it is while it is not touched. */
  async soldOutPosition(): Promise<OpenPosition> {
    return found(
      (await this.binPositions()).find(
        ({ inRange, current, pairName }) => !inRange && current.amount0 === '0' && pairName.endsWith('/SOL'),
      ),
      'open position that is all SOL',
    );
  }

  /** An open position in range, of at least so many US dollars, in a pool with bins and SOL as its second token. */
  async positionInRange(leastUsd = 50): Promise<OpenPosition> {
    const fits = ({ inRange, value, pairName }: OpenPosition): boolean => inRange && value > leastUsd && pairName.endsWith('/SOL');
    return found((await this.binPositions()).find(fits), 'open position in range');
  }

  async pool(pairName: string, binStep: number): Promise<DiscoveredPool> {
    const { data } = good(Pools, await this.get('/pools/discover', { pageSize: 100 }));
    return found(
      data.find((pool) => pool.pairName === pairName && pool.bin_step === binStep),
      `${pairName} with bins of ${binStep}`,
    );
  }

  /** A pool without bins. */
  async productPool(pairName: string): Promise<DiscoveredPool> {
    const { data } = good(Pools, await this.get('/pools/discover', { pageSize: 100, type: 'meteora_damm_v2' }));
    return found(
      data.find((pool) => pool.pairName === pairName),
      `${pairName} without bins`,
    );
  }

  async activeBin(pool: string): Promise<number> {
    return good(Info, await this.get(`/pools/${pool}/info`)).data.liquidityViz.activeBin.binId;
  }

  /** Raw; 0 where nothing is listed. */
  async balance(mint: string): Promise<bigint> {
    const { data } = good(Balance, await this.get('/token/balance', { owner: this.sandbox.owner }));
    return BigInt(data.find(({ address }) => address === mint)?.rawBalance ?? '0');
  }

  async decrease(positionId: string, bps: number, more: Readonly<Record<string, unknown>> = {}): Promise<DecreaseBuild> {
    return good(
      Decrease,
      await this.post('/position/decrease-tx', {
        position_id: positionId,
        bps,
        owner: this.sandbox.owner,
        slippage_bps: 500,
        output: 'allBaseToken',
        ...more,
      }),
    ).data;
  }

  async add(pool: string, body: Readonly<Record<string, unknown>>): Promise<AddBuild> {
    return good(
      Add,
      await this.post(`/pools/${pool}/add-tx`, {
        stratergy: 'Spot',
        owner: this.sandbox.owner,
        slippage_bps: 500,
        mode: 'zap-in',
        percentX: 0.5,
        ...body,
      }),
    ).data;
  }

  /** Signs with the owner's key and lands. */
  landDecrease(built: DecreaseBuild): Promise<Answer> {
    return this.post('/position/landing-decrease-tx', this.signedDecrease(built));
  }

  landAdd(built: AddBuild): Promise<Answer> {
    return this.post('/pools/landing-add-tx', this.signedAdd(built));
  }

  signedDecrease({ lastValidBlockHeight, closeTxsWithJito, swapTxsWithJito }: DecreaseBuild): Record<string, unknown> {
    return {
      lastValidBlockHeight,
      closeTxs: [],
      swapTxs: [],
      closeTxsWithJito: this.sign(closeTxsWithJito),
      swapTxsWithJito: this.sign(swapTxsWithJito),
    };
  }

  signedAdd({ lastValidBlockHeight, swapTxsWithJito, addLiquidityTxsWithJito, meta }: AddBuild): Record<string, unknown> {
    return {
      lastValidBlockHeight,
      swapTxsWithJito: this.sign(swapTxsWithJito),
      addLiquidityTxsWithJito: this.sign(addLiquidityTxsWithJito),
      meta,
    };
  }

  sign(transactions: readonly string[]): string[] {
    return signAll(transactions, this.sandbox.secretKey);
  }

  send(method: string, url: string, body?: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return send(method, url, { ...this.#headers(body), ...headers }, body);
  }

  /** The same, whatever the answer is; `path` from the base path on. */
  sendRaw(method: string, path: string, body?: unknown): Promise<RawAnswer> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    return sendRaw(method, `${this.sandbox.url}${path}`, this.#headers(text), text);
  }

  #headers(body: string | undefined): Record<string, string> {
    return { 'x-api-key': this.sandbox.apiKey, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  }
}

/** A request with exactly these headers; the answer has to be JSON. */
export async function send(method: string, url: string, headers: Readonly<Record<string, string>>, body?: string): Promise<Answer> {
  const { status, headers: received, text } = await sendRaw(method, url, headers, body);
  try {
    return { status, headers: received, body: JSON.parse(text) };
  } catch {
    throw new Error(`${method} ${url} answered ${status} with what is not JSON: ${text.slice(0, 200)}`);
  }
}

/** The same, whatever the answer is. Rejects where the connection is cut. */
function sendRaw(method: string, url: string, headers: Readonly<Record<string, string>>, body?: string): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Reads a success. */
export function good<Schema extends z.ZodType>(schema: Schema, answer: Answer): z.output<Schema> {
  assert.equal(answer.status, 200, JSON.stringify(answer.body).slice(0, 400));
  return schema.parse(answer.body);
}

/** Reads a failure of that status: its message. */
export function refused(status: number, answer: Answer): string {
  assert.equal(answer.status, status, JSON.stringify(answer.body).slice(0, 400));
  return Failure.parse(answer.body).message;
}

/** Reads the signature of something that landed. */
export function landed(answer: Answer): string {
  return good(Landed, answer).data.signature;
}

function found<Value>(value: Value | undefined, what: string): Value {
  assert.ok(value !== undefined, `There is no ${what}`);
  return value;
}
