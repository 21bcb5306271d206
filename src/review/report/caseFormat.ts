import * as z from 'zod';
import { SINGLE_KINDS } from '../../base/operationKinds';
import { type Address, parseAddress } from '../../base/solana/address';
import { formatRaw, parseDecimal } from '../../base/solana/amounts';
import { SOL_DECIMALS } from '../../base/solana/programs';
import { type LookupTable, NO_FACTS } from '../facts/facts';
import type { PolicySettings } from '../policy';
import { type IntentOf, poolFieldsOf } from '../intents';
import type {
  AnyIntent,
  Intent,
  IntentBase,
  Intents,
  ListedPrice,
  PriceReference,
  ReviewInput,
  Spends,
  TokenAmount,
  ZapInIntent,
} from '../types';
import { AddressText, FactsPart, WholeAmount, WholeFigure, writeFacts } from './factsFormat';

/** The input of a review that a case contains: everything but the time. */
export type CaseInput = Omit<ReviewInput, 'nowMs'>;

/** A case could not be read, so nothing was reviewed. The message names the field and the reason. */
export class CaseError extends Error {
  override readonly name = 'CaseError';
}

/** The maximum length of a field's name in an error. */
const LONGEST_PLACE = 120;

/** SOL as decimal text with at most nine decimal places, or as a number that is exactly such an amount. */
const SolAmount = z.union([z.string(), z.number()]).transform((value, context): bigint => {
  const text = typeof value === 'number' ? value.toFixed(SOL_DECIMALS) : value;
  const lamports = typeof value === 'number' && Number(text) !== value ? undefined : parseDecimal(text, SOL_DECIMALS);
  if (lamports === undefined) {
    context.addIssue({ code: 'custom', message: 'is not an amount of SOL with at most nine decimal places' });
    return z.NEVER;
  }
  return lamports;
});

const Bps = z.int().min(0).max(10_000);
const BinId = z.int().min(-2_147_483_648).max(2_147_483_647);
const GROUPS = ['close', 'swap', 'add', 'claim'] as const;

const Reference = z.object({ inMint: AddressText, outMint: AddressText, inAmount: WholeFigure, outAmount: WholeFigure });

const TokenAmountShape = z.object({ mint: AddressText, amount: WholeFigure });

const ClaimedShape = z.object({
  pool: AddressText,
  position: AddressText,
  tokenX: AddressText.nullish(),
  tokenY: AddressText.nullish(),
  fees: z.array(TokenAmountShape).max(16).nullish(),
});

/** A case with a price that is not above 0 is rejected. */
const ListedPriceShape = z.object({
  mint: AddressText,
  usd: z.number().positive(),
  elsewhere: z.boolean().nullish(),
  byBin: z.boolean().nullish(),
});

const Decimals = z.int().min(0).max(255);

