import { Emitter } from '../../../base/async/emitter';
import type { Subscription } from '../../../base/async/clock';
import { RULES } from '../../../settings/generated/settings';
import type { RuleId } from '../../../settings/settingTypes';
import type { StateStore } from '../editorAccess';

const STATE_NAME = 'binsight.rules';

/** The rules of rebalances, which only their form changes. They are kept on this machine, for all windows, services and wallets. */
export class RuleStore {
  readonly #state: StateStore;
  readonly #changes: Emitter<undefined>;

  constructor(state: StateStore, onError: (error: unknown) => void) {
    this.#state = state;
    this.#changes = new Emitter(onError);
  }

  /** The value as it is stored, else the default. Its reader checks it (`readerOf`). */
  get(id: RuleId): unknown {
    const stored = this.#stored;
    return id in stored ? stored[id] : RULES[id].default;
  }

  /** Stores a value; `undefined`: the default. */
  async set(id: RuleId, value: unknown): Promise<void> {
    const { [id]: _before, ...others } = this.#stored;
    const stored = this.#state.update(STATE_NAME, value === undefined ? others : { ...others, [id]: value });
    this.#changes.fire(undefined);
    await stored;
  }

  /** Calls `listener` after every change in this window. Other windows read what is stored with their next check. */
  onDidChange(listener: () => void): Subscription {
    return this.#changes.on(listener);
  }

  get #stored(): Readonly<Record<string, unknown>> {
    const stored = this.#state.get(STATE_NAME);
    return typeof stored === 'object' && stored !== null ? { ...stored } : {};
  }
}
