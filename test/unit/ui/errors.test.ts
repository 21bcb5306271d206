import assert from 'node:assert/strict';
import { Cancelled, orCancelled } from '../../../src/ui/shell/errors';

describe('Waiting that can be cancelled', () => {
  const never = new Promise<never>(() => undefined);

  it('Waiting ends when the signal is aborted, also if it was aborted before', async () => {
    const cancel = new AbortController();
    const waiting = orCancelled(never, cancel.signal);
    cancel.abort();
    await assert.rejects(waiting, Cancelled);
    await assert.rejects(orCancelled(never, cancel.signal), Cancelled);
  });

  it('Waiting gives the result of the work', async () => {
    assert.equal(await orCancelled(Promise.resolve(1), new AbortController().signal), 1);
  });
});
