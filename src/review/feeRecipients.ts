import type { Address } from '../solana/address';
import { PROGRAMS } from '../solana/programs';
import type { OperationContext } from './context';

/**
 * Says whether a token account is one of a fee recipient that the user has approved of (TOK-1): it is named in the setting itself, is
 * the associated account of one who is, or belongs to one by what an RPC has said.
 */
export function isApprovedTokenAccount(context: OperationContext, account: Address, mint: Address): boolean {
  const { feeRecipients } = context.policy;
  const fact = context.facts.tokenAccounts.get(account);
  if (fact !== undefined) {
    return feeRecipients.includes(account) || feeRecipients.includes(fact.owner);
  }
  const programs = [PROGRAMS.token, PROGRAMS.token2022];
  return feeRecipients.some((recipient) => recipient === account || programs.some((program) => context.derived.associatedToken(recipient, mint, program) === account));
}
