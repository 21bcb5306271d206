import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { Ending } from '../ending.mjs';
import { CommandError, endProcessesIn, npm, run, startProcess } from '../processes.mjs';
import { processTable } from '../processTable.mjs';
import { useTemporaryFolder, write } from './temporaryFolder.mjs';

const isRunning = (pid) => processTable().some((entry) => entry.pid === pid);

/** Starts a script that prints process ids, and gives them once it has. */
async function startPrinting(ending, script, options) {
  const child = startProcess(ending, process.execPath, ['--eval', script], { stdio: ['ignore', 'pipe', 'inherit'], ...options });
  const [chunk] = await once(child.stdout, 'data');
  return { child, pids: String(chunk).trim().split(' ').map(Number) };
}

/** What a stream still gives until its end. */
async function everything(stream) {
  let text = '';
  for await (const chunk of stream) text += chunk;
  return text;
}

/** A process, and another, with an argument, that it puts into a group of its own; both stay until told to end. */
const withDetachedChild = (argument) => `
  const args = ['--eval', 'setInterval(() => {}, 1000)', ${JSON.stringify(argument)}];
  const child = require('child_process').spawn(process.execPath, args, { detached: true, stdio: 'ignore' });
  console.log(process.pid, child.pid);
  setInterval(() => {}, 1000);`;
const WITH_DETACHED_CHILD = withDetachedChild('no-folder');

describe('Started processes', () => {
  it('A started process ends with all its descendants, including those that left its group', async () => {
    const ending = new Ending();
    const { pids } = await startPrinting(ending, WITH_DETACHED_CHILD);
    assert.deepEqual(pids.map(isRunning), [true, true]);
    await ending.end();
    assert.deepEqual(pids.map(isRunning), [false, false]);
  });

  it('A started process may end gracefully', async () => {
    const ending = new Ending();
    const script = `process.on('SIGTERM', () => setTimeout(() => { process.stdout.write('goodbye'); process.exit(); }, 300)); ${WITH_DETACHED_CHILD}`;
    const { child, pids } = await startPrinting(ending, script);
    const said = everything(child.stdout);
    await ending.end();
    assert.equal(await said, 'goodbye');
    assert.deepEqual(pids.map(isRunning), [false, false]);
  });

  it('A process that ignores the request to end is killed', async () => {
    const ending = new Ending();
    const script = "process.on('SIGTERM', () => {}); console.log(process.pid); setInterval(() => {}, 1000);";
    const { pids } = await startPrinting(ending, script, { endWith: { patienceMs: 200 } });
    await ending.end();
    assert.deepEqual(pids.map(isRunning), [false]);
  });

  it('Processes that end on their own after their parent are left alone and awaited', async () => {
    const ending = new Ending();
    // The child looks after its parent, as an extension host does, and would be killed by the signal.
    const host = `const parent = process.ppid;
      console.log(process.pid);
      setInterval(() => { if (process.ppid !== parent) { console.log('goodbye'); process.exit(); } }, 50);`;
    const script = `require('child_process').spawn(process.execPath, ['--eval', ${JSON.stringify(host)}, 'a-host'], { stdio: 'inherit' });
      setInterval(() => {}, 1000);`;
    const { child } = await startPrinting(ending, script, { endWith: { goodbyes: ({ command }) => command.endsWith('a-host') } });
    const said = everything(child.stdout);
    await ending.end();
    assert.equal(await said, 'goodbye\n');
  });

  it('A process that others also use is left running', async () => {
    const ending = new Ending();
    const { pids } = await startPrinting(ending, withDetachedChild('shared'), {
      endWith: { spares: ({ command }) => command.endsWith('shared') },
    });
    const [leader, shared] = pids;
    await ending.end();
    assert.deepEqual([isRunning(leader), isRunning(shared)], [false, true]);
    process.kill(shared, 'SIGKILL');
  });

  it('No process can be started while all processes end', async () => {
    const ending = new Ending();
    await ending.end();
    assert.throws(() => startProcess(ending, process.execPath, ['--version']), /ending/);
  });
});

describe('Running npm', () => {
  const folder = useTemporaryFolder();
  const usual = process.env.npm_execpath;
  afterEach(() => {
    if (usual === undefined) delete process.env.npm_execpath;
    else process.env.npm_execpath = usual;
  });

  it('The script ends npm without waiting for its downloads', async () => {
    const pidFile = join(folder(), 'pid');
    process.env.npm_execpath = join(folder(), 'npm-cli.js');
    // As the real one, it goes on when it is told to end, and ends when it is told again.
    write(
      process.env.npm_execpath,
      `process.once('SIGTERM', () => {}); setInterval(() => {}, 1000); require('fs').writeFileSync('pid', String(process.pid));`,
    );
    const ending = new Ending();
    const watcher = watch(folder());
    const installing = assert.rejects(npm(ending, ['ci'], folder()), CommandError);
    while (!existsSync(pidFile) || readFileSync(pidFile, 'utf8') === '') await once(watcher, 'change');
    watcher.close();
    const start = performance.now();
    await ending.end();
    await installing;
    assert.equal(isRunning(Number(readFileSync(pidFile, 'utf8'))), false);
    assert.ok(performance.now() - start < 8_000, `${performance.now() - start} ms`);
  });
});

describe('Processes in the folder of a run', () => {
  const folder = useTemporaryFolder();

  it('The cleanup ends every process that works in the folder of a run, regardless of its parent', async () => {
    const { child, pids } = await startPrinting(new Ending(), withDetachedChild(join(folder(), 'data')));
    const [parent, orphan] = pids;
    process.kill(parent, 'SIGKILL');
    await once(child, 'exit');
    assert.equal(isRunning(orphan), true);
    await endProcessesIn(folder());
    assert.equal(isRunning(orphan), false);
  });
});

describe('Commands', () => {
  it('A command returns its exit code and its output', async () => {
    const result = await run(new Ending(), process.execPath, ['--eval', "console.log('out'); console.error('err'); process.exitCode = 3"]);
    assert.equal(result.code, 3);
    assert.deepEqual(result.output.trim().split('\n').sort(), ['err', 'out']);
    assert.match(new CommandError('It', result).message, /^It failed with code 3\.\n/);
  });

  it('A command is ended with all its descendants when it makes no progress for the given time', async () => {
    const result = await run(new Ending(), process.execPath, ['--eval', WITH_DETACHED_CHILD], {
      stall: { limitMs: 1_000, progress: () => 'the same' },
    });
    assert.equal(result.stalled, true);
    assert.deepEqual(result.output.trim().split(' ').map(Number).map(isRunning), [false, false]);
    assert.match(new CommandError('It', result).message, /^It stalled and was ended\./);
  });

  it('A command may run longer than the limit while it makes progress', async () => {
    let looks = 0;
    const script = 'setTimeout(() => undefined, 1_500)';
    const result = await run(new Ending(), process.execPath, ['--eval', script], { stall: { limitMs: 300, progress: () => (looks += 1) } });
    assert.deepEqual({ code: result.code, stalled: result.stalled }, { code: 0, stalled: false });
    assert.ok(looks > 3, `${looks} looks`);
  });

  it('A command that does not exist is reported', async () => {
    await assert.rejects(run(new Ending(), 'no-such-command', []), /ENOENT/);
  });
});
