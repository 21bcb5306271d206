import { NO_FACTS, type ChainFacts, type PoolFact } from '../../src/review/facts/facts';
import { poolFieldsOf } from '../../src/review/intents';
import type { Intent, ListedPrice, PriceReference, ReviewInput, TokenAmount, ZapOutIntent } from '../../src/review/types';
import type { Address } from '../../src/base/solana/address';
import { PROGRAMS, USDC_MINT, WRAPPED_SOL_MINT } from '../../src/base/solana/programs';
import { SERVICE_KEYS, type Base } from './bases';
import { bytesOfDraft, draftOf, signDraft } from './draft';
import type { Random } from './random';

// A hostile service sells a whole balance for dust (or buys dust for all of the input), and lists figures that make this look right.

/** One trial: the input without an RPC, the true facts of the pool, and false facts from an RPC. */
export interface Trial {
  readonly input: ReviewInput;
  readonly honest: ChainFacts;
  readonly absurd: ChainFacts;
  /** Maximum sold amount, raw units. */
  readonly sold: bigint;
  /** The amount that the user was shown as withdrawn from the position, raw units; `undefined`: not shown, or a zap-in. */
  readonly shownRaw: bigint | undefined;
  /** True if the prices that the user was shown are true. */
  readonly isPriceTrue: boolean;
}

/** The discriminator of Jupiter's `route`, whose data ends with the sold amount (u64), the quote (u64), slippage (u16) and fee (u8). */
const ROUTE = 'e517cb977ae3ad2a';
const [SOLD_FROM_END, QUOTED_FROM_END] = [19, 11];
const MOST_U64 = 2n ** 64n - 1n;
const ABSURD = 10n ** 308n;
/** The minimum factor between a hostile sale and an honest one. */
const TIMES = [1_000n, 1_000_000n, 1_000_000_000n];

/** Makes a trial from an honest operation; `undefined` if the operation has no swap. */
export function trialOf(base: Base, random: Random): Trial | undefined {
  const places = base.transactions.flatMap(({ bytes }, at) => (swapIn(bytes) === undefined ? [] : [at]));
  const { pool } = poolFieldsOf(base.intent);
  // The price of a swap without a pool of its own is that of the lists alone.
  if (places.length === 0 || pool === undefined) {
    return undefined;
  }
  const place = random.of(places);
  const isOut = base.intent.kind === 'zapOut';
  let sold = 0n;
  const transactions = base.transactions.map(({ group, bytes }, at) => {
    const dumped = at === place ? dumping(bytes, isOut, random) : undefined;
    sold = dumped?.sold ?? sold;
    return { group, base64: Buffer.from(dumped?.bytes ?? bytes).toString('base64') };
  });
  const shown = withHoldings(base.intent);
  const intent = withFalseFigures(shown, random);
  const tables = new Map([...base.tables].map(([table, addresses]) => [table, { addresses, isDeactivated: false }]));
  const facts: ChainFacts = { ...NO_FACTS, lookupTables: tables };
  const mint = isOut ? shown.references?.[0]?.inMint : undefined;
  return {
    input: { intent, transactions, lastValidBlockHeight: 9, facts, nowMs: 0 },
    honest: { ...facts, pools: new Map([[pool, poolOf(shown)]]) },
    absurd: { ...facts, pools: new Map([[pool, absurdPool(shown, random)]]) },
    sold,
    shownRaw: intent.kind === 'zapOut' ? intent.holdings?.find((one) => one.mint === mint)?.amountRaw : undefined,
    isPriceTrue: intent.references === shown.references,
  };
}

function swapIn(bytes: Uint8Array): number | undefined {
  const at = draftOf(bytes).instructions.findIndex(({ data }) => Buffer.from(data.subarray(0, 8)).toString('hex') === ROUTE);
  return at < 0 ? undefined : at;
}

function dumping(bytes: Uint8Array, isOut: boolean, random: Random): { readonly bytes: Uint8Array; readonly sold: bigint } {
  const draft = draftOf(bytes);
  const instruction = draft.instructions[swapIn(bytes) ?? 0];
  if (instruction === undefined) {
    throw new TypeError('The transaction swaps');
  }
  const data = Buffer.from(instruction.data);
  const [soldAt, quotedAt] = [data.length - SOLD_FROM_END, data.length - QUOTED_FROM_END];
  const [honestSold, honestQuote] = [data.readBigUInt64LE(soldAt), data.readBigUInt64LE(quotedAt)];
  const times = random.of(TIMES);
  const sold = isOut ? least(honestSold * times, MOST_U64) : honestSold;
  data.writeBigUInt64LE(sold, soldAt);
  data.writeBigUInt64LE(isOut ? random.of([1_100n, 5_000n, honestQuote]) : least(honestQuote, honestQuote / times + 1_100n), quotedAt);
  instruction.data = new Uint8Array(data);
  signDraft(draft, SERVICE_KEYS);
  return { bytes: bytesOfDraft(draft), sold };
}

