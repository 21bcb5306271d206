import { Buffer } from 'node:buffer';
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import type { LittleChain } from '../chain/littleChain';
import type { Landed } from '../chain/nodeChain';

/** With more, a start would take too long: a new chain begins. */
const MOST_TRANSACTIONS = 5_000;

const Head = z.object({ version: z.literal(1), beganMs: z.number() });
const Entry = z.object({ slot: z.number(), bytes: z.string() });
type Entry = z.output<typeof Entry>;

/**
 * The transactions that landed on a little mainnet, in a file, one a line. The world is the same in each run, so that landing the same bytes
 * in the same slots restores its state.
 */
export class Journal {
  /** When the chain began, milliseconds since 1970. */
  readonly beganMs: number;
  readonly #file: string;
  readonly #entries: readonly Entry[];

  private constructor(file: string, beganMs: number, entries: readonly Entry[]) {
    this.#file = file;
    this.beganMs = beganMs;
    this.#entries = entries;
  }

  /** Reads a journal; `undefined` if there is none, it is too long, or it cannot be read. */
  static read(file: string): Journal | undefined {
    if (!existsSync(file)) {
      return undefined;
    }
    const text = readFileSync(file, 'latin1');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    if (whole.length < text.length) {
      // The process was killed while it wrote: the next line must not continue this one.
      truncateSync(file, whole.length);
    }
    const [head, ...lines] = whole.split('\n').slice(0, -1);
    const read = z
      .object({ head: Head, entries: z.array(Entry).max(MOST_TRANSACTIONS) })
      .safeParse({ head: jsonOf(head ?? ''), entries: lines.map(jsonOf) });
    return read.success ? new Journal(file, read.data.head.beganMs, read.data.entries) : undefined;
  }

  /** Begins a journal. An earlier one is renamed. */
  static begin(file: string, beganMs: number): Journal {
    mkdirSync(dirname(file), { recursive: true });
    if (existsSync(file)) {
      renameSync(file, `${file}.old`);
    }
    writeFileSync(file, `${JSON.stringify({ version: 1, beganMs })}\n`);
    return new Journal(file, beganMs, []);
  }

  /** Lands the transactions again, on a new chain. @returns false if one of them does not land, or lands in another slot */
  replay(chain: LittleChain): boolean {
    return this.#entries.every(({ slot, bytes }) => {
      chain.advance(Math.max(0, slot - chain.slot));
      const landing = chain.land(Buffer.from(bytes, 'base64'));
      return landing.kind === 'landed' && landing.transaction.slot === slot;
    });
  }

  append({ slot, bytes }: Pick<Landed, 'slot' | 'bytes'>): void {
    appendFileSync(this.#file, `${JSON.stringify({ slot, bytes: Buffer.from(bytes).toString('base64') })}\n`);
  }
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
