import assert from 'node:assert/strict';
import { systemClock } from '../../../src/base/async/clock';
import type { ChainIndex } from '../../../src/chain/index/ownerIndex';
import { ChainPoolReader } from '../../../src/chain/pools/poolReader';
import { ChainPositionReader } from '../../../src/chain/positions/positionReader';
import { ChainPrices } from '../../../src/chain/prices/chainPrices';
import { SolPrices } from '../../../src/chain/prices/solPrices';
import { ChainRecords } from '../../../src/chain/records/chainRecords';
import { PositionStates } from '../../../src/chain/records/positionStates';
import type { Mainnet } from '../mainnet/mainnet';
import { indexOf } from './indexOf';

/** The answers about owners of a little mainnet, without a price source, and the index behind them. Nothing may be logged. */
export function recordsOver(mainnet: Mainnet): {
  readonly records: ChainRecords;
  readonly index: ChainIndex;
  readonly stop: () => Promise<void>;
} {
  const over = indexOf(mainnet.rpcUrl);
  const { rpc, index } = over;
  const log = (line: string): void => assert.fail(line);
  const now = (): number => mainnet.chain.blockTime() * 1_000;
  const pools = new ChainPoolReader({ rpc, clock: systemClock });
  const prices = new ChainPrices({ api: undefined, sol: new SolPrices({ pools, index, dataApi: undefined, now, log }) });
  const positions = new ChainPositionReader({ rpc, index, now: () => performance.now(), log });
  const protocols = { bins: 'meteora', product: 'meteora_damm_v2' };
  const states = new PositionStates({ index, pools, prices, protocols, now, log });
  return { records: new ChainRecords({ index, positions, states, protocols, now }), index, stop: () => over.stop() };
}
