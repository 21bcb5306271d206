import assert from 'node:assert/strict';
import fc from 'fast-check';
import { WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { exportCsv, type ExportEntry } from '../../../../src/base/insight/export';
import { inventory } from '../../../../src/base/insight/inventory';
import { type LedgerInput, ledgerOf, type LedgerTransaction } from '../../../../src/base/insight/ledger';
import { type BinCounters, replay, type Snapshot } from '../../../../src/base/insight/replay';
import { priceOfBin } from '../../../../src/base/dlmm/bins';
import { evenPool } from '../../../support/base/insight';

const TOKEN = 'TokenMint';
const NOTHING: LedgerTransaction = {
  ...{ signature: 's', timeS: 0, lamports: 0n, tokens: [], feeLamports: 0n, tipLamports: 0n },
  rent: { locked: 0n, refunded: 0n, spent: 0n },
  pool: {},
};

const raw = fc.bigInt({ min: 0n, max: 10n ** 12n });
const anyTransaction: fc.Arbitrary<LedgerTransaction> = fc.record(
  {
    signature: fc.uuid(),
    timeS: fc.integer({ min: 0, max: 1_000_000 }),
    lamports: fc.bigInt({ min: -(10n ** 13n), max: 10n ** 13n }),
    tokens: fc.array(
      fc.record({ mint: fc.constantFrom(TOKEN, WRAPPED_SOL_MINT), change: fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }) }),
      { maxLength: 2 },
    ),
    feeLamports: fc.bigInt({ min: 0n, max: 100_000n }),
    tipLamports: fc.bigInt({ min: 0n, max: 1_000_000n }),
    rent: fc.record({ locked: raw, refunded: raw, spent: raw }),
    pool: fc.record(
      {
        in: fc.record({ [TOKEN]: raw, [WRAPPED_SOL_MINT]: raw }),
        out: fc.record({ [TOKEN]: raw, [WRAPPED_SOL_MINT]: raw }),
        fees: fc.record({ [TOKEN]: raw, [WRAPPED_SOL_MINT]: raw }),
      },
      { requiredKeys: [] },
    ),
    commission: fc.array(fc.record({ mint: fc.constant(TOKEN), raw }), { maxLength: 1 }),
    prices: fc.record({ [TOKEN]: fc.double({ min: 1e-6, max: 10, noNaN: true }) }),
  },
  { noNullPrototype: true },
);
const anyLedger: fc.Arbitrary<LedgerInput> = fc.record(
  {
    tokens: fc.constant({ [TOKEN]: { decimals: 6 } }),
    x: fc.constant(TOKEN),
    y: fc.constant(WRAPPED_SOL_MINT),
    transactions: fc.array(anyTransaction, { minLength: 1, maxLength: 12 }),
    open: fc.option(fc.record({ x: raw, y: raw, feeX: raw, feeY: raw }), { nil: undefined }),
    pricesNow: fc.record({ [TOKEN]: fc.double({ min: 1e-6, max: 10, noNaN: true }) }),
  },
  { noNullPrototype: true },
);

