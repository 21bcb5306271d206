import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ProviderSchedule } from '../../../../src/sandbox/market/simulation/provider';

const appointments = fc.uniqueArray(fc.record({ key: fc.string({ minLength: 1, maxLength: 4 }), dueAt: fc.integer({ min: 0, max: 20 }) }), {
  selector: ({ key }) => key,
  maxLength: 40,
});

function drain(agenda: ProviderSchedule<string>, now: number): string[] {
  const keys: string[] = [];
  for (let due = agenda.next(now); due !== undefined; due = agenda.next(now)) {
    keys.push(`${due.dueAt} ${due.key}`);
  }
  return keys;
}

describe('The schedule of providers', () => {
  it('The schedule returns due providers in order, regardless of the order of entry', () => {
    fc.assert(
      fc.property(appointments, fc.nat(20), fc.integer({ min: 0, max: 20 }), (all, split, now) => {
        const agenda = new ProviderSchedule(all.slice(0, split));
        all.slice(split).forEach((appointment) => agenda.add(appointment));
        const expected = all
          .filter(({ dueAt }) => dueAt <= now)
          .sort((a, b) => a.dueAt - b.dueAt || (a.key < b.key ? -1 : 1))
          .map(({ key, dueAt }) => `${dueAt} ${key}`);
        assert.deepEqual(drain(agenda, now), expected);
        assert.equal(drain(agenda, 20).length, all.length - expected.length);
      }),
    );
  });

  it('The schedule restores what was removed and added since the start of an attempt', () => {
    fc.assert(
      fc.property(appointments, appointments, fc.integer({ min: 0, max: 20 }), (before, during, now) => {
        const agenda = new ProviderSchedule(before);
        agenda.begin();
        drain(agenda, now);
        during.forEach((appointment) => agenda.add(appointment));
        agenda.rollBack();
        assert.deepEqual(drain(agenda, 20), drain(new ProviderSchedule(before), 20));
      }),
    );
  });
});
