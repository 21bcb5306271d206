import { address } from '../../src/base/solana/address';
import { PROGRAM_FILES, programFolder, programsMissing } from '../host/programFiles.mjs';

/** Builds of the real programs: at which address they run, and the name of their file. They are not part of this repository. */
export const PROGRAMS_BUILT = PROGRAM_FILES.map(({ program, file }) => ({ program: address(program), file }));

/**
 * Declares a suite that needs builds of the real programs. Where there are none it is skipped as a whole: mocha registers no hooks of a suite
 * that is declared as skipped, so none of them can fail for what an earlier one did not set up. The last lines of `npm test` say why.
 */
export function describeOnPrograms(title: string, body: (this: Mocha.Suite) => void): void {
  if (programFolder() !== undefined) {
    describe(title, body);
    return;
  }
  describe.skip(title, function () {
    // Read by test/host/testReport.mjs.
    Object.assign(this, { skipReason: programsMissing() });
    body.call(this);
  });
}

/**
 * Skips tests of a recorded suite where there are no builds of the real programs: those whose transactions differ in each run, and those that need
 * the chain's present.
 * @param titles as the tests have them
 */
export function needProgramsFor(titles: readonly string[]): void {
  beforeEach(function () {
    const { currentTest } = this;
    if (programFolder() === undefined && currentTest !== undefined && titles.includes(currentTest.title)) {
      Object.assign(currentTest, { skipReason: programsMissing() });
      this.skip();
    }
  });
}

/** The seed of a property test on a recorded chain: any one with the real programs, that of the recording without them. */
export function recordedSeed(): { readonly seed: number } | undefined {
  return programFolder() === undefined || process.env.BINSIGHT_RECORD === '1' ? { seed: 1 } : undefined;
}
