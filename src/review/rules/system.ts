import * as l10n from '@vscode/l10n';
import { lamportsToSol } from '../../base/solana/amounts';
import { JITO_TIP_ACCOUNTS, LAMPORTS_PER_SIGNATURE, PROGRAMS } from '../../base/solana/programs';
import { RentRate } from '../../base/solana/rent';
import type { InstructionRule, TransactionContext, TransactionRule } from '../context';
import { accountIn, addressIn, type DecodedCall, integerAt, isInstruction } from '../decode/instructions';
import { PRECOMPILES } from '../decode/programs';
import type { PlaceNotes } from '../notes';
import { noteUnresolved } from './decoding';
import { NONCE_INSTRUCTIONS, reviewNonce } from './signatures';

/** Reviews instructions of the System program (SYS-1 to SYS-5, NON-1, NON-2), and notes tips. */
export const reviewSystem: InstructionRule = (reading, context, notes) => {
  const name = reading.layout?.name ?? '';
  if (NONCE_INSTRUCTIONS.includes(name)) {
    reviewNonce(name, notes);
    return;
  }
  switch (name) {
    case 'assign':
    case 'assign_with_seed':
    case 'allocate':
    case 'allocate_with_seed':
      notes.block(
        'SYS-3',
        l10n.t`The transaction would hand an account over to another program (${name}). Done to a wallet, that is theft.`,
        { address: addressIn(reading, 'account') },
      );
      return;
    case 'transfer_with_seed':
      notes.block('SYS-2', l10n.t('The transaction would move SOL out of a derived account. Liquidity operations never do that.'), {
        address: addressIn(reading, 'to'),
      });
      return;
  }
  if (reading.args === undefined) {
    notes.block('SYS-5', l10n.t('Binsight cannot read an instruction to the System program.'));
  } else if (name === 'transfer') {
    reviewTransfer(reading, context, notes);
  } else {
    reviewCreation(reading, context, notes);
  }
};

/** SYS-1: the recipients of SOL. */
function reviewTransfer(reading: DecodedCall, context: TransactionContext, notes: PlaceNotes): void {
  const { intent, owned, temporary } = context;
  const lamports = integerAt(reading.args, 'lamports') ?? 0n;
  const from = accountIn(reading, 'from');
  const to = addressIn(reading, 'to');
  if (from?.address !== intent.owner) {
    // A co-signer may move its own SOL. Without a signature the transfer could only fail, so it serves another purpose.
    if (from?.signer !== true) {
      notes.block(
        'SYS-1',
        l10n.t`The transaction would move ${lamportsToSol(lamports)} SOL out of ${from?.address ?? l10n.t('an account in a lookup table')}, which does not sign it.`,
        { address: from?.address },
      );
    }
    return;
  }
  if (to === intent.owner) {
    return;
  }
  if (to === undefined) {
    noteUnresolved('SYS-1', l10n.t`${lamportsToSol(lamports)} SOL would go to an unknown account.`, 'transferDestination', context, notes);
  } else if (owned.isWrappedSol(to) || temporary.has(to)) {
    notes.effect({ kind: 'wrap', lamports, account: to });
  } else if (JITO_TIP_ACCOUNTS.includes(to)) {
    notes.effect({ kind: 'tip', lamports, to });
    notes.effect({ kind: 'recipient', address: to, role: 'Jito tip' });
  } else if (context.policy.feeRecipients.includes(to)) {
    // The cap over the whole operation is checked with the limits.
    notes.confirm('SYS-1', l10n.t`${lamportsToSol(lamports)} SOL would go to ${to} as a fee. You approved that recipient.`, {
      address: to,
      amountRaw: lamports,
    });
    notes.effect({ kind: 'send', lamports, to });
    notes.effect({ kind: 'recipient', address: to, role: l10n.t('gets a fee in SOL') });
  } else {
    notes.confirm('SYS-1', l10n.t`${lamportsToSol(lamports)} SOL would go to ${to}, which is neither your account nor the pool.`, {
      address: to,
      amountRaw: lamports,
    });
    notes.effect({ kind: 'send', lamports, to });
    notes.effect({ kind: 'recipient', address: to, role: l10n.t('gets SOL') });
  }
}

/** SYS-4: only temporary accounts for wrapped SOL may be created. */
function reviewCreation(reading: DecodedCall, context: TransactionContext, notes: PlaceNotes): void {
  const account = addressIn(reading, 'account');
  if (account === undefined || !context.temporary.has(account)) {
    notes.block(
      'SYS-4',
      account === undefined
        ? l10n.t('The transaction would create an account from an unread lookup table. This operation does not need it.')
        : l10n.t`The transaction would create the account ${account}, which is not a temporary account for wrapped SOL.`,
      { address: account },
    );
    return;
  }
  const lamports = integerAt(reading.args, 'lamports') ?? 0n;
  notes.confirm(
    'SYS-4',
    l10n.t`SOL is wrapped in a temporary account, ${account}, which is closed to your wallet in the same transaction.`,
    { address: account, amountRaw: lamports },
  );
  if (addressIn(reading, 'from') === context.intent.owner) {
    const wrapped = lamports - RentRate.highest.tokenAccount;
    notes.effect({ kind: 'rent', lamports: wrapped > 0n ? RentRate.highest.tokenAccount : lamports, refundable: true });
    notes.effect({ kind: 'wrap', lamports: wrapped > 0n ? wrapped : 0n, account });
  }
}

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
      .flatMap((reading) => integerAt(reading.args, argument) ?? []);
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
