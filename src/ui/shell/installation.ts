import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Subscription } from '../../base/async/clock';
import { Emitter } from '../../base/async/emitter';
import { ReplacedError } from './errors';
import { describeError, type LogFunction } from './log';

/** Where the build writes its id (esbuild.mjs). */
export const BUILD_FILE = 'dist/build.txt';

/** What an `import()` of a file that is gone, or half written, rejects with. */
const UNLOADABLE: ReadonlySet<unknown> = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);
const MISSING: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR']);

export interface InstallationDependencies {
  /** Folder of the extension. */
  readonly folder: string;
  /** The build that runs in this window. */
  readonly build: string;
  readonly log: LogFunction;
  readonly onListenerError: (error: unknown) => void;
}

/**
 * Knows whether the extension's files are still those of the code that runs. An update or a removal replaces them under a running window; what is
 * then loaded is missing or of another build. That stays so until the window is reloaded, also if the files come back.
 */
export class Installation {
  readonly #dependencies: InstallationDependencies;
  readonly #changes: Emitter<undefined>;
  #isReplaced = false;

  constructor(dependencies: InstallationDependencies) {
    this.#dependencies = dependencies;
    this.#changes = new Emitter(dependencies.onListenerError);
  }

  /** As far as is known: {@link isIntact} looks. */
  get isReplaced(): boolean {
    return this.#isReplaced;
  }

  /** Calls `listener` once the files are known to be replaced. */
  onDidChange(listener: () => void): Subscription {
    return this.#changes.on(listener);
  }

  /** Looks at the files. Never rejects. @param files more files that have to be there, relative to the folder of the extension */
  async isIntact(...files: readonly string[]): Promise<boolean> {
    const { folder, build, log } = this.#dependencies;
    if (this.#isReplaced) {
      return false;
    }
    try {
      const found = await readFile(join(folder, BUILD_FILE), 'utf8');
      await Promise.all(files.map((file) => access(join(folder, file))));
      if (found !== build) {
        this.#replaced(`they are of build ${found.slice(0, build.length)}`);
      }
    } catch (error) {
      if (MISSING.has(codeOf(error))) {
        this.#replaced(describeError(error));
      } else {
        // The files may be there: a process may have too many of them open.
        log('warn', `The files of the extension could not be checked: ${describeError(error)}`);
      }
    }
    return !this.#isReplaced;
  }

  /** To be called before own files are used, and before anything is signed. @throws ReplacedError */
  async assertIntact(...files: readonly string[]): Promise<void> {
    if (!(await this.isIntact(...files))) {
      throw new ReplacedError();
    }
  }

  /** Runs what loads code of the extension. @throws ReplacedError if it fails because files are missing, half written or of another build */
  async load<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof SyntaxError || UNLOADABLE.has(codeOf(error))) {
        this.#replaced(describeError(error));
      }
      if (await this.isIntact()) {
        throw error;
      }
      throw new ReplacedError({ cause: error });
    }
  }

  #replaced(why: string): void {
    if (!this.#isReplaced) {
      this.#isReplaced = true;
      this.#dependencies.log('warn', `The files of the extension were replaced: ${why}`);
      this.#changes.fire(undefined);
    }
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
