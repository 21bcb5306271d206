import { formatRaw } from '../solana/amounts';
import { SOL_DECIMALS, WRAPPED_SOL_MINT } from '../solana/programs';

/** Raw amounts by mint. */
export type AmountsByMint = Readonly<Record<string, bigint>>;

/** What one transaction did, from the chain (flows.ts). */
export interface LedgerTransaction {
  readonly signature: string;
  readonly timeS: number;
  /** Change of the wallet's SOL. */
  readonly lamports: bigint;
  /** Changes of the wallet's tokens, wrapped SOL among them. */
  readonly tokens: readonly { readonly mint: string; readonly change: bigint }[];
  /** What the wallet paid. */
  readonly feeLamports: bigint;
  readonly tipLamports: bigint;
  /** Rent: locked in own accounts, refunded from them, and spent on accounts that are not the wallet's. */
  readonly rent: { readonly locked: bigint; readonly refunded: bigint; readonly spent: bigint };
  /** Into the pool, out of it, and fees that it paid. */
  readonly pool: {
    readonly in?: AmountsByMint | undefined;
    readonly out?: AmountsByMint | undefined;
    readonly fees?: AmountsByMint | undefined;
  };
  /** What the tokens of the pool kept of transfers by their own transfer fee. */
  readonly transferFees?:
    | {
        /** Of `pool.in`, which is what was paid. */
        readonly ofDeposit: AmountsByMint;
        /** Before `pool.in`, which is what arrived. */
        readonly besideDeposit: AmountsByMint;
        /** Of all transfers. */
        readonly all: AmountsByMint;
      }
    | undefined;
  /** What a service kept of the fees. */
  readonly commission?: readonly { readonly mint: string; readonly raw: bigint }[] | undefined;
  /** SOL for one whole token, at that moment. */
  readonly prices?: Readonly<Record<string, number>> | undefined;
  /** US dollars for one SOL, at that moment. */
  readonly solUsd?: number | undefined;
}

/** A chain of positions: all its transactions, and what is still in it. */
export interface LedgerInput {
  readonly tokens: Readonly<Record<string, { readonly decimals: number }>>;
  /** The mints of the pool. */
  readonly x: string;
  readonly y: string;
  readonly transactions: readonly LedgerTransaction[];
  /** What an open position contains, raw units; `undefined`: it is closed. */
  readonly open?: { readonly x: bigint; readonly y: bigint; readonly feeX: bigint; readonly feeY: bigint } | undefined;
  readonly pricesNow: Readonly<Record<string, number>>;
  readonly reportedPnlSol?: number | undefined;
  /** US dollars for one SOL now. */
  readonly solUsdNow?: number | undefined;
}

/** What the result consists of, SOL: costs are negative. Their sum is the result. */
export interface LedgerLines {
  readonly networkFees: number;
  readonly tips: number;
  readonly rentNotRefunded: number;
  readonly commission: number;
  readonly trading: number;
  readonly fees: number;
  readonly impermanentLoss: number;
  readonly priceOfDeposit: number;
  readonly afterWithdrawal: number;
  readonly heldTokens: number;
}

/** What a chain of positions really earned. */
export type EarningsLedger =
  | { readonly known: false; readonly why: 'noTransactions' }
  | { readonly known: false; readonly why: 'priceNotKnown'; readonly mint: string; readonly signature?: string | undefined }
  | {
      readonly known: true;
      readonly walletLamports: bigint;
      readonly rentLockedLamports: bigint;
      readonly openSol: number;
      readonly leftoverSol: number;
      /** Tokens that are still in the wallet, raw units. */
      readonly leftovers: AmountsByMint;
      /** Wallet, locked rent, open position and leftovers together. */
      readonly realPnlSol: number;
      readonly lines: LedgerLines;
      /** Result less lines: rounding only. */
      readonly unexplainedSol: number;
      readonly tradedSol: number;
      /** Part of the trading line: what tokens kept by their own transfer fee. Absent: nothing. */
      readonly transferFeesSol?: number;
      readonly differsFromReportedSol: number | null;
    };

/** A price that is needed is not known. */
class PriceNotKnown extends Error {
  override readonly name = 'PriceNotKnown';
  constructor(
    readonly mint: string,
    readonly signature: string | undefined,
  ) {
    super(`The price of ${mint} is not known`);
  }
}

