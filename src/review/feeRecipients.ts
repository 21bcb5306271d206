import type { Address } from '../base/solana/address';
import { PROGRAMS } from '../base/solana/programs';
import type { OperationContext } from './context';

const TOKEN_PROGRAMS: readonly Address[] = [PROGRAMS.token, PROGRAMS.token2022];

/**
 * Says whether a token account is one of a fee recipient that the user has approved of (TOK-1): it is named in the setting itself, or is
 * the associated account of one who is, and no RPC says that it belongs to somebody else now. That an RPC says that another account
 * belongs to a recipient proves nothing, since its maker may replace it (ownedAccounts.ts).
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
