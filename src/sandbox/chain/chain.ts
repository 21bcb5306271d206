import { Clock, FailedTransactionMetadata, LiteSvm } from 'litesvm/dist/internal.js';
import { addressBytes, type Address } from '../../solana/address';
import { associatedTokenAddress } from '../../solana/derive';
import { JITO_TIP_ACCOUNTS, LAMPORTS_PER_SOL, PROGRAMS, RENT_LAMPORTS, WRAPPED_SOL_MINT } from '../../solana/programs';
import { isWritable } from '../../solana/wire';
import { AccountBook, type AccountContents } from './accountBook';
import { Blockhashes } from './blockhashes';
import { LandedBundles } from './landedBundles';
import { LandingError, nth, readSigned, type SignedTransaction } from './preflight';
import { standInProgram } from './standIn';
import { decodeTokenAccount, encodeMint, encodeTokenAccount, MINT_BYTES, withAmount } from './tokenAccount';
import { EffectError, type ApplyEffects, type BlockhashLease, type BundleResult, type Chain, type ChainOptions, type ChainState } from './types';
import { describeFailure } from './vmError';

/** Length of a slot, milliseconds. */
export const SLOT_MS = 400;

/** The slot of a new chain: of the real one's size, and not before the one in which the VM's programs were deployed. */
const FIRST_SLOT = 450_000_000;

/** How far the block height lies behind the slot, about as on the real chain: whoever takes one for the other finds out. */
const SKIPPED_SLOTS = 21_700_000;

const U64_MAX = 2n ** 64n - 1n;
const MAX_DECIMALS = 255;

/** Programs that are not ours to ship: a program that does nothing is in their place. */
const STOOD_IN_FOR: readonly Address[] = [PROGRAMS.dlmm, PROGRAMS.dammV2, PROGRAMS.jupiterV6];

/**
 * Makes a chain, new or from what `save` gave. On a new one the accounts that take tips exist, as on the real chain: a tip
 * alone would be less than their rent.
 * @throws RangeError or SyntaxError where the state is not one that `save` gave.
 */
export function createChain(options: ChainOptions): Chain {
  return new LiteSvmChain(options);
}

class LiteSvmChain implements Chain {
  private readonly vm = makeVm();
  private readonly accounts = new AccountBook(this.vm);
  private readonly blockhashes: Blockhashes;
  private readonly landed: LandedBundles;
  private currentSlot: number;
  /** When the current slot began, milliseconds since 1970. */
  private slotBegan: number;
  private landing = false;

  constructor({ now, random, state }: ChainOptions) {
    this.currentSlot = state?.slot ?? FIRST_SLOT;
    this.slotBegan = state?.savedAt ?? now;
    this.blockhashes = new Blockhashes(random, state?.blockhashes ?? []);
    this.landed = new LandedBundles(state?.landed ?? []);
    if (state === undefined) {
      JITO_TIP_ACCOUNTS.forEach((of) => this.setLamports(of, LAMPORTS_PER_SOL));
    } else {
      this.accounts.restore(state.accounts);
    }
    this.setClock();
    this.advance(now);
  }

  get slot(): number {
    return this.currentSlot;
  }

  get blockHeight(): number {
    return this.currentSlot - SKIPPED_SLOTS;
  }

  advance(now: number): void {
    const slots = Math.floor((now - this.slotBegan) / SLOT_MS);
    if (slots > 0) {
      this.currentSlot += slots;
      this.slotBegan += slots * SLOT_MS;
      this.setClock();
    }
  }

  latestBlockhash(): BlockhashLease {
    return this.blockhashes.latest(this.blockHeight);
  }

  createMint(mint: Address, decimals: number): void {
    if (!Number.isInteger(decimals) || decimals < 0 || decimals > MAX_DECIMALS) {
      throw new RangeError(`A mint has 0 to ${MAX_DECIMALS} decimals, not ${decimals}`);
    }
    if (!this.hasAccount(mint)) {
      this.accounts.set(mint, ownedBy(PROGRAMS.token, this.rent(MINT_BYTES), encodeMint(decimals)));
    }
  }