/**
 * Adds up what transactions did to a wallet, and says what it consists of.
 *
 * What is neither pool, rent, fee, tip nor commission was traded, so no swap has to be understood; what a token keeps of its transfers is lost like the
 * cost of a trade. In are deposits without it, as they arrived:
 * trade = change + in − out − fees + commission, and for SOL + network fee + tip + locked − refunded + spent. Valued at the pool's price of that
 * moment a fair trade is worth nothing; what it is worth less is its cost. With p the price of the last withdrawal (now, if the position is open):
 * impermanent loss = Σ(W − D)·p, price of the deposit = ΣD·(p − p_D), after withdrawals = −ΣW·(p − p_W), tokens in the wallet = Σ held·Δp. By
 * substitution these lines and the costs add up to the change of the wallet, whatever happened.
 */
export function ledgerOf(input: LedgerInput): EarningsLedger {
  const transactions = ordered(input.transactions);
  if (transactions.length === 0) {
    return { known: false, why: 'noTransactions' };
  }
  try {
    return new LedgerSum(input, transactions).result();
  } catch (error) {
    if (error instanceof PriceNotKnown) {
      return { known: false, why: 'priceNotKnown', mint: error.mint, signature: error.signature };
    }
    throw error;
  }
}

/**
 * The lines of a ledger in US dollars, each at the price of SOL when it happened: what SOL itself gained or lost is not among them.
 * @returns `undefined` if the ledger, or a price of SOL that it needs, is not known
 */
export function linesInUsd(input: LedgerInput): LedgerLines | undefined {
  try {
    const rate = (transaction: LedgerTransaction | undefined): number => {
      const usd = transaction === undefined ? input.solUsdNow : transaction.solUsd;
      return priceIn(usd === undefined ? {} : { USD: usd }, 'USD', transaction?.signature);
    };
    return new LedgerSum(input, ordered(input.transactions), rate).result().lines;
  } catch (error) {
    if (error instanceof PriceNotKnown) {
      return undefined;
    }
    throw error;
  }
}

/** What a transaction swapped, raw units: got, and negative where it was given. All that is neither pool, rent, fee, tip nor commission. */
export function tradedIn(transaction: LedgerTransaction): AmountsByMint {
  const { lamports, tokens, feeLamports, tipLamports, rent, pool, commission = [] } = transaction;
  const traded = new Map<string, bigint>();
  const trade = (mint: string, raw: bigint): void => {
    traded.set(mint, (traded.get(mint) ?? 0n) + raw);
  };
  trade(WRAPPED_SOL_MINT, lamports + feeLamports + tipLamports + rent.locked - rent.refunded + rent.spent);
  tokens.forEach(({ mint, change }) => trade(mint, change));
  arrivedIn(transaction).forEach(([mint, raw]) => trade(mint, raw));
  [pool.out, pool.fees].flatMap(amountsOf).forEach(([mint, raw]) => trade(mint, -raw));
  commission.forEach(({ mint, raw }) => trade(mint, raw));
  return Object.fromEntries([...traded].filter(([, raw]) => raw !== 0n));
}

/** What arrived in the pool of what was paid in. */
function arrivedIn({ pool, transferFees }: LedgerTransaction): readonly (readonly [string, bigint])[] {
  return amountsOf(pool.in).map(([mint, raw]) => [mint, raw - (transferFees?.ofDeposit[mint] ?? 0n)] as const);
}

/** By time; each transaction once. */
function ordered(transactions: readonly LedgerTransaction[]): readonly LedgerTransaction[] {
  const bySignature = new Map(transactions.map((one) => [one.signature, one]));
  return [...bySignature.values()].sort((first, second) => first.timeS - second.timeS || (first.signature < second.signature ? -1 : 1));
}

/** What one SOL counts in a transaction; in none: now. */
type Rate = (transaction: LedgerTransaction | undefined) => number;

/** A deposit or withdrawal that waits for the price of the last one. */
interface Moved {
  readonly mint: string;
  readonly raw: bigint;
  readonly priceThen: number;
}

/** Lamports that count at several rates; those of one rate are added before they are converted. */
class RatedLamports {
  readonly #byRate = new Map<number, bigint>();

  add(lamports: bigint, rate: number): void {
    this.#byRate.set(rate, (this.#byRate.get(rate) ?? 0n) + lamports);
  }

