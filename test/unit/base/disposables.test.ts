import assert from 'node:assert/strict';
import { DisposableStore } from '../../../src/base/async/disposables';

describe('DisposableStore', () => {
  const recorder = () => {
    const disposed: string[] = [];
    return { disposed, named: (name: string) => ({ dispose: () => void disposed.push(name) }) };
  };

  it('The store disposes of its items once, in reverse order', () => {
    const { disposed, named } = recorder();
    const store = new DisposableStore();
    store.add(named('first'), named('second'));
    store.add(named('third'));
    store.dispose();
    store.dispose();
    assert.deepEqual(disposed, ['third', 'second', 'first']);
  });

  it('A disposed store disposes at once of items added later', () => {
    const { disposed, named } = recorder();
    const store = new DisposableStore();
    store.dispose();
    store.add(named('late'));
    assert.deepEqual(disposed, ['late']);
    assert.equal(store.isDisposed, true);
  });

  it('The store disposes of the other items if one throws, and then throws an AggregateError', () => {
    const { disposed, named } = recorder();
    const store = new DisposableStore();
    store.add(named('first'), { dispose: () => assert.fail('broken') }, named('third'));
    assert.throws(() => store.dispose(), AggregateError);
    assert.deepEqual(disposed, ['third', 'first']);
  });
});
