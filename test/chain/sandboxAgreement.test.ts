import assert from 'node:assert/strict';
import * as z from 'zod';
import type { Address } from '../../src/base/solana/address';
import { useChainService } from '../support/chain/useChainService';
import { type Agreement, assertAgreement } from '../support/conformance/agreement/agree';
import { SANDBOX_FEES, type TwinPool, TwinWorlds } from '../support/conformance/agreement/twinWorlds';
import type { Wallet } from '../support/mainnet/world/pool';
import { good, type TestClient } from '../support/sandbox/client';

const SOL = 10n ** 9n;
const USDC = 10n ** 6n;
const HOUR_S = 3_600;
/** The lower end of positions of DAMM v2. */
const LOWEST_TICK = -443_636;

/** What differs, and why. */
const AGREEMENT: Agreement = {
  // Each engine has its own opaque ids and transactions. The sandbox calls SOL by the name of its mint. `updated_at` is the time of the answer.
  ownWay: new Set(['id', 'signature', 'token_name', 'updated_at']),
  // Both compute with integers as the program does; deposits are distributed over bins within a raw unit for each bin.
  tolerance: 1e-6,
  // The second answer is some seconds later, and positions are older than 20 hours. `age` is in days with two places.
  toleranceOf: (name) => (name === 'age' ? 0.011 : ['apr', 'avg_age_hour', 'dpr', 'dprNative'].includes(name) ? 5e-4 : undefined),
  isUnknown: (name, { protocol, tickLower }) =>
    // Pictures of tokens are not fetched. An event has amounts, and not the part of the position that they are.
    ['logo', 'logo0', 'logo1', 'bps'].includes(name) ||
    // Positions without bins have no strategy; the sandbox says Spot.
    (name === 'strategyType' && (protocol === 'meteora_damm_v2' || tickLower === LOWEST_TICK)),
};

/** The same for figures of pools. */
const OF_POOLS: Agreement = {
  ...AGREEMENT,
  // SOL's price is that of the largest pool. The sandbox shows fees that are settled and not collected in one bin, the program in each.
  ownWay: new Set([...AGREEMENT.ownWay, 'prices', 'feeX', 'feeY']),
  // Reserves on a chain include fees that are not collected.
  toleranceOf: (name, within) => (['amountX', 'amountY'].includes(name) ? 1e-4 : AGREEMENT.toleranceOf?.(name, within)),
};

/** Without the account itself and what only trading outside of the chain tells. */
const Info = z.object({
  type: z.string(),
  amountX: z.number(),
  amountY: z.number(),
  feeInfo: z.unknown(),
  liquidityViz: z.unknown().optional(),
});
const Quote = z.object({ data: z.object({ token0: z.unknown(), token1: z.unknown(), outputs: z.looseObject({ both: z.unknown() }) }) });
const Body = z.looseObject({ data: z.unknown() });
const Positions = z.array(z.looseObject({ protocol: z.string() }));

