import * as l10n from '@vscode/l10n';
import { type Address, addressBytes } from '../../base/solana/address';
import { verifyEd25519 } from '../../base/solana/ed25519';
import { PROGRAMS } from '../../base/solana/programs';
import { isEmptySignature } from '../../base/solana/wireTransaction';
import type { TransactionContext, TransactionRule } from '../context';
import { addressIn, type DecodedCall, isInstruction } from '../decode/instructions';
import { REVIEW_PROGRAMS } from '../decode/programs';
import type { PlaceNotes } from '../notes';
import { createdPositions } from '../decode/meteora';
import { foreignWords } from './words';

/**
 * Returns the co-signers that the transaction explains (SIG-4): the key of a DLMM position that is opened for the owner, or the base that it
 * is derived from; the NFT mint of a DAMM v2 position that is opened for the owner; the maker of a filled offer; a temporary account for
 * wrapped SOL.
 */
function explainedSigners(context: TransactionContext): ReadonlySet<Address> {
  const { transaction, intent, temporary } = context;
  return new Set([
    ...createdPositions(transaction, intent.owner),
    ...transaction.readings.flatMap((reading) =>
      [nftMint(reading, context), maker(reading, intent.owner)].flatMap((signer) => signer ?? []),
    ),
    ...temporary,
  ]);
}

/** The NFT mint of a position that is opened for the owner, if it is the position of the operation. */
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

/** PAY-1 and SIG-1 to SIG-4: the fee payer, the signers, and whether co-signers signed exactly this message. */
export const reviewSignatures: TransactionRule = (context, notes) => {
  const { wire, message } = context.transaction.view;
  const { owner } = context.intent;
  const feePayer = wire.staticKeys[0];
  if (feePayer !== undefined && feePayer !== owner) {
    notes.confirm('PAY-1', l10n.t`The network fee is paid by ${feePayer}, not by your wallet.`, { address: feePayer });
  }

  const signers = wire.staticKeys.slice(0, wire.requiredSignatures);
  if (!signers.includes(owner)) {
    notes.block('SIG-1', l10n.t`Your wallet ${owner} does not sign this transaction.`, { address: owner });
  }
  // Without co-signers there is nothing to explain.
  const explained = signers.length > 1 ? explainedSigners(context) : new Set();
  signers.forEach((signer, slot) => {
    const signature = wire.signatures[slot] ?? new Uint8Array();
    if (signer === owner) {
      if (!isEmptySignature(signature)) {
        notes.block('SIG-3', l10n.t('The transaction already contains a signature in the place of yours.'), { address: owner });
      }
    } else if (isEmptySignature(signature) || !verifyEd25519(addressBytes(signer), message, signature)) {
      const advice = l10n.t('Choose another swap provider, or try again.');
      notes.block('SIG-2', `${l10n.t`The transaction has no valid signature of ${signer}.`} ${advice}`, { address: signer });
    } else if (!explained.has(signer)) {
      notes.confirm('SIG-4', l10n.t`${signer} also signs this transaction, and nothing in it explains why.`, { address: signer });
    }
  });
};

const ADVANCE = 'advance_nonce_account';

/** The System program's instructions for durable nonces. */
export const NONCE_INSTRUCTIONS: readonly string[] = [
  ADVANCE,
  'withdraw_nonce_account',
  'initialize_nonce_account',
  'authorize_nonce_account',
  'upgrade_nonce_account',
];

/** NON-1, NON-2: a signed transaction with a durable nonce never expires and can be held back for years. */
export function reviewNonce(reading: DecodedCall, notes: PlaceNotes): void {
  if (reading.layout?.name === ADVANCE) {
    notes.block('NON-1', l10n.t('The transaction uses a durable nonce: once signed, it could be used against you at any later time.'));
  } else {
    notes.block('NON-2', foreignWords(reading));
  }
}

/** NON-3: the network still accepts the blockhash. */
export const reviewBlockhash: TransactionRule = (context, notes) => {
  if (context.facts.blockhashes.get(context.transaction.view.wire.recentBlockhash) === false) {
    notes.confirm('NON-3', l10n.t('The network rejects the blockhash of the transaction: it has expired, or is a durable nonce.'));
  }
};
