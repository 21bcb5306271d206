import { createHash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { type RpcUrl, secretsOf } from '../../base/solana/rpcUrl';
import type { BaseUrl } from '../../service/baseUrl';
import { RpcServiceError } from '../shell/errors';
import { REDACTED } from '../shell/log';
import type { LocalServiceSettings } from '../shell/settings/localService';
import { launchProcess, type LaunchOptions, parseReadyLine, type ProcessPlace } from './launchProcess';
import { holdLease } from './lease';
import { type LaunchKind, type Lease, localServiceName, type ServiceReady } from './processKind';

/** The process learns its RPC from this variable, because other users can read the arguments of a process. */
export const ADDRESS_VARIABLE = 'BINSIGHT_RPC_URL';
/** Hexadecimal digits: 64 bits tell addresses apart. */
const FOLDER_NAME_LENGTH = 16;

const RPC_LAUNCH: LaunchKind = {
  error: (reason, message, options) => new RpcServiceError(reason, message, options),
  leasePath: '/lease',
  name: localServiceName,
  damaged: () => l10n.t('The local service cannot read its data. Nothing was changed. See the log.'),
};

/**
 * Starts the service of an RPC, or finds the one that already runs on the same folder.
 * @throws RpcServiceError if it doesn't start
 */
export function launchRpcService(
  place: ProcessPlace & Pick<LaunchOptions<ServiceReady>, 'execPath' | 'timeoutMs'>,
  url: RpcUrl,
  { more, environment, secrets }: LocalServiceSettings,
): Promise<ServiceReady> {
  return launchProcess({
    ...place,
    kind: RPC_LAUNCH,
    more: ['--lease', ...more],
    environment: { ...environment, [ADDRESS_VARIABLE]: url },
    logName: 'service.log',
    // src/chain/service.ts, src/chain/identity.ts
    damagedHint: 'in the data folder',
    redact: (text) => [url, ...secretsOf(url), ...secrets].reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text),
    parse: (line) => parseReadyLine(RPC_LAUNCH, line).ready,
  });
}

/** Takes a lease on the service of an RPC. @throws RpcServiceError if it grants none */
export function holdRpcLease(service: ServiceReady, onBroken: () => void): Promise<Lease> {
  return holdLease(RPC_LAUNCH, service, onBroken);
}

/** The name of the data folder of an RPC or a service. It does not reveal the address, which may contain a key. */
export function folderName(url: RpcUrl | BaseUrl): string {
  return createHash('sha256').update(url).digest('hex').slice(0, FOLDER_NAME_LENGTH);
}
