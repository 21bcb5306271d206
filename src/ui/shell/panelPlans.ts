import { randomUUID } from 'node:crypto';

/** A plan is announced right before its command runs, so few are open at a time. */
const MOST_OPEN = 16;

/**
 * Tells the plans that the user made in a panel of this window from those that anyone else passes to `binsight.continuePlan`: every extension can
 * run that command. The host adds an id to the plan that a panel sends, before it runs the command, and the command takes it once, for the same pool and plan.
 */
export class PanelPlans {
  /** Pool and plan as text, by the id that was given to them. */
  readonly #open = new Map<string, string>();

  /** Adds an id to the argument of a command that Binsight itself starts. Arguments without a plan stay as they are. */
  announced(argument: unknown): unknown {
    if (!isPlan(argument)) {
      return argument;
    }
    const panelId = randomUUID();
    const [oldest] = this.#open.keys();
    if (oldest !== undefined && this.#open.size >= MOST_OPEN) {
      this.#open.delete(oldest);
    }
    this.#open.set(panelId, textOf(argument));
    return { ...argument, panelId };
  }

  /** Marks a plan as a proposal unless it carries the id that a panel's plan was given. Other arguments stay as they are. */
  received(argument: unknown): unknown {
    if (!isPlan(argument)) {
      return argument;
    }
    const { panelId, ...plan } = argument;
    const announced = typeof panelId === 'string' ? this.#open.get(panelId) : undefined;
    if (announced === undefined || announced !== textOf(argument)) {
      return { ...plan, isProposal: true };
    }
    this.#open.delete(String(panelId));
    return plan;
  }
}

interface PlanArgument {
  readonly kind: 'plan';
  readonly pool?: unknown;
  readonly plan?: unknown;
  readonly panelId?: unknown;
}

function isPlan(argument: unknown): argument is PlanArgument {
  return typeof argument === 'object' && argument !== null && 'kind' in argument && argument.kind === 'plan';
}

function textOf({ pool, plan }: PlanArgument): string {
  return JSON.stringify([pool, plan]);
}
