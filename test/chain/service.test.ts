import assert from 'node:assert/strict';
import * as z from 'zod';
import type { Address } from '../../src/base/solana/address';
import type { Mainnet } from '../support/mainnet/mainnet';
import { good, landed, refused, type TestClient } from '../support/sandbox/client';
import { useChainService } from '../support/chain/useChainService';

/** Place of the active bin in the account of a DLMM pool. */
const ACTIVE_BIN_AT = 76;

function activeBinOf({ chain }: Mainnet, pool: Address): number {
  const data = Buffer.from(chain.account(pool)?.data ?? []);
  return data.readInt32LE(ACTIVE_BIN_AT);
}

const Openings = z.object({
  data: z.array(z.looseObject({ id: z.string(), position: z.string(), tickLower: z.int(), tickUpper: z.int(), inRange: z.boolean() })),
});

/** The open positions, of which less is known than in the sandbox: there are no prices. */
async function openings(client: TestClient): Promise<z.output<typeof Openings>['data']> {
  return good(Openings, await client.get('/lp-positions/opening', { owner: client.sandbox.owner })).data;
}

describe('The service over the little mainnet', () => {
  const service = useChainService();

  it('A zap-in opens a position that the lists show, and a zap-out closes it', async () => {
    const client = service().client(0);
    const { solUsdc } = service().mainnet.pools;
    const activeBin = activeBinOf(service().mainnet, solUsdc.address);
    const built = await client.add(solUsdc.address, { inputSOL: 1, percentX: 0.5, fromBinId: activeBin - 10, toBinId: activeBin + 10 });
    assert.match(landed(await client.landAdd(built)), /^\w{80,}$/);
    const [position, ...others] = await openings(client);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [position?.position, position?.tickLower, position?.tickUpper, position?.inRange],
      [built.meta.positionPubKey, activeBin - 10, activeBin + 10, true],
    );
    const exit = await client.decrease(position?.id ?? '', 10_000);
    const answer = await client.landDecrease(exit);
    assert.equal(landed(await client.landDecrease(exit)), landed(answer), 'and the same payload has no second effect');
    assert.deepEqual(await openings(client), []);
    const { body } = await client.get('/lp-positions/historical', { owner: client.sandbox.owner });
    assert.match(JSON.stringify(body), new RegExp(built.meta.positionPubKey));
  });

  it('A process that is killed while it lands knows at its next start what became of it', async () => {
    const { mainnet } = service();
    const client = service().client(1);
    const { solUsdc } = mainnet.pools;
    const me = mainnet.wallet(1);
    const { position } = await solUsdc.open(me, { x: 10n ** 9n, y: 150_000_000n });
    const exit = await client.decrease(position, 10_000, { output: 'both' });
    mainnet.faults.confirmAfterSlots = 1_000;
    const executed = mainnet.chain.transactionCount;
    const payload = client.signedDecrease(exit);
    const interrupted = client.post('/position/landing-decrease-tx', payload).catch(() => 'cut');
    while (mainnet.chain.transactionCount === executed) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await service().restart('SIGKILL');
    assert.equal(await interrupted, 'cut');
    mainnet.faults.confirmAfterSlots = 0;
    mainnet.advance({ slots: 5 });
    landed(await service().client(1).post('/position/landing-decrease-tx', payload));
    const built = exit.closeTxsWithJito.length + exit.swapTxsWithJito.length;
    assert.equal(mainnet.chain.transactionCount - executed, built, 'each is executed once');
    assert.deepEqual(await openings(service().client(1)), []);
  });

  it('What was not built here, or was changed, does not land', async () => {
    const { mainnet } = service();
    const client = service().client(2);
    const { position } = await mainnet.pools.solUsdc.open(mainnet.wallet(2), { x: 10n ** 9n, y: 150_000_000n });
    const { closeTxsWithJito, swapTxsWithJito, ...rest } = await client.decrease(position, 5_000, { output: 'both' });
    const stranger = service().client(3);
    const other = await stranger.decrease(position, 5_000, { output: 'both', owner: mainnet.wallet(3).address }).catch(() => undefined);
    assert.equal(other, undefined, 'nobody withdraws from a position of somebody else');
    const unsigned = { ...rest, closeTxsWithJito, swapTxsWithJito };
    assert.match(refused(422, await client.post('/position/landing-decrease-tx', unsigned)), /nothing of it was executed.*is missing/);
  });
});
