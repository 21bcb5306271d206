import assert from 'node:assert/strict';
import bs58 from 'bs58';
import * as fc from 'fast-check';
import { PublicKey } from '@solana/web3.js';
import { address, addressBytes, addressFromBytes, parseAddress } from '../../../../src/base/solana/address';
import {
  associatedTokenAddress,
  dammPosition,
  dammPositionNftAccount,
  dammVault,
  dlmmBinArray,
  dlmmBitmapExtension,
  dlmmOracle,
  dlmmReserve,
  eventAuthority,
} from '../../../../src/base/solana/pda';
import { DAMM_POOL_AUTHORITY, JITO_TIP_ACCOUNTS, PROGRAMS, WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { bigNumber, dammSdk, dlmmSdk, splToken } from '../../../support/base/solana/packages';

const key = fc.uint8Array({ minLength: 32, maxLength: 32 });

describe('Addresses', () => {
  it('Addresses convert from 32 bytes to base58 and back without loss', () => {
    fc.assert(
      fc.property(key, (bytes) => {
        const of = addressFromBytes(bytes);
        assert.equal(of, new PublicKey(bytes).toBase58());
        assert.deepEqual(addressBytes(of), bytes);
        assert.equal(parseAddress(of), of);
      }),
    );
  });

  it('Texts and byte arrays that are not addresses are refused', () => {
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

  it('A text is an address exactly if it decodes to 32 bytes', () => {
    const isAddress = (text: string): boolean => bs58.decodeUnsafe(text)?.length === 32;
    const agrees = (text: string): void => assert.equal(parseAddress(text), isAddress(text) ? text : undefined, JSON.stringify(text));
    const base58 = fc.constantFrom(...Array.from('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'));
    fc.assert(
      fc.property(fc.nat(34), fc.array(base58, { maxLength: 46 }), (ones, digits) => agrees(`${'1'.repeat(ones)}${digits.join('')}`)),
      { numRuns: 20_000 },
    );
    fc.assert(
      fc.property(fc.array(base58, { minLength: 42, maxLength: 45 }), (digits) => agrees(digits.join(''))),
      { numRuns: 20_000 },
    );
    fc.assert(
      fc.property(key, fc.nat(43), fc.string({ minLength: 1, maxLength: 1 }), (bytes, at, other) => {
        const text = addressFromBytes(bytes);
        agrees(`${text.slice(0, at)}${other}${text.slice(at + 1)}`);
        agrees(`${text}${other}`);
        agrees(`${other}${text}`);
      }),
      { numRuns: 2_000 },
    );
    // On both sides of each number of bytes, after each number of zeros.
    for (let count = 0; count <= 34; count += 1) {
      const most = new Uint8Array(count).fill(0xff);
      const over = Uint8Array.of(1, ...new Uint8Array(count));
      for (let zeros = 0; zeros <= 34; zeros += 1) {
        agrees('1'.repeat(zeros) + bs58.encode(most));
        agrees('1'.repeat(zeros) + bs58.encode(over));
      }
    }
  });

  it('The lists of programs and tip accounts contain no address twice', () => {
    const all = [...Object.values(PROGRAMS), ...JITO_TIP_ACCOUNTS];
    assert.equal(new Set(all).size, all.length);
    assert.equal(JITO_TIP_ACCOUNTS.length, 8);
  });
});

describe('Derived addresses', () => {
  const pool = addressFromBytes(Uint8Array.from({ length: 32 }, (_, index) => index + 1));
  const program = new PublicKey(PROGRAMS.dlmm);

  it('Derived token accounts equal those of @solana/spl-token', () => {
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

  it('Derived DLMM addresses equal those of its SDK', () => {
    const sdk = dlmmSdk();
    const pair = new PublicKey(pool);
    assert.equal(dlmmReserve(pool, WRAPPED_SOL_MINT), sdk.deriveReserve(new PublicKey(WRAPPED_SOL_MINT), pair, program)[0].toBase58());
    assert.equal(dlmmOracle(pool), sdk.deriveOracle(pair, program)[0].toBase58());
    assert.equal(dlmmBitmapExtension(pool), sdk.deriveBinArrayBitmapExtension(pair, program)[0].toBase58());
    for (const index of [0, 1, -1, 69, -6338, 6337]) {
      assert.equal(
        dlmmBinArray(pool, index),
        sdk.deriveBinArray(pair, bigNumber(BigInt(index)), program)[0].toBase58(),
        `bin array ${index}`,
      );
    }
  });

  it('Derived DAMM v2 addresses equal those of its SDK', () => {
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

  it('Derived event authorities equal those that the programs publish', () => {
    assert.equal(eventAuthority(PROGRAMS.jupiterV6), 'D8cy77BBepLMngZx6ZukaTff5hCt1HrWyKk3Hnd9oitf');
    const [derived] = PublicKey.findProgramAddressSync([Buffer.from('__event_authority')], program);
    assert.equal(eventAuthority(PROGRAMS.dlmm), derived.toBase58());
    assert.equal(eventAuthority(PROGRAMS.dammV2), '3rmHSu74h1ZcmAisVcWerTCiRDQbUrBKmcwptYGjHfet');
  });
});
