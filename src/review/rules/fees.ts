import * as l10n from '@vscode/l10n';
import { lamportsToSol } from '../../base/solana/amounts';
import { LAMPORTS_PER_SIGNATURE, PROGRAMS } from '../../base/solana/programs';
import { isHeapSize, type TransactionConfig } from '../../base/solana/wireConfig';
import type { InstructionRule, TransactionContext, TransactionRule } from '../context';
import { integerAt, isInstruction } from '../decode/instructions';
import { PRECOMPILES } from '../decode/programs';
import type { PlaceNotes } from '../notes';
import { foreignWords, unreadWords } from './words';

// FEE-1 and FEE-3. Legacy and v0 set their priority fee with instructions of the Compute Budget program: a price for each compute unit. v1 has
// a config instead, with the fee of the whole transaction; the network ignores Compute Budget instructions in v1 (README.md, "Version 1").

/** The maximum of compute units for a transaction; legacy and v0 without a limit count as using it. */
const MAX_COMPUTE_UNITS = 1_400_000n;
/** The maximum of account data that a transaction may load, bytes: 64 MiB. */
const MAX_LOADED_BYTES = 64n * 1_024n * 1_024n;
const MICRO_LAMPORTS = 1_000_000n;

/** FEE-1 for single instructions: only the four known settings of the Compute Budget program, each in its exact form. */
export const reviewBudgetInstruction: InstructionRule = (reading, { transaction }, notes) => {
  if (reading.args !== undefined && reading.layout?.name !== 'request_units') {
    return;
  }
  const words = reading.args === undefined ? unreadWords(reading) : foreignWords(reading);
  if (transaction.view.wire.version === 1) {
    notes.confirm('FEE-1', `${words} ${ignoredWords()}`);
  } else {
    notes.block('FEE-1', words);
  }
};

const ignoredWords = (): string => l10n.t('The network ignores it in a v1 transaction.');

/** Notes the most that the transaction costs in network and priority fees, and unusual settings (FEE-1, FEE-3). */
export const reviewFees: TransactionRule = (context, notes) => {
  const { view, readings } = context.transaction;
  const { config, requiredSignatures } = view.wire;
  // A signature over other data (PRG-4) costs the same; the first byte of the data is their number.
  const checked = readings.reduce((sum, reading) => sum + (PRECOMPILES.has(reading.view.program) ? (reading.view.data[0] ?? 0) : 0), 0);
  notes.effect({ kind: 'networkFee', lamports: LAMPORTS_PER_SIGNATURE * BigInt(requiredSignatures + checked) });
  if (config === undefined) {
    const { limits, prices } = settingsOf(context);
    if (limits.length > 1 || prices.length > 1) {
      notes.confirm('FEE-1', l10n.t('The transaction sets its priority fee more than once.'));
    }
    notes.effect({ kind: 'priorityFee', lamports: feeOf(limits, prices) });
  } else {
    notes.effect({ kind: 'priorityFee', lamports: config.priorityFeeLamports ?? 0n });
    reviewConfig(config, notes);
    reviewIgnoredSettings(context, config, notes);
  }
};

/** FEE-3: to the network, a limit of v1 that is missing is 0, unlike in legacy and v0. The transaction fails, and its fee is charged. */
function reviewConfig({ computeUnitLimit = 0, loadedAccountsDataSizeLimit = 0 }: TransactionConfig, notes: PlaceNotes): void {
  if (computeUnitLimit === 0) {
    notes.block('FEE-3', noLimitWords('computeUnitLimit'));
  }
  if (loadedAccountsDataSizeLimit === 0) {
    notes.block('FEE-3', noLimitWords('loadedAccountsDataSizeLimit'));
  }
}

/** @param name of the limit in the config of v1 */
const noLimitWords = (name: keyof TransactionConfig): string =>
  l10n.t`The v1 transaction sets no "${name}", so it would fail and still cost its fee.`;

/** FEE-1: Compute Budget instructions in v1 change nothing. Values that no builder sets would mislead a reader who knows older versions. */
function reviewIgnoredSettings(context: TransactionContext, config: TransactionConfig, notes: PlaceNotes): void {
  const { limits, prices, loaded, heaps } = settingsOf(context);
  const fee = feeOf(limits, prices);
  if (fee > context.policy.feeAllowLamports) {
    const charged = lamportsToSol(config.priorityFeeLamports ?? 0n);
    notes.confirm(
      'FEE-1',
      l10n.t`Compute Budget instructions name a priority fee of ${lamportsToSol(fee)} SOL. In a v1 transaction, the network charges ${charged} SOL instead.`,
      { amountRaw: fee },
    );
  }
  const isImpossible =
    limits.some((units) => units === 0n || units > MAX_COMPUTE_UNITS) ||
    loaded.some((bytes) => bytes === 0n || bytes > MAX_LOADED_BYTES) ||
    heaps.some((bytes) => !isHeapSize(Number(bytes)));
  if (isImpossible) {
    notes.confirm('FEE-1', `${l10n.t('A Compute Budget instruction sets an impossible limit.')} ${ignoredWords()}`);
  }
}

/** The values of all Compute Budget instructions, by kind. */
interface BudgetSettings {
  /** Compute units. */
  readonly limits: readonly bigint[];
  /** Micro-lamports for each compute unit. */
  readonly prices: readonly bigint[];
  /** Bytes of account data. */
  readonly loaded: readonly bigint[];
  /** Bytes of heap. */
  readonly heaps: readonly bigint[];
}

function settingsOf({ transaction: { readings } }: TransactionContext): BudgetSettings {
  const settings = (name: string, argument: string): bigint[] =>
    readings
      .filter((reading) => isInstruction(reading, PROGRAMS.computeBudget, name))
      .flatMap((reading) => integerAt(reading.args, argument) ?? []);
  return {
    limits: settings('set_compute_unit_limit', 'units'),
    prices: settings('set_compute_unit_price', 'micro_lamports'),
    loaded: settings('set_loaded_accounts_data_size_limit', 'bytes'),
    heaps: settings('request_heap_frame', 'bytes'),
  };
}

/** The most that these settings can cost in legacy and v0, lamports. */
function feeOf(limits: readonly bigint[], prices: readonly bigint[]): bigint {
  const limit = lesser(limits.length === 0 ? MAX_COMPUTE_UNITS : greatest(limits), MAX_COMPUTE_UNITS);
  return (limit * greatest(prices) + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS;
}

function greatest(values: readonly bigint[]): bigint {
  return values.reduce((most, value) => (value > most ? value : most), 0n);
}

function lesser(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
