import { Buffer } from 'node:buffer';
import bs58 from 'bs58';
import type { Address } from '../../base/solana/address';
import { JITO_TIP_ACCOUNTS, LAMPORTS_PER_SIGNATURE, LAMPORTS_PER_SOL } from '../../base/solana/programs';
import type { Database } from '../store/database';
import type { UnitOfWork } from '../store/unitOfWork';
import { type AccountSource, balancesOf, lamportChanges, tokenChanges } from './balances';
import { Blockhashes, chainRent, ChainStateCell } from './chainState';
import { LandedTransactions, type NewlyLanded } from './landedTransactions';
import { AccountLedger, openAccounts, tokenAccountsIn } from './ledger';
import { keysOf, withLoaded } from './lookupTables';
import { VirtualMachine, type Outcome, SLOT_MS } from './machine';
import {
  airdropTransaction,
  LandingError,
  nth,
  parseVerified,
  type ParsedTransaction,
  parseUnverified,
  type TransactionFailure,
  withBlockhash,
} from './preflight';
import { continued, stagesOf } from './stages';
import { STAND_IN_PROGRAMS } from './standIns';
import {
  type ApplyEffects,
  type BlockhashLease,
  type BundleResult,
  type BundleStep,
  type BundleTerms,
  type Chain,
  type ChainAccount,
  type ChainOptions,
  EffectError,
  type GenesisBalance,
  type Execution,
  type ExecutedTransaction,
  type LoadedTransaction,
  type SimulatedExecution,
  type SimulationTerms,
} from './types';

/** First slot of a new chain: as large as on mainnet, and after the slot in which the programs of the VM were deployed. */
const FIRST_SLOT = 450_000_000;

/** Difference between slot and block height, about as on mainnet, so that a client that confuses the two fails. */
const SKIPPED_SLOTS = 21_700_000;

const HASH_BYTES = 32;
const SIGNATURE_BYTES = 64;
const MEMO_BYTES = 8;

/** Opens the chain of the database, or creates one without lamports; see `Chain.genesis`. */
export function createChain(options: ChainOptions): Chain {
  return new LiteSvmChain(options);
}

