/** What `loadFeatures` loads. */
export { operationTooltip } from './activity/operationDocument';
export { OperationRecords } from './activity/operationRecords';
export { Reconciliation } from './activity/reconciliation';
export { ConsentStore } from '../autoRebalance/consentStore';
export { AutoRebalanceCommands } from './autoRebalance/autoRebalanceCommands';
export { AutoRebalanceStatusBarItem } from './autoRebalance/statusBarItem';
export { createCommands } from './commands';
export { createService, ReviewRpc } from './connection/clients';
export { readIndexProgress } from './connection/indexProgress';
export { RpcAddresses } from './connection/rpcAddresses';
export { ADDRESS_VARIABLE, folderName, holdRpcLease, launchRpcService } from './connection/rpcLaunch';
export { holdSandboxLease, launchSandbox } from './connection/sandboxLaunch';
export { adoptTestWallet, TEST_WALLET_VARIABLE } from './wallets/testWallet';
export { positionTooltip, poolTooltip } from './positions/tooltips';
export { describeUserError } from './shell/commands/errorMessage';
export { localServiceSettings } from './shell/settings/localService';
export { openTasksOf as openTaskOf } from './shell/openTasks';
export { KeyRing } from './wallets/keyRing';
