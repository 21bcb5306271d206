import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type LedgerInput, ledgerOf, type LedgerTransaction, linesInUsd } from '../../../../src/base/insight/ledger';
import { WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';

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
    transferFees: fc.option(
      fc.record({ ofDeposit: fc.record({ [TOKEN]: raw }), besideDeposit: fc.record({ [TOKEN]: raw }), all: fc.record({ [TOKEN]: raw }) }),
      { nil: undefined },
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

  it('In dollars each line counts at the price of SOL when it happened, and without such a price none is known', () => {
    /** All amounts without their signs, at the highest price of these tests. */
    const grossUsd = (input: unknown): number => {
      let raws = 0n;
      JSON.stringify(input, (_, value: unknown) => {
        raws += typeof value !== 'bigint' ? 0n : value < 0n ? -value : value;
        return typeof value === 'bigint' ? null : value;
      });
      return (150 * 10 * Number(raws)) / 1e6;
    };
    const at = (solUsd: number | undefined) => (one: LedgerTransaction) => ({ ...one, solUsd });
    fc.assert(
      fc.property(anyLedger, (input) => {
        const ledger = ledgerOf(input);
        assert.ok(ledger.known);
        const same = linesInUsd({ ...input, transactions: input.transactions.map(at(150)), solUsdNow: 150 });
        assert.ok(same !== undefined);
        for (const [name, sol] of Object.entries<number>({ ...ledger.lines })) {
          const usd = Object.entries<number>({ ...same }).find(([other]) => other === name)?.[1] ?? NaN;
          // Amounts of both signs add up to less than each of them: what rounding loses is a part of the amounts.
          const lost = 1e-9 * Math.max(Math.abs(usd), 1) + Number.EPSILON * 4 * grossUsd(input);
          assert.ok(Math.abs(usd - 150 * sol) <= lost, `${name}: ${usd} and ${sol}`);
        }
        assert.equal(linesInUsd({ ...input, transactions: input.transactions.map(at(undefined)), solUsdNow: 150 }), undefined);
      }),
    );
    const fee = (signature: string, timeS: number, solUsd: number): LedgerTransaction => ({
      ...{ ...NOTHING, signature, timeS, solUsd, lamports: -1_000_000_000n, feeLamports: 1_000_000_000n },
    });
    const transactions = [fee('a', 1, 100), fee('b', 2, 200)];
    const lines = linesInUsd({ tokens: {}, x: TOKEN, y: WRAPPED_SOL_MINT, transactions, pricesNow: {} });
    assert.equal(lines?.networkFees, -300);
  });
});
