import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import type { TransactionContext } from '../context';
import type { PlaceNotes } from '../notes';
import { addressIn, type DecodedCall } from '../decode/instructions';

// A position in DAMM v2 belongs to the holder of its NFT, and its address is derived from the NFT's mint. The service does not document
// which of the two addresses it gives, so both are accepted (DAMM-1).

/** Returns whether an account is the position of the operation. */
export function isIntendedPosition(position: Address, { position: intended, derived }: TransactionContext): boolean {
  return intended !== undefined && (position === intended || position === derived.dammPosition(intended));
}

/** DAMM-1: the position and the NFT account are derived from the NFT's mint, as far as the mint is known. */
export function reviewNft(reading: DecodedCall, rule: string, context: TransactionContext, notes: PlaceNotes): void {
  const position = addressIn(reading, 'position');
  const named = addressIn(reading, 'position_nft_mint');
  if (named !== undefined && position !== undefined && context.derived.dammPosition(named) !== position) {
    notes.block(rule, l10n.t`The position ${position} does not belong to the NFT ${named}.`, { address: named });
  }
  const account = addressIn(reading, 'position_nft_account');
  const mint = named ?? mintOf(position, context);
  if (account !== undefined && mint !== undefined && context.derived.dammPositionNftAccount(mint) !== account) {
    notes.block(rule, l10n.t`The account ${account} does not hold the position's NFT.`, { address: account });
  }
}

/** The mint of the position's NFT, if the intent or another instruction of the operation names it. */
function mintOf(position: Address | undefined, { transactions, position: intended, derived }: TransactionContext): Address | undefined {
  if (position === undefined) {
    return undefined;
  }
  if (intended !== undefined && intended !== position) {
    return derived.dammPosition(intended) === position ? intended : undefined;
  }
  return transactions
    .flatMap(({ readings }) => readings)
    .filter((reading) => addressIn(reading, 'position') === position)
    .flatMap((reading) => addressIn(reading, 'position_nft_mint') ?? [])
    .find((mint) => derived.dammPosition(mint) === position);
}
