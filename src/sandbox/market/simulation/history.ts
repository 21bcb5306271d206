import type { Address } from '../../../base/solana/address';
import { collectGarbage } from '../../storeStats';
import { DAY, HOUR, SECOND } from '../units';
import { closedPositionScenarios } from './closedPositionScenarios';
import { openPositionScenarios } from './openPositionScenarios';
import type { SimulationContext } from './payers';
import type { LiquidityProviders } from './providers';
import { PricePaths, ScenarioPlayer } from './scenario';

/** How much of a past there is before the first start, where nobody says otherwise. */
export const HISTORY_MS = 90 * DAY;

/** Steps get finer towards the present, so that the last minutes have volumes of their own. */
const STEPS = [
  { until: 30 * DAY, seconds: 7_200 },
  { until: 10 * DAY, seconds: 3_600 },
  { until: 8 * DAY, seconds: 1_800 },
  { until: DAY, seconds: 900 },
  { until: 1.5 * HOUR, seconds: 300 },
  { until: 0, seconds: 30 },
] as const;

/** The lengths of the steps in which a past of `spanMs` is played, seconds, oldest first. Together they are that long, to the second. */
export function historySteps(spanMs: number): number[] {
  const lengths: number[] = [];
  let left = spanMs;
  for (const { until, seconds } of STEPS) {
    for (; left > until && left >= SECOND; left -= (lengths.at(-1) ?? 0) * SECOND) {
      lengths.push(Math.min(seconds, Math.floor(left / SECOND)));
    }
  }
  return lengths;
}

/** So often what the steps left behind is given back: each leaves more than it needs, and memory would grow by all of it. */
const STEPS_PER_COLLECTION = 500;

/** What a past is played with. */
export interface HistoryOptions extends SimulationContext {
  /** New, and already living in the market. */
  readonly providers: LiquidityProviders;
  /** Whose positions are opened and closed on the way. */
  readonly owner: Address;
}

/**
 * Plays a new market from its present up to when the sandbox was made, as it goes on afterwards: prices move, trades follow, and providers
 * come and act by their habits. The owner has luck here and none there, see {@link openPositionScenarios}. Commits nothing.
 */
export function playHistory({ providers: providers, owner, ...context }: HistoryOptions): void {
  const { market } = context;
  const steps = historySteps(market.startedAt - market.now);
  const paths = PricePaths.ahead(market, steps);
  const player = new ScenarioPlayer(context, owner, [...openPositionScenarios(market, paths), ...closedPositionScenarios(market, paths)]);
  providers.addAll();
  // Who is there first does not wait for the first step: it has to find something to trade with.
  providers.act();
  for (const [index, seconds] of steps.entries()) {
    market.step(seconds);
    player.play();
    if (index % STEPS_PER_COLLECTION === STEPS_PER_COLLECTION - 1) {
      collectGarbage();
    }
  }
}
