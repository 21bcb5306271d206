import assert from 'node:assert/strict';
import { type Address, addressBytes, addressFromBytes } from '../../../../src/base/solana/address';
import { dammPositionNftAccount } from '../../../../src/base/solana/pda';
import type { IndexedPosition, IndexProgress } from '../../../../src/chain/index/types';
import { type PoolPositionList, PoolPositionLists } from '../../../../src/chain/pools/poolPositionList';
import { type ScriptedAnswer, scriptedClient, type ScriptedRequest } from '../../../support/chain/scriptedFetch';

const POOL = addressOf(1, 0);
const START_MS = 1_800_000_000_000;
const MINUTE_MS = 60_000;
const LISTED = 300;

/** A position on the chain; `owner` is the number of its owner. */
interface Made {
  readonly owner: number;
  readonly liquidity?: number;
  readonly claimedX?: number;
  readonly claimedY?: number;
}

describe('chain: list of the open positions in a pool', () => {
  let made: readonly Made[];
  let known: readonly IndexedPosition[];
  let followed: readonly Address[];
  let refusal: ScriptedAnswer | undefined;
  let now: number;
  let lines: string[];
  let requests: readonly ScriptedRequest[];
  let lists: PoolPositionLists;

  beforeEach(() => {
    [made, known, followed, refusal, now, lines] = [[], [], [], undefined, START_MS, []];
    const client = scriptedClient((request) => refusal ?? answer(request, made));
    requests = client.requests;
    const progress = (): readonly IndexProgress[] =>
      followed.map((owner) => ({ owner, state: 'current', transactions: 0, left: 0, prunedBeforeSlot: undefined, error: undefined }));
    lists = new PoolPositionLists({
      rpc: client.rpc,
      index: { positions: () => known, progress },
      now: () => now,
      log: (line) => lines.push(line),
    });
  });

  const list = (program: 'dlmm' | 'damm' = 'dlmm'): Promise<PoolPositionList> => lists.of({ address: POOL, program, rawPrice: 2 });

  it('All positions of a small pool are listed after one search for their owners alone', async () => {
    made = Array.from({ length: LISTED }, (_, place) => ({ owner: place % 7 }));
    const { count, owners, listed, unlisted } = await list();
    assert.deepEqual([count, owners, listed.length, unlisted(ownerOf(0)), unlisted(ownerOf(99))], [LISTED, 7, LISTED, 0, 0]);
    assert.deepEqual(requests.map(sliceOf), [{ offset: 40, length: 32 }]);
  });

  it('Of a pool with many positions, those of the owners with the most liquidity are listed', async () => {
    made = Array.from({ length: 1_000 }, (_, place) => ({ owner: place % 500, liquidity: place % 500 }));
    const { count, owners, listed, unlisted } = await list();
    assert.deepEqual([count, owners, listed.length], [1_000, 500, LISTED]);
    assert.deepEqual(new Set(listed.map(({ owner }) => owner)), new Set(Array.from({ length: 150 }, (_, place) => ownerOf(499 - place))));
    assert.deepEqual([unlisted(ownerOf(499)), unlisted(ownerOf(3))], [0, null]);
  });

  it('Of an owner with hundreds of positions only the largest are listed, so that there is room for others, and the number of the unlisted ones is known', async () => {
    made = [
      ...Array.from({ length: 250 }, (_, place) => ({ owner: 0, liquidity: 1_000 + place })),
      ...Array.from({ length: 400 }, (_, place) => ({ owner: 1 + place, liquidity: 1 })),
    ];
    const { listed, unlisted } = await list();
    assert.deepEqual(
      listed.slice(0, 10).map(({ address, owner }) => [address, owner]),
      Array.from({ length: 10 }, (_, place) => [positionOf(249 - place), ownerOf(0)]),
    );
    assert.deepEqual([listed.length, new Set(listed.map(({ owner }) => owner)).size, unlisted(ownerOf(0))], [LISTED, 291, 240]);
  });

  it('The positions of a pool with more than five thousand are counted exactly, compared by claimed fees, and searched again after ten minutes only', async () => {
    made = Array.from({ length: 5_001 }, (_, place) => ({ owner: place, claimedX: place === 7 ? 10_000 : 0, claimedY: place }));
    const { count, owners, listed } = await list();
    assert.deepEqual([count, owners, listed.length], [5_001, 5_001, LISTED]);
    assert.deepEqual(
      listed.slice(0, 2).map(({ owner }) => owner),
      [ownerOf(7), ownerOf(5_000)],
      'fees in X count at the price of the pool',
    );
    assert.ok(requests.every((request) => sliceOf(request).length <= 32));
    now += 10 * MINUTE_MS - 1;
    await list();
    assert.equal(requests.length, 2);
    now += 1;
    await list();
    assert.equal(requests.length, 4);
  });

  it('Requests at the same time share a search, and a small pool is searched again after half a minute', async () => {
    made = [{ owner: 0 }];
    await Promise.all([list(), list()]);
    now += 29_999;
    await list();
    assert.equal(requests.length, 1);
    now += 1;
    await list();
    assert.equal(requests.length, 2);
    now -= MINUTE_MS;
    await list();
    assert.equal(requests.length, 3, 'a clock that was set back does not prolong a list');
  });

  it('Positions that the index knows are listed also if they are too small, so that the sums of their owners are whole', async () => {
    made = Array.from({ length: 400 }, (_, place) => ({ owner: place, liquidity: place }));
    known = [indexed(0), indexed(399)];
    followed = [ownerOf(0)];
    const { listed, unlisted } = await list();
    assert.deepEqual([listed.length, listed.at(-1)?.address, unlisted(ownerOf(0))], [LISTED + 1, positionOf(0), 0]);
  });

  it('Of a large DAMM v2 pool only the owners of the largest positions are read; how many positions they have is not known', async () => {
    made = Array.from({ length: 400 }, (_, place) => ({ owner: place, liquidity: place }));
    followed = [ownerOf(398)];
    const { count, owners, listed, unlisted } = await list('damm');
    assert.deepEqual([count, owners, listed.length, listed[0]?.owner], [400, null, LISTED, ownerOf(399)]);
    assert.deepEqual([unlisted(ownerOf(399)), unlisted(ownerOf(398))], [null, 0]);
    made = made.slice(0, 10);
    now += MINUTE_MS;
    const small = await list('damm');
    assert.deepEqual([small.count, small.owners, small.unlisted(ownerOf(9))], [10, 10, 0]);
  });

  it('An RPC that refuses to search, page by page too, is not asked again soon, and the log says so once', async () => {
    refusal = { error: { code: -32010, message: 'excluded from account secondary indexes' } };
    known = [indexed(0)];
    followed = [ownerOf(0)];
    for (const { count, owners, listed, unlisted } of [await list(), await list()]) {
      assert.deepEqual([count, owners, listed.length, unlisted(ownerOf(0)), unlisted(ownerOf(1))], [null, null, 1, 0, null]);
    }
    assert.equal(requests.length, 2);
    now += MINUTE_MS;
    await list();
    assert.deepEqual([requests.length, lines.length], [2, 1]);
  });

  it('After a temporary failure the next request searches again', async () => {
    refusal = { error: { code: -32602, message: 'Too many requests' } };
    await assert.rejects(list());
    refusal = undefined;
    made = [{ owner: 0 }];
    assert.equal((await list()).count, 1);
  });
});

