import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ending } from '../ending.mjs';
import { projectRoot } from '../paths.mjs';
import { useTemporaryFolder, write } from './temporaryFolder.mjs';

const MODULE = pathToFileURL(join(projectRoot, 'test', 'host', 'ending.mjs')).href;

/** A script whose work is `work`, and which says "undone" when what it did is undone. */
const script = (work) => `
  import { runToEnd } from ${JSON.stringify(MODULE)};
  await runToEnd(async (ending) => {
    ending.add(() => console.log('undone'));
    ${work}
  });`;

const FOR_EVER = 'await new Promise((resolve) => { setInterval(() => {}, 1000); console.log("ready"); });';

/** Runs a command, does `act` once it is ready, and gives how it ended and all it said. */
async function watch(command, args, { env = process.env, act = () => undefined } = {}) {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      said += chunk;
      if (chunk.includes('ready')) act(child);
    });
  }
  const [code] = await once(child, 'close');
  return { code, said };
}

const node = (work, options) => watch(process.execPath, ['--input-type=module', '--eval', script(work)], options);

describe('The end of a script', () => {
  const folder = useTemporaryFolder();

  it('A script exits with the code that its work returned', async () => {
    assert.deepEqual(await node('return 4;'), { code: 4, said: 'undone\n' });
  });

  it('A failed script reports in one line what failed', async () => {
    assert.deepEqual(await node("throw new Error('no such thing');"), { code: 1, said: 'undone\n\nno such thing\n' });
  });

  for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })) {
    it(`A script ends on ${signal}, also when the signal is sent twice`, async () => {
      const act = (child) => {
        child.kill(signal);
        child.kill(signal);
      };
      assert.deepEqual(await node(FOR_EVER, { act }), { code, said: 'ready\nundone\n' });
    });
  }

  it('A script ends when the shell between npm and the script ends', async () => {
    const file = join(folder(), 'script.mjs');
    write(file, script(FOR_EVER));
    // A second command, so that the shell stays.
    const command = `"${process.execPath}" "${file}"; true`;
    const env = { ...process.env, npm_lifecycle_event: 'start' };
    const { said } = await watch('sh', ['-c', command], { env, act: (shell) => shell.kill('SIGTERM') });
    assert.equal(said, 'ready\nundone\n');
  });

  it('Cleanup runs once, newest first, and completes even if a step fails', async () => {
    const ending = new Ending();
    const log = [];
    ending.add(() => log.push('first'));
    ending.add(() => Promise.resolve().then(() => log.push('second')));
    ending.add(() => log.push('forgotten'))();
    await Promise.all([ending.end(), ending.end()]);
    assert.deepEqual(log, ['second', 'first']);
    assert.throws(() => ending.throwIfEnding(), /ending/);
  });
});
