import type { Ambient } from '../../src/protocol/ambient';
import { LOADING, type Part } from '../../src/protocol/parts';
import type { PositionEvent, PositionToHost, PositionToPanel, PositionView } from '../../src/protocol/position';
import type { CurrencyView } from '../../src/protocol/schemas';
import { figuresOf, type Figures } from '../shared/figures';

/** What the position panel knows and shows. */
export interface PositionState {
  readonly ambient: Ambient | undefined;
  readonly figures: Figures;
  readonly position: Part<PositionView>;
  /** It is not listed any more. */
  readonly gone: boolean;
  readonly events: Part<readonly PositionEvent[]>;
  /** The user's own choice; goes before the setting. */
  readonly currency: CurrencyView | undefined;
  readonly allEvents: boolean;
  readonly nowMs: number;
}

/** What can be done in it. */
export interface PositionActions {
  readonly post: (message: PositionToHost) => void;
  readonly chooseCurrency: (currency: CurrencyView) => void;
  readonly showAllEvents: () => void;
}

/** Before anything was told. */
export function initialState(nowMs: number): PositionState {
  return {
    ambient: undefined,
    figures: figuresOf('en-US'),
    position: LOADING,
    gone: false,
    events: LOADING,
    currency: undefined,
    allEvents: false,
    nowMs,
  };
}

/** In which currency figures are shown. */
export function currencyOf({ currency, ambient }: Pick<PositionState, 'currency' | 'ambient'>): CurrencyView {
  return currency ?? ambient?.currency ?? 'usd';
}

/** What a message changes. */
export function received(state: PositionState, message: PositionToPanel): Partial<PositionState> {
  switch (message.kind) {
    case 'ambient':
      return {
        ambient: message.ambient,
        figures: state.figures.locale === message.ambient.locale ? state.figures : figuresOf(message.ambient.locale),
      };
    case 'position':
      return { position: message.position, gone: message.gone };
    case 'events':
      return { events: message.events };
  }
}
