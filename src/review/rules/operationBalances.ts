import * as l10n from '@vscode/l10n';
import { BASIS_POINTS } from '../../base/basisPoints';
import type { Address } from '../../base/solana/address';
import { lamportsToSol } from '../../base/solana/amounts';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { OperationContext } from '../context';
import type { AccountState, SimulatedTransaction } from '../facts/facts';
import { readTokenAccount } from '../facts/tokenAccountState';
import type { Notes, PlacedEffect } from '../notes';
import { FROM_WITHDRAWAL, outflowBound, sum } from '../spends';
import type { Intent } from '../types';
import { isWithdrawal } from './meteora';
import { SIMULATION_TOLERANCE_LAMPORTS } from './simulatedAccounts';
import { WORTH_TOLERANCE_BPS } from './soldTokens';

/**
 * SIM-2 over the whole operation: from before the first transaction to behind the last one, no balance of the pool's tokens falls but by
 * what was agreed. For a zap-in that is the SOL and the tokens that the user puts in, for a zap-out nothing. Each transaction for itself may
 * be as its instructions say, and their sum may still be a sale of what was in the wallet before.
 *
 * Where only the first transactions were simulated, the swaps and deposits of the others count with what they state: at most what goes in,
 * and what is quoted to come out. That says nothing while a transaction that withdraws is among the others.
 */
export function reviewOperationBalances(simulated: readonly SimulatedTransaction[], context: OperationContext, notes: Notes): void {
  const { intent, transactions, poolMints } = context;
  // What already blocks a simulated transaction need not be said again in sums.
  if (!isWhole(context, notes) || notes.findings.some(({ rule, verdict }) => verdict === 'block' && rule.startsWith('SIM-'))) {
    return;
  }
  const [first, last] = [simulated[0], simulated.at(-1)];
  const rest = transactions.filter(({ view }) => view.index >= simulated.length);
  if (first === undefined || last === undefined || rest.some(({ readings }) => readings.some(isWithdrawal))) {
    return;
  }
  const later = notes.effects.filter(({ transaction }) => transaction >= simulated.length);
  const changes = changesByMint(first.before, last.after, intent.owner);
  for (const mint of poolMints) {
    const change = (changes.get(mint) ?? 0n) + expectedChange(mint, later);
    if (mint === WRAPPED_SOL_MINT) {
      const wallet = lamportsOf(last.after, intent.owner) - lamportsOf(first.before, intent.owner);
      reviewSol(change + wallet, intent, notes);
    } else {
      reviewToken(mint, change, intent, notes);
    }
  }
}

/** Whether the transactions are known to be all of the operation: of a part of it, a sale without its withdrawal says nothing. */
function isWhole({ intent, transactions }: OperationContext, { effects }: Notes): boolean {
  switch (intent.kind) {
    case 'zapOut':
      return intent.holdings !== undefined || transactions.some(({ readings }) => readings.some(isWithdrawal));
    case 'zapIn':
      return intent.tokens !== undefined || intent.isSolOnly === true || effects.some(({ kind }) => kind === 'minimumOut');
  }
}

/** SOL and wrapped SOL are one: wrapping and unwrapping move it between the two. */
function reviewSol(change: bigint, intent: Intent, notes: Notes): void {
  const bound = outflowBound(intent, notes.effects) + SIMULATION_TOLERANCE_LAMPORTS;
  if (-change > bound) {
    const words = l10n.t`In the simulation the whole operation takes ${lamportsToSol(-change)} SOL out of your wallet, wrapped SOL included; what you agreed to and its costs are ${lamportsToSol(bound)} SOL at most.`;
    notes.operation('SIM-2', 'block', words, { address: WRAPPED_SOL_MINT, amountRaw: -change });
  }
}

function reviewToken(mint: Address, change: bigint, intent: Intent, notes: Notes): void {
  const { effects } = notes;
  const spent = spentRaw(mint, effects);
  const missing = -change - agreedRaw(mint, intent, effects);
  if (missing <= 0n || missing * BASIS_POINTS <= spent * MOVES_BPS) {
    return;
  }
  const words = l10n.t`In the simulation the whole operation takes ${String(missing)} raw units of ${mint} out of your wallet that were there before. It uses ${String(spent)} of it.`;
  const isMost = missing * BASIS_POINTS > spent * WORTH_TOLERANCE_BPS;
  notes.operation(
    'SIM-2',
    isMost ? 'block' : 'confirm',
    isMost ? l10n.t`${words} You did not agree to that.` : l10n.t`${words} The price may have moved since the transactions were built.`,
    { address: mint, amountRaw: missing },
  );
}

/** So much of what is sold or deposited may be missing: amounts are fixed when transactions are built, and the price goes on moving. */
const MOVES_BPS = 100n;

/** How much of a token other than SOL may leave the wallet: what goes in as it is, or what swaps may give less than quoted. */
function agreedRaw(mint: Address, intent: Intent, effects: readonly PlacedEffect[]): bigint {
  if (intent.kind === 'zapOut') {
    return 0n;
  }
  if (intent.tokens !== undefined) {
    return intent.tokens.reduce((total, token) => (token.mint === mint ? total + token.amountRaw : total), 0n);
  }
  return (boughtRaw(mint, effects) * BigInt(intent.slippageBps)) / BASIS_POINTS;
}

/** What transactions that were not simulated do to a balance by what they state. */
function expectedChange(mint: Address, effects: readonly PlacedEffect[]): bigint {
  const consumed = mint === WRAPPED_SOL_MINT ? sum(effects, 'consume') : 0n;
  return boughtRaw(mint, effects) - spentRaw(mint, effects) - consumed;
}

function boughtRaw(mint: Address, effects: readonly PlacedEffect[]): bigint {
  return effects.reduce(
    (total, effect) =>
      effect.kind === 'minimumOut' && effect.mint === mint && effect.from !== FROM_WITHDRAWAL
        ? total + (effect.quotedRaw ?? effect.amountRaw)
        : total,
    0n,
  );
}

function spentRaw(mint: Address, effects: readonly PlacedEffect[]): bigint {
  return effects.reduce((total, effect) => (effect.kind === 'spendToken' && effect.mint === mint ? total + effect.amountRaw : total), 0n);
}

/** By how much the owner's balances differ, by mint. */
export function changesByMint(
  before: SimulatedTransaction['before'],
  after: SimulatedTransaction['after'],
  owner: Address,
): ReadonlyMap<Address, bigint> {
  const changes = new Map<Address, bigint>();
  const add = (states: ReadonlyMap<Address, AccountState>, sign: bigint): void => {
    for (const state of states.values()) {
      const token = readTokenAccount(state);
      if (token?.owner === owner) {
        changes.set(token.mint, (changes.get(token.mint) ?? 0n) + sign * token.amountRaw);
      }
    }
  };
  add(before, -1n);
  add(after, 1n);
  return changes;
}

/** What an account has; 0 where it does not exist. */
export function lamportsOf(states: ReadonlyMap<Address, AccountState>, account: Address): bigint {
  return states.get(account)?.lamports ?? 0n;
}