  sum(): number {
    return [...this.#byRate].reduce((total, [rate, lamports]) => total + sol(lamports) * rate, 0);
  }
}

class LedgerSum {
  readonly #input: LedgerInput;
  readonly #transactions: readonly LedgerTransaction[];
  readonly #deposits: Moved[] = [];
  readonly #withdrawals: Moved[] = [];
  readonly #held = new Map<string, { raw: bigint; price: number }>();
  readonly #rate: Rate;
  readonly #costs = { network: new RatedLamports(), tips: new RatedLamports(), spent: new RatedLamports() };
  #walletLamports = 0n;
  #lockedLamports = 0n;
  #commission = 0;
  #trading = 0;
  #traded = 0;
  #transferFees = 0;
  #fees = 0;
  #heldTokens = 0;

  constructor(input: LedgerInput, transactions: readonly LedgerTransaction[], rate: Rate = () => 1) {
    this.#rate = rate;
    this.#input = input;
    this.#transactions = transactions;
  }

  result(): Extract<EarningsLedger, { known: true }> {
    this.#transactions.forEach((one) => this.#add(one));
    const { x, y, open, pricesNow, reportedPnlSol } = this.#input;
    const now = (mint: string): number => priceIn(pricesNow, mint, undefined);
    const contents: readonly (readonly [string, bigint])[] =
      open === undefined ? [] : [[x, open.x] as const, [y, open.y] as const].filter(([, raw]) => raw !== 0n);
    const openFees = open === undefined ? [] : [[x, open.feeX] as const, [y, open.feeY] as const];
    const openFeesSol = this.#worth(openFees, now);
    const openSol = this.#worth(contents, now) + openFeesSol;
    const leftovers = [...this.#held].filter(([, { raw }]) => raw !== 0n);
    for (const [mint, { raw, price }] of leftovers) {
      this.#heldTokens += this.#whole(mint, raw) * (now(mint) - price) * this.#rate(undefined);
    }
    const leftoverSol = this.#worth(
      leftovers.map(([mint, { raw }]) => [mint, raw] as const),
      now,
    );
    const lines = this.#lines(contents, openFeesSol, now);
    const realPnlSol = sol(this.#walletLamports + this.#lockedLamports) + openSol + leftoverSol;
    return {
      known: true,
      walletLamports: this.#walletLamports,
      rentLockedLamports: this.#lockedLamports,
      openSol,
      leftoverSol,
      leftovers: Object.fromEntries(leftovers.map(([mint, { raw }]) => [mint, raw])),
      realPnlSol,
      lines,
      unexplainedSol: realPnlSol - Object.values<number>({ ...lines }).reduce((sum, line) => sum + line, 0),
      tradedSol: this.#traded,
      ...(this.#transferFees === 0 ? {} : { transferFeesSol: this.#transferFees }),
      differsFromReportedSol: reportedPnlSol === undefined ? null : realPnlSol - reportedPnlSol,
    };
  }

  #add(transaction: LedgerTransaction): void {
    const { lamports, tokens, feeLamports, tipLamports, rent, pool, commission = [], prices = {}, signature } = transaction;
    const price = (mint: string): number => priceIn(prices, mint, signature);
    this.#walletLamports += lamports;
    const rate = this.#rate(transaction);
    this.#costs.network.add(feeLamports, rate);
    this.#costs.tips.add(tipLamports, rate);
    this.#costs.spent.add(rent.spent, rate);
    this.#lockedLamports += rent.locked - rent.refunded;
    this.#hold(tokens, price, rate);
    for (const [mint, raw] of arrivedIn(transaction)) {
      this.#deposits.push({ mint, raw, priceThen: price(mint) });
    }
    for (const [mint, raw] of amountsOf(pool.out)) {
      this.#withdrawals.push({ mint, raw, priceThen: price(mint) });
    }
    for (const [mint, raw] of amountsOf(pool.fees)) {
      this.#fees += this.#whole(mint, raw) * price(mint) * rate;
    }
    for (const { mint, raw } of commission.filter((one) => one.raw !== 0n)) {
      this.#commission -= this.#whole(mint, raw) * price(mint) * rate;
    }
    const traded = tradedIn(transaction);
    const kept = transaction.transferFees?.all ?? {};
    const worth = (amounts: AmountsByMint): readonly number[] =>
      amountsOf(amounts).map(([mint, raw]) => this.#whole(mint, raw) * price(mint));
    this.#trading += sumOf(worth(traded)) * rate;
    this.#transferFees += sumOf(worth(kept)) * rate;
    // What was given and what was got are worth about the same: half of both is what was traded. A transfer fee was not.
    const mints = new Set([...Object.keys(traded), ...Object.keys(kept)]);
    const swapped = worth(Object.fromEntries([...mints].map((mint) => [mint, (traded[mint] ?? 0n) + (kept[mint] ?? 0n)])));
    this.#traded += sumOf(swapped.map(Math.abs)) / 2;
  }

  /** What lay in the wallet since the last price of a token gained or lost with the price. */
  #hold(tokens: LedgerTransaction['tokens'], price: (mint: string) => number, rate: number): void {
    for (const { mint, change } of tokens.filter((one) => one.change !== 0n)) {
      const priceThen = price(mint);
      const before = this.#held.get(mint) ?? { raw: 0n, price: priceThen };
      this.#heldTokens += this.#whole(mint, before.raw) * (priceThen - before.price) * rate;
      this.#held.set(mint, { raw: before.raw + change, price: priceThen });
    }
  }

  #lines(contents: readonly (readonly [string, bigint])[], openFeesSol: number, now: (mint: string) => number): LedgerLines {
    const moved = [...this.#deposits, ...this.#withdrawals];
    const last = new Map(
      moved.length === 0 ? [] : [...new Set(moved.map(({ mint }) => mint))].map((mint) => [mint, this.#lastPrice(mint, now)]),
    );
    const lastPrice = (mint: string): number => last.get(mint) ?? now(mint);
    const out = this.#withdrawals.map(({ mint, raw }) => [mint, raw] as const);
    const into = this.#deposits.map(({ mint, raw }) => [mint, -raw] as const);
    const rateAtEnd = moved.length + contents.length === 0 ? 0 : this.#rate(this.#lastWithdrawal());
    const change = ({ mint, raw, priceThen }: Moved): number => this.#whole(mint, raw) * (lastPrice(mint) - priceThen) * rateAtEnd;
    return {
      networkFees: -this.#costs.network.sum(),
      tips: -this.#costs.tips.sum(),
      rentNotRefunded: -this.#costs.spent.sum(),
      commission: this.#commission,
      trading: this.#trading,
      fees: this.#fees + (openFeesSol === 0 ? 0 : openFeesSol * this.#rate(undefined)),
      impermanentLoss: this.#worth([...out, ...into, ...contents], lastPrice) * rateAtEnd,
      priceOfDeposit: this.#deposits.reduce((sum, one) => sum + change(one), 0),
      afterWithdrawal: -this.#withdrawals.reduce((sum, one) => sum + change(one), 0),
      heldTokens: this.#heldTokens,
    };
  }

  /** The price at the last withdrawal of anything; now, if the position is open or nothing was withdrawn. */
  #lastPrice(mint: string, now: (mint: string) => number): number {
    const last = this.#lastWithdrawal();
    return last === undefined ? now(mint) : priceIn(last.prices ?? {}, mint, last.signature);
  }

  /** `undefined`: the position is open, or nothing was withdrawn. */
  #lastWithdrawal(): LedgerTransaction | undefined {
    return this.#input.open === undefined ? this.#transactions.findLast(({ pool }) => pool.out !== undefined) : undefined;
  }

  /** SOL. Amounts of a token are added before they are valued. */
  #worth(amounts: readonly (readonly [string, bigint])[], price: (mint: string) => number): number {
    const byMint = new Map<string, bigint>();
    amounts.forEach(([mint, raw]) => byMint.set(mint, (byMint.get(mint) ?? 0n) + raw));
    return [...byMint].filter(([, raw]) => raw !== 0n).reduce((sum, [mint, raw]) => sum + this.#whole(mint, raw) * price(mint), 0);
  }

  #whole(mint: string, raw: bigint): number {
    const decimals = mint === WRAPPED_SOL_MINT ? SOL_DECIMALS : this.#input.tokens[mint]?.decimals;
    if (decimals === undefined) {
      throw new PriceNotKnown(mint, undefined);
    }
    return Number(formatRaw(raw, decimals));
  }
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function amountsOf(amounts: AmountsByMint | undefined): readonly (readonly [string, bigint])[] {
  return Object.entries(amounts ?? {}).filter(([, raw]) => raw !== 0n);
}

function priceIn(prices: Readonly<Record<string, number>>, mint: string, signature: string | undefined): number {
  if (mint === WRAPPED_SOL_MINT) {
    return 1;
  }
  const price = prices[mint];
  if (price === undefined || !Number.isFinite(price) || price <= 0) {
    throw new PriceNotKnown(mint, signature);
  }
  return price;
}

function sol(lamports: bigint): number {
  return Number(formatRaw(lamports, SOL_DECIMALS));
}
