import assert from 'node:assert/strict';
import * as z from 'zod';
import type { Address } from '../../src/base/solana/address';
import type { Mainnet } from '../support/mainnet/mainnet';
import { good, landed, refused, type TestClient } from '../support/sandbox/client';
import { useChainService } from '../support/chain/useChainService';
import { describeOnPrograms } from '../support/programs';

/** Place of the active bin in the account of a DLMM pool. */
const ACTIVE_BIN_AT = 76;

function activeBinOf({ chain }: Mainnet, pool: Address): number {
  const data = Buffer.from(chain.account(pool)?.data ?? []);
  return data.readInt32LE(ACTIVE_BIN_AT);
}

const Openings = z.object({
  data: z.array(z.looseObject({ id: z.string(), position: z.string(), tickLower: z.int(), tickUpper: z.int(), inRange: z.boolean() })),
});

const Status = z.object({
  data: z.object({
    index: z.array(z.object({ owner: z.string(), state: z.string(), transactions: z.int(), left: z.int() })),
    landing: z.array(z.unknown()),
  }),
});

/** The open positions, of which less is known than in the sandbox: there are no prices. */
async function openings(client: TestClient): Promise<z.output<typeof Openings>['data']> {
  return good(Openings, await client.get('/lp-positions/opening', { owner: client.sandbox.owner })).data;
}

describeOnPrograms('The service over the little mainnet', () => {
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
    const { data } = good(Status, await client.send('GET', new URL('/status', client.sandbox.url).href));
    const progress = data.index.find(({ owner }) => owner === client.sandbox.owner);
    assert.deepEqual([progress?.state, progress?.left], ['current', 0]);
    assert.ok((progress?.transactions ?? 0) >= 2);
    assert.deepEqual(data.landing, []);
  });

  for (const [number, [what, signal, carriedOut, landedBefore]] of (
    [
      ['is killed before the RPC has its first transaction', 'SIGKILL', false, 0],
      ['is killed after its first transaction has landed, and before the RPC answers', 'SIGKILL', true, 0],
      ['is ended between its transactions', 'SIGTERM', false, 1],
    ] as const
  ).entries()) {
    it(`A landing whose process ${what} is completed by the next process, and nothing is executed twice`, async () => {
      const { mainnet } = service();
      const wallet = 4 + number;
      const client = service().client(wallet);
      const { position } = await mainnet.pools.solUsdc.open(mainnet.wallet(wallet), { x: 10n ** 9n, y: 150_000_000n });
      const exit = await client.decrease(position, 10_000);
      const count = exit.closeTxsWithJito.length + exit.swapTxsWithJito.length;
      assert.ok(count > 1);
      const payload = client.signedDecrease(exit);
      const before = mainnet.chain.transactionCount;
      const executed = (): number => mainnet.chain.transactionCount - before;
      // The RPC does not answer the send during which the process ends.
      const holdSends = (): void => void mainnet.faults.add({ kind: 'timeout' }, { method: 'sendTransaction', times: 1, carriedOut });
      if (landedBefore === 0) {
        holdSends();
      } else {
        mainnet.faults.confirmAfterSlots = 1_000;
      }
      const sends = mainnet.rpc.counts.get('sendTransaction') ?? 0;
      const interrupted = client.post('/position/landing-decrease-tx', payload).catch(() => 'cut');
      const sent = (more: number) => (): boolean => (mainnet.rpc.counts.get('sendTransaction') ?? 0) === sends + more;
      await until(sent(1));
      if (landedBefore > 0) {
        holdSends();
        mainnet.faults.confirmAfterSlots = 0;
        await until(sent(2));
      }
      const executedAtKill = executed();
      await service().restart(signal);
      assert.equal(await interrupted, 'cut');
      assert.equal(executedAtKill, landedBefore + (carriedOut ? 1 : 0));
      landed(await service().client(wallet).post('/position/landing-decrease-tx', payload));
      assert.equal(executed(), count);
      assert.deepEqual(await openings(service().client(wallet)), []);
    });
  }

  it('What was not built here, or was changed, does not land', async () => {
    const { mainnet } = service();
    const client = service().client(2);
    const { position } = await mainnet.pools.solUsdc.open(mainnet.wallet(2), { x: 10n ** 9n, y: 150_000_000n });
    const { closeTxsWithJito, swapTxsWithJito, ...rest } = await client.decrease(position, 5_000, { output: 'both' });
    const stranger = service().client(3);
    const other = await stranger.decrease(position, 5_000, { output: 'both', owner: mainnet.wallet(3).address }).catch(() => undefined);
    assert.equal(other, undefined, 'only its owner can withdraw from a position');
    const unsigned = { ...rest, closeTxsWithJito, swapTxsWithJito };
    assert.match(refused(422, await client.post('/position/landing-decrease-tx', unsigned)), /nothing of it was executed.*is missing/);
  });
});

/** Waits for an event that has to come. */
async function until(hasHappened: () => boolean): Promise<void> {
  while (!hasHappened()) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
