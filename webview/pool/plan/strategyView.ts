import { html, svg, type TemplateResult } from 'lit-html';
import { STRATEGIES, type Strategy } from '../../../src/dlmm/strategy';
import type { BinPlanEstimate } from './planModel';
import type { PlanActions } from './types';

interface StrategyWords {
  readonly short: string;
  readonly long: string;
  /** Heights of the bars of its picture, 0 to 1. */
  readonly picture: readonly number[];
}

const WORDS: Readonly<Record<Strategy, StrategyWords>> = {
  Spot: { short: 'the same in every bin', long: 'Earns the same wherever the price moves within the range.', picture: [0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6] },
  Curve: { short: 'most around the price', long: 'Earns more while the price stays near, less when it moves away. For calm pairs.', picture: [0.25, 0.5, 0.75, 1, 0.75, 0.5, 0.25] },
  BidAsk: { short: 'most at the ends', long: 'Earns more when the price swings far, less where it is now. For wild pairs.', picture: [1, 0.75, 0.5, 0.25, 0.5, 0.75, 1] },
};

const BAR = 5;
const HEIGHT = 20;

/** How the liquidity is spread over the range: three, each with its picture. */
export function strategyView({ strategy }: BinPlanEstimate, { change }: PlanActions): TemplateResult<1> {
  return html`<fieldset class="plan-section plan-strategies">
    <legend><h3>Strategy</h3></legend>
    <div class="plan-cards">
      ${STRATEGIES.map(
        (one) => html`<label class="plan-card" title=${WORDS[one].long}>
          <input type="radio" name="plan-strategy" value=${one} .checked=${one === strategy} @change=${() => change((now) => ({ ...now, strategy: one }))} />
          <svg class="plan-picture" aria-hidden="true" viewBox="0 0 ${BAR * 7} ${HEIGHT}" width=${BAR * 7} height=${HEIGHT}>${bars(WORDS[one].picture)}</svg>
          <span class="plan-card-words"><strong>${one}</strong><span class="soft">${WORDS[one].short}</span></span>
        </label>`,
      )}
    </div>
    <p class="soft">${WORDS[strategy].long}</p>
  </fieldset>`;
}

function bars(heights: readonly number[]): readonly TemplateResult<2>[] {
  return heights.map((height, index) => svg`<rect x=${index * BAR + 0.5} y=${HEIGHT * (1 - height)} width=${BAR - 1} height=${HEIGHT * height} />`);
}
