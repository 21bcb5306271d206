import assert from 'node:assert/strict';
import DLMM from '@meteora-ag/dlmm';
import { PublicKey } from '@solana/web3.js';
import type { TransactionFormat } from '../../src/engine/assembly/types';
import { priceOfBin, widthOf } from '../../src/base/dlmm/bins';
import { spreadOverBins } from '../../src/base/dlmm/strategy';
import { BuildDesk, entryOf, exitOf, type Entry } from '../support/chain/builds';
import type { MainnetPools } from '../support/mainnet/mainnet';
import { useMainnet } from '../support/mainnet/useMainnet';

/** Pool, transactions, strategy, range beside the active bin, whole tokens, and how many transactions the entry and the exit take. */
const RANGES: readonly (readonly [
  keyof MainnetPools,
  TransactionFormat,
  Entry['strategy'],
  number,
  number,
  number,
  number,
  number,
  number,
])[] = [
  ['solUsdc', 'service', 'Spot', -50, 49, 2, 300, 4, 3],
  ['solUsdc', 'v1', 'BidAsk', -30, 99, 1, 150, 2, 2],
  ['solUsdc', 'service', 'Curve', -100, 99, 1, 300, 7, 4],
  ['solUsdc', 'v0', 'BidAsk', 0, 120, 2, 0, 4, 3],
  ['solUsdc', 'v1', 'Spot', -120, -1, 0, 300, 1, 1],
  // Unneeded bin arrays are not created.
  ['solUsdc', 'v1', 'Spot', -400, 100, 10, 0, 1, 1],
  // The transfer fee is not part of what the bins get.
  ['tollUsdc', 'service', 'Curve', 1, 100, 100, 0, 3, 2],
  // Few bins in two bin arrays that do not exist.
  ['memeSol', 'service', 'Spot', 467, 470, 1_000, 0, 2, 3],
  // The pool's own bitmap ends before.
  ['solUsdcFine', 'service', 'Spot', 40_944, 40_954, 1, 0, 2, 3],
  ['solUsdc', 'v1', 'Curve', -700, 699, 100, 15_000, 14, 11],
];

/** True questions: more than ten transactions, and rent of more than 0.4 SOL. */
const TRUE_QUESTIONS = ['BND-1', 'RNT-1'];

describe('Wide and far ranges on the real programs', () => {
  const mainnet = useMainnet({ recording: 'buildWide' });

  for (const [place, [name, format, strategy, lower, upper, amountX, amountY, entryCount, exitCount]] of RANGES.entries()) {
    it(`Each of ${upper - lower + 1} bins of ${name} from ${lower} gets its share of ${strategy}, and a zap-out empties them all, transactions: ${format}`, async () => {
      // Swaps go through the pool itself, in whatever state the deposit leaves it.
      mainnet().faults.refuse('getProgramAccounts');
      const desk = new BuildDesk(mainnet(), { format });
      const me = mainnet().wallet(place);
      const pool = mainnet().pools[name];
      const activeBinId = await desk.activeBin(pool);
      const range = { fromBinId: activeBinId + lower, toBinId: activeBinId + upper };
      const entry = { strategy, ...range, input: { mode: 'normal' as const, amountX, amountY } };
      const built = await desk.add(me, pool, entry);
      await desk.allowsEntry(me, pool, entry, built, widthOf(range) > 400 ? TRUE_QUESTIONS : []);
      assert.deepEqual(built.simulation, { transactions: entryCount, simulated: entryCount });
      await desk.land(me, entryOf(built));

      const position = new PublicKey(built.meta.positionPubKey);
      const dlmm = await DLMM.create(desk.rpc.connection, new PublicKey(pool.address));
      const { positionData } = await dlmm.getPosition(position);
      assert.deepEqual([positionData.lowerBinId, positionData.upperBinId], [range.fromBinId, range.toBinId]);
      const arriving = 1 - pool.x.transferFeeBps / 10_000;
      const asked = {
        amountX: BigInt(Math.round(amountX * 10 ** pool.x.decimals * arriving)),
        amountY: BigInt(amountY * 10 ** pool.y.decimals),
      };
      // The active bin takes no token X alone, except as the only bin: as with the program's strategies.
      const filled = { ...range, fromBinId: amountY === 0 ? Math.max(activeBinId + 1, range.fromBinId) : range.fromBinId };
      const price = priceOfBin(activeBinId, pool.binStep ?? 0);
      // The active bin takes both tokens in the ratio that it holds: there values are compared.
      const got = new Map(
        positionData.positionBinData.map(({ binId, positionXAmount: x, positionYAmount: y }) => [
          binId,
          Number(x) * (binId === activeBinId ? price : 1) + Number(y),
        ]),
      );
      for (const { binId, amountX: x, amountY: y } of spreadOverBins({
        ...filled,
        activeBinId,
        binStepBps: pool.binStep ?? 0,
        strategy,
        ...asked,
      })) {
        const wanted = Number(x + y);
        const tolerance = wanted / (binId === activeBinId ? 20 : 100) + 2;
        assert.ok(Math.abs((got.get(binId) ?? 0) - wanted) <= tolerance, `bin ${binId - activeBinId}: ${got.get(binId)} of ${wanted}`);
      }
      near(Number(positionData.totalXAmount), Number(asked.amountX));
      near(Number(positionData.totalYAmount), Number(asked.amountY));

      const exit = await desk.decrease(me, position.toBase58(), { output: 'allToken1' });
      await desk.allowsExit(me, pool, position.toBase58(), { output: 'allToken1' }, exit, widthOf(range) > 400 ? TRUE_QUESTIONS : []);
      // The swap after ten withdrawals is beyond what a node without simulateBundle can execute.
      assert.deepEqual(exit.simulation, { transactions: exitCount, simulated: exitCount > 10 ? exitCount - 1 : exitCount });
      await desk.land(me, exitOf(exit));
      assert.equal(await desk.rpc.connection.getAccountInfo(position), null);
    });
  }
});

function near(got: number, wanted: number): void {
  assert.ok(Math.abs(got - wanted) <= wanted / 1_000 + 100_000, `${got} of ${wanted}`);
}
