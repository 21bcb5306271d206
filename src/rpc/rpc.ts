import * as l10n from '@vscode/l10n';
import { PublicKey, type Connection } from '@solana/web3.js';
import { setTimeout as delay } from 'node:timers/promises';
import type * as z from 'zod';
import type { RawTransaction } from '../base/insight/flows';
import type { Address } from '../base/solana/address';
import { RentRate, RentRateError } from '../base/solana/rent';
import { EpochRent } from './epochRent';
import {
  accountsAnswer,
  BundleAnswer,
  CallsAnswer,
  EpochAnswer,
  HeightAnswer,
  LamportsAnswer,
  SamplesAnswer,
  SimulationAnswer,
  StatusesAnswer,
  TransactionAnswer,
  ValidityAnswer,
  VersionAnswer,
} from './schemas';
import { createTransport, RpcError, type RpcTransport, type RpcTransportOptions } from './transport';
import type { AccountsRequest, AsOf, LandedTransaction, RpcAccount, RpcCallOptions, SolanaRpc, TokenChange } from './types';

/** Limit of getMultipleAccounts (agave: MAX_MULTIPLE_ACCOUNTS). */
const ACCOUNTS_PER_CALL = 100;
/** "Method not found" (JSON-RPC 2.0). */
const METHOD_NOT_FOUND = -32601;
/** "Minimum context slot has not been reached" (agave: rpc_custom_error.rs). */
const MIN_SLOT_NOT_REACHED = -32016;
/** "Transaction version is not supported by the requesting client" (agave: rpc_custom_error.rs). */
const UNSUPPORTED_VERSION = -32015;
/** The latest version of transactions that is read (SIMD-0385). */
const LATEST_VERSION = 1;
/** Pause before a node that lags behind is asked again. */
const LAGGING_NODE_PAUSE_MS = 400;
/** Performance samples of a minute each: enough to even out a minute with skipped slots. */
const SAMPLES = 3;
/** The newest state. A confirmed one may be a second older. */
const COMMITMENT = 'processed';
/** State that no fork can undo; about 13 s old. */
const FINAL_COMMITMENT = 'finalized';
/** The newest commitment at which nodes return whole transactions. */
const TRANSACTION_COMMITMENT = 'confirmed';
const TRANSACTION_METHOD = 'getTransaction';

/**
 * Creates the client of a Solana RPC. It sends nothing on its own, opens no WebSocket, and remembers only whether bundles can be simulated
 * and the rent of the epoch. `Connection` of web3.js makes the calls, except for the simulations, transactions and the rent.
 */
