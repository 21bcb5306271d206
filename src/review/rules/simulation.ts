import { lamportsToSol } from '../../solana/amounts';
import type { OperationContext } from '../context';
import type { SimulatedTransaction } from '../facts';
import type { Notes } from '../notes';
import { quotedAscii } from '../../solana/quoted';
import { outflowBound } from '../spends';
import type { Finding } from '../types';
import { isShareOfClaimedFees } from './claimedFees';
import { isShownWhole, relaxationOf } from '../relaxations';
import { reviewOperationBalances } from './operationBalances';
import type { OperationRule } from './rule';
import { reviewSimulatedAccounts, SIMULATION_TOLERANCE_LAMPORTS } from './simulatedAccounts';
import { reviewSimulatedCalls } from './simulatedCalls';
import { reviewSimulatedResults } from './simulatedResults';

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
    notes.operation('SIM-5', 'confirm', 'The simulation says nothing about your wallet: it shows neither that the transactions are good nor that they are not.');
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
      place.confirm('SIM-5', `This transaction would fail now: ${quotedAscii(simulated.error.slice(0, LONGEST_ERROR))}.`);
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
  const bound = outflowBound(intent, notes.effects.filter(({ transaction }) => transaction <= index));
  if (-change > bound + SIMULATION_TOLERANCE_LAMPORTS) {
    const words = `In the simulation your wallet has ${lamportsToSol(-change)} SOL less after this transaction; its instructions, with those before it, explain at most ${lamportsToSol(bound)} SOL.`;
    notes.at(index).block('SIM-1', words, { amountRaw: -change });
  }
}

/** A simulation answers a question only where it shows all of the transaction and nothing is wrong with it. */
function relax(index: number, simulated: SimulatedTransaction, context: OperationContext, notes: Notes): void {
  const isClean = isShownWhole(simulated) && !notes.findings.some(({ rule, transaction }) => transaction === index && rule.startsWith('SIM-'));
  if (isClean) {
    notes.replace((finding) => {
      const mayBeAnswered = finding.transaction === index && relaxationOf(finding, context.facts, { usesResolvedTable: false }) !== undefined;
      const answer = mayBeAnswered ? answerTo(finding, simulated, context) : undefined;
      return answer === undefined ? finding : { ...finding, verdict: 'info', message: `${finding.message} ${answer}` };
    });
  }
}

/**
 * What a clean simulation says to a question, of those that it may answer (relaxations.ts): SYS-4 "(allow with simulation)", and TOK-1
 * for recipients of whom the user has approved. All others, SWP-8 among them, stay questions, since a simulation can be deceived.
 */
function answerTo({ rule, transaction, instruction }: Finding, simulated: SimulatedTransaction, context: OperationContext): string | undefined {
  switch (rule) {
    case 'SYS-4':
      return 'The simulation shows that it does just that.';
    case 'TOK-1': {
      const readings = context.transactions.find(({ view }) => view.index === transaction)?.readings;
      const transfer = readings?.find(({ index }) => index === instruction);
      return transfer !== undefined && isShareOfClaimedFees(transfer, simulated, context) ? 'The simulation shows that it is 10 % at most of the fees that this transaction claims.' : undefined;
    }
    default:
      return undefined;
  }
}
