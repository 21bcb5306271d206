import assert from 'node:assert/strict';
import bs58 from 'bs58';
import { parseRpcUrl } from '../../src/base/solana/rpcUrl';
import { StoredIssuedOperations } from '../../src/chain/landing/issued';
import { ChainLanding } from '../../src/chain/landing/landing';
import { LandingNetwork } from '../../src/chain/landing/network';
import { LandingStore } from '../../src/chain/landing/store';
import { createChainRpc } from '../../src/chain/rpc/client';
import { EngineError } from '../../src/engine/engine';
import type { WireSwap } from '../../src/engine/wire/transactions';
import { BuildDesk } from '../support/chain/builds';
import { HurriedClock } from '../support/chain/hurriedClock';
import { refusal } from '../support/chain/landingProcess';
import { swapService } from '../support/chain/swapService';
import type { Mainnet } from '../support/mainnet/mainnet';
import { useMainnet } from '../support/mainnet/useMainnet';
import type { Wallet } from '../support/mainnet/world/pool';
import { signAll } from '../support/sandbox/sign';

const SOL = 10n ** 9n;
const MILLION = 10n ** 6n;
type Token = keyof Mainnet['tokens'];

describe('Swaps of tokens of a wallet on the real programs', () => {
  const mainnet = useMainnet({ recording: 'swaps' });
  const stopping = new AbortController();
  const store = new LandingStore(undefined);
  let desk: BuildDesk;
  /** Builds transactions of version 1. */
  let newer: BuildDesk;
  let landing: ChainLanding;
  let issued: StoredIssuedOperations;

  before(() => {
    const { signal } = stopping;
    const clock = new HurriedClock();
    const rpc = createChainRpc({ url: parseRpcUrl(mainnet().rpcUrl), requestsPerSecond: 1_000, signal, clock });
    issued = new StoredIssuedOperations(store, clock);
    const network = new LandingNetwork(rpc, signal);
    desk = new BuildDesk(mainnet(), { issued });
    newer = new BuildDesk(mainnet(), { format: 'v1' });
    const checkChain = (): Promise<void> => Promise.resolve();
    landing = new ChainLanding({ store, issued, network, bundles: undefined, checkChain, clock, signal, log: () => undefined });
  });
  after(() => {
    stopping.abort();
    store.close();
  });

  const swap = (me: Wallet, sell: Token, buy: Token, amount: bigint, by = desk): Promise<WireSwap> => {
    const { [sell]: sold, [buy]: bought } = mainnet().tokens;
    return by.builder.buildSwap({
      owner: me.address,
      unwrap: false,
      inputMint: sold.mint,
      outputMint: bought.mint,
      amount,
      slippageBps: 100,
    });
  };
  const land = async (me: Wallet, built: WireSwap): Promise<string> =>
    (await landing.land('swap', { first: signAll(built.swapTxsWithJito, bs58.encode(me.keypair.secretKey)), second: [] })).signature;

  for (const [place, sell, buy, amount] of [
    [0, 'usdc', 'sol', 500n * MILLION],
    [1, 'meme', 'sol', 1_000n * MILLION],
    // There is no pool of both.
    [2, 'meme', 'usdc', 1_000n * MILLION],
    [3, 'sol', 'usdc', SOL],
    [4, 'toll', 'usdc', 100n * MILLION],
  ] as const) {
    it(`A swap of ${sell} to ${buy} passes the review in both formats, sells what was chosen, and gives what was quoted; landing again lands nothing`, async () => {
      const me = mainnet().wallet(place);
      const [sold, bought] = [mainnet().balance(me, sell), mainnet().balance(me, buy)];
      const built = await swap(me, sell, buy, amount);
      assert.deepEqual([built.quote.sold, built.quote.provider], [String(amount), 'METEORA']);
      assert.equal(BigInt(built.quote.guaranteed), (BigInt(built.quote.expected) * 99n) / 100n);
      const asked = { inputMint: mainnet().tokens[sell].mint, outputMint: mainnet().tokens[buy].mint, amountRaw: amount, slippageBps: 100 };
      await desk.allowsSwap(me, asked, built);
      await desk.allowsSwap(me, asked, await swap(me, sell, buy, amount, newer));
      const signature = await land(me, built);
      const [spent, got] = [sold - mainnet().balance(me, sell), mainnet().balance(me, buy) - bought];
      // Fees and the rent of the new account are paid in SOL.
      const costs = sell === 'sol' ? spent - amount : buy === 'sol' ? BigInt(built.quote.expected) - got : 0n;
      assert.ok(costs >= 0n && costs < 3_000_000n, `it cost ${costs} lamports`);
      assert.equal(sell === 'sol' ? amount : spent, amount);
      assert.equal(buy === 'sol' ? got + costs : got, BigInt(built.quote.expected));
      assert.equal(await land(me, built), signature);
      assert.equal(mainnet().balance(me, buy) - bought, got);
      await refused('invalid', desk.builder.buildSwap({ owner: me.address, unwrap: true }), /nothing to unwrap/);
    });
  }

  it('A swap goes through the swap API where there is one', async () => {
    const me = mainnet().wallet(5);
    const withApi = new BuildDesk(mainnet(), {
      issued,
      swapApi: { url: 'http://swaps.test', fetch: swapService(desk.rpc, mainnet().pools.solUsdcFine.address, {}) },
    });
    const before = mainnet().balance(me, 'usdc');
    const built = await swap(me, 'usdc', 'sol', 20n * MILLION, withApi);
    assert.equal(built.quote.provider, 'JUPITER');
    const { usdc, sol } = mainnet().tokens;
    await desk.allowsSwap(me, { inputMint: usdc.mint, outputMint: sol.mint, amountRaw: 20n * MILLION, slippageBps: 100 }, built);
    await land(me, built);
    assert.equal(before - mainnet().balance(me, 'usdc'), 20n * MILLION);
  });

  it('A swap whose price has left the tolerance does not land, and nothing is sold', async () => {
    const [me, other] = [mainnet().wallet(6), mainnet().wallet(7)];
    const before = mainnet().balance(me, 'meme');
    const built = await swap(me, 'meme', 'sol', 1_000n * MILLION);
    await mainnet().pools.memeSol.swap(other, 'x', 90_000n * MILLION);
    await refusal('notLanded', land(me, built));
    assert.equal(mainnet().balance(me, 'meme'), before);
  });

  it('More than the wallet has, the same token, an unknown one, and tokens without a way between them are refused', async () => {
    const me = mainnet().wallet(8);
    await refused('invalid', swap(me, 'usdc', 'sol', mainnet().balance(me, 'usdc') + 1n), /Insufficient balance/);
    await refused('invalid', swap(me, 'sol', 'usdc', 1_000_000n * SOL), /Insufficient balance/);
    await refused('invalid', swap(me, 'usdc', 'usdc', 1n), /same token/);
    await refused('notFound', swap(me, 'meme', 'toll', MILLION), /no way/);
    const unknown = { owner: me.address, unwrap: false, outputMint: me.address, amount: 1n, slippageBps: 100 } as const;
    await refused('notFound', desk.builder.buildSwap({ ...unknown, inputMint: mainnet().tokens.usdc.mint }), /no token/);
  });
});

async function refused(kind: EngineError['kind'], building: Promise<unknown>, message: RegExp): Promise<void> {
  await assert.rejects(building, (error) => error instanceof EngineError && error.kind === kind && message.test(error.message));
}
