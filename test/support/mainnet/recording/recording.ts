import { readFileSync, writeFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { ChainRecord } from '../chain/nodeChain';

/** A chain at one moment. */
export interface Recording {
  readonly chain: ChainRecord;
  /** What tests have to know about it, such as addresses. */
  readonly notes: Readonly<Record<string, string>>;
}

export function saveRecording(file: string, recording: Recording): void {
  const bytes = serialize(recording);
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeFileSync(file, brotliCompressSync(bytes, { params }));
}

/** @param file of {@link saveRecording} */
export function readRecording(file: string): Recording {
  // Only the project's own tests write these files.
  return deserialize(brotliDecompressSync(readFileSync(file))) as Recording;
}
