/** What to run and where what came of it goes. */
export interface TestFolderOptions {
  /** Every *.test.js in it and below it is run. */
  readonly folder: string;
  readonly resultsFile: string;
  readonly write: (line: string) => void;
  /** Of a test that does not say otherwise. */
  readonly timeoutMs: number;
  /** Only tests whose whole title holds this. */
  readonly grep?: string | undefined;
  /** Only these, by their paths in the folder: `review/fees.test.js`. */
  readonly files?: readonly string[] | undefined;
  /** How long a file took before: the longest come first. */
  readonly timeOf?: ((file: string) => number | undefined) | undefined;
  /** Ends with the first failure. */
  readonly bail?: boolean | undefined;
  /** A folder that several processes share, each of which loads and runs the files that no other has claimed. */
  readonly claims?: string | undefined;
}

/**
 * Runs the tests in this process; gives how many failed.
 * @throws where there are none, or a file cannot be loaded
 */
export function runTestFolder(options: TestFolderOptions): Promise<number>;
