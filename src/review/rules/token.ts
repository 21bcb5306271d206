import * as l10n from '@vscode/l10n';
import { BASIS_POINTS } from '../../base/basisPoints';
import type { Address } from '../../base/solana/address';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { exchanges, poolFieldsOf, withdraws } from '../intents';
import { type InstructionRule, isOwned, notOwnedReason, type OperationContext, ownedMint, type TransactionContext } from '../context';
import { accountIn, addressArgument, addressIn, type DecodedCall, integerAt, isInstruction } from '../decode/instructions';
import { REVIEW_PROGRAMS } from '../decode/programs';
import type { PlaceNotes } from '../notes';
import type { Intent } from '../types';
import { noteUnresolved } from './decoding';
import { isWithdrawal, poolIn } from '../decode/meteora';
import {
  approvedRecipientWords,
  createsAccountWords,
  foreignWords,
  giveAwayWords,
  goesToWords,
  notAssociatedWords,
  notPartWords,
  notYourWalletWords,
  rawAmountText,
  spenderWords,
  unknownAccount,
  unreadTableWords,
  unreadWords,
} from './words';

const TOKEN_PROGRAMS: readonly Address[] = [PROGRAMS.token, PROGRAMS.token2022];

/**
 * Returns whether a token account belongs to a fee recipient that the user approved (TOK-1): the setting names the account itself, or its
 * wallet, and no RPC says that the associated account now belongs to another wallet. An RPC's answer about any other account proves
 * nothing, because its creator may replace it (ownedAccounts.ts).
 */
export function isApprovedTokenAccount(context: OperationContext, account: Address, mint: Address): boolean {
  const { feeRecipients } = context.policy;
  const holder = context.facts.tokenAccounts.get(account)?.owner;
  const isAssociated = (recipient: Address): boolean =>
    TOKEN_PROGRAMS.some((program) => context.derived.associatedToken(recipient, mint, program) === account);
  return feeRecipients.some(
    (recipient) => recipient === account || ((holder === undefined || holder === recipient) && isAssociated(recipient)),
  );
}

/** Above this an amount would be negative when read as signed: never a real fee. */
const LARGEST_FEE_RAW = 1n << 63n;

/** Instructions of Token-2022's extensions by their opcode: their names in @solana/spl-token 0.4.14 (`TokenInstruction`). */
const EXTENSIONS: ReadonlyMap<number, string> = new Map([
  [25, 'InitializeMintCloseAuthority'],
  [26, 'TransferFeeExtension'],
  [27, 'ConfidentialTransferExtension'],
  [28, 'DefaultAccountStateExtension'],
  [29, 'Reallocate'],
  [30, 'MemoTransferExtension'],
  [31, 'CreateNativeMint'],
  [32, 'InitializeNonTransferableMint'],
  [33, 'InterestBearingMintExtension'],
  [34, 'CpiGuardExtension'],
  [35, 'InitializePermanentDelegate'],
  [36, 'TransferHookExtension'],
  [37, 'ConfidentialTransferFeeExtension'],
  [39, 'MetadataPointerExtension'],
  [40, 'GroupPointerExtension'],
  [41, 'GroupMemberPointerExtension'],
  [42, 'ConfidentialMintBurnExtension'],
  [43, 'ScaledUiAmountExtension'],
  [44, 'PausableExtension'],
]);

/** Reviews instructions of Token and Token-2022, which share their numbering (TOK-1 to TOK-8). */
export const reviewToken: InstructionRule = (reading, context, notes) => {
  const name = reading.layout?.name ?? 'unknown';
  switch (name) {
    case 'approve':
    case 'approve_checked': {
      const delegate = addressIn(reading, 'delegate');
      notes.block('TOK-2', spenderWords(delegate), { address: delegate });
      return;
    }
    case 'set_authority': {
      const account = addressIn(reading, 'account');
      notes.block('TOK-3', giveAwayWords(account), { address: account });
      return;
    }
    case 'batch':
    case 'unwrap_lamports':
    case 'withdraw_excess_lamports':
      notes.block('TOK-7', foreignWords(reading));
      return;
  }
  if (reading.args === undefined) {
    const extension = EXTENSIONS.get(reading.view.data[0] ?? -1);
    notes.block('TOK-8', extension === undefined ? unreadWords(reading) : foreignWords(reading, extension));
    return;
  }
  switch (name) {
    case 'transfer':
    case 'transfer_checked':
    case 'transfer_checked_with_fee':
      reviewTransfer(reading, context, notes);
      return;
    case 'close_account':
      reviewClosing(reading, context, notes);
      return;
    case 'initialize_account':
    case 'initialize_account2':
    case 'initialize_account3':
      reviewInitialization(reading, context, notes);
      return;
    case 'sync_native':
    case 'revoke':
    case 'initialize_immutable_owner':
    case 'get_account_data_size':
    case 'amount_to_ui_amount':
    case 'ui_amount_to_amount':
      return;
    default:
      notes.block('TOK-5', foreignWords(reading));
  }
};