class LiteSvmChain extends AccountLedger implements Chain {
  readonly #database: Database;
  readonly #unit: UnitOfWork;
  readonly #random: (byteCount: number) => Uint8Array;
  readonly #state: ChainStateCell;
  readonly #blockhashes: Blockhashes;
  readonly #landed: LandedTransactions;
  readonly #machine: VirtualMachine;
  slotMs: number;
  readonly #source: AccountSource = {
    kept: (of) => this.accounts.get(of),
    otherLamports: (of) => this.#machine.builtInLamports(of),
    account: (of) => this.account(of),
  };

  constructor({ database, unit, now, random, slotMs = SLOT_MS, rent }: ChainOptions) {
    super(openAccounts(database), chainRent(database, rent));
    this.slotMs = slotMs;
    this.#database = database;
    this.#unit = unit;
    this.#random = random;
    this.#state = new ChainStateCell(database, () => ({
      slot: FIRST_SLOT,
      slotBegan: now,
      feesBurntLamports: 0n,
      genesisLamports: 0n,
      genesisHash: bs58.encode(random(HASH_BYTES)),
      transactionCount: 0,
      rentLamportsPerByte: this.rent.lamportsPerByte,
    }));
    this.#blockhashes = new Blockhashes(database, random);
    this.#landed = new LandedTransactions(database);
    this.#machine = new VirtualMachine(this.accounts, this.rent);
    unit.enlist(this.accounts, this.#state.set, this.#blockhashes, this.#landed);
    this.advance(now);
  }

  get slot(): number {
    return this.#state.value.slot;
  }

  get blockHeight(): number {
    return this.slot - SKIPPED_SLOTS;
  }

  get genesisHash(): string {
    return this.#state.value.genesisHash;
  }

  get genesisLamports(): bigint {
    return this.#state.value.genesisLamports;
  }

  get feesBurntLamports(): bigint {
    return this.#state.value.feesBurntLamports;
  }

  get transactionCount(): number {
    return this.#state.value.transactionCount;
  }

  genesis(endowments: readonly GenesisBalance[]): void {
    if (this.genesisLamports > 0n) {
      throw new RangeError('The chain has begun already');
    }
    const tips = JITO_TIP_ACCOUNTS.map((address) => ({ address, lamports: LAMPORTS_PER_SOL }));
    for (const { address, lamports } of [...tips, ...endowments]) {
      this.setLamports(address, this.lamports(address) + lamports);
      this.#state.edit().genesisLamports += lamports;
    }
  }

  advance(now: number): void {
    // Counted from the stored slot, never from genesis: another slot length changes only the slots to come.
    const { slotBegan } = this.#state.value;
    const slots = Math.floor((now - slotBegan) / this.slotMs);
    if (slots > 0) {
      const state = this.#state.edit();
      state.slot += slots;
      state.slotBegan += slots * this.slotMs;
    }
  }

  latestBlockhash(): BlockhashLease {
    return this.#blockhashes.latest(this.blockHeight);
  }

  isBlockhashValid(blockhash: string): boolean {
    return this.blockHeight <= (this.#blockhashes.lastValidBlockHeight(blockhash) ?? -1);
  }

  override hasAccount(of: Address): boolean {
    return this.account(of) !== undefined;
  }

  override isInUse(of: Address): boolean {
    return super.isInUse(of) || this.#isOwn(of);
  }

  /** Refuses programs and sysvars: a row in the table would permanently hide them from the VM. */
  override setLamports(of: Address, lamports: bigint): void {
    if (lamports > 0n && this.#isOwn(of)) {
      throw new EffectError(`${of} is the chain's own account, a program or a sysvar: its lamports do not move`);
    }
    super.setLamports(of, lamports);
  }

  account(of: Address): Readonly<ChainAccount> | undefined {
    const account = this.accounts.get(of);
    if (account === undefined) {
      this.accounts.forget(of); // clients may ask for any address: absent ones must not fill memory
    }
    return account ?? this.#machine.builtInAccount(of);
  }

  tokenAccountsOf(holder: Address, mint: Address | undefined): readonly Address[] {
    return tokenAccountsIn(this.#database, holder, mint);
  }

  land(transactions: readonly Uint8Array[], applyEffects: ApplyEffects): BundleResult {
    return refusalAsResult(() => {
      const bundle = transactions.map((bytes, index) => this.#loaded(parseVerified(bytes, index), index));
      if (bundle.length === 0) {
        throw new LandingError(0, 'There is no transaction to land', 'SanitizeFailure');
      }
      const signatures = this.#landed.bundle(bundle.map((transaction) => transaction.messageHash));
      if (signatures !== undefined) {
        return { kind: 'landed', signatures, feeLamports: 0n };
      }
      bundle.forEach((transaction, index) => this.#checkTimely(transaction, index));
      this.#checkNew(bundle);
      return this.#run(bundle, true, applyEffects);
    });
  }

  simulate(transaction: Uint8Array, terms: SimulationTerms, applyEffects: ApplyEffects): SimulatedExecution {
    return this.#unit.dryRun(() => this.#simulateOne(transaction, 0, { ...terms, after: terms.accounts, earlier: [] }, applyEffects));
  }

  simulateBundle(
    transactions: readonly Uint8Array[],
    { before, after, ...terms }: BundleTerms,
    applyEffects: ApplyEffects,
  ): readonly BundleStep[] {
    return this.#unit.dryRun(() => {
      const steps: BundleStep[] = [];
      const earlier: ParsedTransaction[] = [];
      for (const [index, bytes] of transactions.entries()) {
        const found = this.#copies(before[index] ?? []);
        const simulation = this.#simulateOne(bytes, index, { ...terms, after: after[index] ?? [], earlier }, applyEffects);
        steps.push({ signature: earlier[index]?.signature ?? '', before: found, simulation });
        if (simulation.kind === 'failed') {
          break;
        }
      }
      return steps;
    });
  }

  airdrop(from: Address, to: Address, lamports: bigint): BundleResult {
    return refusalAsResult(() => {
      const bytes = airdropTransaction({
        from,
        to,
        lamports,
        blockhash: this.latestBlockhash().blockhash,
        memo: Buffer.from(this.#random(MEMO_BYTES)).toString('hex'),
        signature: this.#random(SIGNATURE_BYTES),
      });
      return this.#run([parseUnverified(bytes, 0)], false, () => undefined);
    });
  }

  landedTransaction(signature: string): ExecutedTransaction | undefined {
    return this.#landed.find(signature);
  }

  /** Simulates one transaction within a dry run, and appends it to the `earlier` ones of its bundle. */
  #simulateOne(transaction: Uint8Array, index: number, terms: StepTerms, applyEffects: ApplyEffects): SimulatedExecution {
    const { checkSignatures, replaceBlockhash, after, earlier } = terms;
    try {
      const read = checkSignatures ? parseVerified(transaction, index) : parseUnverified(transaction, index);
      const simulated = this.#loaded(replaceBlockhash ? withBlockhash(read, this.latestBlockhash().blockhash) : read, index);
      earlier.push(simulated);
      this.#checkTimely(simulated, index);
      this.#checkNew(earlier);
      const execution = this.#execute(simulated, index, checkSignatures, applyEffects);
      return { kind: 'succeeded', execution, accounts: this.#copies(after) };
    } catch (error) {
      if (error instanceof LandingError) {
        return { kind: 'failed', reason: error.message, ...error.verdict };
      }
      throw error;
    }
  }

  /** Resolves the lookup tables of a transaction. @throws LandingError if a table or an entry does not exist */
  #loaded(read: ParsedTransaction, index: number): ParsedTransaction {
    return { ...read, wire: withLoaded(read.wire, index, this.slot, (of) => this.account(of)) };
  }

  #copies(accounts: readonly Address[]): readonly (ChainAccount | undefined)[] {
    return accounts.map((of) => copied(this.account(of)));
  }

  /** Returns true for a built-in account of the VM: a program or a sysvar. */
  #isOwn(of: Address): boolean {
    return this.accounts.get(of) === undefined && this.#machine.builtInLamports(of) > 0n;
  }

  #checkTimely({ wire }: ParsedTransaction, index: number): void {
    const lastValid = this.#blockhashes.lastValidBlockHeight(wire.recentBlockhash);
    if (lastValid === undefined) {
      throw new LandingError(index, `${nth(index)} has a blockhash that is not known: ${wire.recentBlockhash}`, 'BlockhashNotFound');
    }
    if (this.blockHeight > lastValid) {
      throw new LandingError(
        index,
        `${nth(index)}: blockhash expired: block height ${this.blockHeight} is past ${lastValid}`,
        'BlockhashNotFound',
      );
    }
  }

  #checkNew(bundle: readonly ParsedTransaction[]): void {
    const hashes = bundle.map((transaction) => transaction.messageHash);
    hashes.forEach((hash, index) => {
      if (this.#landed.has(hash)) {
        throw new LandingError(index, `${nth(index)} has landed before, in another bundle`, 'AlreadyProcessed');
      }
      if (hashes.indexOf(hash) !== index) {
        throw new LandingError(index, `${nth(index)} is in the bundle twice`, 'AlreadyProcessed');
      }
    });
  }

  /** Executes all transactions with their effects and records them, or changes nothing. */
  #run(bundle: readonly ParsedTransaction[], checkSignatures: boolean, applyEffects: ApplyEffects): BundleResult {
    return this.#unit.attempt(() => {
      const { slot, slotBegan } = this.#state.value;
      const blockTime = Math.floor(slotBegan / 1_000);
      const landings = bundle.map((transaction, index): NewlyLanded => ({
        messageHash: transaction.messageHash,
        transaction: {
          signature: transaction.signature,
          slot,
          blockTime,
          bytes: transaction.bytes,
          execution: this.#execute(transaction, index, checkSignatures, applyEffects),
        },
      }));
      this.#landed.record(landings);
      this.#state.edit().transactionCount += landings.length;
      return {
        kind: 'landed',
        signatures: bundle.map((transaction) => transaction.signature),
        feeLamports: landings.reduce((sum, { transaction }) => sum + transaction.execution.feeLamports, 0n),
      };
    });
  }

  /** Executes a transaction on the VM, burns its fee and applies its effects. */
  #execute({ bytes, wire }: ParsedTransaction, index: number, checkSignatures: boolean, applyEffects: ApplyEffects): Execution {
    const keys = keysOf(wire);
    const before = balancesOf(keys, this.#source);
    const { slot, slotBegan } = this.#state.value;
    this.#machine.setClock(slot, Math.floor(slotBegan / 1_000), this.slotMs);
    const outcome = this.#executeStages(bytes, wire, index, checkSignatures, applyEffects);
    const after = balancesOf(keys, this.#source);
    const { feeLamports, computeUnits, logs, inner } = outcome;
    return {
      feeLamports,
      computeUnits,
      logs,
      inner,
      loaded: wire.loaded,
      lamports: lamportChanges(keys, before, after),
      tokens: tokenChanges(keys, before, after, this.#source),
    };
  }

  /** Executes a transaction as a whole or in two stages, and applies its effects behind the first. Fees are burnt. */
  #executeStages(
    bytes: Uint8Array,
    wire: LoadedTransaction,
    index: number,
    checkSignatures: boolean,
    applyEffects: ApplyEffects,
  ): Executed {
    const stages = stagesOf(bytes, wire);
    // The signatures of a transaction that is split were verified by the preflight.
    const first = executed(
      this.#machine.execute(stages?.first ?? { bytes, wire, firstInstruction: 0 }, checkSignatures && stages === undefined),
      index,
    );
    this.#state.edit().feesBurntLamports += first.feeLamports;
    this.#applyOne(wire, index, first, applyEffects);
    if (stages === undefined) {
      return first;
    }
    // The virtual machine takes the fee of the signatures again.
    const [payer] = wire.staticKeys;
    const again = LAMPORTS_PER_SIGNATURE * BigInt(wire.requiredSignatures);
    if (payer !== undefined) {
      this.setLamports(payer, this.lamports(payer) + again);
    }
    const rest = executed(this.#machine.execute(continued(stages.rest, first.computeUnits), false), index, first);
    this.#state.edit().feesBurntLamports += rest.feeLamports - again;
    return {
      kind: 'executed',
      feeLamports: first.feeLamports + rest.feeLamports - again,
      computeUnits: first.computeUnits + rest.computeUnits,
      logs: [...first.logs, ...rest.logs],
      inner: [...first.inner, ...rest.inner],
    };
  }

  #applyOne(wire: LoadedTransaction, index: number, outcome: Executed, applyEffects: ApplyEffects): void {
    try {
      applyEffects(wire, index);
    } catch (error) {
      if (error instanceof EffectError) {
        throw new LandingError(index, `${nth(index)} failed: ${error.message}`, effectFailure(wire, outcome, error), { cause: error });
      }
      throw error;
    }
  }
}

