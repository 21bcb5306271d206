import assert from 'node:assert/strict';
import bs58 from 'bs58';
import type { Address } from '../../src/base/solana/address';
import { parseRpcUrl } from '../../src/base/solana/rpcUrl';
import { StoredIssuedOperations } from '../../src/chain/landing/issued';
import { ChainLanding } from '../../src/chain/landing/landing';
import { LandingNetwork } from '../../src/chain/landing/network';
import { LandingStore } from '../../src/chain/landing/store';
import { createChainRpc } from '../../src/chain/rpc/client';
import { EngineError } from '../../src/engine/engine';
import type { WireClaim } from '../../src/engine/wire/transactions';
import { BuildDesk } from '../support/chain/builds';
import { HurriedClock } from '../support/chain/hurriedClock';
import { refusal } from '../support/chain/landingProcess';
import { useMainnet } from '../support/mainnet/useMainnet';
import type { MainnetPools } from '../support/mainnet/mainnet';
import type { LittlePool, Wallet } from '../support/mainnet/world/pool';
import { signAll } from '../support/sandbox/sign';

const SOL = 10n ** 9n;
const MILLION = 10n ** 6n;
const TOKENS = ['usdc', 'meme', 'toll'] as const;

interface OwnPosition {
  readonly position: Address;
  readonly pool: LittlePool;
}

describe('Claims of fees on the real programs', () => {
  const mainnet = useMainnet({ recording: 'claims' });
  const stopping = new AbortController();
  const store = new LandingStore(undefined);
  let desk: BuildDesk;
  let landing: ChainLanding;

  before(() => {
    const { signal } = stopping;
    const clock = new HurriedClock();
    const rpc = createChainRpc({ url: parseRpcUrl(mainnet().rpcUrl), requestsPerSecond: 1_000, signal, clock });
    const issued = new StoredIssuedOperations(store, clock);
    const network = new LandingNetwork(rpc, signal);
    desk = new BuildDesk(mainnet(), { issued });
    const checkChain = (): Promise<void> => Promise.resolve();
    landing = new ChainLanding({ store, issued, network, bundles: undefined, checkChain, clock, signal, log: () => undefined });
  });
  after(() => {
    stopping.abort();
    store.close();
  });

  /** Positions of a wallet, with fees of both tokens. */
  async function withFees(me: Wallet, names: readonly (keyof MainnetPools)[]): Promise<readonly OwnPosition[]> {
    const opened: OwnPosition[] = [];
    for (const name of names) {
      const pool = mainnet().pools[name];
      const deposit = pool.program === 'dlmm' ? { x: 2n * SOL, y: 300n * MILLION } : { x: 2n * SOL };
      opened.push({ pool, position: (await pool.open(me, deposit)).position });
    }
    for (const pool of new Set(opened.map((one) => one.pool))) {
      await pool.swap(mainnet().wallet(9), 'x', SOL / 10n);
      await pool.swap(mainnet().wallet(9), 'y', 15n * MILLION);
    }
    return opened;
  }

  const claim = (me: Wallet, positions: readonly OwnPosition[]): Promise<WireClaim> =>
    desk.builder.buildClaim({ owner: me.address, positionIds: positions.map(({ position }) => position) });
  const signed = (me: Wallet, built: WireClaim): readonly string[] => signAll(built.claimTxsWithJito, bs58.encode(me.keypair.secretKey));
  const land = async (transactions: readonly string[]): Promise<string> =>
    (await landing.land('claim', { first: transactions, second: [] })).signature;
  const balances = (me: Wallet): readonly bigint[] => TOKENS.map((token) => mainnet().balance(me, token));

  for (const [place, names] of [
    ['solUsdc'],
    ['solUsdc', 'solUsdc', 'solUsdcFine', 'solUsdcFine'],
    ['dammSolUsdc'],
    ['solUsdc', 'dammSolUsdc', 'solUsdcFine'],
  ].entries() as Iterable<[number, (keyof MainnetPools)[]]>) {
    it(`The fees of ${names.join(', ')} pass the review, arrive to the unit as the answer has them, and landing again lands nothing`, async () => {
      const me = mainnet().wallet(place);
      const positions = await withFees(me, names);
      const before = balances(me);
      const sol = mainnet().balance(me, 'sol');

      const built = await claim(me, positions);
      const { positions: claimed } = built.meta;
      assert.deepEqual(
        claimed.map(({ position }) => position),
        positions.map(({ position }) => position),
      );
      assert.ok(claimed.every(({ feeX, feeY }) => BigInt(feeX) > 0n || BigInt(feeY) > 0n));
      assert.ok(built.claimTxsWithJito.length <= Math.ceil(names.length / 2), 'several positions share a transaction');
      await desk.allowsClaim(me, positions, built);
      const transactions = signed(me, built);
      const signature = await land(transactions);

      const sum = (of: 'feeX' | 'feeY'): bigint => claimed.reduce((total, one) => total + BigInt(one[of]), 0n);
      assert.deepEqual(
        balances(me).map((amount, at) => amount - (before[at] ?? 0n)),
        [sum('feeY'), 0n, 0n],
      );
      const costs = sum('feeX') - (mainnet().balance(me, 'sol') - sol);
      assert.ok(costs > 0n && costs < 100_000n * BigInt(transactions.length), `it cost ${costs} lamports`);
      assert.equal(await land(transactions), signature);
      assert.equal(mainnet().balance(me, 'sol') - sol, sum('feeX') - costs);
      await refused('invalid', claim(me, positions), /nothing to claim/);
    });
  }

  it('A transaction of a claim lands without the others, and the others land later', async () => {
    const me = mainnet().wallet(4);
    const positions = await withFees(me, ['solUsdc', 'solUsdc', 'solUsdc', 'solUsdcFine', 'solUsdcFine', 'solUsdcFine']);
    const built = await claim(me, positions);
    const transactions = signed(me, built);
    const [first = '', ...others] = transactions;
    assert.ok(others.length > 0, 'they do not fit into one transaction');
    const before = mainnet().balance(me, 'usdc');
    const signature = await land([first]);
    const part = mainnet().balance(me, 'usdc') - before;
    const all = built.meta.positions.reduce((sum, { feeY }) => sum + BigInt(feeY), 0n);
    assert.ok(part > 0n && part < all, `${part} of ${all}`);
    await land(transactions);
    assert.equal(mainnet().balance(me, 'usdc') - before, all);
    assert.equal(await land([first]), signature);
    await refusal('invalid', land([first, first]));
    await refusal('invalid', land([]));
  });

  it('The position of another wallet, and one that there is not, are refused', async () => {
    const [me, other] = [mainnet().wallet(5), mainnet().wallet(6)];
    const [own, foreign] = [await withFees(me, ['solUsdc']), await withFees(other, ['dammSolUsdc'])];
    await refused('invalid', claim(me, [...own, ...foreign]), /does not own/);
    const none = { position: me.address, pool: mainnet().pools.solUsdc };
    await refused('notFound', claim(me, [...own, none]), /no open position/);
  });
});

async function refused(kind: EngineError['kind'], building: Promise<unknown>, message: RegExp): Promise<void> {
  await assert.rejects(building, (error) => error instanceof EngineError && error.kind === kind && message.test(error.message));
}
