import { execFile } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Information about processes, which decides about locks. An interface, so tests can replace it. */
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
/** In /proc/PID/stat, counted after the name of the program, which may contain spaces and brackets: field 22 of proc(5) is the 20th of these. */
const START_TIME_PLACE = 19;

/** The processes of this system. */
export const systemProcesses: ProcessTable = {
  ownPid: process.pid,
  isRunning: (pid) => {
    try {
      return process.kill(pid, 0);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      return code === 'ESRCH' ? false : code === 'EPERM' ? true : undefined;
    }
  },
  startedAt: async (pid) => {
    try {
      switch (process.platform) {
        case 'linux':
          // Start times are counted from a beginning that each time namespace has for itself.
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
          // Windows tells it to programs only that would have to be started first, which takes longer than an operation may wait.
          return undefined;
      }
    } catch {
      return undefined;
    }
  },
};

/**
 * Reads the start time out of the contents of /proc/PID/stat: clock ticks since the system was booted, which setting the clock does
 * not change. `undefined` where the text has another form.
 */
export function startTimeIn(stat: string): string | undefined {
  const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[START_TIME_PLACE];
  return ticks !== undefined && /^\d+$/.test(ticks) ? ticks : undefined;
}

/**
 * Within which boundaries ids of processes mean something: on Linux the boot, without which start times say nothing either, and the namespace
 * in which processes are counted (containers have their own). Empty where there is one set of ids, and start times are points in time that
 * no reboot repeats (macOS).
 */
export function processScope(): readonly string[] {
  return process.platform === 'linux'
    ? [readOr(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')), namespaceOf('self', 'pid')]
    : [];
}

/** Empty where the kernel has no such namespaces, or does not show that of another user's process. */
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
