import { AddressLookupTableAccount, PublicKey, TransactionInstruction } from '@solana/web3.js';
import * as z from 'zod';
import type { TokenAccounts, WrittenSwap } from '../../engine/assembly/types';
import { readText, withTimeout } from '../../base/http';
import { type Address, parseAddress } from '../../base/solana/address';
import { type Arguments, decodeInstruction, InstructionCodecError, type InstructionLayout } from '../../base/solana/instructionCodec';
import { JUPITER_INSTRUCTIONS } from '../../base/solana/jupiterInstructions';
import { associatedTokenAddress } from '../../base/solana/pda';
import { PROGRAMS } from '../../base/solana/programs';
import { EngineError } from '../../engine/engine';
import { rpcLine } from '../../base/solana/rpcEndpoint';
import type { ChainRpc } from '../rpc/types';
import { addressOf, readAccounts } from './accounts';
import type { SwapApiOptions } from './types';

const TIMEOUT_MS = 10_000;
const LONGEST_ANSWER_BYTES = 1_024 * 1_024;
/** Compute units of a route: more than a usual one of three exchanges takes. */
const ROUTE_COMPUTE_UNITS = 500_000;
/** Accounts of a route, so that it fits into a transaction beside the owner's accounts. */
const MOST_ACCOUNTS = 40;
const MOST_TABLES = 8;
/** Place of the wallet among the accounts of an instruction that creates an associated token account. */
const WALLET_AT = 2;

const Amount = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform(BigInt);
const Key = z.string().transform((text, context) => {
  const key = parseAddress(text);
  if (key === undefined) {
    context.addIssue('It is no address');
    return z.NEVER;
  }
  return key;
});
const Quote = z.looseObject({
  inputMint: Key,
  outputMint: Key,
  inAmount: Amount,
  outAmount: Amount,
  otherAmountThreshold: Amount,
  slippageBps: z.int().nonnegative(),
  swapMode: z.literal('ExactIn').optional(),
});
const Instruction = z.object({
  programId: Key,
  accounts: z.array(z.object({ pubkey: Key, isSigner: z.boolean(), isWritable: z.boolean() })).max(64),
  data: z.base64(),
});
type Instruction = z.output<typeof Instruction>;
const Instructions = z.object({
  setupInstructions: z.array(Instruction).max(8).nullish(),
  swapInstruction: Instruction,
  addressLookupTableAddresses: z.array(Key).max(MOST_TABLES).nullish(),
});

/** What is to be swapped. */
export interface SwapWish {
  readonly owner: Address;
  readonly sell: TokenAccounts;
  readonly buy: TokenAccounts;
  readonly inAmount: bigint;
  readonly slippageBps: number;
}

export interface ApiQuote {
  readonly out: bigint;
  /**
   * Fetches the instructions of the swap.
   * @throws SwapUnansweredError if the API does not answer; another EngineError if the instructions are not the swap that was quoted
   */
  write(): Promise<WrittenSwap>;
}

/** The swap API cannot be reached, or has no answer for now: another way is as good. */
export class SwapUnansweredError extends EngineError {}

/** Swaps by an API with Jupiter's interface. It is not trusted: the instructions must be the swap that was asked for. */
export class SwapApi {
  readonly #options: SwapApiOptions;
  readonly #rpc: ChainRpc;

  constructor(options: SwapApiOptions, rpc: ChainRpc) {
    this.#options = options;
    this.#rpc = rpc;
  }

  /**
   * `undefined`: it knows no route.
   * @throws EngineError if it cannot be reached, or its answer is not a quote for this swap
   */
  async quote(wish: SwapWish): Promise<ApiQuote | undefined> {
    const { sell, buy, inAmount, slippageBps } = wish;
    const query = new URLSearchParams({
      inputMint: sell.mint,
      outputMint: buy.mint,
      amount: String(inAmount),
      slippageBps: String(slippageBps),
      maxAccounts: String(MOST_ACCOUNTS),
    });
    const answer = await this.#fetch(`/quote?${query.toString()}`, undefined);
    if (answer === undefined) {
      return undefined;
    }
    const quote = read(Quote, answer, 'quote');
    if (
      quote.inputMint !== sell.mint ||
      quote.outputMint !== buy.mint ||
      quote.inAmount !== inAmount ||
      quote.slippageBps > slippageBps ||
      quote.outAmount === 0n
    ) {
      throw refused('its quote is for another swap');
    }
    return { out: quote.outAmount, write: () => this.#write(wish, answer, quote.outAmount) };
  }

  async #write(wish: SwapWish, quoteResponse: unknown, out: bigint): Promise<WrittenSwap> {
    const { owner, sell, buy } = wish;
    const body = { quoteResponse, userPublicKey: owner, wrapAndUnwrapSol: false, useSharedAccounts: false };
    const answer = await this.#fetch('/swap-instructions', body);
    const { swapInstruction, setupInstructions, addressLookupTableAddresses } = read(Instructions, answer, 'instructions');
    requireSwap(swapInstruction, wish, out);
    // Token accounts of the owner; the rest is left out.
    const setup = (setupInstructions ?? []).filter(
      ({ programId, accounts }) => programId === PROGRAMS.associatedToken && accounts[WALLET_AT]?.pubkey === owner,
    );
    if ([...setup, swapInstruction].some(({ accounts }) => accounts.some(({ pubkey, isSigner }) => isSigner && pubkey !== owner))) {
      throw refused('its swap needs the signature of another key');
    }
    return {
      instructions: [...setup, swapInstruction].map(written),
      computeUnits: ROUTE_COMPUTE_UNITS,
      sells: sell,
      buys: buy,
      lookupTables: await this.#tables(addressLookupTableAddresses ?? []),
    };
  }

