import { randomBytes } from 'node:crypto';
import { open, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';
import * as z from 'zod';
import { Slices } from '../../base/async/slices';
import { systemCode } from '../../base/thrown';
import { FILE_MODE, type FileStamp, using } from './files';
import type { OperationRecord, OperationState } from './types';

/** Increase it whenever the form of records changes, or a file yields another record. */
const INDEX_FORMAT = 5;
/** Maximum size in bytes, far above that of any journal. */
const LARGEST_INDEX = 400_000_000;

/** A journal file and its operation, to which nothing can be appended. */
export interface IndexedFile {
  /** File name without the folder. */
  readonly name: string;
  /** The file's stamp when it was read. The record is valid as long as the stamp is unchanged. */
  readonly stamp: FileStamp;
  readonly wholeBytes: number;
  readonly record: OperationRecord;
}

/** The first line of the file: describes the rest, and how to check its integrity. Lengths in bytes. */
const Header = z.object({
  format: z.literal(INDEX_FORMAT),
  v8: z.literal(process.versions.v8),
  entriesLength: z.int(),
  entriesCrc: z.int(),
  recordsLength: z.int(),
  recordsCrc: z.int(),
});

/**
 * An indexed operation: the fields for lists, and where the rest is (`from`, `length`, bytes). A tuple, because ten thousand of them are
 * read at once.
 */
const Entry = z.tuple([
  z.string(),
  z.number(),
  z.string(),
  z.string(),
  z.number(),
  z.number(),
  z.number(),
  z.string(),
  z.enum(['settled', 'expired', 'failed', 'abandoned']),
  z.number(),
  z.boolean(),
  z.boolean(),
]);
type Entry = readonly [
  name: string,
  size: number,
  inode: string,
  writtenAt: string,
  wholeBytes: number,
  from: number,
  length: number,
  id: string,
  state: OperationState,
  updatedAtMs: number,
  isUnclear: boolean,
  isSeen: boolean,
];

const NEWLINE = 0x0a;
const LONGEST_HEADER = 1_000;

/**
 * A cache of ended operations in one file beside the journal's folder, so the first read need not open every file. The operations' files
 * are the only source: an entry counts only while its file's stamp is unchanged, unfinished operations are not indexed, and a damaged index
 * or one of another version is ignored. Several windows may write it: each writes it as a whole, and the last one wins.
 */
export class JournalIndex {
  readonly #path: string;

  /** @param folder of the journal */
  constructor(folder: string) {
    this.#path = join(dirname(folder), `${basename(folder)}.index`);
  }

  /** The entries by file name; empty without a usable index. Never rejects. */
  async load(): Promise<ReadonlyMap<string, IndexedFile>> {
    try {
      return await this.#read();
    } catch {
      return new Map();
    }
  }

  /** Replaces the entries. @throws the system's error */
  async save(files: readonly IndexedFile[]): Promise<void> {
    const slices = new Slices();
    const entries: Entry[] = [];
    const records: Buffer[] = [];
    let recordsLength = 0;
    let recordsCrc = 0;
    for (const { name, stamp, wholeBytes, record } of files) {
      const bytes = record instanceof IndexedRecord ? record.bytes : serialize(record);
      const { id, state, updatedAtMs, isUnclear, isSeen } = record;
      entries.push([
        name,
        stamp.size,
        stamp.inode,
        stamp.writtenAt.toString(),
        wholeBytes,
        recordsLength,
        bytes.length,
        id,
        state,
        updatedAtMs,
        isUnclear,
        isSeen,
      ]);
      records.push(bytes);
      recordsLength += bytes.length;
      recordsCrc = crc32(bytes, recordsCrc);
      await slices.yieldIfDue();
    }
    const entryBytes = Buffer.from(JSON.stringify(entries));
    if (entryBytes.length + recordsLength <= LARGEST_INDEX) {
      const header = {
        format: INDEX_FORMAT,
        v8: process.versions.v8,
        entriesLength: entryBytes.length,
        entriesCrc: crc32(entryBytes),
        recordsLength,
        recordsCrc,
      };
      await this.#write([Buffer.from(`${JSON.stringify(header)}\n`), entryBytes, ...records]);
    }
  }

  async #read(): Promise<ReadonlyMap<string, IndexedFile>> {
    if ((await stat(this.#path)).size > LARGEST_INDEX) {
      return new Map();
    }
    const bytes = await using(await open(this.#path, 'r'), (handle) => handle.readFile());
    const end = bytes.subarray(0, LONGEST_HEADER).indexOf(NEWLINE);
    const header = Header.parse(JSON.parse(bytes.toString('utf8', 0, end)));
    const entryBytes = bytes.subarray(end + 1, end + 1 + header.entriesLength);
    const records = bytes.subarray(end + 1 + header.entriesLength);
    if (records.length !== header.recordsLength || crc32(entryBytes) !== header.entriesCrc || crc32(records) !== header.recordsCrc) {
      return new Map();
    }
    const entries: readonly Entry[] = z.array(Entry).parse(JSON.parse(entryBytes.toString()));
    return new Map(
      entries.map((entry) => {
        const [name, size, inode, writtenAt, wholeBytes] = entry;
        return [
          name,
          { name, stamp: { size, inode, writtenAt: BigInt(writtenAt) }, wholeBytes, record: new IndexedRecord(entry, records) },
        ];
      }),
    );
  }

  /** Atomic: the file is written under another name and renamed. */
  async #write(parts: readonly Buffer[]): Promise<void> {
    const draft = `${this.#path}.${randomBytes(6).toString('hex')}`;
    try {
      await using(await open(draft, 'wx', FILE_MODE), (handle) => handle.writeFile(Buffer.concat(parts)));
      await rename(draft, this.#path);
    } catch (error) {
      await unlink(draft).catch((unlinked: unknown) => {
        if (systemCode(unlinked) !== 'ENOENT') {
          throw unlinked;
        }
      });
      throw error;
    }
  }
}

/** Requires every field, so a new field of records can't be missing here. */
type WholeRecord = { readonly [Name in keyof Required<OperationRecord>]: OperationRecord[Name] };

/** A record from the index. Most of it is decoded on access: lists need few fields, and only few records are opened. */
class IndexedRecord implements WholeRecord {
  readonly id: string;
  readonly state: OperationState;
  readonly updatedAtMs: number;
  readonly isUnclear: boolean;
  readonly isSeen: boolean;
  readonly #records: Buffer;
  readonly #from: number;
  readonly #length: number;
  #decoded: OperationRecord | undefined;

  constructor([, , , , , from, length, id, state, updatedAtMs, isUnclear, isSeen]: Entry, records: Buffer) {
    this.id = id;
    this.state = state;
    this.updatedAtMs = updatedAtMs;
    this.isUnclear = isUnclear;
    this.isSeen = isSeen;
    this.#records = records;
    this.#from = from;
    this.#length = length;
  }

  /** The serialized form in the index. */
  get bytes(): Buffer {
    return this.#records.subarray(this.#from, this.#from + this.#length);
  }

  get created(): OperationRecord['created'] {
    return this.#whole.created;
  }

  get built(): OperationRecord['built'] {
    return this.#whole.built;
  }

  get signatures(): OperationRecord['signatures'] {
    return this.#whole.signatures;
  }

  get landingSignature(): OperationRecord['landingSignature'] {
    return this.#whole.landingSignature;
  }

  get lamportsBack(): OperationRecord['lamportsBack'] {
    return this.#whole.lamportsBack;
  }

  get changes(): OperationRecord['changes'] {
    return this.#whole.changes;
  }

  get promised(): OperationRecord['promised'] {
    return this.#whole.promised;
  }

  get reason(): OperationRecord['reason'] {
    return this.#whole.reason;
  }

  get events(): OperationRecord['events'] {
    return this.#whole.events;
  }

  /** The checksum proves that this is a record that was serialized here. */
  get #whole(): OperationRecord {
    this.#decoded ??= deserialize(this.bytes) as OperationRecord;
    return this.#decoded;
  }
}
