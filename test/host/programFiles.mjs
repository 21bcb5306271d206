import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Builds of the real programs, by the names of their files. They are not part of this repository. */
export const PROGRAM_FILES = [
  { program: 'LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo', file: 'lb_clmm.so' },
  { program: 'cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG', file: 'cp_amm.so' },
  { program: 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4', file: 'jup_v6.so' },
  { program: 'zapvX9M3uf5pvy4wRPAbQgdQsM1xmuiFnkfHKPvwMiz', file: 'zap.so' },
];

/** The folders that may have them: that of BINSIGHT_PROGRAMS, else these, in order. `npm run programs` writes to test/.programs. */
function programFolders() {
  const named = process.env.BINSIGHT_PROGRAMS;
  return named ? [named] : [join('test', '.programs'), join('..', 'shared', 'programs')];
}

/**
 * The first folder that has all of them; `undefined` if none has.
 * @returns {string | undefined}
 */
export function programFolder() {
  return programFolders().find((folder) => PROGRAM_FILES.every(({ file }) => existsSync(join(folder, file))));
}

/**
 * Why there are none.
 * @returns {string}
 */
export function programsMissing() {
  return `there are no builds of the real programs in ${programFolders().join(', ')}; npm run programs -- --rpc URL takes them from a chain`;
}
