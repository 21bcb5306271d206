import assert from 'node:assert/strict';
import type { StoredIssuedOperations } from '../../../src/chain/landing/issued';
import type { BundleSender } from '../../../src/chain/landing/jito';
import type { ChainLanding } from '../../../src/chain/landing/landing';
import { EngineError, type EngineErrorKind } from '../../../src/engine/engine';
import type { WireLanded } from '../../../src/engine/wire/transactions';
import { LandingWorld } from './landingWorld';

/** The answer while a landing continues in the background. */
const CONTINUES = /confirmed so far, and the service continues/;

/** How an operation is built. */
interface BuildOptions {
  /** Sizes of the stages; by default each transaction is a stage. */
  readonly stages?: readonly number[];
  readonly bundles?: readonly (readonly Uint8Array[])[];
  readonly label?: string;
}

/** Parts of a process. */
interface ProcessOptions {
  readonly bundles?: BundleSender;
  readonly checkChain?: () => Promise<void>;
}

/** The landing part of a service on a scripted chain; it can be killed and started again. */
export class LandingProcess {
  readonly world: LandingWorld;
  #options: ProcessOptions;
  #ending = new AbortController();
  #service: { readonly landing: ChainLanding; readonly issued: StoredIssuedOperations };

  /** @param folder of the store; `undefined`: in memory */
  constructor({ folder, ...options }: ProcessOptions & { readonly folder?: string } = {}) {
    this.world = new LandingWorld(folder);
    this.#options = options;
    this.#service = this.#start();
  }

  get landing(): ChainLanding {
    return this.#service.landing;
  }

  get issued(): StoredIssuedOperations {
    return this.#service.issued;
  }

  /** Ends the process: none of its requests is answered from now on. */
  kill(): void {
    this.#ending.abort();
  }

  /** Starts another process on the same store. */
  restart(options: ProcessOptions = this.#options): void {
    this.kill();
    this.world.reopen();
    this.#options = options;
    this.#ending = new AbortController();
    this.#service = this.#start();
  }

  /** Builds an operation. @returns it signed */
  build(count: number, { stages, bundles = [], label }: BuildOptions = {}): string[] {
    const plain = this.world.build(count, label === undefined ? {} : { label });
    const { owner, lastValidBlockHeight } = this.world;
    this.issued.issue({ kind: 'decrease', owner, lastValidBlockHeight, stages: split(plain, stages ?? plain.map(() => 1)), bundles });
    return this.world.sign(plain);
  }

  /** Builds an operation with tips. @param sizes of the bundles @returns its transactions with tips, signed */
  buildTipped(sizes: readonly number[]): string[] {
    const count = sizes.reduce((sum, size) => sum + size, 0);
    const tipped = this.world.build(count, { label: 'tipped' });
    this.build(count, { bundles: split(tipped, sizes) });
    return this.world.sign(tipped);
  }

  /** One request of a client. */
  land(transactions: readonly string[]): Promise<WireLanded> {
    return this.landing.land('decrease', { first: transactions, second: [] });
  }

  /** A client that sends the same request again until the outcome is known. */
  outcome(transactions: readonly string[]): Promise<WireLanded> {
    return untilKnown(() => this.land(transactions));
  }

  /** Lets time pass. */
  async wait(ms: number): Promise<void> {
    await new Promise<void>((resolve) => void this.world.client.clock.after(ms, resolve));
  }

  close(): void {
    this.kill();
    this.world.close();
  }

  #start(): { readonly landing: ChainLanding; readonly issued: StoredIssuedOperations } {
    return this.world.service({ ...this.#options, signal: this.#ending.signal });
  }
}

/** Sends a request again while the landing continues. */
export async function untilKnown(land: () => Promise<WireLanded>): Promise<WireLanded> {
  for (;;) {
    try {
      return await land();
    } catch (error) {
      if (!(error instanceof EngineError && error.kind === 'unconfirmed' && CONTINUES.test(error.message))) {
        throw error;
      }
    }
  }
}

/** Splits a list into parts of these sizes. */
export function split<Item>(items: readonly Item[], sizes: readonly number[]): readonly (readonly Item[])[] {
  let start = 0;
  return sizes.map((size) => items.slice(start, (start += size)));
}

/** Expects a refusal of this kind. @returns its message */
export async function refusal(kind: EngineErrorKind, landing: Promise<unknown>): Promise<string> {
  const error: unknown = await landing.then(
    () => assert.fail('It landed'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof EngineError, String(error));
  assert.equal(error.kind, kind, error.message);
  return error.message;
}
