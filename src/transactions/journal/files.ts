import { closeSync, constants, fstatSync, openSync, readSync, statSync, type BigIntStats } from 'node:fs';
import { access, mkdir, open, readFile, stat, unlink, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { systemCode } from './errors';

/** How files of operations end. */
const SUFFIX = '.jsonl';
/** How files end that were set aside. */
const ASIDE = '.unreadable';
/** Only the user of this account reads what they did with their money. */
const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;
/** "20261120T164844123Z-9f3a2b1c77aa": sorts by time, and is a safe name of a file on every system. */
const ID = /^\d{8}T\d{9}Z-[0-9a-f]{12}$/;
/** No operation comes near it, bytes. */
const LARGEST_FILE = 4_000_000;

/** How drives say that folders cannot be waited for. */
const NO_SUCH_THING: readonly string[] = ['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** Makes the id of an operation. @param random 12 hex digits */
export function operationId(nowMs: number, random: string): string {
  return `${new Date(nowMs).toISOString().replace(/[-:.]/g, '')}-${random}`;
}

/** What the file of an operation is called. */
export function fileName(id: string): string {
  return `${id}${SUFFIX}`;
}

/** Where the file of an operation is; `undefined` where `id` is none. */
export function pathOf(folder: string, id: string): string | undefined {
  return ID.test(id) ? join(folder, fileName(id)) : undefined;
}

/** The id of the operation whose file has this name; `undefined`: it is not one of an operation. */
export function idOf(name: string): string | undefined {
  const id = name.slice(0, -SUFFIX.length);
  return name.endsWith(SUFFIX) && ID.test(id) ? id : undefined;
}

/** How the file of an operation begins, also of one that was set aside. */
const BEGUN = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-[0-9a-f]{12}\.jsonl/;

/** When the operation of a file was begun, by the file's name or path, milliseconds since 1970; `undefined`: it is no file of an operation. */
export function begunAt(path: string): number | undefined {
  const [, year, month, day, hour, minute, second, ms] = BEGUN.exec(basename(path)) ?? [];
  return year === undefined
    ? undefined
    : Date.parse(`${year}-${month ?? ''}-${day ?? ''}T${hour ?? ''}:${minute ?? ''}:${second ?? ''}.${ms ?? ''}Z`);
}

/** Whether a file of this name was set aside. */
export function isSetAside(name: string): boolean {
  return name.endsWith(ASIDE);
}

/** The name that a file gets when it is set aside. */
export function asideName(path: string): string {
  return `${path}${ASIDE}`;
}

/** Makes a folder that is still there after a power cut. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: FOLDER_MODE }).catch(async (error: unknown) => {
    if (systemCode(error) === 'ENOENT') {
      // On a read-only disk Node says that of the new folder; the one above it knows better.
      await access(dirname(folder), constants.W_OK);
    }
    throw error;
  });
  if (first === undefined) {
    return;
  }
  // Each new folder is an entry of the one above it.
  for (let made = folder; made.length >= first.length && made !== dirname(made); made = dirname(made)) {
    await syncFolder(dirname(made));
  }
}

/** Waits until the entries of a folder are on the disk, where the system has a way to ask for that: Windows and some drives have none. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') {
    return;
  }
  await using(await open(folder, constants.O_RDONLY), async (handle) => {
    try {
      await handle.sync();
    } catch (error) {
      if (!NO_SUCH_THING.includes(systemCode(error) ?? '')) {
        throw error;
      }
    }
  });
}

/** What a file looks like from outside. */
export interface FileStamp {
  /** Bytes. */
  readonly size: number;
  /** Tells it from all other files, whatever they are called. */
  readonly inode: string;
  /** When it was written last. */
  readonly writtenAt: bigint;
}

/** A file that is open for appending and reading, and what it looked like when that was looked at last. */
export interface OpenFile {
  readonly handle: FileHandle;
  readonly looks: FileStamp;
}

/** What the file of this name looks like now. Rejects (`ENOENT`) where there is none. */
export async function fileStampOf(path: string): Promise<FileStamp> {
  return asLooks(await stat(path, { bigint: true }));
}

/** The same without waiting: for many files one after the other that takes a tenth of the time. `undefined`: it cannot be looked at. */
export function fileStampOfSync(path: string): FileStamp | undefined {
  try {
    return asLooks(statSync(path, { bigint: true }));
  } catch {
    return undefined;
  }
}

/** Reads a file of an operation without waiting, and says what it looked like. `undefined`: there is none that could be one. @throws what the system says */
export function readWholeNow(path: string): { readonly bytes: Uint8Array; readonly looks: FileStamp } | undefined {
  const file = openSync(path, constants.O_RDONLY);
  try {
    const looks = asLooks(fstatSync(file, { bigint: true }));
    if (looks.size > LARGEST_FILE) {
      return undefined;
    }
    const bytes = Buffer.allocUnsafe(looks.size);
    const length = readSync(file, bytes, 0, bytes.length, 0);
    return { bytes: bytes.subarray(0, length), looks };
  } finally {
    closeSync(file);
  }
}

/** Whether it is the same file, whatever is in it by now. */
export function isSameFile(one: FileStamp, other: FileStamp): boolean {
  return one.inode === other.inode;
}

/** Whether it is the same file, and nobody has written to it in between. */
export function isUnchanged(one: FileStamp, other: FileStamp): boolean {
  return isSameFile(one, other) && one.size === other.size && one.writtenAt === other.writtenAt;
}

function asLooks({ size, dev, ino, mtimeNs }: BigIntStats): FileStamp {
  return { size: Number(size), inode: `${dev}:${ino}`, writtenAt: mtimeNs };
}

/** Makes a file with this in it, durably; where that fails there is none. Rejects where there is one already. */
export async function makeFile(path: string, content: string): Promise<OpenFile> {
  const handle = await open(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL, FILE_MODE);
  try {
    await handle.writeFile(content);
    // Both have to be waited for, and neither needs the other one.
    const stats = await allDone(handle.stat({ bigint: true }), handle.sync(), syncFolder(dirname(path)));
    return { handle, looks: asLooks(stats) };
  } catch (error) {
    await handle.close().catch(() => undefined);
    await unlink(path).catch(() => undefined);
    throw error;
  }
}

/** Reads a file of an operation; `undefined`: there is none. Rejects where it is larger than any can be. */
export async function readWhole(path: string): Promise<Uint8Array | undefined> {
  try {
    const bytes = await readFile(path);
    if (bytes.length > LARGEST_FILE) {
      throw new Error(`It is larger than ${LARGEST_FILE / 1_000_000} MB.`);
    }
    return bytes;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}

/** Opens a file that is there for appending and reading. Rejects (`ENOENT`) where there is none: what is gone is not made again. */
export async function openForAppending(path: string): Promise<OpenFile> {
  const handle = await open(path, constants.O_RDWR | constants.O_APPEND);
  try {
    return { handle, looks: asLooks(await handle.stat({ bigint: true })) };
  } catch (error) {
    await handle.close().catch(() => undefined);
    throw error;
  }
}

/** Runs `work` with a file, and closes it in any case. */
export async function using<Result>(handle: FileHandle, work: (handle: FileHandle) => Promise<Result>): Promise<Result> {
  try {
    return await work(handle);
  } finally {
    await handle.close();
  }
}

/** Gives the first of them once all are over, also where one fails: nothing of it is still going on then. Rejects as the one that failed. */
export async function allDone<First>(first: Promise<First>, ...others: readonly Promise<unknown>[]): Promise<First> {
  await Promise.allSettled([first, ...others]);
  await Promise.all(others);
  return first;
}
