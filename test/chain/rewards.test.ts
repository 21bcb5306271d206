import assert from 'node:assert/strict';
import DLMM from '@meteora-ag/dlmm';
import { Connection, PublicKey } from '@solana/web3.js';
import type { Address } from '../../src/base/solana/address';
import { parseRpcUrl } from '../../src/base/solana/rpcUrl';
import { ChainPositionReader } from '../../src/chain/positions/positionReader';
import type { OnchainPosition } from '../../src/chain/positions/types';
import { createChainRpc } from '../../src/chain/rpc/client';
import { BuildDesk } from '../support/chain/builds';
import { useMainnet } from '../support/mainnet/useMainnet';
import { giveDammReward, giveDlmmReward } from '../support/mainnet/world/rewards';

const SOL = 10n ** 9n;
const USDC = 10n ** 6n;
const DAY_S = 86_400;

describe('Rewards of positions on the real programs', () => {
  const mainnet = useMainnet({ recording: 'rewards' });

  it('In a pool whose reward has ended, a position has nothing waiting', async () => {
    const me = mainnet().wallet(0);
    const { solUsdcFine: pool } = mainnet().pools;
    const { position } = await pool.open(me, { x: SOL, y: 150n * USDC, bins: [-10, 10] });
    giveDlmmReward(mainnet().chain, pool.address, { index: 0, token: mainnet().tokens.meme, rate: 5n, durationS: -20 * DAY_S, funded: 0n });
    assert.deepEqual((await read(position)).rewards, []);
  });

  it('What waits is as the SDK says to the last unit, in narrow and wide positions, also while it grows', async () => {
    const me = mainnet().wallet(1);
    const { solUsdc: pool } = mainnet().pools;
    const { chain, tokens } = mainnet();
    const narrow = await pool.open(me, { x: SOL, y: 150n * USDC, bins: [-10, 10] });
    const wide = await pool.open(me, { x: 3n * SOL, y: 450n * USDC, bins: [-70, 60] });
    const beside = await pool.open(me, { x: SOL, bins: [5, 10] });
    giveDlmmReward(chain, pool.address, { index: 0, token: tokens.meme, rate: 1_000_003n, durationS: DAY_S, funded: 10n ** 12n });
    giveDlmmReward(chain, pool.address, { index: 1, token: tokens.usdc, rate: 777n, durationS: 60, funded: 10n ** 9n });
    for (const seconds of [30, 100]) {
      mainnet().advance({ seconds });
      for (const { position } of [narrow, wide, beside]) {
        assert.deepEqual(amounts(await read(position)), await bySdk(pool.address, position));
      }
      await pool.swap(mainnet().wallet(59), 'x', SOL);
    }
    assert.ok(amounts(await read(wide.position)).every((amount) => amount > 0n));
    assert.deepEqual(amounts(await read(beside.position)), [0n, 0n]);
  });

  for (const { pair, bins, output } of [
    { pair: 'memeSol', bins: [-30, 30], output: 'allBaseToken' },
    { pair: 'tollUsdc', bins: [-60, 60], output: 'both' },
  ] as const) {
    it(`A withdrawal of everything from ${pair} claims the rewards: the wallet has them, the position is closed, and the review allows it`, async () => {
      const me = mainnet().wallet(pair === 'memeSol' ? 2 : 3);
      const pool = mainnet().pools[pair];
      const { chain, tokens } = mainnet();
      const desk = new BuildDesk(mainnet());
      const { position } = await pool.open(me, { x: 1_000n * 10n ** BigInt(pool.x.decimals), y: SOL, bins });
      giveDlmmReward(chain, pool.address, { index: 0, token: tokens.usdc, rate: 70_003n, durationS: 3 * DAY_S, funded: 10n ** 12n });
      giveDlmmReward(chain, pool.address, { index: 1, token: tokens.meme, rate: 5_000n, durationS: 60, funded: 10n ** 12n });
      mainnet().advance({ seconds: 30 });
      await pool.swap(mainnet().wallet(59), 'x', 10n ** BigInt(pool.x.decimals + 1));
      mainnet().advance({ seconds: 90 });
      await pool.swap(mainnet().wallet(59), 'x', 10n ** BigInt(pool.x.decimals + 1));
      const waiting = amounts(await read(position));
      assert.ok(waiting.every((amount) => amount > 0n));
      const [usdc, meme] = [mainnet().balance(me, 'usdc'), mainnet().balance(me, 'meme')];
      const built = await desk.decrease(me, position, { output });
      await desk.allowsExit(me, pool, position, { output }, built);
      await desk.land(me, [...built.closeTxs, ...built.swapTxs]);
      assert.equal(chain.account(position), undefined);
      assert.ok(mainnet().balance(me, 'usdc') - usdc >= (waiting[0] ?? 0n));
      assert.ok(pair === 'memeSol' || mainnet().balance(me, 'meme') - meme >= (waiting[1] ?? 0n));
    });
  }

  it('Where a reward cannot be paid, everything else is withdrawn without an attempt to claim it, and the position stays open', async () => {
    const me = mainnet().wallet(4);
    const { solUsdcFine: pool } = mainnet().pools;
    const { chain, tokens } = mainnet();
    const desk = new BuildDesk(mainnet());
    const { position } = await pool.open(me, { x: SOL, y: 150n * USDC, bins: [-10, 10] });
    giveDlmmReward(chain, pool.address, { index: 0, token: tokens.meme, rate: 10n ** 9n, durationS: DAY_S, funded: 0n });
    mainnet().advance({ seconds: 30 });
    await pool.swap(mainnet().wallet(59), 'x', SOL / 10n);
    assert.ok((amounts(await read(position))[0] ?? 0n) > 0n);
    const built = await desk.decrease(me, position, { output: 'both' });
    await desk.allowsExit(me, pool, position, { output: 'both' }, built);
    await desk.land(me, [...built.closeTxs, ...built.swapTxs]);
    assert.deepEqual((await read(position)).amounts, { x: 0n, y: 0n });
  });

  for (const [bins, name] of [
    [[-10, 10], 'a narrow'],
    [[-60, 60], 'a wide'],
  ] as const) {
    it(`A claim of ${name} position takes what waits as rewards too, and says how much`, async () => {
      const me = mainnet().wallet(name === 'a wide' ? 5 : 6);
      const pool = mainnet().pools.solUsdcFine;
      const { chain, tokens } = mainnet();
      const desk = new BuildDesk(mainnet());
      const { position } = await pool.open(me, { x: SOL, y: 150n * USDC, bins });
      const funded = 10n ** 12n;
      giveDlmmReward(chain, pool.address, { index: 0, token: tokens.meme, rate: 70_003n, durationS: 60, funded });
      giveDlmmReward(chain, pool.address, { index: 1, token: tokens.toll, rate: 5_003n, durationS: 60, funded });
      mainnet().advance({ seconds: 90 });
      await pool.swap(mainnet().wallet(59), 'x', SOL / 10n);
      const waiting = amounts(await read(position));
      assert.ok(waiting.every((amount) => amount > 0n));
      const [meme, toll] = [mainnet().balance(me, 'meme'), mainnet().balance(me, 'toll')];
      const built = await desk.builder.buildClaim({ owner: me.address, positionIds: [position] });
      await desk.allowsClaim(me, [{ position, pool, rewards: [{ mint: tokens.meme.mint, amountRaw: waiting[0] ?? 0n }] }], built);
      assert.deepEqual(built.meta.positions[0]?.rewards.map(BigInt), waiting);
      await desk.land(me, built.claimTxsWithJito);
      assert.equal(mainnet().balance(me, 'meme') - meme, waiting[0]);
      // The token has a transfer fee.
      assert.ok(mainnet().balance(me, 'toll') - toll > 0n);
      assert.deepEqual(amounts(await read(position)), [0n, 0n]);
    });
  }

  it('A claim and a withdrawal of everything from a DAMM v2 position take its reward, and the withdrawal closes it', async () => {
    const me = mainnet().wallet(7);
    const pool = mainnet().pools.dammSolUsdc;
    const { chain, creator, sender, tokens } = mainnet();
    const desk = new BuildDesk(mainnet());
    const { position } = await pool.open(me, { x: 2n * SOL });
    await giveDammReward(sender, creator, pool.address, { token: tokens.meme, durationS: 7 * DAY_S, funded: 10n ** 12n });
    mainnet().advance({ seconds: 3_600 });
    const [waiting = 0n] = amounts(await read(position));
    assert.ok(waiting > 0n);
    const meme = mainnet().balance(me, 'meme');
    const claim = await desk.builder.buildClaim({ owner: me.address, positionIds: [position] });
    await desk.allowsClaim(me, [{ position, pool, rewards: [{ mint: tokens.meme.mint, amountRaw: waiting }] }], claim);
    await desk.land(me, claim.claimTxsWithJito);
    const claimed = mainnet().balance(me, 'meme') - meme;
    assert.ok(claimed >= waiting && claimed < waiting + waiting / 100n, `${claimed} of ${waiting}`);

    mainnet().advance({ seconds: 3_600 });
    const built = await desk.decrease(me, position, { output: 'allBaseToken' });
    await desk.allowsExit(me, pool, position, { output: 'allBaseToken' }, built);
    await desk.land(me, [...built.closeTxs, ...built.swapTxs]);
    assert.equal(chain.account(position), undefined);
    const again = mainnet().balance(me, 'meme') - meme - claimed;
    assert.ok(again > waiting - waiting / 100n, `${again} of ${waiting}`);
  });

  async function read(position: Address): Promise<OnchainPosition> {
    const rpc = createChainRpc({ url: parseRpcUrl(mainnet().rpcUrl), requestsPerSecond: 1_000 });
    const index = { catchUp: () => assert.fail(), positions: () => [] };
    const reader = new ChainPositionReader({ rpc, index, now: () => performance.now(), log: (line) => assert.fail(line) });
    return (await reader.openPosition(position)) ?? assert.fail();
  }

  async function bySdk(pool: Address, position: Address): Promise<readonly bigint[]> {
    const dlmm = await DLMM.create(new Connection(mainnet().rpcUrl, 'confirmed'), new PublicKey(pool));
    const { positionData } = await dlmm.getPosition(new PublicKey(position));
    return [positionData.rewardOne, positionData.rewardTwo].map((amount) => BigInt(amount.toString()));
  }
});

function amounts({ rewards }: OnchainPosition): readonly bigint[] {
  return [0, 1].map((index) => rewards?.find((one) => one.index === index)?.amount ?? 0n);
}
