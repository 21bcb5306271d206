import * as l10n from '@vscode/l10n';
import { parseRpcUrl, secretsOf } from '../../../base/solana/rpcUrl';
import type { Log } from '../log';
import type { SettingsReader } from './values';

/** Addresses of APIs; absent: none, and the usual one of the data API. */
interface Apis {
  readonly dataApi?: string;
  readonly priceApi?: string;
  readonly swapApi?: string;
  readonly jito?: string;
}

/** How the local service runs, as far as settings decide it. */
export interface LocalServiceSettings {
  /** Arguments. Every user of this machine can read them. */
  readonly more: readonly string[];
  /** Environment variables. Only this user can read them. */
  readonly environment: Readonly<Record<string, string>>;
  /** Parts of the environment that must not be logged. */
  readonly secrets: readonly string[];
}

/**
 * Reads the settings of the local service, and VS Code's proxy. A proxy that can't be used is logged.
 * @param apis the log's redactor knows them
 * @param mostRequestsPerSecond what the RPC allows, if that is known
 */
export function localServiceSettings(
  settings: SettingsReader & { raw(name: string): unknown },
  log: Pick<Log, 'hide' | 'of'>,
  apis: Apis,
  mostRequestsPerSecond = Infinity,
): LocalServiceSettings {
  const question = { raw: (name: string) => settings.raw(name), environment: process.env, nodeVersion: process.versions.node };
  const { variables, secrets, problem } = childProxy(question);
  secrets.forEach((secret) => log.hide(secret));
  if (problem !== undefined) {
    log.of('service')('warn', problem);
  }
  return {
    more: ['--rpc-rps', String(Math.min(settings.get('binsight.solanaRpc.requestsPerSecond'), mostRequestsPerSecond))],
    environment: { ...variables, ...apiVariables(apis, settings.get('binsight.solanaRpc.publicData')) },
    secrets: [...secrets, ...Object.values<string>({ ...apis }).flatMap((address) => [address, ...secretsOf(parseRpcUrl(address))])],
  };
}

/** How the local service learns its APIs (src/chain/arguments.ts): an address can contain a key. An empty one stands for Meteora's public data. */
export function apiVariables({ dataApi, priceApi, swapApi, jito }: Apis, usesPublicData: boolean): Readonly<Record<string, string>> {
  const none = 'none';
  return {
    BINSIGHT_DATA_API_URL: dataApi ?? (usesPublicData ? '' : none),
    BINSIGHT_PRICE_API_URL: priceApi ?? none,
    BINSIGHT_SWAP_API_URL: swapApi ?? none,
    BINSIGHT_JITO_URL: jito ?? none,
  };
}

/** The proxy of a child process. */
export interface ChildProxy {
  /** Environment variables that Node reads; empty: no proxy. */
  readonly variables: Readonly<Record<string, string>>;
  /** Passwords of the proxy, as the variables contain them. */
  readonly secrets: readonly string[];
  /** Why the proxy can't be used. It quotes no address, which may contain a password. */
  readonly problem?: string;
}

export interface ProxyQuestion {
  /** Reads a setting of VS Code. */
  readonly raw: (setting: string) => unknown;
  /** The environment of VS Code. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The version of Node that runs the child. */
  readonly nodeVersion: string;
}

/** Requests to this machine don't leave it: an RPC may run here. */
const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Finds the proxy of a child process. VS Code applies its proxy settings to the extension host only, and Node ignores the usual variables
 * unless `NODE_USE_ENV_PROXY` is set. Proxies that only the operating system knows (PAC) are not found. Certificates are always checked,
 * also with `http.proxyStrictSSL` off.
 */
export function childProxy({ raw, environment, nodeVersion }: ProxyQuestion): ChildProxy {
  const certificates: Record<string, string> = raw('http.systemCertificates') === false ? {} : { NODE_USE_SYSTEM_CA: '1' };
  const without = { variables: certificates, secrets: [] };
  if (raw('http.proxySupport') === 'off') {
    return without;
  }
  const variable = (name: string): string => environment[name.toLowerCase()] ?? environment[name] ?? '';
  const setting = textOf(raw('http.proxy'));
  const addresses = setting === '' ? { https: variable('HTTPS_PROXY'), http: variable('HTTP_PROXY') } : { https: setting, http: setting };
  const proxies = [addresses.https, addresses.http].filter((address) => address !== '');
  if (proxies.length === 0) {
    return without;
  }
  if (!proxies.every(isHttp)) {
    return { ...without, problem: l10n.t('The local service uses no proxy: the setting http.proxy must start with http:// or https://.') };
  }
  if (!readsProxyVariables(nodeVersion)) {
    return { ...without, problem: l10n.t('The local service uses no proxy: it needs a newer VS Code.') };
  }
  const excluded = raw('http.noProxy');
  const listed = Array.isArray(excluded) && excluded.length > 0 ? excluded.map(String) : variable('NO_PROXY').split(',');
  const noProxy = [...new Set([...listed.map((host) => host.trim()).filter((host) => host !== ''), ...THIS_MACHINE])].join(',');
  const named = { HTTPS_PROXY: addresses.https, HTTP_PROXY: addresses.http, NO_PROXY: noProxy };
  return {
    variables: {
      ...certificates,
      NODE_USE_ENV_PROXY: '1',
      // Both spellings: the lower case one is read first.
      ...Object.fromEntries(
        Object.entries(named).flatMap(([name, value]) => [
          [name, value],
          [name.toLowerCase(), value],
        ]),
      ),
    },
    secrets: [...new Set(proxies.map((address) => new URL(address).password))].filter((password) => password !== ''),
  };
}

/** Tells whether this version of Node has `NODE_USE_ENV_PROXY` (22.21 and 24.5; VS Code 1.107 has it). */
function readsProxyVariables(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21);
}

function isHttp(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}

function textOf(raw: unknown): string {
  return typeof raw === 'string' ? raw.trim() : '';
}
