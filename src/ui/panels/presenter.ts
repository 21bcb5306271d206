import type { Clock, Subscription } from '../../base/async/clock';
import type { SettingId } from '../../settings/settingTypes';
import { DisposableStore } from '../../base/async/disposables';
import type { Address } from '../../base/solana/address';
import type { RefreshCoordinator } from '../../portfolio/coordinator';
import type { PortfolioControl } from '../../portfolio/types';
import type { Ambient } from '../../protocol/schemas';
import type { PolicySettings } from '../../review/policy';
import type { SolanaRpc } from '../../rpc/types';
import type { LiquidityService } from '../../service/service';
import type { EarningsReader } from '../../transactions/earnings/earnings';
import type { OperationJournal } from '../../transactions/journal/types';
import type { ServiceConnection } from '../connection/connection';
import type { BusyPositions } from '../shell/busyPositions';
import type { CommandId } from '../../settings/generated/commandIds';
import { runCommand, type RunCommandDependencies } from '../shell/commands/runCommand';
import type { EditorActions } from '../shell/editorAccess';
import type { LogFunction } from '../shell/log';
import type { Prompts } from '../shell/prompts/prompts';
import { hasExplorer, isOwnService, serviceKey } from '../shell/serviceChoice';
import { reviewSettings, type SettingsReader } from '../shell/settings/values';
import type { PoolInfos } from './poolInfos';
import { mayUseInBrowser } from '../wallets/ownerIndex';
import type { Owners } from '../wallets/owners';
import { askToWatch } from '../wallets/walletCommands';

/**
 * The extension's side of a panel: reads what the panel shows and does what it requests. Independent of webviews: messages come in parsed and go out
 * through `post`, which delivers all of them: the panel exists as long as the presenter.
 */
export interface Presenter<ToHost> {
  /** Handles a message. The first is `ready`; it comes again whenever the page is loaded again, and is answered with all data. */
  receive(message: ToHost): void;
  /** Hidden panels read nothing. */
  setVisible(isVisible: boolean): void;
  dispose(): void;
}

/** Creates a panel's presenter. @param subject a pool's address or a position's key; empty for the overview */
export type PresenterMaker<ToPanel, ToHost> = (
  subject: string,
  dependencies: PresenterDependencies,
  post: (message: ToPanel) => void,
) => Presenter<ToHost>;

export interface PresenterDependencies {
  /** The same snapshot as in the tree. */
  readonly portfolio: PortfolioControl;
  /** Keeps the lists that are shown up to date, and decides when parts of panels are read. */
  readonly coordinator: Pick<RefreshCoordinator, 'show' | 'scheduler'>;
  readonly connect: () => Promise<LiquidityService>;
  readonly poolInfos: PoolInfos;
  /** Identifies the service in use, by its address too; for comparison only. Data of another service is not shown. */
  readonly serviceId: () => string;
  readonly ambient: () => Ambient;
  /** Fires when the service, the wallet or a relevant setting changes. */
  readonly onDidChangeAmbient: (listener: () => void) => Subscription;
  readonly rpc: () => Promise<SolanaRpc | undefined>;
  /** Says what positions really earned; all panels share what it has read. */
  readonly earnings: Pick<EarningsReader, 'read'>;
  readonly journal: () => Promise<Pick<OperationJournal, 'read'>>;
  readonly busy: Pick<BusyPositions, 'has' | 'onDidChange'>;
  readonly defaultSlippageBps: () => number;
  /** Limits of the review that the settings override. */
  readonly policy?: () => Pick<Partial<PolicySettings>, 'tipAllowLamports'>;
  readonly clock: Clock;
  readonly prompts: Prompts;
  readonly actions: EditorActions;
  /** Runs one of Binsight's commands with all of its prompts and confirmations. */
  readonly execute: (command: CommandId, argument?: unknown) => Promise<void>;
  /** Asks for confirmation and adds a watch-only wallet. */
  readonly watch: (address: Address) => Promise<void>;
  readonly log: (level: 'debug' | 'info' | 'warn', message: string) => void;
}

/** The parts of the extension that panels use. */
export interface PanelParts {
  readonly portfolio: PortfolioControl;
  readonly coordinator: Pick<RefreshCoordinator, 'show' | 'scheduler'>;
  readonly connection: Pick<ServiceConnection, 'choice' | 'onDidChange'>;
  readonly connect: () => Promise<LiquidityService>;
  /** All panels share what it has read. */
  readonly poolInfos: PoolInfos;
  readonly owners: Owners;
  readonly settings: SettingsReader & { onDidChange(ids: readonly SettingId[], listener: () => void): Subscription };
  readonly busy: Pick<BusyPositions, 'has' | 'onDidChange'>;
  readonly rpc: () => Promise<SolanaRpc | undefined>;
  readonly earnings: Pick<EarningsReader, 'read'>;
  readonly journal: () => Promise<Pick<OperationJournal, 'read'>>;
  readonly clock: Clock;
  readonly prompts: Prompts;
  readonly actions: EditorActions;
  readonly command: (id: CommandId, argument?: unknown) => Promise<void>;
  /** Dependencies of commands that panels start. */
  readonly funnel: RunCommandDependencies;
  readonly log: LogFunction;
  /** VS Code runs in a browser, where only the sandbox's wallets can sign. */
  readonly isInBrowser: boolean;
  /** The editor's language, BCP 47. */
  readonly locale: string;
}

export function presenterDependencies(parts: PanelParts): PresenterDependencies {
  const {
    portfolio,
    coordinator,
    connection,
    connect,
    poolInfos,
    owners,
    settings,
    busy,
    rpc,
    earnings,
    journal,
    clock,
    prompts,
    actions,
    command,
    funnel,
    log,
  } = parts;
  const service = () => connection.choice;
  return {
    portfolio,
    coordinator,
    busy,
    rpc,
    earnings,
    journal,
    clock,
    prompts,
    actions,
    connect,
    poolInfos,
    serviceId: () => serviceKey(service()),
    ambient: () => ambientOf(parts),
    onDidChangeAmbient: (listener) => {
      const subscriptions = new DisposableStore();
      subscriptions.add(
        connection.onDidChange(listener),
        owners.onDidChange(listener),
        settings.onDidChange(['binsight.currency'], listener),
      );
      return subscriptions;
    },
    defaultSlippageBps: () => settings.get('binsight.slippageBps'),
    policy: reviewSettings(settings).policy,
    execute: (id, argument) => command(id, argument),
    watch: (address) =>
      runCommand(
        'binsight.watchAddress',
        () => askToWatch({ prompts, owners, service, askWhere: () => Promise.resolve(service()) }, address),
        undefined,
        funnel,
      ),
    log,
  };
}

function ambientOf({ connection: { choice }, owners, settings, isInBrowser, locale }: PanelParts): Ambient {
  const owner = owners.active(choice);
  return {
    locale,
    currency: settings.get('binsight.currency') === 'sol' ? 'native' : 'usd',
    serviceName: choice.name,
    isSandbox: choice.kind === 'sandbox',
    hasExplorer: hasExplorer(choice.id),
    ...(owner === undefined ? {} : { owner: owner.address }),
    canSign: owner?.canSign === true && (!isInBrowser || mayUseInBrowser(owner, choice)),
    isOwnService: isOwnService(choice),
  };
}
