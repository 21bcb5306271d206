import type * as vscode from 'vscode';
import type { Clock } from '../base/async/clock';
import type { RpcUrl } from '../base/solana/rpcUrl';
import type { DisposableStore } from '../base/async/disposables';
import type { Intervals, RefreshCoordinator } from '../portfolio/coordinator';
import type { Portfolio } from '../portfolio/portfolio';
import type { PortfolioReader } from '../portfolio/types';
import type { SolanaRpc } from '../rpc/types';
import type { LiquidityService } from '../service/service';
import type { Activity } from './activity/activity';
import type { OperationRecords } from './activity/operationRecords';
import type { AutoRebalance } from './autoRebalance/autoRebalance';
import type { ApiKeys } from './connection/apiKeys';
import type { CreateService, ServiceConnection } from './connection/connection';
import type { ProcessPlace } from './connection/launchProcess';
import type { RpcAddresses } from './connection/rpcAddresses';
import type { RpcService } from './connection/rpcService';
import type { ServiceProfiles } from './connection/serviceProfiles';
import type { SandboxProcess } from './connection/sandboxProcess';
import type { Notices } from './notices/createNotices';
import type { PanelManager } from './panels/panelManager';
import type { FavoritePools } from './pools/favoritePools';
import type { PoolQuery } from './pools/poolQuery';
import type { PositionListControl } from './positions/positionListControl';
import type { PortfolioControl } from '../portfolio/types';
import type { RebalanceRunner } from './rebalance/rebalanceRunner';
import type { SandboxPlay } from './sandbox/sandboxPlay';
import type { Session } from './session';
import type { BusyPositions } from './shell/busyPositions';
import type { PanelPlans } from './shell/panelPlans';
import type { CommandId } from '../settings/generated/commandIds';
import type { RunCommandDependencies } from './shell/commands/runCommand';
import type { EditorActions } from './shell/editorAccess';
import type { Installation } from './shell/installation';
import type { Lineages } from './shell/lineages';
import type { Log } from './shell/log';
import type { PromptSlot } from './shell/prompts/prompts';
import type { WaitingDependencies } from './shell/requestWait';
import type { Secrets } from './shell/secrets';
import type { ServiceChoice } from './shell/serviceChoice';
import type { RuleStore } from './shell/settings/ruleStore';
import type { Settings } from './shell/settings/settings';
import type { ProblemInViews, WindowProblems } from './shell/windowProblem';
import type { ViewController } from './viewController';
import type { Owners } from './wallets/owners';
import type { OperationRunner } from './zap/operationRunner';

/** The long-lived objects that all features share. They don't depend on any feature. */
export interface Services {
  /** Without its secret storage: see {@link Secrets}. */
  readonly context: Omit<vscode.ExtensionContext, 'secrets'>;
  readonly secrets: Secrets;
  /** What keeps this window from working. */
  readonly problems: WindowProblems;
  readonly problemInViews: ProblemInViews;
  /** Disposed of with the extension. Features add their own objects. */
  readonly disposables: DisposableStore;
  readonly log: Log;
  /** Whether the files of the extension are still those of the code that runs. */
  readonly installation: Installation;
  readonly onError: (error: unknown) => void;
  readonly clock: Clock;
  readonly prompts: PromptSlot;
  readonly actions: EditorActions;
  readonly settings: Settings;
  readonly sandbox: SandboxProcess;
  /** What the user plays with in the sandbox. */
  readonly play: SandboxPlay;
  readonly sandboxPlace: ProcessPlace;
  /** The process that answers from a Solana RPC. */
  readonly rpcService: RpcService;
  readonly rpcAddresses: () => Promise<RpcAddresses>;
  readonly profiles: () => Promise<ServiceProfiles>;
  /** Asks an RPC for the hash of its chain's first block. @throws ConnectionError that says why the RPC can't be used */
  readonly readGenesisHash: (url: RpcUrl, signal?: AbortSignal) => Promise<string>;
  readonly createService: CreateService;
  readonly apiKeys: ApiKeys;
  readonly connection: ServiceConnection;
  /** Connects to the service in use, for readers: rejects while the secret storage does not answer. */
  readonly connect: () => Promise<LiquidityService>;
  /** The service that the settings select. */
  readonly service: () => ServiceChoice;
  /** The RPC of the review; `undefined`: none. */
  readonly rpc: () => Promise<SolanaRpc | undefined>;
  readonly owners: Owners;
  readonly portfolio: Portfolio;
  readonly coordinator: RefreshCoordinator;
  /** Read intervals of visible lists, from the settings. */
  readonly intervals: () => Intervals;
  readonly poolQuery: PoolQuery;
  readonly positionList: PositionListControl;
  readonly busy: BusyPositions;
  /** What positions earned before their rebalances. */
  readonly lineages: Lineages;
  /** Journal and locks of operations. All windows share them. */
  readonly records: Pick<OperationRecords, 'journal' | 'locks'>;
  readonly activity: Activity;
  readonly session: Session;
  readonly isTrusted: () => boolean;
  /** VS Code runs in a browser, where only sandbox wallets sign. */
  readonly isInBrowser: boolean;
  readonly isPortable: boolean;
  /** Runs a VS Code command. */
  readonly execute: (command: string, argument?: unknown) => Promise<void>;
  /** Runs a command of this extension. */
  readonly command: (id: CommandId, argument?: unknown) => Promise<void>;
  /** Plans that the user made in a panel of this window. */
  readonly panelPlans: PanelPlans;
  readonly commandDependencies: RunCommandDependencies;
}

