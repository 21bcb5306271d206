import * as l10n from '@vscode/l10n';
import type { Address } from '../../base/solana/address';
import { deposits } from '../intents';
import type { OperationContext, OperationRule } from '../context';
import type { MintRisk, TokenAccountFact, TokenAccountLimit } from '../facts/facts';
import type { Notes } from '../notes';
import { accountOfWords, byRpcWords, mayCloseWords, maySpendWords, unusableAccountWords } from './words';

const riskTexts = (): Readonly<Record<MintRisk['kind'], string>> => ({
  permanentDelegate: l10n.t('a permanent delegate can take or burn the tokens in any wallet'),
  transferHook: l10n.t('another program decides on each transfer (transfer hook)'),
  frozenByDefault: l10n.t('new accounts are frozen until an authority thaws them'),
  nonTransferable: l10n.t('the tokens cannot be transferred'),
  pausable: l10n.t('an authority can stop all transfers'),
  paused: l10n.t('all transfers are stopped now'),
  confidentialTransfer: l10n.t('amounts can be moved in secret (confidential transfers)'),
  transferFee: l10n.t`each transfer costs a fee of ${'?'}`,
  scaledAmount: l10n.t('wallets show other amounts than the transactions contain'),
  unknown: l10n.t('the token has properties that Binsight does not know'),
});

/** Risks by which tokens are lost on their way to the owner, or do not move at all. */
const LOST_ON_THE_WAY: readonly MintRisk['kind'][] = ['transferFee', 'nonTransferable', 'paused', 'unknown'];

/**
 * MINT-1: risks of the pool's mints, as far as an RPC told them. One question for a zap-in, before the tokens are bought. A zap-out only
 * mentions them, because leaving is the safe direction, unless it buys such a token or the risk makes less arrive than is withdrawn, or
 * nothing. A transfer fee within the limit is only mentioned.
 */
export const reviewMints: OperationRule = (context, notes) => {
  const { intent, facts, poolMints, policy } = context;
  const bought = new Set(notes.effects.flatMap((effect) => (effect.kind === 'swap' ? [effect.bought] : [])));
  const asked: string[] = [];
  const mentioned: string[] = [];
  for (const mint of poolMints) {
    const risks = facts.mints.get(mint) ?? [];
    const isSmallFee = ({ kind, bps }: MintRisk): boolean => kind === 'transferFee' && (bps ?? Infinity) <= policy.transferFeeConfirmBps;
    const isQuestion = (risk: MintRisk): boolean =>
      !isSmallFee(risk) && (deposits(intent) || bought.has(mint) || LOST_ON_THE_WAY.includes(risk.kind));
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
  return risks.length === 0 ? [] : [l10n.t`Risks of the token ${mint}: ${risks.map(riskText).join('; ')}.`];
}

function note(texts: readonly string[], verdict: 'confirm' | 'info', notes: Notes): void {
  if (texts.length > 0) {
    notes.operation('MINT-1', verdict, texts.join(' '));
  }
}

function riskText({ kind, bps }: MintRisk): string {
  return kind === 'transferFee' && bps !== undefined ? l10n.t`each transfer costs a fee of ${`${bps / 100}%`}` : riskTexts()[kind];
}

/**
 * OWN-1: the RPC's answers about the owner's associated token accounts that the transactions name. An account that belongs to another wallet,
 * or that another wallet can act on, is blocked. A frozen account, or one that Token-2022 restricts, is a question: transfers may fail.
 */
export const reviewOwnAccounts: OperationRule = (context, notes) => {
  const { transactions, owned, facts } = context;
  const named = new Set(transactions.flatMap(({ view }) => view.accounts.flatMap(({ address }) => address ?? [])));
  for (const account of named) {
    const fact = facts.tokenAccounts.get(account);
    if (fact !== undefined && owned.isAssociatedByAddress(account)) {
      reviewFact(account, fact, context, notes);
    }
  }
};

function reviewFact(
  account: Address,
  { owner: holder, state, delegate, closeAuthority, limits = [] }: TokenAccountFact,
  { intent: { owner } }: OperationContext,
  notes: Notes,
): void {
  const refuse = (words: string): void =>
    notes.operation('OWN-1', 'block', `${byRpcWords(words)} ${l10n.t('Tokens that go there could be taken from you.')}`, {
      address: account,
    });
  if (holder !== owner) {
    refuse(accountOfWords(account, holder));
  } else if (state === 'uninitialized') {
    refuse(unusableAccountWords(account));
  } else if (delegate && delegate !== owner) {
    refuse(maySpendWords(delegate, account));
  } else if (closeAuthority && closeAuthority !== owner) {
    refuse(mayCloseWords(closeAuthority, account));
  } else if (state === 'frozen') {
    const words = l10n.t`Your token account ${account} is frozen: the transaction would fail until the token's issuer thaws it.`;
    notes.operation('OWN-1', 'confirm', byRpcWords(words), { address: account });
  }
  for (const limit of limits) {
    notes.operation('OWN-1', 'confirm', byRpcWords(limitText(account, LIMITS[limit])), { address: account });
  }
}

/** Each transaction lands by itself: one that fails does not undo the others. */
const limitText = (account: Address, extension: string): string =>
  l10n.t`Your token account ${account} has the extension ${extension}: swaps and deposits would fail after other transactions have landed. Turn it off in your wallet app first.`;

/** The extensions by their names in Token-2022. */
const LIMITS: Readonly<Record<TokenAccountLimit, string>> = { memoRequired: 'MemoTransfer', cpiGuard: 'CpiGuard' };
