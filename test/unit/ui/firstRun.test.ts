import assert from 'node:assert/strict';
import { introduceOnce } from '../../../src/ui/shell/firstRun';
import { MemoryState } from '../../support/ui/memory';

describe('The first run', () => {
  it('The first run opens the views, and no later run does', async () => {
    const state = new MemoryState();
    const commands: string[] = [];
    const run = () => introduceOnce(state, (command) => Promise.resolve(void commands.push(command)));
    await run();
    await run();
    assert.deepEqual(commands, ['binsight.positions.focus']);
  });
});