const IntentShape = z.object({
  owner: AddressText,
  /** Missing only where the operation has no pool of its own. */
  pool: AddressText.nullish(),
  position: AddressText.nullish(),
  bps: Bps.nullish(),
  inputSOL: SolAmount.nullish(),
  slippageBps: Bps,
  fromBinId: BinId.nullish(),
  toBinId: BinId.nullish(),
  /** The active bin and the bin step that the user was shown (DLMM-7). */
  activeBinId: BinId.nullish(),
  binStepBps: z.int().min(0).max(65_535).nullish(),
  strategy: z.enum(['Spot', 'Curve', 'BidAsk']).nullish(),
  poolType: z.enum(['dlmm', 'damm2']).nullish(),
  tokenX: AddressText.nullish(),
  tokenY: AddressText.nullish(),
  refQuote: Reference.nullish(),
  references: z.array(Reference).max(16).nullish(),
  /** The value of the share in each of the pool's tokens (SWP-7). */
  worth: z.array(TokenAmountShape).max(16).nullish(),
  /** The amount of each token in the share and the fees (SWP-7). */
  holdings: z.array(TokenAmountShape).max(16).nullish(),
  /** Prices of the service's lists in US dollars (SWP-9). */
  prices: z.array(ListedPriceShape).max(64).nullish(),
  /** The decimals that the figures were converted with (LIM-1). */
  decimals: z
    .array(z.object({ mint: AddressText, decimals: Decimals }))
    .max(16)
    .nullish(),
  /** The user deposits only SOL, and the transactions are the whole operation (SWP-7). */
  solOnly: z.boolean().nullish(),
  /** The deposit of the pool's tokens other than SOL without a swap (mode `normal`). */
  tokens: z
    .array(TokenAmountShape.extend({ decimals: Decimals.nullish() }))
    .max(16)
    .nullish(),
  output: z.enum(['allBaseToken', 'allToken0', 'allToken1', 'both']).nullish(),
  /** Fees that the user was shown and that are deposited as they are claimed (ADD-1). */
  fees: z.array(TokenAmountShape).max(16).nullish(),
  /** The positions whose fees are claimed, with the fees that the user was shown (CLM-1). */
  positions: z.array(ClaimedShape).max(64).nullish(),
  /** The tokens of a swap, and the raw amount that is sold. */
  inputMint: AddressText.nullish(),
  outputMint: AddressText.nullish(),
  amount: WholeFigure.nullish(),
});

/** The limits that a case may change: those of the extension's settings. */
const PolicyShape = z.object({
  tipAllowLamports: WholeAmount.nullish(),
  feeAllowLamports: WholeAmount.nullish(),
  feeRecipientCapLamports: WholeAmount.nullish(),
  trustedPrograms: z.array(AddressText).nullish(),
  feeRecipients: z.array(AddressText).nullish(),
  strictWithoutRpc: z.boolean().nullish(),
});

const PriorShape = z.object({
  consumedLamports: WholeAmount.default(0n),
  wrappedLamports: WholeAmount.default(0n),
  tipLamports: WholeAmount.default(0n),
  feeLamports: WholeAmount.default(0n),
  rentLamports: WholeAmount.default(0n),
  otherLamports: WholeAmount.default(0n),
});

const CaseShape = z.object({
  name: z.string().nullish(),
  kind: z.enum(SINGLE_KINDS),
  group: z.enum([...GROUPS, 'bundle']).nullish(),
  intent: IntentShape,
  // Anything other than text is reviewed as an empty text: that is a finding, not an error of the case.
  txs: z.array(z.object({ group: z.enum(GROUPS).nullish(), txBase64: z.unknown().optional() })),
  lookupTables: z.record(z.string(), z.array(AddressText)).nullish(),
  /** Other answers of an RPC. */
  facts: FactsPart.nullish(),
  policy: PolicyShape.nullish(),
  prior: PriorShape.nullish(),
  lastValidBlockHeight: z.int().nonnegative().nullish(),
});

type CaseShape = z.output<typeof CaseShape>;

/**
 * Reads a case (README.md, "Try it"): an intent, transactions as base64 text, lookup tables, and other answers of an RPC (`facts`). Ignores
 * unknown fields.
 * @throws CaseError with the name of the field
 */
export function readCase(value: unknown): CaseInput {
  const read = CaseShape.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    // Part of the path may be text of the case, such as the address of a table.
    const place = issue?.path.join('.').slice(0, LONGEST_PLACE) ?? '';
    throw new CaseError(`The case cannot be read: ${place} ${issue?.message ?? 'is not what it should be'}`.replace('  ', ' '));
  }
  const { txs, group, lookupTables, facts, policy, prior, lastValidBlockHeight } = read.data;
  return {
    intent: intentOf(read.data),
    transactions: txs.map(({ group: own, txBase64 }) => ({
      // The rules allow least in a swap.
      group: own ?? (group === 'bundle' ? undefined : group) ?? 'swap',
      base64: typeof txBase64 === 'string' ? txBase64 : '',
    })),
    lastValidBlockHeight: lastValidBlockHeight ?? undefined,
    facts: { ...NO_FACTS, ...facts?.facts, lookupTables: tablesOf(lookupTables ?? {}, facts?.deactivatedTables ?? []) },
    ...(policy === null || policy === undefined ? {} : { policy: policyOf(policy) }),
    ...(prior === null || prior === undefined ? {} : { prior: spendsOf(prior) }),
  };
}

