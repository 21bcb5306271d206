import { DAY_S, HOUR_S } from '../../base/time';
import type { CandleTimeframe } from '../wire/candles';

/** The lengths of candles, seconds. */
export const CANDLE_SECONDS: Readonly<Record<CandleTimeframe, number>> = {
  '5m': HOUR_S / 12,
  '30m': HOUR_S / 2,
  '1h': HOUR_S,
  '4h': 4 * HOUR_S,
  '24h': DAY_S,
};
