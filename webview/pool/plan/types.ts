import type { BinRange } from '../../../src/base/dlmm/bins';
import type { CounterRecord } from '../../../src/base/insight/replay';
import type { ForecastRecordView, Horizon, VolatilityView } from '../../../src/protocol/outlook';
import type { Plan, PlanFigures, PoolSaved, PoolView } from '../../../src/protocol/pool';
import type { Ambient, CurrencyView, Part } from '../../../src/protocol/schemas';

/** The text fields of a plan. */
export type FieldName = 'range' | 'fromBin' | 'toBin' | 'fromPrice' | 'toPrice' | 'percentX';

/** An unfinished plan: what is saved of it, and the text of fields that are invalid or being edited. */
export interface PlanDraft extends NonNullable<PoolSaved['plan']> {
  readonly texts?: Readonly<Partial<Record<FieldName, string>>> | undefined;
}

/** Input of the planning views, taken from the panel's state. */
export interface PlanState {
  readonly ambient: Ambient | undefined;
  readonly pool: PoolView;
  readonly figures: Part<PlanFigures>;
  readonly draft: PlanDraft;
  /** Prices are inverted: token X per token Y. */
  readonly isPriceSwapped: boolean;
  readonly volatility: Part<VolatilityView>;
  /** `undefined`: the service records nothing, or it is being loaded. */
  readonly counterRecord: CounterRecord | 'failed' | undefined;
  readonly ownForecasts: ForecastRecordView | undefined;
  readonly horizon: Horizon;
  readonly currency: CurrencyView;
  /** The wallet has an open position in the pool, and the service can add to it. */
  readonly canAdd: boolean;
}

export interface PlanActions {
  /** Replaces the draft. The panel shows it and saves it without its texts. */
  readonly change: (to: (now: PlanDraft) => PlanDraft) => void;
  /** Scrolls the chart to a range that is not wholly visible. */
  readonly show: (range: BinRange) => void;
  readonly chooseHorizon: (horizon: Horizon) => void;
  /** Reloads balance, rents and bin arrays. */
  readonly retry: () => void;
  readonly retryVolatility: () => void;
  /** Hands the plan over to the extension, which reviews it and asks for confirmation. */
  readonly goOn: (plan: Plan) => void;
  /** The same for adding the amount to an open position of the pool instead. */
  readonly addTo: (plan: Plan) => void;
  /** Ends planning; the draft is kept. */
  readonly leave: () => void;
  /** Announces a text to screen readers, politely. */
  readonly announce: (words: string) => void;
}

/** Geometry of the distribution chart. Lengths in the units of its `<svg>`. */
export interface OverlayFrame {
  /** The left edge of a bin, also outside the viewport. */
  readonly xOf: (binId: number) => number;
  readonly binWidth: number;
  /** The area in which bins are drawn. */
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** The bin at a window position (`PointerEvent.clientX`), also beyond the drawing. */
  readonly binAt: (clientX: number) => number;
  /** Scrolls the chart to a bin outside the viewport. */
  readonly reveal: (binId: number) => void;
}

export interface DistributionOverlay {
  readonly range: BinRange;
  /** Says what the outline is, and its scale. */
  readonly legend: string;
  /** An `<svg>` fragment drawn over the bins: shape, range and handles, which handle keys and pointers themselves. */
  readonly draw: (frame: OverlayFrame) => unknown;
  /** The plan's deposit in a bin, for the text about the bin under the pointer; `undefined`: none. */
  readonly wordsFor: (binId: number) => string | undefined;
}
