/** What `Loader.operations` loads. */
export { signReviewed } from '../review/review';
export { createRpc } from '../rpc/rpc';
export { readGenesisHash } from './connection/rpcCheck';
export { RebalanceRunner } from './rebalance/rebalanceRunner';
export { OperationRunner } from './zap/operationRunner';
