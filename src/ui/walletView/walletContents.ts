import * as l10n from '@vscode/l10n';
import type { Clock, Subscription } from '../../base/async/clock';
import { DisposableStore } from '../../base/async/disposables';
import { WarmLocale, displayLocale } from '../../base/format/locale';
import { usdShort } from '../../base/format/money';
import { timeOfDay } from '../../base/format/time';
import type { RefreshCoordinator } from '../../portfolio/coordinator';
import type { PortfolioChange, PortfolioReader } from '../../portfolio/types';
import type { LiquidityService } from '../../service/service';
import type { ServiceConnection } from '../connection/connection';
import { Query } from '../panels/query';
import type { BusyPositions } from '../shell/busyPositions';
import type { LogFunction } from '../shell/log';
import { joined, sameRow } from '../shell/views/rows';
import type { ProblemInViews } from '../shell/windowProblem';
import type { KnownOwner } from '../wallets/ownerIndex';
import type { Owners } from '../wallets/owners';
import { walletLabel } from '../wallets/walletNames';
import { type Holdings, holdingsOf } from './holdings';
import { VIEW } from '../shell/names';
import { holdingNodes, otherWalletNodes, retryNode, type WalletNode } from './walletRows';

export interface WalletContentsDependencies {
  readonly portfolio: PortfolioReader;
  readonly coordinator: Pick<RefreshCoordinator, 'scheduler'>;
  readonly connection: Pick<ServiceConnection, 'choice' | 'status' | 'onDidChange' | 'onDidChangeStatus'>;
  readonly connect: () => Promise<Pick<LiquidityService, 'tokenBalances'>>;
  readonly owners: Pick<Owners, 'active' | 'known' | 'lockOf' | 'onDidChange'>;
  readonly busy: Pick<BusyPositions, 'has' | 'onDidChange'>;
  /** Fires when the user refreshes, and when something outside of this window has moved funds. */
  readonly onDidRefresh: (listener: () => void) => Subscription;
  readonly problemInViews: Pick<ProblemInViews, 'messageIn' | 'onDidChange'>;
  readonly clock: Clock;
  readonly log: LogFunction;
}

/** State of the view: package.json chooses the welcome text by it. `listed` includes failures, which have a message. */
export type WalletViewState = 'loading' | 'noOwner' | 'listed';

/** Interval of reads while the view is visible, milliseconds. Operations cause a read of their own. */
const BALANCES_EVERY_MS = 180_000;

/** What the *Wallet* view shows: what the wallet in use holds and is worth, and the other wallets. Reads nothing while it is hidden. */
export class WalletContents {
  readonly #dependencies: WalletContentsDependencies;
  readonly #changed: (hasOtherRows: boolean) => void;
  readonly #disposables = new DisposableStore();
  readonly #locale = new WarmLocale(displayLocale());
  readonly #balances: Query<Holdings>;
  #owner: KnownOwner | undefined;
  #nodes: readonly WalletNode[] = [];
  #isVisible = false;
  #isFocused = false;
  #arePositionsRead = false;

