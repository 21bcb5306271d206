import { CpAmm, derivePositionAddress } from '@meteora-ag/cp-amm-sdk';
import { PublicKey } from '@solana/web3.js';
import { address, type Address } from '../../../../src/base/solana/address';
import type { MarketPool } from '../../../../src/sandbox/market/types';
import { FIRST_DEPOSIT, type Mainnet, type MainnetFees } from '../../mainnet/mainnet';
import type { Deposit, LittlePool, Wallet } from '../../mainnet/world/pool';
import { keypairOf } from '../../mainnet/world/tokens';
import { SandboxTwin } from './sandboxTwin';

const SECOND_MS = 1_000;
/** Place of the active bin in the account of a DLMM pool. */
const ACTIVE_BIN_AT = 76;
/** The fees that the sandbox's pools of SOL and USDC have. */
export const SANDBOX_FEES: MainnetFees = { dlmmProtocolShareBps: 500, dammSolUsdcBps: 4 };

/** A pool on the little mainnet and the same pool in the sandbox. */
export interface TwinPool {
  readonly onChain: LittlePool;
  readonly inSandbox: MarketPool;
}

/**
 * The same situation twice: everything is done on the little mainnet by the real programs, and at the same time in a market of the sandbox by its own
 * arithmetic, with the same addresses.
 */
export class TwinWorlds {
  readonly sandbox: SandboxTwin;
  readonly bins: TwinPool;
  readonly product: TwinPool;
  /** Who made the first position in each pool. */
  readonly makers: Readonly<Record<'bins' | 'product', Address>> = {
    bins: ownerNamed('market maker 1'),
    product: ownerNamed('market maker 0'),
  };
  readonly #mainnet: Mainnet;
  readonly #sdk: CpAmm;

  private constructor(mainnet: Mainnet, sandbox: SandboxTwin) {
    this.#mainnet = mainnet;
    this.#sdk = new CpAmm(mainnet.sender.connection);
    this.sandbox = sandbox;
    this.bins = { onChain: mainnet.pools.solUsdc, inSandbox: sandbox.bins };
    this.product = { onChain: mainnet.pools.dammSolUsdc, inSandbox: sandbox.product };
  }

  /** Brings the pools of the sandbox to the present of a little mainnet with {@link SANDBOX_FEES} on which no test has acted yet. */
  static async of(mainnet: Mainnet): Promise<TwinWorlds> {
    const { chain, pools } = mainnet;
    const first = address(derivePositionAddress(keypairOf('first position of DAMM v2 SOL/USDC').publicKey).toBase58());
    const second = address(keypairOf(`position 1 of ${pools.solUsdc.address}`).publicKey.toBase58());
    const [created = NaN, deposited = NaN] = [first, second].map(
      (position) => (chain.transactionsOf(position)[0]?.blockTime ?? NaN) * SECOND_MS,
    );
    const worlds = new TwinWorlds(mainnet, new SandboxTwin(created));
    const { sandbox } = worlds;
    const { sqrtPrice } = await worlds.#sdk.fetchPoolState(new PublicKey(pools.dammSolUsdc.address));
    sandbox.product.swapTo((Number(sqrtPrice) / 2 ** 64) ** 2, created);
    sandbox.openProduct(first, worlds.makers.product, await worlds.#liquidityOf(first));
    sandbox.at(deposited);
    sandbox.bins.swapToBin(Buffer.from(chain.account(pools.solUsdc.address)?.data ?? []).readInt32LE(ACTIVE_BIN_AT), deposited);
    sandbox.openBins(second, worlds.makers.bins, FIRST_DEPOSIT);
    return worlds;
  }

  async open({ onChain, inSandbox }: TwinPool, wallet: Wallet, deposit: Deposit): Promise<Address> {
    const { position } = await onChain.open(wallet, deposit);
    this.#follow();
    if (inSandbox.type === 'bins') {
      this.sandbox.openBins(position, wallet.address, deposit);
    } else {
      // The amount of liquidity is an argument of the instruction.
      this.sandbox.openProduct(position, wallet.address, await this.#liquidityOf(position));
    }
    return position;
  }

  async swap({ onChain, inSandbox }: TwinPool, wallet: Wallet, sell: 'x' | 'y', amount: bigint): Promise<void> {
    await onChain.swap(wallet, sell, amount);
    this.#follow();
    this.sandbox.swap(inSandbox, sell, amount);
  }

  async claim({ onChain, inSandbox }: TwinPool, wallet: Wallet, position: Address): Promise<void> {
    await onChain.claim(wallet, position);
    this.#follow();
    this.sandbox.claim(inSandbox, position);
  }

  async withdraw({ onChain, inSandbox }: TwinPool, wallet: Wallet, position: Address, bps: number): Promise<void> {
    await onChain.withdraw(wallet, position, bps);
    this.#follow();
    this.sandbox.withdraw(inSandbox, position, bps);
  }

  async close({ onChain, inSandbox }: TwinPool, wallet: Wallet, position: Address): Promise<void> {
    await onChain.close(wallet, position);
    this.#follow();
    this.sandbox.close(inSandbox, position);
  }

  /** Lets time pass. */
  advance(seconds: number): void {
    this.#mainnet.advance({ seconds });
  }

  /** Sets the sandbox's clock to the block of the last transaction. The next one is in another second: the sandbox orders events by time. */
  #follow(): void {
    const { chain } = this.#mainnet;
    this.sandbox.at(chain.blockTime(chain.slot - chain.slotsPerTransaction) * SECOND_MS);
    this.#mainnet.advance({ seconds: 1 });
  }

  async #liquidityOf(position: Address): Promise<bigint> {
    const { unlockedLiquidity } = await this.#sdk.fetchPositionState(new PublicKey(position));
    return BigInt(unlockedLiquidity.toString());
  }
}

function ownerNamed(name: string): Address {
  return address(keypairOf(name).publicKey.toBase58());
}
