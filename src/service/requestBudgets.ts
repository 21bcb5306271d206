import type { BaseUrl } from './baseUrl';
import { RequestBudget, type BudgetClock } from './requestBudget';

/**
 * The request budgets of the services that were asked, one for each address and key: another service has limits of its own, and another
 * key may have another plan. A budget outlives the client, so a pause still holds when the user comes back to a service.
 */
export class RequestBudgets {
  readonly #clock: BudgetClock;
  readonly #budgets = new Map<string, RequestBudget>();

  constructor(clock: BudgetClock) {
    this.#clock = clock;
  }

  /** Gives the budget of a service for a key. */
  of(baseUrl: BaseUrl, apiKey: string): RequestBudget {
    const name = `${baseUrl} ${apiKey}`;
    const budget = this.#budgets.get(name) ?? new RequestBudget(this.#clock);
    this.#budgets.set(name, budget);
    return budget;
  }
}
