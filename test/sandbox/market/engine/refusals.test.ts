import assert from 'node:assert/strict';
import { EngineError, type EngineErrorKind } from '../../../../src/engine/engine';
import type { BinPool } from '../../../../src/sandbox/market/types';
import { useWorld, walletOf } from '../../../support/sandbox/market/engine/testWorld';

const SOL = 1_000_000_000n;

describe('Refused operations', function () {
  const test = useWorld();
  let pool: BinPool;
  let position: string;

  before(() => {
    const found = test.pool('BONQ-SOL-25');
    assert.ok(found.type === 'bins');
    pool = found;
    position = test.entered(pool, SOL);
  });

  afterEach(() => assert.deepEqual(test.world.audit(), []));

  function refused(kind: EngineErrorKind, words: RegExp, build: () => unknown): void {
    assert.throws(build, (error) => error instanceof EngineError && error.kind === kind && words.test(error.message), String(words));
  }

  it('Missing, inverted and too wide ranges are refused in pools with bins', () => {
    refused('invalid', /^fromBinId is required/, () => test.zapIn(pool, SOL, { fromBinId: undefined }));
    refused('invalid', /^toBinId is required/, () => test.zapIn(pool, SOL, { toBinId: undefined }));
    refused('invalid', /fromBinId has to be at most toBinId: 5 is above 4/, () => test.zapIn(pool, SOL, { fromBinId: 5, toBinId: 4 }));
    refused('invalid', /span 1401 bins/, () => test.zapIn(pool, SOL, { fromBinId: 0, toBinId: 1_400 }));
    refused('invalid', /443636|bin/i, () => test.zapIn(pool, SOL, { fromBinId: -900_000, toBinId: -900_000 }));
  });

  it('Entries that would deposit nothing are refused', () => {
    const below = { fromBinId: pool.activeBinId - 20, toBinId: pool.activeBinId - 1 };
    refused('invalid', /percentX leaves nothing to put in: the range lies below the active bin -?\d+, where only SOL goes/, () =>
      test.add(pool, { ...below, input: { mode: 'zap-in', lamports: SOL, percentX: 1 } }),
    );
    refused('invalid', /amountX and amountY leave nothing/, () =>
      test.add(pool, { ...below, input: { mode: 'normal', amountX: 5, amountY: 0 } }),
    );
    refused('invalid', /too small for 21 bins/, () => test.add(pool, { input: { mode: 'normal', amountX: 0, amountY: 1e-9 } }));
    refused('invalid', /No pools give BONQ for 1 lamports/, () => test.add(pool, { input: { mode: 'zap-in', lamports: 1n, percentX: 1 } }));
  });

  it('Entries beyond the liquidity of the pools or the balance of the owner are refused', () => {
    refused('invalid', /No pools give MEWO for/, () =>
      test.add(test.pool('MEWO-SOL-200'), { input: { mode: 'zap-in', lamports: 1_000_000n * SOL, percentX: 1 } }),
    );
    refused('invalid', /Insufficient balance: 30\.\d+ SOL are needed with rent and fees, \d+\.\d+ SOL are there/, () =>
      test.add(pool, { input: { mode: 'zap-in', lamports: 30n * SOL, percentX: 0.001 } }),
    );
  });

  it('Operations on missing pools, missing positions and positions of other owners are refused', () => {
    const input = { mode: 'zap-in', lamports: SOL, percentX: 0 } as const;
    const entry = { pool: 'nowhere', owner: test.owner, strategy: 'Spot', fromBinId: 1, toBinId: 2, slippageBps: 1, input } as const;
    refused('notFound', /Pool nowhere not found/, () => test.world.engine.buildAdd(entry));
    refused('notFound', /Position account nothing not found/, () => test.decrease('nothing', 100));
    refused('notFound', /not found/, () => test.decrease(walletOf(9).owner, 100));
    refused('invalid', /owner does not own the position: it belongs to/, () => test.decrease(position, 100, { owner: walletOf(9).owner }));
    refused('invalid', /type is meteora_damm_v2, but the position is one of meteora/, () =>
      test.decrease(position, 100, { protocol: 'meteora_damm_v2' }),
    );
  });

  it('A position can be named by its opaque id or by its address', () => {
    const { id } = test.position(position);
    assert.notEqual(id, position);
    test.landDecrease(test.decrease(id, 100));
    assert.deepEqual(test.world.engine.decreaseQuote(id, 10_000), test.world.engine.decreaseQuote(position, 10_000));
  });
});
