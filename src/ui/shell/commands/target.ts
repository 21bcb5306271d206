import { parseAddress, type Address } from '../../../base/solana/address';

/** The row that a command was started on. */
export type CommandTarget =
  | { readonly kind: 'position'; /** `OpenPosition.key` */ readonly key: string }
  | { readonly kind: 'pool'; readonly address: Address }
  | {
      readonly kind: 'operation';
      readonly id: string;
      /** The one that the row is about; `undefined`: the operation as a whole. */ readonly signature: string | undefined;
    }
  /** Planned in a panel. Nobody has read the plan yet: who works with it parses it (src/protocol/plan.ts). */
  | { readonly kind: 'plan'; readonly pool: Address; readonly plan: unknown };

/**
 * Reads what a view (or anybody else who runs the command) handed over. Only the identity is taken, never amounts, but those of a plan: what
 * is known of the thing itself is read from the portfolio. `undefined` where it is nothing that a command works on.
 */
export function readTarget(argument: unknown): CommandTarget | undefined {
  const node = asRecord(argument);
  switch (node?.['kind']) {
    case 'position':
      return typeof node['key'] === 'string' ? { kind: 'position', key: node['key'] } : undefined;
    case 'detail':
      return readTarget(node['parent']);
    case 'pool': {
      const address = asAddress(asRecord(node['pool'])?.['address']);
      return address === undefined ? undefined : { kind: 'pool', address };
    }
    case 'plan': {
      const pool = asAddress(node['pool']);
      return pool === undefined ? undefined : { kind: 'plan', pool, plan: node['plan'] };
    }
    case 'operation':
      return typeof node['id'] === 'string' ? { kind: 'operation', id: node['id'], signature: undefined } : undefined;
    case 'step': {
      const target = readTarget(node['parent']);
      const { signature } = node;
      return target?.kind === 'operation' ? { ...target, signature: typeof signature === 'string' ? signature : undefined } : undefined;
    }
    default:
      return undefined;
  }
}

function asAddress(value: unknown): Address | undefined {
  return typeof value === 'string' ? parseAddress(value) : undefined;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
}
