import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';

/**
 * One process of this machine.
 * @typedef {object} ProcessEntry
 * @property {number} pid
 * @property {number} parent
 * @property {number} group
 * @property {string} started tells a process from a later one with the same id
 * @property {string} command its command line
 */

/**
 * Every process that runs at this moment; those that have ended and were not collected are left out.
 * @returns {ProcessEntry[]}
 */
export function processTable() {
  return process.platform === 'linux' ? fromProc() : fromPs();
}

/** Read from /proc: a slim container image has no `ps`. */
function fromProc() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        // The name in parentheses may hold anything, parentheses and spaces included.
        const [state, parent, group, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        if (state === 'Z' || state === 'X') return [];
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        return [{ pid: Number(name), parent: Number(parent), group: Number(group), started: rest[16], command }];
      } catch {
        return []; // It ended between the two reads.
      }
    });
}

/** `lstart` is five words: day, month, day, time, year. */
const PS_LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)$/;

function fromPs() {
  const output = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart=,command='], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return output.split('\n').flatMap((line) => {
    const [, pid, parent, group, state, started, command] = PS_LINE.exec(line) ?? [];
    if (pid === undefined || state.startsWith('Z')) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), started, command }];
  });
}