/** TOK-1: tokens may go to the owner's accounts and, once for each mint, to a stranger as the service's fee on claimed fees. */
function reviewTransfer(reading: DecodedCall, context: TransactionContext, notes: PlaceNotes): void {
  const to = addressIn(reading, 'destination');
  const amount = integerAt(reading.args, 'amount') ?? 0n;
  const mint = ownedMint(context, addressIn(reading, 'source'));
  if (to === undefined) {
    noteUnresolved('TOK-1', goesToWords(rawAmountText(mint, amount), unknownAccount()), 'transferDestination', context, notes);
    return;
  }
  if (isOwned(context, to)) {
    return;
  }
  const detail = { address: to, amountRaw: amount };
  if (mint === undefined || !isFee(reading, context, mint, amount)) {
    notes.block('TOK-1', `${goesToWords(rawAmountText(mint, amount), to)} ${notOwnedReason(context, to)}`, detail);
    return;
  }
  const share = shareOfWorth(mint, amount, context.intent);
  const sentences = [
    goesToWords(rawAmountText(mint, amount), to),
    ...(share === undefined ? [] : [l10n.t`That is ${share}% of the withdrawal's value that you were shown.`]),
    l10n.t('The service documents a fee of 8% on claimed fees.'),
    ...(isApprovedTokenAccount(context, to, mint) ? [approvedRecipientWords()] : []),
  ];
  notes.confirm('TOK-1', sentences.join(' '), detail);
  notes.effect({ kind: 'recipient', address: to, role: l10n.t('gets tokens') });
  notes.effect({ kind: 'giveToken', mint, amountRaw: amount });
}

/** The transfer as a percentage of the withdrawal's value, where the user was shown it: a fee on fees is a small part of it. */
function shareOfWorth(mint: Address, amountRaw: bigint, intent: Intent): number | undefined {
  const worth = withdraws(intent) ? intent.worth?.find((one) => one.mint === mint)?.amountRaw : undefined;
  return worth === undefined || worth === 0n ? undefined : percentOf(amountRaw, worth);
}

/** With two decimal places, rounded up: a small share never shows as 0. */
function percentOf(part: bigint, whole: bigint): number {
  return Number((part * BASIS_POINTS + whole - 1n) / whole) / 100;
}

/**
 * The shape of the service's fee: a pool token, after a claim or a withdrawal from the intended pool, once for each mint. Never with
 * a transfer fee of its own (TOK-8).
 */
function isFee(reading: DecodedCall, context: TransactionContext, mint: Address, amount: bigint): boolean {
  const { intent, transaction, poolTokens } = context;
  const earlier = transaction.readings.slice(0, reading.index);
  return (
    transaction.view.group === 'close' &&
    reading.layout?.name !== 'transfer_checked_with_fee' &&
    poolTokens.has(mint) &&
    amount < LARGEST_FEE_RAW &&
    earlier.some((other) => isWithdrawal(other) && poolIn(other) === poolFieldsOf(intent).pool) &&
    !earlier.some((other) => isForeignTransfer(other, context) && ownedMint(context, addressIn(other, 'source')) === mint)
  );
}

function isForeignTransfer(reading: DecodedCall, context: TransactionContext): boolean {
  const to = addressIn(reading, 'destination');
  const names = ['transfer', 'transfer_checked', 'transfer_checked_with_fee'];
  return (
    (isInstruction(reading, PROGRAMS.token, ...names) || isInstruction(reading, PROGRAMS.token2022, ...names)) &&
    (to === undefined || !isOwned(context, to))
  );
}

/** TOK-4: closing a token account sends its SOL to the destination. */
function reviewClosing(reading: DecodedCall, context: TransactionContext, notes: PlaceNotes): void {
  const account = addressIn(reading, 'account');
  const to = addressIn(reading, 'destination');
  if (to === undefined) {
    noteUnresolved('TOK-4', closingWords(unknownAccount()), 'transferDestination', context, notes);
  } else if (to !== context.intent.owner) {
    notes.block('TOK-4', `${closingWords(to)} ${notYourWalletWords()}`, { address: to });
  } else if (account === undefined || !isOwned(context, account)) {
    const reason = account === undefined ? unreadTableWords() : notOwnedReason(context, account);
    notes[exchanges(context.intent) ? 'block' : 'confirm']('TOK-4', `${closesWords(account)} ${reason}`, { address: account });
  } else if (ownedMint(context, account) === WRAPPED_SOL_MINT) {
    notes.effect({ kind: 'unwrap', account });
  } else if (exchanges(context.intent)) {
    notes.block('TOK-4', `${closesWords(account)} ${notPartWords()}`, { address: account });
  }
}

