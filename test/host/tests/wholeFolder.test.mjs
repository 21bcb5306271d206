import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Ending } from '../ending.mjs';
import { makeWholeFolder } from '../wholeFolder.mjs';
import { useTemporaryFolder, write } from './temporaryFolder.mjs';

describe('Atomic creation of a folder', () => {
  const cache = useTemporaryFolder();
  const folder = () => join(cache(), 'vscode');
  const fillWith = (text) => async (unfinished) => write(join(unfinished, 'content'), text);

  it('The folder is made only once', async () => {
    await makeWholeFolder(folder(), new Ending(), fillWith('first'));
    await makeWholeFolder(folder(), new Ending(), () => assert.fail('made a second time'));
    assert.equal(readFileSync(join(folder(), 'content'), 'utf8'), 'first');
  });

  it('A failed build of the folder leaves nothing behind', async () => {
    const fill = async (unfinished) => {
      write(join(unfinished, 'content'));
      throw new Error('no network');
    };
    await assert.rejects(makeWholeFolder(folder(), new Ending(), fill), /no network/);
    assert.deepEqual(readdirSync(cache()), []);
  });

  it('A process that ends during the build of the folder leaves nothing behind', async () => {
    const ending = new Ending();
    const making = makeWholeFolder(folder(), ending, async (unfinished) => {
      write(join(unfinished, 'content'));
      await ending.end();
      assert.equal(existsSync(unfinished), false);
      throw new Error('ended');
    });
    await assert.rejects(making, /ended/);
    assert.deepEqual(readdirSync(cache()), []);
  });

  it('Of those that want the folder at once, one makes it and the others wait for it', async () => {
    let made = 0;
    await Promise.all(
      Array.from({ length: 4 }, () =>
        makeWholeFolder(folder(), new Ending(), async (unfinished) => {
          made += 1;
          await delay(20);
          write(join(unfinished, 'content'), 'whole');
        }),
      ),
    );
    assert.equal(made, 1);
    assert.equal(readFileSync(join(folder(), 'content'), 'utf8'), 'whole');
    assert.deepEqual(readdirSync(cache()), ['vscode']);
  });

  it('Where one could not make the folder, the next one that waits for it does', async () => {
    const failing = makeWholeFolder(folder(), new Ending(), () => Promise.reject(new Error('no network')));
    const next = makeWholeFolder(folder(), new Ending(), fillWith('next'));
    await assert.rejects(failing, /no network/);
    await next;
    assert.equal(readFileSync(join(folder(), 'content'), 'utf8'), 'next');
  });

  it('Old leftovers of a killed process are removed, but not folders that may still be filled', async () => {
    const [old, recent] = ['vscode.unfinished-1', 'vscode.unfinished-2'].map((name) => join(cache(), name));
    for (const path of [old, recent]) mkdirSync(path);
    utimesSync(old, 1_000, 1_000);
    await makeWholeFolder(folder(), new Ending(), fillWith('new'));
    assert.deepEqual(readdirSync(cache()).sort(), ['vscode', 'vscode.unfinished-2']);
  });
});