function intentOf({ kind, intent }: CaseShape): Intent {
  const { owner, slippageBps, refQuote, references, prices, decimals } = intent;
  return KINDS[kind].read(intent, {
    owner,
    slippageBps,
    references: [...(refQuote === null || refQuote === undefined ? [] : [refQuote]), ...(references ?? [])].map(referenceOf),
    listedPrices: prices?.map(listedPriceOf),
    listedDecimals: decimals ?? undefined,
  });
}

/** The fields of all intents that work in pools. */
type PlacedFields = IntentBase & Pick<ZapInIntent, 'fromBinId' | 'toBinId'>;

function placed({ pool, poolType, position, tokenX, tokenY, fromBinId, toBinId }: CaseShape['intent'], common: AnyIntent): PlacedFields {
  return {
    ...common,
    pool: given(pool, 'pool'),
    poolType: poolType === 'damm2' ? ('dammV2' as const) : (poolType ?? undefined),
    position: position ?? undefined,
    tokenX: tokenX ?? undefined,
    tokenY: tokenY ?? undefined,
    fromBinId: fromBinId ?? undefined,
    toBinId: toBinId ?? undefined,
  };
}

/** @throws CaseError if a kind of intent lacks a field that not all of them have */
function given<Value>(value: Value | null | undefined, field: string): Value {
  if (value === null || value === undefined) {
    throw new CaseError(`The case cannot be read: intent.${field} is missing`);
  }
  return value;
}

/** The fields of a kind of intent in a case. */
interface CaseFields<Of extends keyof Intents> {
  read(shape: CaseShape['intent'], common: AnyIntent): Intents[Of];
  write(intent: Intents[Of]): Readonly<Record<string, unknown>>;
}

// A missing amount counts as 0, so the limits allow nothing.
const KINDS: { readonly [Of in keyof Intents]: CaseFields<Of> } = {
  zapOut: {
    read: (shape, common) => ({
      ...placed(shape, common),
      kind: 'zapOut',
      shareBps: shape.bps ?? 0,
      output: shape.output ?? undefined,
      worth: shape.worth?.map(tokenAmountOf),
      holdings: shape.holdings?.map(tokenAmountOf),
    }),
    write: ({ shareBps, output, worth, holdings }) => ({
      bps: shareBps,
      output,
      worth: worth?.map(writtenAmount),
      holdings: holdings?.map(writtenAmount),
    }),
  },
  zapIn: { read: (shape, common) => ({ ...depositOf(shape, placed(shape, common)), kind: 'zapIn' }), write: writtenDeposit },
  claim: {
    read: (shape, common) => ({
      ...placed(shape, common),
      kind: 'claim',
      positions: (shape.positions ?? []).map(({ tokenX, tokenY, fees, ...place }) => ({
        ...place,
        tokenX: tokenX ?? undefined,
        tokenY: tokenY ?? undefined,
        fees: (fees ?? []).map(tokenAmountOf),
      })),
    }),
    write: ({ positions }) => ({
      positions: positions.map(({ pool, position, tokenX, tokenY, fees }) => ({
        pool,
        position,
        tokenX,
        tokenY,
        fees: fees.map(writtenAmount),
      })),
    }),
  },
  addLiquidity: {
    read: (shape, common) => {
      const fields = placed(shape, common);
      return {
        ...depositOf(shape, fields),
        kind: 'addLiquidity',
        // No position is proven to be the user's at the address of the pool.
        position: fields.position ?? fields.pool,
        fees: shape.fees?.map(tokenAmountOf),
      };
    },
    write: (intent) => ({ ...writtenDeposit(intent), fees: intent.fees?.map(writtenAmount) }),
  },
  swap: {
    read: ({ inputMint, outputMint, amount }, common) => ({
      ...common,
      kind: 'swap',
      inputMint: given(inputMint, 'inputMint'),
      outputMint: given(outputMint, 'outputMint'),
      amountRaw: amount ?? 0n,
    }),
    write: ({ inputMint, outputMint, amountRaw }) => ({ inputMint, outputMint, amount: String(amountRaw) }),
  },
  unwrap: { read: (_, common) => ({ ...common, kind: 'unwrap', slippageBps: 0 }), write: () => ({}) },
};

