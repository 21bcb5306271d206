import type { CommandSubjects, MenuItem } from './commandDeclaration';

const READS = { movesFunds: false, needsTrust: false, argument: 'none', inPalette: true } as const;
const KEEPS_SECRETS = { ...READS, needsTrust: true } as const;
const ON_A_ROW = { ...READS, argument: 'addressed', inPalette: false } as const;
const MOVES_FUNDS = { movesFunds: true, needsTrust: true, argument: 'none', inPalette: true } as const;
const ON_AN_OPERATION = { ...READS, argument: 'operation', inPalette: false } as const;

/** VS Code's context key: several rows are selected. */
const SEVERAL = 'listMultiSelection';

const HAS_WALLET = "binsight.walletState != 'noOwner'";
const HAS_PASSPHRASE = 'binsight.hasPassphrase';
/** The wallet in use, if there is one, can sign. */
const CAN_SIGN = '!binsight.isWatchedOnly';

const HAS_POSITIONS = "binsight.positionsState == 'listed'";
/** There is a position, and the wallet can sign for it. */
const ON_POSITIONS = `${CAN_SIGN} && ${HAS_POSITIONS}`;

/** Rows of the Positions view about a wallet that is not the one in use. */
const OF_OTHER_WALLET = /^other(Wallet|Position)\b/;

/** Claims are operations of Binsight's own services. */
const IS_OWN_SERVICE = 'binsight.isOwnService';
const CLAIMS_ON_POSITIONS = `${ON_POSITIONS} && ${IS_OWN_SERVICE}`;

type View = 'positions' | 'wallet' | 'pools' | 'activity';

/** In the title of a view. */
function inTitle(view: View, group: string, when?: string): MenuItem {
  return { menu: 'view/title', when: `view == binsight.${view}${and(when)}`, group };
}

/** On the rows of a view whose context value matches. With several rows selected, only where `when` says so: a command takes one. */
function onRows(view: View, rows: RegExp, group: string, when?: string): MenuItem {
  const isForOne = view === 'positions' && !group.startsWith('inline') && when?.includes(SEVERAL) !== true;
  const condition = `view == binsight.${view} && viewItem =~ ${String(rows)}${and(when)}${isForOne ? ` && !${SEVERAL}` : ''}`;
  return { menu: 'view/item/context', when: condition, group };
}

function and(when: string | undefined): string {
  return when === undefined ? '' : ` && ${when}`;
}

/**
 * All commands of the extension. `npm run generate` writes from them the commands, menus and keybindings of package.json, the English titles of
 * package.nls.json, the ids that activation registers (generated/commandIds.ts), the traits (generated/commandTraits.ts) and a table of the README.
 */
