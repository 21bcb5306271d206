import assert from 'node:assert/strict';
import { EffectError } from '../../../../src/sandbox/chain/types';
import type { BinPool } from '../../../../src/sandbox/market/types';
import { binArrayIndex, BINS_PER_ARRAY } from '../../../../src/base/dlmm/bins';
import { address, type Address } from '../../../../src/base/solana/address';
import { associatedTokenAddress, dlmmBinArray } from '../../../../src/base/solana/pda';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { RentRate } from '../../../../src/base/solana/rent';
import { useWorld } from '../../../support/sandbox/market/engine/testWorld';

const SOL = 1_000_000_000n;

describe('Prefunded accounts', function () {
  const test = useWorld();

  afterEach(() => assert.deepEqual(test.world.audit(), []));

  function pool(): BinPool {
    const found = test.pool('BONQ-SOL-25');
    assert.ok(found.type === 'bins');
    return found;
  }

  /** Out of the rest of the world's, as the sandbox's airdrop. */
  function give(to: Address, lamports: bigint): void {
    const { engine, chain, market } = test.world;
    engine.change(() => {
      chain.setLamports(market.world, chain.lamports(market.world) - lamports);
      chain.setLamports(to, chain.lamports(to) + lamports);
    });
  }

  it('Lamports at the address of a future bin array do not block it and count towards its rent', () => {
    const { address: at, binArrayIndexes } = pool();
    const index = Math.max(...binArrayIndexes, binArrayIndex(pool().activeBinId)) + 1;
    const range = { fromBinId: index * BINS_PER_ARRAY, toBinId: index * BINS_PER_ARRAY + 9 };
    const gift = 1_000_000n;
    give(dlmmBinArray(at, index), gift);
    const owed = test.lamports() + gift;
    const built = test.add(pool(), { ...range, input: { mode: 'normal', amountX: 1_000, amountY: 0 } });
    test.landAdd(built);
    assert.ok(pool().binArrayIndexes.includes(index));
    assert.equal(test.lamports(dlmmBinArray(at, index)), RentRate.highest.binArray);
    const fees = owed - test.lamports() - RentRate.highest.binArray - RentRate.highest.position;
    assert.ok(fees > 200_000n && fees < 1_000_000n, `${fees}`);
    test.landDecrease(test.decrease(built.meta.positionPubKey, 10_000));
  });

  it('Lamports sent to a position return with its rent on closing', () => {
    const positions = [test.entered(pool(), SOL), test.entered(test.pool('JUPP-SOL-DAMM-25'), SOL)];
    positions.forEach((position) => give(address(position), SOL));
    assert.deepEqual(test.world.audit(), []);
    for (const position of positions) {
      const before = test.lamports();
      test.landDecrease(test.decrease(position, 10_000));
      const back = test.lamports() - before;
      assert.ok(back > (19n * SOL) / 10n && back < (21n * SOL) / 10n, `${back}`);
    }
  });

  it('Lamports at a wrapped SOL address are wrapped on entry and return as SOL', () => {
    const wrapped = associatedTokenAddress(test.owner, WRAPPED_SOL_MINT);
    give(wrapped, 2n * SOL);
    const before = test.lamports() + test.lamports(wrapped);
    const position = test.entered(pool(), SOL);
    assert.equal(test.lamports(wrapped), 0n);
    const after = test.lamports();
    assert.ok(before - after > SOL && before - after < SOL + 100_000_000n, `${before - after}`);
    test.landDecrease(test.decrease(position, 10_000));
  });

  it('Lamports cannot be sent to a program or a sysvar', () => {
    for (const own of [
      PROGRAMS.system,
      PROGRAMS.token,
      PROGRAMS.dlmm,
      PROGRAMS.dammV2,
      PROGRAMS.jupiterV6,
      PROGRAMS.associatedToken,
      WRAPPED_SOL_MINT,
      address('SysvarC1ock11111111111111111111111111111111'),
    ]) {
      assert.throws(
        () => give(own, SOL),
        (error) => error instanceof EffectError && error.message.includes(own),
      );
    }
    test.landDecrease(test.decrease(test.entered(pool(), SOL), 10_000));
  });
});
