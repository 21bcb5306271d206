import { Buffer } from 'node:buffer';
import bs58 from 'bs58';
import * as z from 'zod';
import type { Address } from '../../base/solana/address';
import type { BundleStep, ChainAccount } from '../chain/types';
import { accountView } from './accountView';
import { invalidParams } from './errors';
import { method, type Method } from './method';
import type { RpcNode } from './node';
import { AccountConfig, Commitment, inContext, readAddress, withConfig } from './parameters';
import { calledBy } from './simulationMethods';
import { readTransaction } from './transactionBytes';

/** As the service's own landings have it: more than Jito's five. */
const MOST_TRANSACTIONS = 100;
const MOST_ACCOUNTS = 100;

const Bundle = z.object({ encodedTransactions: z.array(z.string()) });
const Accounts = z.object({ encoding: AccountConfig.shape.encoding, addresses: z.array(z.string()) }).partial({ addresses: true });
const BundleConfig = z.object({
  preExecutionAccountsConfigs: z.array(Accounts.nullable()).nullish(),
  postExecutionAccountsConfigs: z.array(Accounts.nullable()).nullish(),
  transactionEncoding: z.enum(['base58', 'base64']).nullish(),
  /** There is one state alone: whichever is asked for. */
  simulationBank: z
    .union([z.literal('tip'), z.object({ slot: z.int().nonnegative() }), z.object({ commitment: z.object({ commitment: Commitment }) })])
    .nullish(),
  skipSigVerify: z.boolean().nullish(),
  replaceRecentBlockhash: z.boolean().nullish(),
});
type AccountsConfig = z.output<typeof Accounts> | null;

/**
 * Jito's `simulateBundle` (jito-solana: rpc-client-api, `bundles.rs`): what transactions would do one after the other. What
 * programs called is told as well, which Jito's nodes do not.
 */
export const bundleMethods: Readonly<Record<string, Method>> = {
  simulateBundle: method(withConfig(Bundle, BundleConfig), (node, [{ encodedTransactions }, given]) => {
    const config = given ?? {};
    const count = encodedTransactions.length;
    if (count === 0 || count > MOST_TRANSACTIONS) {
      throw invalidParams(`bundles have 1 to ${MOST_TRANSACTIONS} transactions, not ${count}`);
    }
    const replaceBlockhash = config.replaceRecentBlockhash ?? false;
    const checkSignatures = !(config.skipSigVerify ?? false);
    if (checkSignatures && replaceBlockhash) {
      throw invalidParams('replaceRecentBlockhash needs skipSigVerify');
    }
    const transactions = encodedTransactions.map((text) => readTransaction(text, config.transactionEncoding ?? 'base64').bytes);
    const before = wantedOf('preExecutionAccountsConfigs', config.preExecutionAccountsConfigs, count);
    const after = wantedOf('postExecutionAccountsConfigs', config.postExecutionAccountsConfigs, count);
    const terms = {
      checkSignatures,
      replaceBlockhash,
      before: before.map(({ addresses }) => addresses),
      after: after.map(({ addresses }) => addresses),
    };
    const steps = node.chain.simulateBundle(transactions, terms, node.effectsOf(transactions));
    node.commit();
    const transactionResults = steps.map((step, index) => resultView(node, step, before[index], after[index]));
    return inContext(node, undefined, { summary: summaryView(steps), transactionResults });
  }),
};

/** Whose state is wanted around one transaction, and how it is written. */
interface Wanted {
  readonly addresses: readonly Address[];
  readonly encoding: 'base64' | 'jsonParsed';
}

/** One entry for each transaction; all empty where there is no list. @throws RpcError in the words of a node */
function wantedOf(name: string, configs: readonly AccountsConfig[] | null | undefined, count: number): readonly Wanted[] {
  if (configs !== null && configs !== undefined && configs.length !== count) {
    throw invalidParams(`${name} must be equal in length to the number of transactions`);
  }
  return Array.from({ length: count }, (_, index): Wanted => {
    const { addresses = [], encoding } = configs?.[index] ?? {};
    if (addresses.length > MOST_ACCOUNTS) {
      throw invalidParams(`Too many accounts provided; max ${MOST_ACCOUNTS}`);
    }
    if (encoding === 'binary' || encoding === 'base58' || encoding === 'base64+zstd') {
      throw invalidParams(`${encoding} encoding not supported`);
    }
    return { addresses: addresses.map(readAddress), encoding: encoding ?? 'base64' };
  });
}

function resultView(
  node: RpcNode,
  { before, simulation }: BundleStep,
  wantedBefore: Wanted | undefined,
  wantedAfter: Wanted | undefined,
): unknown {
  const view = (accounts: readonly (ChainAccount | undefined)[], wanted: Wanted | undefined): unknown =>
    accounts.map((account) =>
      account === undefined ? null : accountView(node.chain, account, { encoding: wanted?.encoding ?? 'base64', slice: undefined }),
    );
  const preExecutionAccounts = view(before, wantedBefore);
  if (simulation.kind === 'failed') {
    const { error, logs, computeUnits } = simulation;
    return {
      err: error,
      logs,
      unitsConsumed: computeUnits,
      returnData: null,
      preExecutionAccounts,
      postExecutionAccounts: null,
      innerInstructions: null,
    };
  }
  const { execution, accounts } = simulation;
  return {
    err: null,
    logs: execution.logs,
    unitsConsumed: execution.computeUnits,
    returnData: null,
    preExecutionAccounts,
    postExecutionAccounts: view(accounts, wantedAfter),
    innerInstructions: calledBy(execution),
  };
}

function summaryView(steps: readonly BundleStep[]): unknown {
  const last = steps.at(-1);
  if (last === undefined || last.simulation.kind === 'succeeded') {
    return 'succeeded';
  }
  const { signature, simulation } = last;
  return {
    failed: { error: { TransactionFailure: [[...Buffer.from(bs58.decode(signature))], simulation.reason] }, tx_signature: signature },
  };
}
