import assert from 'node:assert/strict';
import { Ages } from '../../../../src/transactions/journal/ages';
import type { OperationRecord } from '../../../../src/transactions/journal/types';

const MINUTE_MS = 60_000;
/** An operation that was begun, and perhaps built, at these times. */
const operation = (id: string, createdAtMs: number, builtAtMs?: number): OperationRecord =>
  ({ id, created: { atMs: createdAtMs }, built: builtAtMs === undefined ? undefined : { atMs: builtAtMs } }) as unknown as OperationRecord;

describe('journal: age of an operation', () => {
  let wallMs = 1_000 * MINUTE_MS;
  let steadyMs = 5;
  let ages: Ages;
  const pass = (ms: number): void => {
    wallMs += ms;
    steadyMs += ms;
  };

  beforeEach(() => {
    [wallMs, steadyMs] = [1_000 * MINUTE_MS, 5];
    ages = new Ages(
      () => wallMs,
      () => steadyMs,
    );
  });

  it("The age of this process's operations advances by the steady clock, however the system clock changes", () => {
    const builtAtMs = wallMs;
    ages.stamped('own', builtAtMs);
    for (const jumpMs of [10 * MINUTE_MS, -100 * MINUTE_MS, 3]) {
      wallMs += jumpMs;
      pass(MINUTE_MS);
    }
    assert.equal(ages.nowFor(operation('own', 0, builtAtMs)) - builtAtMs, 3 * MINUTE_MS);
    ages.stamped('own', wallMs);
    assert.equal(ages.nowFor(operation('own', 0, wallMs)) - wallMs, 0, 'built once more');
  });

  it("The age of another process's operation starts from the system clock once and then advances steadily", () => {
    const builtAtMs = wallMs - 2 * MINUTE_MS;
    const other = operation('other', builtAtMs);
    assert.equal(ages.nowFor(other) - builtAtMs, 2 * MINUTE_MS);
    wallMs += 60 * MINUTE_MS;
    pass(MINUTE_MS);
    assert.equal(ages.nowFor(other) - builtAtMs, 3 * MINUTE_MS);
    ages.forget('other');
    assert.equal(ages.nowFor(other) - builtAtMs, 63 * MINUTE_MS);
  });

  it('The age starts at zero if the system clock was set back before the first look', () => {
    const builtAtMs = wallMs + 30 * MINUTE_MS;
    assert.equal(ages.nowFor(operation('other', 0, builtAtMs)) - builtAtMs, 0);
    pass(MINUTE_MS);
    assert.equal(ages.nowFor(operation('other', 0, builtAtMs)) - builtAtMs, MINUTE_MS);
  });
});
