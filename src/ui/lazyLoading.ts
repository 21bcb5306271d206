import { setImmediate } from 'node:timers/promises';
import type * as features from './lazyFeatures';
import type * as operations from './lazyOperations';
import type * as panels from './panels/panels';
import type { Installation } from './shell/installation';

/**
 * Loads the code that activation does not load, in three parts. Beside that of the services and views (extension.ts), its `import()`s are the only
 * ones of the extension: within a part, imports are static. The names of chunks contain hashes, so a part of another build is missing, not mixed in.
 */
export interface Loader {
  /**
   * Loads commands, dialogs, tooltips, the client of the service, the journal, and auto-rebalance. Starts with the services. It waits for the
   * next turn of the event loop, because the first `import()` keeps the extension host busy for tens of milliseconds before it returns.
   */
  features(): Promise<typeof features>;
  /** Loads the panels with their presenters and protocols, when the first panel is opened or restored. */
  panels(): Promise<typeof panels>;
  /** Loads what needs web3.js: transactions, review, signing and the RPC. Starts with the first operation or RPC request. */
  operations(): Promise<typeof operations>;
}

/** Creates the loader, which rejects with a ReplacedError once the files of the extension are replaced. */
export function createLoader(installation: Pick<Installation, 'load'>): Loader {
  return {
    features: async () => {
      await setImmediate();
      return installation.load(() => import('./lazyFeatures'));
    },
    panels: () => installation.load(() => import('./panels/panels')),
    operations: () => installation.load(() => import('./lazyOperations')),
  };
}
