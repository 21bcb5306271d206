import type { ToolAnswer } from '../assistants/runTool';
import { LinkError, WindowLink } from './windowLink';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { MOST_SESSION_BYTES, SESSION_EXTENSION, type SessionFile, sessionFile } from '../assistants/wire';
import { systemProcesses } from '../base/processes';

const NO_WINDOW =
  'Binsight is not available. Open VS Code with Binsight, and turn on the setting binsight.assistants.enabled. Windows in Restricted Mode offer no tools.';

/** Passes calls to the window of Binsight that is meant: the one that had the focus last, unless another one is named. */
export class Windows {
  readonly #folder: string;
  readonly #wanted: WantedWindow;
  #link: WindowLink | undefined;

  constructor(folder: string, wanted: WantedWindow) {
    this.#folder = folder;
    this.#wanted = wanted;
  }

  /** Runs a tool. @throws LinkError if there is no window or it does not answer */
  async call(tool: string, input: unknown, signal: AbortSignal): Promise<ToolAnswer> {
    return (await this.#open()).call(tool, input, signal);
  }

  close(): void {
    this.#link?.close();
  }

  async #open(): Promise<WindowLink> {
    for (const session of await findSessions(this.#folder, this.#wanted)) {
      if (this.#link?.isOpen === true && this.#link.secret === session.secret) {
        return this.#link;
      }
      const link = await WindowLink.open(session).catch(() => undefined);
      if (link !== undefined) {
        this.#link?.close();
        this.#link = link;
        return link;
      }
    }
    throw new LinkError(NO_WINDOW);
  }
}

/** Which window of Binsight is meant. */
export interface WantedWindow {
  /** Name of the workspace. */
  readonly window?: string | undefined;
  /** Name of the session's file, without its extension. */
  readonly session?: string | undefined;
}

/** Permissions of others than the owner. */
const OTHERS = 0o077;

/**
 * Lists the windows that listen, the one that had the focus last first. Files of windows that no longer exist are ignored, and so are sockets
 * in a folder that others could write to.
 * @param folder where windows announce themselves (src/ui/assistants/sessionAnnouncement.ts)
 */
async function findSessions(folder: string, { window, session }: WantedWindow): Promise<readonly SessionFile[]> {
  const names = await readdir(folder).catch(() => []);
  const wanted = names.filter(
    (name) => name.endsWith(SESSION_EXTENSION) && (session === undefined || basename(name, SESSION_EXTENSION) === session),
  );
  const found = await Promise.all(wanted.map((name) => readSession(join(folder, name))));
  return found
    .filter((one) => one !== undefined)
    .filter((one) => window === undefined || one.window === window)
    .sort((one, other) => other.focusedAtMs - one.focusedAtMs);
}

async function readSession(path: string): Promise<SessionFile | undefined> {
  try {
    const { size } = await stat(path);
    if (size > MOST_SESSION_BYTES) {
      return undefined;
    }
    const { success, data } = sessionFile.safeParse(JSON.parse(await readFile(path, 'utf8')));
    return success && systemProcesses.isRunning(data.pid) !== false && (await isOwnSocket(data.socket)) ? data : undefined;
  } catch {
    // Being removed, or not by Binsight.
    return undefined;
  }
}

/** Whether only this user can have made the socket: after a crash, others could take its place in a shared folder. */
async function isOwnSocket(socket: string): Promise<boolean> {
  const uid = process.getuid?.();
  if (uid === undefined) {
    // Windows. The name of a pipe has 128 random bits, and each session has another one.
    return socket.startsWith('\\\\.\\pipe\\binsight-');
  }
  const folder = await stat(dirname(socket));
  return folder.uid === uid && (folder.mode & OTHERS) === 0;
}
