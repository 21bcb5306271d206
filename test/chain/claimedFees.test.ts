import assert from 'node:assert/strict';
import { recordsOver } from '../support/chain/recordsOver';
import { useMainnet } from '../support/mainnet/useMainnet';

const SOL = 10n ** 9n;
const USDC = 10n ** 6n;

describe('Fees that were claimed alone, on the real programs', () => {
  const mainnet = useMainnet({ recording: 'claimedFees' });

  it('are valued in a DAMM v2 pool that collects both tokens, at the price of the nearest event, and the profit stays known', async () => {
    const me = mainnet().wallet(0);
    const { dammSolUsdc: pool } = mainnet().pools;
    const { position } = await pool.open(me, { x: 10n * SOL });
    await pool.swap(mainnet().wallet(1), 'x', 50n * SOL);
    await pool.swap(mainnet().wallet(1), 'y', 7_000n * USDC);
    await pool.claim(me, position);

    const { records, index, stop } = recordsOver(mainnet());
    try {
      const [open] = (await records.opening(me.address)).data;
      const [claim] = index.positions({ owner: me.address })[0]?.events.filter(({ kind }) => kind === 'feeClaim') ?? [];
      assert.ok(open !== undefined && claim !== undefined && claim.rawPrice === undefined);
      assert.ok(claim.amounts.x > 0n && claim.amounts.y > 0n, 'both tokens were collected');
      const inSol = Number(claim.amounts.x) / 1e9 + Number(claim.amounts.y) / 1e6 / 150;
      assert.ok(Math.abs((open.collectedFeeNative ?? NaN) / inSol - 1) < 0.02, `${open.collectedFeeNative} is not about ${inSol}`);
      assert.deepEqual([open.collectedFeeIsEstimate, open.pnlNative === null, open.pnl.valueNative === null], [true, false, false]);
    } finally {
      await stop();
    }
  });
});
