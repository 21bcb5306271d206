import type { StateStore } from '../../shell/editorAccess';

/** What messages to the webhook contain: the pair and what happened, or also figures and the reasons of auto-rebalance. */
export type WebhookDetails = 'pairAndEvent' | 'figures';

const KEPT_AS = 'binsight.webhookDetails';

/** The user's choice; pair and event until figures are wanted. All windows share it, so it is read again each time. */
export class StoredDetails {
  readonly #state: StateStore;

  constructor(state: StateStore) {
    this.#state = state;
  }

  get value(): WebhookDetails {
    return this.#state.get(KEPT_AS) === 'figures' ? 'figures' : 'pairAndEvent';
  }

  async set(details: WebhookDetails): Promise<void> {
    await this.#state.update(KEPT_AS, details);
  }
}
