import { addressBytes, type Address } from '../../solana/address';
import { verifyEd25519 } from '../../solana/ed25519';
import { isEmptySignature } from '../../solana/wire';
import { createdPositions } from '../positions';
import type { TransactionRule } from './rule';

/** Policy §2: who pays (PAY), who signs, and whether the others have signed exactly this (SIG). */
export const reviewSignatures: TransactionRule = (context, notes) => {
  const { intent, transaction, temporary } = context;
  const { wire, message } = transaction.view;
  const { owner } = intent;
  const feePayer = wire.staticKeys[0];
  if (feePayer !== undefined && feePayer !== owner) {
    // Stricter than the policy's "confirm": this service builds every transaction with the owner as fee payer.
    notes.block('PAY-1', `The fee is paid by ${feePayer}, not by your wallet. This service has no reason for that.`, { address: feePayer });
  }

  const signers = wire.staticKeys.slice(0, wire.requiredSignatures);
  if (!signers.includes(owner)) {
    notes.block('SIG-1', `Your wallet ${owner} is not among those who sign: this transaction is not yours.`, { address: owner });
  }
  const explained = new Set<Address>([...createdPositions(transaction, owner), ...temporary]);
  signers.forEach((signer, slot) => {
    const signature = wire.signatures[slot] ?? new Uint8Array();
    if (signer === owner) {
      if (!isEmptySignature(signature)) {
        notes.block('SIG-3', 'The place of your signature is already filled.', { address: owner });
      }
    } else if (isEmptySignature(signature)) {
      notes.block('SIG-2', `The transaction also needs the signature of ${signer}, which is missing. Ask for a new one.`, { address: signer });
    } else if (!verifyEd25519(addressBytes(signer), message, signature)) {
      notes.block('SIG-2', `The signature of ${signer} is not valid for this transaction. Ask for a new one.`, { address: signer });
    } else if (!explained.has(signer)) {
      notes.confirm('SIG-4', `${signer} signs along with you, and nothing in the transaction explains why.`, { address: signer });
    }
  });
};
