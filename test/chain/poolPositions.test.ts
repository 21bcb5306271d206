import assert from 'node:assert/strict';
import DLMM from '@meteora-ag/dlmm';
import { Connection, PublicKey } from '@solana/web3.js';
import { systemClock } from '../../src/base/async/clock';
import { createPoolParts, type PoolServices } from '../../src/chain/records/poolParts';
import { ChainPoolReader } from '../../src/chain/pools/poolReader';
import { ChainPositionReader } from '../../src/chain/positions/positionReader';
import { ChainPrices } from '../../src/chain/prices/chainPrices';
import { SolPrices } from '../../src/chain/prices/solPrices';
import { PositionStates } from '../../src/chain/records/positionStates';
import { EngineError, type PoolPositionsParameters, type TopLpersParameters } from '../../src/engine/engine';
import type { WirePoolPositions, WireTopLpers } from '../../src/engine/wire/pools';
import { indexOf, type TestIndex } from '../support/chain/indexOf';
import { useMainnet } from '../support/mainnet/useMainnet';
import type { LittlePool, Wallet } from '../support/mainnet/world/pool';

const SOL = 10n ** 9n;
const USDC = 10n ** 6n;
const PROTOCOLS = { bins: 'meteora', product: 'meteora_damm_v2' };

describe('Positions and providers of a pool on the real programs', () => {
  const mainnet = useMainnet({ recording: 'poolPositions' });
  const lines: string[] = [];
  let test: TestIndex;
  let parts: PoolServices;

  beforeEach(() => {
    lines.length = 0;
    test = indexOf(mainnet().rpcUrl);
    const { rpc, index } = test;
    const log = (line: string): void => void lines.push(line);
    const now = (): number => mainnet().chain.blockTime() * 1_000;
    const pools = new ChainPoolReader({ rpc, clock: systemClock });
    const prices = new ChainPrices({ api: undefined, sol: new SolPrices({ pools, index, dataApi: undefined, now, log }) });
    const positions = new ChainPositionReader({ rpc, index, now: () => performance.now(), log });
    const states = new PositionStates({ index, pools, prices, protocols: PROTOCOLS, now, log });
    parts = createPoolParts({
      rpc,
      index,
      pools,
      positions,
      states,
      prices,
      dataApis: { dlmm: undefined, damm: undefined },
      recorded: () => [],
      protocols: PROTOCOLS,
      now,
      log,
    });
  });
  afterEach(() => test.stop());

  const positionsOf = async (pool: LittlePool, over: Partial<PoolPositionsParameters> = {}): Promise<WirePoolPositions> =>
    await parts.poolPositions({
      ...{ pool: pool.address, owner: undefined, status: undefined, orderBy: 'value', sortOrder: 'desc', page: 1, pageSize: 20 },
      ...{ minPnlUsd: undefined, minPnlNative: undefined },
      ...over,
    });
  const lpers = async (pool: LittlePool, over: Partial<TopLpersParameters> = {}): Promise<WireTopLpers> =>
    await parts.topLpers({ pool: pool.address, orderBy: 'total_pnl', sortOrder: 'desc', page: 1, pageSize: 20, ...over });

  it('All open positions are listed, the most valuable first, with the amounts, fees and bins that the SDK reads', async () => {
    const { solUsdc } = mainnet().pools;
    const [one, other] = [mainnet().wallet(0), mainnet().wallet(1)];
    const small = await solUsdc.open(one, { x: SOL, y: 150n * USDC, bins: [-20, 20] });
    const wide = await solUsdc.open(other, { x: 10n * SOL, y: 1_500n * USDC, bins: [-100, 100] });
    await solUsdc.swap(mainnet().wallet(2), 'x', 300n * SOL);
    const { positions, positionState, activeBin, pagination } = await positionsOf(solUsdc);
    assert.deepEqual(
      positions.slice(1).map(({ position, owner }) => [position, owner]),
      [
        [wide.position, other.address],
        [small.position, one.address],
      ],
      'behind the market maker',
    );
    assert.equal(pagination.total, 3);
    const sdk = await DLMM.create(new Connection(mainnet().rpcUrl, 'confirmed'), new PublicKey(solUsdc.address));
    assert.equal(activeBin?.binId, sdk.lbPair.activeId);
    for (const position of [wide.position, small.position]) {
      const { positionData: theirs } = await sdk.getPosition(new PublicKey(position));
      const ours = positionState.find(({ positionId }) => positionId === position)?.positionData ?? [];
      assert.deepEqual(
        ours.map((bin) => [bin.binId, bin.binXAmount, bin.binYAmount, bin.positionXAmount, bin.positionYAmount, bin.feeX, bin.feeY]),
        theirs.positionBinData.map((bin) => [
          ...[bin.binId, bin.binXAmount, bin.binYAmount, bin.positionXAmount, bin.positionYAmount],
          ...[bin.positionFeeXAmount, bin.positionFeeYAmount],
        ]),
      );
      const record = positions.find((of) => of.position === position);
      assert.ok(record !== undefined && 'current' in record);
      assert.deepEqual([record.current.amount0, record.current.amount1], [theirs.totalXAmount, theirs.totalYAmount]);
    }
  });

  it('Deposits, profit and closed positions are known of owners in the index; deposits of other owners are null', async () => {
    const { memeSol } = mainnet().pools;
    const me = mainnet().wallet(3);
    await closedPosition(memeSol, me);
    const { position } = await memeSol.open(me, { y: 2n * SOL, bins: [-30, -1] });
    await test.index.catchUp(me.address, 10_000);
    const { positions, pagination } = await positionsOf(memeSol, { orderBy: 'inputNative', sortOrder: 'asc' });
    assert.equal(pagination.total, 3);
    assert.deepEqual(
      positions.map(({ owner, status }) => [owner === me.address, status]),
      [
        [true, 'Close'],
        [true, 'Open'],
        [false, 'Open'],
      ],
      'the unknown one last',
    );
    assert.deepEqual([positions[1]?.position, positions[2]?.inputNative], [position, null]);
    const [mine, maker] = (await lpers(memeSol, { orderBy: 'total_pnl_native' })).data;
    assert.deepEqual([mine?.owner, mine?.total_lp, mine?.total_reward], [me.address, 2, 0]);
    near(mine?.total_inflow_native, 3);
    assert.ok(Math.abs(known(mine?.total_pnl_native)) < 0.001);
    assert.deepEqual([mine?.avg_inflow_native, mine?.fee_percent_native], [known(mine?.total_inflow_native) / 2, 0]);
    assert.deepEqual([maker?.total_lp, maker?.total_inflow, maker?.total_pnl, maker?.win_rate], [1, null, null, null]);
    assert.deepEqual((await lpers(memeSol, { page: 2, pageSize: 1 })).pagination, {
      ...{ page: 2, pageSize: 1, totalCount: 2, totalPages: 2, hasNextPage: false },
    });
    assert.deepEqual((await parts.onchainStats(memeSol.address)).poolStats, [
      { pool: memeSol.address, total_open_positions: 2, unique_owners: 2, total_input_value: null, total_input_native: null },
    ]);
  });

  it("An owner's positions are read with their history, and can be filtered by state and profit", async () => {
    const { memeSol } = mainnet().pools;
    const me = mainnet().wallet(4);
    await closedPosition(memeSol, me);
    const { position } = await memeSol.open(me, { y: SOL, bins: [-30, -1] });
    const own = { owner: me.address };
    assert.deepEqual(
      (await positionsOf(memeSol, { ...own, status: 'Open' })).positions.map((of) => of.position),
      [position],
    );
    assert.deepEqual((await positionsOf(memeSol, { ...own, status: 'Close' })).positions.length, 1);
    const all = await positionsOf(memeSol, own);
    assert.deepEqual([all.pagination.total, all.positionState.length], [2, 1]);
    assert.equal((await positionsOf(memeSol, { ...own, minPnlNative: 1_000 })).pagination.total, 0);
    assert.equal((await positionsOf(memeSol, { ...own, minPnlNative: -1_000 })).pagination.total, 2);
  });

  it('DAMM v2 positions belong to the holders of their NFTs', async () => {
    const { dammMemeSol } = mainnet().pools;
    const me = mainnet().wallet(5);
    const { position } = await dammMemeSol.open(me, { y: SOL });
    const { positions, positionState, pagination, ...rest } = await positionsOf(dammMemeSol);
    assert.equal(pagination.total, 2);
    assert.deepEqual([positions[1]?.position, positions[1]?.owner, positionState, 'activeBin' in rest], [position, me.address, [], false]);
    const [stats] = (await parts.onchainStats(dammMemeSol.address)).poolStats;
    assert.deepEqual([stats?.total_open_positions, stats?.unique_owners], [2, 2]);
  });

  it('Lists are shared for a while: a second request for providers or positions needs no search', async () => {
    const { solUsdcFine } = mainnet().pools;
    const cold = await mainnet().countCalls(async () => lpers(solUsdcFine));
    assert.deepEqual([cold.get('getProgramAccounts'), [...cold.keys()].sort()], [1, ['getMultipleAccounts', 'getProgramAccounts']]);
    const warm = await mainnet().countCalls(async () => {
      await lpers(solUsdcFine, { orderBy: 'roi', page: 2 });
      await parts.onchainStats(solUsdcFine.address);
    });
    assert.equal(warm.get('getProgramAccounts'), undefined);
    assert.ok((warm.get('getMultipleAccounts') ?? 0) <= 2, 'the pool itself, and prices');
  });

  it('Where the RPC refuses to search, the positions of known owners are listed, counts are null, and the log says so', async () => {
    const { solUsdc } = mainnet().pools;
    const me = mainnet().wallet(6);
    const { position } = await solUsdc.open(me, { x: SOL, y: 150n * USDC });
    await test.index.catchUp(me.address, 10_000);
    mainnet().faults.refuse('getProgramAccounts');
    assert.deepEqual(
      (await positionsOf(solUsdc)).positions.map((of) => of.position),
      [position],
    );
    assert.deepEqual((await parts.onchainStats(solUsdc.address)).poolStats, [
      { pool: solUsdc.address, total_open_positions: null, unique_owners: null, total_input_value: null, total_input_native: null },
    ]);
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /does not search accounts/);
  });

  it('The pools of a token are found on the chain by its mint', async () => {
    const { memeSol, dammMemeSol } = mainnet().pools;
    const { data } = await parts.discover({
      ...{ chain: 'SOL', sortBy: 'tvl', sortOrder: 'desc', page: 1, pageSize: 10, feeTvlInterval: '24h', bounds: [] },
      ...{ quoteToken: undefined, search: memeSol.x.mint, protocol: undefined },
    });
    assert.deepEqual(data.map(({ pool, protocol }) => [pool, protocol]).sort(), [
      ...[[memeSol.address, 'meteora'] as const, [dammMemeSol.address, 'meteora_damm_v2'] as const].sort(),
    ]);
  });

  it('A pool that does not exist is not found', async () => {
    for (const pool of ['nonsense', mainnet().wallet(0).address]) {
      await assert.rejects(
        async () => parts.poolInfo(pool),
        (error) => error instanceof EngineError && error.kind === 'notFound' && error.message === `Pool ${pool} not found`,
      );
    }
  });
});

async function closedPosition(pool: LittlePool, wallet: Wallet): Promise<void> {
  const amount = pool.y.decimals === 9 ? SOL : 100n * USDC;
  const { position } = await pool.open(wallet, { y: amount, bins: [-10, -1] });
  await pool.close(wallet, position);
}

function known<Value>(value: Value | null | undefined): Value {
  assert.ok(value !== undefined && value !== null);
  return value;
}

function near(actual: number | null | undefined, expected: number): void {
  assert.ok(Math.abs(known(actual) / expected - 1) < 1e-6, `${actual} instead of ${expected}`);
}
