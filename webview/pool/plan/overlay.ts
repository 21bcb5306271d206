import * as l10n from '@vscode/l10n';
import { nothing, svg, type TemplateResult } from 'lit-html';
import { lamportsAsSol } from '../../../src/base/format/money';
import { isKnown } from '../../../src/base/format/numbers';
import { percent, signedPercent } from '../../../src/base/format/percent';
import { binId, binRange } from '../../../src/base/format/identifiers';
import { price } from '../../../src/base/format/amounts';
import { withRange } from './draft';
import { drawHandles, type HandleLabels } from './handles';
import { priceOf } from './parseInput';
import { type BinPlanEstimate, estimatePlan, type PlanEstimate } from './planModel';
import { moved, type RangeHandle } from './range';
import { outlineOf, type ShapeBin, shapeOf } from './shape';
import type { DistributionOverlay, OverlayFrame, PlanActions, PlanState } from './types';

/** Draws a plan over the distribution and lets the user move its range. Create once per panel. */
export class PlanOverlay {
  readonly #actions: PlanActions;
  #state: PlanState | undefined;
  #frame: OverlayFrame | undefined;
  #shape: { readonly key: string; readonly bins: readonly ShapeBin[] } = { key: '', bins: [] };

  constructor(actions: PlanActions) {
    this.#actions = actions;
  }

  /** The overlay for this state; `undefined` if the pool has no bins or its active bin is not reported. */
  show(state: PlanState): DistributionOverlay | undefined {
    this.#state = state;
    const estimate = estimatePlan(state);
    const { bins } = estimate;
    if (bins === undefined) {
      return undefined;
    }
    const shape = this.#shapeOf(bins, estimate.percentX);
    const locale = state.ambient?.locale ?? 'en-US';
    return {
      range: bins.range,
      draw: (frame) => {
        this.#frame = frame;
        return this.#drawn(frame, bins, shape, state, locale);
      },
      wordsFor: (bin) => wordsOf(bin, shape, estimate, state, locale),
    };
  }

  #drawn(frame: OverlayFrame, bins: BinPlanEstimate, shape: readonly ShapeBin[], { pool }: PlanState, locale: string): TemplateResult<2> {
    const { range } = bins;
    const from = frame.xOf(range.fromBinId);
    const to = frame.xOf(range.toBinId) + frame.binWidth;
    const [left, right] = [Math.max(from, frame.left), Math.min(to, frame.right)];
    const height = frame.bottom - frame.top;
    return svg`<g class="plan-overlay">
      ${right > left ? svg`<rect class="plan-range" x=${left} y=${frame.top} width=${right - left} height=${height} />` : nothing}
      <path class="plan-shape plan-shape-x" d=${outlineOf(shape, true, frame)}><title>${l10n.t`Your plan, ${pool.x.symbol} (not to scale)`}</title></path>
      <path class="plan-shape plan-shape-y" d=${outlineOf(shape, false, frame)}><title>${l10n.t`Your plan, ${pool.y.symbol} (not to scale)`}</title></path>
      ${drawHandles(frame, bins, handleLabels(bins, pool.x.symbol, pool.y.symbol, locale), {
        move: (handle, bin) => this.#move(handle, bin),
        current: () => this.#current(),
        frame: () => this.#frame ?? frame,
      })}
    </g>`;
  }

  #current(): BinPlanEstimate | undefined {
    return this.#state === undefined ? undefined : estimatePlan(this.#state).bins;
  }

  #move(handle: RangeHandle, bin: number): void {
    const bins = this.#current();
    if (this.#state === undefined || bins === undefined) {
      return;
    }
    const range = moved(bins.range, handle, bin, bins.binStepBps);
    if (range.fromBinId !== bins.range.fromBinId || range.toBinId !== bins.range.toBinId) {
      // Updated at once: the next key may come before this change is rendered.
      this.#state = { ...this.#state, draft: withRange(this.#state.draft, range) };
      this.#actions.change((now) => withRange(now, range));
      this.#frame?.reveal(handle === 'to' ? range.toBinId : range.fromBinId);
    }
  }

  /** Cached: recomputed only if the plan's shape changes, not when figures arrive. */
  #shapeOf({ range, activeBinId, binStepBps, strategy }: BinPlanEstimate, percentX: number): readonly ShapeBin[] {
    if (binStepBps === undefined) {
      return [];
    }
    const of = { ...range, activeBinId, binStepBps, strategy, percentX };
    const key = JSON.stringify(of);
    if (key !== this.#shape.key) {
      this.#shape = { key, bins: shapeOf(of) };
    }
    return this.#shape.bins;
  }
}

function wordsOf(
  bin: number,
  shape: readonly ShapeBin[],
  { amountLamports }: PlanEstimate,
  { pool }: PlanState,
  locale: string,
): string | undefined {
  const first = shape[0]?.binId;
  const found = first === undefined ? undefined : shape[bin - first];
  if (found?.binId !== bin || found.share === 0) {
    return undefined;
  }
  const symbol = found.isX ? pool.x.symbol : pool.y.symbol;
  const share = percent(100 * found.share, locale);
  return amountLamports === undefined
    ? l10n.t`Your plan: ${share} of the deposit, as ${symbol}`
    : l10n.t`Your plan: about ${lamportsAsSol(BigInt(Math.round(Number(amountLamports) * found.share)), locale)}, ${share} of the deposit, as ${symbol}`;
}

function handleLabels(
  { range, edges, scale }: BinPlanEstimate,
  symbolX: string,
  symbolY: string,
  locale: string,
): Readonly<Record<RangeHandle, HandleLabels>> {
  const unit = scale?.isSwapped === true ? l10n.t`${symbolX} per ${symbolY}` : l10n.t`${symbolY} per ${symbolX}`;
  const end = (bin: number, distance: number | undefined): HandleLabels => {
    const away = isKnown(distance) ? signedPercent(distance, locale) : undefined;
    const at = scale === undefined ? undefined : `${price(priceOf(bin, scale), locale)} ${unit}`;
    return {
      value: bin,
      label: away ?? binId(bin, locale),
      spoken: [l10n.t`bin ${binId(bin, locale)}`, at, away === undefined ? undefined : l10n.t`${away} from the price`]
        .filter((part) => part !== undefined)
        .join(', '),
    };
  };
  return {
    from: end(range.fromBinId, edges?.lowerPercent),
    to: end(range.toBinId, edges?.upperPercent),
    whole: { value: range.fromBinId, label: '', spoken: binRange(range.fromBinId, range.toBinId, locale) },
  };
}
