import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { OperationContext } from '../context';
import type { AccountState, SimulatedTransaction } from '../facts/facts';
import { REVIEW_PROGRAMS } from '../decode/programs';
import type { Notes, PlacedEffect, PlaceNotes } from '../notes';
import { addressIn, type DecodedCall } from '../decode/instructions';
import { costLamports, sum, sumSpends } from '../spends';
import { isOfTokenProgram, readTokenAccount, type TokenAccountState } from '../facts/tokenAccountState';

/** By how much more than the bytes explain the owner's SOL may shrink (policy §12, SIM-1). */
export const SIMULATION_TOLERANCE_LAMPORTS = 2_000_000n;

/** Routers that may pay in SOL of the wallet itself instead of wrapped SOL. */
const PAYING_THE_WALLET: readonly Address[] = [REVIEW_PROGRAMS.jupiterRfq, REVIEW_PROGRAMS.okxRouter, REVIEW_PROGRAMS.okxRouterV1];

/** Whether what the instruction gives may be SOL of the wallet itself. */
export function isPayingTheWallet({ view }: DecodedCall): boolean {
  return PAYING_THE_WALLET.includes(view.program);
}

/** One of the owner's token accounts around a simulated transaction. */
interface Change {
  readonly account: Address;
  readonly mint: Address;
  readonly before: TokenAccountState | undefined;
  readonly after: TokenAccountState | undefined;
}

/** Policy §12, SIM-2 and SIM-3: what a simulated transaction makes of the owner's wallet and token accounts. */
export function reviewSimulatedAccounts(index: number, simulated: SimulatedTransaction, context: OperationContext, notes: Notes): void {
  const place = notes.at(index);
  const { owner } = context.intent;
  reviewWallet(simulated.after.get(owner), place);
  const changes: Change[] = [];
  for (const account of new Set([...simulated.before.keys(), ...simulated.after.keys()])) {
    const [stateBefore, stateAfter] = [simulated.before.get(account), simulated.after.get(account)];
    const [before, after] = [stateBefore && readTokenAccount(stateBefore), stateAfter && readTokenAccount(stateAfter)];
    const mint = context.owned.heldMintOf(account) ?? (before?.owner === owner ? before.mint : undefined);
    if (mint !== undefined && account !== owner) {
      reviewAuthority(account, stateAfter, after, owner, place);
      changes.push({ account, mint, before, after });
    }
  }
  reviewAmounts(index, changes, simulated, context, notes);
}

/** SIM-3: the wallet stays a wallet. One that is empty does not exist, and is one again as soon as it gets SOL. */
function reviewWallet(after: AccountState | undefined, notes: PlaceNotes): void {
  if (after !== undefined && (after.program !== PROGRAMS.system || after.data.length > 0)) {
    notes.block(
      'SIM-3',
      l10n.t`In the simulation your wallet would belong to the program ${after.program} afterwards: you could not use it any more.`,
      { address: after.program },
    );
  }
}

/** SIM-3: what tokens are in the owner's accounts stays the owner's alone. */
function reviewAuthority(
  account: Address,
  state: AccountState | undefined,
  after: TokenAccountState | undefined,
  owner: Address,
  notes: PlaceNotes,
): void {
  if (after === undefined) {
    if (state !== undefined && isOfTokenProgram(state)) {
      notes.block('SIM-3', l10n.t`In the simulation your token account ${account} could not be read afterwards.`, { address: account });
    }
  } else if (after.owner !== owner) {
    notes.block('SIM-3', l10n.t`In the simulation your token account ${account} would belong to ${after.owner} afterwards.`, {
      address: account,
    });
  } else if (after.delegate !== undefined) {
    const words = l10n.t`${after.delegate} could spend from your token account ${account} after this transaction`;
    notes.block('SIM-3', l10n.t`In the simulation ${words}. Where that was so before, revoke it in your wallet first.`, {
      address: account,
    });
  } else if (after.closeAuthority !== undefined) {
    notes.block(
      'SIM-3',
      l10n.t`In the simulation ${after.closeAuthority} could close your token account ${account} after this transaction.`,
      { address: account },
    );
  }
}

