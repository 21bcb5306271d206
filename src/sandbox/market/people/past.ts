import type { Address } from '../../../solana/address';
import { collectGarbage } from '../../garbage';
import { ScenarioPlayer } from './chapters';
import { closedPositionScenarios } from './closedChapters';
import { openPositionScenarios } from './openChapters';
import { historySteps } from './pastSteps';
import type { Bank } from './payer';
import { PricePaths } from './pricePaths';
import type { LiquidityProviders } from './providers';

/** So often what the steps left behind is given back: each leaves more than it needs, and memory would grow by all of it. */
const STEPS_PER_COLLECTION = 500;

/** What a past is played with. */
export interface HistoryOptions extends Bank {
  /** New, and already living in the market. */
  readonly people: LiquidityProviders;
  /** Whose positions are opened and closed on the way. */
  readonly owner: Address;
}

/**
 * Plays a new market from its present up to when the sandbox was made, as it goes on afterwards: prices move, trades follow, and people
 * come and act by their habits. The owner has luck here and none there, see {@link openPositionScenarios}. Commits nothing.
 */
export function playHistory({ people, owner, ...bank }: HistoryOptions): void {
  const { market } = bank;
  const steps = historySteps(market.startedAt - market.now);
  const paths = PricePaths.ahead(market, steps);
  const narrator = new ScenarioPlayer(bank, owner, [...openPositionScenarios(market, paths), ...closedPositionScenarios(market, paths)]);
  people.arrive();
  // Who is there first does not wait for the first step: it has to find something to trade with.
  people.act();
  for (const [index, seconds] of steps.entries()) {
    market.step(seconds);
    narrator.play();
    if (index % STEPS_PER_COLLECTION === STEPS_PER_COLLECTION - 1) {
      collectGarbage();
    }
  }
}
