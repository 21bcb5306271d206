import * as l10n from '@vscode/l10n';
import { BASIS_POINTS } from '../../base/basisPoints';
import type { Address } from '../../base/solana/address';
import { KNOWN_DECIMALS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { OperationContext } from '../context';
import type { ChainFacts } from '../facts/facts';
import type { Notes } from '../notes';
import { NO_SPENDS, totalLamports } from '../spends';
import type { Intent, Spends, ZapInIntent } from '../types';

// Zap-ins of tokens that the wallet has (the service's mode `normal`). The policy knows only zap-ins of SOL; what it says of SOL is read
// to hold for every other mint too: LIM-1 bounds what goes in, and SWP-6 what may be swapped, which here is nothing.

/** An intent that puts in tokens as they are. */
export type TokensIntent = ZapInIntent & { readonly tokens: NonNullable<ZapInIntent['tokens']> };

/** Whether the tokens go in as the wallet has them, so that nothing is to be swapped. */
export function putsInTokens(intent: Intent): intent is TokensIntent {
  return intent.kind === 'zapIn' && intent.tokens !== undefined;
}

/**
 * LIM-1 for each mint besides SOL: no more of it may leave the wallet than was chosen, with the policy's tolerance, over all
 * transactions and whatever it goes into; of a mint that was not chosen nothing may, nor of one that cannot be named. What an
 * earlier attempt may still take of tokens is not known (its sums are of lamports), so that there may be none (BND-2).
 * @param prior what earlier attempts have signed, and may still land
 */
export function reviewTokensAtHand({ intent, policy, facts }: OperationContext, notes: Notes, prior: Spends = NO_SPENDS): void {
  if (!putsInTokens(intent)) {
    return;
  }
  reviewDecimals(intent, facts, notes);
  const all = BASIS_POINTS;
  const chosen = sums(intent.tokens);
  for (const [mint, amountRaw] of sums(spentTokens(notes))) {
    const asked = mint === undefined || mint === WRAPPED_SOL_MINT ? 0n : (chosen.get(mint) ?? 0n);
    if (mint === undefined) {
      notes.operation(
        'LIM-1',
        'block',
        l10n.t`The operation would take ${String(amountRaw)} raw units of a token that could not be determined.`,
        { amountRaw },
      );
    } else if (asked === 0n) {
      notes.operation(
        'LIM-1',
        'block',
        l10n.t`The operation would take ${String(amountRaw)} raw units of ${mint} out of your wallet; you put in none of it.`,
        { address: mint, amountRaw },
      );
    } else if (amountRaw * all > asked * (all + policy.inputToleranceBps)) {
      notes.operation(
        'LIM-1',
        'block',
        l10n.t`The operation would take ${String(amountRaw)} raw units of ${mint}; you asked for ${String(asked)}.`,
        { address: mint, amountRaw },
      );
    }
  }
  if (totalLamports(prior) > 0n) {
    const words = l10n.t(
      'What you signed for this pool before may still be carried out, and it is not known how many of your tokens it would take',
    );
    notes.operation(
      'BND-2',
      'block',
      l10n.t`${words}: both together could be more than you chose. Try again once the first one is over, two minutes after it was sent at the latest.`,
    );
  }
}

/** LIM-1: an amount that was reckoned with other decimals than the mint has stands for ten, or a thousand times as much as was chosen, or less. */
function reviewDecimals({ tokens }: TokensIntent, { decimals: known }: ChainFacts, notes: Notes): void {
  for (const { mint, decimals, amountRaw } of tokens) {
    const real = known?.get(mint) ?? KNOWN_DECIMALS.get(mint);
    if (real !== undefined && decimals !== undefined && real !== decimals && amountRaw > 0n) {
      notes.operation(
        'LIM-1',
        'block',
        l10n.t`${mint} has ${real} decimals; the amounts that the service showed you have ${decimals}: another amount would go in than you chose.`,
        { address: mint, amountRaw },
      );
    }
  }
}

/** What leaves the owner's accounts of any token but SOL: what others get is in it too. */
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
