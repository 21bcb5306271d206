import * as l10n from '@vscode/l10n';
import { BASIS_POINTS, WHOLE_BPS } from '../../base/basisPoints';
import type { Address } from '../../base/solana/address';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { RentRate } from '../../base/solana/rent';
import { isWholeOperation, spendsOf } from '../intents';
import type { OperationContext } from '../context';
import { tokenAccountState } from '../facts/accounts';
import type { AccountState, SimulatedTransaction } from '../facts/facts';
import type { Notes, PlacedEffect } from '../notes';
import { outflowBound, sum } from '../spends';
import type { Intent } from '../types';
import { isClosing, isDeposit, isWithdrawal } from '../decode/meteora';
import { isPayingTheWallet, SIMULATION_TOLERANCE_LAMPORTS } from './simulatedAccounts';
import { WORTH_TOLERANCE_BPS } from './swapFunds';
import { rawAmountText, tryOrAcceptWords } from './words';

/**
 * SIM-2 over the whole operation: from before the first to after the last transaction, no balance of the pool's tokens falls by more than
 * the user agreed to. For a zap-in that is the deposited SOL and tokens, for a zap-out nothing. Each transaction may do what its
 * instructions say, and together they may still sell tokens that were in the wallet before.
 *
 * If only the first transactions were simulated, the swaps and deposits of the others count with the amounts that they state: the most that
 * goes in and the quote. The rule does not apply if one of the others withdraws.
 */
