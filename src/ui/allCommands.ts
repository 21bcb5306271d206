/**
 * The handlers of all commands. This module loads when the first command runs, because registering commands needs only their ids.
 * Heavier parts (the review, the RPC, the operations) load later.
 */
export { activityCommands } from './activity/activityCommands';
export { generalCommands } from './generalCommands';
export { operationCommands } from './zap/zapCommands';
export { panelCommands } from './panels/panelCommands';
export { planCommands } from './zap/planCommand';
export { poolCommands } from './pools/poolCommands';
export { sandboxCommands } from './connection/sandboxCommands';
export { serviceCommands } from './connection/serviceCommands';
export { walletCommands } from './wallets/walletCommands';
export { rebalanceCommands } from './rebalance/rebalanceCommands';
export { termsOf } from './shell/settings/rebalanceRules';
export { airdrop, resetWorld } from './connection/sandbox/controls';
