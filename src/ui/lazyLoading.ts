import { setImmediate } from 'node:timers/promises';
import type * as features from './lazyFeatures';
import type * as operations from './lazyOperations';
import type * as panels from './panels/panels';

// The code that activation does not load, in three parts. Beside that of the services and views (extension.ts), these are the only
// `import()`s of the extension: within a part, imports are static.

/**
 * Loads commands, dialogs, tooltips, the client of the service, the journal, and auto-rebalance. Starts with the services. It waits for the
 * next turn of the event loop, because the first `import()` keeps the extension host busy for tens of milliseconds before it returns.
 */
export async function loadFeatures(): Promise<typeof features> {
  await setImmediate();
  return import('./lazyFeatures');
}

/** Loads the panels with their presenters and protocols, when the first panel is opened or restored. */
export const loadPanels = (): Promise<typeof panels> => import('./panels/panels');

/** Loads what needs web3.js: transactions, review, signing and the RPC. Starts with the first operation or RPC request. */
export const loadOperations = (): Promise<typeof operations> => import('./lazyOperations');
