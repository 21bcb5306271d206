import * as l10n from '@vscode/l10n';
import { svg, type TemplateResult } from 'lit-html';
import type { BinPlanEstimate } from './planModel';
import { limitsOf, type RangeHandle } from './range';
import type { OverlayFrame } from './types';

export interface HandleLabels {
  /** The bin at which the handle is. */
  readonly value: number;
  readonly label: string;
  readonly spoken: string;
}

export interface HandleActions {
  readonly move: (handle: RangeHandle, bin: number) => void;
  /** The current estimate, not the one that was drawn. */
  readonly current: () => BinPlanEstimate | undefined;
  readonly frame: () => OverlayFrame;
}

/** Minimum target size, CSS pixels (WCAG 2.5.8). */
const TOUCH = 24;
const KNOB_WIDTH = 10;
const KNOB_HEIGHT = 36;
/** Height of the bar that moves the whole range. It is above the bins, so they can still be panned. */
const BAR_HEIGHT = 12;
const PAGE = 10;

const names = (): Readonly<Record<RangeHandle, string>> => ({
  from: l10n.t('Lower bound'),
  to: l10n.t('Upper bound'),
  whole: l10n.t('Whole range'),
});

/** The handles of both bounds and the bar between them: each is a slider for pointer and keys. */
export function drawHandles(
  frame: OverlayFrame,
  bins: BinPlanEstimate,
  words: Readonly<Record<RangeHandle, HandleLabels>>,
  actions: HandleActions,
): TemplateResult<2> {
  const { range } = bins;
  const inside = (x: number): number => Math.min(Math.max(x, frame.left), frame.right);
  const from = inside(frame.xOf(range.fromBinId));
  const to = inside(frame.xOf(range.toBinId) + frame.binWidth);
  return svg`${rangeBar(frame, from, to, bins, words.whole, actions)}${boundHandle('from', frame, from, bins, words.from, actions)}${boundHandle('to', frame, to, bins, words.to, actions)}`;
}

function boundHandle(
  handle: 'from' | 'to',
  frame: OverlayFrame,
  x: number,
  bins: BinPlanEstimate,
  words: HandleLabels,
  actions: HandleActions,
): TemplateResult<2> {
  const middle = (frame.top + frame.bottom) / 2;
  // Each target extends outwards, so both can be grabbed even if the range is one bin.
  const isLeft = handle === 'from';
  const isSeen = isLeft ? frame.xOf(words.value) >= frame.left : frame.xOf(words.value) + frame.binWidth <= frame.right;
  const touch = Math.min(Math.max(isLeft ? x - TOUCH + 4 : x - 4, frame.left - TOUCH / 2), frame.right - TOUCH / 2);
  const { least, most } = limitsOf(bins.range, handle, bins.binStepBps);
  return svg`<g
    class="plan-grip plan-end ${isSeen ? '' : 'beyond'}"
    tabindex="0" role="slider" aria-orientation="horizontal" aria-label=${names()[handle]}
    aria-valuemin=${least} aria-valuemax=${most} aria-valuenow=${words.value} aria-valuetext=${words.spoken}
    data-grip=${handle}
    @keydown=${(event: KeyboardEvent) => onKeyDown(event, handle, actions)}
    @pointerdown=${(event: PointerEvent) => startDrag(event, handle, isSeen, actions)}
    @focus=${() => actions.frame().reveal(words.value)}
  >
    <rect class="plan-touch" x=${touch} y=${frame.top} width=${TOUCH} height=${frame.bottom - frame.top} />
    <line class="plan-edge" x1=${x} x2=${x} y1=${frame.top} y2=${frame.bottom} />
    <rect class="plan-knob" x=${x - KNOB_WIDTH / 2} y=${middle - KNOB_HEIGHT / 2} width=${KNOB_WIDTH} height=${KNOB_HEIGHT} rx="3" />
    <path class="plan-ridges" d=${`M${x - 1.5} ${middle - 6}v12M${x + 1.5} ${middle - 6}v12`} />
    <text class="plan-label" x=${isLeft ? x - 4 : x + 4} y=${frame.top + BAR_HEIGHT + 12} text-anchor=${anchorOf(isLeft, x, frame)}>${isSeen ? words.label : `${isLeft ? '◂ ' : ''}${words.label}${isLeft ? '' : ' ▸'}`}</text>
  </g>`;
}