  /** @param changed called when something looks different; with true if rows do */
  constructor(dependencies: WalletContentsDependencies, changed: (hasOtherRows: boolean) => void) {
    this.#dependencies = dependencies;
    this.#changed = changed;

    const { portfolio, coordinator, connection, owners, busy, problemInViews, onDidRefresh, clock, log } = dependencies;
    this.#owner = owners.active(connection.choice);
    this.#balances = new Query({
      name: 'the balances of the wallet',
      read: (signal) => this.#read(signal),
      changed: () => this.#update(),
      everyMs: BALANCES_EVERY_MS,
      clock,
      scheduler: coordinator.scheduler,
      log,
    });
    this.#disposables.add(
      this.#balances,
      connection.onDidChange(() => this.#serviceChanged()),
      connection.onDidChangeStatus(() => this.#changed(false)),
      owners.onDidChange(() => this.#ownersChanged()),
      portfolio.onDidChange((change) => this.#portfolioChanged(change)),
      // An operation changes the balances once it has ended.
      busy.onDidChange((key) => {
        if (!busy.has(key)) {
          this.#balances.again();
        }
      }),
      onDidRefresh(() => this.#balances.again()),
      problemInViews.onDidChange(() => this.#changed(false)),
    );
    const { kind } = portfolio.snapshot.positionsState;
    this.#arePositionsRead = kind === 'ready' || kind === 'stale';
    this.#nodes = this.#nodesNow();
    this.#demand();
  }

  get nodes(): readonly WalletNode[] {
    return this.#nodes;
  }

  get state(): WalletViewState {
    const { choice, status } = this.#dependencies.connection;
    return this.#owner === undefined
      ? // The sandbox brings its own wallet.
        choice.kind === 'sandbox' && status.kind === 'opening'
        ? 'loading'
        : 'noOwner'
      : this.#balances.part.status === 'loading' && this.#nodes.length === 0
        ? 'loading'
        : 'listed';
  }

  /** The text beside the title of the view: the wallet, and what it is worth. */
  get description(): string {
    const worthUsd = this.#balances.part.data?.worthUsd;
    return joined([
      this.#owner === undefined ? undefined : walletLabel(this.#owner),
      worthUsd === undefined ? undefined : usdShort(worthUsd, this.#locale),
    ]);
  }

  /** The message above the rows: that they are outdated, or why there are none. */
  get message(): string | undefined {
    const problem = this.#dependencies.problemInViews.messageIn(VIEW.wallet);
    if (problem !== undefined) {
      return problem;
    }
    const { status, words = '', asOfMs } = this.#balances.part;
    switch (status) {
      case 'ready':
        return undefined;
      case 'loading':
        // The other wallets are listed already, so there is no welcome text.
        return this.#owner !== undefined && this.#nodes.length > 0 ? l10n.t('Loading balances…') : undefined;
      case 'failed':
        return words;
      case 'stale':
        return asOfMs === undefined ? words : `${l10n.t`Last updated ${timeOfDay(new Date(asOfMs))}.`} ${words}`;
    }
  }

  setVisible(isVisible: boolean, isFocused: boolean): void {
    this.#isVisible = isVisible;
    this.#isFocused = isFocused;
    this.#visibilityChanged();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** Without the focus, only what was never read is read, like the data of panels. Only the lists of the portfolio are still read then, slowly. */
  #visibilityChanged(): void {
    this.#balances.setVisible(this.#isVisible && (this.#isFocused || this.#balances.part.data === undefined));
  }

  async #read(signal: AbortSignal): Promise<Holdings> {
    const service = await this.#dependencies.connect();
    // Connecting may have chosen the wallet of the sandbox.
    const owner = this.#owner;
    if (owner === undefined) {
      throw new Error('No wallet is selected.');
    }
    return holdingsOf((await service.tokenBalances({ owner: owner.address }, { signal })).items);
  }

  #demand(): void {
    if (this.#owner === undefined) {
      this.#balances.leave();
    } else {
      this.#balances.want();
    }
  }

  #serviceChanged(): void {
    const { owners, connection } = this.#dependencies;
    this.#owner = owners.active(connection.choice);
    this.#balances.forget();
    this.#demand();
    this.#update();
  }

  #ownersChanged(): void {
    const { owners, connection } = this.#dependencies;
    const before = this.#owner;
    this.#owner = owners.active(connection.choice);
    if (this.#owner?.address !== before?.address) {
      this.#balances.forget();
      this.#demand();
    }
    this.#update();
  }

  #portfolioChanged({ snapshot: { positionsState }, positions: { added, removed } }: PortfolioChange): void {
    const wasRead = this.#arePositionsRead;
    this.#arePositionsRead = positionsState.kind === 'ready' || positionsState.kind === 'stale';
    if (wasRead && this.#arePositionsRead && added.length + removed.length > 0) {
      // Positions that were opened or closed were paid from or to the wallet.
      this.#balances.again();
    }
    this.#update();
  }

  #update(): void {
    this.#visibilityChanged();
    const before = this.#nodes;
    this.#nodes = this.#nodesNow();
    this.#changed(!sameNodes(before, this.#nodes));
  }

  #nodesNow(): readonly WalletNode[] {
    const { owners, connection, portfolio } = this.#dependencies;
    const owner = this.#owner;
    if (owner === undefined) {
      return [];
    }
    const { status, data } = this.#balances.part;
    const others = owners.known(connection.choice).filter(({ address }) => address !== owner.address);
    const { owner: listed, totals } = portfolio.snapshot;
    const { notReported, implausible } = totals.leftOut.value.usd;
    const positionsUsd = listed === owner.address && notReported + implausible === 0 ? totals.valueUsd : undefined;
    return [
      ...(status === 'failed' ? [retryNode()] : []),
      ...(data === undefined ? [] : holdingNodes({ owner, holdings: data, positionsUsd }, this.#locale)),
      ...otherWalletNodes(others.map((other) => [other, owners.lockOf(other)] as const)),
    ];
  }
}

function sameNodes(some: readonly WalletNode[], others: readonly WalletNode[]): boolean {
  return (
    some.length === others.length &&
    some.every((node, place) => {
      const other = others[place];
      return (
        other !== undefined && sameRow(node.row, other.row) && node.tooltip === other.tooltip && sameNodes(node.children, other.children)
      );
    })
  );
}
