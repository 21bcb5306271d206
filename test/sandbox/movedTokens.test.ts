import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import bs58 from 'bs58';
import { parseBaseUrl } from '../../src/service/baseUrl';
import { createLiquidityService } from '../../src/service/client';
import { movedTokens } from '../../src/ui/zap/movedTokens';
import { openJournal } from '../../src/transactions/journal/journal';
import type { OperationRecord } from '../../src/transactions/journal/types';
import { openLocks } from '../../src/transactions/locks/locks';
import type { OperationDependencies, OperationHost } from '../../src/transactions/types';
import { runZapOut } from '../../src/transactions/run/zapOut';
import { systemClock } from '../../src/base/async/clock';
import { Portfolio } from '../../src/portfolio/portfolio';
import { signReviewed } from '../../src/review/review';
import { address } from '../../src/base/solana/address';
import { WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import { createSigner } from '../../src/wallet/signer';
import { STILL, useSandbox } from '../support/sandbox/useSandbox';
import { rpcOf } from '../support/sandbox/rpcOf';

// Client and sandbox meet over HTTP alone; the wallet is read beside them.
describe('Tokens returned by a zap-out in the sandbox', function () {
  const client = useSandbox('each', STILL);
  let at: OperationDependencies;
  let close: () => Promise<void>;
  let settled: OperationRecord | undefined;

  beforeEach(async () => {
    settled = undefined;
    const folder = await mkdtemp(join(tmpdir(), 'binsight-moved-'));
    const { url, apiKey, owner } = client().sandbox;
    const service = createLiquidityService({ baseUrl: parseBaseUrl(url), apiKey });
    const portfolio = new Portfolio({ service: () => Promise.resolve(service), log: () => undefined, clock: systemClock });
    portfolio.setOwner(address(owner));
    await portfolio.refresh('startup', ['positions']);
    const nowMs = (): number => Date.now();
    const journal = openJournal({ folder: join(folder, 'journal'), nowMs, log: () => undefined });
    const locks = openLocks({ folder: join(folder, 'locks'), log: () => undefined });
    close = async () => {
      journal.dispose();
      portfolio.dispose();
      await locks.dispose();
      await rm(folder, { recursive: true, force: true });
    };
    at = {
      ...{ service, portfolio, journal, locks, clock: systemClock, nowMs, serviceId: 'sandbox' },
      ...{
        isServiceInUse: () => true,
        log: () => undefined,
        policy: () => ({}),
        isSimulating: true,
        settleTimeoutMs: 6_000,
        settleEveryMs: 500,
      },
      rpc: rpcOf({ url, apiKey }),
    };
  });
  afterEach(() => close());

  const host: OperationHost = {
    report: () => undefined,
    settled: (record) => {
      settled = record;
    },
    approve: ({ verdict }) => Promise.resolve(verdict !== 'block'),
    signer: () =>
      Promise.resolve(
        createSigner({
          owner: address(client().sandbox.owner),
          readSeed: () => Promise.resolve(bs58.decode(client().sandbox.secretKey).slice(0, 32)),
          signReviewed,
          nowMs: () => Date.now(),
        }),
      ),
  };

  for (const output of ['allToken0', 'both', 'allBaseToken'] as const) {
    it(`A zap-out records each returned token to its last unit in the journal and the result: ${output}`, async () => {
      const position =
        at.portfolio.snapshot.positions.find(
          (one) => one.poolType === 'dlmm' && one.token1.address === WRAPPED_SOL_MINT && (one.amount0 ?? 0) > 0 && (one.amount1 ?? 0) > 0,
        ) ?? assert.fail('No position holds both tokens');
      const mint = position.token0.address ?? assert.fail();
      const before = [await client().balance(mint), await client().balance(WRAPPED_SOL_MINT)] as const;
      const result = await runZapOut(
        { position, owner: address(client().sandbox.owner), shareBps: 10_000, output, slippageBps: 500 },
        at,
        host,
        new AbortController().signal,
      );
      assert.ok(result.kind === 'settled' && settled !== undefined);
      const gained = [(await client().balance(mint)) - before[0], (await client().balance(WRAPPED_SOL_MINT)) - before[1]] as const;
      const [written] = (await at.journal.read()).records;
      for (const record of [settled, written ?? assert.fail()]) {
        const moved = movedTokens(record) ?? assert.fail('Nothing was read from the transactions');
        const of = (one: string) => moved.find((token) => token.mint === one);
        assert.deepEqual([of(mint)?.changeRaw ?? 0n, of(WRAPPED_SOL_MINT)?.changeRaw], gained);
        assert.equal(of(mint)?.token?.symbol ?? position.token0.symbol, position.token0.symbol);
        assert.ok(moved.every(({ changeRaw, leastRaw }) => leastRaw === undefined || changeRaw >= leastRaw));
        if (output === 'allToken0') {
          assert.ok((of(mint)?.leastRaw ?? 0n) > 0n && (of(mint)?.valueUsd ?? 0) > 0);
        }
      }
    });
  }

  it('A zap-out without an RPC claims no exact amounts', async () => {
    const position =
      at.portfolio.snapshot.positions.find((one) => one.poolType === 'dlmm' && one.token1.address === WRAPPED_SOL_MINT) ?? assert.fail();
    const result = await runZapOut(
      { position, owner: address(client().sandbox.owner), shareBps: 10_000, output: 'both', slippageBps: 500 },
      { ...at, rpc: undefined },
      host,
      new AbortController().signal,
    );
    assert.ok(result.kind === 'settled' && settled !== undefined);
    assert.equal(movedTokens(settled), undefined);
  });
});
