import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { MOST_SESSION_BYTES, SESSION_EXTENSION, type SessionFile, sessionFile, WIRE_VERSION } from '../../assistants/wire';
import { systemProcesses } from '../../base/processes';

/** 256 bits. */
const SECRET_BYTES = 32;
const ID_BYTES = 16;
/** The program in the folder of the sessions. Its path stays when the extension is updated. */
export const PROGRAM_NAME = 'mcp.mjs';

/** Where a window listens, and its secret. */
export interface ToolSession {
  /** Name of the file that announces it, without its extension. */
  readonly id: string;
  readonly socket: string;
  readonly secret: string;
}

/** Creates the address of a socket in a new folder that only this user can enter, or the name of a pipe. */
export async function createSession(): Promise<ToolSession> {
  const id = randomBytes(ID_BYTES).toString('hex');
  const secret = randomBytes(SECRET_BYTES).toString('hex');
  // Not in the storage of the extension: the path of a socket may have only about a hundred characters.
  const socket = process.platform === 'win32' ? `\\\\.\\pipe\\binsight-${id}` : join(await mkdtemp(join(tmpdir(), 'binsight-')), 'tools');
  return { id, socket, secret };
}

/** Removes the folder of a socket that is no longer used. Never throws. */
export function removeSocket({ socket }: Pick<ToolSession, 'socket'>): void {
  if (process.platform !== 'win32') {
    rmSync(dirname(socket), { recursive: true, force: true });
  }
}

/** The file that tells dist/mcp.js where this window listens. Only this user can read it. */
export class SessionAnnouncement {
  readonly #folder: string;
  readonly #session: ToolSession;
  #isRemoved = false;
  /** Never rejects. */
  #lastWrite: Promise<unknown> = Promise.resolve();

  /** @param folder in the storage of the extension, which all windows share */
  constructor(folder: string, session: ToolSession) {
    this.#folder = folder;
    this.#session = session;
  }

  /** Puts the program and the file in their place, and removes the files of windows that ended without removing them. */
  async publish(program: string, window: string, focusedAtMs: number): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    // The folder may be older than this rule.
    await chmod(this.#folder, 0o700);
    await copyFile(program, join(this.#folder, PROGRAM_NAME));
    await this.#removeStale();
    await this.update(window, focusedAtMs);
  }

  /** Writes the file again: the window has got the focus, or its workspace has another name. */
  update(window: string, focusedAtMs: number): Promise<void> {
    // One after the other: all writes use the same temporary file.
    const write = this.#lastWrite.then(() => this.#write(window, focusedAtMs));
    this.#lastWrite = write.catch(() => undefined);
    return write;
  }

  async #write(window: string, focusedAtMs: number): Promise<void> {
    const { socket, secret } = this.#session;
    const content: SessionFile = { version: WIRE_VERSION, pid: process.pid, socket, secret, window: window.slice(0, 200), focusedAtMs };
    const temporary = `${this.#path}.new`;
    await writeFile(temporary, JSON.stringify(content), { mode: 0o600 });
    await rename(temporary, this.#path);
    if (this.#isRemoved) {
      this.remove();
    }
  }

  /** Never throws. Synchronous, because a closing window does not wait. */
  remove(): void {
    this.#isRemoved = true;
    rmSync(this.#path, { force: true });
    rmSync(`${this.#path}.new`, { force: true });
  }

  get #path(): string {
    return join(this.#folder, `${this.#session.id}${SESSION_EXTENSION}`);
  }

  async #removeStale(): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      const session = name.endsWith(SESSION_EXTENSION) ? await readSession(path) : undefined;
      if (session !== undefined && systemProcesses.isRunning(session.pid) === false) {
        await rm(path, { force: true });
      }
    }
  }
}

async function readSession(path: string): Promise<SessionFile | undefined> {
  try {
    return (await stat(path)).size > MOST_SESSION_BYTES ? undefined : sessionFile.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return undefined;
  }
}
