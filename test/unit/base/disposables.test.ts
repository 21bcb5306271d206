import assert from 'node:assert/strict';
import { DisposableStore } from '../../../src/base/async/disposables';

describe('DisposableStore', () => {
  const recorder = () => {
    const disposed: string[] = [];
    return { disposed, named: (name: string) => ({ dispose: () => void disposed.push(name) }) };
  };

  it('disposes of what it owns once, the newest first.', () => {
    const { disposed, named } = recorder();
    const store = new DisposableStore();
    store.add(named('first'), named('second'));
    store.add(named('third'));
    store.dispose();
    store.dispose();
    assert.deepEqual(disposed, ['third', 'second', 'first']);
  });

  it('disposes at once of what is added after the end.', () => {
    const { disposed, named } = recorder();
    const store = new DisposableStore();
    store.dispose();
    store.add(named('late'));
    assert.deepEqual(disposed, ['late']);
    assert.equal(store.isDisposed, true);
  });

  it('disposes of the others when one throws, and then throws itself.', () => {
    const { disposed, named } = recorder();
    const store = new DisposableStore();
    store.add(named('first'), { dispose: () => assert.fail('broken') }, named('third'));
    assert.throws(() => store.dispose(), AggregateError);
    assert.deepEqual(disposed, ['third', 'first']);
  });
});
