import assert from 'node:assert/strict';
import fc from 'fast-check';
import { exportCsv, type Movement } from '../../../../src/base/insight/export';
import type { LedgerTransaction } from '../../../../src/base/insight/ledger';
import { WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { mergedMovements, movementsOf } from '../../../../src/transactions/earnings/movements';
import { TOKEN } from '../../../support/base/insight/rawTransactions';

const POOL = { pairName: 'BONK/SOL', tokens: [{ mint: TOKEN, symbol: 'BONK', decimals: 5 }] };
const NOTHING: LedgerTransaction = {
  ...{ signature: 'sig', timeS: 1_793_571_605, lamports: 0n, feeLamports: 5_000n, tipLamports: 0n, tokens: [] },
  ...{ rent: { locked: 0n, refunded: 0n, spent: 0n }, pool: {} },
};
/** A swap of 2 SOL for 1,000 BONK, with a tip and an account of the wallet's own. */
const SWAP: LedgerTransaction = {
  ...NOTHING,
  lamports: -2_000_000_000n - 5_000n - 10_000n - 2_039_280n,
  tipLamports: 10_000n,
  tokens: [{ mint: TOKEN, change: 100_000_000n }],
  rent: { locked: 2_039_280n, refunded: 0n, spent: 0n },
};
/** Half of it comes back with fees in both tokens. */
const CLOSE: LedgerTransaction = {
  ...NOTHING,
  signature: 'close',
  timeS: NOTHING.timeS + 60,
  lamports: 1_000_000_000n + 7_000n - 5_000n,
  tokens: [{ mint: TOKEN, change: 50_000_300n }],
  pool: { out: { [TOKEN]: 50_000_000n, [WRAPPED_SOL_MINT]: 1_000_000_000n }, fees: { [TOKEN]: 300n, [WRAPPED_SOL_MINT]: 7_000n } },
};

const entriesOf = (transactions: readonly LedgerTransaction[]) => movementsOf(transactions, POOL) ?? assert.fail('not known');
const sum = (movements: readonly Movement[], mint: string) =>
  movements.filter((one) => one.mint === mint).reduce((total, { raw }) => total + raw, 0n);

describe('Movements for a tax program', () => {
  it('A swap is a trade, a withdrawal is received without a tag, and fees are rewards', () => {
    assert.deepEqual(
      exportCsv('koinly', entriesOf([SWAP, CLOSE]))
        .split('\r\n')
        .slice(1, -1),
      [
        `2026-11-01 22:20:05 UTC,2,SOL,1000,BONK,0.000015,SOL,,,,Swap or fee for BONK/SOL ${WRAPPED_SOL_MINT} ${TOKEN},sig`,
        `2026-11-01 22:21:05 UTC,,,1,SOL,0.000005,SOL,,,,Withdrawal from BONK/SOL ${WRAPPED_SOL_MINT},close`,
        `2026-11-01 22:21:05 UTC,,,500,BONK,,,,,,Withdrawal from BONK/SOL ${TOKEN},close`,
        `2026-11-01 22:21:05 UTC,,,0.003,BONK,,,,,reward,Withdrawal from BONK/SOL ${TOKEN},close`,
        `2026-11-01 22:21:05 UTC,,,0.000007,SOL,,,,,reward,Withdrawal from BONK/SOL ${WRAPPED_SOL_MINT},close`,
      ],
    );
    const types = exportCsv('cointracking', entriesOf([SWAP, CLOSE]))
      .split('\r\n')
      .slice(1, -1);
    assert.deepEqual(
      types.map((line) => line.split(',')[0]),
      ['Trade', 'Deposit', 'Deposit', 'Income', 'Income'],
    );
  });

  it('Whatever happened, rewards and what was received, less what was sent and the fee, are the change of the wallet without rent that comes back', () => {
    const amount = fc.bigInt(0n, 10n ** 12n);
    const change = fc.bigInt(-(10n ** 12n), 10n ** 12n);
    const pair = fc.tuple(amount, amount).map(([x, y]) => ({ [TOKEN]: x, [WRAPPED_SOL_MINT]: y }));
    const transaction = fc.record({
      ...{ lamports: change, feeLamports: amount, tipLamports: amount, pool: fc.record({ in: pair, out: pair, fees: pair }) },
      tokens: fc.tuple(change, change).map(([x, y]) => [
        { mint: TOKEN, change: x },
        { mint: WRAPPED_SOL_MINT, change: y },
      ]),
      rent: fc.record({ locked: amount, refunded: amount, spent: amount }),
    });
    fc.assert(
      fc.property(transaction, fc.bigInt(0n, 100n), (parts, part) => {
        const commission = [{ mint: TOKEN, raw: ((parts.pool.fees[TOKEN] ?? 0n) * part) / 1_000n }];
        const [entry = assert.fail()] = entriesOf([{ ...NOTHING, ...parts, commission }]);
        const { sent, received, rewards, feeLamports } = entry;
        const moved = (mint: string) => sum(rewards, mint) + sum(received, mint) - sum(sent, mint);
        const [ofToken = 0n, wrapped = 0n] = parts.tokens.map((one) => one.change);
        assert.equal(moved(TOKEN), ofToken);
        assert.equal(moved(WRAPPED_SOL_MINT) - feeLamports, parts.lamports + wrapped + parts.rent.locked - parts.rent.refunded);
      }),
    );
  });

  it('A transaction that worked on several positions is written once, and other tokens than the pool’s make it not known', () => {
    const merged = mergedMovements([...entriesOf([CLOSE]), ...entriesOf([{ ...CLOSE, feeLamports: 0n, lamports: 1_000_007_000n }, SWAP])]);
    assert.deepEqual(
      merged.map(({ signature }) => signature),
      ['sig', 'close'],
    );
    assert.deepEqual([sum(merged[1]?.received ?? [], TOKEN), merged[1]?.feeLamports], [100_000_000n, 5_000n]);
    assert.equal(movementsOf([{ ...SWAP, tokens: [{ mint: 'another', change: 1n }] }], POOL), undefined);
  });
});
