import * as l10n from '@vscode/l10n';
import { type Address, addressBytes } from '../../base/solana/address';
import { verifyEd25519 } from '../../base/solana/ed25519';
import { PROGRAMS } from '../../base/solana/programs';
import { isEmptySignature } from '../../base/solana/wireTransaction';
import type { TransactionContext, TransactionRule } from '../context';
import { addressIn, type DecodedCall, isInstruction } from '../decode/instructions';
import { REVIEW_PROGRAMS } from '../decode/programs';
import { createdPositions } from '../positions';

/**
 * Gives those who sign along with the owner for a reason that the transaction shows (SIG-4): the key of a DLMM position that is
 * opened for the owner, or the base that it is derived from; the NFT mint of a DAMM v2 position that is opened for the owner;
 * the maker of an offer that is filled; a passing account for wrapped SOL.
 */
export function explainedSigners(context: TransactionContext): ReadonlySet<Address> {
  const { transaction, intent, temporary } = context;
  return new Set([
    ...createdPositions(transaction, intent.owner),
    ...transaction.readings.flatMap((reading) =>
      [nftMint(reading, context), maker(reading, intent.owner)].flatMap((signer) => signer ?? []),
    ),
    ...temporary,
  ]);
}

/** The NFT mint of a position that is opened for the owner, where the position is the one that this is about. */
function nftMint(reading: DecodedCall, { intent, derived, position }: TransactionContext): Address | undefined {
  const mint = addressIn(reading, 'position_nft_mint');
  const opens =
    isInstruction(reading, PROGRAMS.dammV2, 'create_position') &&
    reading.args !== undefined &&
    addressIn(reading, 'owner') === intent.owner;
  if (!opens || mint === undefined) {
    return undefined;
  }
  const opened = derived.dammPosition(mint);
  return addressIn(reading, 'position') === opened && (position === opened || position === mint) ? mint : undefined;
}

function maker(reading: DecodedCall, owner: Address): Address | undefined {
  const fills =
    isInstruction(reading, REVIEW_PROGRAMS.jupiterRfq, 'fill') && reading.args !== undefined && addressIn(reading, 'taker') === owner;
  return fills ? addressIn(reading, 'maker') : undefined;
}

/** Policy §2: who pays (PAY), who signs, and whether the others have signed exactly this (SIG). */
export const reviewSignatures: TransactionRule = (context, notes) => {
  const { wire, message } = context.transaction.view;
  const { owner } = context.intent;
  const feePayer = wire.staticKeys[0];
  if (feePayer !== undefined && feePayer !== owner) {
    notes.confirm('PAY-1', l10n.t`The fee is paid by ${feePayer}, not by your wallet. This service is not known to do that.`, {
      address: feePayer,
    });
  }

  const signers = wire.staticKeys.slice(0, wire.requiredSignatures);
  if (!signers.includes(owner)) {
    notes.block('SIG-1', l10n.t`Your wallet ${owner} is not among those who sign: this transaction is not yours.`, { address: owner });
  }
  // Who signs alone needs no explanation of the others.
  const explained = signers.length > 1 ? explainedSigners(context) : new Set();
  signers.forEach((signer, slot) => {
    const signature = wire.signatures[slot] ?? new Uint8Array();
    if (signer === owner) {
      if (!isEmptySignature(signature)) {
        notes.block('SIG-3', l10n.t('The place of your signature is already filled.'), { address: owner });
      }
    } else if (isEmptySignature(signature)) {
      const message = l10n.t`The transaction also needs the signature of ${signer}, which is missing: it is an offer that another party has yet to agree to. Choose another provider, or ask for a new one.`;
      notes.block('SIG-2', message, { address: signer });
    } else if (!verifyEd25519(addressBytes(signer), message, signature)) {
      notes.block('SIG-2', l10n.t`The signature of ${signer} is not valid for this transaction. Ask for a new one.`, { address: signer });
    } else if (!explained.has(signer)) {
      notes.confirm('SIG-4', l10n.t`${signer} signs along with you, and nothing in the transaction explains why.`, { address: signer });
    }
  });
};
