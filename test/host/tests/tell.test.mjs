import assert from 'node:assert/strict';
import { join } from 'node:path';
import { folderSize } from '../folderSize.mjs';
import { createTeller } from '../tell.mjs';
import { useTemporaryFolder, write } from './temporaryFolder.mjs';

/** A step that ends once its progress has been written twice. @returns everything that was written */
async function writtenDuring(isTTY) {
  const texts = [];
  let ended = () => {};
  const end = new Promise((resolve) => (ended = resolve));
  let measurements = 0;
  const teller = createTeller(
    {
      isTTY,
      write: (text) => {
        texts.push(text);
        if (texts.filter((one) => one.includes('MB')).length === 2) ended();
      },
    },
    { onTerminalMs: 1, inLogMs: 1 },
  );
  await teller.step(
    'Installing',
    () => end,
    () => Promise.resolve(`${++measurements} of about 900 MB`),
  );
  teller.say('Next');
  return texts;
}

describe('What scripts say', () => {
  const folder = useTemporaryFolder();

  it('A long step on a terminal overwrites one line with its progress and leaves no trace of it', async () => {
    assert.deepEqual(await writtenDuring(true), [
      'Installing …\n',
      '\r\u001b[2K  1 of about 900 MB after 0 s',
      '\r\u001b[2K  2 of about 900 MB after 0 s',
      '\r\u001b[2K',
      'Next\n',
    ]);
  });

  it('A long step in a log writes its progress line by line', async () => {
    assert.deepEqual(await writtenDuring(false), [
      'Installing …\n',
      '  1 of about 900 MB after 0 s\n',
      '  2 of about 900 MB after 0 s\n',
      'Next\n',
    ]);
  });

  it('The size of a folder is the sum of its files, and 0 before the folder exists', async () => {
    write(join(folder(), 'a'), 'a'.repeat(1_000));
    write(join(folder(), 'inner', 'b'), 'b'.repeat(234));
    assert.equal(await folderSize(folder()), 1_234);
    assert.equal(await folderSize(join(folder(), 'missing')), 0);
  });
});