describe('Insight: ledger', () => {
  it('Whatever happened, the lines add up to the change of the wallet', () => {
    fc.assert(
      fc.property(anyLedger, (input) => {
        const ledger = ledgerOf(input);
        assert.ok(ledger.known);
        const lamports = input.transactions.reduce((sum, one) => sum + one.lamports, 0n);
        const scale = Math.max(...Object.values<number>({ ...ledger.lines }).map(Math.abs), Number(lamports) / 1e9, 1);
        assert.equal(ledger.walletLamports, lamports);
        assert.ok(Math.abs(ledger.unexplainedSol) < 1e-12 * scale, String(ledger.unexplainedSol));
      }),
      { numRuns: 300 },
    );
  });

  it('The order of transactions and a repeated one change nothing', () => {
    fc.assert(
      fc.property(anyLedger, (input) => {
        const { transactions } = input;
        assert.deepEqual(
          ledgerOf({ ...input, transactions: [...transactions.toReversed(), ...transactions.slice(0, 1)] }),
          ledgerOf(input),
        );
      }),
      { numRuns: 100 },
    );
  });

  it('A price that is needed and not known makes the result not known, and names the token', () => {
    const swap = { ...NOTHING, lamports: -10n, tokens: [{ mint: TOKEN, change: 5n }] };
    const base = { tokens: { [TOKEN]: { decimals: 0 } }, x: TOKEN, y: WRAPPED_SOL_MINT, pricesNow: { [TOKEN]: 1 } };
    const whyOf = (input: LedgerInput): unknown => {
      const ledger = ledgerOf(input);
      return ledger.known ? 'known' : ledger.why === 'priceNotKnown' ? [ledger.why, ledger.mint, ledger.signature] : ledger.why;
    };
    const priced = { ...swap, prices: { [TOKEN]: 1 } };
    assert.deepEqual(whyOf({ ...base, transactions: [swap] }), ['priceNotKnown', TOKEN, 's']);
    assert.deepEqual(whyOf({ ...base, transactions: [{ ...swap, prices: { [TOKEN]: 0 } }] }), ['priceNotKnown', TOKEN, 's']);
    assert.deepEqual(whyOf({ ...base, transactions: [priced], pricesNow: {} }), ['priceNotKnown', TOKEN, undefined]);
    assert.deepEqual(whyOf({ ...base, transactions: [priced], tokens: {} }), ['priceNotKnown', TOKEN, undefined]);
    assert.deepEqual(whyOf({ ...base, transactions: [] }), 'noTransactions');
    assert.deepEqual(whyOf({ ...base, transactions: [priced] }), 'known');
    assert.deepEqual(whyOf({ ...base, transactions: [{ ...NOTHING, lamports: -5n, feeLamports: 5n }], pricesNow: {} }), 'known');
  });

  it('A fair swap costs nothing, and an unfair one what was lost in it', () => {
    const swapFor = (tokens: bigint) =>
      ledgerOf({
        ...{ tokens: { [TOKEN]: { decimals: 6 } }, x: TOKEN, y: WRAPPED_SOL_MINT, pricesNow: { [TOKEN]: 2 } },
        transactions: [
          { ...NOTHING, lamports: -2_000_005_000n, feeLamports: 5_000n, tokens: [{ mint: TOKEN, change: tokens }], prices: { [TOKEN]: 2 } },
        ],
        reportedPnlSol: 0,
      });
    const [fair, unfair] = [swapFor(1_000_000n), swapFor(900_000n)];
    assert.ok(fair.known && unfair.known);
    assert.deepEqual([fair.lines.trading, fair.realPnlSol.toFixed(6), fair.tradedSol], [0, '-0.000005', 2]);
    assert.deepEqual([unfair.lines.trading.toFixed(9), unfair.differsFromReportedSol?.toFixed(6)], ['-0.200000000', '-0.200005']);
  });

  it('Rent that comes back is not lost, wrapped SOL counts as SOL', () => {
    const ledger = ledgerOf({
      ...{ tokens: {}, x: TOKEN, y: WRAPPED_SOL_MINT, pricesNow: {} },
      transactions: [
        {
          ...NOTHING,
          lamports: -2_539_280n,
          rent: { locked: 2_039_280n, refunded: 0n, spent: 0n },
          tokens: [{ mint: WRAPPED_SOL_MINT, change: 500_000n }],
        },
      ],
    });
    assert.ok(ledger.known);
    assert.deepEqual([ledger.realPnlSol, ledger.rentLockedLamports, ledger.lines.trading, ledger.leftoverSol], [0, 2_039_280n, 0, 0.0005]);
    assert.deepEqual(ledger.leftovers, { [WRAPPED_SOL_MINT]: 500_000n });
  });
});

const Q64 = 1n << 64n;

