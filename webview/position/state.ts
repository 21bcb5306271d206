import type { Horizon } from '../../src/protocol/outlook';
import type { OutlookData, PositionEvent, PositionToHost, PositionToPanel, PositionView } from '../../src/protocol/position';
import type { EarningsView } from '../../src/protocol/earnings';
import { type Ambient, type CurrencyView, LOADING, type Part, type SeenPrice } from '../../src/protocol/schemas';
import { type Figures, figuresOf } from '../shared/figures';

export interface PositionState {
  readonly ambient: Ambient | undefined;
  readonly figures: Figures;
  readonly position: Part<PositionView>;
  /** The service no longer lists the position. */
  readonly gone: boolean;
  /** The wallet for which it was listed, if that is not the current one. */
  readonly otherWallet: string | undefined;
  readonly events: Part<readonly PositionEvent[]>;
  readonly seenPrices: readonly SeenPrice[];
  /** Prices of the pool; no data: the service has none. */
  readonly candles: Part<readonly SeenPrice[]>;
  readonly earnings: Part<EarningsView>;
  /** No data: the service has no prices of the past. */
  readonly outlook: Part<OutlookData>;
  /** How far the outlook looks ahead. */
  readonly horizon: Horizon;
  /** The user's choice in this panel; takes precedence over the setting. */
  readonly currency: CurrencyView | undefined;
  readonly allEvents: boolean;
  readonly nowMs: number;
}

export interface PositionActions {
  readonly post: (message: PositionToHost) => void;
  readonly chooseCurrency: (currency: CurrencyView) => void;
  readonly chooseHorizon: (horizon: Horizon) => void;
  readonly showAllEvents: () => void;
}

/** The state before the first message. */
export function initialState(nowMs: number): PositionState {
  return {
    ambient: undefined,
    figures: figuresOf('en-US'),
    position: LOADING,
    gone: false,
    otherWallet: undefined,
    events: LOADING,
    seenPrices: [],
    candles: LOADING,
    earnings: LOADING,
    outlook: LOADING,
    horizon: '24h',
    currency: undefined,
    allEvents: false,
    nowMs,
  };
}

/** The currency in which figures are shown. */
export function currencyOf({ currency, ambient }: Pick<PositionState, 'currency' | 'ambient'>): CurrencyView {
  return currency ?? ambient?.currency ?? 'usd';
}

/** The state changes that a message causes. */
export function received(state: PositionState, message: PositionToPanel): Partial<PositionState> {
  switch (message.kind) {
    case 'ambient':
      return {
        ambient: message.ambient,
        figures: state.figures.locale === message.ambient.locale ? state.figures : figuresOf(message.ambient.locale),
      };
    case 'position':
      return { position: message.position, gone: message.gone, otherWallet: message.otherWallet };
    case 'events':
      return { events: message.events };
    case 'prices':
      return { seenPrices: message.prices };
    case 'candles':
      return { candles: message.candles };
    case 'earnings':
      return { earnings: message.earnings };
    case 'outlook':
      return { outlook: message.outlook };
  }
}
