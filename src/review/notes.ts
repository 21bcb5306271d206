import type { Address } from '../base/solana/address';
import type { Finding, TokenSpend } from './types';

/** Something that an instruction does to the owner's money, as its bytes say it; summed over the operation by the limits. */
export type Effect =
  /** SOL into the owner's own wrapped-SOL account. */
  | { readonly kind: 'wrap'; readonly lamports: bigint; readonly account: Address }
  /** The owner's wrapped-SOL account is closed, to the owner. */
  | { readonly kind: 'unwrap'; readonly account: Address }
  /** Wrapped SOL that goes into a swap or a position, at most. */
  | { readonly kind: 'consume'; readonly lamports: bigint; readonly into?: TokenSpend['into'] }
  /** Another token that goes into a swap or a position, at most. */
  | ({ readonly kind: 'spendToken' } & TokenSpend)
  /** Tokens, wrapped SOL too, that go to somebody else. A simulation is not to take them for explained: they are not in its bounds. */
  | { readonly kind: 'giveToken'; readonly mint: Address; readonly amountRaw: bigint }
  | { readonly kind: 'tip'; readonly lamports: bigint; readonly to: Address }
  /** SOL to anybody who is neither the owner nor a tip account. */
  | { readonly kind: 'send'; readonly lamports: bigint; readonly to: Address }
  | { readonly kind: 'networkFee'; readonly lamports: bigint }
  | { readonly kind: 'priorityFee'; readonly lamports: bigint }
  | { readonly kind: 'rent'; readonly lamports: bigint; readonly refundable: boolean }
  /** What is guaranteed; `quotedRaw` is what a swap is expected to give. */
  | {
      readonly kind: 'minimumOut';
      readonly mint: Address | undefined;
      readonly amountRaw: bigint;
      readonly from: string;
      readonly quotedRaw?: bigint | undefined;
    }
  /** Somebody else who gets something. */
  | { readonly kind: 'recipient'; readonly address: Address; readonly role: string };

/** An effect with the transaction that it is in. */
export type PlacedEffect = Effect & { readonly transaction: number };

/** What a finding may point at besides its place. */
export interface Detail {
  readonly address?: Address | undefined;
  /** Lamports, or raw units. */
  readonly amountRaw?: bigint | undefined;
}

/** Where the rules write down what they find, and what the instructions do. One for an operation. */
export class Notes {
  readonly findings: Finding[] = [];
  readonly effects: PlacedEffect[] = [];

  /** Gives the notes on one transaction, or on one instruction of it. */
  at(transaction: number, instruction?: number): PlaceNotes {
    return new PlaceNotes(this, transaction, instruction);
  }

  /** Notes something about the operation as a whole. */
  operation(rule: string, verdict: Finding['verdict'], message: string, detail: Detail = {}): void {
    this.findings.push({ rule, verdict, message, ...given(detail) });
  }

  /** Exchanges findings that something else has answered. */
  replace(exchange: (finding: Finding) => Finding): void {
    this.findings.splice(0, this.findings.length, ...this.findings.map(exchange));
  }
}

/** Notes on one place of the operation. */
export class PlaceNotes {
  constructor(
    private readonly notes: Notes,
    private readonly transaction: number,
    private readonly instruction: number | undefined,
  ) {}

  block(rule: string, message: string, detail: Detail = {}): void {
    this.add(rule, 'block', message, detail);
  }

  confirm(rule: string, message: string, detail: Detail = {}): void {
    this.add(rule, 'confirm', message, detail);
  }

  info(rule: string, message: string, detail: Detail = {}): void {
    this.add(rule, 'info', message, detail);
  }

  effect(effect: Effect): void {
    this.notes.effects.push({ ...effect, transaction: this.transaction });
  }

  private add(rule: string, verdict: Finding['verdict'], message: string, detail: Detail): void {
    this.notes.findings.push({
      rule,
      verdict,
      message,
      transaction: this.transaction,
      ...(this.instruction === undefined ? {} : { instruction: this.instruction }),
      ...given(detail),
    });
  }
}

/** A finding has no empty fields. */
function given({ address, amountRaw }: Detail): Pick<Finding, 'address' | 'amountRaw'> {
  return { ...(address === undefined ? {} : { address }), ...(amountRaw === undefined ? {} : { amountRaw }) };
}
