import type { Log } from '../log';
import { childProxy } from './proxy';
import type { SettingsReader } from './values';

/** How the local service runs, as far as settings decide it. */
export interface LocalServiceSettings {
  /** Arguments. Every user of this machine can read them. */
  readonly more: readonly string[];
  /** Environment variables. Only this user can read them. */
  readonly environment: Readonly<Record<string, string>>;
  /** Parts of the environment that must not be logged. */
  readonly secrets: readonly string[];
}

/** Reads the settings of the local service, and VS Code's proxy. A proxy that can't be used is logged. */
export function localServiceSettings(
  settings: SettingsReader & { raw(name: string): unknown },
  log: Pick<Log, 'hide' | 'of'>,
): LocalServiceSettings {
  const question = { raw: (name: string) => settings.raw(name), environment: process.env, nodeVersion: process.versions.node };
  const { variables, secrets, problem } = childProxy(question);
  secrets.forEach((secret) => log.hide(secret));
  if (problem !== undefined) {
    log.of('service')('warn', problem);
  }
  return { more: localServiceArguments(settings), environment: variables, secrets };
}

/** The command line of the local service, as far as settings decide it (src/chain). None of it is secret. */
export function localServiceArguments(settings: SettingsReader): readonly string[] {
  const orNone = (address: string): string => (address === '' ? 'none' : address);
  return [
    ...['--rpc-rps', String(settings.get('binsight.solanaRpc.requestsPerSecond'))],
    ...['--data-api', orNone(settings.get('binsight.solanaRpc.dataApi'))],
    ...['--price-api', orNone(settings.get('binsight.solanaRpc.priceApi'))],
    ...['--swap-api', orNone(settings.get('binsight.solanaRpc.swapApi'))],
    ...['--jito', orNone(settings.get('binsight.solanaRpc.jito'))],
  ];
}
