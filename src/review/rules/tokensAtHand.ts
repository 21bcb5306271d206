import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { type DepositIntent, deposits, exchanges, mostOf, spendsOf } from '../intents';
import type { OperationContext } from '../context';
import type { Notes } from '../notes';
import { NO_SPENDS, totalLamports } from '../spends';
import type { Intent, Spends } from '../types';
import { enteredWords, rawAmountText, usesWords } from './words';

// Tokens that the wallet holds: LIM-1 limits what leaves of each mint as it does for SOL. They are deposited without a swap (the service's
// mode `normal`; by SWP-6 nothing may be swapped then), or they are swapped.

/** An intent to deposit tokens without a swap. */
type TokensIntent = DepositIntent & { readonly tokens: NonNullable<DepositIntent['tokens']> };

/** Returns whether the user deposits tokens from the wallet without a swap. */
export function putsInTokens(intent: Intent): intent is TokensIntent {
  return deposits(intent) && intent.tokens !== undefined;
}

/**
 * LIM-1 for each mint besides SOL: over all transactions, no more of it leaves the wallet than the user chose, plus the tolerance; nothing
 * of other or undetermined mints. The sums of earlier attempts are in lamports, so their tokens are unknown: there must be none (BND-2).
 * @param prior the sums of earlier attempts that are signed and may still land
 */
export function reviewTokensAtHand({ intent, policy }: OperationContext, notes: Notes, prior: Spends = NO_SPENDS): void {
  const { tokens } = spendsOf(intent);
  if (tokens === 'bought' || !(putsInTokens(intent) || exchanges(intent))) {
    return;
  }
  const chosen = sums(tokens);
  for (const [mint, amountRaw] of sums(spentTokens(notes))) {
    const asked = mint === undefined || mint === WRAPPED_SOL_MINT ? 0n : (chosen.get(mint) ?? 0n);
    if (asked === 0n || amountRaw > mostOf(asked, intent, policy)) {
      const words = `${usesWords(rawAmountText(mint, amountRaw))} ${enteredWords(rawAmountText(mint, asked))}`;
      notes.operation('LIM-1', 'block', words, { address: mint, amountRaw });
    }
  }
  // What a swap takes of SOL counts with that of the earlier attempts (LIM-1).
  if ((putsInTokens(intent) || tokens.length > 0) && totalLamports(prior) > 0n) {
    notes.operation(
      'BND-2',
      'block',
      l10n.t(
        'Transactions that you signed earlier may still land, and both could take more tokens than you chose. Try again two minutes after they were sent.',
      ),
    );
  }
}

/** Everything that leaves the owner's accounts of tokens other than SOL, including what others get. */
function spentTokens({ effects }: Notes): readonly { readonly mint: Address | undefined; readonly amountRaw: bigint }[] {
  return effects.flatMap((effect) =>
    effect.kind === 'spendToken' || effect.kind === 'giveToken' ? [{ mint: effect.mint, amountRaw: effect.amountRaw }] : [],
  );
}

function sums(
  amounts: readonly { readonly mint: Address | undefined; readonly amountRaw: bigint }[],
): ReadonlyMap<Address | undefined, bigint> {
  const byMint = new Map<Address | undefined, bigint>();
  for (const { mint, amountRaw } of amounts) {
    byMint.set(mint, (byMint.get(mint) ?? 0n) + amountRaw);
  }
  return byMint;
}
