import assert from 'node:assert/strict';
import { PublicKey } from '@solana/web3.js';
import fc from 'fast-check';
import { type Address, addressFromBytes } from '../../../src/base/solana/address';
import { associatedTokenAddress, isOnCurve } from '../../../src/base/solana/pda';
import { JITO_TIP_ACCOUNTS, LAMPORTS_PER_SOL, PROGRAMS, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { RentRate } from '../../../src/base/solana/rent';
import { readMint, readTokenAccount } from '../../../src/base/solana/tokenAccount';
import { TokenAddresses } from '../../../src/sandbox/chain/ledger';
import { type Chain, EffectError } from '../../../src/sandbox/chain/types';
import { lamportsInTable, newChain, type TestChain, testKey } from '../../support/sandbox/chain/common';

const OWNER = testKey(1).address;
const SOMEBODY = testKey(2).address;
const MINT = testKey(3).address;
const POSITION = testKey(4).address;
const WORLD = testKey(5).address;
const POOL = testKey(6).address;
const VAULT = testKey(7).address;
const SOL = LAMPORTS_PER_SOL;
const SUPPLY = 1_000_000n;

describe('Chain: accounts', () => {
  let opened: TestChain;
  let chain: Chain;

  beforeEach(() => {
    opened = newChain({ address: OWNER, lamports: 10n * SOL }, { address: WORLD, lamports: 100n * SOL });
    ({ chain } = opened);
    chain.createMint(MINT, 6, SUPPLY, WORLD);
  });

  /** Lamports of all accounts, once they are in the database. */
  function allLamports(): bigint {
    opened.unit.commit();
    return lamportsInTable(opened.database);
  }

  it('Lamports are created once at genesis, and tip accounts can be paid from then on', () => {
    const begun = (10n + 100n + BigInt(JITO_TIP_ACCOUNTS.length)) * SOL;
    assert.equal(chain.genesisLamports, begun);
    assert.equal(allLamports(), begun);
    JITO_TIP_ACCOUNTS.forEach((tip) => assert.equal(chain.lamports(tip), SOL));
    assert.throws(() => chain.genesis([{ address: OWNER, lamports: 1n }]), RangeError);
    assert.equal(chain.genesisLamports, begun);
  });

  it('A credit of tokens creates a missing account, whose rent the owner pays', () => {
    assert.equal(chain.tokenBalance(OWNER, MINT), 0n);
    chain.credit(OWNER, MINT, 70n);
    chain.credit(OWNER, MINT, -30n);
    assert.equal(chain.tokenBalance(OWNER, MINT), 40n);
    assert.equal(chain.lamports(associatedTokenAddress(OWNER, MINT)), RentRate.highest.tokenAccount);
    assert.equal(chain.lamports(OWNER), 10n * SOL - RentRate.highest.tokenAccount);
    assert.equal(allLamports(), chain.genesisLamports);
  });

  it('An account that cannot be paid for is not created', () => {
    chain.setLamports(SOMEBODY, RentRate.highest.tokenAccount - 1n);
    assert.throws(
      () => chain.credit(SOMEBODY, MINT, 1n),
      new EffectError(
        `${SOMEBODY} has ${RentRate.highest.tokenAccount - 1n} lamports, which is not enough for the rent of a token account: ${RentRate.highest.tokenAccount}`,
      ),
    );
    assert.equal(chain.hasAccount(associatedTokenAddress(SOMEBODY, MINT)), false);
  });

  it('Lamports at the address count towards the rent, and beyond it as tokens', () => {
    const at = associatedTokenAddress(OWNER, WRAPPED_SOL_MINT);
    chain.setLamports(WORLD, chain.lamports(WORLD) - 3_000_000n);
    chain.setLamports(at, 3_000_000n);
    const before = chain.lamports(OWNER);
    chain.credit(OWNER, WRAPPED_SOL_MINT, 0n);
    assert.equal(chain.lamports(OWNER), before);
    assert.equal(chain.tokenBalance(OWNER, WRAPPED_SOL_MINT), 3_000_000n - RentRate.highest.tokenAccount);
    assert.equal(allLamports(), chain.genesisLamports);

    const other = associatedTokenAddress(OWNER, MINT);
    chain.setLamports(WORLD, chain.lamports(WORLD) - 1_000_000n);
    chain.setLamports(other, 1_000_000n);
    chain.credit(OWNER, MINT, 5n);
    assert.equal(chain.lamports(OWNER), before - (RentRate.highest.tokenAccount - 1_000_000n));
    assert.equal(allLamports(), chain.genesisLamports);
  });

  it('Lamports and amount of wrapped SOL stay equal', () => {
    const at = associatedTokenAddress(OWNER, WRAPPED_SOL_MINT);
    fc.assert(
      fc.property(fc.array(fc.bigInt(-5n, 10n), { maxLength: 20 }), (changes) =>
        opened.unit.dryRun(() => {
          let held = 0n;
          for (const change of changes) {
            if (held + change < 0n) {
              assert.throws(() => chain.credit(OWNER, WRAPPED_SOL_MINT, change), EffectError);
              continue;
            }
            held += change;
            chain.credit(OWNER, WRAPPED_SOL_MINT, change);
            assert.equal(chain.tokenBalance(OWNER, WRAPPED_SOL_MINT), held);
            assert.equal(chain.lamports(at), RentRate.highest.tokenAccount + held);
          }
        }),
      ),
      { numRuns: 200 },
    );
    assert.equal(chain.hasAccount(at), false, 'all of it was taken back');
  });

  it('Token accounts can be made and set at chosen addresses', () => {
    for (const mint of [MINT, WRAPPED_SOL_MINT]) {
      const at = mint === MINT ? VAULT : POSITION;
      const payerHad = chain.lamports(WORLD);
      chain.setTokenAccount(at, { holder: POOL, mint, payer: WORLD }, 500n);
      assert.equal(chain.lamports(WORLD), payerHad - RentRate.highest.tokenAccount);
      chain.setTokenAccount(at, { holder: POOL, mint, payer: WORLD }, 200n);
      assert.equal(chain.lamports(WORLD), payerHad - RentRate.highest.tokenAccount, 'rent is paid once');
      assert.equal(chain.lamports(at), RentRate.highest.tokenAccount + (mint === WRAPPED_SOL_MINT ? 200n : 0n));
      const token = readTokenAccount(accountAt(at));
      assert.equal(token?.amountRaw, 200n);
      assert.equal(token.owner, POOL);
      assert.equal(token.mint, mint);
    }
    assert.throws(() => chain.setTokenAccount(VAULT, { holder: POOL, mint: MINT, payer: WORLD }, -1n), EffectError);
    assert.equal(chain.tokenBalance(POOL, MINT), 0n, 'a vault is not an associated account');
  });

  it('The token accounts of a holder are found by their data', () => {
    chain.credit(OWNER, MINT, 5n);
    chain.credit(OWNER, WRAPPED_SOL_MINT, 0n);
    chain.setTokenAccount(VAULT, { holder: OWNER, mint: MINT, payer: WORLD }, 1n);
    assert.deepEqual(chain.tokenAccountsOf(OWNER, undefined), [], 'not before they are committed');
    opened.unit.commit();
    const associated = associatedTokenAddress(OWNER, MINT);
    assert.deepEqual(chain.tokenAccountsOf(OWNER, MINT), [associated, VAULT].sort());
    assert.deepEqual(chain.tokenAccountsOf(OWNER, undefined), [associated, VAULT, associatedTokenAddress(OWNER, WRAPPED_SOL_MINT)].sort());
    assert.deepEqual(chain.tokenAccountsOf(SOMEBODY, undefined), []);
  });

  it('A debit beyond the balance and a credit beyond the account limit are refused', () => {
    chain.credit(OWNER, MINT, 5n);
    assert.throws(() => chain.credit(OWNER, MINT, -6n), new EffectError(`${OWNER} holds 5 of ${MINT} (raw), which is not enough for 6`));
    assert.throws(() => chain.credit(OWNER, MINT, 2n ** 64n), /more than an account can hold/);
    assert.throws(
      () => chain.setLamports(WORLD, -1n),
      new EffectError(`${WORLD} has ${chain.lamports(WORLD)} lamports, which is not enough`),
    );
    assert.throws(() => chain.setLamports(WORLD, 2n ** 64n), /more than an account can hold/);
    assert.equal(chain.tokenBalance(OWNER, MINT), 5n);
  });

  it('Program accounts can be made, filled and removed, and an account without lamports does not exist', () => {
    chain.setProgramAccount(POSITION, { owner: PROGRAMS.dlmm, lamports: RentRate.highest.position, data: Uint8Array.of(1, 2, 3) });
    assert.deepEqual(chain.account(POSITION), {
      lamports: RentRate.highest.position,
      program: PROGRAMS.dlmm,
      data: Uint8Array.of(1, 2, 3),
      executable: false,
    });
    chain.setProgramAccount(POSITION, undefined);
    assert.equal(chain.hasAccount(POSITION), false);
    chain.setLamports(SOMEBODY, 5n);
    chain.setLamports(SOMEBODY, 0n);
    assert.equal(chain.account(SOMEBODY), undefined);
  });

  it('Mints are made with a supply at the expense of the payer', () => {
    assert.deepEqual(readMint(accountAt(MINT)), { decimals: 6, supplyRaw: SUPPLY, mintAuthority: undefined, freezeAuthority: undefined });
    assert.equal(chain.lamports(MINT), RentRate.highest.minimumBalance(82));
    assert.equal(chain.lamports(WORLD), 100n * SOL - RentRate.highest.minimumBalance(82));
    const before = chain.lamports(WORLD);
    chain.createMint(MINT, 9, 5n, WORLD);
    chain.createMint(WRAPPED_SOL_MINT, 9, 0n, WORLD);
    assert.equal(readMint(accountAt(MINT))?.decimals, 6, 'one that exists stays as it is');
    assert.equal(chain.lamports(WORLD), before);
    assert.throws(() => chain.createMint(SOMEBODY, 256, 0n, WORLD), RangeError);
    assert.throws(() => chain.createMint(SOMEBODY, 6, 2n ** 64n, WORLD), RangeError);
  });

  it('Accounts that the VM provides are visible, and none of their lamports are counted', () => {
    assert.equal(chain.account(PROGRAMS.token)?.executable, true);
    assert.equal(readMint(accountAt(WRAPPED_SOL_MINT))?.decimals, 9);
    assert.equal(chain.account(PROGRAMS.dlmm)?.executable, true);
    assert.equal(allLamports(), chain.genesisLamports);
  });

  function accountAt(of: Address): NonNullable<ReturnType<Chain['account']>> {
    const account = chain.account(of);
    assert.ok(account);
    return account;
  }
});

describe('Chain: rent', () => {
  it('Rent matches the known amounts of the network', () => {
    assert.equal(RentRate.highest.minimumBalance(0), 890_880n);
    assert.equal(RentRate.highest.minimumBalance(165), RentRate.highest.tokenAccount);
    assert.equal(RentRate.highest.minimumBalance(8_120), RentRate.highest.position);
  });
});

describe('Chain: derived addresses', () => {
  const key = fc.uint8Array({ minLength: 32, maxLength: 32 });

  it('Derived addresses match those of web3.js', () => {
    const addresses = new TokenAddresses();
    fc.assert(
      fc.property(key, key, (owner, mint) => {
        const of = addressFromBytes(owner);
        const ofMint = addressFromBytes(mint);
        assert.equal(addresses.of(of, ofMint), associatedTokenAddress(of, ofMint));
        assert.equal(addresses.of(of, ofMint), associatedTokenAddress(of, ofMint), 'nor when they are remembered');
      }),
      { numRuns: 200 },
    );
  });

  it('Points on the curve are distinguished from other keys as in web3.js', () => {
    let points = 0;
    fc.assert(
      fc.property(key, (bytes) => {
        points += isOnCurve(bytes) ? 1 : 0;
        assert.equal(isOnCurve(bytes), PublicKey.isOnCurve(bytes));
      }),
      { numRuns: 400 },
    );
    assert.ok(points > 100 && points < 300, `${points} of 400 are points`);
    assert.equal(isOnCurve(new PublicKey(testKey(9).address).toBytes()), true);
  });
});
