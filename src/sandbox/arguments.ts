import { parseArgs } from 'node:util';
import type { TransactionFormat } from '../engine/assembly/types';
import { errorText } from '../base/thrown';
import { DAY_MS } from '../base/time';
import {
  apiKeyOption,
  ArgumentError,
  leaseSecondsOption,
  numberOption,
  portOption,
  transactionsOption,
} from '../engine/process/commandLine';

/** The parsed command line. */
export interface SandboxOptions {
  /** 0: any free port. */
  readonly port: number;
  readonly data: string;
  readonly seed: number;
  /** Days of the past that a new world plays. */
  readonly pastDays: number;
  /** Seconds without a client after which the process ends; `undefined`: it keeps running. */
  readonly leaseSeconds: number | undefined;
  /** Speed of prices and trading, times the usual; 0: none. */
  readonly priceSpeed: number;
  /** Name of bin pools on the wire; other pools are `<protocol>_damm_v2`. */
  readonly protocol: string;
  /** Requests to the service per minute; `undefined`: no limit. */
  readonly rateLimit: number | undefined;
  /** Milliseconds until lists show what has landed. */
  readonly indexingLagMs: number;
  /** Length of a slot of the chain. */
  readonly slotMs: number;
  /** Versions of the transactions that are built. */
  readonly transactions: TransactionFormat;
  /** Rent of a new world; `undefined`: the highest known. */
  readonly rentLamportsPerByte?: number | undefined;
  /** API key from now on; `undefined`: the folder's own. */
  readonly apiKey: string | undefined;
  /** Renames the present store and makes a new world. */
  readonly isReset?: boolean;
}

/** The output of `--help`. */
export const HELP = `Runs the liquidity service on this machine, with pretend money on a Solana virtual machine of its own.

Usage: node dist/sandbox.js [options]

  --port N          TCP port on 127.0.0.1; 0 picks a free one (default: 0)
  --data DIR        data folder; created if it is missing (default: .sandbox)
  --seed N          seed of a new world; the same seed gives the same past (default: 1)
  --past-days N     days of the past of a new world, 1 to 90; fewer are played sooner (default: 90)
  --api-key KEY     API key, stored in DIR (default: a random one, created at the first start)
  --protocol NAME   name of bin pools on the wire; other pools are NAME_damm_v2 (default: meteora)
  --price-speed X   speed of prices and trading, 0 to 1000 times the usual (default: 1)
  --indexing-lag MS delay until lists show what has landed, 0 to 86400000 (default: 0)
  --slot-ms N       length of a slot in milliseconds, 100 to 2000; a blockhash is good for 150 slots (default: 400)
  --rent-lamports-per-byte N
                    what a byte of an account costs in a new world, 696 to 69600; a world keeps its own (default: 6960)
  --rate-limit N    requests to the service per minute, 1 to 1000000 (default: no limit)
  --transactions V  versions of transactions: service (legacy and v0, as the service builds them), legacy, v0, v1,
                    or mixed, which is v1, v0 and legacy in each operation (default: service)
  --lease           end when no client holds GET /sandbox/lease open
  --lease-seconds N seconds without such a client before it ends (default: 10)
  --reset           rename the store in DIR to a file with the date in its name, and make a new world
  --help            print this help

Once ready, it prints one line of JSON on standard output: url, apiKey, owner, secretKey, pid. Solana's JSON-RPC is at
/rpc?api-key=KEY. The admin API for tests and demonstrations is at /sandbox (see src/sandbox/README.md).

Each folder has one process. A second one prints the first one's line, says so, and ends.
Exit codes: 0 done, 1 failed, 2 wrong arguments, 3 no virtual machine for this system, 4 another process serves DIR.
`;

