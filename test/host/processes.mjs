import { execFile, spawn } from 'node:child_process';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { processTable } from './processTable.mjs';
import { isUnreachable, linesOfCause, meaningOfNpmFailure } from './setupProblems.mjs';

const POLL_MS = 100;
/** How long an orderly end may take before the rest is told to end. */
const PATIENCE_MS = 15_000;
/** How long those have that were told to. */
const LAST_WORDS_MS = 3_000;
/** npm, told to end, first goes on with what it downloads; what it leaves half installed is installed again (install.mjs, wholeFolder.mjs). */
const NPM_PATIENCE_MS = 1_000;
/** More tries than npm makes by itself, but sooner. */
const RETRIES = ['--fetch-retries=4', '--fetch-retry-factor=2', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=8000'];
/** How much of a quiet command's output is kept to be shown when it fails. */
const KEPT_OUTPUT = 64 * 1024;

/**
 * Starts a process in a group of its own, so that Ctrl-C in the terminal reaches this process alone, which then ends the
 * other in good order. When `ending` comes before it, it is ended with everything it started.
 * @param {import('./ending.mjs').Ending} ending
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions & { endWith?: EndOptions }} options
 */
export function startProcess(ending, command, args, { endWith, ...options } = {}) {
  ending.throwIfEnding();
  const child = spawn(command, args, { stdio: 'inherit', detached: process.platform !== 'win32', ...options });
  const forget = ending.add(() => endTree(child, endWith));
  child.once('exit', forget);
  return child;
}

/**
 * How a process and all it started are ended.
 * @typedef {object} EndOptions
 * @property {number} [patienceMs] how long the orderly end may take
 * @property {(entry: import('./processTable.mjs').ProcessEntry) => boolean} [goodbyes] which of the others end in good order
 *   by themselves once the first one has gone: then only that one is told, and these are waited for. Else its whole group
 *   is told, and waited for.
 * @property {(entry: import('./processTable.mjs').ProcessEntry) => boolean} [spares] which of the others are left as they are:
 *   somebody else uses them too
 */

/**
 * Ends a process and everything that it started, also what has left its group: asks for an orderly end, waits for it, tells
 * those that are left, and kills what is then still there.
 * @param {import('node:child_process').ChildProcess} child
 * @param {EndOptions} options
 */
export async function endTree(child, { patienceMs = PATIENCE_MS, goodbyes, spares = () => false } = {}) {
  const leader = child.pid;
  if (leader === undefined) return;
  if (process.platform === 'win32') {
    await new Promise((resolve) => execFile('taskkill', ['/pid', String(leader), '/t', '/f'], resolve));
    return;
  }
  const family = new Family(leader);
  family.members();
  send(goodbyes === undefined ? -leader : leader, 'SIGTERM');
  const isWaitedFor = goodbyes ?? (({ group }) => group === leader);
  await until(() => !family.members().some(isWaitedFor), patienceMs);
  const left = () => family.members().filter((entry) => !spares(entry));
  for (const { pid } of left()) send(pid, 'SIGTERM');
  await until(() => left().length === 0, LAST_WORDS_MS);
  for (const { pid } of left()) send(pid, 'SIGKILL');
  await until(() => left().length === 0, LAST_WORDS_MS);
}

/**
 * Ends every process whose command line contains the path of a folder that was made for one run. Such a process may outlive its
 * parent on purpose, as the sandbox does while it waits for another window.
 * @param {string} folder
 */
export async function endProcessesIn(folder) {
  if (process.platform === 'win32') return;
  // A process that is ending loses its command line before it leaves the table, so it is known by its id and start afterwards.
  const found = new Map();
  const left = () => {
    const table = processTable();
    for (const { pid, started, command } of table) if (pid !== process.pid && command.includes(folder)) found.set(pid, started);
    return table.filter(({ pid, started }) => found.get(pid) === started);
  };
  for (const { pid } of left()) send(pid, 'SIGTERM');
  await until(() => left().length === 0, LAST_WORDS_MS);
  for (const { pid } of left()) send(pid, 'SIGKILL');
  await until(() => left().length === 0, LAST_WORDS_MS);
}

function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself in this moment.
  }
}

/** A process and its descendants, remembered from look to look: an orphan is not found by its parent any more. */
class Family {
  #known = new Map();

  constructor(pid) {
    this.leader = pid;
  }