export function createRpc(options: RpcTransportOptions): SolanaRpc {
  const transport = createTransport(options);
  let simulatesBundles = true;
  /** Runs a call of `Connection` and checks its outcome: amounts of money must be whole, addresses and counts the ones asked for. */
  const connected = async <Schema extends z.ZodType>(
    schema: Schema,
    method: string,
    run: (connection: Connection) => Promise<unknown>,
    { signal }: RpcCallOptions = {},
  ): Promise<z.output<Schema>> => checked(schema, method, await transport.connected(method, run, signal), transport);
  const call = async <Schema extends z.ZodType>(
    schema: Schema,
    method: string,
    parameters: readonly unknown[],
    { signal }: RpcCallOptions = {},
  ): Promise<z.output<Schema>> => checked(schema, method, await transport.call(method, parameters, signal), transport);
  const rent = new EpochRent({
    epoch: async (callOptions) => {
      const run = (connection: Connection) => connection.getEpochInfo({ commitment: COMMITMENT });
      return (await connected(EpochAnswer, 'getEpochInfo', run, callOptions)).epoch;
    },
    rate: async (callOptions) => {
      const method = 'getMinimumBalanceForRentExemption';
      // Not with `Connection`: it turns an error into 0.
      const lamports = await call(LamportsAnswer, method, [0, { commitment: COMMITMENT }], callOptions);
      try {
        return RentRate.byEmptyAccount(lamports);
      } catch (error) {
        throw error instanceof RentRateError ? transport.malformed(method, error.message) : error;
      }
    },
    nowMs: () => performance.now(),
  });

  return {
    name: transport.name,

    rentRate: (callOptions) => rent.current(callOptions),

    accounts: async (request, callOptions) => {
      const chunks = await Promise.all(chunksOf(request.addresses).map((addresses) => accountsOf({ ...request, addresses }, callOptions)));
      const [first, ...rest] = chunks.map(({ slot }) => slot);
      return {
        slot: rest.reduce((least, slot) => (slot < least ? slot : least), first ?? 0n),
        value: chunks.flatMap(({ value }) => value),
      };
    },

    isBlockhashValid: async (blockhash, callOptions) => {
      const run = (connection: Connection) => connection.isBlockhashValid(blockhash, { commitment: COMMITMENT });
      return (await connected(ValidityAnswer, 'isBlockhashValid', run, callOptions)).value;
    },

    blockHeight: (callOptions) =>
      connected(HeightAnswer, 'getBlockHeight', (connection) => connection.getBlockHeight({ commitment: COMMITMENT }), callOptions),

    slotMs: async (callOptions) => {
      const run = (connection: Connection) => connection.getRecentPerformanceSamples(SAMPLES);
      const samples = await connected(SamplesAnswer, 'getRecentPerformanceSamples', run, callOptions);
      const slots = samples.reduce((sum, { numSlots }) => sum + numSlots, 0);
      const seconds = samples.reduce((sum, { samplePeriodSecs }) => sum + samplePeriodSecs, 0);
      return slots === 0 || seconds === 0 ? undefined : (seconds * 1_000) / slots;
    },

    signatureStatuses: async (signatures, callOptions) => {
      const method = 'getSignatureStatuses';
      const run = (connection: Connection) => connection.getSignatureStatuses([...signatures], { searchTransactionHistory: true });
      const { value } = await connected(StatusesAnswer, method, run, callOptions);
      return sameCount(value, signatures.length, method, transport).map((status) =>
        status === null
          ? undefined
          : { slot: status.slot, error: status.err, ...(status.confirmationStatus === 'processed' ? { isProvisional: true } : {}) },
      );
    },

    transaction: async (signature, callOptions) => (await landedWith(signature, callOptions))?.landed,

    transactionWithCalls: async (signature, callOptions) => {
      const found = await landedWith(signature, callOptions);
      const calls = found === undefined ? null : checked(CallsAnswer, TRANSACTION_METHOD, found.result, transport);
      return found === undefined || calls === null ? undefined : rawTransaction(found.answer, calls);
    },

    // Not with `Connection`: it serializes the transaction again instead of sending the bytes that will be signed, rejects inner instructions
    // with account indexes, and requires more fields than are used.
    simulate: async ({ transaction, accounts, minSlot }, callOptions) => {
      const method = 'simulateTransaction';
      const config = {
        encoding: 'base64',
        commitment: COMMITMENT,
        sigVerify: false,
        replaceRecentBlockhash: false,
        innerInstructions: true,
        accounts: { encoding: 'base64', addresses: accounts },
        ...(minSlot === undefined ? {} : { minContextSlot: Number(minSlot) }),
      };
      const { context, value } = await retryOnLaggingNode(
        () => call(SimulationAnswer, method, [transaction, config], callOptions),
        callOptions,
      );
      const succeeds = value.err === undefined;
      const after = succeeds ? sameCount(value.accounts ?? [], accounts.length, method, transport) : undefined;
      return { slot: context.slot, value: { error: value.err, accounts: after, innerInstructions: value.innerInstructions } };
    },

    // A method of Jito's, which `Connection` lacks.
    simulateBundle: async ({ transactions, accounts }, callOptions) => {
      if (!simulatesBundles) {
        return undefined;
      }
      const method = 'simulateBundle';
      const watched = transactions.map(() => ({ encoding: 'base64', addresses: accounts }));
      const config = {
        transactionEncoding: 'base64',
        simulationBank: { commitment: { commitment: COMMITMENT } },
        skipSigVerify: true,
        replaceRecentBlockhash: false,
        preExecutionAccountsConfigs: watched,
        postExecutionAccountsConfigs: watched,
      };
      let answer: z.output<typeof BundleAnswer>;
      try {
        answer = await call(BundleAnswer, method, [{ encodedTransactions: transactions }, config], callOptions);
      } catch (error) {
        if (error instanceof RpcError && error.code === METHOD_NOT_FOUND) {
          simulatesBundles = false;
          return undefined;
        }
        throw error;
      }
      const { context, value } = answer;
      const { summary, transactionResults } = value;
      if (transactionResults.length > transactions.length || (summary === 'succeeded' && transactionResults.length < transactions.length)) {
        throw transport.malformed(method, `${transactionResults.length} results for ${transactions.length} transactions`);
      }
      const of = (list: readonly (RpcAccount | undefined)[] | null | undefined) =>
        list === null || list === undefined ? undefined : sameCount(list, accounts.length, method, transport);
      return {
        slot: context.slot,
        value: {
          error: summary === 'succeeded' ? undefined : (summary.failed.error ?? 'no reason given'),
          transactions: transactionResults.map(({ err, preExecutionAccounts, postExecutionAccounts, innerInstructions }) => ({
            error: err,
            innerInstructions,
            before: err === undefined || preExecutionAccounts?.length === accounts.length ? of(preExecutionAccounts) : undefined,
            // A failed transaction changes no accounts; its list may be empty.
            after: err === undefined ? of(postExecutionAccounts) : undefined,
          })),
        },
      };
    },
  };

  // Not with `Connection`: it rejects later versions as malformed, and so version 1 without each value of its configuration.
  async function landedWith(
    signature: string,
    { signal }: RpcCallOptions = {},
  ): Promise<{ readonly landed: LandedTransaction; readonly answer: FoundTransaction; readonly result: unknown } | undefined> {
    const config = { commitment: TRANSACTION_COMMITMENT, maxSupportedTransactionVersion: LATEST_VERSION };
    const result = await transport.call(TRANSACTION_METHOD, [signature, config], signal).catch((error: unknown) => {
      throw error instanceof RpcError && error.code === UNSUPPORTED_VERSION ? unsupportedVersion(error) : error;
    });
    const version = VersionAnswer.safeParse(result).data?.version;
    if (typeof version === 'number' && version > LATEST_VERSION) {
      throw unsupportedVersion();
    }
    const answer = checked(TransactionAnswer, TRANSACTION_METHOD, result, transport);
    const malformed = (problem: string): RpcError => transport.malformed(TRANSACTION_METHOD, problem);
    return answer === null ? undefined : { landed: landedTransaction(signature, answer, malformed), answer, result };
  }

  async function accountsOf(
    { addresses, firstBytes, isFinal = false }: AccountsRequest,
    callOptions: RpcCallOptions | undefined,
  ): Promise<AsOf<readonly (RpcAccount | undefined)[]>> {
    const method = 'getMultipleAccounts';
    const config = {
      commitment: isFinal ? FINAL_COMMITMENT : COMMITMENT,
      ...(firstBytes === undefined ? {} : { dataSlice: { offset: 0, length: firstBytes } }),
    } as const;
    const keys = addresses.map((of) => new PublicKey(of));
    const run = (connection: Connection) => connection.getMultipleAccountsInfoAndContext(keys, config);
    const { context, value } = await connected(accountsAnswer(firstBytes), method, run, callOptions);
    return { slot: context.slot, value: sameCount(value, addresses.length, method, transport) };
  }
}

