import type { Address } from '../base/solana/address';
import type { Finding, TokenSpend } from './types';

/** An effect of an instruction on the owner's money, by its bytes. The limits sum them over the operation. */
export type Effect =
  /** SOL into the owner's own account for wrapped SOL. */
  | { readonly kind: 'wrap'; readonly lamports: bigint; readonly account: Address }
  /** The owner's account for wrapped SOL is closed to the owner. */
  | { readonly kind: 'unwrap'; readonly account: Address }
  /** The most wrapped SOL that goes into a swap or a position. */
  | { readonly kind: 'consume'; readonly lamports: bigint; readonly into?: TokenSpend['into'] }
  /** The most of another token that goes into a swap or a position. */
  | ({ readonly kind: 'spendToken' } & TokenSpend)
  /** Tokens, including wrapped SOL, that go to others. They do not explain a loss in a simulation. */
  | { readonly kind: 'giveToken'; readonly mint: Address; readonly amountRaw: bigint }
  | { readonly kind: 'tip'; readonly lamports: bigint; readonly to: Address }
  /** SOL to any account that is neither the owner's nor a tip account. */
  | { readonly kind: 'send'; readonly lamports: bigint; readonly to: Address }
  | { readonly kind: 'networkFee'; readonly lamports: bigint }
  | { readonly kind: 'priorityFee'; readonly lamports: bigint }
  | { readonly kind: 'rent'; readonly lamports: bigint; readonly refundable: boolean }
  /** A minimum that a withdrawal guarantees. */
  | { readonly kind: 'minimumOut'; readonly mint: Address | undefined; readonly amountRaw: bigint }
  | ({ readonly kind: 'swap' } & NotedSwap)
  /** Another account that gets something. */
  | { readonly kind: 'recipient'; readonly address: Address; readonly role: string };

/**
 * What a swap exchanges, amounts in raw units. What it takes is noted once more as `consume` or `spendToken`. `undefined`: unknown, or not
 * stated.
 */
export interface NotedSwap {
  /** The source of the minimum in the review: "swap", "swap in the pool". */
  readonly name: string;
  readonly sold: Address | undefined;
  readonly bought: Address | undefined;
  /** The most that it takes. */
  readonly soldMost: bigint | undefined;
  readonly quotedBought: bigint | undefined;
  /** The least that it pays out. */
  readonly boughtLeast: bigint | undefined;
  /** What the sold amount buys at the lowest known price. */
  readonly worth: bigint | undefined;
  /** The slippage tolerance that the instruction states, basis points. */
  readonly slippageBps: number | undefined;
  /** The quote is far above a known price (SWP-9). */
  readonly isTooGood: boolean;
}

/** An effect and the index of its transaction. */
export type PlacedEffect = Effect & { readonly transaction: number };

/** Optional details of a finding. */
export interface Detail {
  readonly address?: Address | undefined;
  /** Lamports, or raw units. */
  readonly amountRaw?: bigint | undefined;
}

/** Collects the findings and effects of one operation. */
export class Notes {
  readonly findings: Finding[] = [];
  readonly effects: PlacedEffect[] = [];

  /** Returns the notes on a transaction, or on one of its instructions. */
  at(transaction: number, instruction?: number): PlaceNotes {
    return new PlaceNotes(this, transaction, instruction);
  }

  /** Adds a finding about the operation as a whole. */
  operation(rule: string, verdict: Finding['verdict'], message: string, detail: Detail = {}): void {
    this.findings.push({ rule, verdict, message, ...given(detail) });
  }

  /** Replaces findings, such as those that a simulation answers. */
  replace(exchange: (finding: Finding) => Finding): void {
    this.findings.splice(0, this.findings.length, ...this.findings.map(exchange));
  }
}

/** Notes on one place of the operation. */
export class PlaceNotes {
  readonly #notes: Notes;
  readonly #transaction: number;
  readonly #instruction: number | undefined;

  constructor(notes: Notes, transaction: number, instruction: number | undefined) {
    this.#notes = notes;
    this.#transaction = transaction;
    this.#instruction = instruction;
  }

  block(rule: string, message: string, detail: Detail = {}): void {
    this.#add(rule, 'block', message, detail);
  }

  confirm(rule: string, message: string, detail: Detail = {}): void {
    this.#add(rule, 'confirm', message, detail);
  }

  info(rule: string, message: string, detail: Detail = {}): void {
    this.#add(rule, 'info', message, detail);
  }

  effect(effect: Effect): void {
    this.#notes.effects.push({ ...effect, transaction: this.#transaction });
  }

  #add(rule: string, verdict: Finding['verdict'], message: string, detail: Detail): void {
    this.#notes.findings.push({
      rule,
      verdict,
      message,
      transaction: this.#transaction,
      ...(this.#instruction === undefined ? {} : { instruction: this.#instruction }),
      ...given(detail),
    });
  }
}

/** A finding has no empty fields. */
function given({ address, amountRaw }: Detail): Pick<Finding, 'address' | 'amountRaw'> {
  return { ...(address === undefined ? {} : { address }), ...(amountRaw === undefined ? {} : { amountRaw }) };
}
