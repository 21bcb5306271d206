import type { Address } from '../solana/address';
import { associatedTokenAddress } from '../solana/derive';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../solana/programs';

const TOKEN_PROGRAMS: readonly Address[] = [PROGRAMS.token, PROGRAMS.token2022];

/**
 * Which token accounts are the owner's, known from their addresses alone (policy §5, OWNED): the associated accounts, in
 * both token programs, of the given mints and of wrapped SOL. A mint that a hostile service names only ever adds another
 * account of the owner. Derives them when first asked, because that takes a while.
 */
export class OwnedAccounts {
  private mints: ReadonlyMap<Address, Address> | undefined;

  constructor(
    private readonly owner: Address,
    private readonly named: Iterable<Address>,
  ) {}

  /** Gives the mint of an associated token account of the owner; `undefined` for any other account. */
  mintOf(account: Address): Address | undefined {
    this.mints ??= this.derived();
    return this.mints.get(account);
  }

  /** Says whether the account is the one that wraps the owner's SOL. */
  isWrappedSol(account: Address): boolean {
    return this.mintOf(account) === WRAPPED_SOL_MINT;
  }

  private derived(): ReadonlyMap<Address, Address> {
    const mints = [...new Set(this.named)].filter((mint) => mint !== WRAPPED_SOL_MINT);
    return new Map([
      [associatedTokenAddress(this.owner, WRAPPED_SOL_MINT), WRAPPED_SOL_MINT],
      ...mints.flatMap((mint) => TOKEN_PROGRAMS.map((program): [Address, Address] => [associatedTokenAddress(this.owner, mint, program), mint])),
    ]);
  }
}
