import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import bs58 from 'bs58';
import { parseBaseUrl } from '../../src/service/baseUrl';
import { createLiquidityService } from '../../src/service/client';
import type { Pool } from '../../src/service/pools';
import type { LiquidityService } from '../../src/service/service';
import { FactSheet } from '../../src/transactions/inspect/chainFacts';
import { openJournal } from '../../src/transactions/journal/journal';
import { openLocks } from '../../src/transactions/locks/locks';
import type { OperationDependencies, OperationHost, OperationResult } from '../../src/transactions/types';
import { runZapIn } from '../../src/transactions/run/zapIn';
import { runZapOut } from '../../src/transactions/run/zapOut';
import { Portfolio } from '../../src/portfolio/portfolio';
import { NO_QUESTIONS } from '../../src/review/questions';
import { signReviewed } from '../../src/review/review';
import type { Review } from '../../src/review/types';
import { createRpc } from '../../src/rpc/rpc';
import { parseRpcUrl } from '../../src/base/solana/rpcUrl';
import type { SolanaRpc } from '../../src/rpc/types';
import { address } from '../../src/base/solana/address';
import { associatedTokenAddress } from '../../src/base/solana/pda';
import { PROGRAMS, USDC_MINT, WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import { createSigner } from '../../src/wallet/signer';
import { STILL, useSandbox } from '../support/sandbox/useSandbox';
import { shownBin } from '../../src/service/poolInfo';

/** What a run of operations needs, and what came of it. */
interface Desk {
  readonly service: LiquidityService;
  readonly portfolio: Portfolio;
  readonly dependencies: OperationDependencies;
  readonly host: OperationHost;
  readonly reviews: Review[];
  readonly logs: string[];
}

const never = new AbortController().signal;

// Client and sandbox meet over HTTP alone: service, RPC, review, wallet and portfolio are the ones that the extension uses.
describe('Operations with the RPC of the sandbox', function () {
  const client = useSandbox('all', STILL);

  let storage: string;
  before(async () => {
    storage = await mkdtemp(join(tmpdir(), 'binsight-rpc-client-'));
  });
  after(() => rm(storage, { recursive: true, force: true }));

  const rpcUrl = (): string => new URL(`/rpc?api-key=${client().sandbox.apiKey}`, client().sandbox.url).href;
  const rpc = (): SolanaRpc => createRpc({ url: parseRpcUrl(rpcUrl()) });

  async function desk(): Promise<Desk> {
    const { url, apiKey, owner: ownerText, secretKey } = client().sandbox;
    const owner = address(ownerText);
    const service = createLiquidityService({ baseUrl: parseBaseUrl(url), apiKey });
    const clock = {
      now: () => Date.now(),
      after: (ms: number, run: () => void) => {
        const timer = setTimeout(run, ms);
        return { dispose: () => clearTimeout(timer) };
      },
    };
    const reviews: Review[] = [];
    const logs: string[] = [];
    const portfolio = new Portfolio({ service: () => Promise.resolve(service), log: () => undefined, clock });
    portfolio.setOwner(owner);
    await portfolio.refresh('startup', ['positions']);
    const readSeed = () => Promise.resolve(bs58.decode(secretKey).slice(0, 32));
    return {
      service,
      portfolio,
      reviews,
      logs,
      dependencies: {
        service,
        portfolio,
        isServiceInUse: () => true,
        log: (level, message) => void logs.push(`${level} ${message}`),
        rpc: rpc(),
        policy: () => ({}),
        isSimulating: true,
        nowMs: () => Date.now(),
        journal: openJournal({ folder: join(storage, 'journal'), nowMs: () => Date.now(), log: () => undefined }),
        locks: openLocks({ folder: join(storage, 'locks'), log: () => undefined }),
        serviceId: 'sandbox',
        settleTimeoutMs: 20_000,
        settleEveryMs: 200,
      },
      host: {
        report: () => undefined,
        approve: (review) => {
          reviews.push(review);
          return Promise.resolve(review.verdict === 'allow');
        },
        signer: () => Promise.resolve(createSigner({ owner, readSeed, signReviewed, nowMs: () => Date.now() })),
      },
    };
  }

  function assertHonest(result: OperationResult, { reviews, logs }: Desk, what: string): void {
    const [review, ...more] = reviews;
    assert.ok(review !== undefined);
    const objections = review.findings
      .filter(({ verdict, rule }) => verdict !== 'info' || rule === 'RPC-1')
      .map(({ rule, verdict, message }) => `${verdict} ${rule}: ${message}`);
    assert.deepEqual(objections, [], what);
    assert.equal(result.kind, 'settled', `${what}\n${logs.join('\n')}`);
    assert.equal(more.length, 0, 'asked once');
    assert.equal(review.checked.simulation?.transactions, review.transactions.length, `not all of ${what} is simulated`);
    assert.ok((review.intent.references ?? []).length >= 2, `${what} is not measured by the prices that were shown`);
    assert.equal(review.checked.resolvedTables, review.checked.usedTables, `${what} has tables that were not read`);
  }

  async function zapIn(pool: Pool): Promise<OperationResult> {
    const at = await desk();
    const hasBins = pool.poolType === 'dlmm';
    const shown = shownBin(await at.service.poolInfo(pool.address));
    const active = shown.activeBinId ?? 0;
    const { address: of, pairName, token0, token1, poolType } = pool;
    assert.ok(poolType !== 'other');
    const sol = (await at.service.tokenBalances({ owner: address(client().sandbox.owner), mints: [WRAPPED_SOL_MINT] })).items[0];
    const plan = {
      ...{ pool: of, pairName, poolType, tokenX: token0.address, tokenY: token1.address, owner: address(client().sandbox.owner) },
      ...{ inputLamports: 200_000_000n, percentX: 0.5, slippageBps: 300, ...shown },
      ...(hasBins
        ? { strategy: 'Spot' as const, fromBinId: active - 10, toBinId: active + 10 }
        : { strategy: undefined, fromBinId: undefined, toBinId: undefined }),
      prices: {
        decimalsX: token0.decimals,
        decimalsY: token1.decimals,
        priceXUsd: pool.price0Usd,
        priceYUsd: pool.price1Usd,
        solUsd: sol?.priceUsd,
      },
    };
    const result = await runZapIn(plan, at.dependencies, at.host, never);
    assertHonest(result, at, `a zap-in to ${pairName} (${poolType})`);
    return result;
  }

  async function zapOut(position: string, shareBps: number): Promise<void> {
    const at = await desk();
    const listed = at.portfolio.snapshot.positions.find((one) => one.address === position);
    assert.ok(listed !== undefined);
    const plan = { position: listed, owner: address(client().sandbox.owner), shareBps, output: 'allBaseToken', slippageBps: 300 } as const;
    const what = `a zap-out of ${shareBps} bp of ${listed.pairName} (${listed.poolType})`;
    assertHonest(await runZapOut(plan, at.dependencies, at.host, never), at, what);
    const [record] = (await at.dependencies.journal.read()).records;
    assert.ok(record !== undefined && record.state === 'settled');
    const statuses = await rpc().signatureStatuses(record.signatures);
    assert.ok(
      statuses.length > 0 && statuses.every((status) => status !== undefined && status.error === undefined),
      `the journal has other signatures of ${what} than the network`,
    );
    const isBackInSol = listed.token1.address === WRAPPED_SOL_MINT || listed.token0.address === WRAPPED_SOL_MINT;
    assert.ok(
      record.lamportsBack !== undefined && (!isBackInSol || record.lamportsBack > 0n),
      `${record.lamportsBack} lamports back from ${what}`,
    );
  }

  const PAIRS = { dlmm: ['BONQ/SOL', 'SOL/USDC', 'TRUMPET/USDC'], dammV2: ['BONQ/SOL', 'SOL/USDC', 'RAYO/USDC'] } as const;
  for (const poolType of ['dlmm', 'dammV2'] as const) {
    for (const pairName of PAIRS[poolType]) {
      it(`A zap-in, a withdrawal of half, and one of the rest work in ${pairName} (${poolType})`, async () => {
        const { service } = await desk();
        const { items } = await service.discoverPools({ pageSize: 100 });
        const pool = items.find((one) => one.poolType === poolType && one.pairName === pairName);
        assert.ok(pool !== undefined);
        const result = await zapIn(pool);
        assert.ok(result.kind === 'settled' && result.position !== undefined);
        await zapOut(result.position, 5_000);
        await zapOut(result.position, 10_000);
      });
    }
  }

  it('A zap-out works for every position that is open at the start', async () => {
    const { portfolio } = await desk();
    const { positions } = portfolio.snapshot;
    assert.ok(positions.length > 0);
    for (const { address: position } of positions) {
      assert.ok(position !== undefined);
      await zapOut(position, 10_000);
    }
  });

  it('The client reads the owners of token accounts and the validity of blockhashes', async () => {
    const owner = address(client().sandbox.owner);
    const usdc = associatedTokenAddress(owner, USDC_MINT);
    const sheet = new FactSheet();
    const answer = await client().send('POST', rpcUrl(), '{"jsonrpc":"2.0","id":1,"method":"getLatestBlockhash"}');
    const latest = answer.body as { readonly result: { readonly value: { readonly blockhash: string } } };
    const { blockhash } = latest.result.value;
    await sheet.ask({ ...NO_QUESTIONS, tokenAccounts: [usdc, owner], blockhashes: [blockhash, PROGRAMS.token] }, rpc(), never);
    const { facts } = sheet;
    assert.equal(facts.problem, undefined);
    assert.deepEqual(
      [...facts.tokenAccounts],
      [[usdc, { owner, mint: USDC_MINT, state: 'initialized', delegate: null, closeAuthority: null }]],
    );
    assert.deepEqual(
      [...facts.blockhashes],
      [
        [blockhash, true],
        [PROGRAMS.token, false],
      ],
    );
    assert.ok((await rpc().blockHeight()) > 0n);
    assert.deepEqual(await rpc().signatureStatuses([bs58.encode(new Uint8Array(64).fill(7))]), [undefined]);
  });
});
