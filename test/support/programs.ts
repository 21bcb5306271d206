import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { address } from '../../src/base/solana/address';
import { PROGRAM_FILES } from '../host/programFiles.mjs';

/** Builds of the real programs: at which address they run, and the name of their file. They are not part of this repository. */
export const PROGRAMS_BUILT = PROGRAM_FILES.map(({ program, file }) => ({ program: address(program), file }));

/** The folder with builds of the real programs; `undefined` where there is none. */
export function programFolder(): string | undefined {
  return folders().find((folder) => PROGRAM_FILES.every(({ file }) => existsSync(join(folder, file))));
}

/** Skips the tests of a suite where there are no builds of the real programs; the last lines of `npm test` say why. */
export function needPrograms(): void {
  before(function () {
    const missing = missingPrograms();
    if (missing !== undefined) {
      // Read by test/host/testReport.mjs.
      Object.assign(this.test?.parent ?? {}, { skipReason: missing });
      this.skip();
    }
  });
}

/** Why tests on the real programs cannot run; `undefined` where they can. */
function missingPrograms(): string | undefined {
  return programFolder() === undefined
    ? `there are no builds of the real programs in ${folders().join(', ')}; npm run programs -- --rpc URL takes them from a chain`
    : undefined;
}

/** Where builds are looked for, in this order. `npm run programs` writes to test/.programs. */
function folders(): readonly string[] {
  const named = process.env.BINSIGHT_PROGRAMS;
  return [...(named === undefined || named === '' ? [] : [named]), join('test', '.programs'), join('..', 'shared', 'programs')];
}
