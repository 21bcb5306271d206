import type { Address } from '../../base/solana/address';
import { WireError } from '../../base/solana/wireReader';
import { base64FromBytes, bytesFromBase64, parseBase64Transaction, parseTransaction } from '../../base/solana/wireTransaction';
import { describeReview } from '../describe/summary';
import { RPC_RULE } from '../review';
import type { Finding, Review } from '../types';
import { type CaseInput, writeCase, writtenSpends } from './caseFormat';

const SIGNATURE_BYTES = 64;

/**
 * Writes a review as a report for Binsight's maintainers: one line of JSON that `node dist/review.js` accepts, with the case (intent, the
 * service's transactions, the RPC's answers) and the result. It contains no secret key, no signature of the owner, no API key, and no RPC.
 * It does contain the addresses of the owner, the pool and the position, and with a simulation the balances of the wallet.
 * @param title the operation in words
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

/** A problem with an RPC names it, and the URL of some RPCs contains a key. */
function withoutRpc(finding: Finding): Finding {
  return finding.rule === RPC_RULE ? { ...finding, message: 'The RPC did not answer everything.' } : finding;
}

/** Clears the owner's signature slot, in case the service filled it. Undecodable bytes have no slots and stay unchanged. */
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
