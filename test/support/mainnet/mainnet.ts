import { createHash } from 'node:crypto';
import { address } from '../../../src/base/solana/address';
import { JITO_TIP_ACCOUNTS, LAMPORTS_PER_SOL } from '../../../src/base/solana/programs';
import { associatedTokenAddress } from '../../../src/base/solana/pda';
import { tokenAmount } from '../../../src/base/solana/tokenAccount';
import { programFolder } from '../../host/programFiles.mjs';
import { LittleChain, MAINNET_GENESIS_HASH } from './chain/littleChain';
import { type Machine, ProgramMachine } from './chain/machine';
import { RecordingMachine } from './recording/recordingMachine';
import { readTape, saveTape } from './recording/tape';
import { TapeMachine } from './recording/tapeMachine';
import { Faults } from './rpc/faults';
import { Node } from './rpc/node';
import { RpcServer } from './rpc/server';
import { createDammPool } from './world/dammPool';
import { createDlmmPool, type NewDlmmPool } from './world/dlmmPool';
import type { LittlePool, Wallet } from './world/pool';
import { Sender } from './world/sender';
import { giveLamports, giveTokens, keypairOf, putMints, TOKENS } from './world/tokens';

const WALLETS = 60;
/** A day of the past, so that tests may let a day pass before the chain is ahead of the clock. */
const AGE_MS = 86_400_000;
/** The present of recorded chains, milliseconds since 1970. */
const RECORDED_MS = Date.UTC(2026, 10, 1);
const SLOT_MS = 400;
/** Between the making of the world and the first test, so that the world is finalized. */
const REST_SLOTS = 40;

/** What a market maker has in `solUsdc`, raw. */
export const FIRST_DEPOSIT = { x: 2_000_000_000_000n, y: 300_000_000_000n, bins: [-34, 34] } as const;

/** The little mainnet's options. */
export interface MainnetOptions {
  /** The chain's present, milliseconds since 1970; a day ago by default. */
  readonly nowMs?: number;
  readonly port?: number;
  /** Clients tell the chain by it; that of Solana's mainnet by default. */
  readonly genesisHash?: string;
  readonly fees?: Partial<MainnetFees>;
  /** A recording of the real programs, for where they are missing. Its present is always the same: `nowMs` has no effect there. */
  readonly recording?: string;
}

/** Fees of the pools, basis points. */
export interface MainnetFees {
  /** The protocol's part of the fees of DLMM pools; 1,000 by default. */
  readonly dlmmProtocolShareBps: number;
  /** Base fee of `dammSolUsdc`; 25 by default. */
  readonly dammSolUsdcBps: number;
}

const FEES: MainnetFees = { dlmmProtocolShareBps: 1_000, dammSolUsdcBps: 25 };

/** The pools, by name. */
export type MainnetPools = Awaited<ReturnType<typeof createPools>>;

/** A Solana chain with the real programs of Meteora, some pools and wallets, and its JSON-RPC. See README.md. */
export class Mainnet {
  readonly chain: LittleChain;
  readonly faults: Faults;
  readonly rpc: RpcServer;
  readonly rpcUrl: string;
  readonly sender: Sender;
  /** Created the pools. */
  readonly creator: Wallet;
  /** Wallets with SOL and all tokens. */
  readonly wallets: readonly Wallet[];
  readonly pools: MainnetPools;
  readonly tokens = TOKENS;

  readonly #save: () => void;
  #drawn = 0;

  private constructor(
    parts: Pick<Mainnet, 'chain' | 'creator' | 'faults' | 'rpc' | 'rpcUrl' | 'sender' | 'wallets' | 'pools'>,
    save: () => void,
  ) {
    this.#save = save;
    this.chain = parts.chain;
    this.faults = parts.faults;
    this.rpc = parts.rpc;
    this.rpcUrl = parts.rpcUrl;
    this.sender = parts.sender;
    this.creator = parts.creator;
    this.wallets = parts.wallets;
    this.pools = parts.pools;
  }

  /**
   * Makes the world and starts its RPC.
   * @throws Error where the real programs are missing
   */
  static async start({
    nowMs = Date.now() - AGE_MS,
    port = 0,
    genesisHash = MAINNET_GENESIS_HASH,
    fees = {},
    recording,
  }: MainnetOptions = {}): Promise<Mainnet> {
    const machine = machineFor(recording);
    const beganMs = machine instanceof ProgramMachine ? nowMs : RECORDED_MS;
    const chain = new LittleChain({ machine, beganMs, slotMs: SLOT_MS, genesisHash });
    const sender = new Sender(chain);
    putMints(chain);
    const makers = Array.from({ length: 3 }, (_, index) => makeWallet(chain, `market maker ${index}`, 1_000_000n));
    const wallets = Array.from({ length: WALLETS }, (_, index) => makeWallet(chain, `wallet ${index}`, 1_000n));
    JITO_TIP_ACCOUNTS.forEach((account) => giveLamports(chain, account, LAMPORTS_PER_SOL));
    const [creator = fail()] = makers;
    const pools = await createPools(sender, makers, { ...FEES, ...fees });
    chain.advance(REST_SLOTS);
    const faults = new Faults((slots) => chain.fork(slots));
    const rpc = new RpcServer(new Node(chain, faults), faults);
    const save = (): void => {
      if (recording !== undefined && machine instanceof RecordingMachine) {
        saveTape(recording, machine.tape);
      }
    };
    return new Mainnet({ chain, faults, rpc, rpcUrl: await rpc.start(port), sender, creator, wallets, pools }, save);
  }

