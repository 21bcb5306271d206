import assert from 'node:assert/strict';
import { CpAmm, getLiquidityHandler, getPriceFromSqrtPrice } from '@meteora-ag/cp-amm-sdk';
import DLMM, { getPriceOfBinByBinId } from '@meteora-ag/dlmm';
import { Connection, PublicKey } from '@solana/web3.js';
import { systemClock } from '../../src/base/async/clock';
import type { Address } from '../../src/base/solana/address';
import { parseRpcUrl } from '../../src/base/solana/rpcUrl';
import { DataApiClient } from '../../src/chain/dataApi/client';
import type { PoolDataApi } from '../../src/chain/dataApi/types';
import { PoolInfoRecords } from '../../src/chain/records/poolInfo';
import { ChainPoolReader } from '../../src/chain/pools/poolReader';
import type { OnchainPool } from '../../src/chain/pools/types';
import { createChainRpc } from '../../src/chain/rpc/client';
import type { WirePoolInfo } from '../../src/engine/wire/poolRecord';
import { DataApiServer } from '../support/chain/dataApiServer';
import { dammDataPool, dataPool, dataToken } from '../support/chain/dataPools';
import type { LittlePool } from '../support/mainnet/world/pool';
import { useMainnet } from '../support/mainnet/useMainnet';

const SOL = 10n ** 9n;
const PROTOCOLS = { bins: 'meteora', product: 'meteora_damm_v2' };

const mainnet = useMainnet({ recording: 'pools' });

