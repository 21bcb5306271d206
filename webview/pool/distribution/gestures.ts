import { wheelAction } from './keys';

/** What a pointer does on the plot. Places are pixels of the window, lengths CSS pixels. */
export interface GestureActions {
  /** The pointer is over this place; `undefined`: it has left. */
  readonly point: (clientX: number | undefined) => void;
  /** The plot is pulled along by so much. */
  readonly pan: (pixels: number) => void;
  readonly zoom: (factor: number, clientX: number) => void;
  /** It is held, or let go. */
  readonly hold: (isHeld: boolean) => void;
}

/** The pointer has to go so far before it pulls: a press that trembles stays a press. */
const SLACK = 3;

/** Listens to pointer and wheel on the plot, until it is given up. What an overlay has taken for itself is left to it. */
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
        // Only now: a press alone has to reach what is pressed.
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
