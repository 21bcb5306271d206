import { parseArgs } from 'node:util';
import type { TransactionFormat } from '../engine/assembly/types';
import { parseRpcUrl, type RpcUrl, RpcUrlError } from '../base/solana/rpcUrl';
import { errorText } from '../base/thrown';
import {
  apiKeyOption,
  ArgumentError,
  leaseSecondsOption,
  numberOption,
  portOption,
  transactionsOption,
} from '../engine/process/commandLine';

/** The parsed command line. */
export interface ServiceOptions {
  readonly rpc: RpcUrl;
  /** 0: any free port. */
  readonly port: number;
  readonly data: string;
  /** API key from now on; `undefined`: the folder's own. */
  readonly apiKey: string | undefined;
  /** Addresses of other services, without a slash at the end; `undefined`: none. */
  readonly dataApi: string | undefined;
  readonly dammDataApi: string | undefined;
  readonly discoveryApi: string | undefined;
  readonly priceApi: string | undefined;
  readonly swapApi: string | undefined;
  readonly jito: string | undefined;
  /** Key for Jupiter's own APIs; `undefined`: they allow few requests. */
  readonly jupiterKey: string | undefined;
  /** Lamports, with Jito only. */
  readonly tipLamports: bigint;
  /** Versions of the transactions that are built. */
  readonly transactions: TransactionFormat;
  /** Requests to the RPC a second. */
  readonly requestsPerSecond: number;
  /** Seconds without a client after which the process ends; `undefined`: it does not end. */
  readonly leaseSeconds: number | undefined;
}

/**
 * Environment variables for the options that may contain a key. Every user of a machine can read the arguments of a process, but only this
 * user its environment. Arguments have precedence.
 */
const VARIABLES = {
  rpc: 'BINSIGHT_RPC_URL',
  'api-key': 'BINSIGHT_API_KEY',
  'data-api': 'BINSIGHT_DATA_API_URL',
  'damm-data-api': 'BINSIGHT_DAMM_DATA_API_URL',
  'discovery-api': 'BINSIGHT_DISCOVERY_API_URL',
  'price-api': 'BINSIGHT_PRICE_API_URL',
  'swap-api': 'BINSIGHT_SWAP_API_URL',
  jito: 'BINSIGHT_JITO_URL',
} as const;
/** Not an option, so that no other user can read it. */
const JUPITER_KEY_VARIABLE = 'BINSIGHT_JUPITER_API_KEY';
const NONE = 'none';
const DEFAULTS = {
  data: '.service',
  dataApi: 'https://dlmm.datapi.meteora.ag',
  dammDataApi: 'https://damm-v2.datapi.meteora.ag',
  discoveryApi: 'https://pool-discovery-api.datapi.meteora.ag',
  priceApi: 'https://api.jup.ag/price/v3',
  swapApi: 'https://api.jup.ag/swap/v1',
  tipLamports: '10000',
  requestsPerSecond: '8',
} as const;
const MAX_TIP_LAMPORTS = 10_000_000;
const MAX_REQUESTS_PER_SECOND = 1_000;

/** The output of `--help`. */
export const HELP = `Serves the interface of the liquidity service from a Solana RPC. No account is needed.

Usage: node dist/service.js --rpc URL [options]

  --rpc URL         address of the Solana RPC: https, or http on this machine
  --port N          TCP port on 127.0.0.1; 0 picks a free one (default: 0)
  --data DIR        data folder for the index and the landings; created if it is missing (default: ${DEFAULTS.data})
  --api-key KEY     API key that clients need, stored in DIR (default: a random one, created at the first start)
  --data-api URL    Meteora's public data API of DLMM, or none (default: ${DEFAULTS.dataApi})
  --damm-data-api URL
                    Meteora's public data API of DAMM v2, or none
                    (default: ${DEFAULTS.dammDataApi}; none with another --data-api)
  --discovery-api URL
                    Meteora's pool discovery: scores and warnings of tokens, or none
                    (default: ${DEFAULTS.discoveryApi}; none with another --data-api)
  --price-api URL   price API with Jupiter's interface, or none (default: ${DEFAULTS.priceApi})
  --swap-api URL    swap API with Jupiter's interface, or none: swaps go through Meteora's pools
                    (default: ${DEFAULTS.swapApi})
  --jito URL        Jito block engine for bundles, or none: transactions are sent one after another (default: none)
  --tip-lamports N  tip of a bundle, 1000 to ${MAX_TIP_LAMPORTS} (default: ${DEFAULTS.tipLamports})
  --transactions V  versions of transactions: service (legacy and v0), legacy, v0, v1 or mixed (default: service)
  --rpc-rps N       most requests to the RPC a second, 0.1 to ${MAX_REQUESTS_PER_SECOND} (default: ${DEFAULTS.requestsPerSecond})
  --lease           end when no client holds GET /lease open
  --lease-seconds N seconds without such a client before it ends (default: 10)
  --help            print this help

Other users of this machine can read arguments. Options that contain a key can be environment variables instead:
${Object.entries(VARIABLES)
  .map(([option, variable]) => `  ${variable.padEnd(26)}  --${option}`)
  .join('\n')}

${JUPITER_KEY_VARIABLE} is sent to api.jup.ag as x-api-key. Without a key Jupiter answers 30 requests a minute.

When it is ready, it prints one line of JSON on standard output: url, apiKey, pid. Log messages go to standard error.
GET /status reports the progress of the index, the requests to the RPC and the running landings (see src/chain/README.md).

Each data folder has one process. A second one prints the line of the first one and ends.
Exit codes: 0 done, 1 failed, 2 wrong arguments, 4 another process serves DIR.
`;

