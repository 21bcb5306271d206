import * as l10n from '@vscode/l10n';
import { BASIS_POINTS } from '../../base/basisPoints';
import type { Address } from '../../base/solana/address';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { quotedAscii } from '../../base/text';
import { type OperationContext, type OperationRule, ownedMint, transactionContext } from '../context';
import { addressIn, type DecodedCall, integerAt, staticAddressIn } from '../decode/instructions';
import { REVIEW_PROGRAMS } from '../decode/programs';
import type { TransactionView } from '../decode/transaction';
import { tokenAccountState } from '../facts/accounts';
import type { InnerInstruction, SimulatedTransaction } from '../facts/facts';
import { claimedRaw } from './claimedFees';
import { isShownWhole, relaxationOf } from './relaxations';
import type { Notes, PlaceNotes } from '../notes';
import { outflowBound } from '../spends';
import type { Finding } from '../types';
import { isPoolSwap } from '../decode/meteora';
import { changeText, reviewSimulatedAccounts, SIMULATION_TOLERANCE_LAMPORTS } from './simulatedAccounts';
import { reviewOperationBalances, reviewSimulatedResults } from './simulatedBalances';
import { reviewSimulatedDeposits } from './simulatedDeposits';
import { isApprovedTokenAccount } from './token';
import { foreignCallWords, giveAwayWords, handOverWords, spenderWords } from './words';

/** The index of the authority among the accounts, and what the instruction does with its accounts, by the first byte of the instruction. */
type Authorities = ReadonlyMap<
  number,
  { readonly place: number; readonly does: (accountAt: (place: number) => Address | undefined) => string }
>;

/** Layouts: spl-token `TokenInstruction`. A batch hides its effects, so it is blocked whichever of its accounts the owner is. */
const TOKEN_CALLS: Authorities = new Map([
  [4, { place: 2, does: (accountAt) => spenderWords(accountAt(1)) }],
  [6, { place: 1, does: (accountAt) => giveAwayWords(accountAt(0)) }],
  [13, { place: 3, does: (accountAt) => spenderWords(accountAt(2)) }],
]);
const BATCH = 255;

/** Layouts: the System program's `SystemInstruction`. Assigning needs the signature of the account itself. */
const SYSTEM_CALLS: Authorities = new Map([
  [1, { place: 0, does: () => handOverWords('assign') }],
  [8, { place: 0, does: () => handOverWords('allocate') }],
  [9, { place: 1, does: () => handOverWords('allocate_with_seed') }],
  [10, { place: 1, does: () => handOverWords('assign_with_seed') }],
]);

/**
 * SIM-4: no called program may approve a delegate, give away an authority, assign or allocate an account with the owner's signature, or use
 * a token batch.
 */
function reviewSimulatedCalls(view: TransactionView, { innerInstructions }: SimulatedTransaction, owner: Address, notes: PlaceNotes): void {
  for (const inner of innerInstructions ?? []) {
    const does = harmIn(inner, view, owner);
    if (does !== undefined) {
      notes.block('SIM-4', does);
    }
  }
}

function harmIn({ programIdIndex, accountIndexes, data }: InnerInstruction, view: TransactionView, owner: Address): string | undefined {
  const addressAt = (index: number | undefined): Address | undefined => (index === undefined ? undefined : view.accounts[index]?.address);
  // The owner signs, so it is always a static account: an account from an unread table is never the owner.
  switch (addressAt(programIdIndex)) {
    case PROGRAMS.token:
    case PROGRAMS.token2022:
      if (data[0] === BATCH) {
        return accountIndexes.some((index) => addressAt(index) === owner) ? foreignCallWords(PROGRAMS.token, 'batch') : undefined;
      }
      return harm(TOKEN_CALLS.get(data[0] ?? -1));
    case PROGRAMS.system:
      // The number has four bytes. The first one identifies the instruction; the others are zero in every valid one.
      return harm(SYSTEM_CALLS.get(data[0] ?? -1));
    default:
      return undefined;
  }

  function harm(call: ReturnType<Authorities['get']>): string | undefined {
    const accountAt = (place: number): Address | undefined => addressAt(accountIndexes[place]);
    return call !== undefined && accountAt(call.place) === owner ? call.does(accountAt) : undefined;
  }
}

/** The most that the service may keep of claimed fees, basis points (TOK-1). It documents 8%. */
const MOST_SHARE_BPS = 1_000n;

