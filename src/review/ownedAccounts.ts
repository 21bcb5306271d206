import * as l10n from '@vscode/l10n';
import type { Address } from '../base/solana/address';
import { associatedTokenAddress, dammPosition, dammPositionNftAccount } from '../base/solana/pda';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../base/solana/programs';
import { addressArgument, addressIn, type DecodedCall, integerIn, isInstruction, type ReadTransaction } from './decode/instructions';
import type { TokenAccountFact } from './facts/facts';

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
    return this.once(l10n.t`position ${nftMint}`, () => dammPosition(nftMint));
  }

  /** The token account that holds the NFT of a DAMM v2 position. */
  dammPositionNftAccount(nftMint: Address): Address {
    return this.once(l10n.t`nft account ${nftMint}`, () => dammPositionNftAccount(nftMint));
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

/** Bytes of a token account. */
const TOKEN_ACCOUNT_BYTES = 165n;

/**
 * Gives the accounts that the transaction makes for wrapped SOL and closes again (SYS-4): created for the Token program
 * with 165 bytes, initialized by the very next instruction with wrapped SOL and the owner, closed to the owner later on. Before
 * and after that nothing may name the account: whoever has its key could take what is sent to it once it is closed.
 */
export function temporaryWrappedSol(transaction: ReadTransaction, owner: Address): ReadonlySet<Address> {
  const { readings } = transaction;
  return new Set(
    readings.flatMap((created, place) => {
      const account = createdTokenAccount(created);
      const next = readings[place + 1];
      if (account === undefined || next === undefined || !isInitializedFor(next, account, owner)) {
        return [];
      }
      const named = readings.filter((reading) => reading.view.accounts.some(({ address }) => address === account));
      const last = named.at(-1);
      return named[0] === created && last !== undefined && last.index > next.index && isClosedTo(last, account, owner) ? [account] : [];
    }),
  );
}

function createdTokenAccount(reading: DecodedCall): Address | undefined {
  const fits =
    isInstruction(reading, PROGRAMS.system, 'create_account', 'create_account_with_seed') &&
    addressArgument(reading.args, 'owner') === PROGRAMS.token &&
    integerIn(reading.args, 'space') === TOKEN_ACCOUNT_BYTES;
  return fits ? addressIn(reading, 'account') : undefined;
}

function isInitializedFor(reading: DecodedCall, account: Address, owner: Address): boolean {
  if (!isInstruction(reading, PROGRAMS.token, 'initialize_account', 'initialize_account2', 'initialize_account3')) {
    return false;
  }
  const holder = addressIn(reading, 'owner') ?? addressArgument(reading.args, 'owner');
  return (
    reading.args !== undefined &&
    addressIn(reading, 'account') === account &&
    addressIn(reading, 'mint') === WRAPPED_SOL_MINT &&
    holder === owner
  );
}

function isClosedTo(reading: DecodedCall, account: Address, owner: Address): boolean {
  return (
    isInstruction(reading, PROGRAMS.token, 'close_account') &&
    reading.args !== undefined &&
    addressIn(reading, 'account') === account &&
    addressIn(reading, 'destination') === owner
  );
}

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
 * Which token accounts are the owner's (policy §5, OWNED, and amendment A2). Two questions with two answers:
 *
 * - Money may go to {@link mintOf associated accounts} only. Such an address can hold nothing but an account that the associated token
 *   account program makes for the owner, so that it cannot be replaced. Any other address has a maker who may hold its key: as soon as
 *   the account is closed (by a close authority, or by any transaction that the owner has signed elsewhere), the maker makes it again
 *   as their own. What an RPC says of such an account describes one moment and cannot rule that out: it never makes an account the
 *   owner's.
 * - What must be {@link heldMintOf protected} is, besides these, every account that an RPC says is the owner's.
 *
 * An RPC that says that an associated account belongs to somebody else is believed. Derives addresses when first asked, because that
 * takes a while.
 */
export class OwnedAccounts {
  private accounts: ReadonlyMap<Address, Associated> | undefined;
  private readonly asked = new Set<Address>();

  constructor(private readonly known: Known) {}

  /** Accounts that a rule has asked for and of which no RPC has said anything. */
  get unknown(): readonly Address[] {
    return [...this.asked].filter((account) => !this.known.facts.has(account));
  }

  /** Gives the mint of a token account that money may go to; `undefined` for any other account. */
  mintOf(account: Address): Address | undefined {
    const fact = this.known.facts.get(account);
    const isTaken = fact !== undefined && (fact.owner !== this.known.owner || fact.state === 'uninitialized');
    // The mint of an associated account is part of its address, and never changes.
    return isTaken ? undefined : this.find(account)?.mint;
  }

  /** The same, and remembers that an RPC could say more of the account. */
  askedMintOf(account: Address): Address | undefined {
    this.asked.add(account);
    return this.mintOf(account);
  }

  /**
   * Gives the mint of an account whose tokens may be the owner's, by its address or by what an RPC says; `undefined` for any other
   * account. For rules that protect what is in it: it does not say that money may go there.
   */
  heldMintOf(account: Address): Address | undefined {
    const fact = this.known.facts.get(account);
    return this.find(account)?.mint ?? (fact?.owner === this.known.owner ? fact.mint : undefined);
  }

  /** Says whether the account is the owner's associated one of any mint that the operation names, whatever an RPC says of it. */
  isAssociatedByAddress(account: Address): boolean {
    return this.find(account) !== undefined;
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
    const kinds = [
      { mint: WRAPPED_SOL_MINT, tokenProgram: PROGRAMS.token },
      ...mints.flatMap((mint) => TOKEN_PROGRAMS.map((tokenProgram) => ({ mint, tokenProgram }))),
    ];
    return new Map(kinds.map((kind) => [derived.associatedToken(owner, kind.mint, kind.tokenProgram), kind]));
  }
}
