import * as l10n from '@vscode/l10n';
import { BASIS_POINTS } from '../../base/basisPoints';
import type { Address } from '../../base/solana/address';
import { lamportsToSol } from '../../base/solana/amounts';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { exchanges, poolFieldsOf, withdraws } from '../intents';
import { type InstructionRule, isOwned, notOwnedReason, type OperationContext, ownedMint, type TransactionContext } from '../context';
import { accountIn, addressArgument, addressIn, type DecodedCall, integerAt, isInstruction } from '../decode/instructions';
import { REVIEW_PROGRAMS } from '../decode/programs';
import type { PlaceNotes } from '../notes';
import type { Intent } from '../types';
import { noteUnresolved } from './decoding';
import { isWithdrawal, poolIn } from '../decode/meteora';

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

/** Extensions of Token-2022 by their opcode (@solana/spl-token 0.4.14, `TokenInstruction`). */
const extensions = (): ReadonlyMap<number, string> =>
  new Map([
    [25, l10n.t('mint close authority')],
    [26, l10n.t('transfer fee')],
    [27, l10n.t('confidential transfer')],
    [28, l10n.t('default account state')],
    [29, l10n.t('reallocation')],
    [30, l10n.t('required memo')],
    [31, l10n.t('native mint')],
    [32, l10n.t('non-transferable tokens')],
    [33, l10n.t('interest-bearing tokens')],
    [34, l10n.t('CPI guard')],
    [35, l10n.t('permanent delegate')],
    [36, l10n.t('transfer hook')],
    [37, l10n.t('confidential transfer fee')],
    [39, l10n.t('metadata pointer')],
    [40, l10n.t('group pointer')],
    [41, l10n.t('group member pointer')],
    [42, l10n.t('confidential mint and burn')],
    [43, l10n.t('scaled UI amount')],
    [44, l10n.t('pausing')],
  ]);

/** Reviews instructions of Token and Token-2022, which share their numbering (TOK-1 to TOK-8). */
export const reviewToken: InstructionRule = (reading, context, notes) => {
  const name = reading.layout?.name ?? 'unknown';
  switch (name) {
    case 'approve':
    case 'approve_checked': {
      const delegate = addressIn(reading, 'delegate');
      notes.block(
        'TOK-2',
        l10n.t`The transaction would let ${delegate ?? l10n.t('an unknown account')} spend your tokens at any later time.`,
        { address: delegate },
      );
      return;
    }
    case 'set_authority': {
      const account = addressIn(reading, 'account');
      notes.block('TOK-3', l10n.t`The transaction would give away control of ${account ?? l10n.t('a token account')}.`, {
        address: account,
      });
      return;
    }
    case 'batch':
    case 'unwrap_lamports':
    case 'withdraw_excess_lamports':
      notes.block('TOK-7', l10n.t`The transaction uses the token instruction "${name}", which can hide what it moves.`);
      return;
  }
  if (reading.args === undefined) {
    const extension = extensions().get(reading.view.data[0] ?? -1);
    notes.block(
      'TOK-8',
      extension === undefined
        ? l10n.t('The transaction sends an instruction to a token program that Binsight cannot read.')
        : l10n.t`The transaction sends an instruction to a token program that Binsight does not allow (extension: ${extension}).`,
    );
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
      notes.block('TOK-5', l10n.t`The token instruction "${name}" is never part of a liquidity operation.`);
  }
};

/** TOK-1: tokens may go to the owner's accounts and, once for each mint, to a stranger as the service's fee on claimed fees. */
function reviewTransfer(reading: DecodedCall, context: TransactionContext, notes: PlaceNotes): void {
  const to = addressIn(reading, 'destination');
  const amount = integerAt(reading.args, 'amount') ?? 0n;
  if (to === undefined) {
    noteUnresolved('TOK-1', l10n.t('Tokens would go to an unknown account.'), 'transferDestination', context, notes);
    return;
  }
  if (isOwned(context, to)) {
    return;
  }
  const mint = ownedMint(context, addressIn(reading, 'source'));
  const detail = { address: to, amountRaw: amount };
  if (mint === undefined || !isFee(reading, context, mint, amount)) {
    notes.block('TOK-1', `${l10n.t`Tokens would go to ${to}.`} ${notOwnedReason(context, to)}`, detail);
    return;
  }
  const sentences = [
    feeText(mint, amount, to, shareOfWorth(mint, amount, context.intent)),
    l10n.t('The service documents a fee of 8% on claimed fees.'),
    ...(isApprovedTokenAccount(context, to, mint) ? [l10n.t('You approved that recipient.')] : []),
  ];
  notes.confirm('TOK-1', sentences.join(' '), detail);
  notes.effect({ kind: 'recipient', address: to, role: l10n.t('gets tokens (service fee?)') });
  notes.effect({ kind: 'giveToken', mint, amountRaw: amount });
}