/** Programs that swap through any pool. */
const ROUTERS: readonly Address[] = [
  PROGRAMS.jupiterV6,
  REVIEW_PROGRAMS.jupiterRfq,
  REVIEW_PROGRAMS.okxRouter,
  REVIEW_PROGRAMS.okxRouterV1,
  REVIEW_PROGRAMS.meteoraZap,
];

/**
 * Returns whether the simulation shows a transfer to be at most the service's share of the fees in that token that the same transaction
 * claimed before it, for a recipient that the user approved (TOK-1). Call it only for transfers that have the shape of the service's fee.
 */
function isShareOfClaimedFees(transfer: DecodedCall, simulated: SimulatedTransaction, operation: OperationContext): boolean {
  const transaction = operation.transactions.find(({ readings }) => readings.includes(transfer));
  if (transaction === undefined || isAfterSwap(transaction.view.index, operation)) {
    return false;
  }
  const context = transactionContext(operation, transaction);
  const [to, mint, amountRaw] = [
    staticAddressIn(transfer, 'destination'),
    ownedMint(context, addressIn(transfer, 'source')),
    integerAt(transfer.args, 'amount'),
  ];
  if (to === undefined || mint === undefined || amountRaw === undefined || !isApprovedTokenAccount(context, to, mint)) {
    return false;
  }
  return amountRaw * BASIS_POINTS <= claimedRaw(mint, transfer, simulated, context) * MOST_SHARE_BPS;
}

/** Returns whether an earlier transaction may swap: the simulation includes the fees of its swap, which do not exist if it never lands. */
function isAfterSwap(index: number, { transactions }: OperationContext): boolean {
  return transactions.some(
    ({ view, readings }) => view.index < index && readings.some((reading) => isPoolSwap(reading) || ROUTERS.includes(reading.view.program)),
  );
}

/** The maximum length of an error text, characters. */
const LONGEST_ERROR = 200;

/**
 * Reviews the simulation by the user's RPC (SIM-1 to SIM-6). Call it after all other rules, because it compares the simulation with the
 * effects that they noted. Transactions that were not simulated are reviewed by their bytes alone, and so are those after one that fails.
 */
export const reviewSimulation: OperationRule = (context, notes) => {
  const { simulation } = context.facts;
  const { owner } = context.intent;
  const first = simulation?.transactions[0];
  if (first === undefined) {
    return;
  }
  const lamportsAtFirst = first.before.get(owner)?.lamports;
  if (lamportsAtFirst === undefined) {
    notes.operation('SIM-5', 'confirm', l10n.t('The simulation does not include your wallet, so it proves nothing.'));
    return;
  }
  const succeeded: SimulatedTransaction[] = [];
  for (const { view } of context.transactions) {
    const simulated = simulation?.transactions[view.index];
    if (simulated === undefined) {
      break;
    }
    const place = notes.at(view.index);
    reviewSimulatedCalls(view, simulated, owner, place);
    if (simulated.error !== undefined) {
      place.confirm('SIM-5', l10n.t`In the simulation, this transaction fails: ${quotedAscii(simulated.error.slice(0, LONGEST_ERROR))}.`);
      return;
    }
    reviewLoss(view.index, (simulated.after.get(owner)?.lamports ?? 0n) - lamportsAtFirst, context, notes);
    reviewSimulatedAccounts(view.index, simulated, context, notes);
    reviewSimulatedResults(view.index, simulated, context, notes);
    reviewSimulatedDeposits(view.index, simulated, context, notes);
    relax(view.index, simulated, context, notes);
    succeeded.push(simulated);
  }
  reviewOperationBalances(succeeded, context, notes);
};

/** SIM-1: up to and including this transaction, the wallet loses no more SOL than the instructions so far explain. */
function reviewLoss(index: number, change: bigint, { intent }: OperationContext, notes: Notes): void {
  const bound = outflowBound(
    intent,
    notes.effects.filter(({ transaction }) => transaction <= index),
  );
  if (-change > bound + SIMULATION_TOLERANCE_LAMPORTS) {
    notes.at(index).block('SIM-1', changeText(WRAPPED_SOL_MINT, change, -bound), { amountRaw: -change });
  }
}

