import type { Address } from '../solana/address';
import { associatedTokenAddress } from '../solana/derive';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../solana/programs';

const TOKEN_PROGRAMS: readonly Address[] = [PROGRAMS.token, PROGRAMS.token2022];

/** Of which mint, and in which token program, an associated account of the owner is. */
interface Associated {
  readonly mint: Address;
  readonly tokenProgram: Address;
}

/**
 * Which token accounts are the owner's, known from their addresses alone (policy §5, OWNED): the associated accounts, in
 * both token programs, of the given mints and of wrapped SOL. A mint that a hostile service names only ever adds another
 * account of the owner. Derives them when first asked, because that takes a while.
 */
export class OwnedAccounts {
  private accounts: ReadonlyMap<Address, Associated> | undefined;

  constructor(
    private readonly owner: Address,
    private readonly named: Iterable<Address>,
  ) {}

  /** Gives the mint of an associated token account of the owner; `undefined` for any other account. */
  mintOf(account: Address): Address | undefined {
    return this.find(account)?.mint;
  }

  /** Says whether the account is known to be the owner's associated one of that mint in that token program. */
  isAssociated(account: Address, mint: Address, tokenProgram: Address): boolean {
    const found = this.find(account);
    return found?.mint === mint && found.tokenProgram === tokenProgram;
  }

  /** Says whether the account is the one that wraps the owner's SOL. */
  isWrappedSol(account: Address): boolean {
    return this.mintOf(account) === WRAPPED_SOL_MINT;
  }

  private find(account: Address): Associated | undefined {
    this.accounts ??= this.derived();
    return this.accounts.get(account);
  }

  private derived(): ReadonlyMap<Address, Associated> {
    const mints = [...new Set(this.named)].filter((mint) => mint !== WRAPPED_SOL_MINT);
    const kinds = [{ mint: WRAPPED_SOL_MINT, tokenProgram: PROGRAMS.token }, ...mints.flatMap((mint) => TOKEN_PROGRAMS.map((tokenProgram) => ({ mint, tokenProgram })))];
    return new Map(kinds.map((kind) => [associatedTokenAddress(this.owner, kind.mint, kind.tokenProgram), kind]));
  }
}
