// The output of `npm run bench -- insight`: how long an outlook takes while a range is dragged, and the other operations with the largest
// inputs that a panel has. Figures depend on this machine and its load; nothing is asserted.
import { WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import { ledgerOf, type LedgerTransaction } from '../../src/base/insight/ledger';
import { binnedOutlook, breakEvenSigma } from '../../src/base/insight/outlook';
import { type Expectation, outlookOf, planToAsk, widthsOf } from '../../src/base/insight/poolOutlook';
import { recordOf, replayRecord, sharesOf } from '../../src/base/insight/replay';
import { compareWidths } from '../../src/base/insight/widths';
import { reportRow } from '../host/benchRows.mjs';
import { evenPool, planOf } from '../support/base/insight';
import { ACTIVE_BIN, poolOf } from '../support/browser/samples/pool';
import { milliseconds, quantile } from './figures';

const ROUNDS = 200;
const TRANSACTIONS = 2_000;

const plan = planOf({ sigmaPerDay: 0.08, sigmaLow: 0.06, sigmaHigh: 0.1, fromBinId: -69, toBinId: 70 });
const widths = { ...plan, others: evenPool(0, 20, 220, 1e10), amountX: 10n ** 9n, amountY: 10n ** 9n };
const mint = 'Token';
const transactions = Array.from({ length: TRANSACTIONS }, (_, index): LedgerTransaction => ({
  ...{ signature: `s${index}`, timeS: index, lamports: -1_000_000n, feeLamports: 5_000n, tipLamports: 0n },
  tokens: [{ mint, change: 1_000n }],
  rent: { locked: 0n, refunded: 0n, spent: 0n },
  pool: index % 2 === 0 ? { in: { [mint]: 5n, [WRAPPED_SOL_MINT]: 7n } } : { out: { [mint]: 5n, [WRAPPED_SOL_MINT]: 7n } },
  prices: { [mint]: 1 },
}));

const POOL = poolOf(281);
const given: Expectation = { sigma: { value: 0.08, low: 0.06, high: 0.1 }, horizonS: 86_400, solUsd: undefined, solMint: WRAPPED_SOL_MINT };
/** A plan from this bin on. */
const planFrom = (binsBelow: number) =>
  planToAsk(
    POOL,
    { range: { fromBinId: ACTIVE_BIN - binsBelow, toBinId: ACTIVE_BIN + 140 }, strategy: 'Curve', percentX: 0.5, amountSol: 2 },
    given,
  );
const whole = planFrom(140);
/** A day of readings every 15 minutes, in each of which the price crossed 20 bins. */
const record = recordOf(
  Array.from({ length: 97 }, (_, reading) => ({
    timeS: 900 * reading,
    activeBinId: ACTIVE_BIN,
    bins: POOL.bins.map(({ binId }, place) => {
      const fees = BigInt(Math.floor((reading + (place % 14)) / 14)) << 50n;
      return { binId, supply: 1n << 94n, feeX: fees, feeY: 3n * fees };
    }),
  })),
);

const WORK: readonly (readonly [what: string, how: string, work: () => unknown])[] = [
  [
    'outlook, as for a dragged handle',
    `${plan.others.length} bins of the pool, 140 of the plan, three volatilities`,
    () => binnedOutlook(plan),
  ],
  ['outlook with the break-even volatility', 'the same', () => [binnedOutlook(plan), breakEvenSigma(plan)]],
  [
    'all figures of a dragged plan in the panel',
    `${POOL.bins.length} bins of the pool as a service reports it, 281 of the plan, with the break-even volatility`,
    () => {
      const asked = planFrom(140);
      return typeof asked === 'string' ? asked : [outlookOf(asked), breakEvenSigma(asked.input)];
    },
  ],
  [
    'what a dragged plan would have earned, beside them',
    `${record.bins.length} bins, 96 intervals, in each of which about 20 of them grew`,
    () => typeof whole === 'string' || !('own' in whole.input) || replayRecord(record, sharesOf(whole.input.own, whole.input.binStepBps)),
  ],
  [
    'other widths beside it, which do not follow a handle',
    'five of one shape',
    () => (typeof whole === 'string' ? whole : widthsOf(whole, 2e9, 'Curve', 0.5)),
  ],
  ['five widths of three shapes', `${widths.others.length} bins of the pool`, () => compareWidths(widths)],
  [
    'ledger of a chain of positions',
    `${TRANSACTIONS} transactions`,
    () => ledgerOf({ tokens: { [mint]: { decimals: 6 } }, x: mint, y: WRAPPED_SOL_MINT, transactions, pricesNow: { [mint]: 1 } }),
  ],
];

for (const [what, how, work] of WORK) {
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  const [first, median, worst] = [times[0] ?? 0, quantile(times, 0.5), quantile(times, 0.99)].map(milliseconds);
  reportRow({ what, result: `${median}, 99 % within ${worst}`, how: `median of ${ROUNDS} rounds, the first ${first}; ${how}` });
}