/** The product always shows operations with the amounts that the position holds. */
function withHoldings(intent: Intent): Intent {
  return intent.kind === 'zapOut' && intent.holdings === undefined
    ? { ...intent, holdings: [...(intent.worth ?? [])].map(({ mint, amountRaw }) => ({ mint, amountRaw: amountRaw / 2n })) }
    : intent;
}

/** Changes none, some, or all of the shown figures. */
function withFalseFigures(intent: Intent, random: Random): Intent {
  const references = random.once(3) ? intent.references : (intent.references ?? []).flatMap((one) => changedReference(one, random));
  const listedPrices = random.once(2) ? undefined : absurdPrices(intent, random);
  if (intent.kind !== 'zapOut') {
    return { ...intent, references, listedPrices };
  }
  const changed = (amounts: readonly TokenAmount[] | undefined): readonly TokenAmount[] | undefined =>
    random.once(3)
      ? amounts
      : (amounts ?? []).flatMap(({ mint, amountRaw }) => changedAmount(amountRaw, random).map((raw) => ({ mint, amountRaw: raw })));
  // All transactions are present, so the holdings are a list, which may be empty.
  const out: ZapOutIntent = { ...intent, references, listedPrices, worth: changed(intent.worth), holdings: changed(intent.holdings) ?? [] };
  return out;
}

/** `undefined`: the figure is missing. */
function changedAmount(amount: bigint, random: Random): readonly bigint[] {
  return random.of([
    [],
    [amount],
    [0n],
    [1n],
    [-1n],
    [-amount],
    [ABSURD],
    [amount * 1_000n],
    [amount * 1_000_000n],
    [amount * 1_000_000_000n],
    [amount / 1_000n],
    [amount / 1_000_000n],
    [MOST_U64],
  ]);
}

function changedReference({ inMint, outMint, inAmountRaw, outAmountRaw }: PriceReference, random: Random): readonly PriceReference[] {
  const [inRaw, outRaw] = [changedAmount(inAmountRaw, random)[0], changedAmount(outAmountRaw, random)[0]];
  return inRaw === undefined || outRaw === undefined ? [] : [{ inMint, outMint, inAmountRaw: inRaw, outAmountRaw: outRaw }];
}

function absurdPrices(intent: Intent, random: Random): readonly ListedPrice[] {
  const { tokenX = USDC_MINT } = poolFieldsOf(intent);
  const usd = (): number => random.of([0, -1, 1e-300, 1e-6, 1, 150, 1e308, Number.NaN, Number.POSITIVE_INFINITY]);
  return [tokenX, WRAPPED_SOL_MINT, USDC_MINT].flatMap((mint) => [
    { mint, usd: usd() },
    ...(random.once(2) ? [{ mint, usd: usd(), isElsewhere: true }] : []),
  ]);
}

/** The pool at the price of the honest swap. */
function poolOf(intent: Intent): PoolFact {
  const { tokenX = USDC_MINT, tokenY = WRAPPED_SOL_MINT } = poolFieldsOf(intent);
  const [shown] = intent.references ?? [];
  const [x, y] =
    shown === undefined
      ? [1n, 1n]
      : shown.inMint === tokenX
        ? [shown.inAmountRaw, shown.outAmountRaw]
        : [shown.outAmountRaw, shown.inAmountRaw];
  return { kind: 'dammV2', tokenX, tokenY, sqrtPriceQ64: squareRoot((y << 128n) / x) };
}

function absurdPool(intent: Intent, random: Random): PoolFact {
  const { tokenX = USDC_MINT, tokenY = WRAPPED_SOL_MINT } = poolFieldsOf(intent);
  const tokens: { readonly tokenX: Address; readonly tokenY: Address } = {
    tokenX: random.of([tokenX, USDC_MINT]),
    tokenY: random.of([tokenY, USDC_MINT]),
  };
  return random.of<PoolFact>([
    { kind: 'none', program: undefined },
    { kind: 'none', program: PROGRAMS.token },
    { kind: 'dammV2', ...tokens, sqrtPriceQ64: random.of([0n, 1n, -1n, 2n ** 40n, 2n ** 127n, ABSURD]) },
    {
      kind: 'dlmm',
      ...tokens,
      activeBinId: random.of([0, -443_636, 443_636, 2 ** 31 - 1, -(2 ** 31)]),
      binStepBps: random.of([0, 1, 100, 400, 65_535]),
    },
  ]);
}

function squareRoot(of: bigint): bigint {
  let [root, next] = [of, (of + 1n) / 2n];
  while (next < root) {
    [root, next] = [next, (next + of / next) / 2n];
  }
  return root;
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
