import { SETTING } from '../names';
import type { SettingsReader } from './values';

/** The command line of the local service, as far as settings decide it (src/chain). None of it is secret. */
export function localServiceArguments(settings: SettingsReader): readonly string[] {
  const orNone = (address: string): string => (address === '' ? 'none' : address);
  return [
    ...['--rpc-rps', String(settings.get(SETTING.solanaRequestsPerSecond))],
    ...['--data-api', orNone(settings.get(SETTING.solanaDataApi))],
    ...['--price-api', orNone(settings.get(SETTING.solanaPriceApi))],
    ...['--swap-api', orNone(settings.get(SETTING.solanaSwapApi))],
    ...['--jito', orNone(settings.get(SETTING.solanaJito))],
  ];
}