function bin(binId: number, feeX: bigint, supply = 1_000n * Q64): BinCounters {
  return { binId, supply, feeX, feeY: 0n };
}

function at(timeS: number, activeBinId: number, bins: readonly BinCounters[]): Snapshot {
  return { timeS, activeBinId, bins };
}

describe('Insight: replay', () => {
  const position = [{ binId: 1, share: 10n * Q64 }];
  const own = (snapshots: readonly Snapshot[]) => replay({ snapshots, position, isHypothetical: false });
  const would = (snapshots: readonly Snapshot[]) => replay({ snapshots, position, isHypothetical: true });
  const feeX = (answer: ReturnType<typeof replay>): unknown => (answer.known ? answer.feeX : answer.why);

  it('A position earns its share of what the counters grew, also where they wrap around and readings come in any order', () => {
    assert.equal(feeX(own([at(0, 1, [bin(1, 5n * Q64)]), at(9, 1, [bin(1, 12n * Q64)])])), 70n);
    assert.equal(feeX(own([at(9, 1, [bin(1, 4n * Q64)]), at(0, 1, [bin(1, (1n << 128n) - 3n * Q64)])])), 70n);
  });

  it('Readings between the first and the last one change nothing for a position that was there throughout', () => {
    const [first, last] = [at(0, 1, [bin(1, 1n)]), at(9, 1, [bin(1, 3n * Q64 - 7n)])];
    for (const between of [at(4, 1, [bin(1, Q64 + 1n)]), at(4, 1, [])]) {
      assert.equal(feeX(own([first, between, last])), feeX(own([first, last])));
    }
  });

  it('A position that was not there would have had L/(L + l), with the liquidity of each interval', () => {
    const counters = [bin(1, 0n, 90n * Q64), bin(1, 10n * Q64, 90n * Q64), bin(1, 20n * Q64, 190n * Q64)];
    assert.equal(feeX(would(counters.slice(0, 2).map((one, time) => at(time, 1, [one])))), 90n);
    const whole = feeX(would(counters.map((one, time) => at(time, 1, [one]))));
    assert.ok(typeof whole === 'bigint' && whole >= 182n && whole <= 184n, String(whole));
  });

  it('Bins that were empty or not read make it not known, except far from the price where nothing can have been earned', () => {
    assert.equal(feeX(own([at(0, 1, [bin(1, 0n)]), at(9, 1, [])])), 'binsMissing');
    assert.equal(feeX(would([at(0, 1, [bin(1, 0n, 0n)]), at(9, 1, [bin(1, 0n, 5n)])])), 'binsMissing');
    assert.equal(feeX(would([at(0, 1, [bin(1, 0n)]), at(4, 1, []), at(9, 1, [bin(1, 0n)])])), 'binsMissing');
    const away = (growth: bigint) => [at(0, -3, [bin(1, 0n, 0n), bin(2, 0n)]), at(9, -2, [bin(1, 0n, 0n), bin(2, growth)])];
    assert.deepEqual([feeX(would(away(0n))), feeX(would(away(1n)))], [0n, 'binsMissing']);
  });

  it('One reading, or two of the same second, are too few', () => {
    const one = at(5, 1, [bin(1, 0n)]);
    assert.deepEqual([feeX(own([])), feeX(own([one])), feeX(own([one, one]))], Array(3).fill('tooFewSnapshots'));
    assert.equal(feeX(replay({ snapshots: [one, at(9, 1, [])], position: [], isHypothetical: false })), 'noAmount');
  });

  it('Time in range counts half of an interval in doubt, and long intervals are counted', () => {
    const answer = own([at(0, 1, [bin(1, 0n)]), at(7_200, 2, [bin(1, 0n)]), at(14_401, 2, [bin(1, 0n)])]);
    assert.ok(answer.known);
    assert.deepEqual([answer.timeInRange, answer.seconds, answer.gaps], [3_600 / 14_401, 14_401, 1]);
  });
});

