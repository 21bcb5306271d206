import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as z from 'zod';
import { associatedTokenAddress, dammPosition, dammPositionNftAccount, dammVault, dlmmReserve } from '../../../src/base/solana/pda';
import { DAMM_POOL_AUTHORITY, JITO_TIP_ACCOUNTS, LAMPORTS_PER_SOL, PROGRAMS, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { RentRate } from '../../../src/base/solana/rent';
import { address as addressFrom, addressBytes } from '../../../src/base/solana/address';
import { readMint, readTokenAccount } from '../../../src/base/solana/tokenAccount';
import { binArrayAccount, positionAccount, productPositionAccounts } from '../../../src/sandbox/market/accounts';
import { foundChain } from '../../../src/sandbox/market/genesis';
import { rawTokens } from '../../../src/sandbox/market/units';
import { Database } from '../../../src/sandbox/store/database';
import { addressOf, binPoolOf, livelyWorld, OWNER, poolOf, provide, worldIn, type World } from '../../support/sandbox/market/worlds';

const AccountRow = z.object({
  address: z.string().transform(addressFrom),
  program: z.string().transform(addressFrom),
  lamports: z.string().transform(BigInt),
  data: z.instanceof(Uint8Array),
});

/** Settles, commits, and counts all money that is in the database's accounts. */
function countAll({ market, unit, chain, database }: World): void {
  market.settleVaults();
  unit.commit();
  const accounts = database.all(AccountRow, 'SELECT address, program, lamports, data FROM account');
  assert.equal(
    accounts.reduce((sum, { lamports }) => sum + lamports, 0n),
    chain.genesisLamports - chain.feesBurntLamports,
  );
  const held = new Map<string, bigint>();
  for (const account of accounts) {
    const tokens = readTokenAccount(account);
    if (tokens !== undefined) {
      held.set(tokens.mint, (held.get(tokens.mint) ?? 0n) + tokens.amountRaw);
      if (tokens.mint === WRAPPED_SOL_MINT) {
        assert.equal(account.lamports, tokens.amountRaw + RentRate.highest.tokenAccount);
      }
    }
  }
  for (const token of market.tokens) {
    if (token.mint !== WRAPPED_SOL_MINT) {
      assert.equal(held.get(token.mint), rawTokens(token.spec.supply, token), token.spec.key);
    }
  }
  for (const pool of market.pools) {
    for (const [side, { mint }] of [
      ['x', pool.tokenX],
      ['y', pool.tokenY],
    ] as const) {
      const vault = pool.type === 'bins' ? dlmmReserve(pool.address, mint) : dammVault(pool.address, mint);
      const account = chain.account(vault);
      const tokens = account === undefined ? undefined : readTokenAccount(account);
      assert.ok(tokens !== undefined);
      assert.deepEqual(
        [tokens.amountRaw, tokens.mint, tokens.owner],
        [pool.vaults[side], mint, pool.type === 'bins' ? pool.address : DAMM_POOL_AUTHORITY],
      );
    }
  }
}

describe('The money of a world', function () {
  it('A new world has all its money: supplies, the wallet of the owner, tip accounts, empty vaults', () => {
    const world = worldIn(Database.inMemory(), 51);
    const { chain, market } = world;
    countAll(world);
    assert.equal(chain.lamports(OWNER), 25n * LAMPORTS_PER_SOL);
    const owned: Readonly<Record<string, bigint>> = { USDC: 412_370_000n, JUPP: 318_500_000n, BONQ: 185_000_000_000n, MEWO: 421_000_000n };
    market.tokens.forEach((token) => assert.equal(chain.tokenBalance(OWNER, token.mint), owned[token.spec.key] ?? 0n, token.spec.key));
    assert.equal(chain.genesisLamports, rawTokens(market.sol.spec.supply, market.sol));
    JITO_TIP_ACCOUNTS.forEach((tips) => assert.equal(chain.lamports(tips), LAMPORTS_PER_SOL));
    for (const token of market.tokens) {
      if (token.mint !== WRAPPED_SOL_MINT) {
        const mint = chain.account(token.mint);
        assert.ok(mint !== undefined);
        const read = readMint(mint);
        assert.deepEqual(
          [mint.program, read?.decimals, read?.supplyRaw],
          [PROGRAMS.token, token.spec.decimals, rawTokens(token.spec.supply, token)],
        );
      }
      assert.ok(chain.tokenBalance(market.world, token.mint) > 0n);
    }
    market.pools.forEach((pool) => assert.deepEqual(pool.vaults, { x: 0n, y: 0n }));
    assert.throws(() => foundChain(chain, market, OWNER), RangeError);
  });

  it('Money is conserved in every run', () => {
    const world = livelyWorld(52);
    const { market, unit } = world;
    countAll(world);
    const keys = market.pools.map(({ spec }) => spec.key);
    const binKeys = market.pools.filter(({ type }) => type === 'bins').map(({ spec }) => spec.key);
    let count = 0;
    const act = fc.oneof(
      fc.integer({ min: 1, max: 200_000 }).map((seconds) => () => market.advance(market.now + 1_000 * seconds)),
      fc.tuple(fc.constantFrom(...keys), fc.integer({ min: -40, max: 60 })).map(
        ([key, percent]) =>
          () =>
            market.shock(poolOf(market, key), percent),
      ),
      fc.tuple(fc.constantFrom(...binKeys), fc.integer({ min: -60, max: 60 })).map(([key, bins]) => () => {
        const pool = binPoolOf(market, key);
        market.setActiveBin(pool, pool.activeBinId + bins);
      }),
      fc.tuple(fc.constantFrom(...keys), fc.constantFrom('x', 'y'), fc.bigInt(1n, 10n ** 13n)).map(([key, side, amount]) => () => {
        market.trade(poolOf(market, key), side, amount);
      }),
      fc.tuple(fc.constantFrom(...keys), fc.double({ min: 0.0001, max: 0.1, noNaN: true })).map(([key, part]) => () => {
        count += 1;
        const pool = poolOf(market, key);
        const address = provide(world, pool, part * pool.spec.tvlUsd, `provider ${count}`);
        market.step(60);
        market.books.collect(pool, address);
      }),
      fc.constantFrom(...keys).map((key) => () => {
        unit.dryRun(() => {
          market.shock(poolOf(market, key), 25);
          market.settleVaults();
        });
      }),
    );
    fc.assert(
      fc.property(fc.array(act, { minLength: 1, maxLength: 6 }), (acts) => {
        acts.forEach((run) => run());
        countAll(world);
      }),
      { numRuns: 25 },
    );
    countAll({ ...worldIn(world.database, 0), database: world.database });
  });
});

describe('Program accounts', () => {
  it('A bin position account names its owner and costs the rent of its bins', () => {
    const [pool, owner] = [addressOf('pool'), addressOf('owner')];
    const narrow = positionAccount(pool, owner, -40, 29, RentRate.highest);
    assert.deepEqual([narrow.owner, narrow.lamports], [PROGRAMS.dlmm, RentRate.highest.position]);
    assert.equal(
      positionAccount(pool, owner, -40, 30, RentRate.highest).lamports,
      RentRate.highest.position + RentRate.highest.positionPerBinAbove70,
    );
    assert.deepEqual(narrow.data.subarray(8, 40), addressBytes(pool));
    assert.deepEqual(narrow.data.subarray(40, 72), addressBytes(owner));
    const view = new DataView(narrow.data.buffer, narrow.data.byteOffset);
    assert.deepEqual([view.getInt32(72, true), view.getInt32(76, true)], [-40, 29]);
    const array = binArrayAccount(pool, -3, RentRate.highest);
    assert.deepEqual(
      [array.owner, array.lamports, new DataView(array.data.buffer).getBigInt64(8, true)],
      [PROGRAMS.dlmm, RentRate.highest.binArray, -3n],
    );
    assert.deepEqual(array.data.subarray(24, 56), addressBytes(pool));
  });

  it('A constant-product position has an NFT of one in the account of the owner, and a position account', () => {
    const [pool, owner, mint] = [addressOf('pool'), addressOf('owner'), addressOf('nft')];
    const [mintAccount, nftAccount, position] = productPositionAccounts(pool, owner, mint, RentRate.highest);
    assert.ok(mintAccount !== undefined && nftAccount !== undefined && position !== undefined);
    assert.deepEqual([mintAccount.at, nftAccount.at, position.at], [mint, dammPositionNftAccount(mint), dammPosition(mint)]);
    const read = readMint({ program: mintAccount.account.owner, data: mintAccount.account.data });
    assert.deepEqual([read?.supplyRaw, read?.decimals], [1n, 0]);
    const held = readTokenAccount({ program: nftAccount.account.owner, data: nftAccount.account.data });
    assert.deepEqual([held?.mint, held?.owner, held?.amountRaw], [mint, owner, 1n]);
    // The discriminator that the program's IDL names.
    assert.deepEqual([...position.account.data.subarray(0, 8)], [170, 188, 143, 228, 122, 64, 247, 208]);
    assert.equal(position.account.data.length, 408);
    const rentOf = (bytes: number): bigint => BigInt(bytes + 128) * 6_960n;
    for (const { account } of [mintAccount, nftAccount, position]) {
      assert.equal(account.lamports, rentOf(account.data.length));
    }
    assert.notEqual(nftAccount.at, associatedTokenAddress(owner, mint, PROGRAMS.token2022));
  });
});
