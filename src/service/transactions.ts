import * as l10n from '@vscode/l10n';
import { type Address, parseAddress } from '../base/solana/address';
import { type Base64Transaction, parseBase64Transaction } from '../base/solana/wireTransaction';
import type { Strategy } from './common';
import { ServiceError } from './errors';
import { dataOf, fieldsOf, hasFields, isAbsent, listOf, malformed } from './parsing/envelope';
import { isSignature } from './parsing/fields';
import { parseNumber } from './parsing/scalars';
import type { ParseWarnings } from './parsing/records';

/** The tokens that a withdrawal returns. */
export type DecreaseOutput = 'allBaseToken' | 'allToken0' | 'allToken1' | 'both';

/** Parameters of decrease-tx. */
export interface DecreaseRequest {
  readonly positionId: string;
  /** Share to withdraw, 1 to 10000; 10000 is the whole position. */
  readonly bps: number;
  readonly owner: Address;
  /** 0 to 10000. */
  readonly slippageBps: number;
  readonly output: DecreaseOutput;
  readonly poolType?: 'dlmm' | 'dammV2';
}

/** Unsigned withdrawal transactions, in the order in which they land: close, then swap. */
export interface DecreaseBuild {
  readonly closeTransactions: readonly Base64Transaction[];
  readonly swapTransactions: readonly Base64Transaction[];
  /** Block height after which they cannot land. */
  readonly lastValidBlockHeight: number;
}

/** Signed withdrawal transactions, for landing-decrease-tx. */
export interface DecreaseLanding {
  readonly closeTransactions: readonly Base64Transaction[];
  readonly swapTransactions: readonly Base64Transaction[];
  readonly lastValidBlockHeight: number;
}

/** What is deposited from the wallet: in mode `zap-in` SOL, swapped as needed; in mode `normal` both tokens. */
export type DepositAmounts =
  | {
      readonly mode: 'zap-in';
      /** SOL as a decimal number with at most nine places. */ readonly inputSol: number;
      /** Share for token X, 0 to 1. */ readonly percentX: number;
    }
  | { readonly mode: 'normal'; /** Whole tokens. */ readonly amountX: number; readonly amountY: number };

/** Parameters of add-tx of a pool, which opens a position. */
export type AddRequest = DepositAmounts & DepositRange & { readonly pool: Address };

/** Parameters of add-tx of a position. `compound`: it claims the fees of the position and deposits them. */
export type AddToRequest = (DepositAmounts | { readonly mode: 'compound' }) & DepositRange & { readonly positionId: string };

/** The common parameters of deposits. */
interface DepositRange {
  readonly owner: Address;
  /** `undefined`, like the range, for pools without bins. */
  readonly strategy: Strategy | undefined;
  /** Both bounds are included; fromBinId ≤ toBinId. */
  readonly fromBinId: number | undefined;
  readonly toBinId: number | undefined;
  /** 0 to 10000. */
  readonly slippageBps: number;
}

/** Unsigned transactions of a deposit, in the order in which they land: swap, then add. */
export interface AddBuild {
  readonly swapTransactions: readonly Base64Transaction[];
  readonly addTransactions: readonly Base64Transaction[];
  /** Block height after which they cannot land. */
  readonly lastValidBlockHeight: number;
  /** To be passed to the landing unchanged. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** The address of the position, a new one or that of the request (`meta.positionPubKey`). */
  readonly position: Address | undefined;
}

