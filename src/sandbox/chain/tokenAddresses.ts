import { addressBytes, type Address } from '../../solana/address';
import { programAddress } from '../../solana/programAddress';
import { PROGRAMS } from '../../solana/programs';

/** Deriving an address takes a hundred times as long as crediting tokens, and the same ones are asked for again and again. */
const MOST_REMEMBERED = 50_000;

const TOKEN_PROGRAM = addressBytes(PROGRAMS.token);

/** Addresses of associated token accounts of the Token program, remembered. Seeds: owner, token program, mint. */
export class TokenAddresses {
  private readonly byOwner = new Map<Address, Map<Address, Address>>();
  private remembered = 0;

  of(owner: Address, mint: Address): Address {
    const known = this.byOwner.get(owner)?.get(mint);
    return known ?? this.derive(owner, mint);
  }

  private derive(owner: Address, mint: Address): Address {
    const derived = programAddress(PROGRAMS.associatedToken, [addressBytes(owner), TOKEN_PROGRAM, addressBytes(mint)]);
    if (this.remembered >= MOST_REMEMBERED) {
      this.byOwner.clear();
      this.remembered = 0;
    }
    let ofOwner = this.byOwner.get(owner);
    if (ofOwner === undefined) {
      ofOwner = new Map();
      this.byOwner.set(owner, ofOwner);
    }
    ofOwner.set(mint, derived);
    this.remembered += 1;
    return derived;
  }
}