  setLamports(of: Address, lamports: bigint): void {
    if (lamports < 0n || lamports > U64_MAX) {
      throw new EffectError(`${of} has ${this.lamports(of)} lamports, which is not enough`);
    }
    const { owner, data, executable } = this.accounts.get(of) ?? ownedBy(PROGRAMS.system, 0n, new Uint8Array());
    this.accounts.set(of, { lamports, owner, data, executable });
  }

  lamports(of: Address): bigint {
    return this.accounts.lamports(of);
  }

  tokenBalance(owner: Address, mint: Address): bigint {
    return this.tokenAccount(associatedTokenAddress(owner, mint))?.amountRaw ?? 0n;
  }

  credit(owner: Address, mint: Address, amountRaw: bigint): void {
    const at = associatedTokenAddress(owner, mint);
    const before = this.tokenAccount(at);
    const amount = (before?.amountRaw ?? 0n) + amountRaw;
    if (amount < 0n || amount > U64_MAX) {
      throw new EffectError(`${owner} holds ${before?.amountRaw ?? 0n} of ${mint} (raw), which is not enough for ${-amountRaw}`);
    }
    const rent = RENT_LAMPORTS.tokenAccount;
    const contents = before?.contents ?? ownedBy(PROGRAMS.token, this.lamports(at) + rent, encodeTokenAccount({ mint, owner, amountRaw: 0n }, rent));
    const lamports = contents.lamports + (mint === WRAPPED_SOL_MINT ? amountRaw : 0n);
    this.accounts.set(at, { ...contents, lamports, data: withAmount(contents.data, amount) });
  }

  hasAccount(of: Address): boolean {
    return this.accounts.get(of) !== undefined;
  }

  setProgramAccount(of: Address, account: { readonly owner: Address; readonly lamports: bigint; readonly data: Uint8Array } | undefined): void {
    this.accounts.set(of, account === undefined ? undefined : ownedBy(account.owner, account.lamports, account.data));
  }

  land(transactions: readonly Uint8Array[], applyEffects: ApplyEffects): BundleResult {
    if (this.landing) {
      throw new Error('A bundle cannot land while another one does');
    }
    this.landing = true;
    try {
      return this.landChecked(transactions.map(readSigned), applyEffects);
    } catch (error) {
      if (error instanceof LandingError) {
        return { kind: 'failed', transaction: error.transaction, reason: error.message };
      }
      throw error;
    } finally {
      this.landing = false;
    }
  }

  save(): ChainState {
    return {
      accounts: this.accounts.save(),
      slot: this.currentSlot,
      savedAt: this.slotBegan,
      blockhashes: this.blockhashes.save(),
      landed: this.landed.save(),
    };
  }

  private landChecked(bundle: readonly SignedTransaction[], applyEffects: ApplyEffects): BundleResult {
    if (bundle.length === 0) {
      throw new LandingError(0, 'There is no transaction to land');
    }
    const messageHashes = bundle.map((transaction) => transaction.messageHash);
    const before = this.landed.find(messageHashes);
    if (before !== undefined) {
      return { kind: 'landed', signatures: before, feeLamports: 0n };
    }
    bundle.forEach((transaction, index) => this.checkTimely(transaction, index));
    this.checkNew(messageHashes);

    const feeLamports = this.run(bundle, applyEffects);
    const signatures = bundle.map((transaction) => transaction.signature);
    this.landed.record(messageHashes, signatures);
    return { kind: 'landed', signatures, feeLamports };
  }

