import assert from 'node:assert/strict';
import * as z from 'zod';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import type { HistoryIndex, IndexedPosition, IndexProgress, IndexedEvent } from '../../../../src/chain/index/types';
import type { OnchainPool, MintInfo } from '../../../../src/chain/pools/types';
import type { OnchainPosition } from '../../../../src/chain/positions/types';
import { ChainRecords } from '../../../../src/chain/records/chainRecords';
import { PositionStates } from '../../../../src/chain/records/positionStates';
import { historicalRecords, openingRecords, positionLogs } from '../../../../src/sandbox/market/records/positionLists';
import type { MarketPool, Position } from '../../../../src/sandbox/market/types';
import { rawPrice } from '../../../../src/sandbox/market/units';
import { type Agreement, assertAgreement } from '../../../support/conformance/agreement/agree';
import { known, PEOPLE, PROTOCOLS, smallMarket, type SmallMarket } from '../../../support/sandbox/market/records/smallMarket';

/** An event of the sandbox's ledger. */
const Row = z.object({
  action: z.enum(['add_liquidity', 'remove_liquidity', 'claim_fee', 'close_position']),
  at: z.number(),
  amount_x: z.string().transform(BigInt),
  amount_y: z.string().transform(BigInt),
  usd_x: z.number(),
  usd_y: z.number(),
  usd_sol: z.number(),
});
const KINDS = { add_liquidity: 'deposit', remove_liquidity: 'withdrawal', claim_fee: 'feeClaim', close_position: 'close' } as const;

/** The sandbox values tokens at the market's price, which a pool follows within its fees; the other engine at the pool's. */
const OF_THE_POOL: ReadonlySet<string> = new Set(['priceRange', 'range']);
const POOL_TOLERANCE = 0.02;
const AGREEMENT: Agreement = {
  // Ids, pictures, what a chain does not tell, and what only a simulation or only a transaction has.
  ownWay: new Set(['id', 'logo', 'logo0', 'logo1', 'bps', 'followInfo', 'signature']),
  tolerance: 1e-9,
  toleranceOf: (name, { action }) => (action === 'close_position' || OF_THE_POOL.has(name) ? POOL_TOLERANCE : undefined),
};
const YEAR = { from: undefined, to: undefined, page: 1, pageSize: 1_000 };

describe('Records of the sandbox and of the engine over a real chain', () => {
  let market: SmallMarket;
  let chain: ChainRecords;
  before(() => {
    market = smallMarket(31);
    chain = recordsOf(market);
  });

  it('Open positions agree field by field', async () => {
    for (const owner of PEOPLE) {
      const [ours, theirs] = [await chain.opening(owner), openingRecords(market.reading, owner)];
      assert.deepEqual(
        ours.data.map(({ createdAt }) => createdAt),
        theirs.data.map(({ createdAt }) => createdAt),
      );
      // At the same moment, one engine has the order of events, and the other that of addresses.
      assertAgreement(byAddress(ours.data), byAddress(theirs.data), 'opening', AGREEMENT);
    }
  });

  it('Closed positions agree field by field', async () => {
    for (const owner of PEOPLE) {
      assertAgreement(
        await chain.historical({ owner, ...YEAR }),
        historicalRecords(market.reading, { owner, ...YEAR }),
        'historical',
        AGREEMENT,
      );
    }
  });

  it('Logs of owners and positions agree field by field', async () => {
    for (const owner of PEOPLE) {
      assertAgreement(
        await chain.logs({ owner, position: undefined }),
        positionLogs(market.reading, { owner, position: undefined }),
        'logs',
        AGREEMENT,
      );
    }
    for (const { address: position } of market.positions().slice(0, 20)) {
      assertAgreement(
        await chain.logs({ owner: undefined, position }),
        positionLogs(market.reading, { owner: undefined, position }),
        'logs',
        AGREEMENT,
      );
    }
  });
});