  async #tables(addresses: readonly Address[]): Promise<WrittenSwap['lookupTables']> {
    const accounts = await readAccounts(this.#rpc, addresses);
    return addresses.map((table) => {
      const account = accounts.get(table);
      if (account === undefined) {
        throw refused(`its lookup table ${table} does not exist`);
      }
      return { address: table, entries: AddressLookupTableAccount.deserialize(account.data).addresses.map(addressOf) };
    });
  }

  /** `undefined`: it has no route (400, 404). */
  async #fetch(path: string, body: unknown): Promise<unknown> {
    const { url, fetch } = this.#options;
    const watch = withTimeout(undefined, TIMEOUT_MS);
    try {
      const response = await fetch(`${url}${path}`, {
        redirect: 'error',
        signal: watch.signal,
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      const { text, complete } = await readText(response.body, LONGEST_ANSWER_BYTES);
      if (body === undefined && (response.status === 400 || response.status === 404)) {
        return undefined;
      }
      if (!response.ok || !complete) {
        throw refused(`it answers ${response.status}`, undefined, SwapUnansweredError);
      }
      return parsed(text);
    } catch (error) {
      if (error instanceof EngineError) {
        throw error;
      }
      throw refused('it cannot be reached', error, SwapUnansweredError);
    } finally {
      watch.stop();
    }
  }
}

/**
 * @throws EngineError unless the instruction is a swap of that amount from the owner's token account into the owner's token account, with that
 * quote, and without a fee
 */
function requireSwap(
  { programId, data, accounts }: Instruction,
  { owner, sell, buy, inAmount, slippageBps }: SwapWish,
  quotedOut: bigint,
): void {
  const bytes = Buffer.from(data, 'base64');
  const layout = JUPITER_INSTRUCTIONS.find(({ discriminator }) => bytes.subarray(0, 8).toString('hex') === discriminator);
  if (programId !== PROGRAMS.jupiterV6 || layout === undefined) {
    throw refused('its swap is not one of the Jupiter program that are known');
  }
  const args = decoded(layout, bytes);
  const slippage = args['slippage_bps'];
  // Jupiter's program stands for an optional account that is not given.
  const isOneOf = (role: string, ...allowed: readonly Address[]): boolean => {
    const place = layout.accounts.findIndex(({ name }) => name === role);
    const given = accounts[place]?.pubkey;
    return place < 0 || (given !== undefined && allowed.includes(given));
  };
  const [source, destination] = [sell, buy].map(({ mint, tokenProgram }) => associatedTokenAddress(owner, mint, tokenProgram));
  if (
    source === undefined ||
    destination === undefined ||
    args['in_amount'] !== inAmount ||
    args['quoted_out_amount'] !== quotedOut ||
    typeof slippage !== 'number' ||
    slippage > slippageBps ||
    Number(args['platform_fee_bps']) !== 0 ||
    Number(args['positive_slippage_bps'] ?? 0) !== 0 ||
    !isOneOf('user_transfer_authority', owner) ||
    !isOneOf('user_source_token_account', source) ||
    !isOneOf('source_token_account', source) ||
    !isOneOf('user_destination_token_account', destination) ||
    !isOneOf('destination_token_account', destination, PROGRAMS.jupiterV6) ||
    !isOneOf('source_mint', sell.mint) ||
    !isOneOf('destination_mint', buy.mint)
  ) {
    throw refused('its swap is not the one that was quoted');
  }
}

function decoded(layout: InstructionLayout, bytes: Uint8Array): Arguments {
  try {
    return decodeInstruction(layout, bytes);
  } catch (error) {
    throw error instanceof InstructionCodecError ? refused('its swap cannot be read', error) : error;
  }
}

function written({ programId, accounts, data }: Instruction): TransactionInstruction {
  return new TransactionInstruction({
    programId: new PublicKey(programId),
    keys: accounts.map(({ pubkey, isSigner, isWritable }) => ({ pubkey: new PublicKey(pubkey), isSigner, isWritable })),
    data: Buffer.from(data, 'base64'),
  });
}

function read<Schema extends z.ZodType>(schema: Schema, answer: unknown, what: string): z.output<Schema> {
  const result = schema.safeParse(answer);
  if (!result.success) {
    throw refused(`its ${what} cannot be read: ${rpcLine(z.prettifyError(result.error))}`, undefined, SwapUnansweredError);
  }
  return result.data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refused('its answer is not JSON', error, SwapUnansweredError);
  }
}

function refused(why: string, cause?: unknown, kind = EngineError): EngineError {
  return new kind('unavailable', `The swap service gives no usable swap: ${why}`, cause === undefined ? {} : { cause });
}