type FoundTransaction = NonNullable<z.output<typeof TransactionAnswer>>;

/** The form in which base/insight/flows.ts reads a transaction. */
function rawTransaction({ transaction, meta }: FoundTransaction, calls: NonNullable<z.output<typeof CallsAnswer>>): RawTransaction {
  const balances = (list: FoundTransaction['meta']['preTokenBalances']): NonNullable<RawTransaction['meta']>['preTokenBalances'] =>
    list?.map(({ accountIndex, mint, owner, uiTokenAmount }) => ({
      accountIndex,
      mint,
      owner: owner ?? undefined,
      amount: uiTokenAmount.amount,
    }));
  return {
    blockTime: calls.blockTime,
    transaction: {
      signatures: transaction.signatures,
      message: { accountKeys: transaction.message.accountKeys, instructions: calls.transaction.message.instructions },
    },
    meta: {
      err: meta.err,
      fee: meta.fee,
      preBalances: meta.preBalances,
      postBalances: meta.postBalances,
      loadedAddresses: meta.loadedAddresses,
      preTokenBalances: balances(meta.preTokenBalances),
      postTokenBalances: balances(meta.postTokenBalances),
      innerInstructions: calls.meta.innerInstructions,
    },
  };
}

/**
 * Assigns the balances of a transaction to its accounts.
 * @throws RpcError if it is another transaction, or the numbers of balances and accounts differ
 */