describe('The sandbox and the service over a chain, asked over HTTP about the same situation', () => {
  const service = useChainService(() => [], { fees: SANDBOX_FEES, recording: 'sandboxAgreement' });
  let worlds: TwinWorlds;
  let stop = async (): Promise<void> => undefined;
  let onChain: TestClient;
  let inSandbox: TestClient;
  let me: Wallet;
  const positions: Address[] = [];

  before(async () => {
    const { mainnet } = service();
    me = mainnet.wallet(1);
    worlds = await TwinWorlds.of(mainnet);
    stop = () => worlds.sandbox.stop();
    await play(worlds, me, mainnet.wallet(2), positions);
    mainnet.finalize();
    onChain = service().client(1);
    inSandbox = await worlds.sandbox.serve(me.address);
  });
  after(() => stop());

  /** The `data` of both answers, with the addresses of pools as on the chain. */
  async function both(path: string, query: Readonly<Record<string, string | number>> = {}): Promise<readonly [unknown, unknown]> {
    const twins = [worlds.bins, worlds.product].map(({ onChain: { address }, inSandbox }) => [address, inSandbox.address] as const);
    const toSandbox = twins.reduce((text, [ours, theirs]) => text.replaceAll(ours, theirs), path);
    const [ours, theirs] = [await onChain.get(path, query), await inSandbox.get(toSandbox, query)];
    const text = twins.reduce((body, [address, twin]) => body.replaceAll(twin, address), JSON.stringify(good(Body, theirs).data));
    return [good(Body, ours).data, JSON.parse(text)];
  }

  async function agree(path: string, query: Readonly<Record<string, string | number>> = {}, agreement = AGREEMENT): Promise<void> {
    const [ours, theirs] = await both(path, query);
    assert.notDeepEqual(ours, []);
    assertAgreement(ours, theirs, path, agreement);
  }

  it('Open positions agree field by field', async () => {
    for (const [pool, protocol] of [
      [worlds.bins, 'meteora'],
      [worlds.product, 'meteora_damm_v2'],
    ] as const) {
      worlds.sandbox.priceBy(pool.inSandbox);
      const [ours, theirs] = (await both('/lp-positions/opening', { owner: me.address })).map((data) =>
        Positions.parse(data).filter((position) => position.protocol === protocol),
      );
      assert.ok(ours !== undefined && ours.length > 0);
      assertAgreement(ours, theirs, `opening of ${protocol}`, AGREEMENT);
    }
  });

  it('Closed positions agree field by field', () => agree('/lp-positions/historical', { owner: me.address }));

  it('Logs of the owner and of each position agree field by field', async () => {
    await agree('/lp-positions/logs', { owner: me.address });
    for (const position of positions) {
      await agree('/lp-positions/logs', { position });
    }
  });

  it('Overviews of both protocols agree field by field', async () => {
    for (const protocol of ['meteora', 'meteora_damm_v2']) {
      await agree('/lp-positions/overview', { owner: me.address, protocol });
    }
  });

  it('Revenue by day, week and month agrees field by field', async () => {
    for (const period of ['day', 'week', 'month']) {
      await agree(`/lp-positions/revenue/${me.address}`, { period });
    }
  });

  it("A pool's bins, fees and reserves agree field by field", async () => {
    for (const { onChain: pool, inSandbox } of [worlds.bins, worlds.product]) {
      worlds.sandbox.priceBy(inSandbox);
      const path = `/pools/${pool.address}/info`;
      const [ours, theirs] = (await both(path)).map((data) => Info.parse(data));
      assert.equal(ours?.liquidityViz !== undefined, pool.program === 'dlmm');
      assertAgreement(ours, theirs, path, OF_POOLS);
    }
  });

  it('Positions of a pool with their bins, its providers and its statistics agree field by field', async () => {
    // The histories of owners are read when they are asked for.
    for (const owner of [worlds.makers.bins, worlds.makers.product]) {
      await both('/lp-positions/opening', { owner });
    }
    for (const { onChain: pool, inSandbox } of [worlds.bins, worlds.product]) {
      worlds.sandbox.priceBy(inSandbox);
      for (const list of ['positions', 'top-lpers', 'onchain-stats']) {
        await agree(`/pools/${pool.address}/${list}`, list === 'positions' ? { order_by: 'createdAt' } : {}, OF_POOLS);
      }
    }
  });

  it('What a withdrawal pays in both tokens agrees field by field', async () => {
    for (const [position, pool] of [
      [positions[0], worlds.bins],
      [positions[3], worlds.product],
    ] as const) {
      worlds.sandbox.priceBy(pool.inSandbox);
      const quotes = [onChain, inSandbox].map(async (client) => {
        const { token0, token1, outputs } = good(Quote, await client.post('/position/decrease-quotes', { id: position, bps: 3_333 })).data;
        return { token0, token1, both: outputs.both };
      });
      const [ours, theirs] = await Promise.all(quotes);
      assertAgreement(ours, theirs, `decrease-quotes of ${position}`, AGREEMENT);
    }
  });
});

/** Opens, trades, claims, withdraws and closes in both worlds. @param positions gets the positions of `me` */
async function play(worlds: TwinWorlds, me: Wallet, trader: Wallet, positions: Address[]): Promise<void> {
  const { bins, product } = worlds;
  const trade = async (pool: TwinPool): Promise<void> => {
    await worlds.swap(pool, trader, 'x', 10n * SOL);
    worlds.advance(60);
    await worlds.swap(pool, trader, 'y', 2_000n * USDC);
    worlds.advance(HOUR_S);
  };
  const spot = await worlds.open(bins, me, { x: 10n * SOL, y: 1_500n * USDC, bins: [-10, 10] });
  await trade(bins);
  await worlds.claim(bins, me, spot);
  await trade(bins);
  await worlds.withdraw(bins, me, spot, 4_000);
  const curve = await worlds.open(bins, me, { x: 5n * SOL, y: 750n * USDC, bins: [-5, 20], strategy: 'Curve' });
  await trade(bins);
  await worlds.close(bins, me, curve);
  const below = await worlds.open(bins, me, { y: 300n * USDC, bins: [-30, -5], strategy: 'BidAsk' });
  const held = await worlds.open(product, me, { x: 10n * SOL });
  await trade(product);
  await worlds.withdraw(product, me, held, 2_500);
  const left = await worlds.open(product, me, { x: 2n * SOL });
  await trade(product);
  await worlds.close(product, me, left);
  positions.push(spot, curve, below, held, left);
}
