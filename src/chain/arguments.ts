import { parseArgs } from 'node:util';
import type { TransactionFormat } from '../base/build/types';
import { parseRpcUrl, type RpcUrl, RpcUrlError } from '../base/solana/rpcUrl';
import { apiKeyOption, ArgumentError, leaseSecondsOption, numberOption, portOption, transactionsOption } from '../server/commandLine';

/** The parsed command line. */
export interface ServiceOptions {
  readonly rpc: RpcUrl;
  /** 0: any free port. */
  readonly port: number;
  readonly data: string;
  /** API key from now on; `undefined`: the folder's own. */
  readonly apiKey: string | undefined;
  /** Addresses of other services, without a slash at the end; `undefined`: none is asked. */
  readonly dataApi: string | undefined;
  readonly priceApi: string | undefined;
  readonly swapApi: string | undefined;
  readonly jito: string | undefined;
  /** Lamports, with Jito only. */
  readonly tipLamports: bigint;
  /** Versions of the transactions that are handed out. */
  readonly transactions: TransactionFormat;
  /** Requests to the RPC a second. */
  readonly requestsPerSecond: number;
  /** Seconds without a client after which the process ends; `undefined`: it keeps running. */
  readonly leaseSeconds: number | undefined;
}

/** Only this user can read the variables of a process; all users its arguments. */
const RPC_VARIABLE = 'BINSIGHT_RPC_URL';
const NONE = 'none';
const DEFAULTS = {
  data: '.service',
  dataApi: 'https://dlmm.datapi.meteora.ag',
  priceApi: 'https://lite-api.jup.ag/price/v3',
  swapApi: 'https://lite-api.jup.ag/swap/v1',
  tipLamports: '10000',
  requestsPerSecond: '8',
} as const;
const MAX_TIP_LAMPORTS = 10_000_000;
const MAX_REQUESTS_PER_SECOND = 1_000;

/** The output of `--help`. */
export const HELP = `Answers as the liquidity service does, from a Solana RPC: no account, no company.

Usage: node dist/service.js --rpc URL [options]

  --rpc URL         address of the Solana RPC: https, or http on this machine. Other users of this machine can read
                    arguments: an address with a key belongs into the variable ${RPC_VARIABLE} instead
  --port N          TCP port on 127.0.0.1; 0 picks a free one (default: 0)
  --data DIR        data folder, with the index and what was built; created if it is missing (default: ${DEFAULTS.data})
  --api-key KEY     API key, stored in DIR (default: a random one, created at the first start)
  --data-api URL    Meteora's public data, or none (default: ${DEFAULTS.dataApi})
  --price-api URL   prices in Jupiter's shape, or none (default: ${DEFAULTS.priceApi})
  --swap-api URL    swaps in Jupiter's shape, or none: through Meteora's pools (default: ${DEFAULTS.swapApi})
  --jito URL        block engine for bundles, or none: transactions land one after another (default: none)
  --tip-lamports N  tip of a bundle, 1000 to ${MAX_TIP_LAMPORTS} (default: ${DEFAULTS.tipLamports})
  --transactions V  versions of transactions: service (legacy and v0), legacy, v0, v1 or mixed (default: service)
  --rpc-rps N       requests to the RPC a second, 0.1 to ${MAX_REQUESTS_PER_SECOND} (default: ${DEFAULTS.requestsPerSecond})
  --lease           end when no client holds GET /lease open
  --lease-seconds N seconds without such a client before it ends (default: 10)
  --help            print this help

Once ready, it prints one line of JSON on standard output: url, apiKey, pid. GET /status tells how far the index is and how many requests
were sent to the RPC (see src/chain/README.md).

Each folder has one process. A second one prints the first one's line, says so, and ends.
Exit codes: 0 done, 1 failed, 2 wrong arguments, 4 another process serves DIR.
`;

const TEXTS = [
  'rpc',
  'port',
  'data',
  'api-key',
  'data-api',
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
  const values = parse(given);
  if (values.help === true) {
    return undefined;
  }
  const rpc = values.rpc ?? environment[RPC_VARIABLE];
  if (rpc === undefined || rpc === '') {
    throw new ArgumentError(`--rpc or the variable ${RPC_VARIABLE} must name a Solana RPC`);
  }
  if (values.data === '') {
    throw new ArgumentError('--data must name a folder');
  }
  return {
    rpc: rpcOption(rpc),
    port: portOption(values.port ?? '0'),
    data: values.data ?? DEFAULTS.data,
    apiKey: values['api-key'] === undefined ? undefined : apiKeyOption(values['api-key']),
    dataApi: urlOption('data-api', values['data-api'] ?? DEFAULTS.dataApi),
    priceApi: urlOption('price-api', values['price-api'] ?? DEFAULTS.priceApi),
    swapApi: urlOption('swap-api', values['swap-api'] ?? DEFAULTS.swapApi),
    jito: urlOption('jito', values.jito ?? NONE),
    tipLamports: BigInt(
      numberOption('tip-lamports', values['tip-lamports'] ?? DEFAULTS.tipLamports, { min: 1_000, max: MAX_TIP_LAMPORTS, isInteger: true }),
    ),
    transactions: transactionsOption(values.transactions ?? 'service'),
    requestsPerSecond: numberOption('rpc-rps', values['rpc-rps'] ?? DEFAULTS.requestsPerSecond, { min: 0.1, max: MAX_REQUESTS_PER_SECOND }),
    leaseSeconds: values.lease === true ? leaseSecondsOption(values['lease-seconds'] ?? '10') : undefined,
  };
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
    // An address without its option would be quoted.
    const message = error instanceof Error ? error.message : String(error);
    throw new ArgumentError(/^Unexpected argument/.test(message) ? 'There is an argument that belongs to no option' : message);
  }
}

function rpcOption(text: string): RpcUrl {
  try {
    return parseRpcUrl(text);
  } catch (error) {
    throw error instanceof RpcUrlError ? new ArgumentError(error.message, { cause: error }) : error;
  }
}

/** Reads an address, or `none`. Plain http only on this machine: others could change the answers. */
function urlOption(name: string, text: string): string | undefined {
  if (text === NONE) {
    return undefined;
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && /^(?:localhost|127\.0\.0\.1)$/.test(url.hostname));
  if (url === undefined || !isSafe || url.hash !== '') {
    throw new ArgumentError(`--${name} must be an https address, or "${NONE}"; http only on this machine`);
  }
  return url.href.replace(/\/$/, '');
}
