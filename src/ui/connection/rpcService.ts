import * as l10n from '@vscode/l10n';
import type { RpcUrl } from '../../base/solana/rpcUrl';
import { ConnectionError, RpcServiceError } from '../shell/errors';
import type { LogFunction } from '../shell/log';
import type { LocalServiceSettings } from '../shell/settings/localService';
import { localServiceName, type ProcessKind, type ServiceReady, wasStopped } from './processKind';
import type * as launcher from './rpcLaunch';
import type { ApiAddresses } from './serviceProfiles';
import { type ServiceProcess, superviseProcess } from './serviceProcess';

/** A Solana RPC, and the chain that it has to be of. */
export interface RpcConnection {
  readonly url: RpcUrl;
  readonly genesisHash: string;
  /** The APIs that it asks besides, from its next start on. */
  readonly apis: ApiAddresses;
}

export interface RpcServiceDependencies {
  /** @param target the RPC in use; `undefined`: none */
  readonly supervise: (target: () => RpcConnection | undefined) => ServiceProcess<ServiceReady>;
  /** Asks an RPC for its chain. @throws ConnectionError that says why the RPC can't be used */
  readonly readGenesisHash: (url: RpcUrl) => Promise<string>;
}

export interface RpcServiceSetup {
  /** dist/service.js */
  readonly script: string;
  /** Holds one folder for each address. */
  readonly folder: string;
  readonly settings: (target: RpcConnection) => Promise<LocalServiceSettings>;
  /** Registers a secret with the log's redactor. */
  readonly hide: (secret: string) => void;
  /** Loads what starts the process. */
  readonly load: () => Promise<Pick<typeof launcher, 'launchRpcService' | 'holdRpcLease' | 'folderName'>>;
  readonly readGenesisHash: RpcServiceDependencies['readGenesisHash'];
  readonly log: LogFunction;
}

/** Longer than the 75 s after which a process gives up waiting for another one with the same state, and reports why. */
const START_TIMEOUT_MS = 90_000;

export const RPC_PROCESS: ProcessKind = {
  error: (reason, message, options) => new RpcServiceError(reason, message, options),
  name: localServiceName,
};

/** Creates the service that answers from a Solana RPC. Starts nothing yet. */
export function createRpcService({ script, folder, settings, hide, load, readGenesisHash, log }: RpcServiceSetup): RpcService {
  const launch = async (target: RpcConnection | undefined): Promise<ServiceReady> => {
    if (target === undefined) {
      throw wasStopped(RPC_PROCESS);
    }
    const { launchRpcService, folderName } = await load();
    const place = { script, dataDir: `${folder}/${folderName(target.url)}`, execPath: process.execPath, timeoutMs: START_TIMEOUT_MS };
    const ready = await launchRpcService(place, target.url, await settings(target));
    hide(ready.apiKey);
    return ready;
  };
  const supervise = (target: () => RpcConnection | undefined): ServiceProcess<ServiceReady> =>
    superviseProcess(RPC_PROCESS, {
      launch: () => launch(target()),
      holdLease: async (ready, onBroken) => (await load()).holdRpcLease(ready, onBroken),
      log,
    });
  return new RpcService({ supervise, readGenesisHash });
}

/**
 * The process that answers from the Solana RPC in use. Windows with the same RPC share it. Before each start it makes sure that the RPC
 * answers for the chain that the user chose: what a journal says of one chain must not be looked up on another.
 */
export class RpcService {
  readonly process: ServiceProcess<ServiceReady>;
  #target: RpcConnection | undefined;
  #check: Promise<void> | undefined;
  /** Incremented on every stop. */
  #generation = 0;

  readonly #dependencies: RpcServiceDependencies;

  constructor(dependencies: RpcServiceDependencies) {
    this.#dependencies = dependencies;
    this.process = dependencies.supervise(() => this.#target);
  }

  /**
   * Returns the running process for this RPC, or starts one. A process for another RPC is released.
   * @throws ConnectionError if the RPC doesn't answer, refuses, or is of another chain; RpcServiceError if the process doesn't start
   */
  async start(target: RpcConnection): Promise<ServiceReady> {
    const before = this.#target;
    if (before?.url !== target.url || before.genesisHash !== target.genesisHash) {
      this.stop();
    }
    this.#target = target;
    const generation = this.#generation;
    const { kind } = this.process.state;
    if (kind === 'stopped' || kind === 'failed') {
      const check = (this.#check ??= this.#checkChain(target));
      try {
        await check;
      } finally {
        this.#check = this.#check === check ? undefined : this.#check;
      }
    }
    if (this.#generation !== generation) {
      throw wasStopped(RPC_PROCESS);
    }
    return this.process.start();
  }

  /** Releases the process. It ends unless another window uses it. */
  stop(): void {
    this.#generation += 1;
    this.#target = undefined;
    this.#check = undefined;
    this.process.stop();
  }

  async #checkChain({ url, genesisHash }: RpcConnection): Promise<void> {
    if ((await this.#dependencies.readGenesisHash(url)) !== genesisHash) {
      throw new ConnectionError('rpcRefused', l10n.t`${new URL(url).host} serves another chain and is not used.`);
    }
  }
}
