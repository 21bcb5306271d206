import assert from 'node:assert/strict';
import { TRANSACTION_FORMATS, type TransactionFormat } from '../../../../src/engine/assembly/types';
import {
  bytesFromBase64,
  parseBase64Transaction,
  parseTransaction,
  type WireTransaction,
} from '../../../../src/base/solana/wireTransaction';
import type { AddParameters } from '../../../../src/engine/engine';
import { useWorld } from '../../../support/sandbox/market/engine/testWorld';

const SOL = 1_000_000_000n;

const VERSIONS: Readonly<Record<TransactionFormat, readonly WireTransaction['version'][]>> = {
  service: ['legacy', 0],
  legacy: ['legacy'],
  v0: [0],
  v1: [1],
  mixed: ['legacy', 0, 1],
};

describe('Versions of transactions', function () {
  const test = useWorld();

  afterEach(() => assert.deepEqual(test.world.audit(), []));

  function read(...lists: readonly (readonly string[])[]): readonly WireTransaction[] {
    return lists.flat().map((text) => {
      const base64 = parseBase64Transaction(text);
      assert.ok(base64 !== undefined);
      return parseTransaction(bytesFromBase64(base64));
    });
  }

  for (const format of TRANSACTION_FORMATS) {
    const asFormat = (): void => test.world.settings.change({ transactions: format });

    it(`${format}: a narrow, a wide and a position without bins are entered and left by transactions of these versions`, () => {
      asFormat();
      const bins = test.pool('BONQ-SOL-25');
      const product = test.world.market.pools.find(({ type }) => type === 'product');
      assert.ok(bins.type === 'bins' && product !== undefined);
      const wide: Partial<AddParameters> = { fromBinId: bins.activeBinId - 100, toBinId: bins.activeBinId + 30 };
      const versions = new Set<WireTransaction['version']>();
      for (const [pool, given] of [
        [bins, {}],
        [bins, wide],
        [product, {}],
      ] as const) {
        const before = { lamports: test.lamports(), burnt: test.world.chain.feesBurntLamports };
        const built = test.zapIn(pool, SOL, given);
        const added = read(built.swapTxsWithJito, built.addLiquidityTxsWithJito);
        test.landAdd(built);
        const left = test.decrease(built.meta.positionPubKey, 10_000);
        const removed = read(left.closeTxsWithJito, left.swapTxsWithJito);
        test.landDecrease(left, 'plain');
        assert.notEqual(test.position(built.meta.positionPubKey).closing, null);
        [...added, ...removed].forEach(({ version }) => versions.add(version));
        // Of a SOL, all but fees of pools and transactions, tips, and rents that stay.
        const lost = before.lamports - test.lamports();
        assert.ok(lost > 0n && lost < SOL / 4n, `${format}: ${lost} lamports are lost`);
        const signed = [...added, ...removed].reduce((sum, { requiredSignatures }) => sum + BigInt(requiredSignatures), 0n);
        assert.ok(test.world.chain.feesBurntLamports - before.burnt >= signed * 5_000n);
        if (format === 'v1') {
          assert.equal(added.length, given === wide ? 2 : 1);
          assert.equal(removed.length, given === wide ? 2 : 1);
        }
      }
      assert.deepEqual(versions, new Set(VERSIONS[format]));
    });
  }

  it('The setting applies to what is built next, and a restart keeps it', () => {
    const pool = test.pool('BONQ-SOL-25');
    test.world.settings.change({ transactions: 'service' });
    const earlier = test.zapIn(pool, SOL);
    test.world.settings.change({ transactions: 'v1' });
    const later = test.zapIn(pool, SOL);
    assert.deepEqual([read(later.addLiquidityTxsWithJito).length, later.swapTxsWithJito.length], [1, 0]);
    test.landAdd(earlier);
    test.restart();
    test.landAdd(later, 'plain');
    assert.deepEqual(
      read(test.zapIn(pool, SOL).addLiquidityTxs).map(({ version }) => version),
      [1],
    );
  });

  it('The fee of a v1 transaction is what its config and its signatures say', () => {
    test.world.settings.change({ transactions: 'v1' });
    const built = test.zapIn(test.pool('JUPP-SOL-20'), SOL);
    const [wire, ...more] = read(built.addLiquidityTxs);
    assert.ok(wire !== undefined && more.length === 0);
    const before = test.world.chain.feesBurntLamports;
    const signature = test.landAdd(built, 'plain');
    const fee = BigInt(wire.requiredSignatures) * 5_000n + (wire.config?.priorityFeeLamports ?? 0n);
    assert.equal(wire.requiredSignatures, 2);
    assert.equal(test.world.chain.feesBurntLamports - before, fee);
    assert.equal(test.world.chain.landedTransaction(signature)?.execution.feeLamports, fee);
  });
});