/** Signed transactions of a deposit, for landing-add-tx. */
export interface AddLanding {
  readonly swapTransactions: readonly Base64Transaction[];
  readonly addTransactions: readonly Base64Transaction[];
  readonly lastValidBlockHeight: number;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** Parameters of claim-tx. */
export interface ClaimRequest {
  readonly owner: Address;
  /** 1 to `MOST_CLAIMED_POSITIONS`. */
  readonly positionIds: readonly string[];
}

/** Unsigned claim transactions; each stands alone. */
export interface ClaimBuild {
  readonly claimTransactions: readonly Base64Transaction[];
  /** Block height after which they cannot land. */
  readonly lastValidBlockHeight: number;
  /** To be passed to the landing unchanged. */
  readonly meta: Readonly<Record<string, unknown>>;
}

/** Signed claim transactions, for landing-claim-tx. */
export type ClaimLanding = ClaimBuild;

/** Parameters of swap-tx: a swap of a token of the wallet, or the unwrapping of all SOL in the wallet's own account for wrapped SOL. */
export type SwapRequest = { readonly owner: Address } & (
  | {
      readonly kind: 'swap';
      readonly inputMint: Address;
      readonly outputMint: Address;
      /** More than 0. */
      readonly amountRaw: bigint;
      /** 0 to 10000. */
      readonly slippageBps: number;
    }
  | { readonly kind: 'unwrap' }
);

/** Unsigned transactions of a swap, in the order in which they land. */
export interface SwapBuild {
  readonly swapTransactions: readonly Base64Transaction[];
  /** Block height after which they cannot land. */
  readonly lastValidBlockHeight: number;
}

/** Signed transactions of a swap, for landing-swap-tx. */
export type SwapLanding = SwapBuild;

/** The answer to a landing. */
export interface Landed {
  /** Base58 signature, if the service reports one. */
  readonly signature: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads the answer of decrease-tx. @throws ServiceError `malformed` if a transaction is invalid or there is none */
export function readDecreaseBuild(body: unknown, endpoint: string): DecreaseBuild {
  const data = fieldsOf(dataOf(body, endpoint), endpoint, 'data');
  const lists = transactionLists(data, endpoint, ['closeTxsWithJito', 'closeTxs'], ['swapTxsWithJito', 'swapTxs']);
  if (lists.first.length === 0) {
    throw nothingBuilt(endpoint, 'data.closeTxsWithJito');
  }
  return { closeTransactions: lists.first, swapTransactions: lists.second, lastValidBlockHeight: blockHeight(data, endpoint) };
}

/** Reads the answer of add-tx. @throws ServiceError `malformed` if a transaction is invalid or there is none */
export function readAddBuild(body: unknown, endpoint: string): AddBuild {
  const data = fieldsOf(dataOf(body, endpoint), endpoint, 'data');
  const lists = transactionLists(data, endpoint, ['addLiquidityTxsWithJito', 'addLiquidityTxs'], ['swapTxsWithJito', 'swapTxs']);
  if (lists.first.length === 0) {
    throw nothingBuilt(endpoint, 'data.addLiquidityTxsWithJito');
  }
  const meta = isAbsent(data.meta) ? {} : fieldsOf(data.meta, endpoint, 'data.meta');
  return {
    swapTransactions: lists.second,
    addTransactions: lists.first,
    lastValidBlockHeight: blockHeight(data, endpoint),
    meta,
    position: positionOf(meta.positionPubKey ?? data.positionPubKey, endpoint),
  };
}

/** Reads the answer of claim-tx. @throws ServiceError `malformed` if a transaction is invalid or there is none */
export function readClaimBuild(body: unknown, endpoint: string): ClaimBuild {
  const data = fieldsOf(dataOf(body, endpoint), endpoint, 'data');
  const { first } = transactionLists(data, endpoint, ['claimTxsWithJito', 'claimTxs'], NO_LIST);
  if (first.length === 0) {
    throw nothingBuilt(endpoint, 'data.claimTxsWithJito');
  }
  const meta = isAbsent(data.meta) ? {} : fieldsOf(data.meta, endpoint, 'data.meta');
  return { claimTransactions: first, lastValidBlockHeight: blockHeight(data, endpoint), meta };
}

/** Reads the answer of swap-tx. @throws ServiceError `malformed` if a transaction is invalid or there is none */
export function readSwapBuild(body: unknown, endpoint: string): SwapBuild {
  const data = fieldsOf(dataOf(body, endpoint), endpoint, 'data');
  const { first } = transactionLists(data, endpoint, ['swapTxsWithJito', 'swapTxs'], NO_LIST);
  if (first.length === 0) {
    throw nothingBuilt(endpoint, 'data.swapTxsWithJito');
  }
  return { swapTransactions: first, lastValidBlockHeight: blockHeight(data, endpoint) };
}

const NOT_FOUND = 404;

/**
 * Says of a service without an endpoint that it does not offer it. One that has it names what it does not find.
 * @param requested what the request names: positions, tokens, an amount
 */
export function notOffered(error: unknown, requested: readonly string[]): unknown {
  if (!(error instanceof ServiceError) || error.status !== NOT_FOUND || requested.some((name) => error.serviceMessage?.includes(name))) {
    return error;
  }
  const { kind, endpoint, status } = error;
  return new ServiceError(l10n.t('This service does not offer this. Use a Solana RPC or the sandbox.'), {
    kind,
    endpoint,
    status,
    cause: error,
  });
}

/**
 * Reads the answer of a successful landing. Nothing in it can turn the success into a failure: an unreadable signature is dropped and
 * reported.
 */
export function readLanded(body: unknown, warnings: ParseWarnings): Landed {
  const top = hasFields(body) ? body : {};
  const data = hasFields(top.data) ? top.data : {};
  const named = [data.signature, lastOf(data.signatures), data.txSignature, top.signature, lastOf(top.signatures), top.txSignature];
  const given = named.find((value) => !isAbsent(value) && value !== '');
  if (given === undefined) {
    return { signature: undefined };
  }
  if (!isSignature(given)) {
    warnings.add('data.signature', 'is not the signature of a transaction');
    return { signature: undefined };
  }
  return { signature: given };
}

/**
 * Reads the transaction lists with tips (`…WithJito`), which land as a bundle, or the plain ones if an answer has only those. Both kinds have
 * the same content, so an empty list with tips next to a full one means that there is nothing of that kind.
 */
function transactionLists(
  data: Fields,
  endpoint: string,
  first: readonly [string, string],
  second: readonly [string, string],
): { readonly first: readonly Base64Transaction[]; readonly second: readonly Base64Transaction[] } {
  const read = (name: string): readonly Base64Transaction[] => transactionsOf(data[name], endpoint, `data.${name}`);
  const readEither = ([tipped, plain]: readonly [string, string]): readonly Base64Transaction[] =>
    read(isAbsent(data[tipped]) ? plain : tipped);
  const lists = { first: readEither(first), second: readEither(second) };
  return lists.first.length + lists.second.length > 0 ? lists : { first: read(first[1]), second: read(second[1]) };
}

/** For an answer with one list. */
const NO_LIST: readonly [string, string] = ['', ''];

function transactionsOf(value: unknown, endpoint: string, field: string): readonly Base64Transaction[] {
  return listOf(value, endpoint, field).map((text, index) => {
    const transaction = typeof text === 'string' ? parseBase64Transaction(text) : undefined;
    if (transaction === undefined) {
      throw malformed(endpoint, `${field}[${index}]`, 'is not a transaction in base64');
    }
    return transaction;
  });
}

/**
 * Reads the block height after which a build cannot land. Both landing endpoints require it, and the outcome of a landing is judged by it.
 * So a build without it is refused here, before the user is asked and before anything is signed. A height from an RPC is no substitute: it
 * belongs to another blockhash, and an RPC must not permit what is refused without one.
 * @throws ServiceError `malformed`, naming the field
 */
function blockHeight(data: Fields, endpoint: string): number {
  const name = isAbsent(data.lastValidBlockHeight) && !isAbsent(data.lastValidBlock) ? 'lastValidBlock' : 'lastValidBlockHeight';
  const value = data[name];
  if (isAbsent(value)) {
    throw new ServiceError(
      l10n.t`The transactions in the answer to ${endpoint} cannot be landed: "data.lastValidBlockHeight" is missing.`,
      { kind: 'malformed', endpoint, field: 'data.lastValidBlockHeight' },
    );
  }
  const height = parseNumber(value);
  if (height === undefined || !Number.isSafeInteger(height) || height < 1) {
    throw malformed(endpoint, `data.${name}`, 'is not a block height');
  }
  return height;
}

function positionOf(value: unknown, endpoint: string): AddBuild['position'] {
  if (isAbsent(value) || value === '') {
    return undefined;
  }
  const position = typeof value === 'string' ? parseAddress(value) : undefined;
  if (position === undefined) {
    throw malformed(endpoint, 'data.meta.positionPubKey', 'is not a Solana address');
  }
  return position;
}

function lastOf(value: unknown): unknown {
  return Array.isArray(value) ? value.at(-1) : undefined;
}

function nothingBuilt(endpoint: string, field: string): ServiceError {
  return new ServiceError(l10n.t('The service built no transaction. Refresh, then try again.'), { kind: 'malformed', endpoint, field });
}
