import assert from 'node:assert/strict';
import type { OpenPosition } from '../../src/service/positions';
import { operationDocument } from '../../src/ui/activity/operationDocument';
import { OperationError } from '../../src/transactions/errors';
import { findRemainder, completeOperation } from '../../src/transactions/recovery/complete';
import type { OperationRecord } from '../../src/transactions/journal/types';
import { isPartiallyExecuted, partialExecutionOf } from '../../src/transactions/outcome/partialExecution';
import type { OperationDependencies, OperationHost, OperationResult, ZapInPlan } from '../../src/transactions/types';
import { OperationWatcher } from '../../src/transactions/recovery/watcher';
import { runZapIn } from '../../src/transactions/run/zapIn';
import { runZapOut } from '../../src/transactions/run/zapOut';
import type { Review } from '../../src/review/types';
import { address } from '../../src/base/solana/address';
import { WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import { openOperationDesk, SkippingClock, type OperationDesk } from '../support/sandbox/operationDesk';
import { STILL_AND_SHORT, useSandbox } from '../support/sandbox/useSandbox';
import { shownBin } from '../../src/service/poolInfo';
import { reasonWords } from '../../src/base/reasons/reasonWords';

const LONG_MS = 150_000;

// Client and sandbox meet over HTTP alone; of what is landed, the sandbox carries out the first transaction and drops the rest.
describe('Partial executions in the sandbox', function () {
  const client = useSandbox('each', STILL_AND_SHORT);
  let clock: SkippingClock;
  let at: OperationDependencies;
  let desk: OperationDesk;
  const reviews: Review[] = [];
  let waiting = new AbortController();

  beforeEach(async () => {
    clock = new SkippingClock();
    reviews.length = 0;
    desk = await openOperationDesk(client().sandbox, { clock, settleTimeoutMs: 6_000, settleEveryMs: 500 });
    at = desk.dependencies;
  });
  afterEach(() => desk.close());

  const host: OperationHost = {
    // Who looks further is the watcher.
    report: (step) => (step === 'findingOut' ? waiting.abort() : undefined),
    approve: (review) => {
      reviews.push(review);
      return Promise.resolve(review.verdict !== 'block');
    },
    signer: () => desk.signer(),
  };
  const outOf = (position: OpenPosition): Promise<OperationResult> =>
    runZapOut(
      { position, owner: address(client().sandbox.owner), shareBps: 10_000, output: 'allBaseToken', slippageBps: 500 },
      at,
      host,
      waiting.signal,
    );
  const positionOf = (key: string): OpenPosition =>
    at.portfolio.snapshot.positions.find((one) => one.key === key) ?? assert.fail('It is not listed');
  const findings = (): string | undefined =>
    reviews
      .at(-1)
      ?.findings.map(({ rule, verdict, message }) => `${rule} ${verdict} ${message}`)
      .join('; ');
  const records = async (): Promise<readonly OperationRecord[]> => (await at.journal.read()).records;

  async function planOf(halfWidth: number): Promise<ZapInPlan> {
    const { pool } = await client().pool('BONQ/SOL', 25);
    const info = await at.service.poolInfo(address(pool));
    const [x, y] = info.tokens;
    const { activeBinId, binStepBps } = shownBin(info);
    assert.ok(x !== undefined && y?.address === WRAPPED_SOL_MINT && activeBinId !== undefined);
    return {
      ...{
        pool: address(pool),
        pairName: 'BONQ/SOL',
        poolType: 'dlmm',
        owner: address(client().sandbox.owner),
        inputLamports: 2_000_000_000n,
        percentX: 0.5,
        strategy: 'Spot',
        slippageBps: 500,
      },
      ...{ tokenX: x.address, tokenY: y.address, fromBinId: activeBinId - halfWidth, toBinId: activeBinId + halfWidth },
      activeBinId,
      binStepBps,
      prices: { decimalsX: x.decimals, decimalsY: y.decimals, priceXUsd: x.priceUsd, priceYUsd: y.priceUsd, solUsd: y.priceUsd },
    };
  }

  /** Has it landed in part; gives it once the watcher has found out what became of it. */
  async function partiallyExecuted(run: () => Promise<OperationResult>, transactions = 1): Promise<OperationRecord> {
    await client().setFaults({ kind: 'partial', transactions, times: 1 });
    await assert.rejects(run(), (error) => error instanceof OperationError && error.kind === 'mayHaveLanded');
    waiting = new AbortController();
    const [sent] = await records();
    assert.equal(sent?.state, 'unconfirmed');
    const { journal, locks, portfolio, log, settleEveryMs, rpc, service } = at;
    const watcher = new OperationWatcher({
      journal,
      locks,
      portfolio,
      log,
      settleEveryMs,
      clock,
      serviceId: () => 'sandbox',
      service: () => Promise.resolve(service),
      rpc: () => Promise.resolve(rpc),
      onFound: () => undefined,
    });
    await watcher.look();
    assert.equal((await records())[0]?.state, 'unconfirmed', 'the rest might still come');
    clock.skip(LONG_MS);
    await client().control('advance', { ms: LONG_MS });
    for (let looks = 0; looks < 4; looks += 1) {
      await watcher.look();
    }
    const [record] = await records();
    assert.ok(record !== undefined && isPartiallyExecuted(record, await records()), record?.state);
    assert.equal(partialExecutionOf(record)?.landed, transactions);
    return record;
  }

  it('A zap-out is measured to the lamport while other funds arrive in the wallet', async () => {
    const position = positionOf((await client().soldOutPosition()).position);
    const before = await at.rpc?.accounts({ addresses: [address(client().sandbox.owner)] });
    assert.equal((await outOf(position)).kind, 'settled');
    const after = await at.rpc?.accounts({ addresses: [address(client().sandbox.owner)] });
    const [record] = await records();
    assert.ok(record?.lamportsBack !== undefined);
    assert.equal(record.lamportsBack, (after?.value[0]?.lamports ?? 0n) - (before?.value[0]?.lamports ?? 0n));
    const next = positionOf((await client().positionInRange()).position);
    const land = at.service.landDecrease.bind(at.service);
    const gifted = {
      ...at.service,
      landDecrease: async (...landing: Parameters<typeof land>) => {
        const landed = await land(...landing);
        await client().control('airdrop', { owner: client().sandbox.owner, sol: 7 });
        return landed;
      },
    };
    const start = await client().balance(WRAPPED_SOL_MINT);
    assert.equal(
      (
        await runZapOut(
          { position: next, owner: address(client().sandbox.owner), shareBps: 10_000, output: 'allBaseToken', slippageBps: 500 },
          { ...at, service: gifted },
          host,
          waiting.signal,
        )
      ).kind,
      'settled',
    );
    const gained = (await client().balance(WRAPPED_SOL_MINT)) - start;
    const measured = (await records()).find(({ id }) => id !== record.id)?.lamportsBack;
    assert.equal(measured, gained - 7_000_000_000n);
  });

  it('A zap-out with a closed position and a missing swap is finished by swapping exactly what it left', async () => {
    const position = positionOf((await client().positionInRange()).position);
    const record = await partiallyExecuted(() => outOf(position));
    assert.equal(record.state, 'settled');
    const found = await findRemainder(record.id, at, waiting.signal);
    const token = position.token0.address === WRAPPED_SOL_MINT ? position.token1 : position.token0;
    assert.ok(found.kind === 'swap' && token.address !== undefined, reasonWords(found.reason));
    assert.match(reasonWords(found.reason), new RegExp(`Your wallet still has [\\d.]+ ${token.symbol} from it, not swapped`));
    const brought = record.changes?.tokens.find(({ mint }) => mint === token.address)?.changeRaw;
    assert.deepEqual([found.plan.sold.mint, found.plan.amountRaw], [token.address, brought]);
    const [held, sol] = [await client().balance(token.address), await client().balance(WRAPPED_SOL_MINT)];
    const result = await completeOperation(found, at, host, waiting.signal);
    // The host stops waiting where an outcome is found out.
    waiting = new AbortController();
    assert.equal(result.kind, 'settled', findings());
    assert.equal(held - (await client().balance(token.address)), brought);
    const [swap] = (await records()).filter(({ created }) => created.finishes === record.id);
    const moved = swap?.changes ?? assert.fail('It was not measured');
    const lamports = moved.lamports + (moved.tokens.find(({ mint }) => mint === WRAPPED_SOL_MINT)?.changeRaw ?? 0n);
    assert.equal((await client().balance(WRAPPED_SOL_MINT)) - sol, lamports);
    assert.equal(isPartiallyExecuted(record, await records()), false);
    assert.equal((await findRemainder(record.id, at, waiting.signal)).kind, 'noAction');
    assert.deepEqual(await client().audit(), []);
  });

  it('A partial zap-out of a wide position is finished by withdrawing the rest, then by swapping what the first part brought', async () => {
    const wide = await planOf(120);
    assert.equal((await runZapIn(wide, at, host, waiting.signal)).kind, 'settled');
    const made = at.portfolio.snapshot.positions.find(({ pool, lowerBinId }) => pool === wide.pool && lowerBinId === wide.fromBinId);
    assert.ok(made !== undefined);
    const record = await partiallyExecuted(() => outOf(made));
    assert.match(operationDocument(record).markdown, /## In your wallet[^]+- Zap Out: /);
    const found = await findRemainder(record.id, at, waiting.signal);
    assert.ok(found.kind === 'zapOut', reasonWords(found.reason));
    assert.equal((await completeOperation(found, at, host, waiting.signal)).kind, 'settled');
    assert.equal(
      at.portfolio.snapshot.positions.some(({ key }) => key === made.key),
      false,
    );
    assert.equal(isPartiallyExecuted(record, await records()), true);
    const then = await findRemainder(record.id, at, waiting.signal);
    assert.ok(then.kind === 'swap', reasonWords(then.reason));
    const brought = record.changes?.tokens.find(({ mint }) => mint === then.plan.sold.mint)?.changeRaw;
    assert.equal(then.plan.amountRaw, brought);
    const held = await client().balance(then.plan.sold.mint);
    assert.equal((await completeOperation(then, at, host, waiting.signal)).kind, 'settled', findings());
    waiting = new AbortController();
    assert.equal(held - (await client().balance(then.plan.sold.mint)), brought);
    assert.equal(isPartiallyExecuted(record, await records()), false);
    assert.deepEqual(await client().audit(), []);
  });

  it('A partial zap-in is finished by depositing the swapped tokens as they are', async () => {
    const before = at.portfolio.snapshot.positions.length;
    const plan = await planOf(10);
    const record = await partiallyExecuted(() => runZapIn(plan, at, host, waiting.signal));
    assert.equal(record.state, 'failed');
    assert.match(operationDocument(record).markdown, /## In your wallet[^]+- Zap In: \+[\d.,]+ \S+ · [^]+- Zap In: −[\d.]+ SOL/);
    const found = await findRemainder(record.id, at, waiting.signal);
    assert.ok(found.kind === 'zapIn', reasonWords(found.reason));
    const { tokens } = found.plan;
    assert.ok(tokens !== undefined && tokens.amountXRaw > 0n && tokens.amountYRaw > 0n && tokens.amountYRaw < 1_100_000_000n);
    const result = await completeOperation(found, at, host, waiting.signal);
    assert.equal(result.kind, 'settled', findings());

    assert.equal(at.portfolio.snapshot.positions.length, before + 1);
    assert.equal((await findRemainder(record.id, at, waiting.signal)).kind, 'noAction');
    assert.deepEqual(await client().audit(), []);
  });
});
