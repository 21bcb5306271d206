import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PublicKey } from '@solana/web3.js';
import { RentRate, RentRateError } from '../../../../src/base/solana/rent';
import { dammSdk } from '../../../support/base/solana/packages';

const load = createRequire(join(process.cwd(), 'package.json'));

/** Rent of that many bytes: two years at 3,480 lamports a byte and year, 128 bytes on top (runtime: Rent::default). */
const rentOf = (bytes: number): bigint => 2n * 3_480n * BigInt(bytes + 128);

describe('Rent', () => {
  it('The rent of a DAMM v2 position matches the account size in the IDL', () => {
    const { BorshAccountsCoder } = load('@coral-xyz/anchor') as {
      readonly BorshAccountsCoder: new (idl: unknown) => { size(name: string): number };
    };
    const size = new BorshAccountsCoder(dammSdk().CpAmmIdl).size('Position');
    assert.equal(size, 408);
    assert.equal(RentRate.highest.productPosition, rentOf(size));
  });

  it('The rent of the position NFT is that of a Token-2022 mint with its extensions, and of a plain account', () => {
    const { getMintLen, getAccountLen, ExtensionType } = load('@solana/spl-token') as {
      readonly getMintLen: (extensions: readonly number[], variable: Readonly<Record<number, number>>) => number;
      readonly getAccountLen: (extensions: readonly number[]) => number;
      readonly ExtensionType: Readonly<Record<'MetadataPointer' | 'MintCloseAuthority' | 'TokenMetadata', number>>;
    };
    const { pack } = load('@solana/spl-token-metadata') as { readonly pack: (metadata: object) => Uint8Array };
    // ix_create_position.rs of the program names these.
    const metadata = pack({
      updateAuthority: PublicKey.default,
      mint: PublicKey.default,
      name: 'Meteora Position NFT',
      symbol: 'MPN',
      uri: 'https://raw.githubusercontent.com/MeteoraAg/token-metadata/main/meteora_position_nft.png',
      additionalMetadata: [],
    });
    const size = getMintLen([ExtensionType.MetadataPointer, ExtensionType.MintCloseAuthority], {
      [ExtensionType.TokenMetadata]: metadata.length,
    });
    assert.equal(size, 465);
    assert.equal(RentRate.highest.productNftMint, rentOf(size));
    assert.equal(RentRate.highest.productNftAccount, rentOf(getAccountLen([])));
  });

  it('The minimum balances at 5,080 lamports a byte are those of the chain', () => {
    const rent = RentRate.byEmptyAccount(650_240n);
    assert.deepEqual([rent.tokenAccount, rent.position, rent.binArray], [1_488_440n, 41_899_840n, 52_141_120n]);
  });

  it('Without a node the rents are those of the highest rate, and upper bounds', () => {
    const { highest } = RentRate;
    assert.ok(highest.isUpperBound);
    assert.deepEqual(
      [highest.tokenAccount, highest.token2022Account, highest.position, highest.positionPerBinAbove70, highest.binArray],
      [2_039_280n, 2_074_080n, 57_406_080n, 779_520n, 71_437_440n],
    );
    assert.deepEqual([highest.bitmapExtension, highest.zapLedger, highest.productPositionWithNft], [11_804_160n, 1_280_640n, 9_897_120n]);
  });

  it('A rate counts only within a tenth and ten times of the highest one', () => {
    for (const rate of [696n, 6_960n, 69_600n]) {
      assert.deepEqual([RentRate.ofLamportsPerByte(rate).lamportsPerByte, RentRate.ofLamportsPerByte(rate).isUpperBound], [rate, false]);
    }
    for (const rate of [-1n, 0n, 695n, 69_601n]) {
      assert.throws(() => RentRate.ofLamportsPerByte(rate), RentRateError);
    }
    assert.throws(() => RentRate.byEmptyAccount(650_241n), RentRateError);
    assert.equal(RentRate.ofLamportsPerByte(6_961n).atMostHighest, RentRate.highest);
    assert.equal(RentRate.ofLamportsPerByte(5_080n).atMostHighest.lamportsPerByte, 5_080n);
  });
});
