import assert from 'node:assert/strict';
import { movedTokens } from '../../src/ui/zap/movedTokens';
import type { OperationRecord } from '../../src/transactions/journal/types';
import type { OperationDependencies, OperationHost } from '../../src/transactions/types';
import { runZapOut } from '../../src/transactions/run/zapOut';
import { address } from '../../src/base/solana/address';
import { WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import { openOperationDesk, type OperationDesk } from '../support/sandbox/operationDesk';
import { STILL_AND_SHORT, useSandbox } from '../support/sandbox/useSandbox';

// Client and sandbox meet over HTTP alone; the wallet is read beside them.
describe('Tokens returned by a zap-out in the sandbox', function () {
  const client = useSandbox('each', STILL_AND_SHORT);
  let at: OperationDependencies;
  let desk: OperationDesk;
  let settled: OperationRecord | undefined;

  beforeEach(async () => {
    settled = undefined;
    desk = await openOperationDesk(client().sandbox, { settleTimeoutMs: 6_000, settleEveryMs: 500 });
    at = desk.dependencies;
  });
  afterEach(() => desk.close());

  const host: OperationHost = {
    report: () => undefined,
    settled: (record) => {
      settled = record;
    },
    approve: ({ verdict }) => Promise.resolve(verdict !== 'block'),
    signer: () => desk.signer(),
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
