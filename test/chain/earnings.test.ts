import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import type { Address } from '../../src/base/solana/address';
import { WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import { parseRpcUrl } from '../../src/base/solana/rpcUrl';
import { createRpc } from '../../src/rpc/rpc';
import { readPositionLogs } from '../../src/service/positionLogs';
import { ParseWarnings } from '../../src/service/parsing/records';
import { type Earnings, EarningsReader, type EarningsSubject } from '../../src/transactions/earnings/earnings';
import type { ReadLogs } from '../../src/transactions/earnings/loggedFlows';
import { recordOf } from '../../src/transactions/journal/states';
import type { OperationRecord } from '../../src/transactions/journal/types';
import { recordsOver } from '../support/chain/recordsOver';
import { useMainnet } from '../support/mainnet/useMainnet';
import type { LittlePool, Wallet } from '../support/mainnet/world/pool';
import { type Created, landedRecord, zapInCreated, zapOutCreated } from '../support/transactions/records';

const SOL = 10n ** 9n;
const MEME = 10n ** 5n;

describe('What positions really earned, on the real programs', () => {
  const mainnet = useMainnet({ recording: 'earnings' });
  const holdings = (me: Wallet) => ({ sol: mainnet().balance(me, 'sol'), meme: mainnet().balance(me, 'meme') });

  /** Reads the ledger of the chain of a position, with the events of the service over the chain. */
  async function earningsOf(
    me: Wallet,
    pool: LittlePool,
    of: Pick<EarningsSubject, 'position' | 'open'> & Partial<EarningsSubject>,
    records: readonly OperationRecord[] = [],
  ): Promise<Earnings> {
    const over = recordsOver(mainnet());
    try {
      const readLogs: ReadLogs = async (position) => {
        const { data } = await over.records.logs({ position, owner: undefined });
        const items = readPositionLogs(data, 'data', { warnings: new ParseWarnings(), nowMs: 0 });
        // No data API tells the price of SOL here. A price divides an amount between the lines, and changes nothing of their sum.
        const prices = [pool.x.mint, pool.y.mint].includes(WRAPPED_SOL_MINT)
          ? { price0Usd: 0.15, price1Usd: 150 }
          : { price0Usd: 1, price1Usd: 1, nativePriceUsd: 150 };
        return { items: items.map((log) => (log.nativePriceUsd === undefined ? { ...log, ...prices } : log)) };
      };
      // As the lists do, which read the history of the wallet.
      await over.records.logs({ position: undefined, owner: me.address });
      const rpc = createRpc({ url: parseRpcUrl(mainnet().rpcUrl) });
      const reader = new EarningsReader({
        journal: () => Promise.resolve({ read: () => Promise.resolve({ records, problems: [] }) }),
        rpc: () => Promise.resolve(rpc),
      });
      return await reader.read(
        {
          owner: me.address,
          scope: 'chain',
          pool: {
            address: pool.address,
            poolType: pool.program === 'dlmm' ? 'dlmm' : 'dammV2',
            x: pool.x.mint,
            y: pool.y.mint,
            decimalsX: pool.x.decimals,
            decimalsY: pool.y.decimals,
            binStepBps: pool.binStep,
          },
          pricesNow: { [pool.x.mint]: 0.001 },
          solUsdNow: undefined,
          reportedPnlSol: undefined,
          isHistoryWhole: true,
          ...of,
        },
        readLogs,
        { signal: new AbortController().signal, mayReadMany: false },
      );
    } finally {
      await over.stop();
    }
  }

  const landed = (me: Wallet, pool: LittlePool, created: Created, position: Address, signatures: readonly string[]): OperationRecord =>
    landedRecord(
      { ...created, owner: me.address, pool: pool.address, poolType: pool.program === 'dlmm' ? 'dlmm' : 'dammV2' },
      position,
      signatures,
    );

  for (const name of ['memeSol', 'dammMemeSol'] as const) {
    it(`A chain of three positions in ${name} earned what its wallet has more, to the lamport, and the lines add up to it`, async () => {
      const me = mainnet().wallet(name === 'memeSol' ? 0 : 1);
      const pool = mainnet().pools[name];
      const before = holdings(me);
      const records: OperationRecord[] = [];
      let last: { readonly position: Address; readonly rebalance: string } | undefined;
      for (let round = 0; round < 3; round += 1) {
        const atMs = 1_000 * (round + 1);
        const bought = await pool.swap(me, 'y', 2n * SOL);
        const { position, signatures } = await pool.open(me, pool.program === 'dlmm' ? { x: 500n * MEME, y: 2n * SOL } : { y: 2n * SOL });
        records.push(landed(me, pool, { ...zapInCreated(atMs), parent: last?.rebalance }, position, [...bought.signatures, ...signatures]));
        await pool.swap(mainnet().wallet(9), 'y', 6n * SOL);
        await pool.swap(mainnet().wallet(9), 'x', 4_000n * MEME);
        await pool.claim(me, position);
        await pool.swap(mainnet().wallet(9), 'y', 3n * SOL);
        const closed = await pool.close(me, position);
        const rebalance = `rebalance ${round}`;
        const out = { ...zapOutCreated(atMs + 500), parent: round < 2 ? rebalance : undefined };
        records.push(landed(me, pool, { ...out, plan: { ...out.plan, position } as typeof out.plan }, position, closed.signatures));
        if (round < 2) {
          records.push(rebalanceRecord(me, pool, rebalance, position, atMs + 400));
        }
        last = { position, rebalance };
      }
      assert.ok(last !== undefined);
      const after = holdings(me);
      const earnings = await earningsOf(me, pool, { position: last.position, open: undefined }, records);
      assert.ok(earnings.known, inspect(earnings));
      const { ledger, positions, claims } = earnings;
      assert.equal(positions.length, 3);
      assert.equal(claims, 6);
      assert.equal(ledger.walletLamports, after.sol - before.sol);
      assert.equal(ledger.leftovers[pool.x.mint] ?? 0n, after.meme - before.meme);
      // Each transaction belongs to one of the positions.
      let [ofEach, leftOfEach] = [0n, 0n];
      for (const position of positions) {
        const alone = await earningsOf(me, pool, { position, open: undefined, scope: 'position', pricesNow: 'atEnd' }, records);
        assert.ok(alone.known, inspect(alone));
        assert.deepEqual(alone.positions, [position]);
        ofEach += alone.ledger.walletLamports;
        leftOfEach += alone.ledger.leftovers[pool.x.mint] ?? 0n;
      }
      assert.deepEqual([ofEach, leftOfEach], [ledger.walletLamports, after.meme - before.meme]);
      assert.ok(Math.abs(ledger.unexplainedSol) <= 1e-9);
      assert.ok(ledger.lines.fees > 0 && ledger.lines.networkFees < 0);
      if (pool.program === 'dlmm') {
        const costs = -ledger.lines.trading / ledger.tradedSol;
        assert.ok(costs > 0.005 && costs < 0.05, `trading cost ${costs}`);
      }
    });
  }

  for (const name of ['tollUsdc', 'dammTollUsdc'] as const) {
    it(`The transfer fee of a token in ${name} is a cost of its own in the trading line, not an impermanent loss`, async () => {
      const me = mainnet().wallet(3);
      const pool = mainnet().pools[name];
      const whole = 10n ** BigInt(pool.x.decimals);
      const before = mainnet().balance(me, 'toll');
      const { position } = await pool.open(me, { x: 1_500n * whole, y: 1_500n * whole });
      const paid = before - mainnet().balance(me, 'toll');
      await pool.close(me, position);
      const lost = before - mainnet().balance(me, 'toll');
      const earnings = await earningsOf(me, pool, {
        position,
        open: undefined,
        pricesNow: { [pool.x.mint]: 1 / 150, [pool.y.mint]: 1 / 150 },
      });
      assert.ok(earnings.known, inspect(earnings));
      const { lines, transferFeesSol = 0, tradedSol, unexplainedSol } = earnings.ledger;
      // 1% of what went in, and of what came out.
      const feeSol = Number(lost) / Number(whole) / 150;
      assert.ok(paid > 0n && lost > paid / 60n && lost < paid / 45n, `${paid} paid, ${lost} lost`);
      assert.ok(Math.abs(transferFeesSol - feeSol) < 1e-6, inspect(earnings.ledger));
      assert.ok(Math.abs(lines.trading + feeSol) < 1e-6 && tradedSol < 1e-6, inspect(earnings.ledger));
      assert.ok(Math.abs(lines.impermanentLoss) < 1e-4, inspect(lines));
      assert.ok(Math.abs(unexplainedSol) <= 1e-9);
    });
  }

  it('An open position counts with its contents, and a missing transaction, price or event leaves no total', async () => {
    const me = mainnet().wallet(2);
    const pool = mainnet().pools.memeSol;
    const { position } = await pool.open(me, { y: 2n * SOL, bins: [-20, -1] });
    const open = { x: 0n, y: 2n * SOL - 20n, feeX: 0n, feeY: 5n };
    const known = await earningsOf(me, pool, { position, open });
    assert.ok(known.known, inspect(known));
    // Rent is locked, not spent, unless the pool needed new bins.
    const { lines, rentLockedLamports, realPnlSol } = known.ledger;
    assert.ok(rentLockedLamports > 0n);
    assert.ok(Math.abs(realPnlSol - (lines.networkFees + lines.rentNotRefunded + (5 - 20) / 1e9)) < 1e-9, inspect(known.ledger));

    const whyNot = async (of: Partial<EarningsSubject>, records: readonly OperationRecord[] = []) => {
      const earnings = await earningsOf(me, pool, { position, open, ...of }, records);
      return earnings.known ? 'known' : earnings.why;
    };
    assert.equal(await whyNot({ open: { ...open, x: 1n }, pricesNow: {} }), 'priceNotKnown');
    assert.equal(await whyNot({ isHistoryWhole: false }), 'historyIncomplete');
    const lost = landed(me, pool, zapInCreated(1), position, ['1'.repeat(64)]);
    assert.equal(await whyNot({}, [lost]), 'notRead', 'a transaction that the journal has and the chain has not');
  });
});

/** A rebalance of the journal; its parts say what was done. */
function rebalanceRecord(me: Wallet, pool: LittlePool, id: string, position: Address, atMs: number): OperationRecord {
  return recordOf(id, [
    {
      ...zapInCreated(atMs),
      operation: 'rebalance',
      owner: me.address,
      pool: pool.address,
      plan: {
        ...{ kind: 'rebalance', position, fromBinId: 0, toBinId: 1, halfWidthBins: undefined, strategy: 'Spot', slippageBps: 100 },
        reserveLamports: 0n,
      },
    },
    { kind: 'settled', atMs, lamportsBack: undefined, shortfall: undefined },
  ]);
}
