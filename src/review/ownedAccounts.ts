import type { Address } from '../base/solana/address';
import { associatedTokenAddress, dammPosition, dammPositionNftAccount } from '../base/solana/pda';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../base/solana/programs';
import { TOKEN_ACCOUNT } from '../base/solana/tokenAccount';
import {
  addressArgument,
  addressIn,
  type DecodedCall,
  integerAt,
  isInstruction,
  type ReadTransaction,
  staticAddressIn,
} from './decode/instructions';
import type { TokenAccountFact } from './facts/facts';

/** The maximum number of addresses that one review derives. Operations in the sandbox tests, wide positions included, need at most 10. */
export const MOST_DERIVED = 1_024;

/**
 * Derives addresses, each once and at most {@link MOST_DERIVED} for a review: deriving takes longer than everything else in the rules, and a hostile
 * service can name thousands of accounts. Addresses beyond the limit are `undefined`, and {@link isIncomplete} makes the review block (BND-1).
 */
export class DerivedAddresses {
  readonly #known = new Map<string, Address>();
  #isIncomplete = false;

  /** Whether an address was not derived. No rule has verified it then. */
  get isIncomplete(): boolean {
    return this.#isIncomplete;
  }

  /** The associated token account of any wallet. */
  associatedToken(wallet: Address, mint: Address, tokenProgram: Address): Address | undefined {
    return this.#once(`${wallet} ${mint} ${tokenProgram}`, () => associatedTokenAddress(wallet, mint, tokenProgram));
  }

  /** The DAMM v2 position of an NFT mint. */
  dammPosition(nftMint: Address): Address | undefined {
    return this.#once(`position ${nftMint}`, () => dammPosition(nftMint));
  }

  /** The token account that holds the NFT of a DAMM v2 position. */
  dammPositionNftAccount(nftMint: Address): Address | undefined {
    return this.#once(`nft account ${nftMint}`, () => dammPositionNftAccount(nftMint));
  }

  #once(key: string, derive: () => Address): Address | undefined {
    const known = this.#known.get(key);
    if (known !== undefined) {
      return known;
    }
    if (this.#known.size >= MOST_DERIVED) {
      this.#isIncomplete = true;
      return undefined;
    }
    const derived = derive();
    this.#known.set(key, derived);
    return derived;
  }
}

/**
 * Returns the temporary accounts that the transaction creates for wrapped SOL and closes (SYS-4): created for the Token program with 165
 * bytes, initialized by the very next instruction for wrapped SOL and the owner, and closed to the owner later. No instruction before or
 * after may name the account: the holder of its key could take what is sent to it once it is closed.
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
    integerAt(reading.args, 'space') === BigInt(TOKEN_ACCOUNT.bytes);
  return fits ? staticAddressIn(reading, 'account') : undefined;
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

/** The maximum number of mints whose accounts are derived: no operation names as many, and thousands would take a second. The pool's come first. */
const MOST_MINTS = 128;

/** The mint and the token program of one of the owner's associated token accounts. */
interface Associated {
  readonly mint: Address;
  readonly tokenProgram: Address;
}

/** The inputs of {@link OwnedAccounts}. */
interface Known {
  readonly owner: Address;
  /** Mints that the operation names. A mint that a hostile service adds can only add another account of the owner. */
  readonly mints: Iterable<Address>;
  /** The RPC's answers about token accounts. */
  readonly facts: ReadonlyMap<Address, TokenAccountFact>;
  readonly derived: DerivedAddresses;
}

/**
 * Answers which token accounts are the owner's:
 *
 * - Money may go only to {@link mintOf associated token accounts}. Such an address can hold only an account that the associated token
 *   account program creates for the owner, so it cannot be replaced. Any other address has a creator who may hold its key: once the account
 *   is closed (by a close authority, or by any transaction that the owner signed elsewhere), the creator can create it again as their own.
 *   An RPC's answer describes one point in time and cannot rule that out, so it never makes an account the owner's.
 * - In addition, every account that an RPC says is the owner's must be {@link heldMintOf protected}.
 *
 * If an RPC says that an associated token account belongs to another wallet, it is believed. Addresses are derived on the first call,
 * because that takes a while.
 */
export class OwnedAccounts {
  #accounts: ReadonlyMap<Address, Associated> | undefined;
  readonly #asked = new Set<Address>();

  readonly #known: Known;

  constructor(known: Known) {
    this.#known = known;
  }

  /** Accounts that a rule asked about and no RPC has answered for. */
  get unknown(): readonly Address[] {
    return [...this.#asked].filter((account) => !this.#known.facts.has(account));
  }

  /** Returns the mint of a token account that money may go to; `undefined` for any other account. */
  mintOf(account: Address): Address | undefined {
    const fact = this.#known.facts.get(account);
    const isTaken = fact !== undefined && (fact.owner !== this.#known.owner || fact.state === 'uninitialized');
    // The mint of an associated account is part of its address, and never changes.
    return isTaken ? undefined : this.#find(account)?.mint;
  }

  /** The same, and records that an RPC could say more about the account. */
  askedMintOf(account: Address): Address | undefined {
    this.#asked.add(account);
    return this.mintOf(account);
  }

  /**
   * Returns the mint of an account whose tokens may be the owner's, by its address or by an RPC's answer; `undefined` for any other account.
   * For rules that protect its tokens: it does not mean that money may go there.
   */
  heldMintOf(account: Address): Address | undefined {
    const fact = this.#known.facts.get(account);
    return this.#find(account)?.mint ?? (fact?.owner === this.#known.owner ? fact.mint : undefined);
  }

  /** Returns whether the account is the owner's associated token account for any mint that the operation names, whatever an RPC says. */
  isAssociatedByAddress(account: Address): boolean {
    return this.#find(account) !== undefined;
  }

  /** Returns whether the account is the owner's associated token account for that mint and token program. */
  isAssociated(account: Address, mint: Address, tokenProgram: Address): boolean {
    const found = this.#find(account);
    return found?.mint === mint && found.tokenProgram === tokenProgram;
  }

  /** Returns whether the account is the owner's associated token account for wrapped SOL (the only one that SYS-1 accepts). */
  isWrappedSol(account: Address): boolean {
    return this.#find(account)?.mint === WRAPPED_SOL_MINT && this.mintOf(account) === WRAPPED_SOL_MINT;
  }

  #find(account: Address): Associated | undefined {
    this.#accounts ??= this.#derivedAccounts();
    return this.#accounts.get(account);
  }

  #derivedAccounts(): ReadonlyMap<Address, Associated> {
    const { owner, derived } = this.#known;
    const mints = [...new Set(this.#known.mints)].filter((mint) => mint !== WRAPPED_SOL_MINT).slice(0, MOST_MINTS);
    const kinds = [
      { mint: WRAPPED_SOL_MINT, tokenProgram: PROGRAMS.token },
      ...mints.flatMap((mint) => TOKEN_PROGRAMS.map((tokenProgram) => ({ mint, tokenProgram }))),
    ];
    return new Map(
      kinds.flatMap((kind) => {
        const account = derived.associatedToken(owner, kind.mint, kind.tokenProgram);
        return account === undefined ? [] : [[account, kind]];
      }),
    );
  }
}