const MAX_PAST_DAYS = 90;
const MAX_PRICE_SPEED = 1_000;
const MAX_RATE = 1_000_000;
/** The bounds of {@link RentRate.ofLamportsPerByte}. */
const LEAST_RENT = 696;
const MOST_RENT = 69_600;
const MAX_LAG_MS = DAY_MS;
/** Bounds of the length of a slot: shorter and longer than on any Solana network. */
export const SLOT_MS_BOUNDS = { min: 100, max: 2_000 } as const;
const DEFAULT_PROTOCOL = 'meteora';
/** Suffix of the protocol name of pools without bins; see `ProtocolNames` in src/engine/engine.ts. */
export const PRODUCT_PROTOCOL_SUFFIX = '_damm_v2';

/**
 * Reads the command line; `undefined` for `--help`.
 * @throws ArgumentError if an option is unknown or out of bounds
 */
export function readArguments(given: readonly string[]): SandboxOptions | undefined {
  const values = parse(given);
  if (values.help === true) {
    return undefined;
  }
  if (values.data === '') {
    throw new ArgumentError('--data must name a folder');
  }
  return {
    protocol: protocol(values.protocol ?? DEFAULT_PROTOCOL),
    apiKey: values['api-key'] === undefined ? undefined : apiKeyOption(values['api-key']),
    rateLimit:
      values['rate-limit'] === undefined
        ? undefined
        : numberOption('rate-limit', values['rate-limit'], { min: 1, max: MAX_RATE, isInteger: true }),
    indexingLagMs: numberOption('indexing-lag', values['indexing-lag'] ?? '0', { min: 0, max: MAX_LAG_MS, isInteger: true }),
    rentLamportsPerByte:
      values['rent-lamports-per-byte'] === undefined
        ? undefined
        : numberOption('rent-lamports-per-byte', values['rent-lamports-per-byte'], { min: LEAST_RENT, max: MOST_RENT, isInteger: true }),
    slotMs: numberOption('slot-ms', values['slot-ms'] ?? '400', { min: SLOT_MS_BOUNDS.min, max: SLOT_MS_BOUNDS.max, isInteger: true }),
    transactions: transactionsOption(values.transactions ?? 'service'),
    port: portOption(values.port ?? '0'),
    data: values.data ?? '.sandbox',
    isReset: values.reset === true,
    pastDays: numberOption('past-days', values['past-days'] ?? String(MAX_PAST_DAYS), { min: 1, max: MAX_PAST_DAYS, isInteger: true }),
    seed: numberOption('seed', values.seed ?? '1', { min: 0, max: Number.MAX_SAFE_INTEGER, isInteger: true }),
    leaseSeconds: values.lease === true ? leaseSecondsOption(values['lease-seconds'] ?? '10') : undefined,
    priceSpeed: numberOption('price-speed', values['price-speed'] ?? '1', { min: 0, max: MAX_PRICE_SPEED }),
  };
}

const TEXTS = [
  'port',
  'data',
  'seed',
  'past-days',
  'api-key',
  'protocol',
  'price-speed',
  'indexing-lag',
  'slot-ms',
  'rent-lamports-per-byte',
  'rate-limit',
  'lease-seconds',
  'transactions',
] as const;

type Given = Partial<Record<(typeof TEXTS)[number], string>> & {
  readonly lease?: boolean;
  readonly reset?: boolean;
  readonly help?: boolean;
};

function parse(given: readonly string[]): Given {
  try {
    return parseArgs({
      args: [...given],
      options: {
        ...(Object.fromEntries(TEXTS.map((name) => [name, { type: 'string' }])) as Record<(typeof TEXTS)[number], { type: 'string' }>),
        lease: { type: 'boolean' },
        reset: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new ArgumentError(errorText(error), { cause: error });
  }
}

/** A protocol name that has no other meaning on the wire. */
function protocol(text: string): string {
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(text) || text === 'all' || text.endsWith(PRODUCT_PROTOCOL_SUFFIX)) {
    throw new ArgumentError(
      `--protocol must be a word of lowercase letters, digits and _, other than "all" and not ending in "${PRODUCT_PROTOCOL_SUFFIX}", not "${text}"`,
    );
  }
  return text;
}
