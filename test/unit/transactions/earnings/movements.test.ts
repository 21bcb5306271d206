import assert from 'node:assert/strict';
import fc from 'fast-check';
import { EXPORT_FORMATS, exportCsv, type ExportFormat, type Movement, withFeesTakenOff } from '../../../../src/base/insight/export';
import type { LedgerTransaction } from '../../../../src/base/insight/ledger';
import { parseDecimal } from '../../../../src/base/solana/amounts';
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
const NO_RENT: Pick<LedgerTransaction, 'rent'> = { rent: NOTHING.rent };
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

/** What the programs make of a file: Koinly takes the fee of a row off the balance only if it sends something, CoinTracking never. */
const RULES: Readonly<Record<ExportFormat, { readonly received: number; readonly sent: number; readonly fee: number | undefined }>> = {
  koinly: { received: 3, sent: 1, fee: 5 },
  cointracking: { received: 1, sent: 3, fee: undefined },
};

/** The balances that a program has after a file, raw units of each symbol. */
function balancesAfter(format: ExportFormat, csv: string): ReadonlyMap<string, bigint> {
  const { received, sent, fee } = RULES[format];
  const balances = new Map<string, bigint>();
  for (const line of csv.split('\r\n').slice(1, -1)) {
    const cells = line.split(',');
    const add = (place: number, sign: bigint): void => {
      const [amount = '', symbol = ''] = cells.slice(place, place + 2);
      const raw = amount === '' ? 0n : (parseDecimal(amount, symbol === 'SOL' ? 9 : 5) ?? assert.fail(amount));
      balances.set(symbol, (balances.get(symbol) ?? 0n) + sign * raw);
    };
    add(received, 1n);
    add(sent, -1n);
    if (fee !== undefined && cells[sent] !== '') {
      add(fee, -1n);
    }
  }
  return balances;
}

describe('Movements for a tax program', () => {
  it('A swap is a trade, a withdrawal is received without a tag, and fees are rewards', () => {
    assert.deepEqual(
      exportCsv('koinly', entriesOf([SWAP, CLOSE]))
        .split('\r\n')
        .slice(1, -1),
      [
        `2026-11-01 22:20:05 UTC,2,SOL,1000,BONK,0.000015,SOL,,,,Swap or fee: BONK/SOL ${WRAPPED_SOL_MINT} ${TOKEN},sig`,
        `2026-11-01 22:21:05 UTC,,,1,SOL,0.000005,SOL,,,,Withdrawn: BONK/SOL ${WRAPPED_SOL_MINT},close`,
        `2026-11-01 22:21:05 UTC,,,500,BONK,,,,,,Withdrawn: BONK/SOL ${TOKEN},close`,
        `2026-11-01 22:21:05 UTC,,,0.003,BONK,,,,,reward,Withdrawn: BONK/SOL ${TOKEN},close`,
        `2026-11-01 22:21:05 UTC,,,0.000007,SOL,,,,,reward,Withdrawn: BONK/SOL ${WRAPPED_SOL_MINT},close`,
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

  for (const format of EXPORT_FORMATS) {
    it(`By the rules of ${format} its balances change by what the wallet’s do, fees included, and no fee stands where it would be ignored`, () => {
      const amount = fc.bigInt(0n, 10n ** 12n);
      const tokens = fc.bigInt(-(10n ** 12n), 10n ** 12n);
      const transaction = fc.record({
        ...{ lamports: tokens, feeLamports: fc.bigInt(0n, 10n ** 6n), tipLamports: fc.constantFrom(0n, 1_000n) },
        pool: fc.record({ fees: fc.tuple(amount, amount).map(([x, y]) => ({ [TOKEN]: x, [WRAPPED_SOL_MINT]: y })) }, { requiredKeys: [] }),
        tokens: tokens.map((change) => [{ mint: TOKEN, change }]),
      });
      const check = (parts: Pick<LedgerTransaction, 'lamports' | 'tokens'>): void => {
        const balances = balancesAfter(format, exportCsv(format, withFeesTakenOff(format, entriesOf([{ ...NOTHING, ...parts }]))));
        const bonk = parts.tokens[0]?.change ?? 0n;
        assert.deepEqual([balances.get('SOL') ?? 0n, balances.get('BONK') ?? 0n], [parts.lamports, bonk]);
      };
      [SWAP, CLOSE, NOTHING].forEach(({ lamports, rent, ...one }) => check({ ...one, lamports: lamports + rent.locked, ...NO_RENT }));
      check({ ...NOTHING, lamports: -5_000n });
      fc.assert(fc.property(transaction, check));
    });
  }

  it('Fees are rows of their own where a program would ignore them, and later rows of a transaction have an identifier of their own in CoinTracking', () => {
    const rows = (format: ExportFormat) =>
      exportCsv(format, withFeesTakenOff(format, entriesOf([CLOSE, { ...NOTHING, signature: 'failed', lamports: -5_000n }])))
        .split('\r\n')
        .slice(1, -1);
    assert.deepEqual(rows('koinly').slice(-2), [
      `2026-11-01 22:21:05 UTC,0.000005,SOL,,,,,,,cost,Withdrawn: BONK/SOL ${WRAPPED_SOL_MINT},close`,
      `2026-11-01 22:20:05 UTC,0.000005,SOL,,,,,,,cost,Swap or fee: BONK/SOL ${WRAPPED_SOL_MINT},failed`,
    ]);
    assert.deepEqual(
      rows('cointracking').map((line) => {
        const cells = line.split(',');
        return [cells[0], cells[5], cells[11]];
      }),
      [
        ['Deposit', '', 'close'],
        ['Deposit', '', 'close.2'],
        ['Income', '', 'close.3'],
        ['Income', '', 'close.4'],
        ['Other Fee', '', 'close.5'],
        ['Other Fee', '', 'failed'],
      ],
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
