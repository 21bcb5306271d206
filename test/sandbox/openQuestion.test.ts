import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import bs58 from 'bs58';
import { address, type Address } from '../../src/base/solana/address';
import { parseBase64Transaction, bytesFromBase64, parseTransaction } from '../../src/base/solana/wireTransaction';
import { Portfolio } from '../../src/portfolio/portfolio';
import { signReviewed } from '../../src/review/review';
import type { Review } from '../../src/review/types';
import { parseBaseUrl } from '../../src/service/baseUrl';
import { createLiquidityService } from '../../src/service/client';
import type { OpenPosition } from '../../src/service/positions';
import { openJournal } from '../../src/transactions/journal/journal';
import { openLocks } from '../../src/transactions/locks/locks';
import { runRebalance } from '../../src/transactions/rebalance/rebalance';
import { runZapIn } from '../../src/transactions/run/zapIn';
import { runZapOut } from '../../src/transactions/run/zapOut';
import type { OperationDependencies, OperationHost, ReapprovalReason } from '../../src/transactions/types';
import { createSigner } from '../../src/wallet/signer';
import { PATIENCE_MS } from '../support/patience';
import { useSandbox } from '../support/sandbox/useSandbox';
import { rpcOf } from '../support/sandbox/rpcOf';

/** How many times faster than in the editor the clock of the operation runs its timers; the time that they see is only moved by the tests. */
const HASTE = 10;

/** By then no pool has a variable fee of an earlier swap (`decay_period`: 600 s at most). */
const VARIABLE_FEES_DECAY_MS = 15 * 60_000;

/** A clock that only the tests move; what waits for it gets its turn soon. */
class MovedClock {
  #now = Date.now();
  readonly now = (): number => this.#now;
  move(ms: number): void {
    this.#now += ms;
  }
  after(ms: number, run: () => void): { dispose(): void } {
    const timer = setTimeout(run, ms / HASTE);
    return { dispose: () => clearTimeout(timer) };
  }
}

/** An operation whose user takes their time. */
interface Reader {
  readonly dependencies: OperationDependencies;
  readonly host: OperationHost;
  readonly asked: { readonly review: Review; readonly reason: ReapprovalReason | undefined }[];
  /** Whether the blockhash of what was shown was still valid when the user agreed. */
  readonly wasValid: boolean[];
  /** What the operation wrote to its log. */
  readonly log: string[];
  builds: number;
}

