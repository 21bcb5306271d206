import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { rpcName, type RpcUrl } from '../../base/solana/rpcUrl';
import { createTransport, RpcError, type RpcTransportOptions } from '../../rpc/transport';
import { Cancelled, ConnectionError } from '../shell/errors';

/** A hash in base58. */
const GenesisHash = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);

const TOO_MANY_REQUESTS = 429;

/** Asks an RPC for the hash of its chain's first block. @throws ConnectionError that says why the RPC can't be used; Cancelled */
export async function readGenesisHash(url: RpcUrl, signal?: AbortSignal, fetch?: RpcTransportOptions['fetch']): Promise<string> {
  const transport = createTransport({ url, ...(fetch === undefined ? {} : { fetch }) });
  try {
    const answer = GenesisHash.safeParse(await transport.call('getGenesisHash', [], signal));
    if (answer.success) {
      return answer.data;
    }
    throw transport.malformed('getGenesisHash', 'it is no hash');
  } catch (error) {
    throw error instanceof RpcError ? explained(error, rpcName(url)) : error;
  }
}

/** Each text says what happened, what it means, and what to do. */
function explained(error: RpcError, host: string): ConnectionError | Cancelled {
  const refused = (message: string): ConnectionError => new ConnectionError('rpcRefused', message, { cause: error });
  const unavailable = (message: string): ConnectionError => new ConnectionError('rpcUnavailable', message, { cause: error });
  const isPassing = ({ code = 0 }: RpcError): boolean => code === TOO_MANY_REQUESTS || code >= 500;
  switch (error.kind) {
    case 'status':
      return isPassing(error) ? unavailable(error.message) : refused(error.message);
    case 'refused':
      return refused(error.message);
    case 'malformed':
    case 'unsupportedVersion':
      return refused(l10n.t`${host} does not answer as a Solana RPC. Check the address.`);
    case 'timeout':
    case 'unreachable':
      return unavailable(error.message);
    case 'cancelled':
      return new Cancelled();
  }
}
