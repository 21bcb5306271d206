import { addressBytes, type Address } from '../../base/solana/address';
import { programAddress } from '../../base/solana/pda';
import { PROGRAMS } from '../../base/solana/programs';

/** Deriving an address takes a hundred times as long as crediting tokens, and the same ones are asked for again and again. */
const MOST_REMEMBERED = 50_000;

const TOKEN_PROGRAM = addressBytes(PROGRAMS.token);

/** Addresses of associated token accounts of the Token program, remembered. Seeds: owner, token program, mint. */
export class TokenAddresses {
  readonly #byOwner = new Map<Address, OfOwner>();
  #remembered = 0;

  of(owner: Address, mint: Address): Address {
    const known = this.#byOwner.get(owner)?.byMint.get(mint);
    return known ?? this.#derive(owner, mint);
  }

  /** The owner's own 32 bytes, as token accounts name their holder. */
  bytesOf(owner: Address): Uint8Array {
    return this.#byOwner.get(owner)?.bytes ?? addressBytes(owner);
  }

  #derive(owner: Address, mint: Address): Address {
    const bytes = this.bytesOf(owner);
    const derived = programAddress(PROGRAMS.associatedToken, [bytes, TOKEN_PROGRAM, addressBytes(mint)]);
    if (this.#remembered >= MOST_REMEMBERED) {
      this.#byOwner.clear();
      this.#remembered = 0;
    }
    let ofOwner = this.#byOwner.get(owner);
    if (ofOwner === undefined) {
      ofOwner = { bytes, byMint: new Map() };
      this.#byOwner.set(owner, ofOwner);
    }
    ofOwner.byMint.set(mint, derived);
    this.#remembered += 1;
    return derived;
  }
}

interface OfOwner {
  readonly bytes: Uint8Array;
  readonly byMint: Map<Address, Address>;
}
