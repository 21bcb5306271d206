import type { Eventually } from '../engine';

/**
 * A build, written once for both services: it yields what it waits for, and goes on with the answer. The service over a chain waits for its RPC
 * ({@link overTime}). The sandbox has every answer at once, and builds in one turn ({@link atOnce}): it tries swaps on its market and takes them back,
 * and no other request may come between.
 */
export type Build<Result> = Generator<Eventually<unknown>, Result, unknown>;

/** Waits for an answer within a build: `const pool = yield* wait(service.pool(address))`. */
export function* wait<Answer>(answer: Eventually<Answer>): Build<Answer> {
  return (yield answer) as Answer;
}

/** Waits for answers that were asked for at the same time. */
export function* waitForAll<Answer>(answers: readonly Eventually<Answer>[]): Build<readonly Answer[]> {
  const isThere = (answer: Eventually<Answer>): answer is Answer => !(answer instanceof Promise);
  return answers.every(isThere) ? answers : yield* wait(Promise.all(answers));
}

/** Waits for two answers that were asked for at the same time. */
export function* waitForBoth<One, Other>(one: Eventually<One>, other: Eventually<Other>): Build<readonly [One, Other]> {
  return one instanceof Promise || other instanceof Promise ? yield* wait(Promise.all([one, other])) : [one, other];
}

/** Runs a build whose answers may take time. */
export async function overTime<Result>(build: Build<Result>): Promise<Result> {
  let step = build.next();
  while (step.done !== true) {
    let answer: unknown;
    try {
      answer = await step.value;
    } catch (error) {
      step = build.throw(error);
      continue;
    }
    step = build.next(answer);
  }
  return step.value;
}

/**
 * Runs a build whose answers are all there.
 * @throws TypeError if one is a promise
 */
export function atOnce<Result>(build: Build<Result>): Result {
  let step = build.next();
  while (step.done !== true) {
    if (step.value instanceof Promise) {
      throw new TypeError('This build has to wait');
    }
    step = build.next(step.value);
  }
  return step.value;
}
