import assert from 'node:assert/strict';
import DLMM, { StrategyType } from '@meteora-ag/dlmm';
import { Connection, PublicKey } from '@solana/web3.js';
import BN from 'bn.js';
import fc from 'fast-check';
import * as z from 'zod';
import { addressFromBytes, type Address } from '../../src/base/solana/address';
import { tokenAmount } from '../../src/base/solana/tokenAccount';
import type { IndexedEvent } from '../../src/chain/index/types';
import { indexOf, type TestIndex } from '../support/chain/indexOf';
import type { Mainnet } from '../support/mainnet/mainnet';
import { recordedSeed } from '../support/programs';
import { useMainnet } from '../support/mainnet/useMainnet';
import type { LittlePool, Wallet } from '../support/mainnet/world/pool';

const WAIT_MS = 20_000;
/** Where the accounts of pools name their vaults. */
const VAULTS = { dlmm: [152, 184], damm: [232, 264] } as const;
const POOLS = ['solUsdc', 'memeSol', 'tollUsdc', 'dammSolUsdc', 'dammMemeSol', 'dammTollUsdc'] as const;

/** What is in the vaults of a pool. */
function vaultsOf({ chain }: Mainnet, { address, program }: LittlePool): readonly bigint[] {
  const dataOf = (of: Address): Uint8Array => chain.account(of)?.data ?? new Uint8Array();
  return VAULTS[program].map((offset) => tokenAmount(dataOf(addressFromBytes(dataOf(address).subarray(offset, offset + 32)))));
}

/** The amounts of one side, positive into the pool. */
function movedBy(events: readonly IndexedEvent[], side: 'x' | 'y'): readonly bigint[] {
  return events.map(({ kind, amounts }) => (kind === 'deposit' ? amounts[side] : -amounts[side]));
}

/** What a vault gets of a deposit; what leaves it leaves it whole. */
function arriving(amount: bigint, feeBps: number): bigint {
  return amount <= 0n ? amount : amount - (amount * BigInt(feeBps) + 9_999n) / 10_000n;
}

/** The SDK refuses to withdraw from a position that is empty. */
function nothingLeft(error: unknown): { readonly signatures: readonly string[] } {
  assert.match(String(error), /No liquidity to remove/);
  return { signatures: [] };
}