function landedTransaction(
  signature: string,
  { slot, transaction, meta }: FoundTransaction,
  malformed: (problem: string) => RpcError,
): LandedTransaction {
  if (transaction.signatures[0] !== signature) {
    throw malformed('it is another transaction');
  }
  const { writable = [], readonly: readOnly = [] } = meta.loadedAddresses ?? {};
  const accounts = [...transaction.message.accountKeys, ...writable, ...readOnly];
  if (meta.preBalances.length !== accounts.length || meta.postBalances.length !== accounts.length) {
    throw malformed(`${meta.preBalances.length} and ${meta.postBalances.length} balances of ${accounts.length} accounts`);
  }
  return {
    slot,
    error: meta.err,
    feeLamports: meta.fee,
    lamports: accounts.map((address, index) => ({ address, before: meta.preBalances[index] ?? 0n, after: meta.postBalances[index] ?? 0n })),
    tokens: tokenChanges(accounts, meta, malformed),
  };
}

/** The changes by token account. An account that is closed and created again for another token counts as two. */
function tokenChanges(
  accounts: readonly Address[],
  { preTokenBalances, postTokenBalances }: FoundTransaction['meta'],
  malformed: (problem: string) => RpcError,
): readonly TokenChange[] {
  const changes = new Map<string, TokenChange>();
  const add = (balances: FoundTransaction['meta']['preTokenBalances'], side: 'beforeRaw' | 'afterRaw'): void => {
    for (const { accountIndex, mint, owner, uiTokenAmount } of balances ?? []) {
      const account = accounts[accountIndex];
      if (account === undefined) {
        throw malformed(`a token balance of account ${accountIndex} of ${accounts.length}`);
      }
      const key = `${account} ${mint} ${owner ?? ''}`;
      const known = changes.get(key) ?? { account, mint, owner: owner ?? undefined, beforeRaw: 0n, afterRaw: 0n };
      changes.set(key, { ...known, [side]: uiTokenAmount.amount });
    }
  };
  add(preTokenBalances, 'beforeRaw');
  add(postTokenBalances, 'afterRaw');
  return [...changes.values()];
}

function unsupportedVersion(cause?: RpcError): RpcError {
  return new RpcError(
    'unsupportedVersion',
    l10n.t('This transaction needs a newer version of Binsight.'),
    UNSUPPORTED_VERSION,
    cause === undefined ? {} : { cause },
  );
}

/** Repeats a call once after a pause if the node has not reached the minimum slot: many nodes share an address, and some lag behind. */
async function retryOnLaggingNode<Result>(run: () => Promise<Result>, { signal }: RpcCallOptions = {}): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof RpcError && error.code === MIN_SLOT_NOT_REACHED)) {
      throw error;
    }
  }
  // Ends early if it is cancelled; the call then reports that.
  await delay(LAGGING_NODE_PAUSE_MS, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
  return run();
}

/** @throws RpcError that names the first value that violates the schema */
function checked<Schema extends z.ZodType>(schema: Schema, method: string, result: unknown, transport: RpcTransport): z.output<Schema> {
  const parsed = schema.safeParse(result);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw transport.malformed(method, `${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is missing'}`);
  }
  return parsed.data;
}

function sameCount<Item>(items: readonly Item[], count: number, method: string, transport: RpcTransport): readonly Item[] {
  if (items.length !== count) {
    throw transport.malformed(method, `${items.length} answers to ${count} questions`);
  }
  return items;
}

function chunksOf(addresses: readonly Address[]): readonly (readonly Address[])[] {
  const count = Math.ceil(addresses.length / ACCOUNTS_PER_CALL);
  return Array.from({ length: count }, (_, index) => addresses.slice(index * ACCOUNTS_PER_CALL, (index + 1) * ACCOUNTS_PER_CALL));
}
