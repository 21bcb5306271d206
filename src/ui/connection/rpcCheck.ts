import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { rpcName, type RpcUrl } from '../../base/solana/rpcUrl';
import { createTransport, RpcError, type RpcTransportOptions } from '../../rpc/transport';
import { Cancelled, ConnectionError } from '../shell/errors';

/** A hash in base58. */
const GenesisHash = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);

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
  const byStatus = (status: number): ConnectionError => {
    if (status === 401 || status === 403) {
      return refused(l10n.t`${host} does not allow this (${status}). Check the key in its address.`);
    }
    if (status === 429) {
      return unavailable(l10n.t`${host} allows no more requests now (429). Try again later.`);
    }
    return status >= 500
      ? unavailable(l10n.t`${host} failed (${status}). Try again later.`)
      : refused(l10n.t`${host} does not answer as a Solana RPC (${status}). Check the address.`);
  };
  switch (error.kind) {
    case 'status':
      return byStatus(error.code ?? 0);
    case 'refused':
      return refused(l10n.t`${host} does not report its chain. ${error.message}`);
    case 'malformed':
    case 'unsupportedVersion':
      return refused(l10n.t`${host} does not answer as a Solana RPC. Check the address.`);
    case 'timeout':
      return unavailable(l10n.t`${host} did not answer in time. Check your network.`);
    case 'cancelled':
      return new Cancelled();
    case 'unreachable':
      return unavailable(l10n.t`Cannot reach ${host}. Check the address and your network.`);
  }
}
