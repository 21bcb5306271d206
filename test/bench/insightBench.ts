// The output of `npm run bench -- insight`: how long an outlook takes while a range is dragged, and the other operations with the largest
// inputs that a panel has. Figures depend on this machine and its load; nothing is asserted.
import { WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import { ledgerOf, type LedgerTransaction } from '../../src/base/insight/ledger';
import { binnedOutlook, breakEvenSigma } from '../../src/base/insight/outlook';
import { compareWidths } from '../../src/base/insight/widths';
import { reportRow } from '../host/benchRows.mjs';
import { evenPool, planOf } from '../support/base/insight';
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

const WORK: readonly (readonly [what: string, how: string, work: () => unknown])[] = [
  [
    'outlook, as for a dragged handle',
    `${plan.others.length} bins of the pool, 140 of the plan, three volatilities`,
    () => binnedOutlook(plan),
  ],
  ['outlook with the break-even volatility', 'the same', () => [binnedOutlook(plan), breakEvenSigma(plan)]],
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
