import { PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import * as z from 'zod';
import { address, parseAddress, type Address } from '../base/solana/address';
import { rpcLine } from '../base/solana/rpcEndpoint';
import type { RpcAccount, RpcCall, RpcInnerInstruction } from './types';

// The parts of the answers that are used: what `Connection` of web3.js returns, whose own checks accept any number as an amount, and
// what nodes answer to the calls that it lacks (Solana's JSON-RPC documentation; agave, rpc-client-types). 64-bit integers are JSON
// numbers: above 2^53 they are rounded, which no wallet's balance reaches.

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** Decoding base58 takes quadratic time. Instruction data is at most as long as a transaction. */
const LONGEST_BASE58 = 16_384;

const AddressText = z.string().transform((text, context): Address => {
  const parsed = parseAddress(text);
  if (parsed === undefined) {
    context.addIssue({ code: 'custom', message: 'is not a Solana address' });
    return z.NEVER;
  }
  return parsed;
});

/** An address as web3.js gives it. */
const Key = z.instanceof(PublicKey).transform((key) => address(key.toBase58()));

const U64 = z
  .number()
  .min(0)
  .refine(Number.isInteger)
  .transform((value) => BigInt(value));

const Base58Bytes = z
  .string()
  .max(LONGEST_BASE58)
  .transform((text, context): Uint8Array => {
    const bytes = bs58.decodeUnsafe(text);
    if (bytes === undefined) {
      context.addIssue({ code: 'custom', message: 'is not base58' });
      return z.NEVER;
    }
    return bytes;
  });

/** An account. One without lamports does not exist; some nodes list it nevertheless. */
const Account = z
  .object({ lamports: U64, owner: AddressText, data: z.tuple([z.string().regex(BASE64), z.literal('base64')]) })
  .nullable()
  .transform((account): RpcAccount | undefined =>
    account === null || account.lamports === 0n
      ? undefined
      : { lamports: account.lamports, program: account.owner, data: new Uint8Array(Buffer.from(account.data[0], 'base64')) },
  );

/** The error of a transaction: a name, or a name with details. */
const TransactionError = z
  .unknown()
  .transform((error): string | undefined =>
    error === null || error === undefined ? undefined : rpcLine(typeof error === 'string' ? error : JSON.stringify(error)),
  );

const Place = z.int().min(0).max(255);

const Parsed = z.object({
  programId: AddressText,
  parsed: z.union([z.object({ type: z.string(), info: z.record(z.string(), z.unknown()).optional() }), z.string()]),
});
const Addressed = z.object({ programId: AddressText, accounts: z.array(AddressText), data: Base58Bytes });
const Compiled = z.object({ programIdIndex: Place, accounts: z.array(Place), data: Base58Bytes });

const InnerInstruction = z.union([Parsed, Addressed, Compiled]).transform((inner): RpcCall => {
  if ('parsed' in inner) {
    const { programId: program, parsed } = inner;
    return typeof parsed === 'string'
      ? { form: 'parsed', program, type: '', fields: {} }
      : { form: 'parsed', program, type: parsed.type, fields: parsed.info ?? {} };
  }
  if ('programId' in inner) {
    const { programId: program, accounts, data } = inner;
    return { form: 'addressed', program, accounts, data };
  }
  const { programIdIndex, accounts: accountIndexes, data } = inner;
  return { form: 'compiled', programIdIndex, accountIndexes, data };
});

const Slot = z
  .int()
  .min(0)
  .transform((value) => BigInt(value));

/** The answer of most methods: a value as of a slot. */
interface AsOfContext<Value> {
  readonly context: { readonly slot: bigint };
  readonly value: Value;
}

function inContext<Value extends z.ZodType>(value: Value): z.ZodObject<{ context: z.ZodObject<{ slot: typeof Slot }>; value: Value }> {
  return z.object({ context: z.object({ slot: Slot }), value });
}

/** An account that web3.js has decoded; one without lamports does not exist: some nodes list it nevertheless. */
const DecodedAccount = z
  .object({ lamports: U64, owner: Key, data: z.instanceof(Uint8Array), space: z.int().min(0).optional() })
  .nullable()
  .transform((account) => (account === null || account.lamports === 0n ? undefined : account));

/**
 * The outcome of `getMultipleAccountsInfoAndContext`. web3.js ignores characters that are not base64, so accounts that are shorter than
 * their `space` are rejected.
 * @param firstBytes how much of each account was asked for; `undefined`: all
 */
export function accountsAnswer(firstBytes = Infinity): z.ZodType<AsOfContext<readonly (RpcAccount | undefined)[]>> {
  return inContext(
    z.array(
      DecodedAccount.refine((account) => account?.space === undefined || account.data.length === Math.min(account.space, firstBytes), {
        error: () => 'is incomplete',
      }).transform((account): RpcAccount | undefined =>
        account === undefined ? undefined : { lamports: account.lamports, program: account.owner, data: new Uint8Array(account.data) },
      ),
    ),
  );
}

export const ValidityAnswer = inContext(z.boolean());
export const HeightAnswer = Slot;
export const EpochAnswer = z.object({ epoch: Slot });
export const LamportsAnswer = U64;
/** The outcome of `getRecentPerformanceSamples`. */
export const SamplesAnswer = z.array(z.object({ numSlots: z.int().min(0), samplePeriodSecs: z.int().min(0) }));
export const StatusesAnswer = inContext(
  z.array(z.object({ slot: Slot, err: TransactionError.optional(), confirmationStatus: z.string().nullish() }).nullable()),
);

const Amount = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform((text) => BigInt(text));

/** The balance of a token account. Nodes omit accounts that don't exist. */
const TokenBalance = z.object({
  accountIndex: Place,
  mint: AddressText,
  owner: AddressText.nullish(),
  uiTokenAmount: z.object({ amount: Amount }),
});

/** The version of a transaction; nodes leave it out only if they are not asked for versions. */
const Version = z.union([z.literal('legacy'), z.int().min(0)]).optional();

/** The version alone: the rest of a later one may have another form. */
export const VersionAnswer = z.object({ version: Version });

/** The answer to `getTransaction`: the accounts that lookup tables add come after those of the message, the writable ones first. */
export const TransactionAnswer = z
  .object({
    slot: Slot,
    version: Version,
    transaction: z.object({ signatures: z.array(z.string()).min(1), message: z.object({ accountKeys: z.array(AddressText) }) }),
    meta: z.object({
      err: TransactionError.optional(),
      fee: U64,
      preBalances: z.array(U64),
      postBalances: z.array(U64),
      preTokenBalances: z.array(TokenBalance).nullish(),
      postTokenBalances: z.array(TokenBalance).nullish(),
      loadedAddresses: z.object({ writable: z.array(AddressText), readonly: z.array(AddressText) }).nullish(),
    }),
  })
  .nullable();

/** An instruction with indexes into the accounts; its data stay text. */
const EncodedInstruction = z.object({ programIdIndex: Place, accounts: z.array(Place), data: z.string().max(LONGEST_BASE58) });

/** The answer to `getTransaction` with all that the transaction called. */
export const CallsAnswer = z
  .object({
    blockTime: z.int().nullish(),
    transaction: z.object({ message: z.object({ instructions: z.array(EncodedInstruction) }) }),
    meta: z.object({ innerInstructions: z.array(z.object({ index: Place, instructions: z.array(EncodedInstruction) })).nullish() }),
  })
  .nullable();

const InnerInstructions = z
  .array(z.object({ index: Place.optional(), instructions: z.array(InnerInstruction) }))
  .nullish()
  .transform((lists) =>
    lists?.flatMap(({ index: calledBy, instructions }) => instructions.map((call): RpcInnerInstruction => ({ ...call, calledBy }))),
  );

export const SimulationAnswer = inContext(
  z.object({ err: TransactionError.optional(), accounts: z.array(Account).nullish(), innerInstructions: InnerInstructions }),
);

/** The answer of Jito's method. Sources: documentation of Triton and QuickNode, jito-solana `rpc-client-api/src/bundles.rs`. */
export const BundleAnswer = inContext(
  z.object({
    summary: z.union([z.literal('succeeded'), z.object({ failed: z.object({ error: TransactionError.optional() }) })]),
    transactionResults: z.array(
      z.object({
        err: TransactionError.optional(),
        preExecutionAccounts: z.array(Account).nullish(),
        postExecutionAccounts: z.array(Account).nullish(),
        innerInstructions: InnerInstructions,
      }),
    ),
  }),
);
