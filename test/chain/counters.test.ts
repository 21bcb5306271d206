import assert from 'node:assert/strict';
import { steadyClock } from '../../src/base/async/clock';
import { replay, type Snapshot } from '../../src/base/insight/replay';
import type { Address } from '../../src/base/solana/address';
import { parseRpcUrl } from '../../src/base/solana/rpcUrl';
import { ChainPoolReader } from '../../src/chain/pools/poolReader';
import { PoolCounters } from '../../src/chain/records/poolCounters';
import { createChainRpc } from '../../src/chain/rpc/client';
import { passingReadings } from '../../src/engine/counters/readings';
import { type CountersParameters, EngineError } from '../../src/engine/engine';
import type { WireCounters, WireCounterSnapshot } from '../../src/engine/wire/counters';
import { BuildDesk } from '../support/chain/builds';
import { useMainnet } from '../support/mainnet/useMainnet';

const SOL = 10n ** 9n;
const USDC = 10n ** 6n;

describe('Counters of bins on the real programs', () => {
  const mainnet = useMainnet({ recording: 'counters' });
  const stopping = new AbortController();
  let counters: PoolCounters;

  before(() => {
    const rpc = createChainRpc({ url: parseRpcUrl(mainnet().rpcUrl), requestsPerSecond: 1_000, signal: stopping.signal });
    const pools = new ChainPoolReader({ rpc, clock: steadyClock });
    const index = { positions: () => [], progress: () => [] };
    const log = (line: string): void => assert.fail(line);
    counters = new PoolCounters({ rpc, readings: passingReadings(), index, pools, clock: steadyClock, log, signal: stopping.signal });
  });
  after(async () => {
    stopping.abort();
    await counters.ended;
  });

  const read = (pool: Address, part: Partial<CountersParameters> = {}): Promise<WireCounters> =>
    counters.of({ pool, range: undefined, fromS: undefined, toS: undefined, position: undefined, ...part });

  for (const { name, bins } of [
    { name: 'solUsdc', bins: [-10, 10] },
    { name: 'solUsdcFine', bins: [-80, 60] },
    { name: 'memeSol', bins: [-30, 30] },
    { name: 'tollUsdc', bins: [-5, 40] },
  ] as const) {
    it(`Two readings say to the unit what a position in ${name} earned between them`, async () => {
      const me = mainnet().wallet(0);
      const pool = mainnet().pools[name];
      const desk = new BuildDesk(mainnet());
      const { position } = await pool.open(me, { x: 10n ** BigInt(pool.x.decimals), y: 10n ** BigInt(pool.y.decimals), bins });
      const first = await read(pool.address, { position });
      for (let trade = 1n; trade <= 4n; trade += 1n) {
        mainnet().advance({ seconds: 600 });
        const side = trade % 2n === 0n ? 'x' : 'y';
        await pool.swap(mainnet().wallet(1), side, trade * 30n * 10n ** BigInt(pool[side].decimals));
      }
      const { snapshots, position: shares, binStepBps } = await read(pool.address, { position });
      assert.equal(binStepBps, pool.binStep);
      assert.deepEqual(shares, first.position);
      assert.deepEqual(snapshots.slice(0, -1), first.snapshots.slice(-1), 'each reading is kept');
      const earned = replay({
        snapshots: snapshots.map(snapshotOf),
        position: (shares ?? []).map(({ binId, share }) => ({ binId, share: BigInt(share) })),
        isHypothetical: false,
      });
      const { meta } = await desk.builder.buildClaim({ owner: me.address, positionIds: [position] });
      assert.ok(earned.known);
      assert.deepEqual([String(earned.feeX), String(earned.feeY)], [meta.positions[0]?.feeX, meta.positions[0]?.feeY]);
      assert.ok(earned.feeX + earned.feeY > 0n);
      const active = snapshots.at(-1);
      assert.ok(active !== undefined && BigInt(active.activeX) + BigInt(active.activeY) > 0n);
    });
  }

  it('The bins are those that were asked for, else those of the position, else those around the price', async () => {
    const { solUsdc: pool } = mainnet().pools;
    const me = mainnet().wallet(2);
    const { position } = await pool.open(me, { x: SOL, y: 150n * USDC, bins: [-20, 3] });
    const edges = async (part: Partial<CountersParameters>): Promise<readonly number[]> => {
      const { snapshots } = await read(pool.address, part);
      const { activeBinId = NaN, bins = [] } = snapshots.at(-1) ?? {};
      return [(bins[0]?.binId ?? NaN) - activeBinId, (bins.at(-1)?.binId ?? NaN) - activeBinId];
    };
    const [lowest = NaN, highest = NaN] = await edges({});
    assert.equal(highest - lowest, 280);
    assert.ok(Math.abs(lowest + 140) < 10, 'the price around which they are may be a second old');
    const [from = NaN, to = NaN] = await edges({ position });
    assert.equal(to - from, 23);
    const { snapshots } = await read(pool.address, { range: { fromBinId: -1_700, toBinId: -301 } });
    assert.deepEqual([snapshots.at(-1)?.bins.length, snapshots.at(-1)?.bins[0]?.binId], [1_400, -1_700]);
  });

  it('A pool without bins, no pool, and a position that is not in the pool are refused', async () => {
    const { dammSolUsdc, solUsdc, solUsdcFine } = mainnet().pools;
    const me = mainnet().wallet(3);
    const { position } = await solUsdcFine.open(me, { x: SOL, y: 150n * USDC, bins: [-5, 5] });
    const refused = async (kind: EngineError['kind'], asking: Promise<unknown>): Promise<void> =>
      assert.rejects(asking, (error) => error instanceof EngineError && error.kind === kind);
    await refused('invalid', read(dammSolUsdc.address));
    await refused('notFound', read(me.address));
    await refused('notFound', read(solUsdc.address, { position }));
    await refused('notFound', read(solUsdc.address, { position: me.address }));
  });
});

function snapshotOf({ timeS, activeBinId, bins }: WireCounterSnapshot): Snapshot {
  return {
    timeS,
    activeBinId,
    bins: bins.map(({ binId, supply, feeX, feeY }) => ({ binId, supply: BigInt(supply), feeX: BigInt(feeX), feeY: BigInt(feeY) })),
  };
}
