import * as z from 'zod';
import { callMethod, type Methods, RPC_CODES, RpcMethodError } from '../../../../src/sandbox/rpc/method';
import { writeJson } from '../../../../src/sandbox/rpc/rpc';
import { accountMethods } from './accountMethods';
import { clusterMethods } from './clusterMethods';
import type { ActiveFault } from './faults';
import { historyMethods } from './historyMethods';
import type { Node } from './node';
import { sendingMethods } from './sendingMethods';

export const NODE_METHODS: Methods<Node> = new Map(
  Object.entries({ ...clusterMethods, ...accountMethods, ...historyMethods, ...sendingMethods }),
);

const REFUSED = -32010;

const Id = z.union([z.string(), z.number(), z.null()]);
const Call = z.object({ jsonrpc: z.literal('2.0'), id: Id.optional(), method: z.string(), params: z.array(z.unknown()).nullish() });
/** One call of JSON-RPC. */
export type Call = z.output<typeof Call>;

/** The calls of a request. */
export interface Calls {
  readonly calls: readonly Call[];
  readonly isBatch: boolean;
}

/** Reads a request, one call or a batch; `undefined` if it is neither. */
export function readCalls(text: string): Calls | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  const calls = z.array(Call).safeParse(Array.isArray(body) ? body : [body]);
  return calls.success && calls.data.length > 0 ? { calls: calls.data, isBatch: Array.isArray(body) } : undefined;
}

/** The body of the answer to what is not a request. */
export function invalidRequest(): string {
  return JSON.stringify({ jsonrpc: '2.0', error: { code: RPC_CODES.invalidRequest, message: 'Invalid request' }, id: null });
}

/** Executes the calls. @returns the body of the answer */
export function answerCalls(methods: Methods<Node>, node: Node, { calls, isBatch }: Calls, active: ActiveFault | undefined): string {
  const answers = calls.map((call) => answer(methods, node, call, active));
  return writeJson(isBatch ? answers : answers[0]);
}

function answer(methods: Methods<Node>, node: Node, { id = null, method, params }: Call, active: ActiveFault | undefined): unknown {
  const fault = active?.method === undefined || active.method === method ? active?.fault : undefined;
  const isExecuted = (fault?.kind !== 'refuse' && fault?.kind !== 'null') || active?.carriedOut === true;
  try {
    const executed = isExecuted ? callMethod(methods, node, method, params ?? []) : null;
    if (fault?.kind === 'refuse') {
      throw new RpcMethodError(fault.code ?? REFUSED, fault.message ?? `${method} is not available`);
    }
    const result = fault?.kind === 'null' ? null : executed;
    return { jsonrpc: '2.0', result, id };
  } catch (error) {
    if (!(error instanceof RpcMethodError)) {
      throw error;
    }
    const { code, message, data } = error;
    return { jsonrpc: '2.0', error: { code, message, data }, id };
  }
}
