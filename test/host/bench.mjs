// `npm run bench`: all benchmarks (benches.mjs), and one table of what they measured on this machine. Nothing is asserted about the figures.
//   npm run bench -- review sandbox           these alone
//   npm run bench -- --quick                  smaller ones, where a benchmark has them
//   npm run bench -- service --positions 20   one, with its own options
import { requireNode } from './nodeVersion.mjs';

requireNode();
const { mkdtempSync, readFileSync, rmSync } = await import('node:fs');
const { tmpdir } = await import('node:os');
const { join } = await import('node:path');
const { parseArgs } = await import('node:util');
const { chosenBenches, runBenches } = await import('./benches.mjs');
const { ROWS_VARIABLE, readRows, tableOf } = await import('./benchRows.mjs');
const { runToEnd } = await import('./ending.mjs');
const { projectRoot } = await import('./paths.mjs');
const { prepareTests } = await import('./prepare.mjs');
const { run } = await import('./processes.mjs');
const { createTeller } = await import('./tell.mjs');

const tell = createTeller();
const inProject = { cwd: projectRoot };

/**
 * Runs test/bench/editor within VS Code and prints its lines: once with a new profile, then several times with the same one.
 * @param {import('./ending.mjs').Ending} ending
 * @param {readonly string[]} options `--idle-minutes N`: how long the idle processor time is measured (5)
 * @param {NodeJS.ProcessEnv} env
 */
async function benchInEditor(ending, options, env) {
  const { values } = parseArgs({ args: [...options], options: { 'idle-minutes': { type: 'string', default: '5' } } });
  const folder = mkdtempSync(join(tmpdir(), 'binsight-bench-'));
  ending.add(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const log = join(folder, 'log');
  const starts = [
    ['a new profile', '0'],
    ['the same profile again', '0'],
    ['the same profile again', values['idle-minutes']],
  ];
  let told = 0;
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
      { ...inProject, env: { ...env, BINSIGHT_BENCH_IDLE_MINUTES: idleMinutes, BINSIGHT_BENCH_PROFILE: profile } },
    );
    tell.write(readFileSync(log, 'utf8'));
    // What the extension host writes reaches no terminal.
    for (const { what, result } of readRows(env[ROWS_VARIABLE]).slice(told)) tell.say(`${what}: ${result}`);
    told = readRows(env[ROWS_VARIABLE]).length;
    if (code !== 0) return code ?? 1;
  }
  return 0;
}

await runToEnd(async (ending) => {
  const benches = chosenBenches(process.argv.slice(2));
  await prepareTests(ending, tell);
  const folder = mkdtempSync(join(tmpdir(), 'binsight-rows-'));
  ending.add(() => rmSync(folder, { recursive: true, force: true }));
  const { results, failures } = await runBenches(benches, async ({ name, measures, program, args }) => {
    ending.throwIfEnding();
    tell.say(`\n== ${name}: ${measures} ==`);
    const rows = join(folder, name);
    const env = { ...process.env, [ROWS_VARIABLE]: rows };
    const code =
      program === undefined
        ? await benchInEditor(ending, args, env)
        : (await run(ending, process.execPath, [join('dist', 'test', 'bench', program), ...args], { ...{ ...inProject, env }, show: true }))
            .code;
    return { code, rows: readRows(rows) };
  });
  tell.say(`\n${tableOf(results)}`);
  for (const failure of failures) tell.say(`FAILED  ${failure}`);
  return failures.length === 0 ? 0 : 1;
});