/** @param share percent of the withdrawal's value, where the user was shown that value */
function feeText(mint: Address, amountRaw: bigint, to: Address, share: number | undefined): string {
  const amount =
    mint === WRAPPED_SOL_MINT ? l10n.t`${lamportsToSol(amountRaw)} wrapped SOL` : l10n.t`${String(amountRaw)} raw units of ${mint}`;
  return share === undefined
    ? l10n.t`${amount} would go to ${to}.`
    : l10n.t`${amount} would go to ${to}, ${share}% of the withdrawal's value that you were shown.`;
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
    noteUnresolved(
      'TOK-4',
      l10n.t('Closing a token account would send its SOL to an unknown account.'),
      'transferDestination',
      context,
      notes,
    );
  } else if (to !== context.intent.owner) {
    notes.block('TOK-4', l10n.t`Closing a token account would send its SOL to ${to}, not to your wallet.`, { address: to });
  } else if (account === undefined || !isOwned(context, account)) {
    notes[exchanges(context.intent) ? 'block' : 'confirm'](
      'TOK-4',
      account === undefined
        ? l10n.t('The transaction closes a token account from an unread lookup table. Its SOL goes to your wallet.')
        : l10n.t`The transaction closes the token account ${account}, which Binsight does not recognize. Its SOL goes to your wallet.`,
      { address: account },
    );
  } else if (ownedMint(context, account) === WRAPPED_SOL_MINT) {
    notes.effect({ kind: 'unwrap', account });
  } else if (exchanges(context.intent)) {
    notes.block('TOK-4', l10n.t`The transaction closes your token account ${account}, which is not part of this operation.`, {
      address: account,
    });
  }
}

/** TOK-6: a token account may be initialized only for the owner, right after this transaction created it. */
function reviewInitialization(reading: DecodedCall, context: TransactionContext, notes: PlaceNotes): void {
  const account = addressIn(reading, 'account');
  const holder = accountIn(reading, 'owner')?.address ?? addressArgument(reading.args, 'owner');
  if (account === undefined || !context.temporary.has(account) || holder !== context.intent.owner) {
    notes.block(
      'TOK-6',
      l10n.t`The transaction initializes a token account for ${holder ?? l10n.t('an unknown wallet')}, which this operation does not need.`,
      { address: account },
    );
  }
}

/** ATA-1: associated token accounts may be created for the owner. */
export const reviewAssociatedToken: InstructionRule = (reading, context, notes) => {
  const { owner } = context.intent;
  if (reading.args === undefined || reading.layout?.name === 'recover_nested') {
    notes.block(
      'ATA-1',
      l10n.t('The transaction sends an instruction to the Associated Token Account program that this operation does not need.'),
    );
    return;
  }
  const wallet = addressIn(reading, 'wallet');
  const tokenProgram = addressIn(reading, 'token_program');
  if (tokenProgram !== undefined && tokenProgram !== PROGRAMS.token && tokenProgram !== PROGRAMS.token2022) {
    notes.block('ATA-1', l10n.t`A token account would be created by ${tokenProgram}, which is not a token program.`, {
      address: tokenProgram,
    });
    return;
  }
  if (!reviewDerivation(reading, context, notes)) {
    return;
  }
  if (wallet === undefined) {
    noteUnresolved('ATA-1', l10n.t('You would pay for the token account of an unknown wallet.'), 'other', context, notes);
  } else if (wallet !== owner) {
    notes.confirm('ATA-1', l10n.t`You would pay for a token account of ${wallet}, which is not your wallet.`, { address: wallet });
    notes.effect({ kind: 'recipient', address: wallet, role: l10n.t('gets a token account that you pay for') });
  }
  if (addressIn(reading, 'payer') === owner) {
    const lamports = tokenProgram === PROGRAMS.token ? context.rent.tokenAccount : context.rent.token2022Account;
    notes.effect({ kind: 'rent', lamports, refundable: wallet === owner });
    if (wallet === owner) {
      reviewPart(reading, lamports, context, notes);
    }
  }
};

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
    const words = l10n.t`The transaction creates a token account for ${mint}, which is not part of this operation. Its rent of ${lamportsToSol(lamports)} SOL stays there until you close it.`;
    notes.confirm('ATA-1', words, { address: mint, amountRaw: lamports });
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
  notes.block('ATA-1', l10n.t`${account} is not the associated token account of ${wallet} for ${mint}.`, { address: account });
  return false;
}