/** SIM-2: tokens change as the instructions say, and other tokens not at all. */
function reviewAmounts(
  index: number,
  changes: readonly Change[],
  simulated: SimulatedTransaction,
  context: OperationContext,
  notes: Notes,
): void {
  const effects = notes.effects.filter(({ transaction }) => transaction === index);
  const readings = context.transactions.find(({ view }) => view.index === index)?.readings ?? [];
  const place = notes.at(index);
  const nftAccounts = new Set(addressesIn(readings, 'position_nft_account'));
  const rewardAccounts = new Set(addressesIn(readings, 'user_token_account'));
  const paysWallet = readings.some(isPayingTheWallet);
  // What swaps promise is looked for also where no account of it is seen.
  const promised = effects.flatMap((effect) => (effect.kind === 'minimumOut' && effect.mint !== undefined ? [effect.mint] : []));
  const poolChanges = new Map<Address, bigint>(promised.map((mint) => [mint, 0n]));
  for (const { account, mint, before, after } of changes) {
    const change = (after?.amountRaw ?? 0n) - (before?.amountRaw ?? 0n);
    if (context.poolMints.has(mint)) {
      poolChanges.set(mint, (poolChanges.get(mint) ?? 0n) + change);
    } else if (change !== 0n && !nftAccounts.has(account) && !(change > 0n && rewardAccounts.has(account))) {
      const words = l10n.t`In the simulation your balance of ${mint}, which this operation is not about, changes by ${String(change)} raw units.`;
      place.block('SIM-2', words, { address: account, amountRaw: change });
    }
  }
  for (const [mint, change] of poolChanges) {
    if (mint === WRAPPED_SOL_MINT && (paysWallet || effects.some(({ kind }) => kind === 'unwrap'))) {
      reviewSol(change, simulated, effects, context.intent.owner, place);
    } else {
      const least = leastChange(mint, effects);
      if (change < least) {
        const words = l10n.t`In the simulation your balance of ${mint === WRAPPED_SOL_MINT ? l10n.t('wrapped SOL') : mint} changes by ${String(change)} raw units; by the instructions it should be ${String(least)} at least.`;
        place.block('SIM-2', words, { address: mint, amountRaw: change });
      }
    }
  }
}

/** Where wrapped SOL is unwrapped, or SOL is paid at once, it is in the wallet afterwards: both are reckoned as one. */
function reviewSol(
  change: bigint,
  { before, after }: SimulatedTransaction,
  effects: readonly PlacedEffect[],
  owner: Address,
  notes: PlaceNotes,
): void {
  const spends = sumSpends(effects);
  const together = change + (after.get(owner)?.lamports ?? 0n) - (before.get(owner)?.lamports ?? 0n);
  const least =
    leastChange(WRAPPED_SOL_MINT, effects) -
    spends.wrappedLamports -
    costLamports(spends) -
    spends.otherLamports -
    SIMULATION_TOLERANCE_LAMPORTS;
  if (together < least) {
    const words = l10n.t`In the simulation your SOL and wrapped SOL together change by ${String(together)} lamports; by the instructions it should be ${String(least)} at least.`;
    notes.block('SIM-2', words, { address: WRAPPED_SOL_MINT, amountRaw: together });
  }
}

/**
 * The least by which a balance changes: what swaps guarantee and what is wrapped, without what goes into swaps and positions. What
 * is spent of a token that could not be determined may be any.
 */
function leastChange(mint: Address, effects: readonly PlacedEffect[]): bigint {
  const isSol = mint === WRAPPED_SOL_MINT;
  return effects.reduce(
    (least, effect) => {
      switch (effect.kind) {
        case 'minimumOut':
          return effect.mint === mint ? least + effect.amountRaw : least;
        case 'spendToken':
          return effect.mint === mint || effect.mint === undefined ? least - effect.amountRaw : least;
        default:
          return least;
      }
    },
    isSol ? sum(effects, 'wrap') - sum(effects, 'consume') : 0n,
  );
}

function addressesIn(readings: readonly DecodedCall[], role: string): Address[] {
  return readings.flatMap((reading) => addressIn(reading, role) ?? []);
}
