import type { LiquidityService } from '../../service/service';
import type { RefreshCoordinator } from '../../portfolio/coordinator';
import type { RequestLimit } from '../../portfolio/requestPace';
import type { PortfolioControl } from '../../portfolio/types';
import type { Ambient } from '../../protocol/ambient';
import type { PolicySettings } from '../../review/policy';
import type { SolanaRpc } from '../../rpc/types';
import type { Address } from '../../base/solana/address';
import type { CommandId } from '../shell/commands/registry';
import type { EditorActions } from '../shell/editorActions';
import type { BusyPositions } from '../shell/busyPositions';
import type { Prompts } from '../shell/prompts/prompts';
import type { Subscription, Clock } from '../../base/async/clock';

/**
 * What stands behind one panel: it reads what the panel shows, and does what it asks for. Knows no webview: messages come in parsed, and
 * go out through `post`, which keeps none back: the panel is there for as long as the presenter is.
 */
export interface Presenter<ToHost> {
  /** The panel asks for something. The first message is `ready`, and comes again when the panel was loaded anew: then it is told everything. */
  receive(message: ToHost): void;
  /** A panel that is not seen reads nothing. */
  setVisible(isVisible: boolean): void;
  dispose(): void;
}

/** Makes the presenter of one panel. @param subject a pool's address, a position's key; empty for the overview */
export type PresenterMaker<ToPanel, ToHost> = (
  subject: string,
  dependencies: PresenterDependencies,
  post: (message: ToPanel) => void,
) => Presenter<ToHost>;

/** What presenters work with. */
export interface PresenterDependencies {
  /** The same snapshot as in the tree. */
  readonly portfolio: PortfolioControl;
  /** Told which lists are shown, so that they are kept fresh. */
  readonly coordinator: Pick<RefreshCoordinator, 'show'>;
  readonly connect: () => Promise<LiquidityService>;
  /** Which service is in use, told from others also by its address; what was read of another one is not shown. For comparing alone. */
  readonly serviceId: () => string;
  readonly ambient: () => Ambient;
  /** The service, the wallet or a setting that panels show by is another one. */
  readonly onDidChangeAmbient: (listener: () => void) => Subscription;
  readonly rpc: () => Promise<SolanaRpc | undefined>;
  readonly busy: Pick<BusyPositions, 'has' | 'onDidChange'>;
  readonly defaultSlippageBps: () => number;
  /** What the settings change of the review's limits; absent: nothing. */
  readonly policy?: () => Pick<Partial<PolicySettings>, 'tipAllowLamports'>;
  /** The request limit of the service in use, shared with all others that read. */
  readonly limit?: RequestLimit;
  readonly clock: Clock;
  readonly prompts: Prompts;
  readonly actions: EditorActions;
  /** Runs a command of ours: through the funnel, with all it asks and confirms. */
  readonly execute: (command: CommandId, argument?: unknown) => Promise<void>;
  /** Asks whether an address is to be watched, and watches it. */
  readonly watch: (address: Address) => Promise<void>;
  readonly log: (level: 'debug' | 'info' | 'warn', message: string) => void;
}