describe('chain: pools from their accounts', () => {
  const sdkConnection = (): Connection => new Connection(mainnet().rpcUrl, 'confirmed');
  const dlmm = (pool: LittlePool): Promise<DLMM> => DLMM.create(sdkConnection(), new PublicKey(pool.address));
  let now: number;

  const reader = (): ChainPoolReader => {
    const rpc = createChainRpc({ url: parseRpcUrl(mainnet().rpcUrl), requestsPerSecond: 1_000 });
    return new ChainPoolReader({ rpc, clock: { ...systemClock, now: () => now } });
  };
  const stateOf = async (pool: LittlePool): Promise<OnchainPool> => known(await reader().pool(pool.address));

  beforeEach(() => {
    now = Date.now();
  });

  it('A DLMM pool has the tokens, the active bin, the price and the fees that the SDK reads, also after a trade', async () => {
    const { memeSol } = mainnet().pools;
    for (const sold of [0n, 20n * SOL]) {
      if (sold > 0n) {
        await memeSol.swap(mainnet().wallet(0), 'y', sold);
      }
      const [ours, theirs] = [await stateOf(memeSol), await dlmm(memeSol)];
      const active = await theirs.getActiveBin();
      assert.deepEqual(
        [ours.program, ours.activeBinId, ours.binStep, ours.x.mint, ours.y.mint, ours.x.decimals],
        ['dlmm', active.binId, 100, memeSol.x.mint, memeSol.y.mint, memeSol.x.decimals],
      );
      near(ours.rawPrice, Number(active.price));
      const fees = theirs.getFeeInfo();
      assert.deepEqual(
        [ours.fees.basePercent, ours.fees.protocolPercent],
        [Number(fees.baseFeeRatePercentage), Number(fees.protocolFeePercentage)],
      );
      const dynamic = at(mainnet().chain.blockTime() * 1_000, () => Number(theirs.getDynamicFee()));
      assert.equal(ours.fees.dynamicPercent, dynamic);
      assert.equal(known(ours.fees.dynamicPercent) > known(ours.fees.basePercent), sold > 0n, 'the trade raised the fee');
      assert.ok(known(ours.fees.maximumPercent) >= dynamic && known(ours.fees.maximumPercent) <= Number(fees.maxFeeRatePercentage));
      const { amountX, amountY } = theirs.lbPair.protocolFee;
      assert.deepEqual(ours.reserves, {
        x: theirs.tokenX.amount - BigInt(amountX.toString()),
        y: theirs.tokenY.amount - BigInt(amountY.toString()),
      });
    }
  });

  it('A DAMM v2 pool has the price, the reserves and the fees that the SDK reads', async () => {
    for (const pool of [mainnet().pools.dammSolUsdc, mainnet().pools.dammTollUsdc]) {
      await pool.swap(mainnet().wallet(1), 'x', SOL);
      const ours = await stateOf(pool);
      const theirs = await new CpAmm(sdkConnection()).fetchPoolState(new PublicKey(pool.address));
      assert.deepEqual(
        [ours.program, ours.activeBinId, ours.binStep, ours.x.mint, ours.y.mint],
        ['damm', undefined, undefined, pool.x.mint, pool.y.mint],
      );
      const price = getPriceFromSqrtPrice(theirs.sqrtPrice, pool.x.decimals, pool.y.decimals);
      near(ours.rawPrice * 10 ** (pool.x.decimals - pool.y.decimals), Number(price));
      const [x, y] = getLiquidityHandler(theirs).getReservesAmount();
      assert.deepEqual(ours.reserves, { x: BigInt(x.toString()), y: BigInt(y.toString()) });
      assert.equal(ours.fees.basePercent, pool === mainnet().pools.dammSolUsdc ? 0.25 : 0.5);
      assert.equal(ours.fees.protocolPercent, theirs.poolFees.protocolFeePercent);
      const dynamic = known(ours.fees.dynamicPercent);
      assert.ok(dynamic >= known(ours.fees.basePercent) && known(ours.fees.maximumPercent) >= dynamic);
    }
  });

  it('Tokens are named by Metaplex metadata or the metadata in a mint of Token-2022, and well-known ones by a fixed name', async () => {
    const { memeSol, tollUsdc } = mainnet().pools;
    const [meme, toll] = [await stateOf(memeSol), await stateOf(tollUsdc)];
    assert.deepEqual([meme.x.symbol, meme.y.symbol, toll.x.symbol, toll.y.symbol], ['MEME', 'SOL', 'TOLL', 'USDC']);
    assert.equal(toll.x.tokenProgram, tollUsdc.x.program);
    assert.notEqual(meme.x.name, memeSol.x.mint);
  });

  it('Many pools are read with two requests, known ones with one, and again within a second with none', async () => {
    const pools = Object.values(mainnet().pools).map(({ address }) => address);
    const chainPools = reader();
    const count = (): Promise<ReadonlyMap<string, number>> => mainnet().countCalls(() => chainPools.pools(pools));
    assert.deepEqual([...(await count())], [['getMultipleAccounts', 2]]);
    assert.deepEqual([...(await count())], []);
    now += 1_000;
    assert.deepEqual([...(await count())], [['getMultipleAccounts', 1]]);
    now += 1_000;
    const together = await mainnet().countCalls(() => Promise.all(pools.map((pool) => chainPools.pool(pool))));
    assert.equal(together.get('getMultipleAccounts'), pools.length, 'one for each pool that is requested alone');
    const shared = await mainnet().countCalls(() => Promise.all([chainPools.pools(pools), chainPools.pools(pools)]));
    assert.deepEqual([...shared], []);
  });

  it('A wallet, a token, a position and an address without an account are not read as pools', async () => {
    const { position } = await mainnet().pools.solUsdc.open(mainnet().wallet(2), { x: SOL, y: 150_000_000n });
    const { usdc } = mainnet().tokens;
    const none = new PublicKey(Buffer.alloc(32, 7)).toBase58() as Address;
    const found = await reader().pools([mainnet().wallet(2).address, usdc.mint, position, none, mainnet().pools.solUsdc.address]);
    assert.deepEqual([...found.keys()], [mainnet().pools.solUsdc.address]);
  });
});

