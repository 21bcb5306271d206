import * as z from 'zod';
import { accountMethods, tokenMethods } from './accountMethods';
import { clusterMethods } from './clusterMethods';
import { callMethod, type Methods, RPC_CODES, RpcMethodError, type RpcNode } from './method';
import { bundleMethods, simulationMethods } from './simulationMethods';
import { transactionMethods } from './transactionMethods';

const METHODS: Methods = new Map(
  Object.entries({ ...clusterMethods, ...accountMethods, ...tokenMethods, ...transactionMethods, ...simulationMethods, ...bundleMethods }),
);

const Id = z.union([z.string(), z.number(), z.null()]);

const Call = z.object({
  jsonrpc: z.literal('2.0'),
  id: Id.optional(),
  method: z.string(),
  params: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]).nullish(),
});

const Identified = z.object({ id: Id });

/**
 * Answers the JSON body of a request, a call or a batch, with JSON; empty if there is nothing to answer. Errors of the node other than
 * {@link RpcMethodError} are thrown.
 */
export function answerRpc(node: RpcNode, text: string): string {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return writeJson(failure(null, new RpcMethodError(RPC_CODES.parseError, 'Parse error')));
  }
  const answered = answerBody(node, body);
  return answered === undefined ? '' : writeJson(answered);
}

function answerBody(node: RpcNode, body: unknown): unknown {
  node.advance();
  if (!Array.isArray(body)) {
    return answer(node, body);
  }
  if (body.length === 0) {
    return failure(null, new RpcMethodError(RPC_CODES.invalidRequest, 'Invalid request'));
  }
  const answers = body.map((call: unknown) => answer(node, call)).filter((one) => one !== undefined);
  return answers.length === 0 ? undefined : answers;
}

/** A call without an id is a notification: it is executed, but not answered. */
function answer(node: RpcNode, body: unknown): unknown {
  const call = Call.safeParse(body);
  if (!call.success) {
    return failure(Identified.safeParse(body).data?.id ?? null, new RpcMethodError(RPC_CODES.invalidRequest, 'Invalid request'));
  }
  const { id, method, params } = call.data;
  try {
    const result = callMethod(METHODS, node, method, params ?? []);
    return id === undefined ? undefined : { jsonrpc: '2.0', result, id };
  } catch (error) {
    if (!(error instanceof RpcMethodError)) {
      throw error;
    }
    return id === undefined ? undefined : failure(id, error);
  }
}

function failure(id: z.output<typeof Id>, { code, message, data }: RpcMethodError): unknown {
  return { jsonrpc: '2.0', error: { code, message, data }, id };
}

/**
 * Writes a value as JSON. Big integers become numbers with all digits, as nodes write 64-bit numbers. Members that are `undefined` are left
 * out.
 */
export function writeJson(value: unknown): string {
  if (typeof value === 'bigint') {
    return value.toString();
  }
  if (Array.isArray(value)) {
    return `[${value.map((item) => (item === undefined ? 'null' : writeJson(item))).join(',')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${writeJson(member)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}
