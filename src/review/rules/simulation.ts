import * as l10n from '@vscode/l10n';
import { BASIS_POINTS } from '../../base/basisPoints';
import type { Address } from '../../base/solana/address';
import { lamportsToSol } from '../../base/solana/amounts';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { quotedAscii } from '../../base/text';
import { type OperationContext, type OperationRule, ownedMint, transactionContext, type TransactionContext } from '../context';
import { accountIn, addressIn, type DecodedCall, integerIn, isInstruction, readInstruction } from '../decode/instructions';
import { REVIEW_PROGRAMS } from '../decode/programs';
import type { AccountView, TransactionView } from '../decode/transaction';
import type { InnerInstruction, SimulatedTransaction } from '../facts/facts';
import { isShownWhole, relaxationOf } from '../facts/relaxations';
import { readTokenAccount } from '../facts/tokenAccountState';
import { isApprovedTokenAccount } from '../feeRecipients';
import type { Notes, PlaceNotes } from '../notes';
import { outflowBound } from '../spends';
import type { Finding } from '../types';
import { isPoolSwap, poolIn } from './meteora';
import { reviewOperationBalances } from './operationBalances';
import { reviewSimulatedAccounts, SIMULATION_TOLERANCE_LAMPORTS } from './simulatedAccounts';
import { reviewSimulatedResults } from './simulatedResults';

/** Where the account that has to agree stands, by the number that the instruction begins with. */
type Authorities = ReadonlyMap<number, { readonly place: number; readonly does: string }>;

/** Layouts: spl-token `TokenInstruction`. A batch hides what it does, so it is refused whatever account the owner is in. */
const tokenCalls = (): Authorities =>
  new Map([
    [4, { place: 2, does: l10n.t('let somebody spend your tokens later on') }],
    [6, { place: 1, does: l10n.t('give away the authority over a token account') }],
    [13, { place: 3, does: l10n.t('let somebody spend your tokens later on') }],
  ]);
const BATCH = 255;

/** Layouts: the System program's `SystemInstruction`. Assigning takes the account's own agreement. */
const systemCalls = (): Authorities =>
  new Map([
    [1, { place: 0, does: l10n.t('hand your wallet over to another program') }],
    [8, { place: 0, does: l10n.t('make your wallet unusable') }],
    [9, { place: 1, does: l10n.t('make an account unusable in your name') }],
    [10, { place: 1, does: l10n.t('hand an account over to another program in your name') }],
  ]);

/**
 * SIM-4: no program that the transaction calls may approve, give away or assign anything with the owner's agreement. Stricter than
 * the policy in also refusing what the System program can do to a wallet besides, and token batches.
 */
export function reviewSimulatedCalls(
  view: TransactionView,
  { innerInstructions }: SimulatedTransaction,
  owner: Address,
  notes: PlaceNotes,
): void {
  for (const inner of innerInstructions ?? []) {
    const does = harmIn(inner, view, owner);
    if (does !== undefined) {
      notes.block('SIM-4', l10n.t`In the simulation a program that this transaction calls would ${does}.`);
    }
  }
}

function harmIn({ programIdIndex, accountIndexes, data }: InnerInstruction, view: TransactionView, owner: Address): string | undefined {
  const addressAt = (index: number | undefined): Address | undefined => (index === undefined ? undefined : view.accounts[index]?.address);
  // The owner signs, so it is always among the static accounts: a place in an unknown table is never the owner's.
  switch (addressAt(programIdIndex)) {
    case PROGRAMS.token:
    case PROGRAMS.token2022:
      if (data[0] === BATCH) {
        return accountIndexes.some((index) => addressAt(index) === owner)
          ? l10n.t('do something with your tokens that is hidden in a batch')
          : undefined;
      }
      return harm(tokenCalls().get(data[0] ?? -1));
    case PROGRAMS.system:
      // The number has four bytes; the first tells them apart, and the others are zero in all that the program takes.
      return harm(systemCalls().get(data[0] ?? -1));
    default:
      return undefined;
  }

  function harm(call: { readonly place: number; readonly does: string } | undefined): string | undefined {
    return call !== undefined && addressAt(accountIndexes[call.place]) === owner ? call.does : undefined;
  }
}

/** The service may keep this share of claimed fees at most (policy §7, TOK-1: it documents 8 %). */
const MOST_SHARE_BPS = 1_000n;

/** Programs that swap by way of any pool. */
const ROUTERS: readonly Address[] = [
  PROGRAMS.jupiterV6,
  REVIEW_PROGRAMS.jupiterRfq,
  REVIEW_PROGRAMS.okxRouter,
  REVIEW_PROGRAMS.okxRouterV1,
  REVIEW_PROGRAMS.meteoraZap,
];