const closingWords = (to: string): string => l10n.t`Closing a token account would send its SOL to ${to}.`;
const closesWords = (account: Address | undefined): string =>
  l10n.t`The transaction closes ${account ?? unknownAccount()}, and its SOL goes to you.`;

/** TOK-6: a token account may be initialized only for the owner, right after this transaction created it. */
function reviewInitialization(reading: DecodedCall, context: TransactionContext, notes: PlaceNotes): void {
  const account = addressIn(reading, 'account');
  const holder = accountIn(reading, 'owner')?.address ?? addressArgument(reading.args, 'owner');
  if (account === undefined || !context.temporary.has(account) || holder !== context.intent.owner) {
    notes.block('TOK-6', foreignWords(reading), { address: account });
  }
}

/** ATA-1: associated token accounts may be created for the owner. */
export const reviewAssociatedToken: InstructionRule = (reading, context, notes) => {
  const { owner } = context.intent;
  if (reading.args === undefined || reading.layout?.name === 'recover_nested') {
    notes.block('ATA-1', foreignWords(reading));
    return;
  }
  const wallet = addressIn(reading, 'wallet');
  const tokenProgram = addressIn(reading, 'token_program');
  if (tokenProgram !== undefined && tokenProgram !== PROGRAMS.token && tokenProgram !== PROGRAMS.token2022) {
    notes.block('ATA-1', l10n.t`${tokenProgram} is not a token program.`, { address: tokenProgram });
    return;
  }
  if (!reviewDerivation(reading, context, notes)) {
    return;
  }
  if (wallet === undefined) {
    noteUnresolved('ATA-1', paysForWords(unknownAccount()), 'other', context, notes);
  } else if (wallet !== owner) {
    notes.confirm('ATA-1', `${paysForWords(wallet)} ${notYourWalletWords()}`, { address: wallet });
    notes.effect({ kind: 'recipient', address: wallet, role: l10n.t('gets a token account') });
  }
  if (addressIn(reading, 'payer') === owner) {
    const lamports = tokenProgram === PROGRAMS.token ? context.rent.tokenAccount : context.rent.token2022Account;
    notes.effect({ kind: 'rent', lamports, refundable: wallet === owner });
    if (wallet === owner) {
      reviewPart(reading, lamports, context, notes);
    }
  }
};

const paysForWords = (wallet: string): string => l10n.t`You would pay for a token account of ${wallet}.`;

/** ATA-1: an account for a token that has no part in the operation is a question, because it costs rent. */
function reviewPart(reading: DecodedCall, lamports: bigint, { poolMints, transaction }: TransactionContext, notes: PlaceNotes): void {
  const [account, mint] = [addressIn(reading, 'associated_account'), addressIn(reading, 'mint')];
  if (account === undefined || mint === undefined || poolMints.has(mint)) {
    return;
  }
  // A route through a third token names the account, a reward its mint.
  const isUsed = transaction.readings
    .filter(usesTokens)
    .some(({ view }) => view.accounts.some(({ address }) => address === account || address === mint));
  if (!isUsed) {
    notes.confirm('ATA-1', `${createsAccountWords(mint, lamports)} ${notPartWords()}`, { address: mint, amountRaw: lamports });
  }
}

/** Returns whether an instruction may use tokens: it moves them, closes their account, or calls a program that trades. */
function usesTokens(reading: DecodedCall): boolean {
  const { program } = reading.view;
  if (program === PROGRAMS.token || program === PROGRAMS.token2022) {
    return isInstruction(reading, program, 'transfer', 'transfer_checked', 'transfer_checked_with_fee', 'close_account');
  }
  return !WITHOUT_TOKENS.includes(program);
}

const WITHOUT_TOKENS: readonly Address[] = [
  PROGRAMS.associatedToken,
  PROGRAMS.system,
  PROGRAMS.computeBudget,
  PROGRAMS.memo,
  PROGRAMS.memoV1,
  REVIEW_PROGRAMS.lighthouse,
];

/** Returns whether the account is the one derived from the wallet and the mint, as far as the bytes name them all. */
function reviewDerivation(reading: DecodedCall, context: TransactionContext, notes: PlaceNotes): boolean {
  const [account, wallet, mint, tokenProgram] = ['associated_account', 'wallet', 'mint', 'token_program'].map((role) =>
    addressIn(reading, role),
  );
  if (account === undefined || wallet === undefined || mint === undefined || tokenProgram === undefined) {
    return true;
  }
  const derived = context.derived.associatedToken(wallet, mint, tokenProgram);
  // An address that is not derived any more makes the whole review block (BND-1).
  if (derived === account || derived === undefined) {
    return true;
  }
  notes.block('ATA-1', notAssociatedWords(account, wallet, mint), { address: account });
  return false;
}