  /** Stops the RPC, and saves what was recorded. */
  async stop(): Promise<void> {
    await this.rpc.stop();
    this.#save();
  }

  /** The wallet of this number. @throws RangeError if there are fewer */
  wallet(index: number): Wallet {
    const wallet = this.wallets[index];
    if (wallet === undefined) {
      throw new RangeError(`There are ${this.wallets.length} wallets`);
    }
    return wallet;
  }

  /** Bytes that are the same in every run, and never the same twice in one. @param count at most 32 */
  randomBytes(count: number): Uint8Array {
    this.#drawn += 1;
    return new Uint8Array(createHash('sha256').update(`little mainnet: random bytes ${this.#drawn}`).digest().subarray(0, count));
  }

  /** Lets time pass. */
  advance(time: { readonly slots: number } | { readonly seconds: number }): void {
    this.chain.advance('slots' in time ? time.slots : Math.ceil((time.seconds * 1_000) / this.chain.slotMs));
  }

  /** Lets everything that landed become final. */
  finalize(): void {
    this.chain.advance(REST_SLOTS);
  }

  /** Calls of the RPC by method while `work` runs. */
  async countCalls(work: () => Promise<unknown>): Promise<ReadonlyMap<string, number>> {
    const before = this.rpc.counts;
    await work();
    return new Map(
      [...this.rpc.counts].map(([method, count]) => [method, count - (before.get(method) ?? 0)] as const).filter(([, count]) => count > 0),
    );
  }

  /** Raw tokens of a wallet; of SOL its lamports. */
  balance(wallet: Wallet, token: keyof typeof TOKENS): bigint {
    const { mint, program } = TOKENS[token];
    if (token === 'sol') {
      return this.chain.account(wallet.address)?.lamports ?? 0n;
    }
    const account = this.chain.account(associatedTokenAddress(wallet.address, mint, program));
    return account === undefined ? 0n : tokenAmount(account.data);
  }
}

/** The real programs, or what is recorded of them. @throws Error if there is neither */
function machineFor(recording: string | undefined): Machine {
  const folder = programFolder();
  if (folder !== undefined) {
    const machine = new ProgramMachine(folder);
    return recording !== undefined && process.env.BINSIGHT_RECORD === '1' ? new RecordingMachine(machine) : machine;
  }
  if (recording === undefined) {
    throw new Error('There are no builds of the real programs');
  }
  return new TapeMachine(readTape(recording));
}

/** A wallet with SOL and tokens. @param whole SOL; of the tokens so many times their usual amount */
function makeWallet(chain: LittleChain, name: string, whole: bigint): Wallet {
  const keypair = keypairOf(name);
  const wallet = { address: address(keypair.publicKey.toBase58()), keypair };
  giveLamports(chain, wallet.address, whole * LAMPORTS_PER_SOL);
  for (const token of [TOKENS.usdc, TOKENS.meme, TOKENS.toll]) {
    giveTokens(chain, wallet.address, token, whole * 1_000n * 10n ** BigInt(token.decimals));
  }
  return wallet;
}

async function createPools(sender: Sender, makers: readonly Wallet[], { dlmmProtocolShareBps, dammSolUsdcBps }: MainnetFees) {
  const [creator = fail(), maker = fail()] = makers;
  const { sol, usdc, meme, toll } = TOKENS;
  const dlmm = (plan: Omit<NewDlmmPool, 'protocolShareBps'>): Promise<LittlePool> =>
    createDlmmPool(sender, creator, { ...plan, protocolShareBps: dlmmProtocolShareBps });
  const pools = {
    solUsdc: await dlmm({ x: sol, y: usdc, binStep: 10, feeBps: 10, price: 150, index: 0 }),
    solUsdcFine: await dlmm({ x: sol, y: usdc, binStep: 4, feeBps: 4, price: 150, index: 1 }),
    memeSol: await dlmm({ x: meme, y: sol, binStep: 100, feeBps: 100, price: 0.001, index: 2 }),
    tollUsdc: await dlmm({ x: toll, y: usdc, binStep: 25, feeBps: 25, price: 1, index: 3 }),
    dammSolUsdc: await createDammPool(sender, creator, {
      ...{ x: sol, y: usdc, feeBps: dammSolUsdcBps },
      deposit: { x: units(sol, 2_000n), y: units(usdc, 300_000n) },
    }),
    dammMemeSol: await createDammPool(sender, creator, {
      ...{ x: meme, y: sol, feeBps: 100 },
      deposit: { x: units(meme, 1_000_000n), y: units(sol, 1_000n) },
    }),
    dammTollUsdc: await createDammPool(sender, creator, {
      ...{ x: toll, y: usdc, feeBps: 50 },
      deposit: { x: units(toll, 200_000n), y: units(usdc, 200_000n) },
    }),
  } satisfies Record<string, LittlePool>;
  await pools.solUsdc.open(maker, FIRST_DEPOSIT);
  await pools.solUsdcFine.open(maker, { x: units(sol, 2_000n), y: units(usdc, 300_000n), bins: [-34, 34] });
  await pools.memeSol.open(maker, { x: units(meme, 1_000_000n), y: units(sol, 1_000n), bins: [-34, 34] });
  await pools.tollUsdc.open(maker, { x: units(toll, 300_000n), y: units(usdc, 300_000n), bins: [-34, 34] });
  return pools;
}

function units({ decimals }: { readonly decimals: number }, whole: bigint): bigint {
  return whole * 10n ** BigInt(decimals);
}

function fail(): never {
  throw new RangeError('There are too few market makers');
}
