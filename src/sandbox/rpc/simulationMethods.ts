import { Buffer } from 'node:buffer';
import bs58 from 'bs58';
import * as z from 'zod';
import type { Address } from '../../base/solana/address';
import type { WireTransaction } from '../../base/solana/wireTransaction';
import type { BundleStep, ChainAccount, Execution, SimulatedExecution } from '../chain/types';
import { accountView } from './accountView';
import {
  AccountConfig,
  Commitment,
  ContextConfig,
  inContext,
  invalidParams,
  method,
  type Method,
  readAddress,
  type RpcNode,
  TransactionEncoding,
  withConfig,
} from './method';
import { balanceViews, decodedView, innerViews, readTransaction } from './transactionFormat';

const SimulationConfig = ContextConfig.extend({
  sigVerify: z.boolean().nullish(),
  replaceRecentBlockhash: z.boolean().nullish(),
  encoding: TransactionEncoding.nullish(),
  accounts: z.object({ encoding: AccountConfig.shape.encoding, addresses: z.array(z.string()) }).nullish(),
  innerInstructions: z.boolean().nullish(),
});

type SimulationConfig = z.output<typeof SimulationConfig>;

/** `simulateTransaction`. */
export const simulationMethods: Readonly<Record<string, Method>> = {
  simulateTransaction: method(withConfig(z.string(), SimulationConfig), (node, [text, given]) => {
    const config = given ?? {};
    const { bytes, wire } = readTransaction(text, encodingOf(config));
    const checkSignatures = config.sigVerify ?? false;
    const replaceBlockhash = config.replaceRecentBlockhash ?? false;
    if (checkSignatures && replaceBlockhash) {
      throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
    }
    const accounts = accountsOf(config, wire);
    const simulation = node.chain.simulate(bytes, { checkSignatures, replaceBlockhash, accounts }, node.effectsOf([bytes]));
    const replacement = replaceBlockhash ? node.chain.latestBlockhash() : null;
    node.commit();
    return inContext(node, config, { ...outcome(node, config, simulation), replacementBlockhash: replacement });
  }),
};

/** The limit of the landings of the service; Jito allows five. */
const MAX_TRANSACTIONS = 100;

const MAX_ACCOUNTS = 100;

const Bundle = z.object({ encodedTransactions: z.array(z.string()) });

const Accounts = z.object({ encoding: AccountConfig.shape.encoding, addresses: z.array(z.string()) }).partial({ addresses: true });

const BundleConfig = z.object({
  preExecutionAccountsConfigs: z.array(Accounts.nullable()).nullish(),
  postExecutionAccountsConfigs: z.array(Accounts.nullable()).nullish(),
  transactionEncoding: z.enum(['base58', 'base64']).nullish(),
  /** Accepted and ignored: the chain has one state. */
  simulationBank: z
    .union([z.literal('tip'), z.object({ slot: z.int().nonnegative() }), z.object({ commitment: z.object({ commitment: Commitment }) })])
    .nullish(),
  skipSigVerify: z.boolean().nullish(),
  replaceRecentBlockhash: z.boolean().nullish(),
});

type AccountsConfig = z.output<typeof Accounts> | null;

/**
 * Jito's `simulateBundle` (jito-solana: rpc-client-api, `bundles.rs`): simulates transactions on top of each other. Unlike Jito's nodes,
 * the answer includes inner instructions.
 */
export const bundleMethods: Readonly<Record<string, Method>> = {
  simulateBundle: method(withConfig(Bundle, BundleConfig), (node, [{ encodedTransactions }, given]) => {
    const config = given ?? {};
    const count = encodedTransactions.length;
    if (count === 0 || count > MAX_TRANSACTIONS) {
      throw invalidParams(`bundles have 1 to ${MAX_TRANSACTIONS} transactions, not ${count}`);
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

/** Inner instructions with the addresses of their accounts. */
function innerInstructionViews(execution: Execution): readonly unknown[] {
  const keys = execution.lamports.map(({ address }) => address);
  return innerViews(execution, (inner) => decodedView(keys, inner));
}

function encodingOf({ encoding }: SimulationConfig): 'base58' | 'base64' {
  switch (encoding) {
    case null:
    case undefined:
    case 'binary':
    case 'base58':
      return 'base58';
    case 'base64':
      return encoding;
    case 'json':
    case 'jsonParsed':
      throw invalidParams(`unsupported encoding: ${encoding}. Supported encodings: base58, base64`);
  }
}

function accountsOf({ accounts }: SimulationConfig, wire: WireTransaction): readonly Address[] {
  if (accounts === null || accounts === undefined) {
    return [];
  }
  if (accounts.encoding === 'binary' || accounts.encoding === 'base58') {
    throw invalidParams('base58 encoding not supported');
  }
  const most = wire.tableLookups.reduce(
    (sum, { writableIndexes, readonlyIndexes }) => sum + writableIndexes.length + readonlyIndexes.length,
    wire.staticKeys.length,
  );
  if (accounts.addresses.length > most) {
    throw invalidParams(`Too many accounts provided; max ${most}`);
  }
  return accounts.addresses.map(readAddress);
}

function outcome(
  { chain }: RpcNode,
  { accounts, innerInstructions }: SimulationConfig,
  simulation: SimulatedExecution,
): Readonly<Record<string, unknown>> {
  const always = { returnData: null, loadedAccountsDataSize: null };
  if (simulation.kind === 'failed') {
    const { error, logs, computeUnits } = simulation;
    return {
      ...always,
      err: error,
      logs,
      unitsConsumed: computeUnits,
      accounts: accounts === null || accounts === undefined ? null : accounts.addresses.map(() => null),
      innerInstructions: null,
      fee: null,
      preBalances: null,
      postBalances: null,
      preTokenBalances: null,
      postTokenBalances: null,
    };
  }
  const { execution } = simulation;
  const style = { encoding: accounts?.encoding ?? ('base64' as const), slice: undefined };
  return {
    ...always,
    err: null,
    logs: execution.logs,
    unitsConsumed: execution.computeUnits,
    accounts:
      accounts === null || accounts === undefined
        ? null
        : simulation.accounts.map((account) => (account === undefined ? null : accountView(chain, account, style))),
    innerInstructions: innerInstructions === true ? innerInstructionViews(execution) : null,
    ...balanceViews(execution),
  };
}

/** Accounts to return before or after a transaction, and their encoding. */
interface Wanted {
  readonly addresses: readonly Address[];
  readonly encoding: 'base64' | 'jsonParsed';
}

/** The accounts to return for each transaction; empty lists without a configuration. @throws RpcMethodError with the message of a node */
function wantedOf(name: string, configs: readonly AccountsConfig[] | null | undefined, count: number): readonly Wanted[] {
  if (configs !== null && configs !== undefined && configs.length !== count) {
    throw invalidParams(`${name} must be equal in length to the number of transactions`);
  }
  return Array.from({ length: count }, (_, index): Wanted => {
    const { addresses = [], encoding } = configs?.[index] ?? {};
    if (addresses.length > MAX_ACCOUNTS) {
      throw invalidParams(`Too many accounts provided; max ${MAX_ACCOUNTS}`);
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
    innerInstructions: innerInstructionViews(execution),
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
