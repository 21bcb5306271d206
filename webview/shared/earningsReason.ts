import * as l10n from '@vscode/l10n';
import type { EarningsNotKnown } from '../../src/protocol/earnings';
import type { Figures } from './figures';

/** Why it is not known what a position really earned, as a sentence. */
export function earningsReason({ why, count, of, symbol }: EarningsNotKnown, text: Pick<Figures['text'], 'count'>): string {
  switch (why) {
    case 'noAddress':
    case 'noAmounts':
      return l10n.t('Not known: the service does not report the address, the tokens or the contents of the position.');
    case 'notAnswered':
      return l10n.t('Not known: the service or the Solana RPC did not answer. It is asked again later.');
    case 'noRpc':
      return l10n.t('Not known: only the chain knows it, and there is no Solana RPC. Connect to Service… sets one.');
    case 'noTransactions':
      return l10n.t('Not known: the service does not name the transactions of the position, and Binsight did not make them.');
    case 'underWay':
      return l10n.t('Not known yet: an operation on the position is in progress.');
    case 'unclear':
      return l10n.t('Not known: of an operation on the position it is unclear whether it landed. See Activity.');
    case 'eventsNotKnown':
      return l10n.t('Not known: the service reports no events of the position, or of one that a rebalance turned into it.');
    case 'historyIncomplete':
      return l10n.t('Not known: the history of the position is not completely read.');
    case 'rewards':
      return l10n.t('Not known: rewards were claimed, whose value is not known.');
    case 'notUnderstood':
      return l10n.t('Not known: a transaction of the position did more than these lines can say. It claimed rewards, for example.');
    case 'incomplete':
      return l10n.t('Not known: the transactions that are known do not add up to the events that the service reports.');
    case 'doesNotAddUp':
      return l10n.t('Not known: the lines do not add up to the change of the wallet.');
    case 'notRead':
      return l10n.t`Not known: ${text.count(count)} of ${text.count(of)} transactions could not be read.`;
    case 'many':
      return l10n.t`Not known yet: it takes ${text.count(count)} transactions, which are read only on request.`;
    case 'tooMany':
      return l10n.t('Not known: the position has too many transactions.');
    case 'priceNotKnown':
      return l10n.t`Not known: a price of ${symbol ?? ''} is missing.`;
  }
}
