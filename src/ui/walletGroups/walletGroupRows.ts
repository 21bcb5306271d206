import * as l10n from '@vscode/l10n';
import { counted } from '../../base/format/counted';
import { shortAddress } from '../../base/format/identifiers';
import { leftOutSentences } from '../../base/format/leftOut';
import type { Locale } from '../../base/format/locale';
import { UNKNOWN } from '../../base/format/numbers';
import { timeOfDay } from '../../base/format/time';
import type { Address } from '../../base/solana/address';
import type { OpenPosition } from '../../service/positions';
import { joined, type Row, type RowIcon } from '../shell/views/rows';
import type { KnownOwner } from '../wallets/ownerIndex';
import { walletLabel } from '../wallets/walletNames';
import { listPositions, type PositionList, type PositionListOptions, positionNames } from '../positions/positionList';
import { figures, positionRow, toneOf } from '../positions/positionRows';
import { MOST_WALLETS, type OtherWallet } from './otherWallets';

/**
 * A position of another wallet than the one in use. Its kind and context value differ from those of other positions, so that no command takes it for
 * a position of the wallet in use (runCommand.ts).
 */
export interface OtherPositionNode {
  readonly kind: 'otherPosition';
  readonly wallet: Address;
  /** The address that *Copy Address* copies. */
  readonly address: Address | undefined;
  readonly position: OpenPosition;
  readonly row: Row;
  /** Says to which wallet a click switches. */
  readonly action: string;
}

/** The heading of a wallet's positions. `account`: the wallet in use, whose positions are not below `children`. `wallet`: another one. */
export interface WalletGroupNode {
  readonly kind: 'account' | 'wallet';
  readonly address: Address;
  row: Row;
  tooltip: string;
  readonly children: readonly OtherPositionNode[];
}

/** The names of wallets: the user's name or the short address; both where a name repeats. */
export function headingsOf(owners: readonly KnownOwner[]): ReadonlyMap<Address, string> {
  const names = owners.map(({ name }) => name);
  return new Map(
    owners.map((owner) => {
      const { address, name } = owner;
      const isRepeated = name !== undefined && names.indexOf(name) !== names.lastIndexOf(name);
      return [address, isRepeated ? walletLabel(owner) : (name ?? shortAddress(address))];
    }),
  );
}

export function inUseNode({ address }: KnownOwner, heading: string, list: PositionList, locale: Locale): WalletGroupNode {
  const description = sumsOf(list, locale);
  return {
    kind: 'account',
    address,
    row: {
      id: groupId(`${address}/inUse`, list.positions.length),
      label: heading,
      description,
      icon: { id: 'account' },
      tone: toneOf(list.totals.pnlUsd),
      spoken: [heading, l10n.t('in use'), spokenSums(list, locale)].join(', '),
      contextValue: 'walletInUse addressed',
    },
    tooltip: [heading, address, l10n.t('in use'), ...leftOutOf(list, locale)].join('\n'),
    children: [],
  };
}

/** The heading of another wallet. */
export function otherWalletNode(
  { owner, part }: OtherWallet,
  heading: string,
  options: PositionListOptions,
  children: readonly OtherPositionNode[],
  locale: Locale,
): WalletGroupNode {
  const { address } = owner;
  const list = part?.data === undefined ? undefined : listPositions(part.data, options);
  const state = stateOf(part);
  const known = list === undefined ? undefined : sumsOf(list, locale);
  return {
    kind: 'wallet',
    address,
    row: {
      id: groupId(address, children.length),
      label: heading,
      description: joined([known, state.text]),
      icon: state.icon ?? { id: owner.canSign ? 'key' : 'eye' },
      tone: list === undefined ? undefined : toneOf(list.totals.pnlUsd),
      spoken: [heading, list === undefined ? undefined : spokenSums(list, locale), state.text]
        .filter((text) => text !== undefined)
        .join(', '),
      contextValue: 'otherWallet addressed',
    },
    tooltip: [heading, address, state.sentence, ...(list === undefined ? [] : leftOutOf(list, locale))].join('\n'),
    children,
  };
}

/** The rows of another wallet's positions, in the order and with the filter of the view. */
export function otherPositionNodes(
  { address }: KnownOwner,
  heading: string,
  positions: readonly OpenPosition[],
  options: PositionListOptions,
  locale: Locale,
): readonly OtherPositionNode[] {
  const listed = listPositions(positions, options).positions;
  const names = positionNames(listed, locale);
  return listed.map((position): OtherPositionNode => {
    const row = positionRow(position, false, names.get(position.key), locale);
    return {
      kind: 'otherPosition',
      wallet: address,
      address: position.address,
      position,
      row: {
        ...row,
        id: `walletGroup/${address}/${row.id}`,
        contextValue: position.address === undefined ? 'otherPosition' : 'otherPosition addressed',
      },
      action: l10n.t`Switch to ${heading}`,
    };
  });
}

/** VS Code decides whether a row is expanded when it first sees its id, so a group has another id while it has no rows. */
function groupId(wallet: string, rows: number): string {
  return `walletGroup/${wallet}${rows === 0 ? '/empty' : ''}`;
}

/** When the positions were read, or why they were not. */
function stateOf(part: OtherWallet['part']): { readonly text: string | undefined; readonly sentence: string; readonly icon?: RowIcon } {
  const warning = { id: 'warning', color: 'list.warningForeground' };
  if (part === undefined) {
    return {
      text: l10n.t('not read'),
      sentence: l10n.t`At most ${MOST_WALLETS} other wallets are read. Switch to this one to see its positions.`,
    };
  }
  const { status, asOfMs, words = '' } = part;
  const time = asOfMs === undefined ? UNKNOWN : timeOfDay(new Date(asOfMs));
  switch (status) {
    case 'loading':
      return { text: l10n.t('Loading…'), sentence: l10n.t('Loading positions…') };
    case 'ready':
      return { text: l10n.t`as of ${time}`, sentence: l10n.t`Last updated ${time}.` };
    case 'stale':
      return { text: l10n.t`outdated: as of ${time}`, sentence: `${l10n.t`Last updated ${time}.`} ${words}`, icon: warning };
    case 'failed':
      return { text: words, sentence: words, icon: warning };
  }
}

function sumsOf({ totals, hidden }: PositionList, locale: Locale): string {
  const { count, pnlPercent, valueUsd, uncollectedFeeUsd } = totals;
  const sums = figures({ percent: pnlPercent, valueUsd, feesUsd: uncollectedFeeUsd }, locale);
  return joined([
    count + hidden === 0 ? l10n.t('no positions') : String(count),
    hidden === 0 ? undefined : l10n.t`${hidden} hidden`,
    count === 0 ? undefined : sums,
  ]);
}

/** Which positions the sums leave out. */
function leftOutOf({ totals }: PositionList, locale: Locale): readonly string[] {
  return leftOutSentences(totals.leftOut, totals.count, (count, noun) => counted(count, noun, locale));
}

function spokenSums(list: PositionList, locale: Locale): string {
  const { totals, hidden } = list;
  return [
    counted(totals.count, 'position', locale),
    hidden === 0 ? undefined : l10n.t`${hidden} hidden`,
    totals.count === 0
      ? undefined
      : figures({ percent: totals.pnlPercent, valueUsd: totals.valueUsd, feesUsd: totals.uncollectedFeeUsd }, locale),
  ]
    .filter((part) => part !== undefined)
    .join(', ');
}
