/**
 * What the commands do, all in one place that is loaded when the first of them is run: registering them takes their ids alone.
 * What a command works with beyond its questions (the review, the RPC, an operation) is loaded later still.
 */
export { activityCommands } from './activity/activityCommands';
export { automationCommands } from './autoRebalance/autoRebalanceCommands';
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
