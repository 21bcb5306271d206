import * as z from 'zod';
import { type Address, parseAddress } from '../../base/solana/address';
import { RentRate, RentRateError } from '../../base/solana/rent';
import {
  type AccountState,
  type ChainFacts,
  type InnerInstruction,
  type MintRisk,
  NO_FACTS,
  type PoolFact,
  type PositionFact,
  type SimulatedTransaction,
  type TokenAccountFact,
} from '../facts/facts';

// Types of the fields of a case.

const ADDRESS_WORDS = 'is not a Solana address';
const LAMPORTS_WORDS = 'is not a whole number of lamports';
/** The maximum number of digits; no amount on Solana has as many. */
const LONGEST_AMOUNT = 40;

/** An address as base58 text. */
export const AddressText = z.string(ADDRESS_WORDS).transform((text, context): Address => {
  const parsed = parseAddress(text);
  if (parsed === undefined) {
    context.addIssue({ code: 'custom', message: ADDRESS_WORDS });
    return z.NEVER;
  }
  return parsed;
});

/** The maximum number of digits of figures computed from listed numbers, which may be as absurd as a double allows. */
const LONGEST_FIGURE = 1_000;
export const WholeFigure = z
  .union([z.string().max(LONGEST_FIGURE).regex(/^\d+$/), z.int().nonnegative()], LAMPORTS_WORDS)
  .transform((value) => BigInt(value));

/** Raw units or lamports, as text or as an exact number. */
export const WholeAmount = z
  .union([z.string().max(LONGEST_AMOUNT).regex(/^\d+$/), z.int().nonnegative()], LAMPORTS_WORDS)
  .transform((value) => BigInt(value));

// The RPC's answers as the field `facts` of a case. The content of lookup tables is in the field `lookupTables`.

/** Replaces the message of a problem with an RPC, which may name the RPC and with it a key. */
const LEFT_OUT = 'The report does not contain the reason.';

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const Bytes = z
  .string()
  .regex(BASE64, 'is not base64')
  .transform((text) => new Uint8Array(Buffer.from(text, 'base64')));

/** An index of a transaction's account or instruction. */
const Place = z.int().min(0).max(255);
/** The same; -1 is an account that the transaction is not known to have. */
const AccountPlace = z.int().min(-1).max(255);

/** An object with addresses as its keys. */
function byAddress<Value extends z.ZodType>(value: Value): z.ZodType<ReadonlyMap<Address, z.output<Value>>> {
  return z.record(z.string(), value).transform((record, context) => {
    const entries = Object.entries(record).map(([name, of]) => [parseAddress(name), of] as const);
    const known = entries.flatMap(([address, of]) => (address === undefined ? [] : [[address, of] as const]));
    if (known.length < entries.length) {
      context.addIssue({ code: 'custom', message: 'names something that is not a Solana address' });
    }
    return new Map(known);
  });
}

/** Older reports have only `owner` and `mint`; missing fields stay undefined. */
const TokenAccount: z.ZodType<TokenAccountFact> = z
  .object({
    owner: AddressText,
    mint: AddressText,
    state: z.enum(['uninitialized', 'initialized', 'frozen']).nullish(),
    delegate: AddressText.nullish(),
    closeAuthority: AddressText.nullish(),
    limits: z.array(z.enum(['memoRequired', 'cpiGuard'])).nullish(),
  })
  .transform(({ owner, mint, state, delegate, closeAuthority, limits }): TokenAccountFact => ({
    owner,
    mint,
    ...(state ? { state } : {}),
    ...(delegate === undefined ? {} : { delegate }),
    ...(closeAuthority === undefined ? {} : { closeAuthority }),
    ...(limits ? { limits } : {}),
  }));

/** Bin ids and bin steps as the program stores them. */
const PoolBin = { activeBinId: z.int().min(-2_147_483_648).max(2_147_483_647), binStepBps: z.int().min(0).max(65_535) };

const Pool: z.ZodType<PoolFact> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('dlmm'), tokenX: AddressText, tokenY: AddressText, ...PoolBin }),
  z
    .object({
      kind: z.literal('dammV2'),
      tokenX: AddressText,
      tokenY: AddressText,
      sqrtPriceQ64: WholeAmount,
      range: z.object({ minQ64: WholeAmount, maxQ64: WholeAmount }).nullish(),
    })
    .transform(({ range, ...pool }) => ({ ...pool, ...(range ? { range } : {}) })),
  z
    .object({ kind: z.literal('none'), program: AddressText.nullish() })
    .transform(({ kind, program }) => ({ kind, program: program ?? undefined })),
]);

const RISKS = [
  'permanentDelegate',
  'transferHook',
  'frozenByDefault',
  'nonTransferable',
  'pausable',
  'paused',
  'confidentialTransfer',
  'transferFee',
  'scaledAmount',
  'unknown',
] as const satisfies readonly MintRisk['kind'][];

const Risk = z
  .object({ kind: z.enum(RISKS), bps: z.int().min(0).max(65_535).nullish() })
  .transform(({ kind, bps }): MintRisk => ({ kind, ...(typeof bps === 'number' ? { bps } : {}) }));

const BinId = z.int().min(-2_147_483_648).max(2_147_483_647);

const Position = z
  .object({
    pool: AddressText,
    owner: AddressText,
    powers: z.array(AddressText),
    isRestricted: z.boolean(),
    lowerBinId: BinId.nullish(),
    upperBinId: BinId.nullish(),
  })
  .transform(({ lowerBinId, upperBinId, ...rest }): PositionFact => ({
    ...rest,
    ...(typeof lowerBinId === 'number' ? { lowerBinId } : {}),
    ...(typeof upperBinId === 'number' ? { upperBinId } : {}),
  }));

