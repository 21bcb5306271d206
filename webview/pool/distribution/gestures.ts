/** The effect of a key on the chart. `by` is in bins; a `factor` below 1 shows fewer bins. */
type KeyAction =
  | { readonly kind: 'move'; readonly by: number }
  | { readonly kind: 'go'; readonly to: 'first' | 'last' | 'active' }
  | { readonly kind: 'zoom'; readonly factor: number };

/** The relevant part of a `KeyboardEvent`. */
interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** The relevant part of a `WheelEvent`. */
interface WheelTurn {
  readonly deltaX: number;
  readonly deltaY: number;
  /** 0: pixels; else lines or pages. */
  readonly deltaMode: number;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
}

type WheelAction = { readonly kind: 'pan'; readonly pixels: number } | { readonly kind: 'zoom'; readonly factor: number };

/** Zoom factor of one button or key press. */
export const ZOOM_STEP = 1.5;
const PAGE_BINS = 10;

/** Maps a key: arrows and Page Up/Down move the cursor, Home and End go to the ends, 0 to the active bin, + and − zoom. */
export function keyAction({ key, ctrlKey, metaKey, altKey }: KeyPress): KeyAction | undefined {
  // Key combinations belong to the editor and to the screen reader.
  if (ctrlKey || metaKey || altKey) {
    return undefined;
  }
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return { kind: 'move', by: 1 };
    case 'ArrowLeft':
    case 'ArrowDown':
      return { kind: 'move', by: -1 };
    case 'PageUp':
      return { kind: 'move', by: PAGE_BINS };
    case 'PageDown':
      return { kind: 'move', by: -PAGE_BINS };
    case 'Home':
      return { kind: 'go', to: 'first' };
    case 'End':
      return { kind: 'go', to: 'last' };
    case '0':
      return { kind: 'go', to: 'active' };
    case '+':
    case '=':
      return { kind: 'zoom', factor: 1 / ZOOM_STEP };
    case '-':
    case '_':
      return { kind: 'zoom', factor: ZOOM_STEP };
    default:
      return undefined;
  }
}

/** Maps the wheel: sideways (or with Shift) pans, with Ctrl (also how a pinch arrives) zooms; else the page scrolls. */
export function wheelAction({ deltaX, deltaY, deltaMode, ctrlKey, metaKey, shiftKey }: WheelTurn): WheelAction | undefined {
  const unit = deltaMode === 0 ? 1 : 20;
  if (ctrlKey || metaKey) {
    return { kind: 'zoom', factor: Math.exp(Math.max(Math.min(deltaY * unit, 200), -200) / 300) };
  }
  const pixels = (Math.abs(deltaX) > Math.abs(deltaY) ? deltaX : shiftKey ? deltaY : 0) * unit;
  return pixels === 0 ? undefined : { kind: 'pan', pixels };
}

/** Pointer actions on the plot. Positions are relative to the window, in CSS pixels. */
export interface GestureActions {
  /** The pointer is at this position; `undefined`: it has left. */
  readonly point: (clientX: number | undefined) => void;
  readonly pan: (pixels: number) => void;
  readonly zoom: (factor: number, clientX: number) => void;
  /** Dragging starts or ends. */
  readonly hold: (isHeld: boolean) => void;
}

/** The pointer must move this far, CSS pixels, before a press becomes a drag. */
const SLACK = 3;

/** Listens to pointer and wheel on the plot until `signal` aborts. Events that an overlay has already handled are ignored. */
export function listenToGestures(plot: HTMLElement, { point, pan, zoom, hold }: GestureActions, signal: AbortSignal): void {
  let held: { readonly pointerId: number; readonly from: number; last: number; isPulling: boolean } | undefined;

  plot.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button === 0 && event.isPrimary && !event.defaultPrevented) {
        held = { pointerId: event.pointerId, from: event.clientX, last: event.clientX, isPulling: false };
        point(event.clientX);
      }
    },
    { signal },
  );
  plot.addEventListener(
    'pointermove',
    (event) => {
      if (held?.pointerId !== event.pointerId) {
        point(event.clientX);
        return;
      }
      if (!held.isPulling && Math.abs(event.clientX - held.from) >= SLACK) {
        held.isPulling = true;
        // Only now: a plain press must reach the element under it.
        plot.setPointerCapture(event.pointerId);
        hold(true);
      }
      if (held.isPulling) {
        pan(held.last - event.clientX);
        held.last = event.clientX;
      }
      point(event.clientX);
    },
    { signal },
  );
  const letGo = ({ pointerId }: PointerEvent): void => {
    if (held?.pointerId === pointerId) {
      held = undefined;
      hold(false);
    }
  };
  plot.addEventListener('pointerup', letGo, { signal });
  plot.addEventListener('pointercancel', letGo, { signal });
  plot.addEventListener('pointerleave', () => point(undefined), { signal });
  plot.addEventListener(
    'wheel',
    (event) => {
      const action = wheelAction(event);
      if (action === undefined) {
        return;
      }
      event.preventDefault();
      if (action.kind === 'zoom') {
        zoom(action.factor, event.clientX);
      } else {
        pan(action.pixels);
        point(event.clientX);
      }
    },
    { signal, passive: false },
  );
}
