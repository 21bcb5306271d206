import { setTimeout as later } from 'node:timers/promises';
import type { Kill } from './plans';
import type { Point, WindowOptions } from './protocol';
import { Gone, type CrashWindow, type WindowStock } from './windows';
import type { World } from './world';

/** After that, whatever was signed before can no longer land. */
const WAITED_MS = 130_000;
/** After that it is proven what became of it: with an RPC, and without. */
const PROVEN_WITH_RPC_MS = 100_000;
const PROVEN_WITHOUT_RPC_MS = 310_000;

/** The windows that are open on one folder, with one clock. */
export class OpenWindows {
  readonly #open = new Set<CrashWindow>();

  readonly #world: World;
  readonly #stock: WindowStock;
  readonly #options: Pick<WindowOptions, 'storage' | 'hasRpc'>;

  constructor(world: World, stock: WindowStock, options: Pick<WindowOptions, 'storage' | 'hasRpc'>) {
    this.#world = world;
    this.#stock = stock;
    this.#options = options;
  }

  /** Opens one more. */
  async open(): Promise<CrashWindow> {
    const world = this.#world;
    const options = this.#options;
    const window = await this.#stock.open({ ...options, sandbox: world.sandbox, skippedMs: world.skippedMs });
    // Nobody waits for minutes here.
    window.onWaiting = (what) =>
      void this.advance(what === 'earlier' ? WAITED_MS : options.hasRpc ? PROVEN_WITH_RPC_MS : PROVEN_WITHOUT_RPC_MS).catch(
        () => undefined,
      );
    this.#open.add(window);
    return window;
  }

  /** Kills one as planned while it does something, and in any case when that is over. `onPoint`: what happens while it is somewhere. @returns `undefined`: it was killed before it was over */
  async killAmid<Result>(
    window: CrashWindow,
    kill: Kill,
    run: () => Promise<Result>,
    onPoint: (point: Point) => Promise<void>,
  ): Promise<Result | undefined> {
    const killIn = (ms: number): void => void later(ms).then(() => this.kill(window));
    let hasCome = false;
    window.onPoint = (point) => {
      const isHere = kill.kind === 'point' && kill.point === point && !hasCome;
      hasCome ||= isHere;
      if (isHere && kill.afterMs === 0) {
        void this.kill(window);
        return;
      }
      if (isHere) {
        killIn(kill.afterMs);
      }
      void onPoint(point).then(() => window.go());
    };
    const timer = kill.kind === 'time' ? setTimeout(() => void this.kill(window), kill.afterMs) : undefined;
    const result = await run().catch(unlessGone);
    clearTimeout(timer);
    await this.kill(window);
    return result;
  }

  /** Ends one as a crash does. */
  async kill(window: CrashWindow): Promise<void> {
    this.#open.delete(window);
    await window.kill();
  }

  /** Moves all clocks on; the world's first: nobody is to think that something is over which is not. */
  async advance(ms: number): Promise<void> {
    await this.#world.advance(ms);
    await Promise.all([...this.#open].map((window) => window.ask('skip', ms).catch(unlessGone)));
  }

  /** Closes all as they are closed when nothing is wrong. */
  async close(): Promise<void> {
    await Promise.all([...this.#open].map((window) => window.close()));
    this.#open.clear();
  }
}

/** A window that is gone has nothing to say. */
export function unlessGone(error: unknown): undefined {
  if (!(error instanceof Gone)) {
    throw error;
  }
}