  private checkTimely({ wire }: SignedTransaction, index: number): void {
    const lastValid = this.blockhashes.lastValidBlockHeight(wire.recentBlockhash);
    if (lastValid === undefined) {
      throw new LandingError(index, `${nth(index)} has a blockhash that is not known: ${wire.recentBlockhash}`);
    }
    if (this.blockHeight > lastValid) {
      throw new LandingError(index, `${nth(index)}: blockhash expired: block height ${this.blockHeight} is past ${lastValid}`);
    }
  }

  private checkNew(messageHashes: readonly string[]): void {
    messageHashes.forEach((hash, index) => {
      if (this.landed.has(hash)) {
        throw new LandingError(index, `${nth(index)} has landed before, in another bundle`);
      }
      if (messageHashes.indexOf(hash) !== index) {
        throw new LandingError(index, `${nth(index)} is in the bundle twice`);
      }
    });
  }

  /** Runs all transactions with their effects, or none; gives the fees. */
  private run(bundle: readonly SignedTransaction[], applyEffects: ApplyEffects): bigint {
    this.accounts.begin();
    try {
      let feeLamports = 0n;
      bundle.forEach((transaction, index) => {
        feeLamports += this.execute(transaction, index);
        this.applyOne(transaction, index, applyEffects);
      });
      this.accounts.commit();
      return feeLamports;
    } catch (error) {
      this.accounts.rollBack();
      throw error;
    }
  }

  /** Shows a transaction to the VM. The fee is what is missing afterwards: nothing else makes or destroys lamports. */
  private execute({ bytes, wire }: SignedTransaction, index: number): bigint {
    wire.staticKeys.filter((_, key) => isWritable(wire, key)).forEach((key) => this.accounts.remember(key));
    const total = (): bigint => wire.staticKeys.reduce((sum, key) => sum + this.lamports(key), 0n);
    const before = total();
    const outcome = this.vm.sendVersionedTransaction(bytes);
    if (outcome instanceof FailedTransactionMetadata) {
      throw new LandingError(index, `${nth(index)} failed: ${describeFailure(outcome, wire)}`);
    }
    return before - total();
  }

  private applyOne({ wire }: SignedTransaction, index: number, applyEffects: ApplyEffects): void {
    try {
      applyEffects(wire, index);
    } catch (error) {
      if (error instanceof EffectError) {
        throw new LandingError(index, `${nth(index)} failed: ${error.message}`, { cause: error });
      }
      throw error;
    }
  }

  private tokenAccount(at: Address): { readonly amountRaw: bigint; readonly contents: AccountContents } | undefined {
    const contents = this.accounts.get(at);
    const decoded = contents?.owner === PROGRAMS.token ? decodeTokenAccount(contents.data) : undefined;
    return contents === undefined || decoded === undefined ? undefined : { amountRaw: decoded.amountRaw, contents };
  }

  private rent(dataBytes: number): bigint {
    return this.vm.minimumBalanceForRentExemption(BigInt(dataBytes));
  }

  private setClock(): void {
    const { epochStartTimestamp, epoch, leaderScheduleEpoch } = this.vm.getClock();
    const unixSeconds = BigInt(Math.floor(this.slotBegan / 1_000));
    this.vm.setClock(new Clock(BigInt(this.currentSlot), epochStartTimestamp, epoch, leaderScheduleEpoch, unixSeconds));
  }
}

/** The VM itself. Blockhashes and duplicates are checked here and not there: it knows one blockhash and 32 transactions. */
function makeVm(): LiteSvm {
  const vm = new LiteSvm();
  vm.withNativeMints();
  vm.setSigverify(true);
  vm.setBlockhashCheck(false);
  vm.setTransactionHistory(0n);
  const program = standInProgram();
  for (const programId of STOOD_IN_FOR) {
    vm.addProgram(addressBytes(programId), program);
  }
  return vm;
}

function ownedBy(owner: Address, lamports: bigint, data: Uint8Array): AccountContents {
  return { lamports, owner, data: new Uint8Array(data), executable: false };
}
