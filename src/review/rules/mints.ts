import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import type { MintRisk } from '../facts/facts';
import { FROM_WITHDRAWAL } from '../spends';
import type { Notes } from '../notes';
import type { OperationRule } from '../context';

const words = (): Readonly<Record<MintRisk['kind'], string>> => ({
  permanentDelegate: l10n.t('somebody may take or burn these tokens in any wallet (permanent delegate)'),
  transferHook: l10n.t('another program decides on each transfer (transfer hook)'),
  frozenByDefault: l10n.t('accounts are frozen until somebody thaws them'),
  nonTransferable: l10n.t('it cannot be transferred'),
  pausable: l10n.t('somebody may stop all transfers'),
  paused: l10n.t('all transfers are stopped now'),
  confidentialTransfer: l10n.t('amounts can be moved in secret (confidential transfers)'),
  transferFee: l10n.t('each transfer costs a fee'),
  scaledAmount: l10n.t('wallets show other amounts of it than the transactions have'),
  unknown: l10n.t('it has properties that Binsight does not know'),
});

/** Risks that take tokens away on their way to the owner, or keep them where they are, whichever way they go. */
const LOST_ON_THE_WAY: readonly MintRisk['kind'][] = ['transferFee', 'nonTransferable', 'paused', 'unknown'];

/**
 * Policy §7, risks of the pool's mints, as far as an RPC has told them: before buying the user decides once for the operation. On the way out
 * they are only mentioned, since getting out is good, with two exceptions that are a question as well: a zap-out that buys such a token, and what
 * makes less arrive than is taken out, or nothing. A transfer fee within the limit is always mentioned.
 */
export const reviewMints: OperationRule = (context, notes) => {
  const { intent, facts, poolMints, policy } = context;
  const bought = new Set(
    notes.effects.flatMap((effect) => (effect.kind === 'minimumOut' && effect.from !== FROM_WITHDRAWAL ? [effect.mint] : [])),
  );
  const asked: string[] = [];
  const mentioned: string[] = [];
  for (const mint of poolMints) {
    const risks = facts.mints.get(mint) ?? [];
    const isSmallFee = ({ kind, bps }: MintRisk): boolean => kind === 'transferFee' && (bps ?? Infinity) <= policy.transferFeeConfirmBps;
    const isQuestion = (risk: MintRisk): boolean =>
      !isSmallFee(risk) && (intent.kind === 'zapIn' || bought.has(mint) || LOST_ON_THE_WAY.includes(risk.kind));
    asked.push(...riskWords(mint, risks.filter(isQuestion)));
    mentioned.push(
      ...riskWords(
        mint,
        risks.filter((risk) => !isQuestion(risk) && risk.bps !== 0),
      ),
    );
  }
  note(asked, 'confirm', notes);
  note(mentioned, 'info', notes);
};

function riskWords(mint: Address, risks: readonly MintRisk[]): readonly string[] {
  return risks.length === 0 ? [] : [l10n.t`the issuer of ${mint} has kept powers over it: ${risks.map(riskText).join('; ')}`];
}

function note(texts: readonly string[], verdict: 'confirm' | 'info', notes: Notes): void {
  if (texts.length > 0) {
    const message = `${texts.join('. ')}.`;
    notes.operation('MINT-1', verdict, `${message.charAt(0).toUpperCase()}${message.slice(1)}`);
  }
}

function riskText({ kind, bps }: MintRisk): string {
  return kind === 'transferFee' && bps !== undefined ? l10n.t`${words()[kind]} of ${bps / 100} %` : words()[kind];
}