export function reviewOperationBalances(simulated: readonly SimulatedTransaction[], context: OperationContext, notes: Notes): void {
  const { intent, transactions, poolMints } = context;
  // A blocked simulated transaction needs no second finding about its sums.
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

/** Returns whether the transactions are known to be the whole operation. In a part of it, a sale without its withdrawal is no evidence. */
function isWhole({ intent, transactions }: OperationContext, { effects }: Notes): boolean {
  return isWholeOperation(intent, {
    withdraws: transactions.some(({ readings }) => readings.some(isWithdrawal)),
    swaps: effects.some(({ kind }) => kind === 'swap'),
  });
}

/** SOL and wrapped SOL are added up: wrapping and unwrapping only move SOL between them. */
function reviewSol(change: bigint, intent: Intent, notes: Notes): void {
  const bound = outflowBound(intent, notes.effects) + SIMULATION_TOLERANCE_LAMPORTS;
  if (-change > bound) {
    const words = `${takesWords(WRAPPED_SOL_MINT, -change)} ${l10n.t`You agreed to at most ${rawAmountText(WRAPPED_SOL_MINT, bound)}.`}`;
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
  const isMost = missing * BASIS_POINTS > spent * WORTH_TOLERANCE_BPS;
  notes.operation(
    'SIM-2',
    isMost ? 'block' : 'confirm',
    `${takesWords(mint, missing)} ${isMost ? l10n.t('You did not agree to that.') : l10n.t('The price may have moved since the transactions were built.')}`,
    { address: mint, amountRaw: missing },
  );
}

const takesWords = (mint: Address, raw: bigint): string =>
  l10n.t`In the simulation, the whole operation takes ${rawAmountText(mint, raw)} that you had before.`;

/** The share of the sold or deposited amount that may be missing, basis points: the price moves after the transactions are built. */
const MOVES_BPS = 100n;

/** The amount of a token other than SOL that may leave the wallet: a direct deposit, or the slippage of swaps. */
function agreedRaw(mint: Address, intent: Intent, effects: readonly PlacedEffect[]): bigint {
  const { tokens } = spendsOf(intent);
  return tokens === 'bought'
    ? (boughtRaw(mint, effects) * BigInt(intent.slippageBps)) / BASIS_POINTS
    : tokens.reduce((total, token) => (token.mint === mint ? total + token.amountRaw : total), 0n);
}

/** The change of a balance that transactions without a simulation state. */
function expectedChange(mint: Address, effects: readonly PlacedEffect[]): bigint {
  const consumed = mint === WRAPPED_SOL_MINT ? sum(effects, 'consume') : 0n;
  return boughtRaw(mint, effects) - spentRaw(mint, effects) - consumed;
}

function boughtRaw(mint: Address, effects: readonly PlacedEffect[]): bigint {
  return effects.reduce(
    (total, effect) =>
      effect.kind === 'swap' && effect.bought === mint ? total + (effect.quotedBought ?? effect.boughtLeast ?? 0n) : total,
    0n,
  );
}

function spentRaw(mint: Address, effects: readonly PlacedEffect[]): bigint {
  return effects.reduce((total, effect) => (effect.kind === 'spendToken' && effect.mint === mint ? total + effect.amountRaw : total), 0n);
}

/** Returns the changes of the owner's balances by mint, raw units. */
function changesByMint(
  before: SimulatedTransaction['before'],
  after: SimulatedTransaction['after'],
  owner: Address,
): ReadonlyMap<Address, bigint> {
  const changes = new Map<Address, bigint>();
  const add = (states: ReadonlyMap<Address, AccountState>, sign: bigint): void => {
    for (const state of states.values()) {
      const token = tokenAccountState(state);
      if (token?.owner === owner) {
        changes.set(token.mint, (changes.get(token.mint) ?? 0n) + sign * token.amountRaw);
      }
    }
  };
  add(before, -1n);
  add(after, 1n);
  return changes;
}

/** Returns the lamports of an account; 0 if it does not exist. */
function lamportsOf(states: ReadonlyMap<Address, AccountState>, account: Address): bigint {
  return states.get(account)?.lamports ?? 0n;
}

/**
 * SWP-9 by the simulation: the simulated result of swaps is one more price that their quotes have to meet, and it does not come from the
 * service. A quote far below the result leaves the difference to a trade right before the swap, while the simulation itself looks good.
 *
 * Covers only transactions that swap and do not touch positions: for others the result of the swaps alone is unknown.
 */
export function reviewSimulatedResults(
  index: number,
  simulated: SimulatedTransaction,
  { intent, policy, transactions, rent }: OperationContext,
  notes: Notes,
): void {
  const readings = transactions.find(({ view }) => view.index === index)?.readings ?? [];
  if (readings.some((reading) => isWithdrawal(reading) || isDeposit(reading) || isClosing(reading))) {
    return;
  }
  const effects = notes.effects.filter(({ transaction }) => transaction === index);
  const changes = changesByMint(simulated.before, simulated.after, intent.owner);
  const inWallet = readings.some(isPayingTheWallet) || effects.some(({ kind }) => kind === 'unwrap');
  const allowedBps = BigInt(Math.max(0, WHOLE_BPS - intent.slippageBps - policy.priceToleranceBps));
  for (const [mint, quoted] of quotedByMint(effects)) {
    const change = changes.get(mint) ?? 0n;
    const got =
      mint === WRAPPED_SOL_MINT ? solOf(change, inWallet, simulated, effects, intent.owner, rent) : change + spentRaw(mint, effects); // the swap before another swap paid out what that one used
    const isAtLeast = (bps: bigint): boolean => quoted * BASIS_POINTS >= got * bps;
    if (got <= 0n || isAtLeast(allowedBps)) {
      continue;
    }
    const missingBps = Number(((got - quoted) * BASIS_POINTS) / got);
    const words = l10n.t`In the simulation, the swap pays out ${rawAmountText(mint, got)}, but its quote is ${missingBps / 100}% lower: ${rawAmountText(mint, quoted)}. Others could take the difference.`;
    // For SOL an address would add nothing.
    const detail = { ...(mint === WRAPPED_SOL_MINT ? {} : { address: mint }), amountRaw: quoted };
    if (isAtLeast(BigInt(policy.priceBlockBps))) {
      notes.at(index).confirm('SWP-9', `${words} ${tryOrAcceptWords()}`, detail);
    } else {
      notes.at(index).block('SWP-9', words, detail);
    }
  }
}

/** The quoted result of the swaps for each token; the guaranteed one if there is no quote. */
function quotedByMint(effects: readonly PlacedEffect[]): ReadonlyMap<Address, bigint> {
  const sums = new Map<Address, bigint>();
  for (const effect of effects) {
    const quoted = effect.kind === 'swap' ? (effect.quotedBought ?? effect.boughtLeast) : undefined;
    if (effect.kind === 'swap' && effect.bought !== undefined && quoted !== undefined) {
      sums.set(effect.bought, (sums.get(effect.bought) ?? 0n) + quoted);
    }
  }
  return sums;
}

/** SOL from swaps: in the wrapped SOL account, or also in the wallet. Fees and tips reduce it, and refunded rent is excluded. */
function solOf(
  change: bigint,
  inWallet: boolean,
  { before, after }: SimulatedTransaction,
  effects: readonly PlacedEffect[],
  owner: Address,
  rent: RentRate,
): bigint {
  const used = sum(effects, 'consume');
  if (!inWallet) {
    return change - sum(effects, 'wrap') + used;
  }
  const closed = effects.reduce(
    (total, effect) => (effect.kind === 'unwrap' ? total + rentIn(before.get(effect.account), rent) : total),
    0n,
  );
  return change + lamportsOf(after, owner) - lamportsOf(before, owner) - closed + used;
}

/** The rent that closing an account for wrapped SOL refunds: what an existing one was made with, whatever the rate was then. */
function rentIn(state: AccountState | undefined, rent: RentRate): bigint {
  const reserve = state === undefined ? 0n : state.lamports - (tokenAccountState(state)?.amountRaw ?? state.lamports);
  return reserve > 0n ? reserve : rent.tokenAccount;
}
