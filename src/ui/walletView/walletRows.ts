import * as l10n from '@vscode/l10n';
import { priceUsd, shortAmount } from '../../base/format/amounts';
import { shortAddress } from '../../base/format/identifiers';
import type { Locale } from '../../base/format/locale';
import { usd, usdShort } from '../../base/format/money';
import { counted } from '../../base/format/counted';
import { significant, UNKNOWN } from '../../base/format/numbers';
import type { Address } from '../../base/solana/address';
import { SOL_DECIMALS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { tickerText } from '../../base/solana/tickers';
import { joined, type Row } from '../shell/views/rows';
import { plainText } from '../shell/views/text';
import { keyDescription, keyIcon } from '../wallets/keyMessages';
import { isWatched, type KnownOwner } from '../wallets/ownerIndex';
import type { WalletLock } from '../wallets/owners';
import { walletLabel } from '../wallets/walletNames';
import type { WalletHolding, Holdings } from './holdings';

/** Digits of an amount in a row. */
const DIGITS = 5;

/** A row of the *Wallet* view with the rows below it. */
export interface WalletNode {
  /**
   * `account`: its address can be copied. `wallet`: another wallet to switch to. `retry`: reads again. Commands take the kind and the address
   * as their argument.
   */
  readonly kind: 'account' | 'wallet' | 'retry' | 'group';
  readonly address?: Address;
  readonly row: Row;
  readonly tooltip: string;
  readonly children: readonly WalletNode[];
}

/** What the *Wallet* view shows. */
export interface WalletFacts {
  readonly owner: KnownOwner;
  readonly holdings: Holdings;
  /** Value of the open positions in US dollars; `undefined`: not known of all, or there are none. */
  readonly positionsUsd: number | undefined;
}

/** The rows of a wallet: the sum, SOL, the tokens by worth, and last those without a price. */
export function holdingNodes({ owner, holdings, positionsUsd }: WalletFacts, locale: Locale): readonly WalletNode[] {
  const { sol, priced, unpriced } = holdings;
  const tokens = [...(sol === undefined ? [] : [sol]), ...priced];
  return [
    totalNode({ owner, holdings, positionsUsd }, locale),
    ...(sol === undefined ? [missingSol()] : []),
    ...tokens.map((holding) => tokenNode(holding, locale)),
    ...(unpriced.length === 0
      ? []
      : [
          groupNode(
            'unpriced',
            l10n.t('Without a price'),
            String(unpriced.length),
            'question',
            unpriced.map((holding) => tokenNode(holding, locale)),
          ),
        ]),
  ];
}

/** The row below the reason why nothing could be read. */
export function retryNode(): WalletNode {
  const label = l10n.t('Try Again');
  const row = { id: 'retry', label, description: '', icon: { id: 'refresh' }, spoken: label, contextValue: 'retry' };
  return { kind: 'retry', row, tooltip: label, children: [] };
}

/** The other wallets of the service, to switch to with a click. */
export function otherWalletNodes(others: readonly (readonly [KnownOwner, WalletLock])[]): readonly WalletNode[] {
  if (others.length === 0) {
    return [];
  }
  const nodes = others.map(([owner, lock]): WalletNode => {
    const { address, name } = owner;
    const description = joined([name === undefined ? undefined : shortAddress(address), keyDescription(owner, lock)]);
    const label = name ?? shortAddress(address);
    return {
      kind: 'wallet',
      address,
      row: {
        id: `wallet/${address}`,
        label,
        description,
        icon: { id: keyIcon(owner, lock) },
        spoken: `${l10n.t`Switch to ${walletLabel(owner)}`}, ${keyDescription(owner, lock)}`,
        contextValue: isWatched(owner) ? 'wallet watched addressed' : 'wallet addressed',
      },
      tooltip: l10n.t`Switch to ${address}`,
      children: [],
    };
  });
  return [groupNode('others', l10n.t('Other wallets'), String(others.length), 'account', nodes)];
}

function totalNode({ owner, holdings: { worthUsd, unpriced }, positionsUsd }: WalletFacts, locale: Locale): WalletNode {
  const withPositions = worthUsd === undefined || positionsUsd === undefined ? undefined : worthUsd + positionsUsd;
  const label = l10n.t('Total');
  const description = joined([
    worthUsd === undefined ? l10n.t('value unknown') : usdShort(worthUsd, locale),
    withPositions === undefined ? undefined : l10n.t`with positions ${usdShort(withPositions, locale)}`,
  ]);
  return {
    kind: 'account',
    address: owner.address,
    row: {
      id: 'total',
      label,
      description,
      icon: { id: 'symbol-operator' },
      spoken: [
        label,
        worthUsd === undefined ? l10n.t('value unknown') : usd(worthUsd, locale),
        withPositions === undefined ? undefined : l10n.t`with positions ${usd(withPositions, locale)}`,
      ]
        .filter((part) => part !== undefined)
        .join(', '),
      contextValue: 'total addressed',
    },
    tooltip: [
      walletLabel(owner),
      owner.address,
      withPositions === undefined ? undefined : l10n.t('Open positions count without unclaimed fees.'),
      unpriced.length === 0 ? undefined : l10n.t`${counted(unpriced.length, 'token', locale)} without a known price: not in the sum.`,
    ]
      .filter((line) => line !== undefined)
      .join('\n'),
    children: [],
  };
}

/** SOL that the service doesn't list may be 0 or unknown. */
function missingSol(): WalletNode {
  const row = {
    id: `token/${WRAPPED_SOL_MINT}`,
    label: 'SOL',
    description: UNKNOWN,
    icon: { id: 'circle-outline' },
    spoken: l10n.t('The service does not report the SOL of this wallet.'),
    contextValue: 'detail',
  };
  return { kind: 'group', row, tooltip: l10n.t('The service does not report the SOL of this wallet.'), children: [] };
}

function tokenNode({ balance, amount, worthUsd }: WalletHolding, locale: Locale): WalletNode {
  const { mint, symbol, wrappedLamports = 0n } = balance;
  const label = symbol === undefined ? shortAddress(mint) : tickerText(plainText(symbol), mint, shortAddress(mint));
  const digits = significant(amount, DIGITS, locale);
  const worth = worthUsd === undefined ? l10n.t('no price') : usd(worthUsd, locale);
  const wrapped = wrappedLamports > 0n ? l10n.t`${shortAmount(wrappedLamports, SOL_DECIMALS, locale)} wrapped` : undefined;
  return {
    kind: 'account',
    address: mint,
    row: {
      id: `token/${mint}`,
      label,
      description: joined([digits, worth, wrapped]),
      icon: { id: 'circle-outline' },
      spoken: [label, digits, worth, ...(wrapped === undefined ? [] : [wrapped])].join(', '),
      contextValue: [
        'token',
        ...(wrapped === undefined ? [] : ['wrapped']),
        ...(mint === WRAPPED_SOL_MINT ? [] : ['swappable']),
        'addressed',
      ].join(' '),
    },
    tooltip: [
      `${balance.amountText} ${label}`,
      worthUsd === undefined ? l10n.t('no price') : l10n.t`Price: ${priceUsd(balance.priceUsd, locale)}`,
      ...(wrapped === undefined ? [] : [`${wrapped}. ${l10n.t('Unwrap SOL… turns it into spendable SOL.')}`]),
      mint,
    ].join('\n'),
    children: [],
  };
}

function groupNode(id: string, label: string, description: string, icon: string, children: readonly WalletNode[]): WalletNode {
  const row = { id: `group/${id}`, label, description, icon: { id: icon }, spoken: `${label}, ${description}`, contextValue: 'group' };
  return { kind: 'group', row, tooltip: row.spoken, children };
}
