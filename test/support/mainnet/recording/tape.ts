import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { address, type Address } from '../../../../src/base/solana/address';
import { keysOf } from '../../../../src/sandbox/chain/lookupTables';
import type { ChainAccount, LoadedTransaction } from '../../../../src/sandbox/chain/types';
import type { Machine, Run } from '../chain/machine';
import type { AccountPatch } from './accountPatch';

/** Sysvars. */
export const CLOCK = address('SysvarC1ock11111111111111111111111111111111');
export const RENT = address('SysvarRent111111111111111111111111111111111');

/** The result of a transaction; of its accounts what it changed. */
export interface RecordedRun extends Omit<Run, 'after'> {
  readonly after: readonly (readonly [Address, AccountPatch])[];
}

/** Results of transactions of a little mainnet. */
export interface Tape {
  /** Accounts that no transaction and no test wrote: sysvars and native mints. Of programs without their code. */
  readonly accounts: ReadonlyMap<Address, Readonly<ChainAccount>>;
  /** By {@link runKey}. */
  readonly runs: ReadonlyMap<string, RecordedRun>;
}

/** 16 of the 32 bytes of a SHA-256: no two of some thousand runs have the same. */
const KEY_BYTES = 16;

/**
 * Identifies a run by all that its result depends on: the transaction, the time, and each of its accounts as it is before. So a recorded
 * result is found only where the real programs would give the same.
 * @param clock as in {@link Machine.setClock}
 */
export function runKey(
  bytes: Uint8Array,
  wire: LoadedTransaction,
  checkSignatures: boolean,
  clock: string,
  accountOf: (of: Address) => Readonly<ChainAccount> | undefined,
): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify([clock, checkSignatures, bytes.length])).update(bytes);
  for (const key of keysOf(wire)) {
    if (key.startsWith('Sysvar')) {
      continue;
    }
    const account = accountOf(key);
    if (account === undefined || account.executable) {
      hash.update(account === undefined ? 'none' : 'program');
    } else {
      hash.update(`${account.lamports} ${account.program} ${account.data.length} `).update(account.data);
    }
  }
  return hash.digest().subarray(0, KEY_BYTES).toString('base64url');
}

function fileOf(name: string): string {
  return join('test', 'chain', 'recordings', `${name}.br`);
}

/** Writes the recording of a suite to test/chain/recordings. */
export function saveTape(name: string, tape: Tape): void {
  const bytes = serialize(tape);
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  mkdirSync(join('test', 'chain', 'recordings'), { recursive: true });
  writeFileSync(fileOf(name), brotliCompressSync(bytes, { params }));
}

/** Reads a recording of {@link saveTape}. @throws Error where there is none */
export function readTape(name: string): Tape {
  const file = fileOf(name);
  if (!existsSync(file)) {
    throw new Error(`There is no recording ${file}`);
  }
  // Only the project's own tests write these files.
  return deserialize(brotliDecompressSync(readFileSync(file))) as Tape;
}

/** The clock of a machine as part of a key. */
export function clockText(...parts: Parameters<Machine['setClock']>): string {
  return parts.join(' ');
}