describe('chain: details of a pool', () => {
  const lines: string[] = [];
  let server: DataApiServer;

  before(async () => {
    server = await DataApiServer.start();
  });
  after(() => server.close());
  beforeEach(() => {
    lines.length = 0;
    server.trouble = undefined;
    server.pools = [];
    server.requests.length = 0;
  });

  /** Reads the details of a pool; counts the requests to the chain if asked twice. */
  const infos = (dlmm?: PoolDataApi, damm?: PoolDataApi): ((pool: LittlePool) => Promise<WirePoolInfo>) => {
    const rpc = createChainRpc({ url: parseRpcUrl(mainnet().rpcUrl), requestsPerSecond: 1_000 });
    let now = Date.now();
    const pools = new ChainPoolReader({ rpc, clock: { ...systemClock, now: () => now } });
    const prices = { now: async () => new Map([[mainnet().tokens.sol.mint, 150]]), at: async () => undefined };
    const log = (line: string): void => void lines.push(line);
    const records = new PoolInfoRecords({ rpc, prices, dataApis: { dlmm, damm }, protocols: PROTOCOLS, now: () => now, log });
    return async (pool) => {
      now += 2_000;
      return await records.of(known(await pools.details(pool.address)));
    };
  };

  it('The bins around the active one have the amounts and prices that the SDK reads', async () => {
    const { memeSol } = mainnet().pools;
    await memeSol.swap(mainnet().wallet(3), 'x', 5_000n * 10n ** BigInt(memeSol.x.decimals));
    const { liquidityViz, poolState, amountX } = await infos()(memeSol);
    const sdk = await DLMM.create(new Connection(mainnet().rpcUrl, 'confirmed'), new PublicKey(memeSol.address));
    const arrays = await sdk.getBinArrays();
    const { binId: activeBin } = await sdk.getActiveBin();
    assert.equal(liquidityViz?.activeBin.binId, activeBin);
    assert.ok(liquidityViz.bins.length >= 71);
    for (const bin of liquidityViz.bins) {
      const [index, place] = [Math.floor(bin.binId / 70), ((bin.binId % 70) + 70) % 70];
      const theirs = arrays.find(({ account }) => account.index.toNumber() === index)?.account.bins[place];
      const whole = [Number(theirs?.amountX ?? 0) / 10 ** memeSol.x.decimals, Number(theirs?.amountY ?? 0) / 10 ** 9];
      assert.deepEqual([bin.xAmount, bin.yAmount], whole);
      const price = Number(getPriceOfBinByBinId(bin.binId, 100));
      near(Number(bin.price), price);
      near(Number(bin.pricePerToken), price * 10 ** (memeSol.x.decimals - memeSol.y.decimals));
    }
    assert.deepEqual(
      [poolState['tokenXMint'], poolState['activeId'], poolState['binStep']],
      [memeSol.x.mint, activeBin, 100],
      'the account as the program stores it',
    );
    assert.ok(liquidityViz.bins.reduce((sum, { xAmount }) => sum + xAmount, 0) <= amountX);
    assert.doesNotThrow(() => JSON.stringify(poolState));
  });

  it('Without the data API, figures of trading are null, and a value is known only if both prices are', async () => {
    const of = infos();
    const [meme, damm] = [await of(mainnet().pools.memeSol), await of(mainnet().pools.dammMemeSol)];
    for (const info of [meme, damm]) {
      assert.deepEqual(info.feeStats, []);
      assert.deepEqual([info.poolStats['tvl'], info.poolStats['vol_24h'], info.poolStats['fee_24h']], [null, null, null]);
      assert.deepEqual(
        info.tokenInfo.map(({ data: [token] }) => [token?.symbol, token?.usdPrice, token?.fdv, token?.organicScore]),
        [
          ['MEME', null, null, null],
          ['SOL', 150, null, null],
        ],
        'the mint of wrapped SOL has no supply',
      );
    }
    assert.deepEqual([meme.type, damm.type, 'liquidityViz' in damm], ['meteora', 'meteora_damm_v2', false]);
    assert.deepEqual(lines, []);
  });

  it('With the data API, its volumes, fees and prices are there', async () => {
    const { memeSol } = mainnet().pools;
    const nowS = Math.floor(Date.now() / 1_000);
    const x = dataToken(memeSol.x.mint, 'MEME', { price: 0.15 });
    server.pools = [dataPool(memeSol.address, 4, { token_x: x })];
    server.volumes = [nowS - 8 * 86_400, nowS - 3_600].map((timestamp) => ({
      timestamp,
      timestamp_str: '',
      volume: 7,
      fees: 1,
      protocol_fees: 0,
    }));
    const info = await infos(new DataApiClient({ url: server.url, clock: systemClock }))(memeSol);
    assert.deepEqual(
      info.feeStats.map(({ fee, volume }) => [fee, volume]),
      [[1, 7]],
      'of the last seven days',
    );
    assert.deepEqual([info.poolStats['vol_24h'], info.poolStats['fee_24h'], info.tokenInfo[0]?.data[0]?.usdPrice], [9_600, 96, 0.15]);
    near(Number(info.poolStats['tvl']), info.amountX * 0.15 + info.amountY * 150);
    assert.deepEqual(server.violations, []);
  });

  it('A DAMM v2 pool has the volumes, fees and hours of its own data API', async () => {
    const damm = await DataApiServer.start('damm');
    try {
      const { dammMemeSol } = mainnet().pools;
      damm.pools = [dammDataPool(dammMemeSol.address, 4)];
      const timestamp = Math.floor(Date.now() / 1_000) - 3_600;
      damm.volumes = [{ timestamp, timestamp_str: '', volume: 7, fees: 1, protocol_fees: 0 }];
      const info = await infos(undefined, new DataApiClient({ url: damm.url, program: 'damm', clock: systemClock }))(dammMemeSol);
      assert.deepEqual(
        [info.type, info.poolStats['vol_24h'], info.poolStats['fee_24h'], info.feeStats.map(({ fee, volume }) => [fee, volume])],
        ['meteora_damm_v2', 9_600, 96, [[1, 7]]],
      );
      assert.deepEqual([damm.violations, lines], [[], []]);
    } finally {
      await damm.close();
    }
  });

  it('If only one endpoint of the data API fails, the answers of the other are there, and the log says so once', async () => {
    const { memeSol } = mainnet().pools;
    const [x, y] = [dataToken(memeSol.x.mint, 'MEME', { price: 0.15 }), dataToken(memeSol.y.mint, 'SOL', { price: 140 })];
    server.pools = [dataPool(memeSol.address, 4, { token_x: y, token_y: x })];
    server.trouble = (response) =>
      response.req.url?.includes('volume') === true
        ? response.writeHead(500).end()
        : response.end(JSON.stringify(server.pools.find(({ address }) => address === memeSol.address)));
    const of = infos(new DataApiClient({ url: server.url, clock: systemClock }));
    for (const info of [await of(memeSol), await of(memeSol)]) {
      assert.deepEqual([info.poolStats['vol_24h'], info.feeStats], [9_600, []]);
      assert.deepEqual(
        info.tokenInfo.map(({ data: [token] }) => token?.usdPrice),
        [0.15, 150],
        'each token has its own price, whatever their order',
      );
    }
    assert.deepEqual([lines.length, server.requests.length], [1, 2], 'within seconds it is not asked again');
  });

  it('If the data API fails, everything from the chain is there, and the log says so once', async () => {
    server.trouble = (response) => response.writeHead(500).end();
    const of = infos(new DataApiClient({ url: server.url, clock: systemClock }));
    for (const pool of [mainnet().pools.memeSol, mainnet().pools.solUsdc]) {
      const info = await of(pool);
      assert.ok((info.liquidityViz?.bins.length ?? 0) >= 71 && known(info.feeInfo.baseFeeRatePercentage) > 0);
      assert.equal(info.poolStats['vol_24h'], null);
    }
    assert.equal(lines.length, 1);
  });

  it('Details take three requests to the chain the first time, then two', async () => {
    const of = infos();
    const count = (): Promise<ReadonlyMap<string, number>> => mainnet().countCalls(() => of(mainnet().pools.solUsdc));
    assert.deepEqual([...(await count())], [['getMultipleAccounts', 3]]);
    assert.deepEqual([...(await count())], [['getMultipleAccounts', 2]]);
  });
});

function known<Value>(value: Value | null | undefined): Value {
  assert.ok(value !== undefined && value !== null);
  return value;
}

/** Floats that differ only by rounding. */
function near(actual: number, expected: number): void {
  assert.ok(Math.abs(actual / expected - 1) < 1e-9, `${actual} instead of ${expected}`);
}

/** Runs at a time of the chain: the SDK asks the machine's clock. */
function at<Result>(ms: number, run: () => Result): Result {
  const { now } = Date;
  Date.now = () => ms;
  try {
    return run();
  } finally {
    Date.now = now;
  }
}
