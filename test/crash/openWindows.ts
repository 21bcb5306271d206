import { setTimeout as later } from 'node:timers/promises';
import type { Kill } from './plans';
import type { Point, WindowOptions } from './protocol';
import { Gone, type CrashWindow, type WindowStock } from './windows';
import type { World } from './world';

/** After this time earlier transactions can no longer land. */
const WAITED_MS = 130_000;
/** After this time the outcome is proven without an RPC. */
const PROVEN_WITHOUT_RPC_MS = 310_000;

/** The open windows on one folder, with one clock. */
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

  /** Opens another window. */
  async open(): Promise<CrashWindow> {
    const world = this.#world;
    const options = this.#options;
    const window = await this.#stock.open({ ...options, sandbox: world.sandbox, skippedMs: world.skippedMs });
    // Skips the time instead of waiting.
    window.onWaiting = (what) =>
      void this.advance(what === 'earlier' ? WAITED_MS : options.hasRpc ? world.expiryMs : PROVEN_WITHOUT_RPC_MS).catch(() => undefined);
    this.#open.add(window);
    return window;
  }

  /**
   * Runs something in a window and kills it as planned, at the latest when that is over.
   * @param onPoint called when the window is at a point
   * @returns `undefined`: it was killed before
   */
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

  /** Kills a window like a crash. */
  async kill(window: CrashWindow): Promise<void> {
    this.#open.delete(window);
    await window.kill();
  }

  /** Advances all clocks, the sandbox's first: no window may believe too early that something has expired. */
  async advance(ms: number): Promise<void> {
    await this.#world.advance(ms);
    await Promise.all([...this.#open].map((window) => window.ask('skip', ms).catch(unlessGone)));
  }

  /** Closes all windows regularly. @param except the one that stays open */
  async close(except?: CrashWindow): Promise<void> {
    const closing = [...this.#open].filter((window) => window !== except);
    closing.forEach((window) => this.#open.delete(window));
    await Promise.all(closing.map((window) => window.close()));
  }
}

/** Ignores errors of a killed window. */
export function unlessGone(error: unknown): undefined {
  if (!(error instanceof Gone)) {
    throw error;
  }
}
