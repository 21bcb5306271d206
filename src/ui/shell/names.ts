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

export const SETTING = {
  baseUrl: 'binsight.service.baseUrl',
  requestsPerMinute: 'binsight.service.requestsPerMinute',
  refreshIntervalSeconds: 'binsight.refreshIntervalSeconds',
  slippageBps: 'binsight.slippageBps',
  positionsSortBy: 'binsight.positions.sortBy',
  positionsGroupBy: 'binsight.positions.groupBy',
  poolsSortBy: 'binsight.pools.sortBy',
  statusBarCurrency: 'binsight.statusBar.currency',
  statusBarTemplate: 'binsight.statusBar.template',
  statusBarWarnOutOfRange: 'binsight.statusBar.warnOutOfRange',
  assistantsEnabled: 'binsight.assistants.enabled',
  rpcUrl: 'binsight.rpcUrl',
  solanaRequestsPerSecond: 'binsight.solanaRpc.requestsPerSecond',
  solanaDataApi: 'binsight.solanaRpc.dataApi',
  solanaPriceApi: 'binsight.solanaRpc.priceApi',
  solanaSwapApi: 'binsight.solanaRpc.swapApi',
  solanaJito: 'binsight.solanaRpc.jito',
  simulate: 'binsight.review.simulate',
  strictWithoutRpc: 'binsight.review.strictWithoutRpc',
  trustedPrograms: 'binsight.review.trustedPrograms',
  feeRecipients: 'binsight.review.feeRecipients',
  feeRecipientCapSol: 'binsight.review.feeRecipientCapSol',
  tipCapSol: 'binsight.review.tipCapSol',
  priorityFeeCapSol: 'binsight.review.priorityFeeCapSol',
  unlockMinutes: 'binsight.wallet.unlockMinutes',
  rebalanceRange: 'binsight.rebalance.range',
  rebalanceHalfWidthBins: 'binsight.rebalance.halfWidthBins',
  rebalanceStrategy: 'binsight.rebalance.strategy',
  rebalanceSlippageBps: 'binsight.rebalance.slippageBps',
  rebalanceReserveSol: 'binsight.rebalance.reserveSol',
  autoMode: 'binsight.autoRebalance.mode',
  autoCheckIntervalSeconds: 'binsight.autoRebalance.checkIntervalSeconds',
  autoOutOfRangeChecks: 'binsight.autoRebalance.outOfRangeChecks',
  autoMinPositionValueUsd: 'binsight.autoRebalance.minPositionValueUsd',
  autoCooldownMinutes: 'binsight.autoRebalance.cooldownMinutes',
  autoMaxPerPositionPerDay: 'binsight.autoRebalance.maxPerPositionPerDay',
  autoMaxPerDay: 'binsight.autoRebalance.maxPerDay',
  autoMaxClosingsPerDay: 'binsight.autoRebalance.maxClosingsPerDay',
  autoMaxCostPercentPerDay: 'binsight.autoRebalance.maxCostPercentPerDay',
  autoStopLossPercent: 'binsight.autoRebalance.stopLossPercent',
  autoTakeProfitPercent: 'binsight.autoRebalance.takeProfitPercent',
  autoPnlCurrency: 'binsight.autoRebalance.pnlCurrency',
  autoExcludedPools: 'binsight.autoRebalance.excludedPools',
} as const;

/** Colors that package.json contributes. */
export const COLOR = { gain: 'binsight.gainForeground', loss: 'binsight.lossForeground' } as const;

/** Context keys for `when` clauses in package.json. */
export const CONTEXT = {
  positionsState: 'binsight.positionsState',
  walletState: 'binsight.walletState',
  poolsState: 'binsight.poolsState',
  activityState: 'binsight.activityState',
  isSandbox: 'binsight.isSandbox',
  isSolanaRpc: 'binsight.isSolanaRpc',
  /** Explorers show the accounts of the service in use. */
  hasExplorer: 'binsight.hasExplorer',
  poolsSearched: 'binsight.poolsSearched',
  poolsFiltered: 'binsight.poolsFiltered',
  /** The pool in the active panel is a favorite. */
  isFavoriteInFront: 'binsight.isFavoriteInFront',
  positionsFiltered: 'binsight.positionsFiltered',
  isWatchedOnly: 'binsight.isWatchedOnly',
  isAutomationOn: 'binsight.isAutomationOn',
} as const;

/** View type of the read-only documents (documentPanels.ts). */
export const DOCUMENT_PANEL = 'binsight.document';
