import { wordsOf } from '../support/transactions/words';
import assert from 'node:assert/strict';
import { OperationError } from '../../src/transactions/errors';
import type { OperationRecord } from '../../src/transactions/journal/types';
import type { ReapprovalReason, OperationDependencies, OperationHost, OperationResult, ZapInPlan } from '../../src/transactions/types';
import { runZapIn } from '../../src/transactions/run/zapIn';
import { runZapOut } from '../../src/transactions/run/zapOut';
import { address } from '../../src/base/solana/address';
import { WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import { openOperationDesk, SkippingClock, type OperationDesk } from '../support/sandbox/operationDesk';
import { STILL_AND_SHORT, useSandbox } from '../support/sandbox/useSandbox';
import { shownBin } from '../../src/service/poolInfo';

const SHARE_BPS = 4_000;
/** Longer than anything takes to be proven, with an RPC and without. */
const PROVEN_MS = { withRpc: 100_000, withoutRpc: 310_000 } as const;

/** What a service answers a landing with that it has carried out. */
const LIES: readonly Readonly<Record<string, unknown>>[] = [
  { status: 400, message: 'Blockhash not found' },
  { status: 400 },
  { status: 401 },
  { status: 403 },
  { status: 409 },
  { status: 422, message: 'Slippage exceeded' },
  { status: 429, retryAfterSeconds: 1 },
  { status: 500 },
  { status: 307 },
];

/** Longer than the search for what became of something. */
const LAG_MS = 600_000;
/** It is dropped for good, and said to have come too late. */
const LOST: readonly Readonly<Record<string, unknown>>[] = [
  { kind: 'landed', status: 400, message: 'Blockhash not found', times: 1 },
  { kind: 'partial', transactions: 0, times: 1 },
];

// Client and sandbox meet over HTTP alone: the service lands what it is given, and its answer is put in place of the right one.
describe('Misreported landings in the sandbox', function () {
  const client = useSandbox('each', STILL_AND_SHORT);
  let clock: SkippingClock;
  let dependencies: OperationDependencies;
  let desk: OperationDesk;
  let reasons: (ReapprovalReason | undefined)[];
  let steps: Set<string>;
  let looks = 0;
  let hasRpc = true;

  async function open(withRpc: boolean): Promise<void> {
    hasRpc = withRpc;
    clock = new SkippingClock();
    reasons = [];
    steps = new Set();
    desk = await openOperationDesk(client().sandbox, { clock, settleEveryMs: 1_000, ...(withRpc ? {} : { rpc: undefined }) });
    dependencies = desk.dependencies;
  }
  afterEach(() => desk.close());

  /** Time goes on where proof is waited for longer than a moment. */
  function passTime(): void {
    looks += 1;
    if (looks === 5) {
      const ms = hasRpc ? PROVEN_MS.withRpc : PROVEN_MS.withoutRpc;
      void client()
        .control('advance', { ms })
        .then(() => clock.skip(ms));
    }
  }

  const host: OperationHost = {
    report: (step) => {
      steps.add(step);
      if (step === 'findingOut') {
        passTime();
      } else {
        looks = 0;
      }
    },
    approve: (review, reason) => {
      reasons.push(reason);
      return Promise.resolve(review.verdict !== 'block');
    },
    signer: () => desk.signer(),
  };
  const records = async (): Promise<readonly OperationRecord[]> => (await dependencies.journal.read()).records;
  const { signal } = new AbortController();

  async function zapInPlan(): Promise<ZapInPlan> {
    const { pool } = await client().pool('BONQ/SOL', 25);
    const info = await dependencies.service.poolInfo(address(pool));
    const [x, y] = info.tokens;
    const { activeBinId, binStepBps } = shownBin(info);
    assert.ok(x !== undefined && y?.address === WRAPPED_SOL_MINT && activeBinId !== undefined);
    return {
      ...{
        pool: address(pool),
        pairName: 'BONQ/SOL',
        poolType: 'dlmm',
        owner: address(client().sandbox.owner),
        inputLamports: 1_000_000_000n,
        percentX: 0.5,
        strategy: 'Spot',
        slippageBps: 500,
      },
      ...{ tokenX: x.address, tokenY: y.address, fromBinId: activeBinId - 10, toBinId: activeBinId + 10 },
      activeBinId,
      binStepBps,
      prices: { decimalsX: x.decimals, decimalsY: y.decimals, priceXUsd: x.priceUsd, priceYUsd: y.priceUsd, solUsd: y.priceUsd },
    };
  }

  async function zapIn(): Promise<OperationResult> {
    return runZapIn(await zapInPlan(), dependencies, host, signal);
  }

  async function zapOut(key: string): Promise<OperationResult> {
    await dependencies.portfolio.refresh('manual', ['positions']);
    const position = dependencies.portfolio.snapshot.positions.find((one) => one.key === key) ?? assert.fail('It is not listed');
    return runZapOut(
      { position, owner: address(client().sandbox.owner), shareBps: SHARE_BPS, output: 'allBaseToken', slippageBps: 500 },
      dependencies,
      host,
      signal,
    );
  }

  for (const withRpc of [true, false]) {
    const how = withRpc ? 'with an RPC' : 'without an RPC';

    it(`A zap-in lands once and is never built again, whatever the landing response, ${how}`, async () => {
      await open(withRpc);
      for (const lie of LIES) {
        const before = (await client().opening()).length;
        await client().setFaults({ kind: 'landed', ...lie, times: 1 });
        reasons = [];
        assert.equal((await zapIn()).kind, 'settled', JSON.stringify(lie));
        assert.equal((await client().opening()).length, before + 1);
        assert.deepEqual(reasons, [undefined]);
        assert.equal((await records())[0]?.state, 'settled');
      }
      assert.deepEqual(await client().audit(), []);
    });

    it(`A zap-out removes its share once, whatever the landing response, ${how}`, async () => {
      await open(withRpc);
      const { position } = await client().soldOutPosition();
      for (const lie of LIES) {
        const before = BigInt((await client().position(position))?.current.amount1 ?? 0);
        await client().setFaults({ kind: 'landed', ...lie, times: 1 });
        reasons = [];
        assert.equal((await zapOut(position)).kind, 'settled', JSON.stringify(lie));
        const left = BigInt((await client().position(position))?.current.amount1 ?? 0);
        assert.ok(
          left > (before * 59n) / 100n && left < (before * 61n) / 100n,
          `${left} of ${before} is left after ${JSON.stringify(lie)}`,
        );
        assert.deepEqual(reasons, [undefined]);
      }
      assert.deepEqual(await client().audit(), []);
    });
  }

  it('A lost zap-in reported as too late is built again only after proof by the chain, and the second question says so', async () => {
    await open(true);
    const before = (await client().opening()).length;
    // The first is dropped for good before any of it is carried out.
    await client().setFaults(...LOST);
    assert.equal((await zapIn()).kind, 'settled');
    assert.deepEqual(reasons, [undefined, 'firstTryDidNotLand']);
    assert.ok(steps.has('findingOut'));
    const [second, first] = await records();
    assert.deepEqual([first?.state, second?.state, (await client().opening()).length], ['expired', 'settled', before + 1]);
    assert.match(wordsOf(first?.reason), /It was sent, and the service answered 400 \(Blockhash not found\)\.$/);
    assert.ok((second?.created.atMs ?? 0) - (first?.built?.atMs ?? 0) >= 60_000);
  });

  for (const [what, faults] of [
    ['landed behind a 504 and lagging lists', [{ kind: 'landed', status: 504, times: 1 }]],
    ['was lost', LOST],
  ] as const) {
    it(`Without an RPC, a zap-in that ${what} is never called safe, and not repeated without a question`, async () => {
      await open(false);
      const before = (await client().opening()).length;
      const hasLanded = faults !== LOST;
      await client().control('settings', { indexingLagMs: LAG_MS });
      await client().setFaults(...faults);
      const failure = await zapIn().then(
        ({ kind }) => assert.fail(kind),
        (error: unknown) => error,
      );
      assert.ok(failure instanceof OperationError);
      assert.deepEqual([failure.kind, failure.money, failure.offersFreshQuote], ['mayHaveLanded', 'unknown', false]);
      assert.doesNotMatch(failure.message, /did not land|has not moved|exactly what it was/);
      assert.match(failure.message, /It may have landed\. .* Look up its signatures, or connect an RPC/);
      const [record] = await records();
      assert.deepEqual([record?.isUnclear, failure.lookUp?.signature], [true, record?.signatures.at(-1)]);

      const asked: string[] = [];
      const repeat = (earlier: readonly OperationRecord[]) => {
        asked.push(...earlier.map(({ id }) => id));
        return Promise.resolve(false);
      };
      assert.equal((await runZapIn(await zapInPlan(), dependencies, { ...host, repeat }, signal)).kind, 'declined');
      assert.deepEqual(asked, [record?.id]);
      await client().control('advance', { ms: LAG_MS });
      await client().setFaults();
      assert.equal((await client().opening()).length, before + (hasLanded ? 1 : 0));
    });
  }

  it('A partial execution that was reported as too late is recognized and reported', async () => {
    await open(true);
    await client().setFaults(
      { kind: 'landed', status: 400, message: 'Blockhash not found', times: 1 },
      { kind: 'partial', transactions: 1, times: 1 },
    );
    await assert.rejects(
      zapIn(),
      (error) =>
        error instanceof OperationError &&
        error.kind === 'landedInPart' &&
        error.money === 'unknown' &&
        /was partially executed\. Change in your wallet, with fees and rent: \+[\d.,]+ [^,]+, −[\d.]+ SOL\. .* 1 of \d transactions landed/.test(
          error.message,
        ),
    );
    assert.deepEqual(reasons, [undefined]);
  });

  it('A landing that the rate limit rejects is sent again with the same bytes and lands', async () => {
    await open(true);
    await client().setFaults({ kind: 'status', status: 429, retryAfterSeconds: 2, path: '/pools/landing-add-tx', times: 2 });
    assert.equal((await zapIn()).kind, 'settled');
    const [record] = await records();
    assert.deepEqual(
      record?.events.map(({ kind }) => kind),
      [
        'created',
        'built',
        'reviewed',
        'approved',
        'signed',
        'submitted',
        'unconfirmed',
        'submitted',
        'unconfirmed',
        'submitted',
        'landed',
        'settled',
      ],
    );
    assert.ok(steps.has('waitingToSendAgain'));
    assert.deepEqual(reasons, [undefined]);
  });
});
