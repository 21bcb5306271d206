import assert from 'node:assert/strict';
import { introduce } from '../../../src/ui/shell/firstRun';
import { MemoryState } from '../../support/ui/memory';

/** Returns what each of two starts opens. */
async function twoStarts(options: { readonly isAlwaysShown: boolean; readonly withOverview: boolean }): Promise<readonly string[][]> {
  const state = new MemoryState();
  const starts: string[][] = [];
  for (let start = 0; start < 2; start += 1) {
    const commands: string[] = [];
    await introduce({ state, execute: (command) => Promise.resolve(void commands.push(command)), ...options });
    starts.push(commands);
  }
  return starts;
}

describe('The first start', () => {
  it('The first start opens the views and the overview, and later starts leave the window as it is', async () => {
    assert.deepEqual(await twoStarts({ isAlwaysShown: false, withOverview: true }), [
      ['binsight.positions.focus', 'binsight.openOverview'],
      [],
    ]);
  });

  it('With npm start, each start opens the views', async () => {
    assert.deepEqual(await twoStarts({ isAlwaysShown: true, withOverview: true }), [
      ['binsight.positions.focus', 'binsight.openOverview'],
      ['binsight.positions.focus'],
    ]);
  });

  it('A start without the overview opens only the views', async () => {
    assert.deepEqual(await twoStarts({ isAlwaysShown: false, withOverview: false }), [['binsight.positions.focus'], []]);
  });
});