type Executed = Outcome & { readonly kind: 'executed' };

/**
 * The outcome of a transaction or a stage of it.
 * @param before the stage before it
 * @throws LandingError if the virtual machine refused it
 */
function executed(outcome: Outcome, index: number, before?: Executed): Executed {
  if (outcome.kind === 'executed') {
    return outcome;
  }
  const { error, computeUnits, logs } = outcome.verdict;
  throw new LandingError(index, `${nth(index)} failed: ${outcome.reason}`, {
    error,
    computeUnits: (before?.computeUnits ?? 0n) + computeUnits,
    logs: [...(before?.logs ?? []), ...logs],
  });
}

/** Terms of the simulation of one transaction. */
interface StepTerms {
  readonly checkSignatures: boolean;
  readonly replaceBlockhash: boolean;
  readonly after: readonly Address[];
  /** Transactions of the bundle simulated before it; this one is appended. */
  readonly earlier: ParsedTransaction[];
}

/** The runtime error for an effect that the market refused: the stand-in program succeeded, so the failure is attributed to its instruction. */
function effectFailure(wire: LoadedTransaction, { computeUnits, logs }: Executed, error: EffectError): TransactionFailure {
  const programAt = (index: number): Address | undefined => wire.staticKeys[index];
  const refused = wire.instructions.findIndex(({ programIdIndex }) =>
    STAND_IN_PROGRAMS.some((program) => program === programAt(programIdIndex)),
  );
  return {
    error: { InstructionError: [Math.max(0, refused), 'ProgramFailedToComplete'] },
    computeUnits,
    logs: [...logs, `Program log: Error: ${error.message}`],
  };
}

function refusalAsResult(land: () => BundleResult): BundleResult {
  try {
    return land();
  } catch (error) {
    if (error instanceof LandingError) {
      return { kind: 'failed', transaction: error.transaction, reason: error.message };
    }
    throw error;
  }
}

function copied(account: Readonly<ChainAccount> | undefined): ChainAccount | undefined {
  return account === undefined ? undefined : { ...account, data: account.data.slice() };
}
