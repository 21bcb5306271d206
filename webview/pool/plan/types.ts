import type { BinRange } from '../../../src/base/dlmm/bins';
import type { Ambient } from '../../../src/protocol/ambient';
import type { Part } from '../../../src/protocol/parts';
import type { Plan, PlanFigures } from '../../../src/protocol/plan';
import type { PoolSaved, PoolView } from '../../../src/protocol/pool';

/** The fields of a plan that are typed into. */
export type FieldName = 'fromBin' | 'toBin' | 'fromPrice' | 'toPrice' | 'percentX';

/** As far as a plan has come: what the panel remembers of it, and what stands in fields that cannot be read, or are being typed into. */
export interface PlanDraft extends NonNullable<PoolSaved['plan']> {
  readonly texts?: Readonly<Partial<Record<FieldName, string>>> | undefined;
}

/** What planning is shown from. The panel's state has it all. */
export interface PlanState {
  readonly ambient: Ambient | undefined;
  readonly pool: PoolView;
  readonly figures: Part<PlanFigures>;
  readonly draft: PlanDraft;
  /** Prices are told the other way round: token X for one token Y. */
  readonly isPriceSwapped: boolean;
}

/** What planning does. */
export interface PlanActions {
  /** Another draft, made from the one that stands now; the panel keeps it, remembers it without its texts, and shows it. */
  readonly change: (to: (now: PlanDraft) => PlanDraft) => void;
  /** Brings a range into sight, where not all of it is. */
  readonly show: (range: BinRange) => void;
  /** Reads balance, rents and bin arrays anew. */
  readonly retry: () => void;
  /** Hands the plan over to the extension, which asks, reviews and confirms. */
  readonly goOn: (plan: Plan) => void;
  /** Back to looking at the pool; the draft stays. */
  readonly leave: () => void;
  /** Tells a screen reader, politely. */
  readonly announce: (words: string) => void;
}

/** Where things are in the drawing of the distribution. Lengths in the units of its `<svg>`. */
export interface OverlayFrame {
  /** The left edge of a bin, also of one that is out of sight. */
  readonly xOf: (binId: number) => number;
  readonly binWidth: number;
  /** The area in which bins are drawn. */
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** The bin under a point of the window (`PointerEvent.clientX`), also beyond the drawing. */
  readonly binAt: (clientX: number) => number;
  /** Brings a bin into sight, where it is not. */
  readonly reveal: (binId: number) => void;
}

/** What planning draws over the distribution. */
export interface DistributionOverlay {
  readonly range: BinRange;
  /** An `<svg>` fragment, to be drawn above the bins: shape, range, and the two handles, which take keys and pointers themselves. */
  readonly draw: (frame: OverlayFrame) => unknown;
  /** What the plan puts into a bin, for the words about the bin under the pointer; `undefined`: nothing. */
  readonly wordsFor: (binId: number) => string | undefined;
}
