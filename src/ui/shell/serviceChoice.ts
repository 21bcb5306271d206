import * as l10n from '@vscode/l10n';
import { BaseUrlError, parseBaseUrl, serviceId, type BaseUrl } from '../../service/baseUrl';

/** The service that the setting `binsight.service.baseUrl` selects. */
export type ServiceChoice =
  | { readonly kind: 'sandbox'; readonly id: typeof SANDBOX_ID; readonly name: string }
  | {
      readonly kind: 'remote';
      /** The origin; its API key is stored under it. */ readonly id: string;
      readonly name: string;
      readonly baseUrl: BaseUrl;
    }
  | {
      /** A process on this machine that answers from a Solana RPC, whose address is in the secret storage under the id. */
      readonly kind: 'solanaRpc';
      /** {@link SOLANA_ID} for mainnet; else followed by the chain, so that nothing of one chain is taken for something of another. */
      readonly id: string;
      /** Names the RPC by its host once its address is known. */
      readonly name: string;
      readonly genesisHash: string;
    }
  /** The setting has no valid address. Nothing is connected, because no other service may replace the intended one. */
  | { readonly kind: 'invalid'; readonly id: undefined; readonly name: string; readonly problem: string };

/** The sandbox's id; remote services have their origin. */
export const SANDBOX_ID = 'sandbox';

/** The id of a Solana RPC of mainnet, and the value of the setting that selects it. */
export const SOLANA_ID = 'solana';

/** The hash of mainnet's first block, which identifies the chain. */
export const MAINNET_GENESIS_HASH = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';

/** Another chain: `solana:GENESIS_HASH`. */
const OTHER_CHAIN = /^solana:([1-9A-HJ-NP-Za-km-z]{32,44})$/;

/** Whether it is a service that Binsight runs itself: these have endpoints that the public interface lacks, such as claims and candles. */
export function isOwnService({ kind }: Pick<ServiceChoice, 'kind'>): boolean {
  return kind === 'sandbox' || kind === 'solanaRpc';
}

export const SANDBOX: ServiceChoice = { kind: 'sandbox', id: SANDBOX_ID, name: 'Sandbox' };

/** The id of the Solana RPC of a chain. It is also the value of the setting `binsight.service.baseUrl` that selects it. */
export function solanaId(genesisHash: string): string {
  return genesisHash === MAINNET_GENESIS_HASH ? SOLANA_ID : `${SOLANA_ID}:${genesisHash}`;
}

/** The name of the secret with the address of the Solana RPC that serves this id. */
export function rpcAddressName(serviceId: string): string {
  return `binsight.rpcAddress:${serviceId}`;
}

/** The name of a Solana RPC, by the host in its address. The rest of the address may contain a key. */
export function solanaRpcName(host: string): string {
  return l10n.t`Solana RPC (${host})`;
}

/** Names the service in a question, with its profile. */
export function serviceLine({ kind, name }: ServiceChoice): string {
  return l10n.t`Service: ${kind === 'sandbox' ? l10n.t('Sandbox (pretend)') : name}`;
}

/** The name of the sandbox where it must not be taken for real. */
export const sandboxText = (): string => l10n.t('Sandbox (pretend)');

/** The name of a service in a record of the past, by its id. */
export function recordedServiceName(serviceId: string): string {
  const chain = OTHER_CHAIN.exec(serviceId)?.[1];
  return chain !== undefined ? solanaRpcName(chain) : serviceId === SOLANA_ID ? l10n.t('Solana RPC') : serviceId;
}

/** Tells whether explorers list the accounts and transactions of a service: not those of the sandbox, nor of other chains than mainnet. */
export function hasExplorer(serviceId: string | undefined): boolean {
  return serviceId !== undefined && serviceId !== SANDBOX_ID && !OTHER_CHAIN.test(serviceId);
}

/** Reads the setting `binsight.service.baseUrl`; empty: the sandbox, `solana`: a Solana RPC. */
export function readServiceChoice(setting: string): ServiceChoice {
  if (setting === '') {
    return SANDBOX;
  }
  const genesisHash = setting === SOLANA_ID ? MAINNET_GENESIS_HASH : OTHER_CHAIN.exec(setting)?.[1];
  if (genesisHash !== undefined) {
    return { kind: 'solanaRpc', id: solanaId(genesisHash), name: l10n.t('Solana RPC'), genesisHash };
  }
  try {
    const baseUrl = parseBaseUrl(setting);
    return { kind: 'remote', id: serviceId(baseUrl), name: new URL(baseUrl).host, baseUrl };
  } catch (error) {
    if (error instanceof BaseUrlError) {
      return { kind: 'invalid', id: undefined, name: l10n.t('No service'), problem: error.message };
    }
    throw error;
  }
}

/** Tells whether two choices are the same service at the same address. */
export function sameService(one: ServiceChoice, other: ServiceChoice): boolean {
  return one.kind === other.kind && one.id === other.id && addressOf(one) === addressOf(other);
}

/** Identifies a choice by its id and address. Not for display. */
export function serviceKey(choice: ServiceChoice): string {
  return [choice.kind, choice.id ?? '', addressOf(choice)].join(' ');
}

function addressOf(choice: ServiceChoice): string {
  return choice.kind === 'remote' ? choice.baseUrl : choice.kind === 'invalid' ? choice.problem : '';
}
