import assert from 'node:assert/strict';
import { EngineError, type EngineErrorKind } from '../../../../src/engine/engine';
import { answerOfAll, requireDistinct } from '../../../../src/engine/landing/standAlone';

type Result = Parameters<typeof answerOfAll>[0][number];

const landed = (signature: string): Result => ({ status: 'fulfilled', value: { method: 'JITO', signature } });
const failed = (kind: EngineErrorKind, message: string = kind): Result => ({ status: 'rejected', reason: new EngineError(kind, message) });

describe('Landing transactions that each stand alone', () => {
  it('All that landed answer with the last signature', () => {
    assert.deepEqual(answerOfAll([landed('one'), landed('two')]), { method: 'JITO', signature: 'two' });
  });

  it('Some that landed are named, none is the first failure, and an unknown outcome is said before anything else', () => {
    for (const [results, kind, message] of [
      [
        [failed('notLanded', 'It failed.'), landed('two'), landed('three')],
        'partiallyLanded',
        /^Only 2 of 3 .*\(numbers 2, 3\).* It failed\.$/,
      ],
      [[failed('notLanded', 'One.'), failed('unavailable', 'Two.')], 'notLanded', /^One\.$/],
      [[landed('one'), failed('notLanded'), failed('unconfirmed', 'Not known.')], 'unconfirmed', /^Not known\.$/],
    ] as const) {
      assert.throws(
        () => answerOfAll(results),
        (error) => error instanceof EngineError && error.kind === kind && message.test(error.message),
      );
    }
  });

  it('An error of the program itself is not taken for an answer', () => {
    const bug = new TypeError('a bug');
    assert.throws(() => answerOfAll([landed('one'), { status: 'rejected', reason: bug }]), bug);
  });

  it('No transaction, and one that is given twice, are refused before anything is landed', () => {
    assert.throws(() => requireDistinct([]), /no transaction/);
    assert.throws(() => requireDistinct([4, 5, 4]), /twice/);
    requireDistinct([4, 5]);
  });
});
