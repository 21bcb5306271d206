import assert from 'node:assert/strict';
import { LOADING, type Part } from '../../../../src/protocol/schemas';
import { partGuard, sharedError } from '../../../../webview/shared/partView';

const failed = (words: string): Part<never> => ({ standing: 'failed', words });
const stale = <Data>(data: Data, words: string): Part<Data> => ({ standing: 'stale', data, words });

describe('the trouble of several parts', () => {
  const ready: Part<never> = { standing: 'ready' };

  it('is told once where it is the same', () => {
    assert.deepEqual(
      sharedError({ overview: failed('No answer.'), open: LOADING, earned: failed('No answer.'), history: failed('Another.') }),
      { words: 'No answer.', parts: ['overview', 'earned'], isAll: false },
    );
  });

  it('is each its own where it is not, and none where there is none', () => {
    assert.equal(sharedError({ overview: failed('One.'), open: ready, earned: failed('Another.'), history: ready }), undefined);
    assert.equal(sharedError({ overview: ready, open: ready, earned: LOADING, history: ready }), undefined);
  });

  it('is all there is only where nothing was ever read', () => {
    const all = failed('Down.');
    assert.equal(sharedError({ overview: all, open: all, earned: all, history: all })?.isAll, true);
    assert.equal(sharedError({ overview: all, open: all, earned: stale([], 'Down.'), history: all })?.isAll, false);
  });

  it('takes the banner from its parts: those that are known are shown, the others say that they are not', () => {
    const trouble = sharedError({ pool: stale('known', 'Down.'), lpers: failed('Down.') });
    const guard = partGuard(trouble);
    const shown: Part<unknown>[] = [];
    const show = (part: Part<unknown>): string => `shown ${shown.push(part)}`;
    assert.equal(guard(stale('known', 'Down.'), 'pool', show), 'shown 1');
    assert.notEqual(guard(failed('Down.'), 'lpers', show), 'shown 2');
    assert.deepEqual(shown, [{ standing: 'ready', data: 'known', words: 'Down.' }]);
  });

  it('leaves a part alone whose trouble is its own', () => {
    const alone = failed('Alone.');
    const guard = partGuard(sharedError({ pool: failed('Down.'), lpers: failed('Down.'), own: alone }));
    assert.equal(
      guard(alone, 'own', (part) => (part === alone ? 'as it is' : 'otherwise')),
      'as it is',
    );
  });
});
