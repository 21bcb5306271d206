import * as l10n from '@vscode/l10n';
import { LAMPORTS_PER_SIGNATURE, PROGRAMS } from '../../base/solana/programs';
import { PRECOMPILES } from '../decode/programs';
import { integerIn, isInstruction } from '../decode/instructions';
import type { InstructionRule, TransactionRule } from '../context';

/** The maximum of compute units for a transaction; assumed if it sets no limit. */
const MAX_COMPUTE_UNITS = 1_400_000n;
const MICRO_LAMPORTS = 1_000_000n;

/** FEE-1 for single instructions: only the four known settings of the Compute Budget program, each in its exact form. */
export const reviewBudgetInstruction: InstructionRule = (reading, _context, notes) => {
  if (reading.args === undefined || reading.layout?.name === 'request_units') {
    notes.block('FEE-1', l10n.t('An instruction to the Compute Budget program is deprecated or unreadable, so its cost is unknown.'));
  }
};

/** Notes the most that the transaction costs in network and priority fees, and duplicate settings (FEE-1). */
export const reviewFees: TransactionRule = (context, notes) => {
  const { view, readings } = context.transaction;
  const settings = (name: string, argument: string): bigint[] =>
    readings
      .filter((reading) => isInstruction(reading, PROGRAMS.computeBudget, name))
      .flatMap((reading) => integerIn(reading.args, argument) ?? []);
  const limits = settings('set_compute_unit_limit', 'units');
  const prices = settings('set_compute_unit_price', 'micro_lamports');
  if (limits.length > 1 || prices.length > 1) {
    notes.confirm('FEE-1', l10n.t('The transaction sets its priority fee more than once. Binsight assumes the highest.'));
  }
  const limit = lesser(limits.length === 0 ? MAX_COMPUTE_UNITS : greatest(limits), MAX_COMPUTE_UNITS);
  const priorityFee = (limit * greatest(prices) + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS;
  // A signature over other data (PRG-4) costs the same; the first byte of the data is their number.
  const checked = readings.reduce((sum, reading) => sum + (PRECOMPILES.has(reading.view.program) ? (reading.view.data[0] ?? 0) : 0), 0);
  notes.effect({ kind: 'networkFee', lamports: LAMPORTS_PER_SIGNATURE * BigInt(view.wire.requiredSignatures + checked) });
  notes.effect({ kind: 'priorityFee', lamports: priorityFee });
};

function greatest(values: readonly bigint[]): bigint {
  return values.reduce((most, value) => (value > most ? value : most), 0n);
}

function lesser(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
