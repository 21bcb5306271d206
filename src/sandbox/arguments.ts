import { parseArgs } from 'node:util';

/** What the command line asks for. */
export interface Arguments {
  /** 0: any that is free. */
  readonly port: number;
  readonly data: string;
  readonly seed: number;
  /** Seconds without a client after which the process ends; `undefined`: it stays. */
  readonly leaseSeconds: number | undefined;
  /** How many times faster than usual prices move and people trade; 0: not at all. */
  readonly priceSpeed: number;
  /** How pools with bins are named on the wire; the others are `<protocol>_damm_v2`. */
  readonly protocol: string;
  /** Requests to the service that are let through in a minute; `undefined`: all. */
  readonly rateLimit: number | undefined;
  /** After how many milliseconds what has landed is listed. */
  readonly indexingLagMs: number;
  /** The key to use, from now on; `undefined`: the folder's own. */
  readonly apiKey: string | undefined;
  /** The world that is there is set aside, and a new one is made. */
  readonly isReset?: boolean;
}

/** A command line that makes no sense; the message says what is wrong with it. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
}

/** What `--help` prints. */
export const HELP = `Runs the liquidity service on this machine, with pretend money on a Solana virtual machine of its own.

Usage: node dist/sandbox.js [options]

  --port N          TCP port on 127.0.0.1; 0 (the default) takes any that is free
  --data DIR        folder that keeps everything; made where it is missing (default: .sandbox)
  --seed N          what a new world is made from; the same seed makes the same one (default: 1)
  --api-key KEY     key that clients send, kept in DIR (default: DIR's own, made at the first start)
  --protocol NAME   how pools with bins are named on the wire; the others are NAME_damm_v2 (default: meteora)
  --price-speed X   how many times faster than usual prices move and people trade, 0 to 1000 (default: 1)
  --indexing-lag MS how long what has landed takes to be listed, 0 to 86400000 (default: 0)
  --rate-limit N    requests to the service a minute, 1 to 1000000 (default: no limit)
  --lease           end when no client has held GET /sandbox/lease open for a while
  --lease-seconds N how long a while is (default: 10)
  --reset           set the world in DIR aside, in a file with a date in its name, and make a new one
  --help            print this

Once ready, it prints one line of JSON on standard output: url, apiKey, owner, secretKey, pid. Solana's JSON-RPC is
beside it at /rpc?api-key=KEY, controls for tests and demonstrations are under /sandbox (src/sandbox/README.md).

One process serves DIR. A second one prints the first one's line, says so, and ends.
Exit codes: 0 done, 1 failed, 2 wrong arguments, 3 no virtual machine for this system, 4 another process serves DIR.
`;

const MOST_PORT = 65_535;
const MOST_LEASE_SECONDS = 86_400;
const MOST_PRICE_SPEED = 1_000;
const MOST_RATE = 1_000_000;
const MOST_LAG_MS = 86_400_000;
const DEFAULT_PROTOCOL = 'meteora';
/** Ends the name of pools without bins: `ProtocolNames` in engine.ts. */
export const PRODUCT_ENDING = '_damm_v2';

/**
 * Reads the command line; `undefined` where help is wanted.
 * @throws ArgumentError
 */
export function readArguments(given: readonly string[]): Arguments | undefined {
  const values = parse(given);
  if (values.help === true) {
    return undefined;
  }
  if (values.data === '') {
    throw new ArgumentError('--data must name a folder');
  }
  return {
    protocol: protocol(values.protocol ?? DEFAULT_PROTOCOL),
    apiKey: values['api-key'] === undefined ? undefined : apiKey(values['api-key']),
    rateLimit: values['rate-limit'] === undefined ? undefined : number('rate-limit', values['rate-limit'], 1, MOST_RATE, true),
    indexingLagMs: number('indexing-lag', values['indexing-lag'] ?? '0', 0, MOST_LAG_MS, true),
    port: number('port', values.port ?? '0', 0, MOST_PORT, true),
    data: values.data ?? '.sandbox',
    isReset: values.reset === true,
    seed: number('seed', values.seed ?? '1', 0, Number.MAX_SAFE_INTEGER, true),
    leaseSeconds:
      values.lease === true ? number('lease-seconds', values['lease-seconds'] ?? '10', 0, MOST_LEASE_SECONDS, false) : undefined,
    priceSpeed: number('price-speed', values['price-speed'] ?? '1', 0, MOST_PRICE_SPEED, false),
  };
}

const TEXTS = ['port', 'data', 'seed', 'api-key', 'protocol', 'price-speed', 'indexing-lag', 'rate-limit', 'lease-seconds'] as const;

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
    throw new ArgumentError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function number(name: string, text: string, least: number, most: number, whole: boolean): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (Number.isNaN(value) || value < least || value > most || (whole && !Number.isSafeInteger(value))) {
    throw new ArgumentError(`--${name} must be ${whole ? 'a whole number' : 'a number'} from ${least} to ${most}, not "${text}"`);
  }
  return value;
}

/** A word as protocols are named, other than what means something else already. */
function protocol(text: string): string {
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(text) || text === 'all' || text.endsWith(PRODUCT_ENDING)) {
    throw new ArgumentError(
      `--protocol must be a word of small letters, digits and _, other than "all" and without "${PRODUCT_ENDING}" at its end, not "${text}"`,
    );
  }
  return text;
}

/** Not quoted where it is refused: it may be a key that is in use elsewhere. */
function apiKey(text: string): string {
  if (!/^[\x21-\x7e]{1,200}$/.test(text)) {
    throw new ArgumentError('--api-key must be 1 to 200 printable ASCII characters without spaces');
  }
  return text;
}
