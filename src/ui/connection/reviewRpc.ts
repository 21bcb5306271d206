import type { RpcUrl } from '../../rpc/rpcUrl';
import type { SolanaRpc } from '../../rpc/types';
import type { SandboxReady } from './sandbox/readyLine';
import type { ServiceChoice } from '../shell/serviceChoice';

/** What the review's RPC is found with. */
export interface ReviewRpcDependencies {
  readonly service: () => ServiceChoice;
  readonly sandbox: { start(): Promise<SandboxReady> };
  readonly settings: {
    /** `binsight.rpcUrl` as it was typed; empty: none. */
    readonly rpcUrl: string;
    /** Tells that it holds no address that can be used. */
    warnOfRpcUrl(problem: string): void;
  };
  /** Is told every part of the address that may be a key, before anybody is asked there. */
  readonly hide: (secret: string) => void;
  /** Makes the client. */
  readonly create: (url: RpcUrl) => Promise<SolanaRpc>;
}

/**
 * Finds the RPC that the review asks. In the sandbox it is the sandbox's own, whatever is set: no other one knows its chain.
 * Elsewhere it is the one of the setting; an address there that cannot be used counts as none.
 */
export class ReviewRpc {
  private last: { readonly text: string; readonly rpc: Promise<SolanaRpc> } | undefined;

  constructor(private readonly dependencies: ReviewRpcDependencies) {}

  /**
   * Gives the RPC for the service in use; `undefined`: there is none, and the review reads the transactions alone.
   * @throws SandboxError where the sandbox does not come up.
   */
  async find(): Promise<SolanaRpc | undefined> {
    const { service, sandbox, settings, hide } = this.dependencies;
    const text = service().kind === 'sandbox' ? sandboxRpcUrl(await sandbox.start()) : settings.rpcUrl;
    if (text === '') {
      return undefined;
    }
    hide(text);
    const { parseRpcUrl, RpcUrlError, secretsOf } = await import('../../rpc/rpcUrl');
    try {
      const url = parseRpcUrl(text);
      [url, ...secretsOf(url)].forEach(hide);
      return await this.client(text, url);
    } catch (error) {
      if (error instanceof RpcUrlError) {
        settings.warnOfRpcUrl(error.message);
        return undefined;
      }
      throw error;
    }
  }

  /** The same client for the same address: it remembers what its RPC can do. */
  private client(text: string, url: RpcUrl): Promise<SolanaRpc> {
    if (this.last?.text !== text) {
      this.last = { text, rpc: this.dependencies.create(url) };
    }
    return this.last.rpc;
  }
}

/** Where the sandbox's own RPC is: beside the service, with the same key. */
function sandboxRpcUrl({ url, apiKey }: SandboxReady): string {
  const rpc = new URL('/rpc', url);
  rpc.searchParams.set('api-key', apiKey);
  return rpc.href;
}

/** Makes the client of an RPC; its code (zod, node-fetch) is loaded with the first one. */
export async function createReviewRpc(url: RpcUrl): Promise<SolanaRpc> {
  const { createRpc } = await import('../../rpc/rpc');
  return createRpc({ url });
}
