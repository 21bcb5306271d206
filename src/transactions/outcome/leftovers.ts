import type { AmountLeft, Reason } from '../../base/reasons/reason';
import type { Address } from '../../base/solana/address';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { DecreaseOutput } from '../../service/transactions';
import type { JournalPlan } from '../journal/plans';
import type { OperationRecord } from '../journal/types';
import type { Measured } from './measure';
import { amountOf, explained, type Known, least, type Remainder, wrappedLamportsOf } from './remainder';

// What the landed transactions of an operation brought to the wallet, and the missing ones were to swap or unwrap. By its own transactions alone:
// what else the wallet holds is not touched.

/** What an operation was to swap and has not. */
export interface Leftovers {
  readonly amounts: readonly AmountLeft[];
  /** SOL that is still wrapped. */
  readonly wrappedLamports: bigint;
}

/** The tokens that the wallet still has of those that the transactions brought, besides SOL and the token that was to be bought. */
export function leftoversOf(record: OperationRecord, changed: Measured, known: Known): Leftovers {
  const bought = boughtBy(record);
  const amounts = [...changed.tokens].flatMap(([mint, raw]): AmountLeft[] => {
    const there = known.held === undefined ? raw : least(raw, known.held.get(mint) ?? 0n);
    const isSold = bought !== undefined && mint !== bought && mint !== WRAPPED_SOL_MINT;
    const facts = known.pool?.tokens.find((token) => token.address === mint) ?? namedIn(record, mint);
    return isSold && there > 0n ? [amountOf(mint, there, facts)] : [];
  });
  const wrappedLamports = wrappedLamportsOf(changed, known);
  return { amounts, wrappedLamports: wrappedLamports > 0n ? wrappedLamports : 0n };
}

/** The same by the journal alone; `undefined`: its transactions were not read. */
export function recordedLeftovers(record: OperationRecord, records: readonly OperationRecord[]): Leftovers | undefined {
  const { changes } = record;
  if (changes === undefined) {
    return undefined;
  }
  const tokens = new Map(changes.tokens.map(({ mint, changeRaw }) => [mint, changeRaw]));
  const changed = withoutExchanged(record, { lamports: changes.lamports, tokens, from: 'transactions' }, records);
  const known: Known = { records, listed: undefined, changed, held: undefined, pool: undefined };
  return leftoversOf(record, changed, known);
}

/**
 * Swaps or unwraps what is left, one after the other, or explains why nothing is. SOL that is bought arrives unwrapped, with all of the account for
 * wrapped SOL.
 */
export function exchanged(record: OperationRecord, { amounts, wrappedLamports }: Leftovers, reason: Reason): Remainder {
  const [sold, ...others] = amounts;
  const boughtMint = boughtBy(record);
  if (sold !== undefined && boughtMint !== undefined) {
    const staysWrapped = wrappedLamports > 0n && boughtMint !== WRAPPED_SOL_MINT;
    return { kind: 'swap', of: record, sold, boughtMint, leavesMore: others.length > 0 || staysWrapped, reason };
  }
  return wrappedLamports > 0n ? { kind: 'unwrap', of: record, lamports: wrappedLamports, reason } : explained(reason, 'seen');
}

/** What is left of changes after the swaps and the unwrapping that were to complete the operation, and landed. */
export function withoutExchanged(record: OperationRecord, changed: Measured, records: readonly OperationRecord[]): Measured {
  const plans = records.flatMap(({ created, state }) => (created.finishes === record.id && state === 'settled' ? [created.plan] : []));
  const tokens = new Map(changed.tokens);
  for (const plan of plans) {
    if (plan.kind === 'swap') {
      tokens.set(plan.sold.mint, (tokens.get(plan.sold.mint) ?? 0n) - plan.amountRaw);
    }
    if (plan.kind === 'unwrap' || (plan.kind === 'swap' && plan.bought.mint === WRAPPED_SOL_MINT)) {
      tokens.delete(WRAPPED_SOL_MINT);
    }
  }
  return { ...changed, tokens };
}

/** The token that everything was to become; `undefined`: nothing was to be swapped, or it is not known to what. */
function boughtBy({ created }: OperationRecord): Address | undefined {
  switch (created.plan.kind) {
    case 'zapOut':
      return outputOf(created.plan, created);
    case 'zapIn':
      return WRAPPED_SOL_MINT;
    case 'addLiquidity':
      return created.plan.source === 'wallet' ? WRAPPED_SOL_MINT : undefined;
    case 'claim':
    case 'swap':
    case 'unwrap':
    case 'rebalance':
      return undefined;
  }
}

function outputOf({ output }: JournalPlan<'zapOut'>, { tokens = [], pairName }: OperationRecord['created']): Address | undefined {
  const [first, second] = tokens;
  // The list lacks a token whose mint was not reported: the next one must not be taken for it.
  const isPair = first !== undefined && second !== undefined && pairName === `${first.symbol}/${second.symbol}`;
  const outputs: Readonly<Record<DecreaseOutput, Address | undefined>> = {
    allBaseToken: WRAPPED_SOL_MINT,
    allToken0: isPair ? first.mint : undefined,
    allToken1: isPair ? second.mint : undefined,
    both: undefined,
  };
  return outputs[output];
}

/** A token as the journal has it. */
function namedIn({ created: { tokens = [] } }: OperationRecord, mint: Address): Pick<AmountLeft, 'symbol' | 'decimals'> | undefined {
  return tokens.find((token) => token.mint === mint);
}
