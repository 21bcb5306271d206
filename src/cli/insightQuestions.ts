import * as z from 'zod';
import { MAX_BIN_ID, MAX_BINS_PER_POSITION } from '../base/dlmm/bins';
import { STRATEGIES } from '../base/dlmm/strategy';
import { EXPORT_FORMATS } from '../base/insight/export';

// The questions that `node dist/insight.js` answers, as they are written (src/base/insight/README.md). Fields that are not listed are ignored.

/** Longer than any raw amount on the chain, which has at most 128 bits. */
const RAW = /^-?\d{1,39}$/;
const MOST_BINS = 20_000;
const MOST_CANDLES = 100_000;
const MOST_TRANSACTIONS = 20_000;
const LONGEST_TEXT = 200;
/** Larger than any raw amount. */
const MOST_AMOUNT = 2 ** 128;
const LONGEST_HORIZON_S = 3_660 * 86_400;
/** The last second of the year 9999: its date can be written. */
const LAST_TIME_S = 253_402_300_799;

/** A raw amount: decimal digits, or a number without a fraction. One function instead of a union of schemas: a ledger has ten thousands. */
const rawFrom = (least: bigint | undefined): z.ZodType<bigint> =>
  z.unknown().transform((value, context) => {
    const isRaw = typeof value === 'string' ? RAW.test(value) : Number.isSafeInteger(value);
    const raw = isRaw ? BigInt(value as string | number) : undefined;
    if (raw === undefined || (least !== undefined && raw < least)) {
      context.addIssue(`a raw amount has decimal digits only${least === undefined ? '' : ', and is not negative'}`);
      return z.NEVER;
    }
    return raw;
  });
const Raw = rawFrom(undefined);
const RawFrom0 = rawFrom(0n);
/** Liquidity of a bin: may be computed, and so have a fraction. */
const Amount = z.unknown().transform((value, context) => {
  const amount = typeof value === 'string' && RAW.test(value) ? Number(value) : value;
  if (typeof amount !== 'number' || !(amount >= 0 && amount <= MOST_AMOUNT)) {
    context.addIssue('an amount is from 0 to 2^128');
    return z.NEVER;
  }
  return amount;
});
const BinId = z.int().min(-MAX_BIN_ID).max(MAX_BIN_ID);
const BinStep = z.int().min(1).max(400);
const TimeS = z.number().min(0).max(LAST_TIME_S);
const Text = z.string().max(LONGEST_TEXT);
const optional = <Schema extends z.ZodType>(schema: Schema): z.ZodOptional<z.ZodNullable<Schema>> => schema.nullish();

const Bins = z.array(z.object({ binId: BinId, x: Amount, y: Amount })).max(MOST_BINS);
const Range = { fromBinId: BinId, toBinId: BinId };
const isRange = ({ fromBinId, toBinId }: { fromBinId: number; toBinId: number }): boolean =>
  fromBinId <= toBinId && toBinId - fromBinId < MAX_BINS_PER_POSITION;
const RANGE_MESSAGE = `a range goes upwards and has at most ${MAX_BINS_PER_POSITION} bins`;
const Plan = z.object({ strategy: z.enum(STRATEGIES), ...Range, amountX: RawFrom0, amountY: RawFrom0 }).refine(isRange, RANGE_MESSAGE);

const Conditions = {
  lpFeesPerDayY: optional(z.number().min(0)),
  sigmaPerDay: optional(z.number()),
  sigmaLow: optional(z.number()),
  sigmaHigh: optional(z.number()),
  costsY: optional(z.number().min(0)),
};
const HorizonS = z.number().positive().max(LONGEST_HORIZON_S);
const Pool = optional(z.object({ bins: Bins }));
const Binned = { binStepBps: BinStep, activeBinId: BinId, pool: Pool, ...Conditions };
const Planned = z.object({ ...Binned, plan: Plan });
const Existing = z.object({ ...Binned, bins: Bins.min(1) });

const Volatility = z.object({
  candles: z.array(z.array(z.number().nullable()).max(12)).max(MOST_CANDLES),
  intervalS: z.int().min(1).max(86_400),
  binStepBps: BinStep,
  nowS: optional(TimeS),
});

const Outlook = z.union([
  z.object({ product: z.object({ depositY: Amount, othersY: Amount }), horizonS: HorizonS, ...Conditions }),
  Planned.extend({ horizonS: HorizonS }),
  Existing.extend({ horizonS: HorizonS }),
]);

const Widths = z.object({ ...Binned, horizonS: HorizonS, amountX: RawFrom0, amountY: RawFrom0 });

const Inventory = z.object({
  binStepBps: BinStep,
  entry: Bins,
  activeBinId: BinId,
  activeX: optional(Amount),
  activeY: optional(Amount),
  price: optional(z.number().positive()),
});

const Counter = RawFrom0.refine((value) => value < 1n << 128n, 'a counter has 128 bits');
const Replay = z.object({
  snapshots: z
    .array(
      z.object({
        timeS: TimeS,
        activeBinId: BinId,
        bins: z.array(z.object({ binId: BinId, supply: Counter, feeX: Counter, feeY: Counter })).max(MOST_BINS),
      }),
    )
    .max(MOST_TRANSACTIONS),
  position: z.array(z.object({ binId: BinId, share: Counter })).max(MAX_BINS_PER_POSITION),
  hypothetical: optional(z.boolean()),
  mostGapS: optional(z.number().positive()),
});

