import type { Address } from '../../../base/solana/address';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../base/time';
import { collectGarbage } from '../../heap';
import { closedPositionScenarios } from './closedPositionScenarios';
import { openPositionScenarios } from './openPositionScenarios';
import type { SimulationContext } from './payers';
import type { LiquidityProviders } from './providers';
import { PricePaths, ScenarioPlayer } from './scenario';

/** Default length of the past before the first start. */
export const HISTORY_MS = 90 * DAY_MS;

/** Step lengths by age. Steps get finer towards the present, so that volumes of the last minutes are accurate. */
const STEPS = [
  { until: 30 * DAY_MS, seconds: 7_200 },
  { until: 10 * DAY_MS, seconds: 3_600 },
  { until: 8 * DAY_MS, seconds: 1_800 },
  { until: DAY_MS, seconds: 900 },
  { until: 1.5 * HOUR_MS, seconds: 300 },
  { until: 0, seconds: 30 },
] as const;

/** Divides a past of `spanMs` into steps, seconds, oldest first. Their sum is `spanMs`, to the second. */
export function historySteps(spanMs: number): number[] {
  const lengths: number[] = [];
  let left = spanMs;
  for (const { until, seconds } of STEPS) {
    for (; left > until && left >= SECOND_MS; left -= (lengths.at(-1) ?? 0) * SECOND_MS) {
      lengths.push(Math.min(seconds, Math.floor(left / SECOND_MS)));
    }
  }
  return lengths;
}

/** Steps between garbage collections; without them, the heap grows by the garbage of all steps. */
const STEPS_PER_COLLECTION = 500;

/** Options of {@link playHistory}. */
export interface HistoryOptions extends SimulationContext {
  /** New, and already added to the market. */
  readonly providers: LiquidityProviders;
  /** The wallet whose positions are opened and closed on the way. */
  readonly owner: Address;
}

/**
 * Plays a new market up to the start of the sandbox, by the same rules as afterwards. The owner's positions follow
 * scenarios with gains and losses, see {@link openPositionScenarios}. Commits nothing.
 */
export function playHistory({ providers, owner, ...context }: HistoryOptions): void {
  const { market } = context;
  const steps = historySteps(market.startedAt - market.now);
  const paths = PricePaths.ahead(market, steps);
  const player = new ScenarioPlayer(context, owner, [...openPositionScenarios(market, paths), ...closedPositionScenarios(market, paths)]);
  providers.addAll();
  // The first providers act before the first step, which needs liquidity to trade with.
  providers.act();
  for (const [index, seconds] of steps.entries()) {
    market.step(seconds);
    player.play();
    if (index % STEPS_PER_COLLECTION === STEPS_PER_COLLECTION - 1) {
      collectGarbage();
    }
  }
}
