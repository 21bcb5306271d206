import type { Address } from '../base/solana/address';

/** Millionths of a basis point: a mean of tolerances keeps the share of small swaps. */
export const SLIPPAGE_SCALE = 1_000_000n;

/**
 * What a term is about. Each topic has one direction ({@link TERM_BOUNDS}), and amounts are lamports, raw units, basis points, bins or
 * counts.
 */
export type TermTopic =
  /** What the user asked for: pool, position, share, range, strategy, input, slippage tolerance. `of` is the request as text. */
  | 'request'
  | 'outflow'
  | 'spent'
  | 'wrapped'
  | 'leftWrapped'
  | 'networkFee'
  | 'priorityFee'
  | 'tip'
  | 'refundableRent'
  | 'spentRent'
  /** SOL by recipient. */
  | 'solToOthers'
  /** By mint, raw units. */
  | 'tokensToOthers'
  /**
   * Of the swaps of two tokens in one transaction, raw units; `of` is "SOLD BOUGHT 1": the two mints, and the place among the transactions
   * that swap them.
   */
  | 'swapped'
  | 'guaranteedBySwaps'
  /** The number of transactions with such swaps that neither withdraw nor deposit; `of` is "SOLD BOUGHT". */
  | 'swappedApart'
  /** Taken by each transaction beyond what it guarantees itself. By mint, like the next one. */
  | 'ownTokens'
  | 'deposited'
  | 'guaranteedByWithdrawal'
  | 'received'
  | 'simulated'
  /** Liquidity that DAMM v2 adds, by position. */
  | 'liquidity'
  /** The bins that may be active when a deposit lands, by deposit; offset so that they are above 0. */
  | 'lowestActiveBin'
  | 'highestActiveBin'
  /** The square roots of the price, Q64.64, at which a deposit without bins lands, by deposit. */
  | 'lowestPrice'
  | 'highestPrice'
  /** The mean tolerance of the swaps of two tokens in one transaction, by the amounts that they sell, millionths of a basis point. */
  | 'swapSlippage'
  | 'transactions'
  | 'program'
  | 'recipient'
  | 'cosigner'
  | 'feePayer'
  /** An instruction of Meteora with everything in it that is no amount. */
  | 'step'
  | 'closedAccount'
  | 'createdAccount'
  /** A transaction with an instruction that cannot be read, by its message: other bytes are never covered. */
  | 'opaqueTransaction'
  | 'unreadAccount'
  | 'unreadTable'
  /** What an RPC contributed. */
  | 'unsimulatedTransactions'
  | 'answersOfRpc'
  /** A finding in its exact words. */
  | 'finding'
  /** The amount of a finding about a sum, by rule. */
  | 'findingSum';

/** A token in {@link Term.of}. */
export function mintKey(mint: Address | undefined): string {
  return mint ?? 'unknown';
}

/** One respect in which transactions are compared with what was approved. A missing term counts as 0. */
export interface Term {
  readonly topic: TermTopic;
  /** The mint, account, rule or step that it is about; empty if the topic has only one term. */
  readonly of: string;
  readonly amount: bigint;
  /** Words for the user, where `of` is not meant for reading. */
  readonly label?: string | undefined;
}

/** `most`: more is worse. `least`: less is worse. `same`: any difference is worse. */
type TermBound = 'most' | 'least' | 'same';

export const TERM_BOUNDS: Readonly<Record<TermTopic, TermBound>> = {
  request: 'same',
  outflow: 'most',
  spent: 'most',
  wrapped: 'most',
  leftWrapped: 'most',
  networkFee: 'most',
  priorityFee: 'most',
  tip: 'most',
  refundableRent: 'most',
  spentRent: 'most',
  solToOthers: 'most',
  tokensToOthers: 'most',
  swapped: 'most',
  swappedApart: 'most',
  ownTokens: 'most',
  deposited: 'least',
  guaranteedBySwaps: 'least',
  guaranteedByWithdrawal: 'least',
  received: 'least',
  simulated: 'least',
  liquidity: 'least',
  lowestActiveBin: 'least',
  highestActiveBin: 'most',
  lowestPrice: 'least',
  highestPrice: 'most',
  swapSlippage: 'most',
  transactions: 'most',
  program: 'most',
  recipient: 'most',
  cosigner: 'most',
  feePayer: 'most',
  step: 'same',
  closedAccount: 'least',
  createdAccount: 'most',
  opaqueTransaction: 'most',
  unreadAccount: 'most',
  unreadTable: 'most',
  unsimulatedTransactions: 'most',
  answersOfRpc: 'least',
  finding: 'most',
  findingSum: 'most',
};

/** The terms of an operation, each (topic, of) once. A person who approves the operation approves these. */
export type Terms = readonly Term[];

/** Collects terms; what is added to the same one is summed up. */
export class TermSheet {
  readonly #terms = new Map<string, Term>();

  add(topic: TermTopic, of: string, amount: bigint, label?: string): void {
    this.#set(topic, of, (this.#amount(topic, of) ?? 0n) + amount, label);
  }

  /** For terms that don't add up: the greatest one counts. */
  raise(topic: TermTopic, of: string, amount: bigint, label?: string): void {
    const before = this.#amount(topic, of);
    this.#set(topic, of, before === undefined || amount > before ? amount : before, label);
  }

  /** Terms of 0 say the same as missing ones, so they are left out. */
  get terms(): Terms {
    return [...this.#terms.values()].filter(({ amount }) => amount !== 0n);
  }

  #amount(topic: TermTopic, of: string): bigint | undefined {
    return this.#terms.get(`${topic} ${of}`)?.amount;
  }

  #set(topic: TermTopic, of: string, amount: bigint, label: string | undefined): void {
    this.#terms.set(`${topic} ${of}`, { topic, of, amount, ...(label === undefined ? {} : { label }) });
  }
}
