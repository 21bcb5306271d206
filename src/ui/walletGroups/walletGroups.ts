import { DisposableStore } from '../../base/async/disposables';
import { displayLocale, WarmLocale } from '../../base/format/locale';
import type { Address } from '../../base/solana/address';
import type { PortfolioReader } from '../../portfolio/types';
import type { OpenPosition } from '../../service/positions';
import { sameRow } from '../shell/views/rows';
import { OtherWallets, type OtherWalletsDependencies } from './otherWallets';
import type { PositionList } from '../positions/positionList';
import type { PositionListControl } from '../positions/positionListControl';
import {
  headingsOf,
  inUseNode,
  otherPositionNodes,
  otherWalletNode,
  type OtherPositionNode,
  type WalletGroupNode,
} from './walletGroupRows';

export interface WalletGroupsDependencies extends OtherWalletsDependencies {
  readonly portfolio: PortfolioReader;
  readonly positionList: Pick<PositionListControl, 'options' | 'onDidChange'>;
  /** The listed positions of the wallet in use. */
  readonly listed: () => PositionList;
}

/** The rows of a wallet's positions, and what they were made of. */
interface Rows {
  readonly data: readonly OpenPosition[];
  readonly made: string;
  readonly nodes: readonly OtherPositionNode[];
}

/**
 * The groups of the *Positions* view while it is grouped by wallet: the wallet in use first, then the others. There are none before the positions of the
 * wallet in use are known: until then, the view shows what keeps it empty.
 */
export class WalletGroups {
  readonly #dependencies: WalletGroupsDependencies;
  readonly #changed: (what: 'inUse' | 'all') => void;
  readonly #disposables = new DisposableStore();
  readonly #locale = new WarmLocale(displayLocale());
  readonly #others: OtherWallets;
  readonly #rows = new Map<Address, Rows>();
  #nodes: readonly WalletGroupNode[] = [];
  #isVisible = false;

  /** @param changed called when something looks different; with `inUse` if only the heading of the wallet in use does */
  constructor(dependencies: WalletGroupsDependencies, changed: (what: 'inUse' | 'all') => void) {
    this.#dependencies = dependencies;
    this.#changed = changed;

    const { portfolio, positionList } = dependencies;
    this.#others = new OtherWallets(dependencies, () => this.#update());
    this.#disposables.add(
      this.#others,
      portfolio.onDidChange(() => this.#update()),
      positionList.onDidChange(() => this.#optionsChanged()),
    );
    this.#update();
  }

  /** Empty if the view shows no groups of wallets now. */
  get nodes(): readonly WalletGroupNode[] {
    return this.#nodes;
  }

  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.#update();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #optionsChanged(): void {
    if (this.#dependencies.positionList.options.groupBy !== 'wallet') {
      this.#others.forget();
    }
    this.#update();
  }

  #update(): void {
    const before = this.#nodes;
    const now = this.#nodesNow();
    this.#others.setShown(this.#isVisible && this.#isGrouped);
    const [inUse] = before;
    const [inUseNow] = now;
    if (inUse === undefined || inUseNow === undefined || !areSameNodes(before.slice(1), now.slice(1)) || inUse.row.id !== inUseNow.row.id) {
      this.#nodes = now;
      if (before.length + now.length > 0) {
        this.#changed('all');
      }
    } else if (!sameRow(inUse.row, inUseNow.row) || inUse.tooltip !== inUseNow.tooltip) {
      // VS Code knows the node.
      inUse.row = inUseNow.row;
      inUse.tooltip = inUseNow.tooltip;
      this.#changed('inUse');
    }
  }

  get #isGrouped(): boolean {
    const { portfolio, positionList, owners, connection } = this.#dependencies;
    const { owner, positionsState } = portfolio.snapshot;
    return (
      positionList.options.groupBy === 'wallet' &&
      owner !== undefined &&
      owner === owners.active(connection.choice)?.address &&
      (positionsState.kind === 'ready' || positionsState.kind === 'stale')
    );
  }

  #nodesNow(): readonly WalletGroupNode[] {
    const { owners, connection, portfolio, positionList, listed } = this.#dependencies;
    const inUse = owners.active(connection.choice);
    if (!this.#isGrouped || inUse === undefined) {
      this.#rows.clear();
      return [];
    }
    const wallets = this.#others.wallets;
    if (wallets.length === 0 && portfolio.snapshot.positions.length === 0) {
      return [];
    }
    const { options } = positionList;
    const headings = headingsOf([inUse, ...wallets.map(({ owner }) => owner)]);
    const headingOf = (address: Address) => headings.get(address) ?? address;
    return [
      inUseNode(inUse, headingOf(inUse.address), listed(), this.#locale),
      ...wallets.map((wallet) => {
        const { owner, part } = wallet;
        const heading = headingOf(owner.address);
        const made = [options.sortBy, options.filter, heading].join('/');
        const before = this.#rows.get(owner.address);
        const data = part?.data ?? [];
        const nodes =
          before?.data === data && before.made === made ? before.nodes : otherPositionNodes(owner, heading, data, options, this.#locale);
        this.#rows.set(owner.address, { data, made, nodes });
        return otherWalletNode(wallet, heading, options, nodes, this.#locale);
      }),
    ];
  }
}

function areSameNodes(some: readonly WalletGroupNode[], others: readonly WalletGroupNode[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ row, tooltip, children }, place) => {
      const other = others[place];
      return other !== undefined && sameRow(row, other.row) && tooltip === other.tooltip && haveSameRows(children, other.children);
    })
  );
}

function haveSameRows(some: readonly OtherPositionNode[], others: readonly OtherPositionNode[]): boolean {
  return some === others || (some.length === others.length && some.every(({ row }, place) => sameRow(row, others[place]?.row ?? row)));
}
