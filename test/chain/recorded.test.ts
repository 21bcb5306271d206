import assert from 'node:assert/strict';
import DLMM from '@meteora-ag/dlmm';
import { PublicKey } from '@solana/web3.js';
import * as z from 'zod';
import { address } from '../../src/base/solana/address';
import { parseRpcUrl } from '../../src/base/solana/rpcUrl';
import { ChainPositionReader } from '../../src/chain/positions/positionReader';
import { createChainRpc } from '../../src/chain/rpc/client';
import { indexOf, type TestIndex } from '../support/chain/indexOf';
import type { Mainnet } from '../support/mainnet/mainnet';
import { useRecordedRpc } from '../support/mainnet/recording/useRecordedRpc';
import type { LittlePool, Wallet } from '../support/mainnet/world/pool';

const WAIT_MS = 10_000;

/** Raw amounts as decimal text, of X and Y. */
const Amounts = z.tuple([z.string(), z.string()]);
/** What the official SDK says of the open position, and what the owner's wallet gained by the closed ones, by address. */
const Expected = z.object({
  open: z.array(z.object({ position: z.string(), amounts: Amounts, fees: Amounts })),
  damm: z.array(z.string()),
  closed: z.record(z.string(), Amounts),
});

/** An owner opens positions in pools of both types, others trade, and the owner claims, withdraws and closes. */
async function scenario(mainnet: Mainnet): Promise<Readonly<Record<string, string>>> {
  const { solUsdc, memeSol, tollUsdc, dammTollUsdc } = mainnet.pools;
  const [me, trader] = [mainnet.wallet(0), mainnet.wallet(1)];
  const trade = async (pool: LittlePool): Promise<void> => {
    await pool.swap(trader, 'x', 3n * 10n ** BigInt(pool.x.decimals));
    await pool.swap(trader, 'y', 3n * 10n ** 8n);
  };
  const narrow = await solUsdc.open(me, { x: 10n ** 9n, y: 150_000_000n });
  const wide = await solUsdc.open(me, { x: 10n ** 10n, y: 1_500_000_000n, bins: [-60, 59], strategy: 'Curve' });
  const below = await memeSol.open(me, { y: 10n ** 9n, bins: [-20, -1], strategy: 'BidAsk' });
  const damm = await dammTollUsdc.open(me, { x: 10n ** 9n });
  const before = tokens(mainnet, me);
  const whole = await tollUsdc.open(me, { x: 10n ** 9n, y: 10n ** 9n, bins: [-3, 3] });
  await trade(tollUsdc);
  await tollUsdc.withdraw(me, whole.position, 3_000);
  await tollUsdc.close(me, whole.position);
  const after = tokens(mainnet, me);
  await trade(solUsdc);
  await solUsdc.claim(me, narrow.position);
  await trade(solUsdc);
  await solUsdc.withdraw(me, wide.position, 5_000);
  const bySdk = async (pool: LittlePool, position: string): Promise<z.output<typeof Expected>['open'][number]> => {
    const sdk = await DLMM.create(mainnet.sender.connection, new PublicKey(pool.address));
    const { positionData } = await sdk.getPosition(new PublicKey(position));
    const amounts = [positionData.totalXAmount, positionData.totalYAmount].map((amount) => amount.split('.')[0] ?? '');
    return { position, amounts: Amounts.parse(amounts), fees: [String(positionData.feeX), String(positionData.feeY)] };
  };
  const expected: z.output<typeof Expected> = {
    open: [await bySdk(solUsdc, narrow.position), await bySdk(solUsdc, wide.position), await bySdk(memeSol, below.position)],
    damm: [damm.position],
    closed: { [whole.position]: Amounts.parse(after.map((amount, side) => String(amount - (before[side] ?? 0n)))) },
  };
  return { owner: me.address, expected: JSON.stringify(expected) };
}

function tokens(mainnet: Mainnet, wallet: Wallet): readonly bigint[] {
  return [mainnet.balance(wallet, 'toll'), mainnet.balance(wallet, 'usdc')];
}

describe('The engine on recorded answers of a node with the real programs', () => {
  const recorded = useRecordedRpc('owner', scenario);
  const expected = (): z.output<typeof Expected> => Expected.parse(JSON.parse(recorded().notes.expected ?? ''));
  const owner = (): ReturnType<typeof address> => address(recorded().notes.owner ?? '');

  let test: TestIndex;
  beforeEach(() => {
    test = indexOf(recorded().rpcUrl);
  });
  afterEach(() => test.stop());

  it('Open positions have the amounts and fees that the official SDK gives', async () => {
    const rpc = createChainRpc({ url: parseRpcUrl(recorded().rpcUrl), requestsPerSecond: 1_000 });
    const { index } = test;
    const reader = new ChainPositionReader({ rpc, index, now: () => performance.now(), log: () => undefined });
    const open = await reader.openPositions(owner());
    const { open: ofDlmm, damm } = expected();
    assert.deepEqual(open.map((position) => position.address).sort(), [...ofDlmm.map(({ position }) => position), ...damm].sort());
    for (const { position, amounts, fees } of ofDlmm) {
      const found = open.find((one) => one.address === position);
      assert.deepEqual([found?.amounts, found?.unclaimedFees].map(textOf), [amounts, fees]);
    }
  });

  it('The index tells to the last unit what a closed position of a token with a transfer fee took and gave', async () => {
    const { index } = test;
    const { state, error } = await index.catchUp(owner(), WAIT_MS);
    assert.equal(state, 'current', error);
    for (const [of, gained] of Object.entries(expected().closed)) {
      const [position] = index.positions({ position: address(of) });
      assert.deepEqual([position?.closed, position?.complete], [true, true]);
      const sum = (side: 'x' | 'y', keep: (amount: bigint) => bigint): bigint =>
        (position?.events ?? []).reduce(
          (total, { kind, amounts }) => total + (kind === 'deposit' ? -amounts[side] : keep(amounts[side])),
          0n,
        );
      // Of what leaves the pool Token-2022 keeps 1 %, rounded up, of each transfer.
      const net = [sum('x', (amount) => amount - (amount + 99n) / 100n), sum('y', (amount) => amount)];
      assert.deepEqual(net.map(String), gained);
    }
  });
});

function textOf(amounts: { readonly x: bigint; readonly y: bigint } | undefined): readonly string[] {
  return [String(amounts?.x), String(amounts?.y)];
}