/** Where the fees of each side come from and go to, as the IDLs name it. */
type Sides = readonly { readonly from: string; readonly to: string }[];

const DLMM_SIDES: Sides = [
  { from: 'reserve_x', to: 'user_token_x' },
  { from: 'reserve_y', to: 'user_token_y' },
];

const DAMM_SIDES: Sides = [
  { from: 'token_a_vault', to: 'token_a_account' },
  { from: 'token_b_vault', to: 'token_b_account' },
];

/**
 * Says whether a transfer to a stranger is, as the simulation of its transaction shows, no more than the service's share of the fees
 * of that token that the same transaction has claimed before it, for a recipient of whom the user has approved (TOK-1). To be asked
 * only of transfers that have the shape of the service's fee.
 */
export function isShareOfClaimedFees(transfer: DecodedCall, simulated: SimulatedTransaction, operation: OperationContext): boolean {
  const transaction = operation.transactions.find(({ readings }) => readings.includes(transfer));
  if (transaction === undefined || isAfterSwap(transaction.view.index, operation)) {
    return false;
  }
  const context = transactionContext(operation, transaction);
  const [to, mint, amountRaw] = [
    addressIn(transfer, 'destination'),
    ownedMint(context, addressIn(transfer, 'source')),
    integerIn(transfer.args, 'amount'),
  ];
  if (to === undefined || mint === undefined || amountRaw === undefined || !isApprovedTokenAccount(context, to, mint)) {
    return false;
  }
  return amountRaw * BASIS_POINTS <= claimedRaw(mint, transfer, simulated, context) * MOST_SHARE_BPS;
}

/** Says whether an earlier transaction may swap: the fees that its swap makes are in the simulation, and not there where it does not land. */
function isAfterSwap(index: number, { transactions }: OperationContext): boolean {
  return transactions.some(
    ({ view, readings }) => view.index < index && readings.some((reading) => isPoolSwap(reading) || ROUTERS.includes(reading.view.program)),
  );
}

/**
 * What the pool has paid the owner in fees of a mint before an instruction, raw units. Only claims count: what a removal pays is the
 * liquidity itself, and which part of it might be fees cannot be told.
 */
function claimedRaw(
  mint: Address,
  before: DecodedCall,
  { innerInstructions = [] }: SimulatedTransaction,
  context: TransactionContext,
): bigint {
  const claims = context.transaction.readings.filter(
    (reading) => reading.index < before.index && reading.args !== undefined && poolIn(reading) === context.intent.pool,
  );
  return claims.reduce((total, claim) => {
    const sides = sidesOf(claim).filter(({ to }) => ownedMint(context, addressIn(claim, to)) === mint);
    const called = innerInstructions.filter(({ calledBy }) => calledBy === claim.index);
    return called.reduce((sum, inner) => sum + paidRaw(inner, claim, sides, mint, context), total);
  }, 0n);
}

function sidesOf(reading: DecodedCall): Sides {
  if (isInstruction(reading, PROGRAMS.dlmm, 'claim_fee', 'claim_fee2')) {
    return DLMM_SIDES;
  }
  return isInstruction(reading, PROGRAMS.dammV2, 'claim_position_fee') ? DAMM_SIDES : [];
}

/** What a called instruction moves from the pool's own account to that of the owner; 0 for anything else. */
function paidRaw(inner: InnerInstruction, claim: DecodedCall, sides: Sides, mint: Address, context: TransactionContext): bigint {
  const { accounts } = context.transaction.view;
  const program = accounts[inner.programIdIndex]?.address;
  if (program === undefined || !deliversAll(program, mint, context)) {
    return 0n;
  }
  const called = readInstruction(
    { program, accounts: inner.accountIndexes.map((place) => accounts[place] ?? NOWHERE), data: inner.data },
    claim.index,
  );
  const isTransfer = isInstruction(called, program, 'transfer', 'transfer_checked');
  return isTransfer && sides.some(({ from, to }) => isSame(called, 'source', claim, from) && isSame(called, 'destination', claim, to))
    ? (integerIn(called.args, 'amount') ?? 0n)
    : 0n;
}

/** Of a Token-2022 mint with a transfer fee less arrives than is sent; one of which nothing is known may have one. */
function deliversAll(program: Address, mint: Address, { facts }: TransactionContext): boolean {
  return (
    program === PROGRAMS.token ||
    (program === PROGRAMS.token2022 && facts.mints.get(mint)?.some(({ kind }) => kind === 'transferFee' || kind === 'unknown') === false)
  );
}

/** A place that the transaction does not have. */
const NOWHERE: AccountView = { address: undefined, signer: false, writable: false };

