/** Ids that package.json and the code share. A unit test compares the two. */

export const VIEW = {
  positions: 'binsight.positions',
  wallet: 'binsight.wallet',
  pools: 'binsight.pools',
  activity: 'binsight.activity',
} as const;

/** Webview types of the panels. */
export const PANEL = { pool: 'binsight.pool', overview: 'binsight.overview', position: 'binsight.position' } as const;

/** Id of the provider of the MCP server. */
export const MCP_PROVIDER = 'binsight.mcp';

/** Colors that package.json contributes. */
export const COLOR = { gain: 'binsight.gainForeground', loss: 'binsight.lossForeground' } as const;

/** Context keys for `when` clauses in package.json. */
export const CONTEXT = {
  positionsState: 'binsight.positionsState',
  walletState: 'binsight.walletState',
  poolsState: 'binsight.poolsState',
  activityState: 'binsight.activityState',
  isSandbox: 'binsight.isSandbox',
  /** The service in use has the operations that only Binsight's own services have. */
  isOwnService: 'binsight.isOwnService',
  /** Explorers show the accounts of the service in use. */
  hasExplorer: 'binsight.hasExplorer',
  /** A search or filters leave out pools. */
  poolsNarrowed: 'binsight.poolsNarrowed',
  /** The pool in the active panel is a favorite. */
  isWatchedOnly: 'binsight.isWatchedOnly',
  /** A wallet of the service in use is protected by a passphrase. */
  hasPassphrase: 'binsight.hasPassphrase',
  isAutomationOn: 'binsight.isAutomationOn',
  // What the steps of the walkthrough wait for.
  hasMovedPrice: 'binsight.hasMovedPrice',
  hasRebalanced: 'binsight.hasRebalanced',
  hasClaimed: 'binsight.hasClaimed',
  hasRefused: 'binsight.hasRefused',
  isConnected: 'binsight.isConnected',
  hasOwnKey: 'binsight.hasOwnKey',
} as const;

/**
 * State that VS Code synchronizes to the user's other machines: never keys, journals, or the list of wallets, which says which keys a machine has.
 */
export const SYNCED_STATE = {
  favorites: 'binsight.favoritePools',
  searches: 'binsight.poolSearches',
  watchedAddresses: 'binsight.watchedAddresses',
} as const;

/** View type of the read-only documents (documentPanels.ts). */
export const DOCUMENT_PANEL = 'binsight.document';
