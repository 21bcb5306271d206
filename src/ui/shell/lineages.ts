import type { Subscription } from '../../base/async/clock';
import { Emitter } from '../../base/async/emitter';
import { isKnown } from '../../base/format/numbers';
import type { Money } from '../../service/common';
import type { OpenPosition } from '../../service/positions';

/** What rebalances turned into an open position. */
export interface Lineage {
  readonly rebalances: number;
  /** The results of the closed positions before it; not known where one of them is not. */
  readonly earlierPnl: Money;
}

/** What positions have earned since their first deposits: rebalances close a position and open another, which begins at zero. */
export class Lineages {
  readonly #changes: Emitter<undefined>;
  #byKey: ReadonlyMap<string, Lineage> = new Map();

  constructor(onError: (error: unknown) => void) {
    this.#changes = new Emitter(onError);
  }

  onDidChange(listener: () => void): Subscription {
    return this.#changes.on(listener);
  }

  /** @param byKey by the key of the open position; those that no rebalance opened are left out */
  set(byKey: ReadonlyMap<string, Lineage>): void {
    if (byKey.size > 0 || this.#byKey.size > 0) {
      this.#byKey = byKey;
      this.#changes.fire(undefined);
    }
  }

  /** PnL since the first deposit; `undefined`: no rebalance opened one of the positions. */
  since(positions: readonly OpenPosition[]): { readonly rebalances: number; readonly pnl: Money } | undefined {
    const lineages = positions.map(({ key }) => this.#byKey.get(key));
    const rebalances = lineages.reduce((sum, lineage) => sum + (lineage?.rebalances ?? 0), 0);
    if (rebalances === 0) {
      return undefined;
    }
    const sum = (currency: keyof Money): number | undefined => {
      const total = positions.reduce(
        (all, { key, pnl }) =>
          all + (pnl[currency] ?? NaN) + (this.#byKey.has(key) ? (this.#byKey.get(key)?.earlierPnl[currency] ?? NaN) : 0),
        0,
      );
      return isKnown(total) ? total : undefined;
    };
    return { rebalances, pnl: { usd: sum('usd'), native: sum('native') } };
  }
}
