import { nothing, svg, type TemplateResult } from 'lit-html';
import type { OverlayFrame, DistributionOverlay } from '../plan/types';
import { pathOf, type Bar, type BinScale, type Plot } from './bars';
import { MOST_LANES, visiblePart, type LaneRange } from './model';
import type { Viewport } from './viewport';

/** Height of the row above the bars that labels the active bin, CSS pixels. */
const ACTIVE_ROW = 20;
/** Height of the row for one of the wallet's ranges above that, and of its band. */
const LANE_ROW = 20;
const LANE_HEIGHT = 16;
/** Height of the axis below the bars, pixels. */
export const AXIS_ROW = 36;
/** Minimum width of a lane that has a label, and the average width of a character, CSS pixels. */
const LANE_TEXT_FROM = 64;
const CHARACTER = 6.6;
/** The longest label that fits beside the bars, characters. */
const LONGEST_LEVEL = 7;

/** Input of the drawing. Lengths in CSS pixels. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly plot: Plot;
  readonly viewport: Viewport;
  readonly scale: BinScale;
  /** `undefined`: painted on the canvas behind. */
  readonly bars: readonly Bar[] | undefined;
  readonly activeBinId: number | undefined;
  readonly activeLabel: string;
  readonly own: readonly LaneRange[];
  readonly ownLabel: (range: LaneRange) => string;
  readonly ticks: readonly { readonly binId: number; readonly price: string; readonly bin: string }[];
  /** Horizontal lines with their values. */
  readonly levels: readonly { readonly y: number; readonly label: string }[];
  /** The bin under the pointer or the keyboard cursor. */
  readonly cursor: number | undefined;
  readonly overlay: DistributionOverlay | undefined;
  readonly overlayFrame: OverlayFrame;
  readonly openOwn: (range: LaneRange) => void;
}

/** Height of the rows above the bars. */
export function topOf(own: readonly LaneRange[]): number {
  const lanes = Math.min(Math.max(0, ...own.map(({ lane }) => lane + 1)), MOST_LANES);
  return ACTIVE_ROW + lanes * LANE_ROW + 4;
}

/** The distribution as SVG. Hidden from screen readers: the summary, slider and table beside it say the same. */
export function drawChart(drawing: Drawing): TemplateResult<2> {
  const { width, plot, scale, viewport, cursor, overlay, overlayFrame } = drawing;
  return svg`
    <defs>
      <pattern id="hatch-x" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hatch-line" width="2.5" height="6" /></pattern>
      <clipPath id="plot-clip"><rect x=${plot.left} y="0" width=${Math.max(width, 0)} height=${plot.bottom} /></clipPath>
    </defs>
    <g aria-hidden="true">
      ${drawing.levels.map(({ y }) => svg`<line class="bin-level" x1=${plot.left} x2=${plot.right} y1=${y} y2=${y} />`)}
      <g clip-path="url(#plot-clip)">
        ${drawing.own.map((range) => ownBand(range, drawing))}
        ${drawing.bars === undefined ? nothing : bars(drawing.bars, scale.binWidth)}
        ${activeBin(drawing)}
      </g>
      ${drawing.levels.map(({ y, label }) => levelLabel(label, y, plot))}
      ${axis(drawing)}
      <g clip-path="url(#plot-clip)">
        ${drawing.own.map((range) => ownLane(range, drawing))}
        ${cursor === undefined || cursor + 1 <= viewport.from || cursor >= viewport.to ? nothing : svg`<rect class="bin-cursor" x=${scale.xOf(cursor)} y=${plot.top} width=${Math.max(scale.binWidth, 1)} height=${plot.bottom - plot.top} />`}
      </g>
      ${activeLabel(drawing)}
    </g>
    ${overlay === undefined ? nothing : svg`<g class="distribution-overlay">${overlay.draw(overlayFrame)}</g>`}`;
}

/** Beside the bars, in the margin that distribution.css leaves; a label that is too long for it is over them. */
function levelLabel(label: string, y: number, { left }: Plot): TemplateResult<2> {
  return label.length > LONGEST_LEVEL
    ? svg`<text class="bin-level-label" x=${left + 4} y=${y - 4}>${label}</text>`
    : svg`<text class="bin-level-label is-beside" x=${left - 6} y=${y + 4} text-anchor="end">${label}</text>`;
}

function bars(all: readonly Bar[], binWidth: number): TemplateResult<2> {
  const ofX = pathOf(all, 'x');
  return svg`<path class="bars-y" d=${pathOf(all, 'y')} /><path class="bars-x" d=${ofX} /><path class="bars-x-hatch ${binWidth >= 6 ? 'outlined' : ''}" d=${ofX} />`;
}

