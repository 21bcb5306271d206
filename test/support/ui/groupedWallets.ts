import { Emitter } from '../../../src/base/async/emitter';
import type { Address } from '../../../src/base/solana/address';
import { Portfolio } from '../../../src/portfolio/portfolio';
import { ReadScheduler } from '../../../src/portfolio/readScheduler';
import type { RequestLimit } from '../../../src/portfolio/requestPace';
import type { OpenPosition } from '../../../src/service/positions';
import { type PositionListOptions, listPositions } from '../../../src/ui/positions/positionList';
import { PositionListControl } from '../../../src/ui/positions/positionListControl';
import { readServiceChoice, type ServiceChoice } from '../../../src/ui/shell/serviceChoice';
import type { ConnectionStatus } from '../../../src/ui/shell/views/viewState';
import { WalletGroups } from '../../../src/ui/walletGroups/walletGroups';
import type { WalletGroupNode } from '../../../src/ui/walletGroups/walletGroupRows';
import { addressOf, fakeService, FakeClock, openPosition, OWNER, settledMicrotasks } from '../portfolio/fixtures';
import { fail, remembered } from './memory';
import { REAL, type WalletWindow, walletWindow } from './walletWindow';

/** Another service with real money. */
export const OTHER_SERVICE = readServiceChoice('https://example.com/v1');

/** Wallets besides the one in use. */
export const wallet = (number: number): Address => addressOf(10 + number);

/** What the groups looked like when they last changed. */
export const textsOf = (nodes: readonly WalletGroupNode[]): readonly string[] => nodes.map(({ row }) => `${row.label}: ${row.description}`);

export interface GroupedWalletsOptions {
  readonly others?: number;
  readonly isVisible?: boolean;
  readonly groupBy?: PositionListOptions['groupBy'];
  readonly limit?: RequestLimit;
}

/** A request about a wallet that is not in use. */
interface AskedWallet {
  readonly owner: Address;
  readonly pace: unknown;
  readonly signal: AbortSignal | undefined;
  readonly atMs: number;
}

/** What the test decides. */
interface GroupedWorld {
  choice: ServiceChoice;
  status: ConnectionStatus;
  /** Answers about the wallets that are not in use. */
  answer: (owner: Address) => Promise<readonly OpenPosition[]>;
}

export interface GroupedWallets extends Pick<WalletWindow, 'owners' | 'run'> {
  readonly groups: WalletGroups;
  readonly clock: FakeClock;
  readonly world: GroupedWorld;
  readonly asked: readonly AskedWallet[];
  readonly portfolio: Portfolio;
  readonly control: PositionListControl;
  readonly refreshes: Emitter<undefined>;
  /** The headings after each change. */
  readonly shown: (readonly string[])[];
  /** Like the session: drops the positions of the wallet before, and reads those of this one. */
  readonly useWallet: (address: Address) => Promise<void>;
  /** Changes the service. Other parts hear of it before the groups, as in the window. */
  readonly changeService: (choice: ServiceChoice) => Promise<void>;
  readonly becomes: (status: ConnectionStatus) => Promise<void>;
}

/** The groups of wallets over a service whose answers the test decides. */
export async function groupedWallets({
  others = 2,
  isVisible = true,
  groupBy = 'wallet',
  limit,
}: GroupedWalletsOptions = {}): Promise<GroupedWallets> {
  const clock = new FakeClock();
  const { owners, run } = walletWindow();
  await owners.watch(OWNER, REAL);
  for (let number = 1; number <= others; number += 1) {
    await owners.watch(wallet(number), REAL);
  }
  await owners.activate(OWNER, REAL);

  const asked: AskedWallet[] = [];
  const world: GroupedWorld = {
    choice: REAL,
    status: { kind: 'open' },
    answer: (owner) => Promise.resolve([openPosition(owner === wallet(1) ? 11 : 12)]),
  };
  const service = fakeService({
    openPositions: async (owner, options) => {
      if (owner !== portfolio.snapshot.owner) {
        asked.push({ owner, pace: options?.pace, signal: options?.signal, atMs: clock.now() });
        return { items: await world.answer(owner), warnings: [] };
      }
      return { items: [openPosition(1), openPosition(2)], warnings: [] };
    },
  });
  const portfolio: Portfolio = new Portfolio({ service: () => Promise.resolve(service), log: () => undefined, clock });
  const control = new PositionListControl({ sortBy: remembered('attention'), groupBy: remembered(groupBy) }, fail);
  const changes = new Emitter<ServiceChoice>(fail);
  const statusChanges = new Emitter<ConnectionStatus>(fail);
  const refreshes = new Emitter<undefined>(fail);
  const shown: (readonly string[])[] = [];
  const groups: WalletGroups = new WalletGroups(
    {
      ...{ portfolio, owners, clock, positionList: control, connect: () => Promise.resolve(service), log: () => undefined },
      listed: () => listPositions(portfolio.snapshot.positions, control.options),
      coordinator: { scheduler: new ReadScheduler(clock, limit) },
      connection: {
        get choice() {
          return world.choice;
        },
        get status() {
          return world.status;
        },
        onDidChange: (listener) => changes.on(listener),
        onDidChangeStatus: (listener) => statusChanges.on(listener),
      },
      onDidRefresh: (listener) => refreshes.on(listener),
    },
    () => shown.push(textsOf(groups.nodes)),
  );
  groups.setVisible(isVisible);
  const useWallet = async (address: Address) => {
    portfolio.setOwner(address);
    await portfolio.refresh('owner', ['positions']);
  };
  await useWallet(OWNER);
  await settledMicrotasks();
  return {
    ...{ groups, clock, owners, run, world, asked, portfolio, control, refreshes, shown, useWallet },
    changeService: async (choice) => {
      world.choice = choice;
      portfolio.reset();
      await useWallet(OWNER);
      changes.fire(choice);
      await settledMicrotasks();
    },
    becomes: async (status) => {
      world.status = status;
      statusChanges.fire(status);
      await settledMicrotasks();
    },
  };
}