function indexed(place: number): IndexedPosition {
  return {
    ...{ address: positionOf(place), pool: POOL, program: 'dlmm', owner: ownerOf(place), range: undefined, strategy: undefined },
    ...{ closed: false, complete: true, hasClaimedRewards: false, events: [] },
  };
}

/** What a node knows of the positions. */
function answer({ method, params }: ScriptedRequest, made: readonly Made[]): ScriptedAnswer {
  if (method === 'getMultipleAccounts') {
    const holders = new Map(made.map(({ owner }, place) => [dammPositionNftAccount(mintOf(place)), owner]));
    return { result: { value: (params[0] as readonly Address[]).map((account) => nftAccount(holders.get(account))) } };
  }
  const [program, { dataSlice }] = params as [string, { readonly dataSlice: { readonly offset: number; readonly length: number } }];
  const make = program.startsWith('LB') ? dlmmPosition : dammPosition;
  return {
    result: made.map((position, place) => {
      const data = make(position, place).subarray(dataSlice.offset, dataSlice.offset + dataSlice.length);
      return { pubkey: positionOf(place), account: account(data) };
    }),
  };
}

/** A PositionV2 with all of its liquidity in the first bin. */
function dlmmPosition({ owner, liquidity = 0, claimedX = 0, claimedY = 0 }: Made): Buffer {
  const data = Buffer.alloc(8_120);
  data.set(addressBytes(ownerOf(owner)), 40);
  data.writeBigUInt64LE(BigInt(liquidity), 72 + 8);
  data.writeBigUInt64LE(BigInt(claimedX), 7_928);
  data.writeBigUInt64LE(BigInt(claimedY), 7_936);
  return data;
}

function dammPosition({ liquidity = 0 }: Made, place: number): Buffer {
  const data = Buffer.alloc(408);
  data.set(addressBytes(mintOf(place)), 40);
  data.writeBigUInt64LE(BigInt(liquidity), 152 + 8);
  return data;
}

function nftAccount(owner: number | undefined): object | null {
  if (owner === undefined) {
    return null;
  }
  const data = Buffer.alloc(165);
  data.set(addressBytes(ownerOf(owner)), 32);
  data.writeBigUInt64LE(1n, 64);
  return account(data);
}

function account(data: Buffer): object {
  return { data: [data.toString('base64'), 'base64'], executable: false, lamports: 57_406_080, owner: POOL, rentEpoch: 0, space: 8_120 };
}

function sliceOf({ params }: ScriptedRequest): { readonly offset: number; readonly length: number } {
  return (params[1] as { readonly dataSlice: { readonly offset: number; readonly length: number } }).dataSlice;
}

function positionOf(place: number): Address {
  return addressOf(2, place);
}

function ownerOf(place: number): Address {
  return addressOf(3, place);
}

function mintOf(place: number): Address {
  return addressOf(4, place);
}

function addressOf(kind: number, place: number): Address {
  const bytes = Buffer.alloc(32, kind);
  bytes.writeUInt32LE(place, 28);
  return addressFromBytes(bytes);
}