export const COMMANDS: CommandSubjects = {
  'Service and assistants': {
    'binsight.connectService': {
      ...KEEPS_SECRETS,
      title: 'Connect to Service…',
      icon: 'plug',
      menus: [inTitle('positions', '3_service@1')],
    },
    'binsight.useSandbox': { ...READS, title: 'Use Sandbox', inPalette: false },
    'binsight.setApiKey': { ...KEEPS_SECRETS, title: 'Set API Key…', inPalette: false },
    'binsight.copyMcpConfiguration': { ...READS, title: 'Copy MCP Configuration' },
    'binsight.showLog': {
      ...READS,
      title: 'Show Log',
      icon: 'output',
      menus: [inTitle('positions', '4_help@1'), inTitle('activity', '4_help@1')],
    },
    'binsight.removeAllData': { ...KEEPS_SECRETS, title: 'Remove All Binsight Data…' },
  },
  Wallets: {
    'binsight.switchWallet': {
      ...READS,
      argument: 'wallet',
      title: 'Switch Wallet…',
      icon: 'account',
      inPalette: HAS_WALLET,
      menus: [
        inTitle('wallet', 'navigation@1'),
        onRows('wallet', /^wallet\b/, '1_wallet@1'),
        onRows('positions', OF_OTHER_WALLET, 'inline@1'),
        onRows('positions', OF_OTHER_WALLET, '1_wallet@1'),
      ],
    },
    'binsight.importWalletKey': { ...KEEPS_SECRETS, title: 'Import Wallet Key…', menus: [inTitle('wallet', '1_wallet@2')] },
    'binsight.watchAddress': { ...READS, title: 'Watch Address…', icon: 'eye', menus: [inTitle('wallet', '1_wallet@3')] },
    'binsight.manageWallets': { ...KEEPS_SECRETS, title: 'Manage Wallets…', icon: 'gear', menus: [inTitle('wallet', '1_wallet@4')] },
    'binsight.lockWallets': {
      ...READS,
      title: 'Lock Wallets',
      icon: 'lock',
      enablement: HAS_PASSPHRASE,
      menus: [inTitle('wallet', '1_wallet@5', HAS_PASSPHRASE)],
    },
    'binsight.stopWatching': {
      ...READS,
      argument: 'wallet',
      title: 'Stop Watching…',
      inPalette: false,
      menus: [onRows('wallet', /^wallet watched\b/, '1_wallet@3')],
    },
    'binsight.nameWallet': {
      ...READS,
      argument: 'wallet',
      title: 'Name Wallet…',
      icon: 'tag',
      inPalette: false,
      menus: [inTitle('wallet', '1_wallet@1', HAS_WALLET), onRows('wallet', /^wallet\b/, '1_wallet@2')],
    },
  },
  Positions: {
    'binsight.openOverview': { ...READS, title: 'Open Overview', icon: 'graph-line', menus: [inTitle('positions', 'navigation@2')] },
    'binsight.openPosition': {
      ...READS,
      argument: 'position',
      title: 'Open Position',
      enablement: HAS_POSITIONS,
      icon: 'open-preview',
      menus: [onRows('positions', /^position\b/, 'inline@0'), onRows('positions', /^position\b/, '0_open@1')],
    },
    'binsight.refresh': {
      ...READS,
      title: 'Refresh',
      icon: 'refresh',
      menus: [
        inTitle('wallet', 'navigation@3'),
        inTitle('positions', 'navigation@1'),
        inTitle('pools', '1_list@1'),
        inTitle('activity', '1_list@1'),
      ],
    },
    'binsight.viewOptions': { ...READS, title: 'View Options…', icon: 'filter', menus: [inTitle('positions', 'navigation@4')] },
    /** Without a row: of the wallet in use. */
    'binsight.copyAddress': {
      ...ON_A_ROW,
      title: 'Copy Address',
      icon: 'copy',
      inPalette: HAS_WALLET,
      menus: [
        inTitle('wallet', 'navigation@2', HAS_WALLET),
        onRows('wallet', /\baddressed\b/, 'inline@0'),
        onRows('wallet', /\baddressed\b/, '2_address@1'),
        onRows('positions', /\baddressed\b/, '2_address@1'),
        onRows('pools', /^pool\b/, '2_address@1'),
      ],
    },
    /** The account of a row, or the transaction of an operation. */
    'binsight.openInExplorer': {
      ...ON_A_ROW,
      title: 'Open in Explorer',
      icon: 'link-external',
      menus: [
        onRows('activity', /\bsigned\b/, '2_signature@2', 'viewItem =~ /\\bexplorer\\b/'),
        onRows('wallet', /\baddressed\b/, '2_address@2', 'binsight.hasExplorer'),
        onRows('positions', /\baddressed\b/, '2_address@2', 'binsight.hasExplorer'),
        onRows('pools', /^pool\b/, '2_address@2', 'binsight.hasExplorer'),
      ],
    },
  },
  Pools: {
    'binsight.openPool': {
      ...READS,
      argument: 'positionOrPool',
      title: 'Open Pool',
      icon: 'graph',
      menus: [
        onRows('positions', /^position\b/, '0_open@2'),
        onRows('pools', /^pool\b/, 'inline@0'),
        onRows('pools', /^pool\b/, '0_open@1'),
      ],
    },
    /** Continues with a plan from a panel. It asks, reviews and confirms like any zap-in. */
    'binsight.continuePlan': { ...MOVES_FUNDS, argument: 'plan', title: 'Zap In as Planned…', inPalette: false },
    'binsight.searchPools': { ...READS, title: 'Search Pools…', icon: 'search', menus: [inTitle('pools', 'navigation@1')] },
    'binsight.showAllPools': {
      ...READS,
      title: 'Show All Pools',
      icon: 'clear-all',
      enablement: 'binsight.poolsNarrowed',
      menus: [inTitle('pools', 'navigation@2', 'binsight.poolsNarrowed')],
    },
    'binsight.toggleFavorite': {
      ...READS,
      argument: 'pool',
      title: 'Toggle Favorite',
      icon: 'star-full',
      menus: [
        { menu: 'editor/title', when: "activeWebviewPanelId == 'binsight.pool'", group: 'navigation@1' },
        onRows('pools', /^pool\b/, 'inline@2'),
        onRows('pools', /^pool\b/, '0_open@3'),
      ],
    },
    'binsight.loadMorePools': { ...READS, title: 'Load More Pools', inPalette: false },
  },
  Operations: {
    'binsight.zapOut': {
      ...MOVES_FUNDS,
      argument: 'position',
      title: 'Zap Out…',
      icon: 'sign-out',
      enablement: ON_POSITIONS,
      menus: [
        inTitle('positions', '1_zap@2', CAN_SIGN),
        onRows('positions', /^position (dlmm|dammV2)\b(?!.*\bbusy\b)/, 'inline@2', CAN_SIGN),
        onRows('positions', /^position (dlmm|dammV2)\b(?!.*\bbusy\b)/, '1_zap@1', CAN_SIGN),
      ],
    },
    /** Opens the plan in the pool's panel. */
    'binsight.zapIn': {
      ...READS,
      argument: 'pool',
      title: 'Zap In…',
      icon: 'add',
      enablement: CAN_SIGN,
      menus: [
        inTitle('positions', 'navigation@0', CAN_SIGN),
        inTitle('positions', '1_zap@1', CAN_SIGN),
        onRows('pools', /^pool (dlmm|dammV2)\b/, 'inline@1', CAN_SIGN),
        onRows('pools', /^pool (dlmm|dammV2)\b/, '1_zap@1', CAN_SIGN),
      ],
    },
    'binsight.rebalance': {
      ...MOVES_FUNDS,
      argument: 'position',
      title: 'Rebalance Position…',
      icon: 'target',
      enablement: ON_POSITIONS,
      menus: [
        onRows('positions', /^position dlmm\b(?=.*\boutOfRange\b)(?!.*\bbusy\b)/, 'inline@1', CAN_SIGN),
        onRows('positions', /^position dlmm\b(?!.*\bbusy\b)/, '1_zap@2', CAN_SIGN),
      ],
    },
    'binsight.rebalanceAll': {
      ...MOVES_FUNDS,
      title: 'Rebalance All Out of Range…',
      icon: 'target',
      enablement: ON_POSITIONS,
      menus: [inTitle('positions', '1_zap@3', CAN_SIGN)],
    },
    'binsight.closePositions': {
      ...MOVES_FUNDS,
      argument: 'positions',
      title: 'Close Positions…',
      icon: 'close-all',
      enablement: ON_POSITIONS,
      menus: [
        inTitle('positions', '1_zap@4', CAN_SIGN),
        onRows('positions', /^position (dlmm|dammV2)\b/, '1_zap@3', `${SEVERAL} && ${CAN_SIGN}`),
      ],
    },
    'binsight.claimFees': {
      ...MOVES_FUNDS,
      argument: 'position',
      title: 'Claim Fees…',
      icon: 'inbox',
      enablement: CLAIMS_ON_POSITIONS,
      menus: [onRows('positions', /^position (dlmm|dammV2)\b(?!.*\bbusy\b)/, '1_zap@4', `!binsight.isWatchedOnly && ${IS_OWN_SERVICE}`)],
    },
    'binsight.compoundFees': {
      ...MOVES_FUNDS,
      argument: 'position',
      title: 'Compound Fees…',
      icon: 'arrow-circle-up',
      enablement: CLAIMS_ON_POSITIONS,
      menus: [onRows('positions', /^position (dlmm|dammV2)\b(?!.*\bbusy\b)/, '1_zap@5', `!binsight.isWatchedOnly && ${IS_OWN_SERVICE}`)],
    },
    'binsight.addLiquidity': {
      ...MOVES_FUNDS,
      argument: 'positionOrPlan',
      title: 'Add Liquidity…',
      icon: 'add',
      enablement: CLAIMS_ON_POSITIONS,
      menus: [onRows('positions', /^position (dlmm|dammV2)\b(?!.*\bbusy\b)/, '1_zap@6', `!binsight.isWatchedOnly && ${IS_OWN_SERVICE}`)],
    },
    'binsight.swapToSol': {
      ...MOVES_FUNDS,
      argument: 'account',
      title: 'Swap to SOL…',
      icon: 'arrow-swap',
      enablement: `${CAN_SIGN} && ${IS_OWN_SERVICE}`,
      menus: [onRows('wallet', /^token swappable\b/, '1_swap@1', `${CAN_SIGN} && ${IS_OWN_SERVICE}`)],
    },
    /** Only where something is wrapped: its row says so. */
    'binsight.unwrapSol': {
      ...MOVES_FUNDS,
      argument: 'account',
      title: 'Unwrap SOL…',
      icon: 'package',
      inPalette: false,
      menus: [
        onRows('wallet', /^token wrapped\b/, 'inline@1', `${CAN_SIGN} && ${IS_OWN_SERVICE}`),
        onRows('wallet', /^token wrapped\b/, '1_swap@1', `${CAN_SIGN} && ${IS_OWN_SERVICE}`),
      ],
    },
    'binsight.claimAllFees': {
      ...MOVES_FUNDS,
      argument: 'positions',
      title: 'Claim All Fees…',
      icon: 'inbox',
      enablement: CLAIMS_ON_POSITIONS,
      menus: [inTitle('positions', '1_zap@5', `!binsight.isWatchedOnly && ${IS_OWN_SERVICE}`)],
    },
    'binsight.reenter': {
      ...MOVES_FUNDS,
      argument: 'operation',
      title: 'Re-enter…',
      icon: 'debug-restart',
      inPalette: false,
      menus: [onRows('activity', /\breenter\b/, 'inline@0'), onRows('activity', /\breenter\b/, '0_finish@1')],
    },
    'binsight.leaveOut': {
      ...ON_AN_OPERATION,
      title: "Don't Re-enter",
      icon: 'circle-slash',
      menus: [onRows('activity', /\breenter\b/, '0_finish@2')],
    },
    'binsight.finishOperation': {
      ...MOVES_FUNDS,
      argument: 'operation',
      title: 'Complete Interrupted Operation…',
      icon: 'debug-continue',
      inPalette: false,
      menus: [onRows('activity', /\bpartiallyExecuted\b/, 'inline@0'), onRows('activity', /\bpartiallyExecuted\b/, '0_finish@3')],
    },
    'binsight.showOperation': {
      ...ON_AN_OPERATION,
      title: 'Show Operation Details',
      icon: 'note',
      menus: [onRows('activity', /^(operation|step)\b/, 'inline@1'), onRows('activity', /^(operation|step)\b/, '1_tell@1')],
    },
    'binsight.copySignature': {
      ...ON_AN_OPERATION,
      title: 'Copy Signature',
      icon: 'copy',
      menus: [onRows('activity', /\bsigned\b/, '2_signature@1')],
    },
  },
  'Auto-rebalance': {
    'binsight.automationMenu': {
      ...READS,
      title: 'Auto-Rebalance, Stop-Loss, Take-Profit…',
      icon: 'sync',
      menus: [inTitle('positions', '1_zap@6', CAN_SIGN)],
    },
    /** The menu of auto-rebalance leads here: only this one may end with signatures. */
    'binsight.startAutoRebalance': { ...MOVES_FUNDS, title: 'Start Auto-Rebalance…', inPalette: false },
    'binsight.showAutomationPlan': { ...READS, title: 'Preview Auto-Rebalance (Dry Run)', inPalette: false },
    'binsight.stopAllAutomation': {
      ...READS,
      title: 'Stop All Automation',
      icon: 'debug-stop',
      inPalette: 'binsight.isAutomationOn',
      keybinding: { key: 'ctrl+shift+f8', mac: 'cmd+shift+f8', when: 'binsight.isAutomationOn' },
      menus: [inTitle('positions', '1_zap@7', 'binsight.isAutomationOn')],
    },
  },
  Notices: { 'binsight.webhookMenu': { ...KEEPS_SECRETS, title: 'Webhook for Alerts…', icon: 'broadcast' } },
  Sandbox: {
    'binsight.sandboxMenu': {
      ...READS,
      title: 'Sandbox…',
      icon: 'beaker',
      inPalette: 'binsight.isSandbox',
      menus: [inTitle('positions', 'navigation@5', 'binsight.isSandbox')],
    },
    'binsight.movePrice': {
      ...READS,
      argument: 'positionOrPool',
      title: 'Move Price…',
      inPalette: false,
      menus: [
        onRows('positions', /^position\b/, '3_sandbox@1', 'binsight.isSandbox'),
        onRows('pools', /^pool\b/, '3_sandbox@1', 'binsight.isSandbox'),
      ],
    },
    'binsight.newSandboxWallet': { ...KEEPS_SECRETS, title: 'New Sandbox Wallet…', inPalette: false },
    /** The walkthrough leads here. */
    'binsight.playHostileService': { ...READS, title: 'Play a Hostile Service…', inPalette: false },
    'binsight.resetSandboxWorld': { ...KEEPS_SECRETS, title: 'Reset Sandbox World…', inPalette: false },
  },
};
