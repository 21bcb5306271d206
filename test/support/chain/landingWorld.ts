import { Keypair, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import * as z from 'zod';
import { address, type Address } from '../../../src/base/solana/address';
import { parseTransaction } from '../../../src/base/solana/wireTransaction';
import { StoredIssuedOperations } from '../../../src/chain/landing/issued';
import type { BundleAnswer, BundleSender } from '../../../src/chain/landing/jito';
import { ChainLanding } from '../../../src/chain/landing/landing';
import { LandingNetwork } from '../../../src/chain/landing/network';
import { LandingStore } from '../../../src/chain/landing/store';
import { scriptedClient, type ScriptedAnswer, type ScriptedClient, type ScriptedRequest } from './scriptedFetch';

const SLOT_MS = 400;
const FINALIZED_SLOTS = 32;
/** Slot and block height differ, as on every chain. */
const SKIPPED_SLOTS = 1_000;
const FIRST_SLOT = 5_000;

/** The chain's reaction to a transaction that is sent. */
export type Fate =
  | 'land'
  /** The node accepts it, and no block ever contains it. */
  | 'vanish'
  /** It is in a block without effect. */
  | { readonly failure: unknown }
  /** It lands, and the node answers with this. */
  | { readonly landsWith: ScriptedAnswer }
  /** The node answers with this, and nothing happens. */
  | { readonly answer: ScriptedAnswer };

interface Block {
  readonly slot: number;
  readonly error: unknown;
}

/** Options of {@link LandingWorld.service}. */
interface WorldServiceOptions {
  readonly bundles?: BundleSender;
  readonly signal?: AbortSignal;
  readonly checkChain?: () => Promise<void>;
}

const OWNER = Keypair.fromSeed(new Uint8Array(32).fill(7));

/** A chain behind a JSON-RPC. Its time passes whenever nothing but timers is waited for, so that no test sleeps. */
export class LandingWorld {
  readonly owner: Address = address(OWNER.publicKey.toBase58());
  /** Decides by the number of the transaction, from 1, and how often it was sent, from 1. */
  fateOf: (transaction: number, sending: number) => Fate = () => 'land';
  /** Failures of simulations by the number of the transaction. */
  simulationOf: (transaction: number, simulation: number) => unknown = () => null;
  /** Answers instead of the chain. @param deliver lets the chain answer */
  intercept: (request: ScriptedRequest, deliver: () => ScriptedAnswer) => ScriptedAnswer | undefined = () => undefined;
  confirmAfterSlots = 1;
  /** Number of slots by which the node that answers statuses lags. */
  lagSlots = 0;
  firstAvailableSlot = 0;
  /** Numbers of the transactions in the order in which they were executed. */
  readonly executed: number[] = [];
  /** Numbers of the transactions in the order in which they were sent. */
  readonly sent: number[] = [];
  readonly logged: string[] = [];
  readonly client: ScriptedClient;
  readonly #blocks = new Map<string, Block>();
  readonly #numbers = new Map<string, number>();
  readonly #simulations = new Map<number, number>();
  readonly #folder: string | undefined;
  #signatures: readonly string[] = [];
  #store: LandingStore;

  /** @param folder of the store; `undefined`: in memory */
  constructor(folder?: string) {
    this.#folder = folder;
    this.#store = new LandingStore(folder);
    this.client = scriptedClient((request) => this.intercept(request, () => this.#answer(request)) ?? this.#answer(request));
  }

  /** Signatures of the transactions that were signed last, in order. */
  get signatures(): readonly string[] {
    return this.#signatures;
  }

  get slot(): number {
    return FIRST_SLOT + Math.floor(this.client.clock.now() / SLOT_MS);
  }

  get blockHeight(): number {
    return this.slot - SKIPPED_SLOTS;
  }

  /** The height until which a blockhash of now is valid. */
  get lastValidBlockHeight(): number {
    return this.blockHeight + 150;
  }

  /** A process of the service on this chain. @param signal ends it @param checkChain see LandingDependencies */
  service({ bundles, signal = new AbortController().signal, checkChain = () => Promise.resolve() }: WorldServiceOptions = {}): {
    readonly landing: ChainLanding;
    readonly issued: StoredIssuedOperations;
  } {
    const clock = this.client.clock;
    const issued = new StoredIssuedOperations(this.#store, clock);
    const network = new LandingNetwork(this.client.rpc, signal);
    const log = (message: string): void => void this.logged.push(message);
    return { issued, landing: new ChainLanding({ store: this.#store, issued, network, bundles, checkChain, clock, signal, log }) };
  }

  /** Closes the store and opens it again, as another process does. */
  reopen(): void {
    if (this.#folder !== undefined) {
      this.#store.close();
      this.#store = new LandingStore(this.#folder);
    }
  }

  close(): void {
    this.#store.close();
  }

  /** Unsigned transactions. @param label up to 32 characters; another label gives other transactions */
  build(count: number, { label = 'plain' }: { label?: string } = {}): Uint8Array[] {
    return Array.from({ length: count }, (_, index) => {
      const message = new TransactionMessage({
        payerKey: OWNER.publicKey,
        recentBlockhash: bs58.encode(Buffer.from(label.padEnd(32, '-'))),
        instructions: [SystemProgram.transfer({ fromPubkey: OWNER.publicKey, toPubkey: OWNER.publicKey, lamports: index + 1 })],
      }).compileToV0Message();
      return new VersionedTransaction(message).serialize();
    });
  }

  /** Signs with the owner's key, as clients send it; the transactions get numbers from 1. */
  sign(transactions: readonly Uint8Array[]): string[] {
    const signed = transactions.map((bytes) => {
      const transaction = VersionedTransaction.deserialize(bytes);
      transaction.sign([OWNER]);
      return transaction.serialize();
    });
    this.#signatures = signed.map(signatureOf);
    this.#signatures.forEach((signature, index) => this.#numbers.set(signature, index + 1));
    return signed.map((bytes) => Buffer.from(bytes).toString('base64'));
  }

  /** Takes all of these into a block now, or none. */
  executeBundle(transactions: readonly Uint8Array[], count = transactions.length): void {
    transactions.slice(0, count).forEach((bytes) => this.#execute(signatureOf(bytes), null));
  }

  /** Drops what landed in the last slots. */
  fork(slots: number): void {
    for (const [signature, { slot }] of this.#blocks) {
      if (slot > this.slot - slots) {
        this.#blocks.delete(signature);
      }
    }
  }

  #execute(signature: string, error: unknown): void {
    if (!this.#blocks.has(signature)) {
      this.#blocks.set(signature, { slot: this.slot, error });
      this.executed.push(this.#numbers.get(signature) ?? 0);
    }
  }

  #answer({ method, params }: ScriptedRequest): ScriptedAnswer {
    switch (method) {
      case 'getEpochInfo':
        return { result: { absoluteSlot: this.slot - FINALIZED_SLOTS, blockHeight: this.slot - FINALIZED_SLOTS - SKIPPED_SLOTS } };
      case 'getSignatureStatuses':
        return {
          result: {
            context: { slot: this.slot - this.lagSlots },
            value: z
              .array(z.string())
              .parse(params[0])
              .map((one) => this.#statusOf(one)),
          },
        };
      case 'simulateTransaction':
        return { result: { context: { slot: this.slot }, value: { err: this.#simulate(bytesIn(params)), logs: [] } } };
      case 'sendTransaction':
        return this.#send(signatureOf(bytesIn(params)));
      case 'getFirstAvailableBlock':
        return { result: this.firstAvailableSlot };
      default:
        return { error: { code: -32601, message: 'Method not found' } };
    }
  }

  #simulate(bytes: Uint8Array): unknown {
    const number = this.#numbers.get(signatureOf(bytes)) ?? 0;
    const times = (this.#simulations.get(number) ?? 0) + 1;
    this.#simulations.set(number, times);
    return this.simulationOf(number, times);
  }

  #send(signature: string): ScriptedAnswer {
    const number = this.#numbers.get(signature) ?? 0;
    this.sent.push(number);
    const fate = this.fateOf(number, this.sent.filter((one) => one === number).length);
    if (fate === 'land' || (typeof fate === 'object' && 'landsWith' in fate)) {
      this.#execute(signature, null);
    } else if (typeof fate === 'object' && 'failure' in fate) {
      this.#execute(signature, fate.failure);
    }
    if (typeof fate === 'object' && 'landsWith' in fate) {
      return fate.landsWith;
    }
    return typeof fate === 'object' && 'answer' in fate ? fate.answer : { result: signature };
  }

  #statusOf(signature: string): unknown {
    const block = this.#blocks.get(signature);
    const depth = this.slot - this.lagSlots - (block?.slot ?? Infinity);
    if (block === undefined || depth < 0) {
      return null;
    }
    const confirmationStatus = depth >= FINALIZED_SLOTS ? 'finalized' : depth >= this.confirmAfterSlots ? 'confirmed' : 'processed';
    return { slot: block.slot, confirmations: null, err: block.error, confirmationStatus };
  }
}

/** A block engine that answers each bundle by a function. */
export class ScriptedEngine implements BundleSender {
  readonly bundles: (readonly Uint8Array[])[] = [];
  readonly #answer: (bundle: readonly Uint8Array[], sending: number) => BundleAnswer;

  constructor(answer: (bundle: readonly Uint8Array[], sending: number) => BundleAnswer) {
    this.#answer = answer;
  }

  async send(transactions: readonly Uint8Array[]): Promise<BundleAnswer> {
    this.bundles.push(transactions);
    return this.#answer(transactions, this.bundles.length);
  }

  async isInBlock(): Promise<boolean> {
    return false;
  }
}

function bytesIn(params: readonly unknown[]): Uint8Array {
  return new Uint8Array(Buffer.from(z.string().parse(params[0]), 'base64'));
}

function signatureOf(bytes: Uint8Array): string {
  return bs58.encode(parseTransaction(bytes).signatures[0] ?? new Uint8Array());
}