/** The features that commands control. */
export interface Features {
  readonly operations: Operations;
  readonly automation: AutoRebalance;
  readonly panels: PanelManager;
  readonly favorites: () => Promise<FavoritePools>;
  readonly notices: () => Promise<Notices>;
}

/** Runs operations. The runners load with the first operation. */
export interface Operations {
  /** For waiting for the service's request limit. */
  readonly waiting: WaitingDependencies;
  /** Ids of the operations whose ends this window shows itself: those that it has run, except those that a run left open. */
  readonly ranHere: ReadonlySet<string>;
  readonly runner: () => Promise<OperationRunner>;
  readonly rebalances: () => Promise<RebalanceRunner>;
  /** The same with the portfolio of a wallet that need not be the shown one. */
  readonly rebalancesOf: (portfolio: PortfolioControl) => Promise<RebalanceRunner>;
}

export type RunCommand = (id: CommandId, argument: unknown) => Promise<void>;

/** The extension once its services and views exist. */
export interface StartedExtension {
  readonly run: RunCommand;
  readonly inspection: Omit<Inspection, 'activationMs' | 'startMs'>;
}

/**
 * The real objects, which the extension exports only to tests inside VS Code (`ExtensionMode.Test`): tests inspect them and answer
 * for the user.
 */
export interface Inspection {
  readonly portfolio: PortfolioReader;
  readonly activity: Activity;
  readonly records: Pick<OperationRecords, 'journal'>;
  readonly automation: AutoRebalance;
  readonly views: ViewController;
  readonly panels: PanelManager;
  readonly favorites: () => Promise<FavoritePools>;
  readonly prompts: PromptSlot;
  /** A test may replace single functions. */
  readonly actions: EditorActions;
  /** A test may let time pass. */
  readonly clock: Clock;
  /** A test passes plans on as a panel does. */
  readonly panelPlans: Pick<PanelPlans, 'announced'>;
  /** State that VS Code keeps, except secrets. */
  readonly states: readonly vscode.Memento[];
  readonly connection: ServiceConnection;
  readonly sandbox: SandboxProcess;
  readonly rpcService: RpcService;
  readonly rpcAddresses: () => Promise<RpcAddresses>;
  readonly profiles: () => Promise<ServiceProfiles>;
  readonly rpc: () => Promise<SolanaRpc | undefined>;
  readonly owners: Owners;
  readonly apiKeys: ApiKeys;
  /** A test changes rules as their form does. */
  readonly rules: RuleStore;
  /** Duration of `activate`, in milliseconds. */
  readonly activationMs: number;
  /** Duration of the creation of services and views after it, with the loading of their code, in milliseconds. */
  readonly startMs: number;
  readonly sandboxPlace: ProcessPlace;
}
