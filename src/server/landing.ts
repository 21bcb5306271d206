import { EngineError } from './engine';

/** A list of transactions as clients send it: with the tip for a bundle, without one, or both. */
export interface BothForms {
  readonly withJito: readonly string[] | null | undefined;
  readonly plain: readonly string[] | null | undefined;
}

/** The transactions with a tip, or else those without. May be empty. */
export function transactionsOf({ withJito, plain }: BothForms): readonly string[] {
  return withJito !== undefined && withJito !== null && withJito.length > 0 ? withJito : (plain ?? []);
}

/** Like {@link transactionsOf}, for a required list. @throws EngineError that names the list if both forms are missing */
export function requiredTransactionsOf(name: string, { withJito, plain }: BothForms): readonly string[] {
  if ((withJito ?? plain ?? undefined) === undefined) {
    throw new EngineError('invalid', `${name} is required`);
  }
  return transactionsOf({ withJito, plain });
}

/** The body of a landing. The published contract and some clients call the height `lastValidBlock`. */
export function withHeight(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { ...body, lastValidBlockHeight: body['lastValidBlockHeight'] ?? body['lastValidBlock'] };
}
