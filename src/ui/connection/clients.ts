import { join } from 'node:path';
import { parseRpcUrl, type RpcUrl } from '../../base/solana/rpcUrl';
import type { SolanaRpc } from '../../rpc/types';
import type { BaseUrl } from '../../service/baseUrl';
import { createLiquidityService } from '../../service/client';
import { DEFAULT_RETRIES } from '../../service/calls/retry';
import { withPriceRecord } from '../../service/priceRecord';
import type { LiquidityService } from '../../service/service';
import type { LogFunction } from '../shell/log';
import type { ServiceClientOptions } from './connection';
import { PriceFiles } from './priceFiles';
import { folderName } from './rpcLaunch';
import type { SandboxReady } from './sandboxProcess';
import type { ServiceChoice } from '../shell/serviceChoice';

/** The local service repeats requests to its RPC itself, for up to 20 s (src/chain/rpc), and then reports why they failed. */
const LOCAL_SERVICE = { isLocalService: true, timeoutMs: 60_000, retries: { ...DEFAULT_RETRIES, attempts: 1 } } as const;

/** Creates the client of a service. @param pricesFolder for what services with {@link ServiceClientOptions.keepsPrices} report */
export function createService(
  baseUrl: BaseUrl,
  apiKey: string,
  { budget, isLocalService = false, keepsPrices = false }: ServiceClientOptions,
  log: LogFunction,
  pricesFolder: string,
): LiquidityService {
  const service = createLiquidityService({
    baseUrl,
    apiKey,
    budget,
    ...(isLocalService ? LOCAL_SERVICE : {}),
    onWarnings: (endpoint, warnings) => {
      for (const { path, message } of warnings) {
        log('debug', `${endpoint}: ${path}: ${message}`);
      }
    },
  });
  const nowMs = () => Date.now();
  return keepsPrices
    ? withPriceRecord(service, new PriceFiles({ folder: join(pricesFolder, folderName(baseUrl)), nowMs, log }), nowMs)
    : service;
}

export interface ReviewRpcDependencies {
  readonly service: () => ServiceChoice;
  readonly sandbox: { start(): Promise<SandboxReady> };
  /** The addresses of Solana RPCs, by the id of the service. */
  readonly rpcAddress: (serviceId: string) => Promise<RpcUrl | undefined>;
  /**
   * The RPC of the review that the profile of a service has; `undefined`: it has none. The log's redactor knows it.
   * @throws ConnectionError if the secret storage lost it; SecretError
   */
  readonly reviewRpc: (choice: ServiceChoice) => Promise<string | undefined>;
  /** Creates the client of an RPC; the first call loads its code. */
  readonly create: (url: RpcUrl) => Promise<SolanaRpc>;
}

/**
 * Finds the RPC of the review. In the sandbox it is always the sandbox's own RPC, because no other one knows its chain. If the service
 * answers from a Solana RPC, it is that one. Otherwise it is the one of the profile: where that cannot be read, this rejects, because a review
 * without an RPC is less strict than what the user set.
 */
export class ReviewRpc {
  #last: { readonly text: string; readonly rpc: Promise<SolanaRpc> } | undefined;

  readonly #dependencies: ReviewRpcDependencies;

  constructor(dependencies: ReviewRpcDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Returns the RPC for the service in use; `undefined`: there is none, and the review only reads the transactions.
   * @throws SandboxError if the sandbox doesn't start; ConnectionError, SecretError if the address cannot be read
   */
  async find(): Promise<SolanaRpc | undefined> {
    const text = await this.#address();
    return text === undefined ? undefined : this.#client(text, parseRpcUrl(text));
  }

  /** The address of the RPC; `undefined`: none. */
  async #address(): Promise<string | undefined> {
    const { service, sandbox, rpcAddress, reviewRpc } = this.#dependencies;
    const choice = service();
    switch (choice.kind) {
      case 'sandbox':
        return sandboxRpcUrl(await sandbox.start());
      case 'solanaRpc':
        return rpcAddress(choice.id);
      case 'remote':
        return reviewRpc(choice);
      case 'invalid':
        return undefined;
    }
  }

  /** Reuses the client while the address stays the same: it remembers what its RPC supports. */
  #client(text: string, url: RpcUrl): Promise<SolanaRpc> {
    if (this.#last?.text !== text) {
      this.#last = { text, rpc: this.#dependencies.create(url) };
    }
    return this.#last.rpc;
  }
}

/** The sandbox's RPC has the origin and the API key of its service. */
function sandboxRpcUrl({ url, apiKey }: SandboxReady): string {
  const rpc = new URL('/rpc', url);
  rpc.searchParams.set('api-key', apiKey);
  return rpc.href;
}
