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
  readonly #sums: Readonly<Record<Summed, Record<CurrencyView, number | undefined>>> = {
    input: none(),
    output: none(),
    fee: none(),
    reward: none(),
    pnl: none(),
  };
  /** PnL and deposits of the rows that have both. */
  readonly #shared = { pnl: { usd: 0, native: 0 }, input: { usd: 0, native: 0 } };
  readonly #leftOut = { usd: 0, native: 0 };

  constructor(table: ClosedTable) {
    this.#table = table;
  }

  add(row: number): void {
    for (const currency of CURRENCIES) {
      const figure = (name: Summed): number | undefined => {
        const amount = this.#table.figure(row, SUMMED[name][currency]);
        return isPlausibleAmount(amount, currency) ? amount : undefined;
      };
      for (const name of SUMMED_NAMES) {
        const amount = figure(name);
        if (amount !== undefined) {
          this.#sums[name][currency] = (this.#sums[name][currency] ?? 0) + amount;
        }
      }
      const [pnl, input] = [figure('pnl'), figure('input')];
      if (pnl === undefined || input === undefined) {
        this.#leftOut[currency] += 1;
      } else {
        this.#shared.pnl[currency] += pnl;
        this.#shared.input[currency] += input;
      }
    }
  }

  all(): HistorySums {
    const { input, output, fee, reward, pnl } = this.#sums;
    const percent = (currency: CurrencyView): number | undefined =>
      this.#shared.input[currency] > 0 ? (100 * this.#shared.pnl[currency]) / this.#shared.input[currency] : undefined;
    const copy = ({ usd, native }: MoneyView): MoneyView => ({ usd, native });
    return {
      input: copy(input),
      output: copy(output),
      fee: copy(fee),
      reward: copy(reward),
      pnl: copy(pnl),
      pnlPercent: { usd: percent('usd'), native: percent('native') },
      leftOut: { ...this.#leftOut },
    };
  }
}

function none(): Record<CurrencyView, number | undefined> {
  return { usd: undefined, native: undefined };
}
