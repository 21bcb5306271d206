import * as l10n from '@vscode/l10n';
import type { EarningsNotKnown } from '../../src/protocol/earnings';
import type { Figures } from './figures';

/** Why it is not known what a position really earned, as a sentence. */
export function earningsReason({ why, count, of, symbol }: EarningsNotKnown, text: Pick<Figures['text'], 'count'>): string {
  switch (why) {
    case 'noAddress':
    case 'noAmounts':
    case 'noTransactions':
    case 'eventsNotKnown':
    case 'historyIncomplete':
      return l10n.t('Unknown: the service does not report enough.');
    case 'notAnswered':
      return l10n.t('Unknown: the service or the RPC did not answer.');
    case 'noRpc':
      return l10n.t('Only the chain knows the transactions. Connect to a Solana RPC.');
    case 'underWay':
    case 'unclear':
      return l10n.t('Unknown: an operation is in progress, or may have landed. See Activity.');
    case 'notUnderstood':
    case 'incomplete':
    case 'doesNotAddUp':
      return l10n.t('Unknown: the transactions do not match the reported events.');
    case 'notRead':
      return l10n.t`Unknown: ${text.count(count)} of ${text.count(of)} transactions could not be read.`;
    case 'many':
      return l10n.t`Unknown: ${text.count(count)} transactions are read only on request.`;
    case 'tooMany':
      return l10n.t('Unknown: the position has too many transactions.');
    case 'rewards':
    case 'priceNotKnown':
      return l10n.t`Unknown: a price is missing: ${symbol ?? l10n.t('Rewards')}.`;
  }
}
