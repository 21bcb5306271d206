import { address, type Address } from '../../../../src/base/solana/address';
import { WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { type AccountSource, balancesOf, lamportChanges, tokenChanges } from '../../../../src/sandbox/chain/balances';
import { keysOf, withLoaded } from '../../../../src/sandbox/chain/lookupTables';
import { LandingError, type ParsedTransaction, parseUnverified, parseVerified } from '../../../../src/sandbox/chain/preflight';
import type { BlockhashLease, ChainAccount, Execution, LoadedTransaction, TransactionErrorJson } from '../../../../src/sandbox/chain/types';
import { SLOTS_PER_EPOCH } from '../../../../src/sandbox/chain/machine';
import { AccountHistory } from './accountHistory';
import { Blockhashes } from './blockhashes';
import { blockHeightOf, blockTimeOf, type ChainTime, FIRST_SLOT } from './chainTime';
import { type Machine, type Run, sameAccount } from './machine';
import type { ChainRecord, Landed, Landing, NodeChain, Result } from './nodeChain';

/** Of Solana's mainnet. */
export const MAINNET_GENESIS_HASH = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';

/** Slots until a transaction is finalized. */
export const SLOTS_TO_FINALITY = 32;

/** Accounts of the VM itself that clients read. */
const OWN_ACCOUNTS = [
  address('SysvarC1ock11111111111111111111111111111111'),
  address('SysvarRent111111111111111111111111111111111'),
  WRAPPED_SOL_MINT,
];

/** Errors of transactions that are in no block: no fee is paid for them. */
const NOT_LANDING: readonly TransactionErrorJson[] = [
  'AccountNotFound',
  'InsufficientFundsForFee',
  'InvalidAccountForFee',
  'SignatureFailure',
  'SanitizeFailure',
  'AccountLoadedTwice',
  'TooManyAccountLocks',
  'AddressLookupTableNotFound',
  'InvalidAddressLookupTableIndex',
];

/** A transaction that the VM has run. */
interface Attempt extends Result {
  readonly transaction: ParsedTransaction;
}

const NO_ACCOUNTS: Run['after'] = new Map();

export interface LittleChainOptions extends ChainTime {
  readonly machine: Machine;
  readonly genesisHash: string;
}

/** A chain of one leader. Its time moves only by {@link advance} and with each transaction. */
export class LittleChain implements NodeChain {
  readonly beganMs: number;
  readonly slotMs: number;
  readonly genesisHash: string;
  /** How many slots later the next transaction lands; with 0 transactions land in the same slot. */
  slotsPerTransaction = 1;
  /** Called with each transaction that lands. */
  onLanded: ((landed: Landed) => void) | undefined = undefined;
  readonly #machine: Machine;
  readonly #accounts = new AccountHistory();
  readonly #blockhashes = new Blockhashes('little mainnet');
  readonly #landed: Landed[] = [];
  readonly #bySignature = new Map<string, Landed>();
  readonly #byAddress = new Map<Address, Landed[]>();
  readonly #messages = new Map<string, Landed>();
  #slot = FIRST_SLOT;

  constructor({ machine, beganMs, slotMs, genesisHash }: LittleChainOptions) {
    this.slotMs = slotMs;
    this.genesisHash = genesisHash;
    this.beganMs = beganMs;
    this.#machine = machine;
    this.advance(0);
  }

  get slot(): number {
    return this.#slot;
  }

  get epoch(): number {
    return Math.floor(this.#slot / SLOTS_PER_EPOCH);
  }

  get transactionCount(): number {
    return this.#landed.length;
  }

  /** Block height in a slot. */
  blockHeight(slot = this.#slot): number {
    return blockHeightOf(slot);
  }

  /** Time of a slot, seconds since 1970. */
  blockTime(slot = this.#slot): number {
    return blockTimeOf(this, slot);
  }

  /** Lets slots pass until a time, milliseconds since 1970. */
  advanceTo(nowMs: number): void {
    this.advance(Math.max(0, Math.floor((nowMs - this.beganMs) / this.slotMs) + FIRST_SLOT - this.#slot));
  }

  /** Lets slots pass. */
  advance(slots: number): void {
    this.#slot += slots;
    this.#machine.setClock(this.#slot, this.blockTime(), this.slotMs);
  }

  latestBlockhash(slot = this.#slot): BlockhashLease {
    return this.#blockhashes.of(this.blockHeight(slot));
  }

  isBlockhashValid(blockhash: string, slot = this.#slot): boolean {
    return this.#blockhashes.isValid(blockhash, this.blockHeight(slot));
  }

  minimumBalance(bytes: number): bigint {
    return this.#machine.minimumBalance(bytes);
  }

  /** The account at the end of a slot, programs and sysvars included; `undefined` if there is none. */
  account(of: Address, slot = this.#slot): Readonly<ChainAccount> | undefined {
    return this.#accounts.has(of) ? this.#accounts.at(of, slot) : this.#machine.read(of);
  }

  programAccounts(program: Address, slot = this.#slot): readonly (readonly [Address, Readonly<ChainAccount>])[] {
    return this.#accounts.ofProgram(program, slot);
  }

  /** Writes an account as it is, without any transaction: for what is there from the beginning. */
  put(of: Address, account: Readonly<ChainAccount> | undefined): void {
    this.#machine.write(of, account);
    this.#accounts.put(of, this.#slot, account);
  }

  /** The chain as it is now. */
  record(): ChainRecord {
    const { beganMs, slotMs, genesisHash, slot } = this;
    const own = OWN_ACCOUNTS.flatMap((of) => {
      const account = this.#machine.read(of);
      return account === undefined ? [] : [[of, account] as const];
    });
    return { beganMs, slotMs, genesisHash, slot, accounts: [...own, ...this.#accounts.all(slot)], landed: [...this.#landed] };
  }

  find(signature: string): Landed | undefined {
    return this.#bySignature.get(signature);
  }

  /** Transactions that name the account, oldest first. */
  transactionsOf(address: Address): readonly Landed[] {
    return this.#byAddress.get(address) ?? [];
  }

  /**
   * Hands a transaction to the leader.
   * @throws LandingError if it is malformed or not fully signed
   */
  land(bytes: Uint8Array): Landing {
    const attempt = this.#attempt(bytes, NO_ACCOUNTS);
    if ('dropped' in attempt) {
      return { kind: 'dropped', error: attempt.dropped };
    }
    if (attempt.error !== null && NOT_LANDING.includes(attempt.error)) {
      this.#restore(attempt.after.keys());
      return { kind: 'dropped', error: attempt.error };
    }
    const transaction = this.#commit(attempt);
    this.advance(this.slotsPerTransaction);
    return { kind: 'landed', transaction };
  }

  /**
   * Lands transactions in one slot, in their order, all or none.
   * @returns what landed, or the error of the first that did not succeed
   * @throws LandingError if one is malformed or not fully signed
   */
  landBundle(
    transactions: readonly Uint8Array[],
  ): readonly Landed[] | { readonly transaction: number; readonly error: TransactionErrorJson } {
    const changed = new Map<Address, Readonly<ChainAccount> | undefined>();
    const attempts: Attempt[] = [];
    for (const [transaction, bytes] of transactions.entries()) {
      const attempt = this.#attempt(bytes, changed);
      const error = 'dropped' in attempt ? attempt.dropped : attempt.error;
      if ('after' in attempt) {
        attempt.after.forEach((account, address) => changed.set(address, account));
      }
      if ('dropped' in attempt || error !== null) {
        this.#restore(changed.keys());
        return { transaction, error: error ?? '' };
      }
      attempts.push(attempt);
    }
    const landed = attempts.map((attempt) => this.#commit(attempt));
    this.advance(this.slotsPerTransaction);
    return landed;
  }

  /**
   * Runs a transaction on the accounts of a slot, and changes nothing.
   * @throws LandingError if it is malformed, or with `checkSignatures` not fully signed
   */
  simulate(
    bytes: Uint8Array,
    {
      checkSignatures,
      replaceBlockhash,
      slot,
    }: { readonly checkSignatures: boolean; readonly replaceBlockhash: boolean; readonly slot: number },
  ): Result {
    const parsed = checkSignatures ? parseVerified(bytes, 0) : parseUnverified(bytes, 0);
    const refused = this.#refusal(parsed, slot, replaceBlockhash);
    if (refused !== undefined) {
      return { error: refused, execution: nothing(), after: new Map() };
    }
    const transaction = this.#resolved(parsed, slot);
    if (transaction instanceof LandingError) {
      return { error: transaction.verdict.error, execution: nothing(), after: new Map() };
    }
    const keys = keysOf(transaction.wire);
    const older = slot === this.#slot ? [] : keys.filter((key) => this.account(key, slot) !== this.account(key));
    for (const key of older) {
      this.#machine.write(key, this.account(key, slot));
    }
    const result = this.#execute(transaction.bytes, transaction.wire, slot, false);
    this.#restore([...older, ...result.after.keys()]);
    return result;
  }

  /**
   * Lets the network leave the branch of the last slots: transactions in them are gone, as if they had never landed, and may land again.
   * @returns the signatures that are gone
   */
  fork(slots: number): readonly string[] {
    const lastSlot = this.#slot - slots - 1;
    for (const [address, account] of this.#accounts.rollBack(lastSlot)) {
      this.#machine.write(address, account);
    }
    const gone = this.#landed.filter(({ slot }) => slot > lastSlot);
    const without = (list: Landed[]): void => {
      list.splice(0, list.length, ...list.filter((landed) => !gone.includes(landed)));
    };
    without(this.#landed);
    [...this.#byAddress.values()].forEach(without);
    gone.forEach(({ signature }) => this.#bySignature.delete(signature));
    [...this.#messages].filter(([, landed]) => gone.includes(landed)).forEach(([hash]) => this.#messages.delete(hash));
    return gone.map(({ signature }) => signature);
  }

  /** Runs a transaction in the VM, which stores its changes. @param changed accounts of transactions before it that are not on the chain yet */
  #attempt(bytes: Uint8Array, changed: Run['after']): Attempt | { readonly dropped: TransactionErrorJson } {
    const parsed = parseVerified(bytes, 0);
    const refused = this.#refusal(parsed, this.#slot);
    if (refused !== undefined) {
      return { dropped: refused };
    }
    const transaction = this.#resolved(parsed, this.#slot);
    return transaction instanceof LandingError
      ? { dropped: transaction.verdict.error }
      : { ...this.#execute(transaction.bytes, transaction.wire, this.#slot, true, changed), transaction };
  }

  /** Stores the changes of a transaction on the chain. */
  #commit({ transaction: { signature, bytes, messageHash }, execution, error, after }: Attempt): Landed {
    const landed: Landed = { signature, slot: this.#slot, blockTime: this.blockTime(), bytes, execution, error };
    for (const [address, account] of after) {
      if (account?.executable !== true && !sameAccount(this.#accounts.at(address, this.#slot), account)) {
        this.#accounts.put(address, this.#slot, account);
      }
    }
    this.#record(landed, messageHash);
    this.onLanded?.(landed);
    return landed;
  }

  /** Why no block can contain the transaction, whatever its instructions do. */
  #refusal({ wire, messageHash: hash }: ParsedTransaction, slot: number, anyBlockhash = false): TransactionErrorJson | undefined {
    if (!anyBlockhash && !this.isBlockhashValid(wire.recentBlockhash, slot)) {
      return 'BlockhashNotFound';
    }
    const before = this.#messages.get(hash);
    return before !== undefined && before.slot <= slot ? 'AlreadyProcessed' : undefined;
  }

  /** The transaction with the addresses of its lookup tables. */
  #resolved(parsed: ParsedTransaction, slot: number): ParsedTransaction | LandingError {
    try {
      return { ...parsed, wire: withLoaded(parsed.wire, 0, slot, (of) => this.account(of, slot)) };
    } catch (error) {
      if (error instanceof LandingError) {
        return error;
      }
      throw error;
    }
  }

  #execute(bytes: Uint8Array, wire: LoadedTransaction, slot: number, checkSignatures: boolean, changed = NO_ACCOUNTS): Result {
    const keys = keysOf(wire);
    const sourceOf = (account: AccountSource['account']): AccountSource => ({ kept: account, otherLamports: () => 0n, account });
    const source = sourceOf((of) => (changed.has(of) ? changed.get(of) : this.account(of, slot)));
    const before = balancesOf(keys, source);
    const { after, error, computeUnits, logs, inner } = this.#machine.run(bytes, wire, checkSignatures);
    const result = sourceOf((of) => (after.has(of) ? after.get(of) : source.account(of)));
    const balances = balancesOf(keys, result);
    const lamports = lamportChanges(keys, before, balances);
    return {
      error,
      after,
      execution: {
        // Only the fee destroys lamports in the VM.
        feeLamports: lamports.reduce((sum, change) => sum + change.before - change.after, 0n),
        computeUnits,
        logs,
        inner,
        loaded: wire.loaded,
        lamports,
        tokens: tokenChanges(keys, before, balances, result),
      },
    };
  }

  /** Brings accounts of the VM back to the present of the chain. */
  #restore(addresses: Iterable<Address>): void {
    for (const address of addresses) {
      if (this.#accounts.has(address)) {
        this.#machine.write(address, this.#accounts.at(address, this.#slot));
      } else if (this.#machine.read(address)?.executable === false) {
        this.#machine.write(address, undefined);
      }
    }
  }

  #record(landed: Landed, hash: string): void {
    this.#landed.push(landed);
    this.#bySignature.set(landed.signature, landed);
    this.#messages.set(hash, landed);
    for (const { address } of landed.execution.lamports) {
      const list = this.#byAddress.get(address) ?? [];
      list.push(landed);
      this.#byAddress.set(address, list);
    }
  }
}

/** The execution of a transaction that is refused before it runs. */
function nothing(): Execution {
  return { feeLamports: 0n, computeUnits: 0n, logs: [], inner: [], loaded: undefined, lamports: [], tokens: [] };
}

/** The first signature of a transaction, base58: known before it is sent. */
export function signatureOf(bytes: Uint8Array): string {
  return parseUnverified(bytes, 0).signature;
}
