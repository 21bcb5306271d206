/**
 * What the commands do, all in one place that is loaded when the first of them is run: registering them takes their ids alone.
 * What a command works with beyond its questions (the review, the RPC, an operation) is loaded later still.
 */
export { activityCommands } from './activityCommands';
export { automationCommands } from './automationCommands';
export { generalCommands } from './generalCommands';
export { operationCommands } from './operationCommands';
export { panelCommands } from './panelCommands';
export { planCommands } from './planCommand';
export { poolCommands } from './poolCommands';
export { sandboxCommands } from './sandboxCommands';
export { serviceCommands } from './serviceCommands';
export { walletCommands } from './walletCommands';
export { rebalanceCommands } from '../rebalance/rebalanceCommands';
export { termsOf } from '../settings/rules';
export { airdrop, resetWorld } from '../sandboxProcess/airdrop';
