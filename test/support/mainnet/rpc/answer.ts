import * as z from 'zod';
import { callMethod, type Methods, RPC_CODES, RpcMethodError } from '../../../../src/sandbox/rpc/method';
import { writeJson } from '../../../../src/sandbox/rpc/rpc';
import { accountMethods } from './accountMethods';
import { clusterMethods } from './clusterMethods';
import type { Meeting } from './faults';
import { historyMethods } from './historyMethods';
import type { Node } from './node';
import { sendingMethods } from './sendingMethods';

/** The methods of a node. */
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

/** A request: one call or a batch; `undefined` if it is none. */
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

/** The body of the answer to a request that is none. */
export function invalidRequest(): string {
  return JSON.stringify({ jsonrpc: '2.0', error: { code: RPC_CODES.invalidRequest, message: 'Invalid request' }, id: null });
}

/** Carries out the calls. @returns the body of the answer */
export function answerCalls(methods: Methods<Node>, node: Node, { calls, isBatch }: Calls, meeting: Meeting | undefined): string {
  const answers = calls.map((call) => answer(methods, node, call, meeting));
  return writeJson(isBatch ? answers : answers[0]);
}

function answer(methods: Methods<Node>, node: Node, { id = null, method, params }: Call, meeting: Meeting | undefined): unknown {
  const isMet = meeting !== undefined && (meeting.method === undefined || meeting.method === method);
  const fault = isMet ? meeting.fault : undefined;
  try {
    if (isMet && meeting.carriedOut) {
      callMethod(methods, node, method, params ?? []);
    }
    if (fault?.kind === 'refuse') {
      throw new RpcMethodError(fault.code ?? REFUSED, fault.message ?? `${method} is not available`);
    }
    const result = fault?.kind === 'null' ? null : callMethod(methods, node, method, params ?? []);
    return { jsonrpc: '2.0', result, id };
  } catch (error) {
    if (!(error instanceof RpcMethodError)) {
      throw error;
    }
    const { code, message, data } = error;
    return { jsonrpc: '2.0', error: { code, message, data }, id };
  }
}
