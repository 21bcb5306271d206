import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { PublicKey } from '@solana/web3.js';
import { address, addressBytes, addressFromBytes, parseAddress } from '../../../../src/base/solana/address';
import {
  associatedTokenAddress,
  dammPosition,
  dammPositionNftAccount,
  dammVault,
  dlmmBinArray,
  dlmmOracle,
  dlmmReserve,
  eventAuthority,
} from '../../../../src/base/solana/pda';
import { DAMM_POOL_AUTHORITY, JITO_TIP_ACCOUNTS, PROGRAMS, WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { bigNumber, dammSdk, dlmmSdk, splToken } from './packages';

const key = fc.uint8Array({ minLength: 32, maxLength: 32 });

describe('addresses', () => {
  it('are base58 of 32 bytes, there and back', () => {
    fc.assert(
      fc.property(key, (bytes) => {
        const of = addressFromBytes(bytes);
        assert.equal(of, new PublicKey(bytes).toBase58());
        assert.deepEqual(addressBytes(of), bytes);
        assert.equal(parseAddress(of), of);
      }),
    );
  });

  it('are nothing else', () => {
    const wrong = [
      '',
      ' ',
      'abc',
      '1'.repeat(31),
      '1'.repeat(33),
      '0'.repeat(32),
      'z'.repeat(44),
      `${WRAPPED_SOL_MINT} `,
      `${WRAPPED_SOL_MINT}1`,
      'O'.repeat(43),
    ];
    for (const text of wrong) {
      assert.equal(parseAddress(text), undefined, text);
      assert.throws(() => address(text), RangeError);
    }
    assert.throws(() => addressFromBytes(new Uint8Array(31)), RangeError);
    assert.throws(() => addressFromBytes(new Uint8Array(33)), RangeError);
  });

  it('of programs and tip accounts are on the list once', () => {
    const all = [...Object.values(PROGRAMS), ...JITO_TIP_ACCOUNTS];
    assert.equal(new Set(all).size, all.length);
    assert.equal(JITO_TIP_ACCOUNTS.length, 8);
  });
});

describe('derived addresses', () => {
  const pool = addressFromBytes(Uint8Array.from({ length: 32 }, (_, index) => index + 1));
  const program = new PublicKey(PROGRAMS.dlmm);

  it('of token accounts are those of @solana/spl-token', () => {
    const { getAssociatedTokenAddressSync } = splToken();
    fc.assert(
      fc.property(key, key, fc.boolean(), (owner, mint, newer) => {
        const tokenProgram = newer ? PROGRAMS.token2022 : PROGRAMS.token;
        const ours = associatedTokenAddress(addressFromBytes(owner), addressFromBytes(mint), tokenProgram);
        assert.equal(
          ours,
          getAssociatedTokenAddressSync(new PublicKey(mint), new PublicKey(owner), true, new PublicKey(tokenProgram)).toBase58(),
        );
      }),
      { numRuns: 30 },
    );
  });

  it('of the DLMM program are those of its SDK', () => {
    const sdk = dlmmSdk();
    const pair = new PublicKey(pool);
    assert.equal(dlmmReserve(pool, WRAPPED_SOL_MINT), sdk.deriveReserve(new PublicKey(WRAPPED_SOL_MINT), pair, program)[0].toBase58());
    assert.equal(dlmmOracle(pool), sdk.deriveOracle(pair, program)[0].toBase58());
    for (const index of [0, 1, -1, 69, -6338, 6337]) {
      assert.equal(
        dlmmBinArray(pool, index),
        sdk.deriveBinArray(pair, bigNumber(BigInt(index)), program)[0].toBase58(),
        `bin array ${index}`,
      );
    }
  });

  it('of the DAMM v2 program are those of its SDK', () => {
    const sdk = dammSdk();
    assert.equal(DAMM_POOL_AUTHORITY, sdk.derivePoolAuthority().toBase58());
    fc.assert(
      fc.property(key, key, (one, other) => {
        const [mint, of] = [addressFromBytes(one), addressFromBytes(other)];
        assert.equal(dammPosition(mint), sdk.derivePositionAddress(new PublicKey(one)).toBase58());
        assert.equal(dammPositionNftAccount(mint), sdk.derivePositionNftAccount(new PublicKey(one)).toBase58());
        assert.equal(dammVault(of, mint), sdk.deriveTokenVaultAddress(new PublicKey(one), new PublicKey(other)).toBase58());
      }),
      { numRuns: 30 },
    );
  });

  it('of event authorities are those that the programs publish', () => {
    assert.equal(eventAuthority(PROGRAMS.jupiterV6), 'D8cy77BBepLMngZx6ZukaTff5hCt1HrWyKk3Hnd9oitf');
    const [derived] = PublicKey.findProgramAddressSync([Buffer.from('__event_authority')], program);
    assert.equal(eventAuthority(PROGRAMS.dlmm), derived.toBase58());
    assert.equal(eventAuthority(PROGRAMS.dammV2), '3rmHSu74h1ZcmAisVcWerTCiRDQbUrBKmcwptYGjHfet');
  });
});
