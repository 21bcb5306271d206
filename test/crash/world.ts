import assert from 'node:assert/strict';
import * as z from 'zod';
import { createRpc } from '../../src/rpc/rpc';
import { parseRpcUrl } from '../../src/rpc/rpcUrl';
import type { SolanaRpc } from '../../src/rpc/types';
import { good, landed, TestClient, type DiscoveredPool } from '../sandbox/support/client';
import type { ReadyLine } from '../sandbox/support/process';

const Result = z.object({ result: z.unknown() });
const Lamports = z.object({ value: z.int().transform(BigInt) });
const Balances = z.object({ data: z.array(z.looseObject({ address: z.string(), rawBalance: z.string() })) });
const Transaction = z.object({ transaction: z.object({ message: z.object({ accountKeys: z.array(z.string()) }) }), meta: z.object({ preBalances: z.array(z.int()), postBalances: z.array(z.int()) }) });
const Pools = z.object({ data: z.array(z.looseObject({ pool: z.string(), pairName: z.string(), bin_step: z.number(), token0: z.string(), token1: z.string() })) });

/** What the owner has, as the sandbox itself says. */
export interface Estate {
  readonly lamports: bigint;
  /** Raw, by mint. */
  readonly tokens: ReadonlyMap<string, string>;
  /** Addresses of open positions. */
  readonly open: ReadonlySet<string>;
  /** How many transactions the chain has landed. Nobody but the owner sends any. */
  readonly landedTransactions: number;
}

/** The sandbox, and what only the test asks of it. */
export class World {
  readonly client: TestClient;
  readonly rpc: SolanaRpc;
  /** By how much its clock was advanced. */
  skippedMs = 0;

  readonly sandbox: ReadyLine;

  constructor({ url, apiKey, owner, secretKey, pid }: ReadyLine) {
    // Without what a running one has besides: it is handed to other processes.
    this.sandbox = { url, apiKey, owner, secretKey, pid };
    this.client = new TestClient(this.sandbox);
    this.rpc = createRpc({ url: parseRpcUrl(this.#rpcUrl()) });
  }

  /** Moves the clock on: what was built before that may expire. */
  async advance(ms: number): Promise<void> {
    good(z.object({}), await this.client.control('advance', { ms }));
    this.skippedMs += ms;
  }

  async setLag(indexingLagMs: number): Promise<void> {
    good(z.object({}), await this.client.control('settings', { indexingLagMs }));
  }

  /** Pools that SOL is one side of, with bins or without. */
  async pools(type: 'meteora' | 'meteora_damm_v2'): Promise<readonly DiscoveredPool[]> {
    const { data } = good(Pools, await this.client.get('/pools/discover', { sortBy: 'tvl', pageSize: 100, type }));
    return data.filter(({ pairName }) => pairName.includes('SOL'));
  }

  /** Opens a position. `halfWidth`: bins to either side; `undefined` where there are none. */
  async enter(pool: string, inputSOL: number, halfWidth: number | undefined): Promise<string> {
    const middle = halfWidth === undefined ? 0 : await this.client.activeBin(pool);
    const built = await this.client.add(pool, { inputSOL, ...(halfWidth === undefined ? {} : { fromBinId: middle - halfWidth, toBinId: middle + halfWidth }) });
    landed(await this.client.landAdd(built));
    return built.meta.positionPubKey;
  }

  async estate(): Promise<Estate> {
    const { owner } = this.sandbox;
    const { value: lamports } = Lamports.parse(await this.#ask('getBalance', [owner]));
    const { data } = good(Balances, await this.client.get('/token/balance', { owner }));
    const open = (await this.client.opening()).map(({ position }) => position);
    const { counts } = await this.client.status();
    return { lamports, tokens: new Map(data.map(({ address, rawBalance }) => [address, rawBalance])), open: new Set(open), landedTransactions: counts['landedTransactions'] ?? 0 };
  }

  /** Which of these signatures the chain knows. */
  async landedOf(signatures: readonly string[]): Promise<ReadonlySet<string>> {
    const statuses = signatures.length === 0 ? [] : await this.rpc.signatureStatuses(signatures);
    return new Set(signatures.filter((_, index) => statuses[index] !== undefined));
  }

  /** What a landed transaction brought the owner, lamports; less than nothing where it cost. */
  async lamportsOf(signature: string): Promise<bigint> {
    const { transaction, meta } = Transaction.parse(await this.#ask('getTransaction', [signature, { encoding: 'json', maxSupportedTransactionVersion: 0 }]));
    const place = transaction.message.accountKeys.indexOf(this.sandbox.owner);
    return BigInt(meta.postBalances[place] ?? 0) - BigInt(meta.preBalances[place] ?? 0);
  }

  #rpcUrl(): string {
    return new URL(`/rpc?api-key=${this.sandbox.apiKey}`, this.sandbox.url).href;
  }

  async #ask(method: string, params: readonly unknown[]): Promise<unknown> {
    const { status, body } = await this.client.send('POST', this.#rpcUrl(), JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    assert.equal(status, 200, JSON.stringify(body));
    return Result.parse(body).result;
  }
}
