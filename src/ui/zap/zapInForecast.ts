import { FORECAST_HORIZONS_S } from '../../base/insight/forecasts';
import type { Estimate } from '../../base/insight/outlook';
import { outlookOf } from '../../base/insight/poolOutlook';
import { LAMPORTS_PER_SOL } from '../../base/solana/programs';
import type { ForecastLamports, ForecastOutlook, JournalForecast } from '../../transactions/journal/forecast';
import type { ZapInOutlook } from './zapInOutlook';

/** What the journal keeps of an outlook, to compare it with what the position earns. `undefined`: its worth in SOL is not known. */
export function forecastOf({ asked: { input, unit }, sigma }: ZapInOutlook): JournalForecast | undefined {
  const lamportsOf = (value: number): bigint | undefined => {
    const lamports = Math.round(value * (unit.native ?? NaN) * Number(LAMPORTS_PER_SOL));
    return Number.isFinite(lamports) ? BigInt(lamports) : undefined;
  };
  const band = ({ value, low, high }: Estimate): ForecastLamports | undefined => {
    const [lamports, lowLamports, highLamports] = [lamportsOf(value), lamportsOf(low), lamportsOf(high)];
    return lamports === undefined || lowLamports === undefined || highLamports === undefined
      ? undefined
      : { lamports, lowLamports, highLamports };
  };
  const outlooks = FORECAST_HORIZONS_S.flatMap((horizonS): readonly ForecastOutlook[] => {
    const outlook = outlookOf({ input: { ...input, horizonS }, unit });
    const loss = outlook.known ? band(outlook.loss) : undefined;
    if (!outlook.known || loss === undefined) {
      return [];
    }
    const { timeInRange } = outlook;
    const fees = outlook.fees === null ? undefined : band(outlook.fees);
    return [{ horizonS, timeInRange, loss, fees, netLamports: outlook.fees === null ? undefined : lamportsOf(outlook.netY) }];
  });
  return outlooks.length === 0 ? undefined : { sigmaPerDay: sigma, outlooks };
}
