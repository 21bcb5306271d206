import assert from 'node:assert/strict';
import { boundedLog } from '../../src/engine/process/serviceProcess';

describe('The log of the sandbox', () => {
  it('The log of the sandbox ends when it is full and says so once', () => {
    let text = '';
    const log = boundedLog((more) => (text += more), 1_000);
    for (let count = 0; count < 500; count += 1) {
      log(`message ${count}`);
    }
    assert.ok(text.length < 1_200, String(text.length));
    assert.match(text, /^message 0\nmessage 1\n/);
    assert.equal(text.split('The log is full').length, 2);
  });

  it('The log cuts a message that is too long', () => {
    let text = '';
    boundedLog((more) => (text += more))('x'.repeat(1_000_000));
    assert.ok(text.length < 20_000);
  });
});
