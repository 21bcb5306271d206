import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { answerQuestion } from '../../../../src/cli/insightAnswer';

// Questions with answers that were computed by other means: by Monte Carlo, by the real programs, from wallet balances, or by hand.

const FOLDER = join('test', 'unit', 'base', 'insight', 'vectors');

const Tolerance = z.object({
  exact: z.boolean().optional(),
  relative: z.number().optional(),
  absolute: z.number().optional(),
  /** The figure of the expectation that `relative` is of. */
  relativeTo: z.string().optional(),
});
type Tolerance = z.output<typeof Tolerance>;

const Vector = z.object({
  op: z.string(),
  name: z.string(),
  input: z.unknown(),
  expect: z.record(z.string(), z.unknown()),
  tolerance: Tolerance.extend({ paths: z.record(z.string(), Tolerance).optional() }),
});
type Vector = z.output<typeof Vector>;

/** Rounding of the figures in the files. */
const WRITTEN_DIGITS = 1e-9;

/** The tolerance of the longest pattern that a path matches. */
function toleranceOf({ tolerance }: Vector, path: string): Tolerance {
  const patterns = Object.entries(tolerance.paths ?? {}).filter(([pattern]) =>
    new RegExp(`^${pattern.replaceAll('.', String.raw`\.`).replaceAll('*', '.*')}$`).test(path),
  );
  return patterns.toSorted(([first], [second]) => second.length - first.length)[0]?.[1] ?? tolerance;
}

/** The fields of an object; of anything else none. */
function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function figureAt(value: unknown, path: string): number {
  const found = path.split('.').reduce<unknown>((inner, key) => fieldsOf(inner)[key], value);
  return Number(found);
}

function compare(vector: Vector, expected: unknown, actual: unknown, path: string): void {
  const { relative = 0, absolute = 0, relativeTo, exact = false } = toleranceOf(vector, path);
  const isFigure = typeof expected === 'number' || (typeof expected === 'string' && /^-?\d+$/.test(expected));
  if (typeof expected === 'object' && expected !== null) {
    const [names, found] = [Object.keys(expected), Object.keys(fieldsOf(actual))];
    assert.ok(
      names.every((name) => found.includes(name)),
      `${path}: ${names.join()} in ${found.join()}`,
    );
    assert.ok(!Array.isArray(expected) || names.length === found.length, `${path}: ${names.length} of ${found.length}`);
    names.forEach((name) => compare(vector, fieldsOf(expected)[name], fieldsOf(actual)[name], path === '' ? name : `${path}.${name}`));
  } else if (isFigure && !exact && actual !== null) {
    const base = relativeTo === undefined ? Number(expected) : figureAt(vector.expect, relativeTo);
    const most = Math.max(absolute, Math.abs(base) * Math.max(relative, WRITTEN_DIGITS));
    assert.ok(Math.abs(Number(expected) - Number(actual)) <= most, `${path}: ${inspect(actual)} instead of ${inspect(expected)} ± ${most}`);
  } else {
    assert.equal(actual, expected, path);
  }
}

describe('Insight: answers that were computed by other means', () => {
  for (const file of readdirSync(FOLDER)) {
    const vectors = z.array(Vector).parse(JSON.parse(readFileSync(join(FOLDER, file), 'utf8')));
    for (const [index, vector] of vectors.entries()) {
      it(`The answer to "${vector.op}: ${vector.name}" (${file}, ${index + 1}) is within its tolerance`, () => {
        const answer = answerQuestion(JSON.stringify({ schema: 1, op: vector.op, input: vector.input }));
        compare(vector, vector.expect, answer, '');
      });
    }
  }
});