/** No account is in two places of a transaction (DEC-6), so the place tells also where no address is known. */
function isSame(one: DecodedCall, role: string, other: DecodedCall, otherRole: string): boolean {
  const account = accountIn(one, role);
  return account !== undefined && account === accountIn(other, otherRole);
}

/** An error text is cut after so many characters. */
const LONGEST_ERROR = 200;

/**
 * Policy §12: what a simulation by the user's own RPC shows (SIM-1 to SIM-5). To be called after all other rules, because it is
 * measured by what they have read. Transactions that were not simulated are judged by their bytes alone; behind one that fails,
 * nothing is known.
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
    notes.operation(
      'SIM-5',
      'confirm',
      l10n.t('The simulation says nothing about your wallet: it shows neither that the transactions are good nor that they are not.'),
    );
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
      place.confirm('SIM-5', l10n.t`This transaction would fail now: ${quotedAscii(simulated.error.slice(0, LONGEST_ERROR))}.`);
      return;
    }
    reviewLoss(view.index, (simulated.after.get(owner)?.lamports ?? 0n) - lamportsAtFirst, context, notes);
    reviewSimulatedAccounts(view.index, simulated, context, notes);
    reviewSimulatedResults(view.index, simulated, context, notes);
    relax(view.index, simulated, context, notes);
    succeeded.push(simulated);
  }
  reviewOperationBalances(succeeded, context, notes);
};

/** SIM-1: up to and with this transaction, the wallet loses no more SOL than the instructions so far explain. */
function reviewLoss(index: number, change: bigint, { intent }: OperationContext, notes: Notes): void {
  const bound = outflowBound(
    intent,
    notes.effects.filter(({ transaction }) => transaction <= index),
  );
  if (-change > bound + SIMULATION_TOLERANCE_LAMPORTS) {
    const words = l10n.t`In the simulation your wallet has ${lamportsToSol(-change)} SOL less after this transaction; its instructions, with those before it, explain at most ${lamportsToSol(bound)} SOL.`;
    notes.at(index).block('SIM-1', words, { amountRaw: -change });
  }
}

/** A simulation answers a question only where it shows all of the transaction and nothing is wrong with it. */
function relax(index: number, simulated: SimulatedTransaction, context: OperationContext, notes: Notes): void {
  const isClean =
    isShownWhole(simulated) && !notes.findings.some(({ rule, transaction }) => transaction === index && rule.startsWith('SIM-'));
  if (isClean) {
    notes.replace((finding) => {
      const mayBeAnswered =
        finding.transaction === index && relaxationOf(finding, context.facts, { usesResolvedTable: false }) !== undefined;
      const answer = mayBeAnswered ? answerTo(finding, simulated, context) : undefined;
      return answer === undefined ? finding : { ...finding, verdict: 'info', message: `${finding.message} ${answer}` };
    });
  }
}

/**
 * What a clean simulation says to a question, of those that it may answer (facts/relaxations.ts): SYS-4 "(allow with simulation)", and TOK-1
 * for recipients of whom the user has approved. All others, SWP-8 among them, stay questions, since a simulation can be deceived.
 */
function answerTo(
  { rule, transaction, instruction }: Finding,
  simulated: SimulatedTransaction,
  context: OperationContext,
): string | undefined {
  switch (rule) {
    case 'SYS-4':
      return l10n.t('The simulation shows that it does just that.');
    case 'TOK-1': {
      const readings = context.transactions.find(({ view }) => view.index === transaction)?.readings;
      const transfer = readings?.find(({ index }) => index === instruction);
      return transfer !== undefined && isShareOfClaimedFees(transfer, simulated, context)
        ? l10n.t('The simulation shows that it is 10 % at most of the fees that this transaction claims.')
        : undefined;
    }
    default:
      return undefined;
  }
}

/** What a simulation changes in the owner's wallet, raw units: an expectation at the prices of that slot, not a guarantee. */
export type SimulatedChange = ReadonlyMap<Address, bigint>;

/**
 * Gives what all transactions together change of each token of the owner, in the simulation; SOL with wrapped SOL, rent and fees in it.
 * @returns `undefined` where the simulation does not cover all of them, one would fail, or the wallet is not in it
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
    const [before, after] = [stateBefore && readTokenAccount(stateBefore), stateAfter && readTokenAccount(stateAfter)];
    const mint = owned.mintOf(account) ?? (before?.owner === owner ? before.mint : undefined);
    if (mint !== undefined && account !== owner) {
      changes.set(mint, (changes.get(mint) ?? 0n) + (after?.amountRaw ?? 0n) - (before?.amountRaw ?? 0n));
    }
  }
  return changes;
}
