import * as l10n from '@vscode/l10n';
import { parseRpcUrl, type RpcUrl, RpcUrlError, secretsOf } from '../../base/solana/rpcUrl';
import { errorText } from '../../base/thrown';
import type { Prompts } from '../shell/prompts/prompts';
import { readServiceChoice, type ServiceChoice } from '../shell/serviceChoice';
import type { LogFunction } from '../shell/log';
import type { Settings } from '../shell/settings/settings';
import { FORMER_ADDRESSES, type FormerAddress } from '../shell/settings/values';
import type { ProfileAddress, ServiceProfiles } from './serviceProfiles';

export interface FormerAddressDependencies {
  readonly profiles: ServiceProfiles;
  readonly service: () => ServiceChoice;
  readonly settings: Pick<Settings, 'former' | 'removeFormer' | 'setPublicData'>;
  readonly prompts: Pick<Prompts, 'notify'>;
  /** Registers a secret with the log's redactor. */
  readonly hide: (secret: string) => void;
  readonly log: LogFunction;
}

/** The kind of service whose profiles have the address. */
const PLACES: Readonly<Record<FormerAddress, readonly ['remote' | 'solanaRpc', ProfileAddress]>> = {
  'binsight.rpcUrl': ['remote', 'reviewRpc'],
  'binsight.solanaRpc.dataApi': ['solanaRpc', 'dataApi'],
  'binsight.solanaRpc.priceApi': ['solanaRpc', 'priceApi'],
  'binsight.solanaRpc.swapApi': ['solanaRpc', 'swapApi'],
  'binsight.solanaRpc.jito': ['solanaRpc', 'jito'],
};
const DATA_API: FormerAddress = 'binsight.solanaRpc.dataApi';

/**
 * Version 0.2 had addresses in the user settings, for all services. Each becomes a secret of the profiles that it was for and that have none, and
 * leaves the settings; nothing is reviewed or started before that. An address without such a profile stays where it is.
 * @throws SecretError if it can't be stored
 */
export async function takeFormerAddresses(dependencies: FormerAddressDependencies): Promise<void> {
  const { settings, prompts, log } = dependencies;
  const moved: FormerAddress[] = [];
  for (const id of FORMER_ADDRESSES) {
    const text = settings.former(id);
    // Another window may have been first.
    if (text !== undefined && (await take(id, text, dependencies)) && settings.former(id) !== undefined) {
      try {
        await settings.removeFormer(id);
        moved.push(id);
      } catch (error) {
        // VS Code refuses to write settings that are damaged or not saved. It is tried again with the next review.
        log('warn', `${id} could not be removed from the settings. ${errorText(error)}`);
      }
    }
  }
  if (moved.length > 0) {
    void prompts.notify({ severity: 'info', message: l10n.t`Moved from your settings to VS Code's secret storage: ${moved.join(', ')}.` });
  }
}

/** @returns whether the setting is no longer needed */
async function take(id: FormerAddress, text: string, { profiles, service, settings, hide }: FormerAddressDependencies): Promise<boolean> {
  if (text === '') {
    // None, and of the data API: no public data.
    await (id === DATA_API ? settings.setPublicData(false) : undefined);
    return true;
  }
  hide(text);
  const url = parsed(text);
  if (url === undefined) {
    // It was never used.
    return true;
  }
  [url, ...secretsOf(url)].forEach(hide);
  const [kind, address] = PLACES[id];
  const own = (await profiles.list(service())).filter(({ setting }) => readServiceChoice(setting).kind === kind);
  for (const profile of own.filter((one) => profiles.addressOf(one, address) === undefined)) {
    await profiles.setAddress(profile, address, url.replace(/\/$/, ''));
  }
  return own.length > 0;
}

function parsed(text: string): RpcUrl | undefined {
  try {
    return parseRpcUrl(text);
  } catch (error) {
    if (error instanceof RpcUrlError) {
      return undefined;
    }
    throw error;
  }
}
