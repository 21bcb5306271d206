import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { asError, errorText, systemCode } from '../../../src/base/thrown';

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe('What was thrown', () => {
  it('An error says its message, and anything else itself', () => {
    assert.deepEqual([new TypeError('No such pool'), 'No such pool', 7, undefined].map(errorText), [
      'No such pool',
      'No such pool',
      '7',
      'undefined',
    ]);
  });

  it('An error stays the same error, and anything else becomes the message of one', () => {
    const error = new TypeError('No such pool');
    assert.equal(asError(error), error);
    assert.equal(asError('No such pool').message, 'No such pool');
  });

  it('Only an error of the system has a code', () => {
    assert.equal(systemCode(thrownBy(() => readFileSync('no-such-file'))), 'ENOENT');
    for (const other of [new Error('ENOENT'), { code: 'ENOENT' }, Object.assign(new Error('Refused'), { code: -32097 })]) {
      assert.equal(systemCode(other), undefined);
    }
  });
});
