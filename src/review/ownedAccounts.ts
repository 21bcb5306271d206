import type { Address } from '../solana/address';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../solana/programs';
import type { DerivedAddresses } from './derivedAddresses';
import type { TokenAccountFact } from './facts';

const TOKEN_PROGRAMS: readonly Address[] = [PROGRAMS.token, PROGRAMS.token2022];

/** Accounts of more mints than this are not looked for: no operation names as many, and thousands would take a second. Those of the pool come first. */
const MOST_MINTS = 128;

/** Of which mint, and in which token program, an associated account of the owner is. */
interface Associated {
  readonly mint: Address;
  readonly tokenProgram: Address;
}

/** What is known of the owner's token accounts. */
interface Known {
  readonly owner: Address;
  /** Mints that the operation names. A mint that a hostile service names only ever adds another account of the owner. */
  readonly mints: Iterable<Address>;
  /** What an RPC has said of token accounts. */
  readonly facts: ReadonlyMap<Address, TokenAccountFact>;
  readonly derived: DerivedAddresses;
}

/**
 * Which token accounts are the owner's (policy §5, OWNED): by their addresses the associated accounts, in both token programs, of
 * the given mints and of wrapped SOL; besides them those that an RPC says are. An RPC that says that an associated account is
 * another's now is believed, too. Derives addresses when first asked, because that takes a while.
 */
export class OwnedAccounts {
  private accounts: ReadonlyMap<Address, Associated> | undefined;
  private readonly missing = new Set<Address>();

  constructor(private readonly known: Known) {}

  /** Accounts that a rule has asked for, in vain: only an RPC can say whose they are. */
  get unknown(): ReadonlySet<Address> {
    return this.missing;
  }

  /** Gives the mint of a token account of the owner; `undefined` for any other account. */
  mintOf(account: Address): Address | undefined {
    const fact = this.known.facts.get(account);
    if (fact !== undefined) {
      // Of which mint an associated account is stands in its address, and never changes.
      return fact.owner === this.known.owner ? (this.find(account)?.mint ?? fact.mint) : undefined;
    }
    return this.find(account)?.mint;
  }

  /** The same, and remembers what could not be told without an RPC. */
  askedMintOf(account: Address): Address | undefined {
    const mint = this.mintOf(account);
    if (mint === undefined && !this.known.facts.has(account)) {
      this.missing.add(account);
    }
    return mint;
  }

  /** Says whether the account is known to be the owner's associated one of that mint in that token program. */
  isAssociated(account: Address, mint: Address, tokenProgram: Address): boolean {
    const found = this.find(account);
    return found?.mint === mint && found.tokenProgram === tokenProgram;
  }

  /** Says whether the account is the associated one that wraps the owner's SOL (SYS-1 knows no other). */
  isWrappedSol(account: Address): boolean {
    return this.find(account)?.mint === WRAPPED_SOL_MINT && this.mintOf(account) === WRAPPED_SOL_MINT;
  }

  private find(account: Address): Associated | undefined {
    this.accounts ??= this.derivedAccounts();
    return this.accounts.get(account);
  }

  private derivedAccounts(): ReadonlyMap<Address, Associated> {
    const { owner, derived } = this.known;
    const mints = [...new Set(this.known.mints)].filter((mint) => mint !== WRAPPED_SOL_MINT).slice(0, MOST_MINTS);
    const kinds = [{ mint: WRAPPED_SOL_MINT, tokenProgram: PROGRAMS.token }, ...mints.flatMap((mint) => TOKEN_PROGRAMS.map((tokenProgram) => ({ mint, tokenProgram })))];
    return new Map(kinds.map((kind) => [derived.associatedToken(owner, kind.mint, kind.tokenProgram), kind]));
  }
}
