import type { LiquidityService } from '../../service/service';
import type { RefreshCoordinator } from '../../portfolio/coordinator';
import type { PortfolioControl } from '../../portfolio/types';
import type { Ambient } from '../../protocol/schemas';
import type { PolicySettings } from '../../review/policy';
import type { SolanaRpc } from '../../rpc/types';
import type { Address } from '../../base/solana/address';
import type { CommandId } from '../shell/commands/registry';
import type { EditorActions } from '../shell/editorAccess';
import type { BusyPositions } from '../shell/busyPositions';
import type { Prompts } from '../shell/prompts/prompts';
import type { Subscription, Clock } from '../../base/async/clock';

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
  /** Identifies the service in use, by its address too; for comparison only. Data of another service is not shown. */
  readonly serviceId: () => string;
  readonly ambient: () => Ambient;
  /** Fires when the service, the wallet or a relevant setting changes. */
  readonly onDidChangeAmbient: (listener: () => void) => Subscription;
  readonly rpc: () => Promise<SolanaRpc | undefined>;
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
