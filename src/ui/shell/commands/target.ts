import { parseAddress, type Address } from '../../../base/solana/address';

/** The row that a command was started on. */
export type CommandTarget =
  | { readonly kind: 'position'; /** `OpenPosition.key` */ readonly key: string }
  | { readonly kind: 'pool'; readonly address: Address }
  | {
      readonly kind: 'operation';
      readonly id: string;
      /** Signature of the row; `undefined`: the row is the whole operation. */ readonly signature: string | undefined;
    }
  /** Planned in a panel. The plan is not parsed yet (see src/protocol/pool.ts). */
  | { readonly kind: 'plan'; readonly pool: Address; readonly plan: unknown };

/**
 * Reads the argument of a command, which can come from a view or from any other extension. It takes only the identity, and the plan of a
 * panel; all other data comes from the portfolio.
 * @returns `undefined` if the argument identifies nothing that a command works on
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
