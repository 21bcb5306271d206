/** What a command may do and what it needs. runCommand.ts enforces these traits; a unit test compares them with package.json. */
export interface CommandTraits {
  /** The command can end with signed transactions. No link may run it, and it always asks before it signs. */
  readonly movesFunds: boolean;
  /** Refused in an untrusted folder, because the command reads or writes secrets, or signs. */
  readonly needsTrust: boolean;
  /** The row that a view passes as the argument. `none`: arguments are ignored. `addressed`: any row with an address. */
  readonly argument: 'position' | 'pool' | 'positionOrPool' | 'addressed' | 'wallet' | 'operation' | 'plan' | 'none';
  /** Listed in the command palette. Other commands only make sense on a row. */
  readonly inPalette: boolean;
}

const READS = { movesFunds: false, needsTrust: false, argument: 'none', inPalette: true } as const;
const KEEPS_SECRETS = { ...READS, needsTrust: true } as const;
const ON_A_ROW = { ...READS, argument: 'addressed', inPalette: false } as const;
const MOVES_FUNDS = { movesFunds: true, needsTrust: true, argument: 'none', inPalette: true } as const;
const ON_AN_OPERATION = { ...READS, argument: 'operation', inPalette: false } as const;

/** All commands, by id. */
export const COMMANDS = {
  'binsight.connectService': KEEPS_SECRETS,
  'binsight.useSandbox': READS,
  'binsight.setApiKey': KEEPS_SECRETS,
  'binsight.importWalletKey': KEEPS_SECRETS,
  'binsight.forgetWalletKey': KEEPS_SECRETS,
  'binsight.newSandboxWallet': KEEPS_SECRETS,
  'binsight.resetSandboxWorld': KEEPS_SECRETS,
  'binsight.sandboxMenu': READS,
  'binsight.movePrice': { ...READS, argument: 'positionOrPool' },
  'binsight.advanceTime': READS,
  'binsight.setSandboxSpeed': READS,
  'binsight.getSandboxSol': READS,
  'binsight.playHostileService': READS,
  'binsight.playFault': READS,
  'binsight.setWalletPassphrase': KEEPS_SECRETS,
  'binsight.removeWalletPassphrase': KEEPS_SECRETS,
  'binsight.lockWallets': READS,
  'binsight.watchAddress': READS,
  'binsight.stopWatching': { ...READS, argument: 'wallet' },
  'binsight.switchWallet': { ...READS, argument: 'wallet' },
  'binsight.switchToWallet': { ...READS, argument: 'wallet', inPalette: false },
  'binsight.nameWallet': { ...READS, argument: 'wallet' },
  'binsight.copyWalletAddress': READS,
  'binsight.refresh': READS,
  'binsight.zapOut': { ...MOVES_FUNDS, argument: 'position' },
  'binsight.zapIn': { ...MOVES_FUNDS, argument: 'pool' },
  'binsight.rebalance': { ...MOVES_FUNDS, argument: 'position' },
  'binsight.rebalanceAll': MOVES_FUNDS,
  'binsight.startAutoRebalance': MOVES_FUNDS,
  'binsight.stopAllAutomation': READS,
  'binsight.showAutomationPlan': READS,
  'binsight.automationMenu': READS,
  'binsight.reenter': { ...MOVES_FUNDS, argument: 'operation', inPalette: false },
  'binsight.leaveOut': ON_AN_OPERATION,
  'binsight.finishOperation': { ...MOVES_FUNDS, argument: 'operation', inPalette: false },
  'binsight.sortPositions': READS,
  'binsight.groupPositions': READS,
  'binsight.filterPositions': READS,
  'binsight.clearPositionFilter': READS,
  'binsight.sortPools': READS,
  'binsight.searchPools': READS,
  'binsight.clearPoolSearch': READS,
  'binsight.filterPools': READS,
  'binsight.clearPoolFilters': READS,
  'binsight.savePoolSearch': READS,
  'binsight.applyPoolSearch': READS,
  'binsight.deletePoolSearch': READS,
  'binsight.addFavoritePool': { ...READS, argument: 'pool' },
  'binsight.removeFavoritePool': { ...READS, argument: 'pool' },
  'binsight.loadMorePools': { ...READS, inPalette: false },
  'binsight.setWebhook': KEEPS_SECRETS,
  'binsight.sendTestNotice': READS,
  'binsight.removeWebhook': READS,
  'binsight.copyAddress': ON_A_ROW,
  'binsight.openInExplorer': ON_A_ROW,
  'binsight.showOperation': ON_AN_OPERATION,
  'binsight.copySignature': ON_AN_OPERATION,
  'binsight.openTransaction': ON_AN_OPERATION,
  'binsight.openPool': { ...READS, argument: 'positionOrPool' },
  'binsight.planPosition': { ...READS, argument: 'pool' },
  /** Continues with a plan from a panel. It asks, reviews and confirms like any zap-in. */
  'binsight.continuePlan': { ...MOVES_FUNDS, argument: 'plan', inPalette: false },
  'binsight.openPosition': { ...READS, argument: 'position' },
  'binsight.openOverview': READS,
  'binsight.copyMcpConfiguration': READS,
  'binsight.showLog': READS,
} as const satisfies Record<string, CommandTraits>;

export type CommandId = keyof typeof COMMANDS;
