import { base64FromBytes, bytesFromBase64, parseBase64Transaction } from '../../base/solana/base64Transaction';
import type { Address } from '../../base/solana/address';
import { parseTransaction, WireError } from '../../base/solana/wireTransaction';
import { writeCase, writtenSpends, type CaseInput } from './caseFormat';
import { RPC_RULE } from '../review';
import { describeReview } from '../describe/summary';
import type { Finding, Review } from '../types';

const SIGNATURE_BYTES = 64;

/**
 * Writes a review for whoever maintains Binsight, as one line of JSON that `node dist/review.js` reads as it is: the case (what was
 * asked for, the transactions as the service sent them, and what an RPC said of the chain), and what the review said of it. There is
 * no secret key in it, no signature of the owner, no API key, and not which RPC was asked. It does name the owner's address, the
 * pool and the position, and with a simulation what the wallet and its token accounts held. `title` says in words what was to be done.
 */
export function writeReport(review: Review, title: string): string {
  const { input, verdict, intent, findings, transactions, spends, checked } = review;
  const unsigned = input.transactions.map(({ group, base64 }) => ({ group, base64: withoutSignatureOf(intent.owner, base64) }));
  const report = {
    schema: 1,
    op: 'review',
    case: writeCase({ ...input, transactions: unsigned }, title),
    review: {
      verdict,
      findings: findings
        .map(withoutRpc)
        .map(({ transaction, instruction, amountRaw, ...finding }) => ({
          ...finding,
          tx: transaction,
          ix: instruction,
          amount: amountRaw?.toString(),
        })),
      summary: describeReview(review).lines.map(({ label, text }) => `${label}: ${text}`),
      spends: writtenSpends(spends),
      messages: transactions.map(({ transaction, messageHash }) => ({ tx: transaction, messageHash })),
      checked: { ...checked, simulation: checked.simulation && { ...checked.simulation, slot: checked.simulation.slot.toString() } },
    },
  };
  return `${JSON.stringify(report)}\n`;
}

/** What went wrong with an RPC names it, and some RPCs have a key in their name. */
function withoutRpc(finding: Finding): Finding {
  return finding.rule === RPC_RULE ? { ...finding, message: 'The RPC did not answer everything.' } : finding;
}

/** Empties the owner's place, should the service have filled it. What cannot be read has no place that is anybody's. */
function withoutSignatureOf(
  owner: Address,
  base64: CaseInput['transactions'][number]['base64'],
): CaseInput['transactions'][number]['base64'] {
  const text = parseBase64Transaction(base64);
  if (text === undefined) {
    return base64;
  }
  const bytes = bytesFromBase64(text).slice();
  try {
    const { staticKeys, requiredSignatures, signaturesOffset } = parseTransaction(bytes);
    const slot = staticKeys.indexOf(owner);
    if (slot < 0 || slot >= requiredSignatures) {
      return base64;
    }
    const begin = signaturesOffset + SIGNATURE_BYTES * slot;
    return base64FromBytes(bytes.fill(0, begin, begin + SIGNATURE_BYTES));
  } catch (error) {
    if (error instanceof WireError) {
      return base64;
    }
    throw error;
  }
}
