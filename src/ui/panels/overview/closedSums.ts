import { isPlausibleAmount } from '../../../portfolio/snapshot';
import type { HistorySums } from '../../../protocol/overview';
import type { CurrencyView, MoneyView } from '../../../protocol/schemas';
import { type ClosedFigure, type ClosedTable, FIGURE_OF } from './closedTable';

type Summed = 'input' | 'output' | 'fee' | 'reward' | 'pnl';
const SUMMED: Readonly<Record<Summed, Readonly<Record<CurrencyView, ClosedFigure>>>> = {
  input: FIGURE_OF.input,
  output: FIGURE_OF.output,
  fee: FIGURE_OF.fee,
  reward: { usd: 'collectedRewardUsd', native: 'collectedRewardNative' },
  pnl: FIGURE_OF.pnl,
};
const SUMMED_NAMES = ['input', 'output', 'fee', 'reward', 'pnl'] as const;
const CURRENCIES = ['usd', 'native'] as const;

/** Sums for display. What is not reported, or too large to be real, is left out of a sum. */
export class ClosedSums {
  readonly #table: ClosedTable;
  readonly #sums: Readonly<Record<Summed, Readonly<Record<CurrencyView, RunningSum>>>> = {
    input: sums(),
    output: sums(),
    fee: sums(),
    reward: sums(),
    pnl: sums(),
  };
  /** PnL and deposits of the rows that have both. */
  readonly #shared = { pnl: sums(), input: sums() };
  readonly #leftOut = { usd: 0, native: 0 };

  constructor(table: ClosedTable) {
    this.#table = table;
  }

  add(row: number): void {
    this.#change(row, 'add');
  }

  /** @param row one that was added */
  remove(row: number): void {
    this.#change(row, 'remove');
  }

  all(): HistorySums {
    const { input, output, fee, reward, pnl } = this.#sums;
    const percent = (currency: CurrencyView): number | undefined => {
      const deposits = this.#shared.input[currency].total;
      return deposits > 0 ? (100 * this.#shared.pnl[currency].total) / deposits : undefined;
    };
    const total = (sum: RunningSum): number | undefined => (sum.count === 0 ? undefined : sum.total);
    const both = ({ usd, native }: Readonly<Record<CurrencyView, RunningSum>>): MoneyView => ({ usd: total(usd), native: total(native) });
    return {
      input: both(input),
      output: both(output),
      fee: both(fee),
      reward: both(reward),
      pnl: both(pnl),
      pnlPercent: { usd: percent('usd'), native: percent('native') },
      leftOut: { ...this.#leftOut },
      counts: { input: counts(input), output: counts(output), fee: counts(fee), reward: counts(reward), pnl: counts(pnl) },
    };
  }

  #change(row: number, change: 'add' | 'remove'): void {
    for (const currency of CURRENCIES) {
      for (const name of SUMMED_NAMES) {
        const amount = this.#amount(row, name, currency);
        if (amount !== undefined) {
          this.#sums[name][currency][change](amount);
        }
      }
      const [pnl, input] = [this.#amount(row, 'pnl', currency), this.#amount(row, 'input', currency)];
      if (pnl === undefined || input === undefined) {
        this.#leftOut[currency] += change === 'add' ? 1 : -1;
      } else {
        this.#shared.pnl[currency][change](pnl);
        this.#shared.input[currency][change](input);
      }
    }
  }

  /** An amount that counts; `undefined` for one that is left out. */
  #amount(row: number, name: Summed, currency: CurrencyView): number | undefined {
    const amount = this.#table.figure(row, SUMMED[name][currency]);
    return isPlausibleAmount(amount, currency) ? amount : undefined;
  }
}

function sums(): Readonly<Record<CurrencyView, RunningSum>> {
  return { usd: new RunningSum(), native: new RunningSum() };
}

function counts({ usd, native }: Readonly<Record<CurrencyView, RunningSum>>): HistorySums['leftOut'] {
  return { usd: usd.count, native: native.count };
}

/**
 * A sum from which amounts can be subtracted again. What rounding loses is summed separately (Neumaier's algorithm), so rounding errors do not add
 * up, however often amounts come and go.
 */
export class RunningSum {
  #sum = 0;
  #lost = 0;
  #count = 0;
  /** Number of amounts other than zero. */
  #nonZero = 0;

  /** Number of amounts in the sum. */
  get count(): number {
    return this.#count;
  }

  get total(): number {
    return this.#sum + this.#lost;
  }

  /** @param amount finite */
  add(amount: number): void {
    this.#put(amount, 1);
  }

  /** @param amount one that was added */
  remove(amount: number): void {
    this.#put(-amount, -1);
  }

  #put(amount: number, change: 1 | -1): void {
    this.#count += change;
    if (amount === 0) {
      return;
    }
    this.#nonZero += change;
    if (this.#nonZero === 0) {
      this.#sum = this.#lost = 0;
      return;
    }
    const before = this.#sum;
    this.#sum += amount;
    this.#lost += Math.abs(before) >= Math.abs(amount) ? before - this.#sum + amount : amount - this.#sum + before;
  }
}
