import assert from 'node:assert/strict';
import * as z from 'zod';
import { associatedTokenAddress } from '../../src/base/solana/pda';
import { type Address, address } from '../../src/base/solana/address';
import { reviewOperation } from '../../src/review/review';
import type { SwapIntent, UnwrapIntent } from '../../src/review/types';
import { type Answer, good, landed, refused, SOL } from '../support/sandbox/client';
import { assertAllowed, reviewWithRpc, shownOfPool, SLIPPAGE_BPS, swapInput } from '../support/sandbox/review';
import { STILL_AND_SHORT, useSandbox } from '../support/sandbox/useSandbox';

const Swap = z.object({
  data: z.object({
    lastValidBlockHeight: z.int(),
    swapTxs: z.array(z.string()),
    swapTxsWithJito: z.array(z.string()),
    quote: z.object({ sold: z.string(), expected: z.string(), guaranteed: z.string() }),
  }),
});
const Balances = z.object({
  data: z.array(z.object({ address: z.string(), rawBalance: z.string(), rawWrappedBalance: z.string().optional() })),
});
type Built = z.output<typeof Swap>['data'];

describe('Swaps of tokens of the wallet in the sandbox', function () {
  const client = useSandbox('each', STILL_AND_SHORT);
  const owner = (): string => client().sandbox.owner;

  const ask = (body: Readonly<Record<string, unknown>>): Promise<Answer> =>
    client().post('/token/swap-tx', { owner: owner(), slippage_bps: 100, ...body });
  const built = async (body: Readonly<Record<string, unknown>>): Promise<Built> => good(Swap, await ask(body)).data;
  const land = (transactions: readonly string[]): Promise<Answer> =>
    client().post('/token/landing-swap-tx', { lastValidBlockHeight: 1, swapTxsWithJito: client().sign(transactions) });

  /** A token other than SOL that the wallet has much of. */
  async function aToken(): Promise<{ readonly mint: string; readonly raw: bigint }> {
    const { data } = good(Balances, await client().get('/token/balance', { owner: owner() }));
    const held = data.find(({ address: mint, rawBalance }) => mint !== SOL && BigInt(rawBalance) > 1_000_000n);
    return held === undefined ? assert.fail('The wallet has no tokens') : { mint: held.address, raw: BigInt(held.rawBalance) };
  }

  it('All of a token becomes SOL: what was promised is sold and arrives, and landing again lands nothing', async () => {
    const { mint, raw } = await aToken();
    const sol = await client().balance(SOL);
    const swap = await built({ inputMint: mint, outputMint: SOL, amount: String(raw) });
    assert.equal(swap.quote.sold, String(raw));
    const signature = landed(await land(swap.swapTxsWithJito));
    assert.equal(await client().balance(mint), 0n);
    const arrived = (await client().balance(SOL)) - sol;
    const costs = BigInt(swap.quote.expected) - arrived;
    assert.ok(costs > 0n && costs < 5_000_000n, `it cost ${costs} lamports`);
    assert.equal(landed(await land(swap.swapTxsWithJito)), signature);
    assert.equal((await client().balance(SOL)) - sol, arrived);
    assert.deepEqual(await client().audit(), []);
    assert.match(refused(400, await ask({ inputMint: mint, outputMint: SOL, amount: String(raw) })), /Insufficient balance/);
  });

  it('SOL becomes a token, through two pools where there is none of both, and no account for wrapped SOL remains', async () => {
    const { token0 } = await client().pool('JUPP/USDC', 15);
    const before = await client().balance(token0);
    const swap = await built({ inputMint: SOL, outputMint: token0, amount: 100_000_000 });
    landed(await land(swap.swapTxsWithJito));
    assert.equal((await client().balance(token0)) - before, BigInt(swap.quote.expected));
    assert.match(refused(400, await ask({ unwrap: true })), /nothing to unwrap/);
    assert.deepEqual(await client().audit(), []);
  });

  it('A swap whose price has left the tolerance is refused with 422, nothing is sold, and the swap can be built again', async () => {
    const { pool, token0 } = await client().pool('JUPP/USDC', 15);
    const swap = { inputMint: SOL, outputMint: token0, amount: 100_000_000 };
    const before = await client().balance(token0);
    const { swapTxsWithJito } = await built(swap);
    good(z.object({}), await client().control('shock', { pool, percent: 30 }));
    assert.match(refused(422, await land(swapTxsWithJito)), /Slippage exceeded/);
    assert.equal(await client().balance(token0), before);
    landed(await land((await built(swap)).swapTxsWithJito));
  });

  it('SOL that a half-done zap-in left wrapped passes the review and becomes SOL again, with the rent of its account', async () => {
    await client().setFaults({ kind: 'partial', transactions: 1, times: 1 });
    const pool = await client().pool('BONQ/SOL', 100);
    const active = await client().activeBin(pool.pool);
    const zap = await client().add(pool.pool, { inputSOL: 1, fromBinId: active - 5, toBinId: active + 5 });
    assert.equal((await client().landAdd(zap)).status, 500);
    const wrapped = async (): Promise<string | undefined> =>
      good(Balances, await client().get('/token/balance', { owner: owner(), ca: SOL })).data[0]?.rawWrappedBalance;
    const swap = await built({ unwrap: true });
    await allowsBothWays({ kind: 'unwrap', owner: address(owner()), slippageBps: 0 }, swap);
    const { sold, expected, guaranteed } = swap.quote;
    assert.ok(BigInt(sold) > 0n);
    assert.equal(await wrapped(), sold);
    assert.deepEqual([expected, guaranteed], [sold, sold]);
    landed(await land(swap.swapTxsWithJito));
    const account = associatedTokenAddress(address(owner()), address(SOL));
    assert.match(refused(400, await ask({ unwrap: true })), /nothing to unwrap/, account);
    assert.equal(await wrapped(), '0');
    assert.deepEqual(await client().audit(), []);
  });

  for (const transactions of ['service', 'v1']) {
    it(`A swap of SOL and a swap to SOL pass the review, offline and with the RPC, transactions: ${transactions}`, async () => {
      await client().control('settings', { transactions });
      const { pool, token0 } = await client().pool('BONQ/SOL', 25);
      const common = { owner: address(owner()), ...(await shownOfPool(client(), pool)) };
      const [mint, sol] = [address(token0), address(SOL)];
      const swap = async (inputMint: Address, outputMint: Address, amountRaw: bigint): Promise<void> => {
        const made = await built({ inputMint, outputMint, amount: String(amountRaw), slippage_bps: SLIPPAGE_BPS });
        await allowsBothWays({ kind: 'swap', ...common, inputMint, outputMint, amountRaw, slippageBps: SLIPPAGE_BPS }, made);
        landed(await land(made.swapTxsWithJito));
      };
      await swap(sol, mint, 100_000_000n);
      await swap(mint, sol, await client().balance(token0));
    });
  }

  async function allowsBothWays(intent: SwapIntent | UnwrapIntent, made: Built): Promise<void> {
    const input = swapInput(intent, made);
    assertAllowed(reviewOperation(input), `${intent.kind}, offline`);
    assertAllowed(await reviewWithRpc(client(), input), `${intent.kind}, with the RPC`);
  }

  it('A token that no pool trades is refused with 404, and so is more than the pools take', async () => {
    const { mint, raw } = await aToken();
    assert.match(refused(404, await ask({ inputMint: mint, outputMint: owner(), amount: '1' })), /no token/);
    assert.match(refused(404, await ask({ inputMint: mint, outputMint: SOL, amount: '1' })), /no way/);
    assert.ok(raw > 1n);
  });
});
