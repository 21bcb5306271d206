import { addressBytes } from '../../solana/address';
import { verifyEd25519 } from '../../solana/ed25519';
import { isEmptySignature } from '../../solana/wire';
import { explainedSigners } from '../explainedSigners';
import type { TransactionRule } from './rule';

/** Policy §2: who pays (PAY), who signs, and whether the others have signed exactly this (SIG). */
export const reviewSignatures: TransactionRule = (context, notes) => {
  const { wire, message } = context.transaction.view;
  const { owner } = context.intent;
  const feePayer = wire.staticKeys[0];
  if (feePayer !== undefined && feePayer !== owner) {
    notes.confirm('PAY-1', `The fee is paid by ${feePayer}, not by your wallet. This service is not known to do that.`, { address: feePayer });
  }

  const signers = wire.staticKeys.slice(0, wire.requiredSignatures);
  if (!signers.includes(owner)) {
    notes.block('SIG-1', `Your wallet ${owner} is not among those who sign: this transaction is not yours.`, { address: owner });
  }
  // Who signs alone needs no explanation of the others.
  const explained = signers.length > 1 ? explainedSigners(context) : new Set();
  signers.forEach((signer, slot) => {
    const signature = wire.signatures[slot] ?? new Uint8Array();
    if (signer === owner) {
      if (!isEmptySignature(signature)) {
        notes.block('SIG-3', 'The place of your signature is already filled.', { address: owner });
      }
    } else if (isEmptySignature(signature)) {
      const message = `The transaction also needs the signature of ${signer}, which is missing: it is an offer that another party has yet to agree to. Choose another provider, or ask for a new one.`;
      notes.block('SIG-2', message, { address: signer });
    } else if (!verifyEd25519(addressBytes(signer), message, signature)) {
      notes.block('SIG-2', `The signature of ${signer} is not valid for this transaction. Ask for a new one.`, { address: signer });
    } else if (!explained.has(signer)) {
      notes.confirm('SIG-4', `${signer} signs along with you, and nothing in the transaction explains why.`, { address: signer });
    }
  });
};