function activeBin({ activeBinId, scale, plot }: Drawing): Drawn {
  if (activeBinId === undefined) {
    return nothing;
  }
  const width = Math.max(scale.binWidth, 3);
  const x = scale.xOf(activeBinId) + (scale.binWidth - width) / 2;
  const middle = x + width / 2;
  return svg`<line class="active-stem" x1=${middle} x2=${middle} y1="18" y2=${plot.top - 3} /><rect class="active-bin" x=${x} y=${plot.top - 3} width=${width} height=${plot.bottom - plot.top + 3} />`;
}

/** Label of the active bin; at the edge, with an arrow, if the bin is outside the viewport. */
function activeLabel({ activeBinId, activeLabel: label, scale, plot }: Drawing): Drawn {
  if (activeBinId === undefined) {
    return nothing;
  }
  const x = scale.xOf(activeBinId) + scale.binWidth / 2;
  const half = (label.length * CHARACTER) / 2;
  if (x < plot.left || x > plot.right) {
    const isLeft = x < plot.left;
    return svg`<text class="active-label" x=${isLeft ? plot.left + 2 : plot.right - 2} y="14" text-anchor=${isLeft ? 'start' : 'end'}>${isLeft ? `◂ ${label}` : `${label} ▸`}</text>`;
  }
  // The drawn width is an estimate: near an end the label is anchored there, so it is not clipped.
  const anchor = x - plot.left < half ? 'start' : plot.right - x < half ? 'end' : 'middle';
  return svg`<text class="active-label" x=${anchor === 'start' ? plot.left : anchor === 'end' ? plot.right : x} y="14" text-anchor=${anchor}>${label}</text>`;
}

function ownBand(range: LaneRange, { viewport, scale, plot }: Drawing): Drawn {
  const part = visiblePart(range, viewport);
  if (part === undefined) {
    return nothing;
  }
  const [x, end] = [scale.xOf(part.from), scale.xOf(part.to)];
  return svg`<g>
    <rect class="own-band" x=${x} y=${plot.top} width=${end - x} height=${plot.bottom - plot.top} />
    <path class="own-edge" d=${`M${scale.xOf(range.fromBinId)} ${laneTop(range)}V${plot.bottom}M${scale.xOf(range.toBinId + 1)} ${laneTop(range)}V${plot.bottom}`} />
  </g>`;
}

function ownLane(range: LaneRange, { viewport, scale, ownLabel, openOwn }: Drawing): Drawn {
  const part = visiblePart(range, viewport);
  if (part === undefined) {
    return nothing;
  }
  const [x, end] = [scale.xOf(part.from), scale.xOf(part.to)];
  const room = Math.floor((end - x - 12) / CHARACTER);
  const label = ownLabel(range);
  return svg`<g class="own-lane" @click=${() => openOwn(range)}>
    <title>${label}</title>
    <rect x=${x + 0.5} y=${laneTop(range)} width=${Math.max(end - x - 1, 2)} height=${LANE_HEIGHT} rx="3" />
    ${end - x < LANE_TEXT_FROM ? nothing : svg`<text x=${x + 6} y=${laneTop(range) + 12}>${label.length <= room ? label : `${label.slice(0, Math.max(room - 1, 1))}…`}</text>`}
  </g>`;
}

function laneTop({ lane }: LaneRange): number {
  return ACTIVE_ROW + lane * LANE_ROW;
}

function axis({ plot, scale, ticks }: Drawing): TemplateResult<2> {
  return svg`<line class="bin-axis" x1=${plot.left} x2=${plot.right} y1=${plot.bottom + 0.5} y2=${plot.bottom + 0.5} />
    ${ticks.map(({ binId, price, bin }) => {
      const x = scale.xOf(binId) + scale.binWidth / 2;
      const anchor = x - plot.left < 30 ? 'start' : plot.right - x < 30 ? 'end' : 'middle';
      return svg`<line class="bin-axis" x1=${x} x2=${x} y1=${plot.bottom} y2=${plot.bottom + 4} />
        <text class="bin-price" x=${anchor === 'start' ? plot.left : anchor === 'end' ? plot.right : x} y=${plot.bottom + 17} text-anchor=${anchor}>${price}</text>
        <text class="bin-number" x=${anchor === 'start' ? plot.left : anchor === 'end' ? plot.right : x} y=${plot.bottom + 31} text-anchor=${anchor}>${bin}</text>`;
    })}`;
}

type Drawn = TemplateResult<2> | typeof nothing;
