import assert from 'node:assert/strict';
import { PublicKey } from '@solana/web3.js';
import fc from 'fast-check';
import { addressFromBytes } from '../../../../src/base/solana/address';
import { PROGRAMS } from '../../../../src/base/solana/programs';
import { HOLDING_BYTES, readHolding, readMint, readTokenAccount, tokenAccountIn } from '../../../../src/base/solana/tokenAccount';
import { splToken } from '../../../support/transactions/inspect/splToken';

const { ACCOUNT_SIZE, AccountLayout, AccountState, MINT_SIZE, MintLayout } = splToken;

const keys = fc.uint8Array({ minLength: 32, maxLength: 32 });
const amounts = fc.bigInt(0n, 2n ** 64n - 1n);
const options = fc.constantFrom<0 | 1>(0, 1);
const option = <Value>(given: 0 | 1, value: Value): Value | undefined => (given === 0 ? undefined : value);

describe('Accounts of the token programs', () => {
  it('Reads each field of a token account as the official library writes it', () => {
    const parts = fc.record({
      mint: keys,
      owner: keys,
      amount: amounts,
      delegateOption: options,
      delegate: keys,
      isNativeOption: options,
      isNative: amounts,
      delegatedAmount: amounts,
      closeAuthorityOption: options,
      closeAuthority: keys,
      state: fc.constantFrom(AccountState.Initialized, AccountState.Frozen),
    });
    fc.assert(
      fc.property(parts, (part) => {
        const data = Buffer.alloc(ACCOUNT_SIZE);
        const [mint, owner, delegate, closeAuthority] = [part.mint, part.owner, part.delegate, part.closeAuthority].map(
          (key) => new PublicKey(key),
        );
        assert.ok(mint !== undefined && owner !== undefined && delegate !== undefined && closeAuthority !== undefined);
        AccountLayout.encode({ ...part, mint, owner, delegate, closeAuthority }, data);
        const holding = { mint: addressFromBytes(part.mint), owner: addressFromBytes(part.owner), amountRaw: part.amount };
        assert.deepEqual(readHolding(data.subarray(0, HOLDING_BYTES)), holding);
        assert.deepEqual(readTokenAccount({ program: PROGRAMS.token, data }), {
          ...holding,
          state: part.state === AccountState.Frozen ? 'frozen' : 'initialized',
          delegate: option(part.delegateOption, addressFromBytes(part.delegate)),
          delegatedRaw: part.delegatedAmount,
          closeAuthority: option(part.closeAuthorityOption, addressFromBytes(part.closeAuthority)),
          nativeReserve: option(part.isNativeOption, part.isNative),
        });
      }),
    );
  });

  it('Reads each field of a mint as the official library writes it', () => {
    const parts = fc.record({
      mintAuthorityOption: options,
      mintAuthority: keys,
      supply: amounts,
      decimals: fc.nat(255),
      freezeAuthorityOption: options,
      freezeAuthority: keys,
    });
    fc.assert(
      fc.property(parts, (part) => {
        const data = Buffer.alloc(MINT_SIZE);
        const [mintAuthority, freezeAuthority] = [new PublicKey(part.mintAuthority), new PublicKey(part.freezeAuthority)];
        MintLayout.encode({ ...part, mintAuthority, freezeAuthority, isInitialized: true }, data);
        assert.deepEqual(readMint({ program: PROGRAMS.token2022, data }), {
          decimals: part.decimals,
          supplyRaw: part.supply,
          mintAuthority: option(part.mintAuthorityOption, addressFromBytes(part.mintAuthority)),
          freezeAuthority: option(part.freezeAuthorityOption, addressFromBytes(part.freezeAuthority)),
        });
      }),
    );
  });

  it('An account of an unknown state counts as uninitialized, and is no token account', () => {
    const data = new Uint8Array(ACCOUNT_SIZE);
    for (const state of [0, 3, 255]) {
      data[108] = state;
      assert.equal(tokenAccountIn(data).state, 'uninitialized');
      assert.equal(readTokenAccount({ program: PROGRAMS.token, data }), undefined);
    }
  });

  it('What another program calls a token account or a mint is none', () => {
    const token = new Uint8Array(ACCOUNT_SIZE);
    token[108] = 1;
    const mint = new Uint8Array(MINT_SIZE);
    mint[45] = 1;
    assert.ok(readTokenAccount({ program: PROGRAMS.token, data: token }) !== undefined);
    assert.ok(readMint({ program: PROGRAMS.token, data: mint }) !== undefined);
    assert.equal(readTokenAccount({ program: PROGRAMS.dlmm, data: token }), undefined);
    assert.equal(readMint({ program: PROGRAMS.dlmm, data: mint }), undefined);
  });
});
