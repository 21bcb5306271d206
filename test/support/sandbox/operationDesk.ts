import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import bs58 from 'bs58';
import { systemClock, type Clock } from '../../../src/base/async/clock';
import { address } from '../../../src/base/solana/address';
import { Portfolio } from '../../../src/portfolio/portfolio';
import type { ListName } from '../../../src/portfolio/types';
import { signReviewed } from '../../../src/review/review';
import { parseBaseUrl } from '../../../src/service/baseUrl';
import { createLiquidityService } from '../../../src/service/client';
import { openJournal } from '../../../src/transactions/journal/journal';
import { openLocks } from '../../../src/transactions/locks/locks';
import type { OperationDependencies } from '../../../src/transactions/types';
import { createSigner, type Signer } from '../../../src/wallet/signer';
import type { ReadyLine } from './process';
import { rpcOf } from './rpcOf';

/** What operations of one window need, with a sandbox as the service: client, RPC, lists, journal, locks and wallet are the extension's. */
export interface OperationDesk {
  readonly dependencies: OperationDependencies & { readonly clock: Clock };
  readonly signer: () => Promise<Signer>;
  close(): Promise<void>;
}

/** @param differences what the dependencies have in place of the usual */
export async function openOperationDesk(
  { url, apiKey, owner, secretKey }: Pick<ReadyLine, 'url' | 'apiKey' | 'owner' | 'secretKey'>,
  differences: Partial<OperationDependencies> & { readonly clock?: Clock } = {},
  lists: readonly ListName[] = ['positions'],
): Promise<OperationDesk> {
  const { clock = systemClock } = differences;
  const nowMs = (): number => clock.now();
  const { service = createLiquidityService({ baseUrl: parseBaseUrl(url), apiKey, now: nowMs }) } = differences;
  const folder = await mkdtemp(join(tmpdir(), 'binsight-desk-'));
  const portfolio = new Portfolio({ service: () => Promise.resolve(service), log: () => undefined, clock });
  portfolio.setOwner(address(owner));
  await portfolio.refresh('startup', lists);
  const journal = openJournal({ folder: join(folder, 'journal'), nowMs, log: () => undefined });
  const locks = openLocks({ folder: join(folder, 'locks'), log: () => undefined });
  const readSeed = () => Promise.resolve(bs58.decode(secretKey).slice(0, 32));
  return {
    dependencies: {
      ...{ service, portfolio, journal, locks, clock, nowMs, serviceId: 'sandbox', rpc: rpcOf({ url, apiKey }) },
      ...{ isServiceInUse: () => true, log: () => undefined, policy: () => ({}), isSimulating: true },
      ...{ settleTimeoutMs: 20_000, settleEveryMs: 200 },
      ...differences,
    },
    signer: () => Promise.resolve(createSigner({ owner: address(owner), readSeed, signReviewed, nowMs })),
    close: async () => {
      journal.dispose();
      portfolio.dispose();
      await locks.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The machine's clock, and what was skipped of it; waits are a tenth of what they say. */
export class SkippingClock implements Clock {
  #skippedMs = 0;
  readonly now = (): number => Date.now() + this.#skippedMs;
  skip(ms: number): void {
    this.#skippedMs += ms;
  }
  after(ms: number, run: () => void): { dispose(): void } {
    const timer = setTimeout(run, ms / 10);
    return { dispose: () => clearTimeout(timer) };
  }
}
