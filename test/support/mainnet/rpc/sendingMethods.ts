import * as z from 'zod';
import { LandingError } from '../../../../src/sandbox/chain/preflight';
import type { TransactionErrorJson } from '../../../../src/sandbox/chain/types';
import { accountView } from '../../../../src/sandbox/rpc/accountView';
import {
  AccountConfig,
  Commitment,
  ContextConfig,
  invalidParams,
  method,
  type Method,
  readAddress,
  RpcMethodError,
  withConfig,
} from '../../../../src/sandbox/rpc/method';
import { balanceViews, decodedView, innerViews, readMessage, readTransaction } from '../../../../src/sandbox/rpc/transactionFormat';
import { feeOf } from '../../../../src/sandbox/rpc/transactionMethods';
import { errorText } from '../chain/errorText';
import { signatureOf } from '../chain/littleChain';
import type { Result } from '../chain/nodeChain';
import type { Node } from './node';

const PREFLIGHT_FAILED = -32002;
const SIGNATURES_WRONG = -32003;

const Encoding = z.enum(['base58', 'base64']);
const SendConfig = ContextConfig.extend({
  skipPreflight: z.boolean().nullish(),
  preflightCommitment: Commitment.nullish(),
  encoding: Encoding.nullish(),
  maxRetries: z.int().nonnegative().nullish(),
});
const SimulationConfig = ContextConfig.extend({
  sigVerify: z.boolean().nullish(),
  replaceRecentBlockhash: z.boolean().nullish(),
  encoding: Encoding.nullish(),
  accounts: z.object({ encoding: AccountConfig.shape.encoding, addresses: z.array(z.string()) }).nullish(),
  innerInstructions: z.boolean().nullish(),
});

/** Methods that run transactions. */
export const sendingMethods: Readonly<Record<string, Method<Node>>> = {
  getFeeForMessage: method(withConfig(z.string(), ContextConfig), (node, [message, config]) => {
    const wire = readMessage(message);
    const slot = node.slot(config);
    return node.inContext(slot, node.chain.isBlockhashValid(wire.recentBlockhash, slot) ? feeOf(wire) : null);
  }),

  simulateTransaction: method(withConfig(z.string(), SimulationConfig), (node, [text, config]) => {
    const { bytes } = readTransaction(text, config?.encoding ?? 'base58');
    const checkSignatures = config?.sigVerify ?? false;
    const replaceBlockhash = config?.replaceRecentBlockhash ?? false;
    if (checkSignatures && replaceBlockhash) {
      throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
    }
    const wanted = config?.accounts;
    if (wanted?.encoding === 'binary' || wanted?.encoding === 'base58') {
      throw invalidParams('base58 encoding not supported');
    }
    const slot = node.slot(config);
    const result = attempt(() => node.chain.simulate(bytes, { checkSignatures, replaceBlockhash, slot }));
    const accounts = wanted?.addresses.map((address) => {
      const of = readAddress(address);
      const account = result.after.has(of) ? result.after.get(of) : node.chain.account(of, slot);
      return account === undefined ? null : accountView(node.chain, account, { encoding: wanted.encoding ?? 'base64', slice: undefined });
    });
    const keys = result.execution.lamports.map(({ address }) => address);
    return node.inContext(slot, {
      ...simulationView(result),
      accounts: accounts === undefined ? null : result.error === null ? accounts : accounts.map(() => null),
      innerInstructions: config?.innerInstructions === true ? innerViews(result.execution, (inner) => decodedView(keys, inner)) : null,
      replacementBlockhash: replaceBlockhash ? node.chain.latestBlockhash(slot) : null,
      ...balanceViews(result.execution),
    });
  }),

  sendTransaction: method(withConfig(z.string(), SendConfig), (node, [text, config]) => {
    const { bytes } = readTransaction(text, config?.encoding ?? 'base58');
    const { chain, faults } = node;
    if (config?.skipPreflight !== true) {
      const slot = node.slot({ commitment: config?.preflightCommitment, minContextSlot: config?.minContextSlot });
      const result = attempt(() => chain.simulate(bytes, { checkSignatures: true, replaceBlockhash: false, slot }));
      refuseUnsigned(result);
      if (result.error !== null) {
        const message = `Transaction simulation failed: ${errorText(result.error)}`;
        throw new RpcMethodError(PREFLIGHT_FAILED, message, { ...simulationView(result), accounts: null, innerInstructions: null });
      }
    }
    if (faults.vanishingSends > 0) {
      faults.vanishingSends -= 1;
      return signatureOf(bytes);
    }
    // A transaction with a stale blockhash and a repeated one are answered with the signature, too, and dropped.
    refuseUnsigned(attempt(() => chain.land(bytes)));
    return signatureOf(bytes);
  }),
};

/** The part of a simulation that is also in the error of a failed preflight. */
function simulationView({ error, execution }: Result): Readonly<Record<string, unknown>> {
  return { err: error, logs: execution.logs, unitsConsumed: execution.computeUnits, returnData: null, loadedAccountsDataSize: null };
}

/** The result, or the error of a transaction that is malformed or not fully signed. */
function attempt<Value>(run: () => Value): Value | Result {
  try {
    return run();
  } catch (error) {
    if (error instanceof LandingError) {
      return refusal(error.verdict.error);
    }
    throw error;
  }
}

function refusal(error: TransactionErrorJson): Result {
  const execution = { feeLamports: 0n, computeUnits: 0n, logs: [], inner: [], loaded: undefined, lamports: [], tokens: [] };
  return { error, execution, after: new Map() };
}

/** Nodes verify signatures before anything else, with and without preflight. */
function refuseUnsigned(result: object): void {
  if ('error' in result && result.error === 'SignatureFailure') {
    throw new RpcMethodError(SIGNATURES_WRONG, 'Transaction signature verification failure');
  }
}