/** The fields of a deposit, whatever it goes into. */
type DepositOf = Omit<ZapInIntent, 'kind'>;

function depositOf({ inputSOL, solOnly, tokens, strategy, activeBinId, binStepBps }: CaseShape['intent'], fields: PlacedFields): DepositOf {
  return {
    ...fields,
    inputLamports: inputSOL ?? 0n,
    isSolOnly: solOnly ?? undefined,
    tokens: tokens?.map(({ decimals, ...token }) => ({ ...tokenAmountOf(token), decimals: decimals ?? undefined })),
    strategy: strategy ?? undefined,
    activeBinId: activeBinId ?? undefined,
    binStepBps: binStepBps ?? undefined,
  };
}

function writtenDeposit(deposit: DepositOf): Readonly<Record<string, unknown>> {
  const { inputLamports, strategy, activeBinId, binStepBps, isSolOnly, tokens } = deposit;
  return {
    inputSOL: formatRaw(inputLamports, SOL_DECIMALS),
    strategy,
    activeBinId,
    binStepBps,
    solOnly: isSolOnly,
    tokens: tokens?.map((token) => ({ ...writtenAmount(token), decimals: token.decimals })),
  };
}

function fieldsOf<Of extends keyof Intents>(intent: IntentOf<Of>): Readonly<Record<string, unknown>> {
  return KINDS[intent.kind].write(intent);
}

function tokenAmountOf({ mint, amount }: z.output<typeof TokenAmountShape>): TokenAmount {
  return { mint, amountRaw: amount };
}

function referenceOf({ inMint, outMint, inAmount, outAmount }: z.output<typeof Reference>): PriceReference {
  return { inMint, outMint, inAmountRaw: inAmount, outAmountRaw: outAmount };
}

function listedPriceOf({ mint, usd, elsewhere, byBin }: z.output<typeof ListedPriceShape>): ListedPrice {
  return { mint, usd, ...(elsewhere === true ? { isElsewhere: true } : {}), ...(byBin === true ? { isByBin: true } : {}) };
}

function tablesOf(tables: Readonly<Record<string, readonly Address[]>>, deactivated: readonly Address[]): Map<Address, LookupTable> {
  return new Map(
    Object.entries(tables).flatMap(([name, addresses]): [Address, LookupTable][] => {
      const table = parseAddress(name);
      return table === undefined ? [] : [[table, { addresses, isDeactivated: deactivated.includes(table) }]];
    }),
  );
}

function policyOf(policy: z.output<typeof PolicyShape>): Partial<PolicySettings> {
  const { tipAllowLamports, feeAllowLamports, feeRecipientCapLamports, trustedPrograms, feeRecipients, strictWithoutRpc } = policy;
  return {
    ...(tipAllowLamports === null || tipAllowLamports === undefined ? {} : { tipAllowLamports }),
    ...(feeAllowLamports === null || feeAllowLamports === undefined ? {} : { feeAllowLamports }),
    ...(feeRecipientCapLamports === null || feeRecipientCapLamports === undefined ? {} : { feeRecipientCapLamports }),
    trustedPrograms: trustedPrograms ?? [],
    feeRecipients: feeRecipients ?? [],
    isStrictWithoutRpc: strictWithoutRpc ?? false,
  };
}

