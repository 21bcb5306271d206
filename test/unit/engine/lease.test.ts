import assert from 'node:assert/strict';
import { Leases } from '../../../src/engine/process/lease';

/** Whether a promise has resolved by now. */
async function isResolved(promise: Promise<void>): Promise<boolean> {
  return Promise.race([promise.then(() => true), new Promise<boolean>((resolve) => setImmediate(() => resolve(false)))]);
}

describe('Leases', () => {
  it('The process is abandoned when no first client comes, and not while one holds a lease', async () => {
    await new Leases(1, 1).abandoned;
    const leases = new Leases(1, 60_000);
    const release = leases.hold();
    leases.hold()();
    assert.equal(await isResolved(leases.abandoned), false);
    release();
    release();
    await leases.abandoned;
  });

  it('Work that is under way is finished before the process is abandoned', async () => {
    let asked = 0;
    const leases: Leases = new Leases(1, 1, () => {
      asked += 1;
      return asked < 3;
    });
    await leases.abandoned;
    assert.equal(asked, 3);
  });
});
