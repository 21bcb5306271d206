import assert from 'node:assert/strict';
import { recordsOver } from '../support/chain/recordsOver';
import { useMainnet } from '../support/mainnet/useMainnet';

const SOL = 10n ** 9n;
const PAGE = { from: undefined, to: undefined, page: 1, pageSize: 20 };

describe('A position address that is used again, on the real programs', () => {
  const mainnet = useMainnet({ recording: 'addressReused' });

  it('has a record for each life: what the first one moved is not in the second', async () => {
    const me = mainnet().wallet(0);
    const { solUsdc } = mainnet().pools;
    const { position } = await solUsdc.open(me, { x: 2n * SOL, bins: [1, 20] });
    await solUsdc.close(me, position);
    assert.equal((await solUsdc.open(me, { x: SOL, bins: [1, 10], again: position })).position, position);

    const { records, stop } = recordsOver(mainnet());
    try {
      const about = (sol: number, figure: number | null | undefined): void =>
        assert.ok(Math.abs((figure ?? NaN) - sol) < 1e-6, `${figure} is not ${sol}`);
      const { count, data: open } = await records.opening(me.address);
      assert.deepEqual([count, open[0]?.position, open[0]?.outputNative], [1, position, 0]);
      about(1, open[0]?.inputNative);
      const { data: closed } = await records.historical({ owner: me.address, ...PAGE });
      assert.deepEqual(
        closed.map((record) => record.position),
        [position],
      );
      about(2, closed[0]?.inputNative);
      about(2, closed[0]?.outputNative);
      const overview = await records.overview(me.address, 'meteora');
      assert.deepEqual([overview.total_lp, overview.opening_lp, overview.closed_lp.ALL], ['2', '1', '1']);
      about(2, overview.total_inflow_native);
      // The last record of an address is that of the closing once it is closed, too.
      await solUsdc.close(me, position);
      assert.equal((await records.historical({ owner: me.address, ...PAGE })).pagination.totalCount, 2);
      const logs = (await records.logs({ position, owner: undefined })).data;
      assert.equal(logs.filter(({ action }) => action === 'close_position').length, 2);
    } finally {
      await stop();
    }
  });
});
