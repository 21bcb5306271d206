import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 300;
/** No holder needs longer: past this its process id is taken to be somebody else's by now. */
const STALE_MS = 15 * 60_000;
/** Between making the file and writing the id into it. */
const UNWRITTEN_MS = 5_000;

/**
 * Does `work` while no other process does what is guarded by the same file: two scripts started at once must not both
 * install or build.
 * @template T
 * @param {string} file made while the work goes on; holds the id of the process
 * @param {import('./ending.mjs').Ending} ending
 * @param {{ onWait: () => void }} options told once where another process is found at it
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function exclusively(file, ending, { onWait }, work) {
  mkdirSync(dirname(file), { recursive: true });
  for (let waited = false; !take(file);) {
    ending.throwIfEnding();
    if (isStale(file)) {
      rmSync(file, { force: true });
      continue;
    }
    if (!waited) onWait();
    waited = true;
    await delay(POLL_MS);
  }
  const release = () => rmSync(file, { force: true });
  const forget = ending.add(release);
  try {
    return await work();
  } finally {
    release();
    forget();
  }
}

function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Whether the process that made the file ended without removing it. */
function isStale(file) {
  try {
    const ageMs = Date.now() - statSync(file).mtimeMs;
    const holder = Number(readFileSync(file, 'utf8'));
    return ageMs > STALE_MS || (holder > 0 ? !isAlive(holder) : ageMs > UNWRITTEN_MS);
  } catch {
    return false; // Removed in this moment.
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