/** A simulation answers a question only if it shows the whole transaction and has no finding of its own. */
function relax(index: number, simulated: SimulatedTransaction, context: OperationContext, notes: Notes): void {
  const isClean =
    isShownWhole(simulated) && !notes.findings.some(({ rule, transaction }) => transaction === index && rule.startsWith('SIM-'));
  if (isClean) {
    notes.replace((finding) => {
      const mayBeAnswered =
        finding.transaction === index && relaxationOf(finding, context.facts, { usesResolvedTable: false, verdict: 'allow' }) !== undefined;
      const answer = mayBeAnswered ? answerTo(finding, simulated, context) : undefined;
      return answer === undefined ? finding : { ...finding, verdict: 'info', message: `${finding.message} ${answer}` };
    });
  }
}

/**
 * The answer of a clean simulation to one of the questions that it may answer (facts/relaxations.ts): SYS-4, and TOK-1 for approved
 * recipients. All others, including SWP-8, remain questions, because a transaction can behave differently when it is simulated.
 */
function answerTo(
  { rule, transaction, instruction }: Finding,
  simulated: SimulatedTransaction,
  context: OperationContext,
): string | undefined {
  switch (rule) {
    case 'SYS-4':
      return l10n.t('The simulation confirms that.');
    case 'TOK-1': {
      const readings = context.transactions.find(({ view }) => view.index === transaction)?.readings;
      const transfer = readings?.find(({ index }) => index === instruction);
      return transfer !== undefined && isShareOfClaimedFees(transfer, simulated, context)
        ? l10n.t('In the simulation, it is at most 10% of the claimed fees.')
        : undefined;
    }
    default:
      return undefined;
  }
}

/** The changes that a simulation shows in the owner's wallet, raw units: an expectation at the prices of that slot, not a guarantee. */
type SimulatedChange = ReadonlyMap<Address, bigint>;

/**
 * Returns the change of each of the owner's tokens over all simulated transactions; SOL includes wrapped SOL, rent and fees.
 * @returns `undefined` if the simulation does not cover all transactions, one of them fails, or the wallet is missing
 */
export function simulatedChange({
  intent: { owner },
  facts: { simulation },
  owned,
  transactionCount,
}: OperationContext): SimulatedChange | undefined {
  const transactions = simulation?.transactions.slice(0, transactionCount) ?? [];
  const [first, last] = [transactions[0], transactions.at(-1)];
  const lamportsBefore = first?.before.get(owner)?.lamports;
  if (
    first === undefined ||
    last === undefined ||
    transactions.length < transactionCount ||
    transactions.some(({ error }) => error !== undefined) ||
    lamportsBefore === undefined
  ) {
    return undefined;
  }
  const changes = new Map<Address, bigint>([[WRAPPED_SOL_MINT, (last.after.get(owner)?.lamports ?? 0n) - lamportsBefore]]);
  for (const account of new Set([...first.before.keys(), ...last.after.keys()])) {
    const [stateBefore, stateAfter] = [first.before.get(account), last.after.get(account)];
    const [before, after] = [stateBefore && tokenAccountState(stateBefore), stateAfter && tokenAccountState(stateAfter)];
    const mint = owned.mintOf(account) ?? (before?.owner === owner ? before.mint : undefined);
    if (mint !== undefined && account !== owner) {
      changes.set(mint, (changes.get(mint) ?? 0n) + (after?.amountRaw ?? 0n) - (before?.amountRaw ?? 0n));
    }
  }
  return changes;
}

/**
 * Returns the rent of the owner's accounts and position that are closed in the simulation, in lamports: a part of the change of SOL.
 * @returns `undefined` if there is no {@link simulatedChange}
 */
export function simulatedRentBack(context: OperationContext): bigint | undefined {
  const { intent, facts, transactionCount } = context;
  const transactions = facts.simulation?.transactions.slice(0, transactionCount) ?? [];
  const [first, last] = [transactions[0], transactions.at(-1)];
  if (first === undefined || last === undefined || simulatedChange(context) === undefined) {
    return undefined;
  }
  let lamports = 0n;
  for (const [account, state] of first.before) {
    if (account !== intent.owner && state.lamports > 0n && (last.after.get(account)?.lamports ?? 0n) === 0n) {
      const token = tokenAccountState(state);
      const held = token?.mint === WRAPPED_SOL_MINT ? token.amountRaw : 0n;
      lamports += held < state.lamports ? state.lamports - held : 0n;
    }
  }
  return lamports;
}