describe('Insight: inventory', () => {
  const entry = evenPool(0, 20, 10, 1_000_000);
  const held = { entry, binStepBps: 20, activeX: 0, activeY: 5, price: undefined };

  it('Where no bin was traded below or above its price there is no impermanent loss, elsewhere there always is one', () => {
    for (let activeBinId = -12; activeBinId <= 12; activeBinId += 1) {
      const answer = inventory({ ...held, activeBinId });
      assert.ok(answer.known);
      assert.ok(
        activeBinId === 0 || activeBinId === 1 ? Math.abs(answer.impermanentLossY) < 1e-6 : answer.impermanentLossY < 0,
        `${activeBinId}`,
      );
    }
  });

  it('Below the range a position is all X, above it all Y, and the liquidity of each bin stays', () => {
    const [below, above] = [inventory({ ...held, activeBinId: -11 }), inventory({ ...held, activeBinId: 11 })];
    assert.ok(below.known && above.known);
    const all = entry.reduce((sum, { binId }) => sum + 1_000_000 / priceOfBin(binId, 20), 0);
    assert.ok(Math.abs(below.x / all - 1) < 1e-12 && below.y === 0);
    assert.ok(Math.abs(above.y / 21e6 - 1) < 1e-12 && above.x === 0);
  });

  it('Without the amounts of the active bin the content is not known, unless the position is elsewhere', () => {
    assert.deepEqual(inventory({ ...held, activeBinId: 3, activeX: undefined }), { known: false, why: 'activeBinNotKnown' });
    assert.deepEqual(inventory({ ...held, activeBinId: 3, activeX: 0, activeY: 0 }), { known: false, why: 'activeBinNotKnown' });
    assert.equal(inventory({ ...held, activeBinId: 30, activeX: undefined }).known, true);
    assert.deepEqual(inventory({ ...held, entry: [], activeBinId: 3 }), { known: false, why: 'noAmount' });
  });
});

describe('Insight: export', () => {
  const token = (symbol: string, amount: bigint) => ({ symbol, mint: `mint-${symbol}`, raw: amount, decimals: 2 });
  const entry: ExportEntry = {
    ...{ timeS: 1_793_571_605, signature: 'sig', what: 'Zap-out', feeLamports: 5_000n },
    ...{ sent: [], received: [token('A', 150n), token('B', 0n), token('C', 1n)], rewards: [token('A', 5n)] },
  };

  it('Several tokens are a row each, amounts of nothing none, and the fee stands in the first row alone', () => {
    const rows = exportCsv('koinly', [entry]).split('\r\n').slice(1);
    assert.deepEqual(rows, [
      '2026-11-01 22:20:05 UTC,,,1.5,A,0.000005,SOL,,,,Zap-out mint-A,sig',
      '2026-11-01 22:20:05 UTC,,,0.01,C,,,,,,Zap-out mint-C,sig',
      '2026-11-01 22:20:05 UTC,,,0.05,A,,,,,reward,Zap-out mint-A,sig',
      '',
    ]);
  });

  it('No cell begins like a formula, whatever a token is called, and a transaction without anything is no row', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('koinly' as const, 'cointracking' as const), (symbol, format) => {
        const csv = exportCsv(format, [{ ...entry, what: symbol, received: [token(symbol, 1n)], rewards: [] }]);
        assert.doesNotMatch(csv.replaceAll('""', ''), /(?:^|[,;|\t\r\n]|,")\s*[=+\-@]/m);
      }),
      {
        examples: [
          ['=1+1', 'koinly'],
          ['\t@SUM(A1)', 'koinly'],
          ['-2', 'cointracking'],
          ['a\n=b', 'koinly'],
        ],
      },
    );
    assert.equal(exportCsv('koinly', [{ ...entry, received: [], rewards: [], feeLamports: 0n }]).split('\r\n').length, 2);
  });
});
