import { DisposableStore } from '../../base/async/disposables';
import type { LiquidityService } from '../../service/service';
import type { RefreshCoordinator } from '../../portfolio/coordinator';
import type { PortfolioControl } from '../../portfolio/types';
import type { Ambient } from '../../protocol/schemas';
import type { SolanaRpc } from '../../rpc/types';
import { runCommand, type RunCommandDependencies } from '../shell/commands/runCommand';
import type { CommandId } from '../shell/commands/registry';
import { askToWatch } from '../wallets/walletCommands';
import type { EditorActions } from '../shell/editorAccess';
import type { LogFunction } from '../shell/log';
import { SETTING } from '../shell/names';
import type { BusyPositions } from '../shell/busyPositions';
import type { Owners } from '../wallets/owners';
import type { Prompts } from '../shell/prompts/prompts';
import type { ServiceConnection } from '../connection/connection';
import { serviceKey } from '../shell/serviceChoice';
import { reviewSettings, type SettingsReader } from '../shell/settings/values';
import type { PresenterDependencies } from './types';
import type { Subscription, Clock } from '../../base/async/clock';

/** The parts of the extension that panels use. */
export interface PanelParts {
  readonly portfolio: PortfolioControl;
  readonly coordinator: Pick<RefreshCoordinator, 'show' | 'scheduler'>;
  readonly connection: Pick<ServiceConnection, 'choice' | 'service' | 'onDidChange'>;
  readonly owners: Owners;
  readonly settings: SettingsReader & { onDidChange(keys: readonly string[], listener: () => void): Subscription };
  readonly busy: Pick<BusyPositions, 'has' | 'onDidChange'>;
  readonly rpc: () => Promise<SolanaRpc | undefined>;
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
  const { portfolio, coordinator, connection, owners, settings, busy, rpc, clock, prompts, actions, command, funnel, log } = parts;
  const service = () => connection.choice;
  return {
    portfolio,
    coordinator,
    busy,
    rpc,
    clock,
    prompts,
    actions,
    connect: (): Promise<LiquidityService> => connection.service(),
    serviceId: () => serviceKey(service()),
    ambient: () => ambientOf(parts),
    onDidChangeAmbient: (listener) => {
      const subscriptions = new DisposableStore();
      subscriptions.add(
        connection.onDidChange(listener),
        owners.onDidChange(listener),
        settings.onDidChange([SETTING.statusBarCurrency], listener),
      );
      return subscriptions;
    },
    defaultSlippageBps: () => settings.get(SETTING.slippageBps),
    policy: reviewSettings(settings).policy,
    execute: (id, argument) => command(id, argument),
    watch: (address) => runCommand('binsight.watchAddress', () => askToWatch({ prompts, owners, service }, address), undefined, funnel),
    log,
  };
}

function ambientOf({ connection: { choice }, owners, settings, isInBrowser, locale }: PanelParts): Ambient {
  const owner = owners.active(choice);
  const isSandbox = choice.kind === 'sandbox';
  return {
    locale,
    currency: settings.get(SETTING.statusBarCurrency) === 'sol' ? 'native' : 'usd',
    serviceName: choice.name,
    isSandbox,
    ...(owner === undefined ? {} : { owner: owner.address }),
    canSign: owner?.canSign === true && (isSandbox || !isInBrowser),
  };
}
