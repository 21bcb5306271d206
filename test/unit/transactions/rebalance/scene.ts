import assert from 'node:assert/strict';
import { OperationError } from '../../../../src/transactions/errors';
import type { Window, World } from './world';

/** A world, and what stands still in it. */
export class Scene<Any extends World = World> {
  readonly asleep: { readonly window: Window; readonly running: Promise<unknown> }[] = [];

  constructor(readonly world: Any) {}

  /** Runs something in a window of its own, to its end or to the mishap; what failed in words is given as that. */
  async run<Value>(window: Window, work: () => Promise<Value>): Promise<Value | OperationError | 'struck'> {
    const running = work().catch((error: unknown) => {
      assert.ok(error instanceof OperationError, String(error));
      return error;
    });
    const result = await window.run(() => running);
    if (result === 'struck' && window.mishap?.kind === 'standsStill') {
      this.asleep.push({ window, running });
    }
    return result;
  }

  async wakeAll(): Promise<void> {
    for (const { window, running } of this.asleep.splice(0)) {
      window.wake();
      await this.world.during(running);
    }
  }
}
