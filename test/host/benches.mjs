/**
 * A benchmark.
 * @typedef {object} Bench
 * @property {string} name as in `npm run bench -- NAME`
 * @property {string} measures what its rows say
 * @property {string} [program] in dist/test/bench; left out: it runs within VS Code
 * @property {readonly string[]} [args]
 * @property {readonly string[]} [quick] with `--quick`, instead of `args`
 */

/** All benchmarks, the quick ones first. @type {readonly Bench[]} */
export const BENCHES = [
  { name: 'startup', measures: 'what activation loads, and how long the sandbox takes to start', program: 'startupBench.js' },
  { name: 'review', measures: 'a review of v0 and v1, beside @solana/web3.js reading and signing the same', program: 'reviewBench.js' },
  {
    name: 'insight',
    measures: 'an outlook while a range is dragged, and the other operations with large inputs',
    program: 'insightBench.js',
  },
  {
    name: 'journal',
    measures: 'the first read of a journal of ten thousand operations, with and without its index',
    program: 'operationsBench.js',
    args: ['--journal'],
    quick: ['--journal'],
  },
  {
    name: 'operations',
    measures: "what operations add to the service's own time, beside a bare script (--transactions v1: other versions)",
    program: 'operationsBench.js',
  },
  { name: 'sandbox', measures: 'how fast the sandbox answers and lands (--transactions v1)', program: 'sandboxBench.js' },
  {
    name: 'load',
    measures: 'memory and latency of the sandbox under ten clients with faults (--seconds 60)',
    program: 'sandboxBench.js',
    args: ['--load'],
    quick: ['--load', '--seconds', '30'],
  },
  {
    name: 'service',
    measures: 'on the little mainnet: how fast the service over a chain answers, builds and lands, and its requests to the RPC',
    program: 'serviceBench.js',
    quick: ['--transactions', '500', '--positions', '20'],
  },
  {
    name: 'first',
    measures: 'how soon a new service has the positions, profits and history of a wallet, on a slow RPC, with and without public data',
    program: 'firstAnswersBench.js',
    quick: ['--transactions', '500', '--closed', '20'],
  },
  { name: 'panels', measures: 'first paint, frames, memory and sizes of the panels', program: 'panelsBench.js' },
  {
    name: 'activation',
    measures: 'the activation times that VS Code counts, of Binsight and of the extensions that come with VS Code',
    program: 'activationBench.js',
  },
  {
    name: 'editor',
    measures:
      'in VS Code: activation with a new and a used profile, refreshes of 10 to 10,000 positions, memory, idle time (--idle-minutes 1)',
    quick: ['--idle-minutes', '0.2'],
  },
];

/**
 * Which benchmarks a command line asks for, and with what options: `[NAME…] [--quick]`, or one name and its own options.
 * @param {readonly string[]} argv
 * @returns {readonly Bench[]} with the `args` to run them with
 * @throws Error where a name is not known, or options do not belong to one benchmark
 */
export function chosenBenches(argv) {
  const isQuick = argv.includes('--quick');
  const others = argv.filter((arg) => arg !== '--quick');
  const firstOption = others.findIndex((arg) => arg.startsWith('-'));
  const names = firstOption === -1 ? others : others.slice(0, firstOption);
  const options = firstOption === -1 ? [] : others.slice(firstOption);
  const unknown = names.filter((name) => !BENCHES.some((bench) => bench.name === name));
  if (unknown.length > 0) {
    throw new Error(`No benchmark is called ${unknown.join(', ')}. The benchmarks: ${BENCHES.map(({ name }) => name).join(', ')}.`);
  }
  if (options.length > 0 && names.length !== 1) throw new Error(`Name the one benchmark that takes ${options.join(' ')}.`);
  return BENCHES.filter(({ name }) => names.length === 0 || names.includes(name)).map(({ quick, args = [], ...bench }) => ({
    ...bench,
    args: [...(isQuick ? (quick ?? args) : args), ...options],
  }));
}

/**
 * Runs benchmarks one after the other. One that fails does not keep the others from running.
 * @param {readonly Bench[]} benches
 * @param {(bench: Bench) => Promise<{ code: number | null, rows: readonly import('./benchRows.mjs').BenchRow[] }>} runOne
 * @returns {Promise<{ results: { name: string, rows: readonly import('./benchRows.mjs').BenchRow[] }[], failures: string[] }>}
 */
export async function runBenches(benches, runOne) {
  const results = [];
  const failures = [];
  for (const bench of benches) {
    const { name } = bench;
    try {
      const { code, rows } = await runOne(bench);
      results.push({ name, rows });
      if (code !== 0) failures.push(`${name}: ended with code ${code ?? 'none'}`);
      else if (rows.length === 0) failures.push(`${name}: reported no result`);
    } catch (error) {
      failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { results, failures };
}
