import assert from 'node:assert/strict';
import { PublicKey } from '@solana/web3.js';
import { BuildDesk, entryOf, exitOf } from '../support/chain/builds';
import { useMainnet } from '../support/mainnet/useMainnet';

describe('x', () => {
  const mainnet = useMainnet();
  it('zap-in solUsdc', async function () {
    this.timeout(60_000);
    const desk = new BuildDesk(mainnet());
    const me = mainnet().wallet(0);
    const { solUsdc } = mainnet().pools;
    const active = await activeBin(desk, solUsdc.address);
    for (const [strategy, percentX, lower, upper] of [['Spot', 0.5, -10, 10], ['Curve', 1, 1, 30], ['BidAsk', 0, -69, -1], ['Spot', 0.5, -34, 35]] as const) {
      const entry = { strategy, fromBinId: active + lower, toBinId: active + upper, input: { mode: 'zap-in' as const, lamports: 2_000_000_000n, percentX } };
      const calls = await mainnet().countCalls(async () => {
        const built = await desk.add(me, solUsdc, entry);
        console.log(built.simulation, entryOf(built).map((t) => Buffer.from(t, 'base64').length));
        await desk.allowsEntry(me, solUsdc, entry, built);
        await desk.land(me, entryOf(built));
      });
      console.log(calls, desk.logs);
    }
  });
});
async function activeBin(desk: BuildDesk, pool: string): Promise<number> {
  const account = await desk.rpc.connection.getAccountInfo(new PublicKey(pool));
  return account?.data.readInt32LE(76) ?? assert.fail();
}
