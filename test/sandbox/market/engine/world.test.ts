import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { openWorld } from '../../../../src/sandbox/market/engine/world';
import { Database } from '../../../../src/sandbox/store/database';
import { NOON, TestWorld, walletOf } from '../../../support/sandbox/market/engine/testWorld';

const SOL = 1_000_000_000n;

describe('The world', function () {
  const made: TestWorld[] = [];

  afterEach(() => made.splice(0).forEach((test) => test.close()));

  function fresh(...options: ConstructorParameters<typeof TestWorld>): TestWorld {
    const test = new TestWorld(...options);
    made.push(test);
    return test;
  }

  /** Everything that a table says, in order. */
  function contents(database: Database, ...tables: readonly string[]): string {
    const hash = createHash('sha256');
    for (const table of tables) {
      database
        .all(z.record(z.string(), z.unknown()), `SELECT * FROM ${table} ORDER BY 1, 2`)
        .forEach((row) => hash.update(JSON.stringify(row)));
    }
    return hash.digest('hex');
  }

  it('A world is the same for the same seed and moment, and differs for another seed', () => {
    const madeFrom = (seed: number): Database => {
      const test = fresh({ seed, pastHours: 3 });
      assert.deepEqual(test.world.audit(), []);
      return test.database;
    };
    const tables = ['token', 'pool', 'bin_array', 'position', 'position_event', 'provider', 'account'];
    const [one, again, other] = [1, 1, 2].map((seed) => contents(madeFrom(seed), ...tables));
    assert.equal(one, again);
    assert.notEqual(one, other);
  });

  it('A world is made atomically: after a failure before the commit, the next start begins from nothing', () => {
    const database = Database.inMemory();
    const empty = contents(database, 'meta', 'account', 'pool', 'position', 'provider');
    let left = 3;
    const options = {
      database,
      seed: 1,
      now: () => NOON,
      owner: walletOf(7).owner,
      protocols: { bins: 'meteora', product: 'meteora_damm_v2' },
      pastMs: 3_600_000,
      random: (count: number): Uint8Array => new Uint8Array(count).fill(left),
      log: (): void => {
        left -= 1;
        if (left > 0) {
          throw new Error('killed');
        }
      },
    };
    assert.throws(() => openWorld(options), /killed/);
    assert.equal(contents(database, 'meta', 'account', 'pool', 'position', 'provider'), empty);
    left = 1;
    assert.deepEqual(openWorld(options).audit(), []);
    assert.notEqual(contents(database, 'meta', 'account', 'pool', 'position', 'provider'), empty);
  });

  it('A world continues from its saved state and ignores other seed and past options', () => {
    const test = fresh();
    const position = test.entered(test.pool('BONQ-SOL-25'), SOL);
    const figures = (): unknown => {
      const { market, chain, engine } = test.world;
      return [
        market.now,
        market.seed,
        chain.genesisHash,
        market.pools.map(({ price, vaults }) => [price, vaults]),
        test.lamports(),
        engine.opening(test.owner),
        test.position(position),
      ];
    };
    const before = figures();
    test.restart();
    assert.deepEqual(figures(), before);
    test.advance(60_000);
    assert.deepEqual(test.world.audit(), []);
  });

  it('A world changes as a whole or not at all', () => {
    const test = fresh();
    const { engine, market, chain } = test.world;
    const figures = (): unknown => [market.pools.map(({ price, vaults }) => [price, vaults]), test.lamports(), market.usdSol];
    const before = figures();
    assert.throws(() =>
      engine.change(() => {
        market.shock(test.pool('SOL-USDC-4'), 20);
        chain.setLamports(test.owner, 5n);
        throw new Error('thought better of it');
      }),
    );
    assert.deepEqual(figures(), before);
    engine.change(() => market.shock(test.pool('SOL-USDC-4'), 20));
    assert.notDeepEqual(figures(), before);
    assert.deepEqual(test.world.audit(), []);
  });

  it('Prices stand still at speed 0 while the clock and the blocks advance', () => {
    const test = fresh();
    const { engine, market, chain } = test.world;
    engine.change(() => (market.speed = 0));
    const [price, height] = [market.pools.map((pool) => pool.price), chain.blockHeight];
    test.advance(3_600_000);
    assert.deepEqual(
      market.pools.map((pool) => pool.price),
      price,
    );
    assert.equal(chain.blockHeight - height, 9_000);
    assert.equal(market.now, NOON + 3_600_000);
  });

  it('A simulation over RPC runs transactions with their effects and keeps nothing', () => {
    const test = fresh();
    const { chain, rpc } = test.world;
    const built = test.zapIn(test.pool('BONQ-SOL-25'), SOL);
    const [swap = ''] = built.swapTxsWithJito;
    const before = test.lamports();
    const { mint } = test.pool('BONQ-SOL-25').tokenX;
    const bytes = new Uint8Array(Buffer.from(swap, 'base64'));
    const simulated = chain.simulate(
      bytes,
      { checkSignatures: false, replaceBlockhash: false, accounts: [test.owner] },
      rpc.effectsOf([bytes]),
    );
    assert.ok(simulated.kind === 'succeeded', simulated.kind === 'failed' ? simulated.reason : '');
    const change = simulated.execution.tokens.find((token) => token.mint === mint && token.holder === test.owner);
    assert.ok((change?.after ?? 0n) > (change?.before ?? 0n));
    const vault = simulated.execution.tokens.find((token) => token.mint === mint && token.holder !== test.owner);
    assert.equal((change?.after ?? 0n) - (change?.before ?? 0n), (vault?.before ?? 0n) - (vault?.after ?? 0n));
    assert.equal(test.lamports(), before);
    assert.deepEqual(test.world.audit(), []);
  });
});
