import { createHash } from 'node:crypto';
import type { BaseUrl } from '../baseUrl';
import { type BudgetClock, RequestBudget, type RequestBudgetOptions } from './requestBudget';

/** Hexadecimal digits in the name of a budget. */
const NAME_LENGTH = 32;

/**
 * The request budgets by service address and key: each service has its own limits, and each key its own plan. A budget outlives the client,
 * so a pause still holds when the user comes back to a service.
 */
export class RequestBudgets {
  readonly #clock: BudgetClock;
  readonly #optionsOf: (name: string) => RequestBudgetOptions;
  readonly #budgets = new Map<string, RequestBudget>();

  /** @param optionsOf the options of a budget, by a name that contains neither the address nor the key */
  constructor(clock: BudgetClock, optionsOf: (name: string) => RequestBudgetOptions = () => ({})) {
    this.#clock = clock;
    this.#optionsOf = optionsOf;
  }

  /**
   * Returns the budget of a service for a key.
   * @param isLocal the service answers from a Solana RPC, which has its own limit: the setting and other windows don't count
   */
  of(baseUrl: BaseUrl, apiKey: string, isLocal = false): RequestBudget {
    const name = `${baseUrl} ${apiKey}`;
    const hash = (): string => createHash('sha256').update(name).digest('hex').slice(0, NAME_LENGTH);
    const budget = this.#budgets.get(name) ?? new RequestBudget(this.#clock, isLocal ? {} : this.#optionsOf(hash()));
    this.#budgets.set(name, budget);
    return budget;
  }

  /** The user has set another limit. */
  limitChanged(): void {
    this.#budgets.forEach((budget) => budget.limitChanged());
  }
}
