import assert from 'node:assert/strict';
import DLMM from '@meteora-ag/dlmm';
import { PublicKey } from '@solana/web3.js';
import type { TransactionFormat } from '../../src/base/build/types';
import { widthOf } from '../../src/base/dlmm/bins';
import { spreadOverBins } from '../../src/base/dlmm/strategy';
import { BuildDesk, entryOf, exitOf, type Entry } from '../support/chain/builds';
import { useMainnet } from '../support/mainnet/useMainnet';

/** Transactions, strategy, range beside the active bin, and whole tokens. */
const RANGES: readonly (readonly [TransactionFormat, Entry['strategy'], number, number, number, number])[] = [
  ['service', 'Spot', -50, 49, 2, 300],
  ['v1', 'BidAsk', -30, 99, 1, 150],
  ['service', 'Curve', -100, 99, 1, 300],
  ['v0', 'BidAsk', 0, 120, 2, 0],
  ['v1', 'Spot', -120, -1, 0, 300],
  ['v1', 'Curve', -700, 699, 100, 15_000],
];

/** True questions: more than ten transactions, and rent of more than 0.4 SOL. */
const TRUE_QUESTIONS = ['BND-1', 'RNT-1'];

describe('Ranges above 70 bins on the real programs', () => {
  const mainnet = useMainnet();

  for (const [place, [format, strategy, lower, upper, amountX, amountY]] of RANGES.entries()) {
    it(`Each of ${upper - lower + 1} bins gets its share of ${strategy}, and a zap-out empties them all, transactions: ${format}`, async () => {
      const desk = new BuildDesk(mainnet(), { format });
      const me = mainnet().wallet(place);
      const { solUsdc } = mainnet().pools;
      const activeBinId = await desk.activeBin(solUsdc);
      const range = { fromBinId: activeBinId + lower, toBinId: activeBinId + upper };
      const entry = { strategy, ...range, input: { mode: 'normal' as const, amountX, amountY } };
      const built = await desk.add(me, solUsdc, entry);
      await desk.allowsEntry(me, solUsdc, entry, built, widthOf(range) > 400 ? TRUE_QUESTIONS : []);
      await desk.land(me, entryOf(built));

      const position = new PublicKey(built.meta.positionPubKey);
      const dlmm = await DLMM.create(desk.rpc.connection, new PublicKey(solUsdc.address));
      const { positionData } = await dlmm.getPosition(position);
      assert.deepEqual([positionData.lowerBinId, positionData.upperBinId], [range.fromBinId, range.toBinId]);
      const asked = { amountX: BigInt(amountX * 1e9), amountY: BigInt(amountY * 1e6) };
      const got = new Map(
        positionData.positionBinData.map((bin) => [bin.binId, Number(bin.positionXAmount) + Number(bin.positionYAmount)]),
      );
      for (const { binId, amountX: x, amountY: y } of spreadOverBins({ ...range, activeBinId, binStepBps: 10, strategy, ...asked })) {
        const wanted = Number(x + y);
        // The active bin takes both tokens in the ratio that it holds.
        const tolerance = binId === activeBinId ? wanted : wanted / 100 + 2;
        assert.ok(Math.abs((got.get(binId) ?? 0) - wanted) <= tolerance, `bin ${binId - activeBinId}: ${got.get(binId)} of ${wanted}`);
      }
      near(Number(positionData.totalXAmount), Number(asked.amountX));
      near(Number(positionData.totalYAmount), Number(asked.amountY));

      const exit = await desk.decrease(me, position.toBase58(), { output: 'allToken1' });
      await desk.allowsExit(me, solUsdc, position.toBase58(), { output: 'allToken1' }, exit, widthOf(range) > 400 ? TRUE_QUESTIONS : []);
      await desk.land(me, exitOf(exit));
      assert.equal(await desk.rpc.connection.getAccountInfo(position), null);
    });
  }
});

function near(got: number, wanted: number): void {
  assert.ok(Math.abs(got - wanted) <= wanted / 1_000 + 100_000, `${got} of ${wanted}`);
}