// A blockhash is good for 150 blocks of 200 ms: 30 seconds. The user reads for 45 seconds of the chain's time.
describe('A question that stays open in the sandbox at 200 ms a slot', function () {
  const client = useSandbox('all', { args: ['--price-speed', '0', '--slot-ms', '200'] });
  const owner = (): Address => address(client().sandbox.owner);
  let close: () => Promise<void> = () => Promise.resolve();
  afterEach(() => close());

  async function reader(hasRpc: boolean): Promise<Reader> {
    const { url, apiKey, secretKey } = client().sandbox;
    // The variable fees of earlier swaps decay first. While they do, prices move: they improve, and a deposit may take more of the user's tokens.
    await client().control('advance', { ms: VARIABLE_FEES_DECAY_MS });
    const clock = new MovedClock();
    const storage = await mkdtemp(join(tmpdir(), 'binsight-question-'));
    const service = createLiquidityService({ baseUrl: parseBaseUrl(url), apiKey });
    const counted = new Proxy(service, {
      get: (target, name): unknown => {
        at.builds += name === 'buildDecrease' || name === 'buildAdd' ? 1 : 0;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    const portfolio = new Portfolio({ service: () => Promise.resolve(service), log: () => undefined, clock });
    portfolio.setOwner(owner());
    await portfolio.refresh('startup', ['positions']);
    const journal = openJournal({ folder: join(storage, 'journal'), nowMs: clock.now, log: () => undefined });
    const locks = openLocks({ folder: join(storage, 'locks'), log: () => undefined });
    close = async () => {
      journal.dispose();
      await locks.dispose();
      await rm(storage, { recursive: true, force: true });
    };
    const rpc = rpcOf({ url, apiKey });
    let holds = 0;
    const at: Reader = {
      asked: [],
      wasValid: [],
      log: [],
      builds: 0,
      dependencies: {
        ...{ service: counted, portfolio, journal, locks, clock, nowMs: clock.now, serviceId: 'sandbox' },
        isServiceInUse: () => true,
        log: (_level, message) => at.log.push(message),
        rpc: hasRpc ? rpc : undefined,
        policy: () => ({}),
        isSimulating: true,
        settleTimeoutMs: 20_000,
        settleEveryMs: 200,
      },
      host: {
        report: (step, leftMs) => {
          holds = step === 'waitingForApproval' ? (leftMs ?? 0) : 0;
        },
        approve: async (review, reason) => {
          at.asked.push({ review, reason });
          for (let read = 0; read < 3 && review.verdict === 'allow' && reason === undefined; read += 1) {
            const { builds } = at;
            // The chain first: a quote that is renewed in between would be as old as the last one.
            await client().control('advance', { ms: 15_000 });
            clock.move(15_000);
            // The quote is renewed, and what was renewed is covered: it holds again.
            await happened(
              () => at.builds > builds && holds > 15_000,
              () => at.log.join('; '),
            );
          }
          at.wasValid.push(await rpc.isBlockhashValid(blockhashOf(review)));
          return review.verdict === 'allow' && reason === undefined;
        },
        signer: () =>
          Promise.resolve(
            createSigner({
              owner: owner(),
              readSeed: () => Promise.resolve(bs58.decode(secretKey).slice(0, 32)),
              signReviewed,
              nowMs: clock.now,
            }),
          ),
      },
    };
    return at;
  }

  const aPosition = async ({ dependencies }: Reader): Promise<OpenPosition> => {
    await dependencies.portfolio.refresh('manual', ['positions']);
    const found = dependencies.portfolio.snapshot.positions.find(
      ({ poolType, amount0, amount1 }) => poolType === 'dlmm' && (amount0 ?? 0) > 0 && (amount1 ?? 0) > 0,
    );
    return found ?? assert.fail('No position holds both tokens');
  };

  for (const hasRpc of [true, false]) {
    const where = hasRpc ? 'with an RPC' : 'without an RPC';

    it(`A zap-out lands after one click, although what was shown had expired (${where})`, async () => {
      const at = await reader(hasRpc);
      const position = await aPosition(at);
      const result = await runZapOut(
        { position, owner: owner(), shareBps: 3_000, output: 'allBaseToken', slippageBps: 300 },
        at.dependencies,
        at.host,
        new AbortController().signal,
      );
      assert.equal(result.kind, 'settled', at.asked.map(({ reason }) => reason).join(', '));
      assert.deepEqual([at.asked.length, at.wasValid, at.builds], [1, [false], 4]);
      const [record] = (await at.dependencies.journal.read()).records;
      assert.deepEqual(record?.events.filter(({ kind }) => kind === 'built').length, 2);
    });

    it(`A zap-in lands after one click in a position of its last build (${where})`, async () => {
      const at = await reader(hasRpc);
      const { pool, pairName, token0, token1 } = await client().pool('BONQ/SOL', 25);
      const active = await client().activeBin(pool);
      await at.dependencies.portfolio.refresh('manual', ['pools']);
      const listed = at.dependencies.portfolio.snapshot.pools.find((one) => one.address === pool) ?? assert.fail('It is not listed');
      const result = await runZapIn(
        {
          ...{ pool: address(pool), pairName, poolType: 'dlmm', tokenX: address(token0), tokenY: address(token1), owner: owner() },
          ...{ inputLamports: 1_000_000_000n, percentX: 0.5, strategy: 'Spot', slippageBps: 500 },
          ...{ fromBinId: active - 20, toBinId: active + 20, activeBinId: active, binStepBps: 25 },
          prices: {
            decimalsX: listed.token0.decimals,
            decimalsY: listed.token1.decimals,
            priceXUsd: listed.price0Usd,
            priceYUsd: listed.price1Usd,
            solUsd: listed.price1Usd,
          },
        },
        at.dependencies,
        at.host,
        new AbortController().signal,
      );
      assert.equal(result.kind, 'settled', JSON.stringify(at.asked.map(({ review }) => review.findings.map(({ message }) => message))));
      assert.deepEqual([at.asked.length, at.wasValid, at.builds], [1, [false], 4]);
      assert.ok((await client().position(result.position ?? '')) !== undefined);
    });

    it(`Both halves of a rebalance land after one click each (${where})`, async () => {
      const at = await reader(hasRpc);
      const position = await aPosition(at);
      const result = await runRebalance(
        { position, owner: owner(), terms: { halfWidthBins: 10, strategy: undefined, slippageBps: 500, reserveLamports: 0n } },
        at.dependencies,
        {
          report: (step) => 'leftMs' in step && at.host.report(step.step, step.leftMs),
          approve: ({ review, reason }) => at.host.approve(review, reason),
          signer: () => at.host.signer(),
        },
        new AbortController().signal,
      );
      assert.equal(result.kind, 'settled', JSON.stringify(at.asked.map(({ reason }) => reason)));
      assert.deepEqual([at.asked.length, at.wasValid, at.builds], [2, [false, false], 8]);
      assert.deepEqual(await client().audit(), []);
    });
  }

  it('What was shown as legacy lands after one click if the service builds version 1 by then', async () => {
    const at = await reader(true);
    const position = await aPosition(at);
    await client().control('settings', { transactions: 'legacy' });
    try {
      const result = await runZapOut(
        { position, owner: owner(), shareBps: 3_000, output: 'allBaseToken', slippageBps: 300 },
        at.dependencies,
        {
          ...at.host,
          approve: async (review, reason, details) => {
            await client().control('settings', { transactions: 'v1' });
            return at.host.approve(review, reason, details);
          },
        },
        new AbortController().signal,
      );
      assert.equal(result.kind, 'settled', at.asked.map(({ reason }) => reason).join(', '));
    } finally {
      await client().control('settings', { transactions: 'service' });
    }
    assert.deepEqual([at.asked.length, at.wasValid], [1, [false]]);
  });

  function blockhashOf({ input }: Review): string {
    const base64 = parseBase64Transaction(input.transactions[0]?.base64 ?? '');
    assert.ok(base64 !== undefined);
    return parseTransaction(bytesFromBase64(base64)).recentBlockhash;
  }
});

/** Waits for what happens in another process. */
async function happened(isSo: () => boolean, log: () => string): Promise<void> {
  for (const startMs = Date.now(); !isSo();) {
    assert.ok(Date.now() - startMs < PATIENCE_MS, `The quote was not renewed. ${log()}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
