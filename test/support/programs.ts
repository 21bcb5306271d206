import { address } from '../../src/base/solana/address';
import { PROGRAM_FILES, programFolder, programsMissing } from '../host/programFiles.mjs';

/** Builds of the real programs: at which address they run, and the name of their file. They are not part of this repository. */
export const PROGRAMS_BUILT = PROGRAM_FILES.map(({ program, file }) => ({ program: address(program), file }));

/** Skips the tests of a suite where there are no builds of the real programs; the last lines of `npm test` say why. */
export function needPrograms(): void {
  before(function () {
    if (programFolder() === undefined) {
      // Read by test/host/testReport.mjs.
      Object.assign(this.test?.parent ?? {}, { skipReason: programsMissing() });
      this.skip();
    }
  });
}
