import * as z from 'zod';
import type { Address } from '../../base/solana/address';
import type { WireTransaction } from '../../base/solana/wireTransaction';
import type { Execution, Simulation } from '../chain/types';
import { accountView } from './accountView';
import { invalidParams } from './errors';
import { method, type Method } from './method';
import type { RpcNode } from './node';
import { AccountConfig, ContextConfig, inContext, readAddress, TransactionEncoding, withConfig } from './parameters';
import { readTransaction } from './transactionBytes';
import { balanceViews, decodedView, innerViews } from './transactionView';

const SimulationConfig = ContextConfig.extend({
  sigVerify: z.boolean().nullish(),
  replaceRecentBlockhash: z.boolean().nullish(),
  encoding: TransactionEncoding.nullish(),
  accounts: z.object({ encoding: AccountConfig.shape.encoding, addresses: z.array(z.string()) }).nullish(),
  innerInstructions: z.boolean().nullish(),
});
type SimulationConfig = z.output<typeof SimulationConfig>;

/** What a transaction would do. */
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

/** What programs called, by the addresses of the accounts. */
export function calledBy(execution: Execution): readonly unknown[] {
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
  simulation: Simulation,
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
    innerInstructions: innerInstructions === true ? calledBy(execution) : null,
    ...balanceViews(execution),
  };
}