/** A case contains one sum for all fees and one for all rent. */
function spendsOf({
  consumedLamports,
  wrappedLamports,
  tipLamports,
  feeLamports,
  rentLamports,
  otherLamports,
}: z.output<typeof PriorShape>): Spends {
  return {
    consumedLamports,
    wrappedLamports,
    tipLamports,
    networkFeeLamports: 0n,
    priorityFeeLamports: feeLamports,
    refundableRentLamports: rentLamports,
    spentRentLamports: 0n,
    otherLamports,
  };
}

/** Writes the input of a review as a case for {@link readCase}: the request, the service's answer and the RPC's answers. It has no secrets. */
export function writeCase(
  { intent, transactions, lastValidBlockHeight, facts, policy, prior }: CaseInput,
  name: string,
): Readonly<Record<string, unknown>> {
  const tables = [...(facts?.lookupTables ?? [])];
  const said = writeFacts(facts ?? NO_FACTS);
  return {
    name,
    kind: intent.kind,
    group: 'bundle',
    intent: writtenIntent(intent),
    txs: transactions.map(({ group, base64 }) => ({ group, txBase64: base64 })),
    ...(lastValidBlockHeight === undefined ? {} : { lastValidBlockHeight }),
    ...(tables.length === 0 ? {} : { lookupTables: Object.fromEntries(tables.map(([table, { addresses }]) => [table, addresses])) }),
    ...(Object.keys(said).length === 0 ? {} : { facts: said }),
    ...(policy === undefined ? {} : { policy: writtenPolicy(policy) }),
    ...(prior === undefined ? {} : { prior: writtenSpends(prior) }),
  };
}

/** Writes sums as a case contains them: one for all fees, one for all rent; lamports as text. */
export function writtenSpends(spends: Spends): Readonly<Record<string, string>> {
  return {
    consumedLamports: String(spends.consumedLamports),
    wrappedLamports: String(spends.wrappedLamports),
    tipLamports: String(spends.tipLamports),
    feeLamports: String(spends.networkFeeLamports + spends.priorityFeeLamports),
    rentLamports: String(spends.refundableRentLamports + spends.spentRentLamports),
    otherLamports: String(spends.otherLamports),
  };
}

function writtenIntent(intent: Intent): Readonly<Record<string, unknown>> {
  const { owner, slippageBps, references = [], listedPrices, listedDecimals } = intent;
  const { pool, poolType, position, tokenX, tokenY, fromBinId, toBinId } = poolFieldsOf(intent);
  return {
    owner,
    pool,
    position,
    slippageBps,
    fromBinId,
    toBinId,
    tokenX,
    tokenY,
    poolType: poolType === 'dammV2' ? 'damm2' : poolType,
    references: references.map(({ inMint, outMint, inAmountRaw, outAmountRaw }) => ({
      inMint,
      outMint,
      inAmount: String(inAmountRaw),
      outAmount: String(outAmountRaw),
    })),
    prices: listedPrices?.map(({ mint, usd, isElsewhere, isByBin }) => ({ mint, usd, elsewhere: isElsewhere, byBin: isByBin })),
    decimals: listedDecimals,
    ...fieldsOf(intent),
  };
}

function writtenAmount({ mint, amountRaw }: TokenAmount): Readonly<Record<string, string>> {
  return { mint, amount: String(amountRaw) };
}

function writtenPolicy({
  tipAllowLamports,
  feeAllowLamports,
  feeRecipientCapLamports,
  trustedPrograms,
  feeRecipients,
  isStrictWithoutRpc,
}: Partial<PolicySettings>): Readonly<Record<string, unknown>> {
  return {
    tipAllowLamports: tipAllowLamports?.toString(),
    feeAllowLamports: feeAllowLamports?.toString(),
    feeRecipientCapLamports: feeRecipientCapLamports?.toString(),
    trustedPrograms,
    feeRecipients,
    strictWithoutRpc: isStrictWithoutRpc,
  };
}
