import assert from 'node:assert/strict';
import { CpAmm } from '@meteora-ag/cp-amm-sdk';
import DLMM from '@meteora-ag/dlmm';
import { Connection, PublicKey } from '@solana/web3.js';
import { useMainnet } from '../../support/mainnet/useMainnet';

describe('The little mainnet', () => {
  const mainnet = useMainnet({ recording: 'mainnet-sdks' });

  it('serves the DLMM SDK unmodified', async () => {
    const { rpcUrl, pools } = mainnet();
    const me = mainnet().wallet(0);
    const { position } = await pools.solUsdc.open(me, { x: 10n ** 9n, y: 150_000_000n });
    const connection = new Connection(rpcUrl, 'confirmed');
    const all = await DLMM.getAllLbPairPositionsByUser(connection, me.keypair.publicKey);
    assert.deepEqual([...all.keys()], [pools.solUsdc.address]);
    assert.equal(all.get(pools.solUsdc.address)?.lbPairPositionsData[0]?.publicKey.toBase58(), position);
  });

  it('serves the DAMM v2 SDK unmodified', async () => {
    const { rpcUrl, pools } = mainnet();
    const me = mainnet().wallet(1);
    const opened = await Promise.all([pools.dammSolUsdc.open(me, { x: 10n ** 9n }), pools.dammTollUsdc.open(me, { y: 10n ** 7n })]);
    const positions = await new CpAmm(new Connection(rpcUrl, 'confirmed')).getPositionsByUser(new PublicKey(me.address));
    assert.deepEqual(positions.map(({ position }) => position.toBase58()).sort(), opened.map(({ position }) => position).sort());
  });
});