const State: z.ZodType<AccountState> = z.object({ lamports: WholeAmount, program: AddressText, data: Bytes });

const Inner = z
  .object({ calledBy: Place.nullish(), programIdIndex: AccountPlace, accounts: z.array(AccountPlace), data: Bytes })
  .transform(({ calledBy, programIdIndex, accounts, data }): InnerInstruction => ({
    ...(typeof calledBy === 'number' ? { calledBy } : {}),
    programIdIndex,
    accountIndexes: accounts,
    data,
  }));

const Simulated = z
  .object({ error: z.string().nullish(), before: byAddress(State), after: byAddress(State), innerInstructions: z.array(Inner).nullish() })
  .transform(({ error, before, after, innerInstructions }): SimulatedTransaction => ({
    error: error ?? undefined,
    before,
    after,
    innerInstructions: innerInstructions ?? undefined,
  }));

const Rate = WholeAmount.transform((lamportsPerByte, context): RentRate => {
  try {
    return RentRate.ofLamportsPerByte(lamportsPerByte);
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof RentRateError ? error.message : 'is not a rent' });
    return z.NEVER;
  }
});

const Shape = z.object({
  tokenAccounts: byAddress(TokenAccount).nullish(),
  mints: byAddress(z.array(Risk)).nullish(),
  decimals: byAddress(z.int().min(0).max(255)).nullish(),
  pools: byAddress(Pool).nullish(),
  positions: byAddress(Position).nullish(),
  blockhashes: z.record(z.string(), z.boolean()).nullish(),
  rentLamportsPerByte: Rate.nullish(),
  deactivatedTables: z.array(AddressText).nullish(),
  simulation: z.object({ slot: WholeAmount, transactions: z.array(Simulated) }).nullish(),
  incomplete: z.boolean().nullish(),
});

/** The decoded field `facts`. */
export interface ReadFacts {
  /** Excluding lookup tables. */
  readonly facts: ChainFacts;
  /** The tables of the case that are being deactivated (ALT-4). */
  readonly deactivatedTables: readonly Address[];
}

/** The field `facts` of a case, as {@link writeFacts} writes it. All of its fields are optional. */
export const FactsPart = Shape.transform(
  ({
    tokenAccounts,
    mints,
    decimals,
    pools,
    positions,
    blockhashes,
    rentLamportsPerByte: rent,
    deactivatedTables,
    simulation,
    incomplete,
  }): ReadFacts => {
    return {
      facts: {
        ...NO_FACTS,
        ...(tokenAccounts && { tokenAccounts }),
        ...(mints && { mints }),
        ...(decimals && { decimals }),
        ...(pools && { pools }),
        ...(positions && { positions }),
        ...(blockhashes && { blockhashes: new Map(Object.entries(blockhashes)) }),
        ...(rent && { rent }),
        ...(simulation && { simulation }),
        ...(incomplete === true ? { problem: LEFT_OUT } : {}),
      },
      deactivatedTables: deactivatedTables ?? [],
    };
  },
);

/**
 * Writes the RPC's answers as the field `facts` of a case, without empty fields. The simulation contains the bytes of the watched accounts,
 * which are the owner's. The RPC itself is not named.
 */
export function writeFacts({
  lookupTables,
  tokenAccounts,
  mints,
  decimals = new Map(),
  pools = new Map(),
  positions = new Map(),
  blockhashes,
  rent,
  simulation,
  problem,
}: ChainFacts): Readonly<Record<string, unknown>> {
  const deactivated = [...lookupTables].filter(([, { isDeactivated }]) => isDeactivated).map(([table]) => table);
  return {
    ...(tokenAccounts.size === 0 ? {} : { tokenAccounts: Object.fromEntries(tokenAccounts) }),
    ...(mints.size === 0 ? {} : { mints: Object.fromEntries(mints) }),
    ...(decimals.size === 0 ? {} : { decimals: Object.fromEntries(decimals) }),
    ...(pools.size === 0 ? {} : { pools: Object.fromEntries([...pools].map(([pool, fact]) => [pool, writtenPool(fact)])) }),
    ...(positions.size === 0 ? {} : { positions: Object.fromEntries(positions) }),
    ...(blockhashes.size === 0 ? {} : { blockhashes: Object.fromEntries(blockhashes) }),
    ...(rent === undefined ? {} : { rentLamportsPerByte: String(rent.lamportsPerByte) }),
    ...(deactivated.length === 0 ? {} : { deactivatedTables: deactivated }),
    ...(simulation === undefined
      ? {}
      : { simulation: { slot: String(simulation.slot), transactions: simulation.transactions.map(writtenSimulated) } }),
    ...(problem === undefined ? {} : { incomplete: true }),
  };
}

function writtenPool(fact: PoolFact): Readonly<Record<string, unknown>> {
  if (fact.kind !== 'dammV2') {
    return { ...fact };
  }
  const { sqrtPriceQ64, range, ...pool } = fact;
  return {
    ...pool,
    sqrtPriceQ64: String(sqrtPriceQ64),
    ...(range === undefined ? {} : { range: { minQ64: String(range.minQ64), maxQ64: String(range.maxQ64) } }),
  };
}

function writtenSimulated({ error, before, after, innerInstructions }: SimulatedTransaction): Readonly<Record<string, unknown>> {
  return {
    error,
    before: writtenStates(before),
    after: writtenStates(after),
    innerInstructions: innerInstructions?.map(({ calledBy, programIdIndex, accountIndexes, data }) => ({
      calledBy,
      programIdIndex,
      accounts: accountIndexes,
      data: base64Of(data),
    })),
  };
}

function writtenStates(states: ReadonlyMap<Address, AccountState>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    [...states].map(([account, { lamports, program, data }]) => [account, { lamports: String(lamports), program, data: base64Of(data) }]),
  );
}

function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