const Place = z.int().min(0).max(255);
const Instruction = z.object({
  programIdIndex: Place,
  accounts: z.array(Place),
  data: z.string().regex(/^[1-9A-HJ-NP-Za-km-z]*$/, 'instruction data is base58'),
});
/** Lamports as a node writes them: a number, exact below 2^53. */
const Lamports = z
  .number()
  .refine((value) => Number.isInteger(value) && value >= 0, 'lamports are whole')
  .transform((value) => BigInt(value));
const TokenBalances = optional(
  z.array(
    z
      .object({ accountIndex: Place, mint: Text, owner: optional(Text), uiTokenAmount: z.object({ amount: RawFrom0 }) })
      .transform(({ accountIndex, mint, owner, uiTokenAmount }) => ({
        accountIndex,
        mint,
        owner: owner ?? undefined,
        amount: uiTokenAmount.amount,
      })),
  ),
);
const Transaction = z.object({
  blockTime: optional(TimeS),
  transaction: z.object({
    signatures: z.array(Text),
    message: z.object({ accountKeys: z.array(Text), instructions: z.array(Instruction) }),
  }),
  meta: z
    .object({
      err: z.unknown(),
      fee: Lamports,
      preBalances: z.array(Lamports),
      postBalances: z.array(Lamports),
      preTokenBalances: TokenBalances,
      postTokenBalances: TokenBalances,
      innerInstructions: optional(z.array(z.object({ index: Place, instructions: z.array(Instruction) }))),
      loadedAddresses: optional(z.object({ writable: z.array(Text), readonly: z.array(Text) })),
    })
    .nullable(),
});
const Flows = z.object({
  owner: Text,
  pool: z.object({
    address: Text,
    x: Text,
    y: Text,
    binStepBps: optional(BinStep),
    decimalsX: optional(z.int().min(0).max(255)),
    decimalsY: optional(z.int().min(0).max(255)),
  }),
  position: optional(Text),
  positions: optional(z.array(Text)),
  transactions: z.array(Transaction.nullable()).max(MOST_TRANSACTIONS),
});

const Prices = z.record(Text, z.number().nullable());
const AmountsByMint = z.record(Text, RawFrom0);
const Rent = z.object({ locked: RawFrom0, refunded: RawFrom0, spent: RawFrom0 });
const Ledger = z.object({
  tokens: z.record(Text, z.object({ decimals: z.int().min(0).max(255) })),
  x: Text,
  y: Text,
  transactions: z
    .array(
      z.object({
        signature: Text,
        timeS: TimeS,
        lamports: Raw,
        tokens: z.array(z.object({ mint: Text, change: Raw })),
        feeLamports: RawFrom0,
        tipLamports: RawFrom0,
        rent: Rent,
        pool: z.object({ in: optional(AmountsByMint), out: optional(AmountsByMint), fees: optional(AmountsByMint) }),
        transferFees: optional(z.object({ ofDeposit: AmountsByMint, besideDeposit: AmountsByMint, all: AmountsByMint })),
        commission: optional(z.array(z.object({ mint: Text, raw: RawFrom0 }))),
        prices: optional(Prices),
      }),
    )
    .max(MOST_TRANSACTIONS),
  open: optional(z.object({ x: RawFrom0, y: RawFrom0, feeX: RawFrom0, feeY: RawFrom0 })),
  pricesNow: optional(Prices),
  reportedPnlSol: optional(z.number()),
});

const GateOutlook = z.union([Planned, Existing]);
const Gate = z.object({ stay: GateOutlook, enter: GateOutlook, costsY: optional(z.number().min(0)), margin: optional(z.number().min(0)) });

const Movements = z.array(
  z
    .object({ symbol: optional(Text), mint: Text, raw: RawFrom0, decimals: z.int().min(0).max(255) })
    .transform(({ symbol, mint, ...amount }) => ({ symbol: symbol ?? mint, mint, ...amount })),
);
const Export = z.object({
  format: z.enum(EXPORT_FORMATS),
  entries: z
    .array(
      z.object({
        timeS: TimeS,
        signature: Text,
        what: Text,
        sent: optional(Movements),
        received: optional(Movements),
        rewards: optional(Movements),
        fee: optional(z.object({ raw: RawFrom0 })),
      }),
    )
    .max(MOST_TRANSACTIONS),
});

const Spread = z
  .object({ strategy: z.enum(STRATEGIES), ...Range, activeBinId: BinId, binStepBps: BinStep, amountX: RawFrom0, amountY: RawFrom0 })
  .refine(isRange, RANGE_MESSAGE);

/** The input of each operation. */
export const QUESTIONS = {
  volatility: Volatility,
  outlook: Outlook,
  widths: Widths,
  inventory: Inventory,
  replay: Replay,
  flows: Flows,
  ledger: Ledger,
  gate: Gate,
  export: Export,
  spread: Spread,
} as const;

export type InsightOperation = keyof typeof QUESTIONS;

/** The input of an operation, read. */
export type Question<Name extends InsightOperation> = z.output<(typeof QUESTIONS)[Name]>;

/** What pool and position an outlook asks for, read. */
export type BinnedQuestion = z.output<typeof GateOutlook>;
