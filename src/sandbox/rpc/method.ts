import type * as z from 'zod';
import { invalidParams, RPC_CODES, RpcError } from './errors';
import type { RpcNode } from './node';

/** A method of the JSON-RPC: takes its parameters as they came, and gives its result. @throws RpcError */
export type Method = (node: RpcNode, parameters: readonly unknown[]) => unknown;

/** Methods by name. */
export type Methods = ReadonlyMap<string, Method>;

/** Makes a method of a schema for its parameters and of what it does with them. */
export function method<Schema extends z.ZodType>(
  parameters: Schema,
  run: (node: RpcNode, parameters: z.output<Schema>) => unknown,
): Method {
  return (node, given) => {
    const parsed = parameters.safeParse(given);
    if (!parsed.success) {
      throw invalidParams(describe(parsed.error, given));
    }
    return run(node, parsed.data);
  };
}

/** Calls a method by its name. @throws RpcError where there is none of that name, or it cannot do what it is asked. */
export function callMethod(
  methods: Methods,
  node: RpcNode,
  name: string,
  parameters: readonly unknown[] | Readonly<Record<string, unknown>>,
): unknown {
  const found = methods.get(name);
  if (found === undefined) {
    throw new RpcError(RPC_CODES.methodNotFound, 'Method not found');
  }
  if (!Array.isArray(parameters)) {
    throw invalidParams('Invalid params: parameters are given by their place, in a list.');
  }
  return found(node, parameters);
}

function describe(error: z.ZodError, given: readonly unknown[]): string {
  const [issue] = error.issues;
  const [place, ...rest] = issue?.path ?? [];
  if (issue === undefined || typeof place !== 'number') {
    return issue?.code === 'too_small'
      ? `\`params\` should have at least ${String(issue.minimum)} argument(s)`
      : `Invalid params: ${given.length} are too many.`;
  }
  const where = rest.length === 0 ? '' : ` (${rest.join('.')})`;
  return `Invalid params: parameter ${place + 1}${where}: ${issue.message}.`;
}
