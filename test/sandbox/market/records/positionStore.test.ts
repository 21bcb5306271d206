import assert from 'node:assert/strict';
import { PositionStore } from '../../../../src/sandbox/market/positionStore';
import type { Position } from '../../../../src/sandbox/market/types';
import { Database } from '../../../../src/sandbox/store/database';
import { UnitOfWork } from '../../../../src/sandbox/store/unitOfWork';
import { addressOf, OWNER } from '../../../support/sandbox/market/worlds';

const POOL = addressOf('pool');
const CLOSING = { at: 5_000, activeBinId: 3, usdX: 1.5, usdY: 1, usdSol: 150 };

describe('Positions in the database', () => {
  it('Positions are read as they were written, including bins and shares', () => {
    const { store, reopened } = stored([binPosition('one'), productPosition('two')]);
    for (const name of ['one', 'two']) {
      assert.deepEqual(reopened().at(addressOf(name)), store.at(addressOf(name)));
    }
    assert.equal(reopened().at(addressOf('two'))?.holding?.type, 'product');
  });

  it('Committed positions are found by owner, pool and opaque id, oldest first', () => {
    const { store, unit } = stored([binPosition('young', { openedAt: 9 }), binPosition('old', { openedAt: 4 })]);
    assert.deepEqual(addressesOf(store.openOf(OWNER)), [addressOf('old'), addressOf('young')]);
    assert.deepEqual(addressesOf(store.openIn(POOL)), [addressOf('old'), addressOf('young')]);
    assert.equal(store.addressOf('id of old'), addressOf('old'));

    store.add(binPosition('new'));
    assert.equal(store.addressOf('id of new'), undefined);
    assert.equal(store.openOf(OWNER).length, 2);
    unit.commit();
    assert.equal(store.openOf(OWNER).length, 3);
    assert.deepEqual(store.openOf(addressOf('nobody')), []);
  });

  it('Changes of a position persist, and a closed position leaves the open lists', () => {
    const { store, unit, reopened } = stored([binPosition('one')]);
    const position = edited(store, 'one');
    position.input.usd += 12.5;
    position.eventCount += 1;
    position.upperBinId = 14;
    position.closing = CLOSING;
    position.holding = null;
    unit.commit();

    for (const after of [store, reopened()]) {
      assert.deepEqual(after.at(addressOf('one')), position);
      assert.deepEqual(after.openOf(OWNER), []);
      assert.equal(after.addressOf('id of one'), undefined);
    }
  });

  it('A reverted change leaves the positions unchanged', () => {
    const { store, unit } = stored([binPosition('one')]);
    const before = structuredClone(store.at(addressOf('one')));
    const failing = (): void => {
      const position = edited(store, 'one');
      position.output.native += 1;
      position.collectedFee.usd += 1;
      assert.ok(position.holding?.type === 'bins');
      position.holding.bins.forEach((bin) => (bin.shares += 1n));
      position.holding.pendingX += 1n;
      store.add(binPosition('two'));
      throw new Error('nothing of this');
    };
    assert.throws(() => unit.attempt(failing), /nothing of this/);
    assert.deepEqual(store.at(addressOf('one')), before);
    assert.equal(store.at(addressOf('two')), undefined);
    unit.commit();
    assert.deepEqual(addressesOf(store.openOf(OWNER)), [addressOf('one')]);
  });

  it('Closed positions and unknown addresses are not cached in memory', () => {
    const { store, unit, database } = stored([binPosition('one')]);
    Object.assign(edited(store, 'one'), { closing: CLOSING, holding: null });
    unit.commit();
    database.run('UPDATE position SET input_usd = 77 WHERE address = ?', addressOf('one'));
    assert.equal(store.at(addressOf('one'))?.input.usd, 77, 'a closed one is read again');
    database.run('UPDATE position SET input_usd = 78 WHERE address = ?', addressOf('one'));
    assert.equal(store.at(addressOf('one'))?.input.usd, 78, 'also after it was looked at');
    assert.equal(store.at(addressOf('late')), undefined);
    insertElsewhere(database, 'late');
    assert.notEqual(store.at(addressOf('late')), undefined);
  });
});

interface Stored {
  readonly database: Database;
  readonly unit: UnitOfWork;
  readonly store: PositionStore;
  /** Another store over the same database: as after a start. */
  readonly reopened: () => PositionStore;
}

function stored(positions: readonly Position[]): Stored {
  const database = Database.inMemory();
  const unit = new UnitOfWork(database);
  const store = new PositionStore(database, unit);
  positions.forEach((position) => store.add(position));
  unit.commit();
  return { database, unit, store, reopened: () => new PositionStore(database, new UnitOfWork(database)) };
}

function insertElsewhere(database: Database, name: string): void {
  const unit = new UnitOfWork(database);
  new PositionStore(database, unit).add(binPosition(name));
  unit.commit();
}

function edited(store: PositionStore, name: string): Position {
  const position = store.edit(addressOf(name));
  assert.ok(position !== undefined);
  return position;
}

function addressesOf(positions: readonly Readonly<Position>[]): readonly string[] {
  return positions.map(({ address }) => address);
}

function binPosition(name: string, more: Partial<Position> = {}): Position {
  return {
    address: addressOf(name),
    id: `id of ${name}`,
    owner: OWNER,
    pool: POOL,
    type: 'bins',
    strategy: 'BidAsk',
    lowerBinId: -2,
    upperBinId: 1,
    nftMint: null,
    openedAt: 1_000,
    updatedAt: 2_000,
    input: { usd: 100.25, native: 0.1 },
    output: { usd: 0, native: 0 },
    collectedFee: { usd: 0.125, native: 1e-7 },
    eventCount: 2,
    closing: null,
    holding: {
      type: 'bins',
      lowerBinId: -2,
      bins: [
        { shares: 1n << 100n, seenFeeX: 5n, seenFeeY: (1n << 127n) + 1n },
        { shares: 0n, seenFeeX: 0n, seenFeeY: 0n },
        { shares: 7n, seenFeeX: 0n, seenFeeY: 9n },
        { shares: 0n, seenFeeX: 0n, seenFeeY: 0n },
      ],
      pendingX: 3n,
      pendingY: 0n,
    },
    ...more,
  };
}

function productPosition(name: string): Position {
  return {
    ...binPosition(name),
    type: 'product',
    strategy: 'Spot',
    lowerBinId: null,
    upperBinId: null,
    nftMint: addressOf(`NFT of ${name}`),
    holding: { type: 'product', liquidity: 1n << 90n, seenFeeX: 1n << 200n, seenFeeY: 2n, pendingX: 0n, pendingY: 4n },
  };
}
