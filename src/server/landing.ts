import { EngineError } from './engine';

/** A list of transactions as a client may send it: with the tip for a bundle's block builder, and without one. */
export interface BothForms {
  readonly withJito: readonly string[] | null | undefined;
  readonly plain: readonly string[] | null | undefined;
}

/** The transactions with a tip, else the plain ones: clients send either, or both. May be empty. */
export function transactionsOf({ withJito, plain }: BothForms): readonly string[] {
  return withJito !== undefined && withJito !== null && withJito.length > 0 ? withJito : (plain ?? []);
}

/** The same of a list that must be there in one form at least; `name`: what it is called. @throws EngineError where it is not */
export function requiredTransactionsOf(name: string, { withJito, plain }: BothForms): readonly string[] {
  if ((withJito ?? plain ?? undefined) === undefined) {
    throw new EngineError('invalid', `${name} is required`);
  }
  return transactionsOf({ withJito, plain });
}

/** A landing's body; the published contract calls the height `lastValidBlock` in one place, and so do some clients. */
export function withHeight(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { ...body, lastValidBlockHeight: body['lastValidBlockHeight'] ?? body['lastValidBlock'] };
}