describe('The index of an owner', () => {
  const mainnet = useMainnet({ recording: 'ownerIndex' });
  let test: TestIndex;
  beforeEach(() => {
    test = indexOf(mainnet().rpcUrl);
  });
  afterEach(() => test.stop());

  it('reports to the last unit what moved, for any sequence of operations in any pool', async () => {
    const operation = fc.record({
      pool: fc.constantFrom(...POOLS),
      what: fc.constantFrom('open', 'add', 'withdraw', 'claim', 'close', 'swap x', 'swap y'),
      wallet: fc.nat(1),
      size: fc.bigInt(1_000_000n, 2_000_000_000n),
      bps: fc.integer({ min: 1, max: 10_000 }),
      bins: fc.tuple(fc.integer({ min: -50, max: 0 }), fc.integer({ min: 0, max: 50 })),
      strategy: fc.constantFrom('Spot', 'Curve', 'BidAsk'),
    });
    let first = 2;
    const plain = { wallet: 0, size: 1_000_000_000n, bps: 10_000, bins: [-5, 5] as [number, number], strategy: 'Spot' as const };
    const emptied = (['open', 'withdraw', 'withdraw', 'close'] as const).map((what) => ({ ...plain, pool: 'tollUsdc' as const, what }));
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 18, maxLength: 18 }), async (operations) => {
        const wallets = [mainnet().wallet(first), mainnet().wallet(first + 1)] as const;
        first += 2;
        const open: { readonly pool: LittlePool; readonly wallet: Wallet; readonly position: Address }[] = [];
        const expected = new Map<string, { readonly pool: LittlePool; readonly moved: readonly bigint[] }>();
        for (const { pool: name, what, wallet: number, size, bps, bins, strategy } of operations) {
          const pool = mainnet().pools[name];
          const wallet = wallets[number] ?? wallets[0];
          const mine = open.find((one) => one.pool === pool);
          const deposit = pool.program === 'damm' ? { y: size } : { x: size, y: size, bins, strategy };
          const before = vaultsOf(mainnet(), mine?.pool ?? pool);
          const run = async (): Promise<readonly string[]> => {
            if (what.startsWith('swap')) {
              await pool.swap(wallet, what === 'swap x' ? 'x' : 'y', size / 10n);
              return [];
            }
            if (mine === undefined || what === 'open') {
              const { position, signatures } = await pool.open(wallet, deposit);
              open.push({ pool, wallet, position });
              return signatures;
            }
            const { position } = mine;
            if (what === 'close') {
              open.splice(open.indexOf(mine), 1);
            }
            const done =
              what === 'add'
                ? // Amounts that the SDK splits over the whole of an imbalanced range may be refused for slippage.
                  await pool.add(mine.wallet, position, deposit).catch(() => ({ signatures: [] }))
                : what === 'withdraw'
                  ? await pool.withdraw(mine.wallet, position, bps).catch(nothingLeft)
                  : what === 'claim'
                    ? await pool.claim(mine.wallet, position).catch(() => ({ signatures: [] }))
                    : await pool.close(mine.wallet, position);
            return done.signatures;
          };
          const signatures = await run();
          const moved = vaultsOf(mainnet(), pool).map((amount, side) => amount - (before[side] ?? 0n));
          if (signatures.length > 0) {
            expected.set(signatures.join(), { pool, moved });
          }
        }
        for (const { address } of wallets) {
          assert.equal((await test.index.catchUp(address, WAIT_MS)).state, 'current');
        }
        const positions = wallets.flatMap(({ address }) => test.index.positions({ owner: address }));
        const events = positions.flatMap((position) => position.events);
        for (const [signatures, { pool, moved }] of expected) {
          const of = events.filter(({ signature }) => signatures.split(',').includes(signature));
          const reported = [
            movedBy(of, 'x').reduce((sum, amount) => sum + arriving(amount, pool.x.transferFeeBps), 0n),
            movedBy(of, 'y').reduce((sum, amount) => sum + arriving(amount, pool.y.transferFeeBps), 0n),
          ];
          assert.deepEqual(reported, moved, signatures);
        }
        assert.deepEqual(
          positions.map(({ address, closed, complete }) => ({ address, closed, complete })),
          positions.map(({ address }) => ({ address, closed: !open.some(({ position }) => position === address), complete: true })),
        );
        for (const { events: own } of positions) {
          assert.deepEqual(
            own,
            [...own].sort((one, other) => one.order - other.order),
          );
          assert.equal(new Set(own.map(({ order }) => order)).size, own.length);
        }
      }),
      { numRuns: 3, endOnFailure: true, examples: [[emptied]], ...recordedSeed() },
    );
  });

  it('reports to the last unit what was paid where a rebalance makes the deposit and the token has a transfer fee', async () => {
    const me = mainnet().wallet(23);
    const pool = mainnet().pools.tollUsdc;
    const paid: (readonly [x: bigint, y: bigint])[] = [];
    const during = async (work: () => Promise<readonly string[]>): Promise<void> => {
      const before = vaultsOf(mainnet(), pool);
      const tokens = [mainnet().balance(me, 'toll'), mainnet().balance(me, 'usdc')] as const;
      const signatures = await work();
      const [x = 0n, y = 0n] = vaultsOf(mainnet(), pool).map((amount, side) => amount - (before[side] ?? 0n));
      // A withdrawal is what leaves the pool, before the transfer fee; a deposit is what leaves the wallet.
      paid.push([x < 0n ? x : tokens[0] - mainnet().balance(me, 'toll'), y]);
      signaturesOf.push(signatures);
    };
    const signaturesOf: (readonly string[])[] = [];
    // More than 70 bins: the program fills them by a rebalance.
    let position: Address | undefined;
    await during(async () => {
      const opened = await pool.open(me, { x: 1_823_611_574n, y: 1_823_611_574n, bins: [-46, 47], strategy: 'Curve' });
      position = opened.position;
      return opened.signatures;
    });
    assert.ok(position !== undefined);
    const key = new PublicKey(position);
    await pool.swap(me, 'x', 300_000_000n);
    // Withdraws, claims and deposits at once: more is deposited, then less, then none.
    for (const [topUp, withdrawnBps] of [
      [900_000_000, 1_000],
      [1_000, 6_000],
      [0, 10_000],
    ] as const) {
      const sdk = await DLMM.create(mainnet().sender.connection, new PublicKey(pool.address));
      const { positionData } = await sdk.getPosition(key);
      const [amount, bps] = [new BN(topUp), new BN(withdrawnBps)];
      const plan = await sdk.simulateRebalancePositionWithBalancedStrategy(key, positionData, StrategyType.Spot, amount, amount, bps, bps);
      const { initBinArrayInstructions, rebalancePositionInstruction } = await sdk.rebalancePosition(plan, new BN(5));
      await during(async () => mainnet().sender.send([[...initBinArrayInstructions, ...rebalancePositionInstruction]], [me.keypair]));
    }
    await test.index.catchUp(me.address, WAIT_MS);
    const [known] = test.index.positions({ position });
    assert.equal(known?.complete, true);
    const reported = signaturesOf.map((signatures) => {
      const of = known.events.filter(({ signature }) => signatures.includes(signature));
      return (['x', 'y'] as const).map((side) => movedBy(of, side).reduce((sum, amount) => sum + amount, 0n));
    });
    assert.deepEqual(reported, paid);
    assert.ok(paid.some(([x]) => x > 0n) && paid.some(([x]) => x < 0n), paid.join());
    assert.ok(known.events.some(({ kind }) => kind === 'feeClaim'));
  });

  it('knows the range and the strategy of positions, also of wide and of closed ones', async () => {
    const { pools, rpcUrl } = mainnet();
    const me = mainnet().wallet(20);
    const sdk = await DLMM.create(new Connection(rpcUrl, 'confirmed'), new PublicKey(pools.solUsdc.address));
    const expected: unknown[] = [];
    for (const [strategy, bins, isClosed] of [
      ['Curve', [-60, 60], false],
      ['BidAsk', [-10, 10], true],
      ['Spot', [-69, 120], true],
      ['BidAsk', [-80, 20], false],
      ['Spot', [0, 3], false],
    ] as const) {
      const { position } = await pools.solUsdc.open(me, { x: 10n ** 9n, y: 150_000_000n, bins, strategy });
      const { lowerBinId, upperBinId } = (await sdk.getPosition(new PublicKey(position))).positionData;
      expected.push({ address: position, strategy, range: { lowerBinId, upperBinId }, closed: isClosed });
      if (isClosed) {
        await pools.solUsdc.close(me, position);
      }
    }
    await test.index.catchUp(me.address, WAIT_MS);
    assert.deepEqual(
      test.index.positions({ owner: me.address }).map(({ address, strategy, range, closed }) => ({ address, strategy, range, closed })),
      expected,
    );
  });

  it('knows the price of each event', async () => {
    const { pools } = mainnet();
    const me = mainnet().wallet(21);
    for (const [name, priceUi] of [
      ['memeSol', 0.001],
      ['dammMemeSol', 0.001],
      ['dammTollUsdc', 1],
    ] as const) {
      const pool = pools[name];
      const { position } = await pool.open(me, pool.program === 'damm' ? { x: 10n ** 9n } : { x: 10n ** 9n, y: 10n ** 9n });
      await test.index.catchUp(me.address, WAIT_MS);
      const deposit = test.index.positions({ position })[0]?.events.find(({ kind }) => kind === 'deposit');
      const price = (deposit?.rawPrice ?? 0) * 10 ** (pool.x.decimals - pool.y.decimals);
      // The pool has traded before.
      assert.ok(Math.abs(price / priceUi - 1) < 0.1, `${name}: ${price}`);
      const { rawPrice } = priceNow(pool, mainnet());
      assert.ok(Math.abs((deposit?.rawPrice ?? 0) / rawPrice - 1) < 1e-6, `${name}: ${deposit?.rawPrice} is not ${rawPrice}`);
    }
  });

  it('reads the first deposit of the creator of a pool', async () => {
    const { pools, chain } = mainnet();
    const pool = pools.dammSolUsdc;
    const created = chain.transactionsOf(pool.address)[0]?.signature;
    await test.index.readPool(pool.address, 1_000, WAIT_MS);
    const first = test.index
      .positions({ pool: pool.address })
      .flatMap(({ events }) => events.filter(({ signature }) => signature === created));
    assert.deepEqual(
      first.map(({ kind }) => kind),
      ['create', 'deposit'],
    );
    // As much as the rounding of liquidity leaves of 2,000 SOL and 300,000 USDC.
    assert.ok(first[1] !== undefined && first[1].amounts.x > 1_999_999_000_000n && first[1].amounts.y > 299_999_000_000n);
  });

  it('takes one request if nothing is new, and two for one new transaction', async () => {
    const me = mainnet().wallet(22);
    await mainnet().pools.solUsdc.open(me, { x: 10n ** 9n, y: 10n ** 8n });
    mainnet().finalize();
    await test.index.catchUp(me.address, WAIT_MS);
    await test.index.catchUp(me.address, WAIT_MS);
    const idle = await mainnet().countCalls(() => test.index.catchUp(me.address, WAIT_MS));
    assert.deepEqual([...idle], [['getSignaturesForAddress', 1]]);
    await mainnet().pools.solUsdc.open(me, { x: 10n ** 9n, y: 10n ** 8n });
    const one = await mainnet().countCalls(() => test.index.catchUp(me.address, WAIT_MS));
    assert.deepEqual(
      [...one],
      [
        ['getSignaturesForAddress', 1],
        ['getTransaction', 1],
      ],
    );
    assert.equal(test.index.positions({ owner: me.address }).length, 2);
  });
});

/** The present price of a pool by its account. */
function priceNow({ address, program, binStep }: LittlePool, { chain }: Mainnet): { readonly rawPrice: number } {
  const data = Buffer.from(chain.account(address)?.data ?? new Uint8Array());
  if (program === 'dlmm') {
    return { rawPrice: (1 + z.number().parse(binStep) / 10_000) ** data.readInt32LE(76) };
  }
  const root = data.readBigUInt64LE(456) + (data.readBigUInt64LE(464) << 64n);
  return { rawPrice: (Number(root) / 2 ** 64) ** 2 };
}
