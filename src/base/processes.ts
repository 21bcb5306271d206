import { execFile } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { systemCode } from './thrown';

/**
 * Information about processes, which decides about locks. Tests replace it.
 *
 * The only file of `base` that asks the system: `transactions` and `sandbox` both need it, and share nothing else.
 */
export interface ProcessTable {
  /** The id of this process. */
  readonly ownPid: number;
  /** True if a process with this id exists, of any user. `undefined`: unknown. */
  isRunning(pid: number): boolean | undefined;
  /**
   * The start time of a process, as text that is constant while it runs and differs for another process with the same id. `undefined`: not
   * running, or unknown.
   */
  startedAt(pid: number): Promise<string | undefined>;
}

const run = promisify(execFile);
const PS_TIMEOUT_MS = 2_000;
/** Index of field 22 of proc(5) among the fields after the program's name, which may contain spaces and brackets. */
const START_TIME_PLACE = 19;

export const systemProcesses: ProcessTable = {
  ownPid: process.pid,
  isRunning: (pid) => {
    try {
      return process.kill(pid, 0);
    } catch (error) {
      const code = systemCode(error);
      return code === 'ESRCH' ? false : code === 'EPERM' ? true : undefined;
    }
  },
  startedAt: async (pid) => {
    try {
      switch (process.platform) {
        case 'linux':
          // Each time namespace has its own origin for start times.
          if (namespaceOf(pid, 'time') !== namespaceOf('self', 'time')) {
            return undefined;
          }
          return startTimeIn(await readFile(`/proc/${pid}/stat`, 'utf8'));
        case 'darwin':
          return (
            (
              await run('ps', ['-p', String(pid), '-o', 'lstart='], {
                env: { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' },
                timeout: PS_TIMEOUT_MS,
              })
            ).stdout.trim() || undefined
          );
        default:
          // Windows has it only through PowerShell, whose start takes longer than an operation may wait.
          return undefined;
      }
    } catch {
      return undefined;
    }
  },
};

/**
 * Reads the start time from the contents of /proc/PID/stat, in clock ticks since the boot, so setting the clock does not change it.
 * @returns `undefined` if the text has another form
 */
export function startTimeIn(stat: string): string | undefined {
  const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[START_TIME_PLACE];
  return ticks !== undefined && /^\d+$/.test(ticks) ? ticks : undefined;
}

/**
 * The scope in which process ids are comparable. On Linux: the boot, which start times are relative to, and the PID namespace (containers have
 * their own). Empty on other systems: they have one set of ids, and start times are absolute (macOS).
 */
export function processScope(): readonly string[] {
  return process.platform === 'linux'
    ? [readOr(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')), namespaceOf('self', 'pid')]
    : [];
}

/** Empty if the kernel has no such namespaces, or hides that of another user's process. */
function namespaceOf(pid: number | 'self', kind: 'pid' | 'time'): string {
  return readOr(() => readlinkSync(`/proc/${pid}/ns/${kind}`));
}

function readOr(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
