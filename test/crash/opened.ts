import { join } from 'node:path';
import bs58 from 'bs58';
import type { Clock } from '../../src/base/async/clock';
import { address, type Address } from '../../src/base/solana/address';
import { parseRpcUrl } from '../../src/base/solana/rpcUrl';
import { Portfolio } from '../../src/portfolio/portfolio';
import { signReviewed } from '../../src/review/review';
import { createRpc } from '../../src/rpc/rpc';
import type { SolanaRpc } from '../../src/rpc/types';
import { parseBaseUrl, serviceId } from '../../src/service/baseUrl';
import { createLiquidityService } from '../../src/service/client';
import type { LiquidityService } from '../../src/service/service';
import { openJournal } from '../../src/transactions/journal/journal';
import type { OperationJournal } from '../../src/transactions/journal/types';
import { openLocks } from '../../src/transactions/locks/locks';
import type { OperationLocks } from '../../src/transactions/locks/types';
import { SEED_BYTES } from '../../src/wallet/keys';
import { createSigner, type Signer } from '../../src/wallet/signer';
import { announcedFetch, type At } from './announced';
import type { WindowOptions } from './protocol';

/** Speed-up of the waits: for the effect, and between two checks. */
const HASTE = 20;

/** The machine's clock plus the skipped time. */
class HastyClock implements Clock {
  #skippedMs: number;

  constructor(skippedMs: number) {
    this.#skippedMs = skippedMs;
  }

  readonly now = (): number => Date.now() + this.#skippedMs;

  skip(ms: number): void {
    this.#skippedMs += ms;
  }

  after(ms: number, run: () => void): { dispose(): void } {
    const timer = setTimeout(run, ms / HASTE);
    return { dispose: () => clearTimeout(timer) };
  }
}

/** The services of an open window. */
export interface Opened {
  /** The folder that all windows share. */
  readonly storage: string;
  readonly owner: Address;
  readonly clock: HastyClock;
  readonly service: LiquidityService;
  readonly serviceId: string;
  readonly portfolio: Portfolio;
  readonly rpc: SolanaRpc | undefined;
  readonly journal: OperationJournal;
  readonly locks: OperationLocks;
  readonly signer: Signer;
  close(): Promise<void>;
}

/** Opens the services of a window as the extension does, and reads the positions. @param at called at each request that lands something */
export async function openServices({ storage, sandbox, skippedMs, hasRpc }: WindowOptions, at: At, log: () => void): Promise<Opened> {
  const owner = address(sandbox.owner);
  const clock = new HastyClock(skippedMs);
  const baseUrl = parseBaseUrl(sandbox.url);
  const service = createLiquidityService({ baseUrl, apiKey: sandbox.apiKey, fetch: announcedFetch(at), now: clock.now });
  const portfolio = new Portfolio({ service: () => Promise.resolve(service), log, clock });
  const readSeed = () => Promise.resolve(bs58.decode(sandbox.secretKey).slice(0, SEED_BYTES));
  const journal = openJournal({ folder: join(storage, 'journal'), nowMs: clock.now, log });
  const locks = openLocks({ folder: join(storage, 'locks'), log });
  portfolio.setOwner(owner);
  await portfolio.refresh('startup', ['positions']);
  return {
    ...{ storage, owner, clock, service, portfolio, journal, locks },
    serviceId: serviceId(baseUrl),
    rpc: hasRpc ? createRpc({ url: parseRpcUrl(new URL(`/rpc?api-key=${sandbox.apiKey}`, sandbox.url).href) }) : undefined,
    signer: createSigner({ owner, readSeed, signReviewed, nowMs: clock.now }),
    close: async () => {
      portfolio.dispose();
      journal.dispose();
      await locks.dispose();
    },
  };
}
