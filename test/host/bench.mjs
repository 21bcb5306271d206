// What is measured on this machine (test/bench): `npm run bench`, what it costs to have Binsight; `npm run bench:sandbox`, what the sandbox does;
// `npm run bench:service`, what the service over a chain does; `npm run bench:review`, what the review takes; `npm run bench:operations`, what operations add to the service's own time. And `npm run fuzz` (test/fuzz):
// mutated transactions, the same ones in every run; `npm run crash` (test/crash): processes that are killed in the middle of operations.
import { requireNode } from './nodeVersion.mjs';

requireNode();
const { mkdtempSync, readFileSync, rmSync } = await import('node:fs');
const { tmpdir } = await import('node:os');
const { join } = await import('node:path');
const { parseArgs } = await import('node:util');
const { runToEnd } = await import('./ending.mjs');
const { projectRoot } = await import('./paths.mjs');
const { aloneAtSetup, prepareProject } = await import('./prepare.mjs');
const { run } = await import('./processes.mjs');
const { createTeller } = await import('./tell.mjs');

const tell = createTeller();
const PROGRAMS = {
  startup: ['bench', 'bench.js'],
  sandbox: ['bench', 'sandboxBench.js'],
  service: ['bench', 'serviceBench.js'],
  review: ['bench', 'reviewBench.js'],
  operations: ['bench', 'operationsBench.js'],
  panels: ['bench', 'panelsBench.js'],
  fuzz: ['fuzz', 'fuzz.js'],
  crash: ['crash', 'crash.js'],
};
const [name = 'startup', ...args] = process.argv.slice(2);
const inProject = { cwd: projectRoot };

/**
 * Runs test/bench/editor within VS Code and prints its lines: once with a new profile, then several times with the same one.
 * @param {import('./ending.mjs').Ending} ending
 * @param {string[]} options `--idle-minutes N`: how long the idle processor time is measured (5)
 */
async function benchInEditor(ending, options) {
  const { values } = parseArgs({ args: options, options: { 'idle-minutes': { type: 'string', default: '5' } } });
  const folder = mkdtempSync(join(tmpdir(), 'binsight-bench-'));
  ending.add(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const log = join(folder, 'log');
  const starts = [
    ['a new profile', '0'],
    ['the same profile again', '0'],
    ['the same profile again', values['idle-minutes']],
  ];
  for (const [profile, idleMinutes] of starts) {
    tell.say(`\nVS Code with ${profile}`);
    const { code } = await run(
      ending,
      process.execPath,
      [
        join(projectRoot, 'test', 'host', 'editorTests.mjs'),
        ...['--log', log, '--results', join(folder, 'results'), '--console', join(folder, 'console'), '--timeout', '0'],
        ...['--entry', join('bench', 'editor'), '--folder', folder],
      ],
      { ...inProject, env: { ...process.env, BINSIGHT_BENCH_IDLE_MINUTES: idleMinutes } },
    );
    tell.write(readFileSync(log, 'utf8'));
    if (code !== 0) return code ?? 1;
  }
  return 0;
}

await runToEnd(async (ending) => {
  await prepareProject(ending, tell, { build: false });
  await aloneAtSetup(ending, tell, () => tell.step('Building', () => run(ending, process.execPath, ['esbuild.mjs', '--tests'], inProject)));
  if (name === 'editor') return benchInEditor(ending, args);
  const { code } = await run(ending, process.execPath, [join('dist', 'test', ...PROGRAMS[name]), ...args], { ...inProject, show: true });
  return code ?? 1;
});
