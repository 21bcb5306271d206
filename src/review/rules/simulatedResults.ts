import * as l10n from '@vscode/l10n';
import { BASIS_POINTS, WHOLE_BPS } from '../../base/basisPoints';
import type { Address } from '../../base/solana/address';
import { lamportsToSol } from '../../base/solana/amounts';
import { RENT_LAMPORTS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { OperationContext } from '../context';
import type { SimulatedTransaction } from '../facts/facts';
import type { Notes, PlacedEffect } from '../notes';
import { FROM_WITHDRAWAL, sum } from '../spends';
import { isClosing, isDeposit, isWithdrawal } from './meteora';
import { changesByMint, lamportsOf } from './operationBalances';
import { isPayingTheWallet } from './simulatedAccounts';

/**
 * SWP-9 by the simulation: the simulated result of swaps is one more price that their quotes have to meet, and it does not come from the
 * service. A quote far below the result leaves the difference to a trade right before the swap, while the simulation itself looks good.
 *
 * Covers only transactions that swap and do not touch positions: for others the result of the swaps alone is unknown.
 */
export function reviewSimulatedResults(
  index: number,
  simulated: SimulatedTransaction,
  { intent, policy, transactions }: OperationContext,
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
    const got = mint === WRAPPED_SOL_MINT ? solOf(change, inWallet, simulated, effects, intent.owner) : change + spentRaw(mint, effects);
    const isAtLeast = (bps: bigint): boolean => quoted * BASIS_POINTS >= got * bps;
    if (got <= 0n || isAtLeast(allowedBps)) {
      continue;
    }
    const missingBps = Number(((got - quoted) * BASIS_POINTS) / got);
    const words = l10n.t`In the simulation, the swap pays out ${amount(mint, got)}, but its quote is ${missingBps / 100}% lower: ${amount(mint, quoted)}. Others could take the difference when it lands.`;
    // For SOL an address would add nothing.
    const detail = { ...(mint === WRAPPED_SOL_MINT ? {} : { address: mint }), amountRaw: quoted };
    if (isAtLeast(BigInt(policy.priceBlockBps))) {
      notes.at(index).confirm('SWP-9', `${words} ${l10n.t('Try again, or sign only if you accept that loss.')}`, detail);
    } else {
      notes.at(index).block('SWP-9', words, detail);
    }
  }
}

/** The quoted result of the swaps for each token; the guaranteed one if there is no quote. */
function quotedByMint(effects: readonly PlacedEffect[]): ReadonlyMap<Address, bigint> {
  const sums = new Map<Address, bigint>();
  for (const effect of effects) {
    if (effect.kind === 'minimumOut' && effect.mint !== undefined && effect.from !== FROM_WITHDRAWAL) {
      sums.set(effect.mint, (sums.get(effect.mint) ?? 0n) + (effect.quotedRaw ?? effect.amountRaw));
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
): bigint {
  const used = sum(effects, 'consume');
  if (!inWallet) {
    return change - sum(effects, 'wrap') + used;
  }
  const closed = BigInt(effects.filter(({ kind }) => kind === 'unwrap').length) * RENT_LAMPORTS.tokenAccount;
  return change + lamportsOf(after, owner) - lamportsOf(before, owner) - closed + used;
}

/** The amount that went into other swaps of the same transaction: the swap before them paid it out. */
function spentRaw(mint: Address, effects: readonly PlacedEffect[]): bigint {
  return effects.reduce((total, effect) => (effect.kind === 'spendToken' && effect.mint === mint ? total + effect.amountRaw : total), 0n);
}

function amount(mint: Address, raw: bigint): string {
  return mint === WRAPPED_SOL_MINT ? l10n.t`${lamportsToSol(raw)} SOL` : l10n.t`${String(raw)} raw units of ${mint}`;
}