const TEXTS = [
  'rpc',
  'port',
  'data',
  'api-key',
  'data-api',
  'damm-data-api',
  'discovery-api',
  'price-api',
  'swap-api',
  'jito',
  'tip-lamports',
  'rpc-rps',
  'transactions',
  'lease-seconds',
] as const;

type Given = Partial<Record<(typeof TEXTS)[number], string>> & { readonly lease?: boolean; readonly help?: boolean };

/**
 * Reads the command line; `undefined` for `--help`.
 * @throws ArgumentError if an option is unknown, missing or out of bounds. The message quotes no address: it may hold a key
 */
export function readArguments(given: readonly string[], environment: NodeJS.ProcessEnv): ServiceOptions | undefined {
  const parsed = parse(given);
  if (parsed.help === true) {
    return undefined;
  }
  const values = { ...fromEnvironment(environment), ...parsed };
  if (values.rpc === undefined || values.rpc === '') {
    throw new ArgumentError(`--rpc or the environment variable ${VARIABLES.rpc} must be the address of a Solana RPC`);
  }
  if (values.data === '') {
    throw new ArgumentError('--data must be a folder');
  }
  const dataApi = withoutQuery('data-api', urlOption('data-api', values['data-api'] ?? DEFAULTS.dataApi));
  // Whoever asks another API, or none, for DLMM does not want Meteora to be asked for the rest.
  const besides = (api: 'dammDataApi' | 'discoveryApi'): string => (dataApi === DEFAULTS.dataApi ? DEFAULTS[api] : NONE);
  return {
    rpc: rpcOption(values.rpc),
    port: portOption(values.port ?? '0'),
    data: values.data ?? DEFAULTS.data,
    apiKey: values['api-key'] === undefined ? undefined : apiKeyOption(values['api-key']),
    dataApi,
    dammDataApi: withoutQuery('damm-data-api', urlOption('damm-data-api', values['damm-data-api'] ?? besides('dammDataApi'))),
    discoveryApi: withoutQuery('discovery-api', urlOption('discovery-api', values['discovery-api'] ?? besides('discoveryApi'))),
    priceApi: urlOption('price-api', values['price-api'] ?? DEFAULTS.priceApi),
    swapApi: withoutQuery('swap-api', urlOption('swap-api', values['swap-api'] ?? DEFAULTS.swapApi)),
    jito: urlOption('jito', values.jito ?? NONE),
    jupiterKey: jupiterKey(environment[JUPITER_KEY_VARIABLE] ?? ''),
    tipLamports: BigInt(
      numberOption('tip-lamports', values['tip-lamports'] ?? DEFAULTS.tipLamports, { min: 1_000, max: MAX_TIP_LAMPORTS, isInteger: true }),
    ),
    transactions: transactionsOption(values.transactions ?? 'service'),
    requestsPerSecond: numberOption('rpc-rps', values['rpc-rps'] ?? DEFAULTS.requestsPerSecond, { min: 0.1, max: MAX_REQUESTS_PER_SECOND }),
    leaseSeconds: values.lease === true ? leaseSecondsOption(values['lease-seconds'] ?? '10') : undefined,
  };
}

function jupiterKey(text: string): string | undefined {
  // What HTTP headers take, without spaces.
  if (!/^[\x21-\x7e]{0,256}$/.test(text)) {
    throw new ArgumentError(`${JUPITER_KEY_VARIABLE} is not a key`);
  }
  return text === '' ? undefined : text;
}

/** The options whose variables are set and not empty. */
function fromEnvironment(environment: NodeJS.ProcessEnv): Given {
  return Object.fromEntries(
    Object.entries(VARIABLES).flatMap(([option, variable]) => {
      const value = environment[variable];
      return value === undefined || value === '' ? [] : [[option, value]];
    }),
  );
}

function parse(given: readonly string[]): Given {
  try {
    return parseArgs({
      args: [...given],
      options: {
        ...(Object.fromEntries(TEXTS.map((name) => [name, { type: 'string' }])) as Record<(typeof TEXTS)[number], { type: 'string' }>),
        lease: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    // The message would quote an address without its option.
    const message = errorText(error);
    throw new ArgumentError(/^Unexpected argument/.test(message) ? 'An argument belongs to no option' : message);
  }
}

function rpcOption(text: string): RpcUrl {
  try {
    return parseRpcUrl(text);
  } catch (error) {
    throw error instanceof RpcUrlError ? new ArgumentError(error.message, { cause: error }) : error;
  }
}

/** Reads an address, or `none`. Plain http is allowed only on this machine, because on the network others could change the answers. */
function urlOption(name: string, text: string): string | undefined {
  if (text === NONE) {
    return undefined;
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && /^(?:localhost|127\.0\.0\.1)$/.test(url.hostname));
  if (url === undefined || !isSafe || url.hash !== '') {
    throw new ArgumentError(`--${name} must be an https address, or "${NONE}"; http only on this machine`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new ArgumentError(`--${name} must not contain a user name or a password`);
  }
  return url.href.replace(/\/$/, '');
}

/** @throws ArgumentError if an address to which paths are appended has a query */
function withoutQuery(name: string, url: string | undefined): string | undefined {
  if (url?.includes('?') === true) {
    throw new ArgumentError(`--${name} must be an address without a query ("?")`);
  }
  return url;
}
