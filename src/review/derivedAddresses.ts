import type { Address } from '../solana/address';
import { associatedTokenAddress, dammPosition, dammPositionNftAccount } from '../solana/derive';

/**
 * Addresses that are derived in the course of one review, each of them once: deriving takes longer than everything else
 * that the rules do.
 */
export class DerivedAddresses {
  private readonly known = new Map<string, Address>();

  /** The associated token account of any wallet. */
  associatedToken(wallet: Address, mint: Address, tokenProgram: Address): Address {
    return this.once(`${wallet} ${mint} ${tokenProgram}`, () => associatedTokenAddress(wallet, mint, tokenProgram));
  }

  /** The DAMM v2 position that an NFT mint stands for. */
  dammPosition(nftMint: Address): Address {
    return this.once(`position ${nftMint}`, () => dammPosition(nftMint));
  }

  /** The token account that holds the NFT of a DAMM v2 position. */
  dammPositionNftAccount(nftMint: Address): Address {
    return this.once(`nft account ${nftMint}`, () => dammPositionNftAccount(nftMint));
  }

  private once(key: string, derive: () => Address): Address {
    const known = this.known.get(key);
    if (known !== undefined) {
      return known;
    }
    const derived = derive();
    this.known.set(key, derived);
    return derived;
  }
}