function rangeBar(
  frame: OverlayFrame,
  from: number,
  to: number,
  bins: BinPlanEstimate,
  words: HandleLabels,
  actions: HandleActions,
): TemplateResult<2> {
  const { least, most } = limitsOf(bins.range, 'whole', bins.binStepBps);
  const width = Math.max(to - from, TOUCH);
  const x = (from + to - width) / 2;
  return svg`<g
    class="plan-grip plan-bar"
    tabindex="0" role="slider" aria-orientation="horizontal" aria-label=${names().whole}
    aria-valuemin=${least} aria-valuemax=${most} aria-valuenow=${words.value} aria-valuetext=${words.spoken}
    data-grip="whole"
    @keydown=${(event: KeyboardEvent) => onKeyDown(event, 'whole', actions)}
    @pointerdown=${(event: PointerEvent) => startDrag(event, 'whole', true, actions)}
  >
    <rect class="plan-touch" x=${x} y=${frame.top - (TOUCH - BAR_HEIGHT) / 2} width=${width} height=${TOUCH} />
    <rect class="plan-strip" x=${x} y=${frame.top} width=${width} height=${BAR_HEIGHT} />
    <path class="plan-ridges" d=${`M${(from + to) / 2 - 8} ${frame.top + BAR_HEIGHT / 2 - 1.5}h16m-16 3h16`} />
  </g>`;
}

/** Labels extend outwards, unless they would leave the drawing. */
function anchorOf(isLeft: boolean, x: number, { left, right }: OverlayFrame): 'start' | 'end' {
  const ROOM = 56;
  return isLeft ? (x - left < ROOM ? 'start' : 'end') : right - x < ROOM ? 'end' : 'start';
}

/** The keys of a WAI-ARIA slider. Home and End move a bound as far as possible. */
function onKeyDown(event: KeyboardEvent, handle: RangeHandle, { move, current }: HandleActions): void {
  const bins = current();
  if (bins === undefined || event.altKey || event.ctrlKey || event.metaKey) {
    return;
  }
  const at = handle === 'to' ? bins.range.toBinId : bins.range.fromBinId;
  const { least, most } = limitsOf(bins.range, handle, bins.binStepBps);
  const step = event.shiftKey ? PAGE : 1;
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: at - step,
    ArrowDown: at - step,
    ArrowRight: at + step,
    ArrowUp: at + step,
    PageDown: at - PAGE,
    PageUp: at + PAGE,
    Home: least,
    End: most,
  };
  const target = targets[event.key];
  if (target !== undefined) {
    event.preventDefault();
    event.stopPropagation();
    move(handle, target);
  }
}

/** Starts to drag a handle: it follows the pointer from bin to bin until released. A handle outside the viewport jumps to the pointer. */
function startDrag(event: PointerEvent, handle: RangeHandle, isSeen: boolean, { move, current, frame }: HandleActions): void {
  const bins = current();
  const element = event.currentTarget;
  if (bins === undefined || event.button !== 0 || !(element instanceof SVGElement)) {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
  element.focus({ preventScroll: true });
  element.setPointerCapture(event.pointerId);
  const at = handle === 'to' ? bins.range.toBinId : bins.range.fromBinId;
  const offset = isSeen ? at - frame().binAt(event.clientX) : 0;
  const follow = ({ clientX }: PointerEvent): void => move(handle, frame().binAt(clientX) + offset);
  const ending = new AbortController();
  const { signal } = ending;
  element.addEventListener('pointermove', follow, { signal });
  for (const end of ['pointerup', 'pointercancel', 'lostpointercapture'] as const) {
    element.addEventListener(end, () => ending.abort(), { signal });
  }
}