/** The records of the other engine, over what the sandbox's market would look like on a chain. */
function recordsOf(world: SmallMarket): ChainRecords {
  const { market } = world;
  const usdSolAt = new Map<number, number>();
  const pools = new Map(market.pools.map((pool) => [pool.address, poolState(pool, world)]));
  const indexed = world.positions().map((position) => indexedPosition(position, world, usdSolAt));
  const inOrder = indexed
    .flatMap((position) => position.events.map((event, number) => ({ position, event, number })))
    .sort(
      (one, other) =>
        timeOf(one.event) - timeOf(other.event) || (one.position.address < other.position.address ? -1 : 1) || one.number - other.number,
    );
  const orders = new Map(inOrder.map(({ event }, order) => [event, order]));
  const history = indexed.map((position) => ({
    ...position,
    events: position.events.map((event) => ({ ...event, order: known(orders.get(event)) })),
  }));
  const open = world.positions().flatMap((position) => (position.closing === null ? [openPosition(position, world)] : []));
  const index: Pick<HistoryIndex, 'catchUp' | 'completePositions' | 'positions' | 'progress'> = {
    catchUp: async (owner): Promise<IndexProgress> => ({
      ...{ owner, state: 'current', transactions: inOrder.length, left: 0, prunedBeforeSlot: undefined, error: undefined },
    }),
    progress: () => [],
    completePositions: async () => assert.fail('All histories are complete'),
    positions: ({ owner, position }) =>
      history.filter((of) => (owner === undefined || of.owner === owner) && (position === undefined || of.address === position)),
  };
  const now = (): number => market.now;
  return new ChainRecords({
    index,
    positions: {
      openPositions: async (owner) => ({ positions: open.filter((of) => of.owner === owner), history: undefined }),
      openPosition: async (position) => open.find(({ address: of }) => of === position),
    },
    states: new PositionStates({
      index,
      pools: { pool: async (of) => pools.get(of), pools: async (addresses) => new Map(addresses.map((of) => [of, known(pools.get(of))])) },
      prices: {
        now: async () => new Map([[WRAPPED_SOL_MINT, market.usdSol]]),
        at: async (mint, timeS) => (mint === WRAPPED_SOL_MINT ? usdSolAt.get(timeS) : undefined),
      },
      protocols: PROTOCOLS,
      now,
      log: (line) => assert.fail(line),
    }),
    protocols: PROTOCOLS,
    now,
  });
}

function timeOf({ blockTimeS }: IndexedEvent): number {
  return known(blockTimeS);
}

function poolState(pool: MarketPool, { market }: SmallMarket): OnchainPool {
  const token = ({ spec, mint }: MarketPool['tokenX']): MintInfo => ({
    ...{ mint, symbol: spec.symbol, name: spec.name, decimals: spec.decimals, tokenProgram: PROGRAMS.token, logo: undefined },
  });
  const { tokenX, tokenY } = pool;
  return {
    address: pool.address,
    program: pool.type === 'bins' ? 'dlmm' : 'damm',
    x: token(tokenX),
    y: token(tokenY),
    binStep: pool.type === 'bins' ? pool.spec.binStepBps : undefined,
    activeBinId: pool.type === 'bins' ? pool.activeBinId : undefined,
    rawPrice: rawPrice(market.usd(tokenX) / market.usd(tokenY), tokenX, tokenY),
    reserves: pool.vaults,
    hasRewards: false,
    rewardTokens: [],
    fees: { basePercent: pool.type === 'bins' ? 0 : pool.spec.baseFeeBps / 100, maximumPercent: 10, protocolPercent: 0, dynamicPercent: 0 },
  };
}

function indexedPosition(position: Readonly<Position>, { market, database }: SmallMarket, usdSolAt: Map<number, number>): IndexedPosition {
  const pool = known(market.poolAt(position.pool));
  const rows = database.all(Row, 'SELECT * FROM position_event WHERE position = ? ORDER BY number', position.address);
  const event = (kind: IndexedEvent['kind'], at: number, number: number): Omit<IndexedEvent, 'amounts' | 'rawPrice'> => ({
    ...{ kind, signature: `${position.address} ${number}`, slot: number, order: 0, blockTimeS: at / 1_000 },
  });
  const events = rows.map((row, number): IndexedEvent => {
    usdSolAt.set(row.at / 1_000, row.usd_sol);
    return {
      ...event(KINDS[row.action], row.at, number + 1),
      amounts: { x: row.amount_x, y: row.amount_y },
      rawPrice:
        row.action === 'close_position' && pool.type === 'bins'
          ? pool.priceOf(known(position.closing?.activeBinId))
          : rawPrice(row.usd_x / row.usd_y, pool.tokenX, pool.tokenY),
    };
  });
  return {
    address: position.address,
    pool: position.pool,
    program: pool.type === 'bins' ? 'dlmm' : 'damm',
    owner: position.owner,
    range: rangeOf(position),
    strategy: position.strategy,
    closed: position.closing !== null,
    complete: true,
    hasClaimedRewards: false,
    events: [{ ...event('create', position.openedAt, 0), amounts: { x: 0n, y: 0n }, rawPrice: undefined }, ...events],
  };
}

function openPosition(position: Readonly<Position>, { market }: SmallMarket): OnchainPosition {
  const pool = known(market.poolAt(position.pool));
  const amounts = market.books.amountsOf(pool, position);
  return {
    address: position.address,
    owner: position.owner,
    pool: position.pool,
    program: pool.type === 'bins' ? 'dlmm' : 'damm',
    range: rangeOf(position),
    ...{ amounts, withdrawableShare: 1, unclaimedFees: market.books.feesOf(pool, position), rewards: [] },
    liquidity: position.holding?.type === 'product' ? position.holding.liquidity.toString() : '1',
  };
}

function rangeOf({ lowerBinId, upperBinId }: Readonly<Position>): OnchainPosition['range'] {
  return lowerBinId === null || upperBinId === null ? undefined : { lowerBinId, upperBinId };
}

function byAddress<Item extends { readonly position: string }>(items: readonly Item[]): readonly Item[] {
  return [...items].sort((one, other) => (one.position < other.position ? -1 : 1));
}
