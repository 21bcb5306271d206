import { wheelAction } from './keys';

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
