import * as l10n from '@vscode/l10n';
import { nothing, svg, type TemplateResult } from 'lit-html';
import { lamportsAsSol, sol } from '../../../src/base/format/money';
import { isKnown } from '../../../src/base/format/numbers';
import { percent, signedPercent } from '../../../src/base/format/percent';
import { binId, binRange } from '../../../src/base/format/identifiers';
import { price } from '../../../src/base/format/amounts';
import { withRange } from './draft';
import { drawHandles, type HandleLabels } from './handles';
import { priceOf } from './parseInput';
import { type BinPlanEstimate, estimatePlan, type PlanEstimate } from './planModel';
import { moved, type RangeHandle } from './range';
import { outlineOf, outlineTop, type ShapeBin, shapeOf } from './shape';
import type { DistributionOverlay, OverlayFrame, PlanActions, PlanState } from './types';

const LAMPORTS_PER_SOL = 1e9;

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
    const most = shape.reduce((greatest, { share }) => Math.max(greatest, share), 0);
    const highest = most === 0 ? undefined : binAmount(most, estimate, locale);
    return {
      range: bins.range,
      legend: l10n.t('Your plan (not to scale)'),
      draw: (frame) => {
        this.#frame = frame;
        return this.#drawn(frame, bins, shape, highest, state, locale);
      },
      wordsFor: (bin) => wordsOf(bin, shape, estimate, state, locale),
    };
  }

  #drawn(
    frame: OverlayFrame,
    bins: BinPlanEstimate,
    shape: readonly ShapeBin[],
    highest: string | undefined,
    { pool }: PlanState,
    locale: string,
  ): TemplateResult<2> {
    const { range } = bins;
    const from = frame.xOf(range.fromBinId);
    const to = frame.xOf(range.toBinId) + frame.binWidth;
    const [left, right] = [Math.max(from, frame.left), Math.min(to, frame.right)];
    const height = frame.bottom - frame.top;
    return svg`<g class="plan-overlay">
      ${right > left ? svg`<rect class="plan-range" x=${left} y=${frame.top} width=${right - left} height=${height} />` : nothing}
      <path class="plan-shape plan-shape-x" d=${outlineOf(shape, true, frame)}><title>${pool.x.symbol}</title></path>
      <path class="plan-shape plan-shape-y" d=${outlineOf(shape, false, frame)}><title>${pool.y.symbol}</title></path>
      ${highest === undefined ? nothing : scaleMark(highest, frame)}
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

/** The value of the outline's highest bin, at its height on the right. */
function scaleMark(highest: string, { right, top, bottom }: OverlayFrame): TemplateResult<2> {
  const y = outlineTop({ top, bottom });
  return svg`<line class="plan-scale" x1=${right - 10} x2=${right} y1=${y} y2=${y} /><text class="plan-label" x=${right - 4} y=${y - 4} text-anchor="end">${highest}</text>`;
}

/** A share of the deposit: in SOL if the amount is known, else in percent. */
function binAmount(share: number, { amountLamports }: PlanEstimate, locale: string): string {
  return amountLamports === undefined
    ? percent(100 * share, locale)
    : `≈ ${sol((Number(amountLamports) * share) / LAMPORTS_PER_SOL, locale)}`;
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
  const amount =
    amountLamports === undefined ? [] : [`≈ ${lamportsAsSol(BigInt(Math.round(Number(amountLamports) * found.share)), locale)}`];
  return l10n.t`Your plan: ${[symbol, ...amount, share].join(' · ')}`;
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
    from: end(range.fromBinId, edges?.fromPercent),
    to: end(range.toBinId, edges?.toPercent),
    whole: { value: range.fromBinId, label: '', spoken: binRange(range.fromBinId, range.toBinId, locale) },
  };
}
