import assert from 'node:assert/strict';
import { CpAmm } from '@meteora-ag/cp-amm-sdk';
import DLMM from '@meteora-ag/dlmm';
import { Connection, PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import fc from 'fast-check';
import * as z from 'zod';
import { addressFromBytes, type Address } from '../../src/base/solana/address';
import { PROGRAMS } from '../../src/base/solana/programs';
import { readTransaction, TransactionAnswer } from '../../src/chain/index/answers';
import { decodeEvent, isEvent } from '../../src/chain/index/events';
import type { IndexedEvent } from '../../src/chain/index/types';
import { tokenAmount } from '../../src/sandbox/chain/tokenAccount';
import { indexOf, type TestIndex } from '../support/chain/indexOf';
import type { Mainnet } from '../support/mainnet/mainnet';
import { useMainnet } from '../support/mainnet/useMainnet';
import type { LittlePool, Wallet } from '../support/mainnet/world/pool';

const WAIT_MS = 20_000;
/** Where the accounts of pools name their vaults. */
const VAULTS = { dlmm: [152, 184], damm: [232, 264] } as const;
const POOLS = ['solUsdc', 'memeSol', 'tollUsdc', 'dammSolUsdc', 'dammMemeSol', 'dammTollUsdc'] as const;
const EVENT_TAG_BYTES = 8;

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

describe('The index of an owner', () => {
  const mainnet = useMainnet();
  let test: TestIndex;
  beforeEach(() => {
    test = indexOf(mainnet().rpcUrl);
  });
  afterEach(() => test.stop());

  it('tells to the last unit what moved, whatever is done in whichever pool', async () => {
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
                  ? await pool.withdraw(mine.wallet, position, bps)
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
          const told = [
            movedBy(of, 'x').reduce((sum, amount) => sum + arriving(amount, pool.x.transferFeeBps), 0n),
            movedBy(of, 'y').reduce((sum, amount) => sum + arriving(amount, pool.y.transferFeeBps), 0n),
          ];
          assert.deepEqual(told, moved, signatures);
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
      { numRuns: 3, endOnFailure: true },
    );
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

  it('tells the price of each event', async () => {
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

  it('answers a look that brings nothing new with one request, and one new transaction with two', async () => {
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

  it('reads every event as the SDKs do', async () => {
    const { chain, rpcUrl, pools } = mainnet();
    const connection = new Connection(rpcUrl, 'confirmed');
    const dlmm = (await DLMM.create(connection, new PublicKey(pools.solUsdc.address))).program.coder.events;
    const damm = new CpAmm(connection)._program.coder.events;
    const seen = new Map<string, number>();
    const signatures = [PROGRAMS.dlmm, PROGRAMS.dammV2].flatMap((program) =>
      chain.transactionsOf(program).map(({ signature }) => signature),
    );
    for (const signature of new Set(signatures)) {
      const answer = await test.rpc.call(
        'getTransaction',
        [signature, { commitment: 'confirmed', maxSupportedTransactionVersion: 1 }],
        TransactionAnswer,
      );
      const read = answer === null ? undefined : readTransaction(answer);
      for (const { program, data: dataOf, isInner } of read?.calls ?? []) {
        const data = dataOf();
        if (!isInner || !isEvent(data) || (program !== PROGRAMS.dlmm && program !== PROGRAMS.dammV2)) {
          continue;
        }
        const coder = program === PROGRAMS.dlmm ? dlmm : damm;
        const theirs = coder.decode(Buffer.from(data.subarray(EVENT_TAG_BYTES)).toString('base64'));
        const ours = decodeEvent(program === PROGRAMS.dlmm ? 'dlmm' : 'damm', data);
        assert.ok(theirs !== null, bs58.encode(data));
        seen.set(theirs.name, (seen.get(theirs.name) ?? 0) + 1);
        if (ours !== undefined) {
          // Each of our values is one of theirs: the names differ.
          const known = new Set(valuesIn(theirs.data));
          assert.deepEqual(
            valuesIn(ours).filter((value) => !known.has(value) && !known.has(value.replace('-', '')) && !OUR_WORDS.has(value)),
            [],
            theirs.name,
          );
        }
      }
    }
    const names = [...seen.keys()].map((name) => name.toLowerCase().replaceAll('_', ''));
    const listed = [
      'positioncreate',
      'addliquidity',
      'removeliquidity',
      'claimfee2',
      'rebalancing',
      'positionclose',
      'evtcreateposition',
      'evtliquiditychange',
      'evtclaimpositionfee',
      'evtcloseposition',
      'evtinitializepool',
    ];
    assert.deepEqual(
      listed.filter((name) => !names.includes(name)),
      [],
      names.join(),
    );
  });
});

/** Words that only our form of an event has. */
const OUR_WORDS = new Set([
  'create',
  'close',
  'deposit',
  'withdrawal',
  'feeClaim',
  'rebalance',
  'resize',
  '0',
  'poolWithDeposit',
  'true',
  'false',
  'undefined',
]);

/** All values in an object, as text. */
function valuesIn(value: unknown): readonly string[] {
  if (value instanceof PublicKey) {
    return [value.toBase58()];
  }
  if (typeof value === 'object' && value !== null && !('words' in value)) {
    return Object.values(value).flatMap(valuesIn);
  }
  return [String(value)];
}

/** The present price of a pool by its account. */
function priceNow({ address, program, binStep }: LittlePool, { chain }: Mainnet): { readonly rawPrice: number } {
  const data = Buffer.from(chain.account(address)?.data ?? new Uint8Array());
  if (program === 'dlmm') {
    return { rawPrice: (1 + z.number().parse(binStep) / 10_000) ** data.readInt32LE(76) };
  }
  const root = data.readBigUInt64LE(456) + (data.readBigUInt64LE(464) << 64n);
  return { rawPrice: (Number(root) / 2 ** 64) ** 2 };
}
