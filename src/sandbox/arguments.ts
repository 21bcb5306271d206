import { parseArgs } from 'node:util';

/** What the command line asks for. */
export interface Arguments {
  /** 0: any that is free. */
  readonly port: number;
  readonly data: string;
  readonly seed: number;
  /** Seconds without a client after which the process ends; `undefined`: it stays. */
  readonly leaseSeconds: number | undefined;
  /** How many times faster than usual prices move. */
  readonly priceSpeed: number;
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
  --lease           end when no client has held GET /sandbox/lease open for a while
  --lease-seconds N how long a while is (default: 10)
  --price-speed X   how many times faster than usual prices move, 0 to 1000 (default: 1)
  --help            print this

Once ready, it prints one line of JSON on standard output: url, apiKey, owner, secretKey, pid.
Where another sandbox already serves DIR, it prints that one's line and ends.
`;

const MOST_PORT = 65_535;
const MOST_LEASE_SECONDS = 86_400;
const MOST_PRICE_SPEED = 1_000;

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
    port: number('port', values.port ?? '0', 0, MOST_PORT, true),
    data: values.data ?? '.sandbox',
    seed: number('seed', values.seed ?? '1', 0, Number.MAX_SAFE_INTEGER, true),
    leaseSeconds: values.lease === true ? number('lease-seconds', values['lease-seconds'] ?? '10', 0, MOST_LEASE_SECONDS, false) : undefined,
    priceSpeed: number('price-speed', values['price-speed'] ?? '1', 0, MOST_PRICE_SPEED, false),
  };
}

type Given = Partial<Record<'port' | 'data' | 'seed' | 'lease-seconds' | 'price-speed', string>> & { readonly lease?: boolean; readonly help?: boolean };

function parse(given: readonly string[]): Given {
  try {
    return parseArgs({
      args: [...given],
      options: {
        port: { type: 'string' },
        data: { type: 'string' },
        seed: { type: 'string' },
        lease: { type: 'boolean' },
        'lease-seconds': { type: 'string' },
        'price-speed': { type: 'string' },
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
