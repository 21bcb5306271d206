import assert from 'node:assert/strict';
import * as z from 'zod';
import { shareOfXBins } from '../../src/base/dlmm/bins';
import { address, type Address } from '../../src/base/solana/address';
import { mayHaveFees } from '../../src/base/dlmm/claimable';
import { WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import type { Review } from '../../src/review/types';
import type { OpenPosition } from '../../src/service/positions';
import { exactAmountOf, type TokenBalance } from '../../src/service/tokens';
import { runAddLiquidity } from '../../src/transactions/run/addLiquidity';
import { runClaim } from '../../src/transactions/run/claim';
import { runSwap, runUnwrap } from '../../src/transactions/run/swap';
import type { OperationDependencies, OperationHost, OperationResult } from '../../src/transactions/types';
import { landed, SOL } from '../support/sandbox/client';
import { openOperationDesk, type OperationDesk } from '../support/sandbox/operationDesk';
import { STILL, useSandbox } from '../support/sandbox/useSandbox';

type DailyOperation = 'claim' | 'compound' | 'add' | 'swap' | 'unwrap';

const THEFTS = { sendSol: 'SYS-1', tokenAuthority: 'TOK-3', plantedAccount: 'TOK-1', unknownProgram: 'PRG-2' } as const;

/** What a hostile service builds instead, by the operation that was asked for, and the rule that blocks it. */
const HOSTILE: Readonly<Record<DailyOperation, Readonly<Record<string, string>>>> = {
  claim: { ...THEFTS, wrongPosition: 'DLMM-1' },
  compound: { ...THEFTS, wrongPosition: 'DLMM-1', anyPrice: 'DLMM-7' },
  add: { ...THEFTS, wrongPosition: 'DLMM-1', anyPrice: 'SWP-3', overspend: 'LIM-1' },
  swap: { ...THEFTS, anyPrice: 'SWP-3', overspend: 'LIM-1' },
  unwrap: THEFTS,
};

const SLIPPAGE_BPS = 100;
/** A hundred bins of it are more than the slippage tolerance. */
const LEAST_BIN_STEP = 20;
const BOOTY = 5_000_000_000n;
const ADDED_LAMPORTS = 200_000_000n;

// Client and sandbox meet over HTTP alone: service, RPC, review, wallet, portfolio, journal and locks are the ones that the extension uses.
describe('The daily work in the sandbox', function () {
  const client = useSandbox('all', STILL);
  let at: OperationDependencies;
  let desk: OperationDesk;
  let reviews: Review[];

  before(async () => {
    desk = await openOperationDesk(client().sandbox, { settleTimeoutMs: 10_000 }, ['positions', 'pools']);
    at = desk.dependencies;
    await leaveWrappedSol();
  });
  beforeEach(() => (reviews = []));
  after(() => desk.close());

  const owner = (): Address => address(client().sandbox.owner);
  const host: OperationHost = {
    report: () => undefined,
    approve: (review) => {
      reviews.push(review);
      return Promise.resolve(review.verdict === 'allow');
    },
    signer: () => desk.signer(),
  };

  /** A zap-in of which only the first transaction lands. */
  async function leaveWrappedSol(): Promise<void> {
    await client().setFaults({ kind: 'partial', transactions: 1, times: 1 });
    const { pool } = await client().pool('BONQ/SOL', 100);
    const active = await client().activeBin(pool);
    assert.equal(
      (await client().landAdd(await client().add(pool, { inputSOL: 1, fromBinId: active - 5, toBinId: active + 5 }))).status,
      500,
    );
  }

  /** The position of DLMM in range whose pool has the lowest fees. Each claim and compounding takes one that has fees still. */
  async function thePosition(needsFees: boolean, leastBinStep = LEAST_BIN_STEP): Promise<OpenPosition> {
    await at.portfolio.refresh('manual', ['positions']);
    const able = at.portfolio.snapshot.positions.filter(
      ({ inRange, binStepBps = 0, token1 }) => inRange === true && binStepBps >= leastBinStep && token1.address === WRAPPED_SOL_MINT,
    );
    const [first] = able
      .filter((position) => !needsFees || mayHaveFees(position))
      .sort((one, other) => (one.binStepBps ?? 0) - (other.binStepBps ?? 0));
    return first ?? assert.fail('no such position is in range');
  }

  const rawOf = (balance: TokenBalance): bigint => exactAmountOf(balance, balance.decimals ?? 0) ?? 0n;

  async function run(operation: DailyOperation, leastBinStep?: number): Promise<OperationResult> {
    const { signal } = new AbortController();
    const position = await thePosition(operation === 'claim' || operation === 'compound', leastBinStep);
    const common = { position, owner: owner(), strategy: position.strategy, slippageBps: SLIPPAGE_BPS };
    switch (operation) {
      case 'claim':
        return runClaim({ positions: [position], owner: owner() }, at, host, signal);
      case 'compound':
        return runAddLiquidity({ ...common, deposit: 'fees' }, at, host, signal);
      case 'add': {
        const range = { fromBinId: position.lowerBinId ?? 0, toBinId: position.upperBinId ?? 0 };
        const deposit = { inputLamports: ADDED_LAMPORTS, percentX: shareOfXBins(range, position.activeBinId ?? 0), tokens: undefined };
        return runAddLiquidity({ ...common, deposit }, at, host, signal);
      }
      case 'swap': {
        const { items } = await at.service.tokenBalances({ owner: owner() });
        const sol = items.find(({ mint }) => mint === WRAPPED_SOL_MINT) ?? assert.fail();
        const sold =
          items.find((of) => of.mint !== WRAPPED_SOL_MINT && of.priceUsd !== undefined && rawOf(of) > 1_000_000n) ?? assert.fail();
        const amountRaw = rawOf(sold) / 50n;
        const plan = { owner: owner(), sold, bought: { ...sol, decimals: 9 }, amountRaw, slippageBps: SLIPPAGE_BPS, solUsd: sol.priceUsd };
        return runSwap(plan, at, host, signal);
      }
      case 'unwrap': {
        const { items } = await at.service.tokenBalances({ owner: owner() });
        const { wrappedLamports = 0n, priceUsd } = items.find(({ mint }) => mint === WRAPPED_SOL_MINT) ?? assert.fail();
        if (wrappedLamports === 0n) {
          await leaveWrappedSol();
          return run(operation);
        }
        return runUnwrap({ owner: owner(), lamports: wrappedLamports, solUsd: priceUsd }, at, host, signal);
      }
    }
  }

  const operations = Object.keys(HOSTILE) as DailyOperation[];
  for (const operation of operations) {
    for (const [attack, rule] of Object.entries(HOSTILE[operation])) {
      it(`A hostile service cannot have signed what it builds for: ${operation}, attack: ${attack}`, async () => {
        await client().setFaults({ kind: 'hostile', attack, times: 1 });
        const result = await run(operation);
        assert.deepEqual((await client().status()).faults, [], 'the attack has struck');
        const findings = reviews.flatMap((review) => review.findings.filter(({ verdict }) => verdict !== 'info'));
        const told = findings.map(({ rule: of, verdict, message }) => `${verdict} ${of} ${message}`).join('\n');
        assert.notEqual(result.kind, 'settled', told);
        assert.ok(reviews.length > 0 && reviews.every(({ verdict }) => verdict !== 'allow'), told);
        assert.ok(
          findings.some((finding) => finding.rule === rule),
          told,
        );
      });
    }
  }

  it('A theft beside a swap and beside a claim is real: it lands where the client signs without reading', async () => {
    const position = await thePosition(true);
    const lamports = (): Promise<bigint> => client().balance(SOL);
    const Built = z.object({ data: z.looseObject({ lastValidBlockHeight: z.int() }) });
    for (const [path, list, body] of [
      ['/token/swap-tx', 'swapTxsWithJito', { inputMint: SOL, outputMint: position.token0.address, amount: 10_000_000 }],
      ['/position/claim-tx', 'claimTxsWithJito', { position_ids: [position.address] }],
    ] as const) {
      await client().setFaults({ kind: 'hostile', attack: 'sendSol', times: 1 });
      const before = await lamports();
      const { data } = Built.parse((await client().post(path, { owner: owner(), ...body })).body);
      const signed = client().sign(z.array(z.string()).parse(data[list]));
      const landing = path.replace(/\/([a-z]+-tx)$/, '/landing-$1');
      landed(await client().post(landing, { lastValidBlockHeight: data.lastValidBlockHeight, [list]: signed, meta: data['meta'] }));
      assert.ok(before - (await lamports()) > (BOOTY * 9n) / 10n, `${path}: ${before - (await lamports())}`);
    }
    assert.deepEqual(await client().audit(), []);
  });

  for (const operation of operations) {
    it(`What an honest service builds is reviewed as expected with an RPC, and settles: ${operation}`, async () => {
      assert.equal(
        (await run(operation, 1)).kind,
        'settled',
        JSON.stringify(reviews.flatMap(({ findings }) => findings.map(({ message }) => message))),
      );
      assert.deepEqual(
        reviews.map(({ verdict }) => verdict),
        ['allow'],
      );
      assert.deepEqual(await client().audit(), []);
    });
  }
});
