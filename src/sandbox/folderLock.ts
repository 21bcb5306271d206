import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { processScope, systemProcesses, type ProcessTable } from '../base/processes';

/** Which process holds a folder: what its lock says, after the number of the process and a name that is used once. */
interface Holder {
  readonly pid: number;
  /** The machine, as its network name and system tell it. */
  readonly machine: string;
  /** The boot; equal to all others where the system does not tell, and its start times are points in time. */
  readonly boot: string;
  /** Where processes are counted: containers have numbers of their own. */
  readonly counted: string;
  /** When the process was started, see {@link ProcessTable.startedAt}; `undefined` where the system did not say. */
  readonly startedAt: string | undefined;
}

/** `PID ID` is all that earlier versions write; they read no further than the number. */
const FORM = /^(\d{1,10}) \S+ ([0-9a-f]{16}) ([0-9a-f]{16}) ([0-9a-f]{16}) (\S+)$/;
const NOT_KNOWN = '-';
const DIGITS = 16;

/** What this process writes into a lock. @param id a name that is used once */
export async function ownLockText(id: string, processes: ProcessTable = systemProcesses): Promise<string> {
  const startedAt = await processes.startedAt(processes.ownPid);
  const { machine, boot, counted } = here();
  return `${processes.ownPid} ${id} ${machine} ${boot} ${counted} ${startedAt === undefined ? NOT_KNOWN : digest(startedAt)}`;
}

/**
 * Whether the process lives that wrote this text into a lock. Only what is certain counts:
 * - `dead`: it ran before the last boot of this machine, or its number is nobody's, or somebody else's, by now
 * - `alive`: the process with its number was started when it was
 * - `unknown`: everything else, such as the text of an earlier version, or one of another machine
 */
export async function holderState(text: string, processes: ProcessTable = systemProcesses): Promise<'alive' | 'dead' | 'unknown'> {
  const holder = holderIn(text);
  const { machine, boot, counted } = here();
  if (holder?.machine !== machine) {
    return 'unknown';
  }
  if (holder.boot !== boot) {
    return 'dead';
  }
  if (holder.counted !== counted) {
    return 'unknown';
  }
  if (processes.isRunning(holder.pid) === false) {
    return 'dead';
  }
  const startedAt = await processes.startedAt(holder.pid);
  if (startedAt === undefined || holder.startedAt === undefined) {
    return 'unknown';
  }
  return digest(startedAt) === holder.startedAt ? 'alive' : 'dead';
}

function holderIn(text: string): Holder | undefined {
  const [, pid, machine, boot, counted, startedAt] = FORM.exec(text) ?? [];
  return pid === undefined || machine === undefined || boot === undefined || counted === undefined || startedAt === undefined
    ? undefined
    : { pid: Number(pid), machine, boot, counted, startedAt: startedAt === NOT_KNOWN ? undefined : startedAt };
}

/** The machine by its network name and system (containers have names of their own), its boot, and where processes are counted. */
function here(): Omit<Holder, 'pid' | 'startedAt'> {
  const [boot = '', counted = ''] = processScope();
  return { machine: digest(`${hostname()}\n${process.platform}`), boot: digest(boot), counted: digest(counted) };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, DIGITS);
}
