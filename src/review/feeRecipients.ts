import type { Address } from '../base/solana/address';
import { PROGRAMS } from '../base/solana/programs';
import type { OperationContext } from './context';

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
