import { setImmediate } from 'node:timers/promises';
import type * as features from './lazyFeatures';
import type * as operations from './lazyOperations';
import type * as panels from './panels/panels';
import type * as start from './start';

// The code that activation does not load, in four parts. These are the only `import()`s of the extension: within a part, imports are static.

/**
 * Loads services and views right after activation. The first `import()` keeps the extension host busy for tens of milliseconds before it
 * returns, so it waits for the next turn of the event loop.
 */
export async function loadStart(): Promise<typeof start> {
  await setImmediate();
  return import('./start');
}

/**
 * Loads commands, dialogs, tooltips, the client of the service, the journal, and auto-rebalance. Starts with the services,
 * and waits for the next turn of the event loop, too.
 */
export async function loadFeatures(): Promise<typeof features> {
  await setImmediate();
  return import('./lazyFeatures');
}

/** Loads the panels with their presenters and protocols, when the first panel is opened or restored. */
export const loadPanels = (): Promise<typeof panels> => import('./panels/panels');

/** Loads what needs web3.js: transactions, review, signing and the RPC. Starts with the first operation or RPC request. */
export const loadOperations = (): Promise<typeof operations> => import('./lazyOperations');
