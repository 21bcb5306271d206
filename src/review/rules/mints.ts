import type { MintRisk } from '../facts';
import type { OperationRule } from './rule';

const WORDS: Readonly<Record<MintRisk['kind'], string>> = {
  permanentDelegate: 'somebody may take or burn these tokens in any wallet (permanent delegate)',
  transferHook: 'another program decides on each transfer (transfer hook)',
  frozenByDefault: 'accounts are frozen until somebody thaws them',
  nonTransferable: 'it cannot be transferred',
  pausable: 'somebody may stop all transfers',
  confidentialTransfer: 'amounts can be moved in secret (confidential transfers)',
  transferFee: 'each transfer costs a fee',
};

/**
 * Policy §7, risks of the pool's mints, as far as an RPC has told them: before buying the user decides once for the operation;
 * on the way out they are only mentioned, since getting out is good.
 */
export const reviewMints: OperationRule = (context, notes) => {
  const { intent, facts, poolMints, policy } = context;
  const texts = [...poolMints].flatMap((mint) => {
    const risks = (facts.mints.get(mint) ?? []).filter((risk) => risk.kind !== 'transferFee' || (risk.bps ?? Infinity) > policy.transferFeeConfirmBps);
    return risks.length === 0 ? [] : [`the issuer of ${mint} has kept powers over it: ${risks.map(riskText).join('; ')}`];
  });
  if (texts.length > 0) {
    const message = `${texts.join('. ')}.`;
    notes.operation('MINT-1', intent.kind === 'zapIn' ? 'confirm' : 'info', `${message.charAt(0).toUpperCase()}${message.slice(1)}`);
  }
};

function riskText({ kind, bps }: MintRisk): string {
  return kind === 'transferFee' && bps !== undefined ? `${WORDS[kind]} of ${bps / 100} %` : WORDS[kind];
}
