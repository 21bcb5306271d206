import assert from 'node:assert/strict';
import { request } from 'node:http';
import * as z from 'zod';
import type { ReadyLine } from './process';
import { signAll } from './sign';

/** What came back. `body`: the JSON, unchecked. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const Failure = z.strictObject({ status: z.literal('error'), message: z.string().min(1) });

const Opening = z.object({
  count: z.int(),
  data: z.array(
    z.looseObject({
      id: z.string(),
      position: z.string(),
      pool: z.string(),
      pairName: z.string(),
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

const Pools = z.object({ data: z.array(z.looseObject({ pool: z.string(), pairName: z.string(), bin_step: z.number(), token0: z.string(), token1: z.string() })) });
/** A pool, as far as flows need to know it. */
export type DiscoveredPool = z.output<typeof Pools>['data'][number];

const Info = z.object({ data: z.looseObject({ liquidityViz: z.object({ activeBin: z.object({ binId: z.int() }) }) }) });
const Balance = z.object({ data: z.array(z.looseObject({ address: z.string(), rawBalance: z.string() })) });

const Decrease = z.object({
  data: z.looseObject({ lastValidBlockHeight: z.int(), closeTxsWithJito: z.array(z.string()), swapTxsWithJito: z.array(z.string()) }),
});
const Add = z.object({
  data: z.looseObject({
    lastValidBlockHeight: z.int(),
    swapTxsWithJito: z.array(z.string()),
    addLiquidityTxsWithJito: z.array(z.string()),
    meta: z.looseObject({ positionPubKey: z.string() }),
  }),
});
/** An unsigned withdrawal or entry. */
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
  control(path: string, body: unknown): Promise<Answer> {
    return this.send('POST', new URL(`/sandbox/${path}`, this.sandbox.url).href, JSON.stringify(body));
  }

  async opening(owner = this.sandbox.owner): Promise<readonly OpenPosition[]> {
    return good(Opening, await this.get('/lp-positions/opening', { owner })).data;
  }

  /** The open position at an address; `undefined` where there is none. */
  async position(address: string): Promise<OpenPosition | undefined> {
    return (await this.opening()).find(({ position }) => position === address);
  }

  /** @throws AssertionError where the owner has no open position in that pair. */
  async positionIn(pairName: string): Promise<OpenPosition> {
    return found((await this.opening()).find((position) => position.pairName === pairName), pairName);
  }

  async pool(pairName: string, binStep: number): Promise<DiscoveredPool> {
    const { data } = good(Pools, await this.get('/pools/discover', { pageSize: 100 }));
    return found(data.find((pool) => pool.pairName === pairName && pool.bin_step === binStep), `${pairName} ${binStep}`);
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
    return good(Decrease, await this.post('/position/decrease-tx', { position_id: positionId, bps, owner: this.sandbox.owner, slippage_bps: 500, output: 'allBaseToken', ...more })).data;
  }

  async add(pool: string, body: Readonly<Record<string, unknown>>): Promise<AddBuild> {
    return good(Add, await this.post(`/pools/${pool}/add-tx`, { stratergy: 'Spot', owner: this.sandbox.owner, slippage_bps: 500, mode: 'zap-in', percentX: 0.5, ...body })).data;
  }

  /** Signs with the owner's key and lands. */
  landDecrease(built: DecreaseBuild): Promise<Answer> {
    return this.post('/position/landing-decrease-tx', this.signedDecrease(built));
  }

  landAdd(built: AddBuild): Promise<Answer> {
    return this.post('/pools/landing-add-tx', this.signedAdd(built));
  }

  signedDecrease({ lastValidBlockHeight, closeTxsWithJito, swapTxsWithJito }: DecreaseBuild): Record<string, unknown> {
    return { lastValidBlockHeight, closeTxs: [], swapTxs: [], closeTxsWithJito: this.sign(closeTxsWithJito), swapTxsWithJito: this.sign(swapTxsWithJito) };
  }

  signedAdd({ lastValidBlockHeight, swapTxsWithJito, addLiquidityTxsWithJito, meta }: AddBuild): Record<string, unknown> {
    return { lastValidBlockHeight, swapTxsWithJito: this.sign(swapTxsWithJito), addLiquidityTxsWithJito: this.sign(addLiquidityTxsWithJito), meta };
  }

  sign(transactions: readonly string[]): string[] {
    return signAll(transactions, this.sandbox.secretKey);
  }

  send(method: string, url: string, body?: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return send(method, url, { 'x-api-key': this.sandbox.apiKey, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers }, body);
  }
}

/** A request with exactly these headers. */
export function send(method: string, url: string, headers: Readonly<Record<string, string>>, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        try {
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) });
        } catch {
          reject(new Error(`${method} ${url} answered ${response.statusCode ?? 0} with what is not JSON: ${text.slice(0, 200)}`));
        }
      });
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
