import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { isTokenProgram, type TokenAccount } from '../../base/solana/tokenAccount';
import type { OperationContext } from '../context';
import type { AccountState, SimulatedTransaction } from '../facts/facts';
import { REVIEW_PROGRAMS } from '../decode/programs';
import type { Notes, PlacedEffect, PlaceNotes } from '../notes';
import { addressIn, type DecodedCall } from '../decode/instructions';
import { costLamports, minimumsOf, sum, sumSpends } from '../spends';
import { tokenAccountState } from '../facts/accounts';
import {
  accountOfWords,
  bySimulationWords,
  handOverWords,
  mayCloseWords,
  maySpendWords,
  notPartWords,
  rawAmountText,
  unusableAccountWords,
} from './words';

/** The loss of SOL beyond the instructions' that a simulation may show, lamports (SIM-1, SIM-2). */
export const SIMULATION_TOLERANCE_LAMPORTS = 2_000_000n;

/** Routers that may pay in SOL of the wallet itself instead of wrapped SOL. */
const PAYING_THE_WALLET: readonly Address[] = [REVIEW_PROGRAMS.jupiterRfq, REVIEW_PROGRAMS.okxRouter, REVIEW_PROGRAMS.okxRouterV1];

/** Returns whether the instruction may pay out SOL to the wallet itself. */
export function isPayingTheWallet({ view }: DecodedCall): boolean {
  return PAYING_THE_WALLET.includes(view.program);
}

/** One of the owner's token accounts before and after a simulated transaction. */
interface Change {
  readonly account: Address;
  readonly mint: Address;
  readonly before: TokenAccount | undefined;
  readonly after: TokenAccount | undefined;
}

/** SIM-2 and SIM-3: the owner's wallet and token accounts after a simulated transaction. */
export function reviewSimulatedAccounts(index: number, simulated: SimulatedTransaction, context: OperationContext, notes: Notes): void {
  const place = notes.at(index);
  const { owner } = context.intent;
  reviewWallet(simulated.after.get(owner), place);
  const changes: Change[] = [];
  for (const account of new Set([...simulated.before.keys(), ...simulated.after.keys()])) {
    const [stateBefore, stateAfter] = [simulated.before.get(account), simulated.after.get(account)];
    const [before, after] = [stateBefore && tokenAccountState(stateBefore), stateAfter && tokenAccountState(stateAfter)];
    const mint = context.owned.heldMintOf(account) ?? (before?.owner === owner ? before.mint : undefined);
    if (mint !== undefined && account !== owner) {
      reviewAuthority(account, stateAfter, after, owner, place);
      changes.push({ account, mint, before, after });
    }
  }
  reviewAmounts(index, changes, simulated, context, notes);
}

/** SIM-3: the wallet stays a wallet. An empty one does not exist, and becomes one again with the next SOL. */
function reviewWallet(after: AccountState | undefined, notes: PlaceNotes): void {
  if (after !== undefined && (after.program !== PROGRAMS.system || after.data.length > 0)) {
    notes.block('SIM-3', handOverWords(after.program), { address: after.program });
  }
}

/** SIM-3: the owner keeps sole control of the token accounts. */
function reviewAuthority(
  account: Address,
  state: AccountState | undefined,
  after: TokenAccount | undefined,
  owner: Address,
  notes: PlaceNotes,
): void {
  if (after === undefined) {
    if (state !== undefined && isTokenProgram(state.program)) {
      notes.block('SIM-3', bySimulationWords(unusableAccountWords(account)), { address: account });
    }
  } else if (after.owner !== owner) {
    notes.block('SIM-3', bySimulationWords(accountOfWords(account, after.owner)), { address: account });
  } else if (after.delegate !== undefined) {
    notes.block('SIM-3', bySimulationWords(maySpendWords(after.delegate, account)), { address: account });
  } else if (after.closeAuthority !== undefined) {
    notes.block('SIM-3', bySimulationWords(mayCloseWords(after.closeAuthority, account)), { address: account });
  }
}

/** SIM-2: the pool's tokens change as the instructions say, other tokens not at all. */
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
  // A guaranteed token is checked even if none of its accounts was simulated.
  const promised = minimumsOf(effects).flatMap(({ mint }) => mint ?? []);
  const poolChanges = new Map<Address, bigint>(promised.map((mint) => [mint, 0n]));
  for (const { account, mint, before, after } of changes) {
    const change = (after?.amountRaw ?? 0n) - (before?.amountRaw ?? 0n);
    if (context.poolMints.has(mint)) {
      poolChanges.set(mint, (poolChanges.get(mint) ?? 0n) + change);
    } else if (change !== 0n && !nftAccounts.has(account) && !(change > 0n && rewardAccounts.has(account))) {
      const words = `${changesWords(rawAmountText(mint, change))} ${notPartWords()}`;
      place.block('SIM-2', words, { address: account, amountRaw: change });
    }
  }
  for (const [mint, change] of poolChanges) {
    if (mint === WRAPPED_SOL_MINT && (paysWallet || effects.some(({ kind }) => kind === 'unwrap'))) {
      reviewSol(change, simulated, effects, context.intent.owner, place);
    } else {
      const least = leastChange(mint, effects);
      if (change < least) {
        place.block('SIM-2', changeText(mint, change, least), { address: mint, amountRaw: change });
      }
    }
  }
}

const changesWords = (change: string): string => l10n.t`In the simulation, your balance changes by ${change}.`;

/** Says how a balance changes, and how it should by the instructions. */
export function changeText(mint: Address, change: bigint, least: bigint): string {
  return `${changesWords(rawAmountText(mint, change))} ${l10n.t`By the instructions, it should be at least ${rawAmountText(mint, least)}.`}`;
}

/** Unwrapped SOL, or SOL that is paid out directly, is in the wallet afterwards, so SOL and wrapped SOL are added up. */
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
    notes.block('SIM-2', changeText(WRAPPED_SOL_MINT, together, least), { address: WRAPPED_SOL_MINT, amountRaw: together });
  }
}

/**
 * The least change of a balance: guaranteed results of swaps and wrapped SOL, minus what goes into swaps and positions. A spend of an
 * undetermined token counts for every token.
 */
function leastChange(mint: Address, effects: readonly PlacedEffect[]): bigint {
  const isSol = mint === WRAPPED_SOL_MINT;
  return effects.reduce(
    (least, effect) => {
      switch (effect.kind) {
        case 'minimumOut':
          return effect.mint === mint ? least + effect.amountRaw : least;
        case 'swap':
          return effect.bought === mint ? least + (effect.boughtLeast ?? 0n) : least;
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
