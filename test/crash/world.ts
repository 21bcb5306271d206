import assert from 'node:assert/strict';
import * as z from 'zod';
import type { SolanaRpc } from '../../src/rpc/types';
import { PROGRAMS } from '../../src/base/solana/programs';
import { good, landed, TestClient, type DiscoveredPool } from '../support/sandbox/client';
import { rpcOf } from '../support/sandbox/rpcOf';
import type { ReadyLine } from '../support/sandbox/process';

const Result = z.object({ result: z.unknown() });
const Lamports = z.object({ value: z.int().transform(BigInt) });
const Raw = z.object({ amount: z.string().transform(BigInt) });
const TokenAccounts = z.object({
  value: z.array(
    z.object({ account: z.object({ data: z.object({ parsed: z.object({ info: z.object({ mint: z.string(), tokenAmount: Raw }) }) }) }) }),
  ),
});
const TokenBalances = z.array(z.object({ owner: z.string(), mint: z.string(), uiTokenAmount: Raw }));
const Transaction = z.object({
  transaction: z.object({ message: z.object({ accountKeys: z.array(z.string()) }) }),
  meta: z.object({
    preBalances: z.array(z.int()),
    postBalances: z.array(z.int()),
    preTokenBalances: TokenBalances,
    postTokenBalances: TokenBalances,
  }),
});
const Pools = z.object({
  data: z.array(z.looseObject({ pool: z.string(), pairName: z.string(), bin_step: z.number(), token0: z.string(), token1: z.string() })),
});

/** The 150 blocks of a blockhash, the margin of the proof, and some time for everything else. */
const EXPIRED_AFTER_BLOCKS = 250;

/**
 * Balances, or a change of them: lamports of the owner's account, and raw amounts in its token accounts by mint. Wrapped SOL is a token.
 */
export interface Change {
  readonly lamports: bigint;
  readonly tokens: ReadonlyMap<string, bigint>;
}

/** The owner's possessions by the sandbox itself. */
export interface Estate extends Change {
  /** Addresses of open positions. */
  readonly open: ReadonlySet<string>;
  /** Number of landed transactions; only the owner sends any. */
  readonly landedTransactions: number;
}

/** The sandbox, with requests that only the test makes. */
export class World {
  readonly client: TestClient;
  readonly rpc: SolanaRpc;
  /** How far its clock was advanced. */
  skippedMs = 0;

  readonly sandbox: ReadyLine;

  /** @param slotMs the slot length of the sandbox */
  constructor(
    { url, apiKey, owner, secretKey, pid }: ReadyLine,
    readonly slotMs = 400,
  ) {
    // Only the fields that other processes need.
    this.sandbox = { url, apiKey, owner, secretKey, pid };
    this.client = new TestClient(this.sandbox);
    this.rpc = rpcOf(this.sandbox);
  }

  /** Longer than transactions can land, and until an RPC proves that they no longer can. */
  get expiryMs(): number {
    return EXPIRED_AFTER_BLOCKS * this.slotMs;
  }

  /** Advances the clock; transactions built before may expire. */
  async advance(ms: number): Promise<void> {
    good(z.object({}), await this.client.control('advance', { ms }));
    this.skippedMs += ms;
  }

  /** Moves the price of the pool's token X. */
  async shock(pool: string, percent: number): Promise<void> {
    good(z.object({}), await this.client.control('shock', { pool, percent }));
  }

  async setLag(indexingLagMs: number): Promise<void> {
    good(z.object({}), await this.client.control('settings', { indexingLagMs }));
  }

  /** Pools with SOL on one side, with or without bins. */
  async pools(type: 'meteora' | 'meteora_damm_v2'): Promise<readonly DiscoveredPool[]> {
    const { data } = good(Pools, await this.client.get('/pools/discover', { sortBy: 'tvl', pageSize: 100, type }));
    return data.filter(({ pairName }) => pairName.includes('SOL'));
  }

  /** Opens a position. `halfWidth`: bins on each side; `undefined` for pools without bins. */
  async enter(pool: string, inputSOL: number, halfWidth: number | undefined): Promise<string> {
    const middle = halfWidth === undefined ? 0 : await this.client.activeBin(pool);
    const built = await this.client.add(pool, {
      inputSOL,
      ...(halfWidth === undefined ? {} : { fromBinId: middle - halfWidth, toBinId: middle + halfWidth }),
    });
    landed(await this.client.landAdd(built));
    return built.meta.positionPubKey;
  }

  async estate(): Promise<Estate> {
    const { owner } = this.sandbox;
    const { value: lamports } = Lamports.parse(await this.#ask('getBalance', [owner]));
    const tokens = await Promise.all(
      [PROGRAMS.token, PROGRAMS.token2022].map(async (programId) => {
        const { value } = TokenAccounts.parse(
          await this.#ask('getTokenAccountsByOwner', [owner, { programId }, { encoding: 'jsonParsed' }]),
        );
        return value.map(({ account: { data } }) => ({
          lamports: 0n,
          tokens: new Map([[data.parsed.info.mint, data.parsed.info.tokenAmount.amount]]),
        }));
      }),
    );
    const open = (await this.client.opening()).map(({ position }) => position);
    const { counts } = await this.client.status();
    return { lamports, tokens: together(tokens.flat()).tokens, open: new Set(open), landedTransactions: counts['landedTransactions'] ?? 0 };
  }

  /** The signatures that the chain knows. */
  async landedOf(signatures: readonly string[]): Promise<ReadonlySet<string>> {
    const statuses = signatures.length === 0 ? [] : await this.rpc.signatureStatuses(signatures);
    return new Set(signatures.filter((_, index) => statuses[index] !== undefined));
  }

  /** Change by a landed transaction for the owner; costs are negative. */
  async changeBy(signature: string): Promise<Change> {
    const { owner } = this.sandbox;
    const { transaction, meta } = Transaction.parse(
      await this.#ask('getTransaction', [signature, { encoding: 'json', maxSupportedTransactionVersion: 1 }]),
    );
    const place = transaction.message.accountKeys.indexOf(owner);
    const own = (balances: typeof meta.preTokenBalances, sign: bigint): readonly Change[] =>
      balances
        .filter((balance) => balance.owner === owner)
        .map(({ mint, uiTokenAmount }) => ({ lamports: 0n, tokens: new Map([[mint, sign * uiTokenAmount.amount]]) }));
    return together([
      { lamports: BigInt(meta.postBalances[place] ?? 0) - BigInt(meta.preBalances[place] ?? 0), tokens: new Map() },
      ...own(meta.preTokenBalances, -1n),
      ...own(meta.postTokenBalances, 1n),
    ]);
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

/** The sum of changes; unchanged tokens are left out. */
export function together(changes: readonly Change[]): Change {
  const tokens = new Map<string, bigint>();
  for (const change of changes) {
    change.tokens.forEach((amount, mint) => tokens.set(mint, (tokens.get(mint) ?? 0n) + amount));
  }
  return {
    lamports: changes.reduce((sum, { lamports }) => sum + lamports, 0n),
    tokens: new Map([...tokens].filter(([, amount]) => amount !== 0n)),
  };
}