  /** Those of the family that run at this moment, new ones included. */
  members() {
    const table = processTable();
    const living = table.filter(
      ({ pid, group, started }) =>
        group === this.leader || (pid === this.leader && !this.#known.has(pid)) || this.#known.get(pid) === started,
    );
    for (let newest = living; newest.length > 0;) {
      for (const { pid, started } of newest) this.#known.set(pid, started);
      const parents = new Set(newest.map(({ pid }) => pid));
      newest = table.filter((entry) => parents.has(entry.parent) && !living.includes(entry));
      living.push(...newest);
    }
    return living;
  }
}

async function until(condition, limitMs) {
  const limit = performance.now() + limitMs;
  while (!condition() && performance.now() < limit) await delay(POLL_MS);
}

/** How often it is checked whether a command still makes progress. */
const PROGRESS_EVERY_MS = 1_000;

/**
 * When a command counts as stalled. The limit is not on the duration of the command, which depends on the machine.
 * @typedef {object} StallOptions
 * @property {() => unknown} progress a value that changes whenever the command has made progress
 * @property {number} limitMs how long this value may stay the same
 */

/**
 * Runs a command to its end. Ends it, with everything it started, when it stalls.
 * @param {import('./ending.mjs').Ending} ending
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, stall?: StallOptions, show?: boolean, write?: (text: string) => void }} options `show`: its
 *   output goes where ours goes; `write`: called with its output
 * @returns {Promise<{ code: number | null, signal: NodeJS.Signals | null, stalled: boolean, output: string }>} `output` is the end of what it wrote, where not shown
 */
export async function run(ending, command, args, { stall, show = false, write = () => undefined, ...options } = {}) {
  const child = startProcess(ending, command, args, {
    ...options,
    stdio: show ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (chunk) => {
    output = (output + chunk).slice(-KEPT_OUTPUT);
    write(chunk);
  };
  child.stdout?.setEncoding('utf8').on('data', keep);
  child.stderr?.setEncoding('utf8').on('data', keep);
  let ended;
  const stopWatching = stall === undefined ? () => undefined : whenStalled(stall, () => (ended = endTree(child)));
  try {
    const [code, signal] = await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (...end) => resolve(end));
    });
    return { code, signal, stalled: ended !== undefined, output };
  } finally {
    stopWatching();
    // It may be gone, and what it started not yet.
    await ended;
  }
}

/**
 * Calls `onStall` once, when the progress value has stayed the same for the limit.
 * @param {StallOptions} stall
 * @param {() => void} onStall
 * @returns {() => void} stops watching
 */
function whenStalled({ progress, limitMs }, onStall) {
  let last = progress();
  let unchangedMs = 0;
  const everyMs = Math.min(PROGRESS_EVERY_MS, limitMs);
  // Ticks are counted instead of wall-clock time: a machine that was suspended has not stalled.
  const timer = setInterval(() => {
    const now = progress();
    unchangedMs = now === last ? unchangedMs + everyMs : 0;
    last = now;
    if (unchangedMs >= limitMs) {
      clearInterval(timer);
      onStall();
    }
  }, everyMs);
  return () => clearInterval(timer);
}

/** A command ended otherwise than well; the message has the end of what it wrote. */
export class CommandError extends Error {
  constructor(what, { code, signal, stalled, output }) {
    const how = stalled ? 'stalled and was ended' : code === null ? `was ended by ${signal}` : `failed with code ${code}`;
    super(`${what} ${how}.${output.trim() === '' ? '' : `\n${output.trim()}`}`);
  }
}

/** How long the registry may take to answer: a name server that is not there takes longer. */
const REGISTRY_LIMIT_MS = 10_000;

/**
 * Runs npm in a folder, quietly. Without the registry it does with the packages that it has stored: waiting for each of a thousand would
 * take minutes.
 * @param {import('./ending.mjs').Ending} ending
 * @param {readonly string[]} args
 * @param {string} cwd
 * @throws CommandError where npm fails
 */
export async function npm(ending, args, cwd) {
  const said = await silenceOfRegistry(ending, cwd);
  const result = await runNpm(ending, [...args, ...(said === undefined ? RETRIES : ['--offline'])], cwd);
  if (result.code === 0) return;
  const meaning = meaningOfNpmFailure(result.output);
  throw new CommandError(
    `${meaning === undefined ? '' : `${meaning}\n\n`}${said === undefined ? '' : `${said}\n`}\`npm ${args.join(' ')}\``,
    result,
  );
}

/** What npm says where the registry does not answer; else undefined. */
async function silenceOfRegistry(ending, cwd) {
  const result = await runNpm(ending, ['ping', '--fetch-retries=0'], cwd, {
    stall: { progress: () => undefined, limitMs: REGISTRY_LIMIT_MS },
  });
  const { code, stalled, output } = result;
  if (stalled) return `\`npm ping\` had no answer after ${REGISTRY_LIMIT_MS / 1_000} s.`;
  if (code === null) throw new CommandError('`npm ping`', result);
  return code !== 0 && isUnreachable(output) ? linesOfCause(output) : undefined;
}

function runNpm(ending, args, cwd, options = {}) {
  const all = [...args, '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  const how = { cwd, endWith: { patienceMs: NPM_PATIENCE_MS }, ...options };
  // Within an npm script this is npm itself, which runs under the same Node on every system without a shell.
  const script = process.env.npm_execpath ?? '';
  return basename(script) === 'npm-cli.js'
    ? run(ending, process.execPath, [script, ...all], how)
    : run(ending, 'npm', all, { ...how, shell: process.platform === 'win32' });
}
