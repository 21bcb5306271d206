import assert from 'node:assert/strict';
import { Emitter } from '../../../src/base/async/emitter';
import { ProblemInViews, type WindowProblem } from '../../../src/ui/shell/windowProblem';
import { fail } from '../../support/ui/memory';

const UPDATED: WindowProblem = { kind: 'replaced', brief: 'updated', message: 'Binsight was updated.' };
const ORDER = ['positions', 'wallet', 'pools'] as const;

describe('The problem of a window, in its views', () => {
  function views() {
    const changes = new Emitter<undefined>(fail);
    let current: WindowProblem | undefined;
    const inViews = new ProblemInViews(
      {
        get current() {
          return current;
        },
        onDidChange: (listener) => changes.on(listener),
      },
      ORDER,
      fail,
    );
    let rendered = 0;
    inViews.onDidChange(() => (rendered += 1));
    return {
      inViews,
      rendered: () => rendered,
      saying: () => ORDER.filter((view) => inViews.messageIn(view) !== undefined),
      set: (problem: WindowProblem | undefined) => {
        current = problem;
        changes.fire(undefined);
      },
    };
  }

  it('Only the uppermost visible view says that Binsight was updated', () => {
    const { inViews, saying, set } = views();
    ORDER.forEach((view) => inViews.setVisible(view, true));
    assert.deepEqual(saying(), []);
    set(UPDATED);
    assert.deepEqual(saying(), ['positions']);
    assert.equal(inViews.messageIn('positions'), UPDATED.message);
    set(undefined);
    assert.deepEqual(saying(), []);
  });

  it('When that view is hidden, the next one says it, and every view is rendered again', () => {
    const { inViews, rendered, saying, set } = views();
    inViews.setVisible('wallet', true);
    inViews.setVisible('pools', true);
    set(UPDATED);
    assert.deepEqual([saying(), rendered()], [['wallet'], 1]);
    inViews.setVisible('wallet', false);
    assert.deepEqual([saying(), rendered()], [['pools'], 2]);
    inViews.setVisible('positions', true);
    assert.deepEqual([saying(), rendered()], [['positions'], 3]);
    inViews.setVisible('pools', false);
    assert.deepEqual([saying(), rendered()], [['positions'], 3]);
  });

  it('Without a problem, views that are shown and hidden cause no work', () => {
    const { inViews, rendered } = views();
    inViews.setVisible('positions', true);
    inViews.setVisible('positions', false);
    assert.equal(rendered(), 0);
  });
});
