import assert from 'node:assert/strict';
import { LOADING, type Part } from '../../../../src/protocol/schemas';
import { partGuard, sharedError } from '../../../../webview/shared/partView';

const failed = (words: string): Part<never> => ({ status: 'failed', words });
const stale = <Data>(data: Data, words: string): Part<Data> => ({ status: 'stale', data, words });

describe('Shared errors of several parts', () => {
  const ready: Part<never> = { status: 'ready' };

  it('The same error of several parts is shown once', () => {
    assert.deepEqual(
      sharedError({ overview: failed('No answer.'), open: LOADING, earned: failed('No answer.'), history: failed('Another.') }),
      { words: 'No answer.', remedies: undefined, parts: ['overview', 'earned'], isAll: false },
    );
  });

  it('A shared error offers the commands that fix its cause', () => {
    const remedies = [{ label: 'Connect to Service…', command: 'binsight.connectService' as const }];
    const refused: Part<never> = { ...failed('Refused.'), remedies };
    assert.equal(sharedError({ overview: refused, open: refused })?.remedies, remedies);
  });

  it('Different errors are shown separately, and no shared error exists without failures', () => {
    assert.equal(sharedError({ overview: failed('One.'), open: ready, earned: failed('Another.'), history: ready }), undefined);
    assert.equal(sharedError({ overview: ready, open: ready, earned: LOADING, history: ready }), undefined);
  });

  it('A shared error covers the whole panel only if no part was ever read', () => {
    const all = failed('Down.');
    assert.equal(sharedError({ overview: all, open: all, earned: all, history: all })?.isAll, true);
    assert.equal(sharedError({ overview: all, open: all, earned: stale([], 'Down.'), history: all })?.isAll, false);
  });

  it('Under a shared error, parts with data are shown, and the others as not known', () => {
    const trouble = sharedError({ pool: stale('known', 'Down.'), lpers: failed('Down.') });
    const guard = partGuard(trouble);
    const shown: Part<unknown>[] = [];
    const show = (part: Part<unknown>): string => `shown ${shown.push(part)}`;
    assert.equal(guard(stale('known', 'Down.'), 'pool', show), 'shown 1');
    assert.notEqual(guard(failed('Down.'), 'lpers', show), 'shown 2');
    assert.deepEqual(shown, [{ status: 'ready', data: 'known', words: 'Down.' }]);
  });

  it('A part with its own error is shown unchanged', () => {
    const alone = failed('Alone.');
    const guard = partGuard(sharedError({ pool: failed('Down.'), lpers: failed('Down.'), own: alone }));
    assert.equal(
      guard(alone, 'own', (part) => (part === alone ? 'as it is' : 'otherwise')),
      'as it is',
    );
  });
});
