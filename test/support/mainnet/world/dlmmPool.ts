import { Buffer } from 'node:buffer';
import DLMM, { deriveLbPairWithPresetParamWithIndexKey, StrategyType } from '@meteora-ag/dlmm';
import { type Keypair, PublicKey } from '@solana/web3.js';
import BN from 'bn.js';
import { address, type Address } from '../../../../src/base/solana/address';
import { programAddress } from '../../../../src/base/solana/pda';
import { PROGRAMS } from '../../../../src/base/solana/programs';
import type { LittleChain } from '../chain/littleChain';
import type { Deposit, Done, LittlePool, OpenedPosition, Wallet } from './pool';
import type { Sender } from './sender';
import { keypairOf, type LittleToken } from './tokens';

/** Discriminator of `PresetParameter2` (DLMM IDL). */
const PRESET_DISCRIMINATOR = Buffer.from('abec9473a271deae', 'hex');
const PRESET_BYTES = 192;
/** Positions up to so many bins are opened by one transaction. */
const NARROW_BINS = 70;
const SLIPPAGE_PERCENT = 5;
const ALL_BPS = 10_000;

/** What a new DLMM pool is like. */
export interface NewDlmmPool {
  readonly x: LittleToken;
  readonly y: LittleToken;
  readonly binStep: number;
  /** Base fee in basis points. */
  readonly feeBps: number;
  /** Whole Y per whole X. */
  readonly price: number;
  /** Unique: it names the preset parameters. */
  readonly index: number;
  /** The protocol's part of the fees, basis points. */
  readonly protocolShareBps: number;
}

/** Creates a pool by `initialize_lb_pair2`; its preset parameters are written without a transaction, because an administrator has to sign that. */
export async function createDlmmPool(sender: Sender, creator: Wallet, plan: NewDlmmPool): Promise<LittlePool> {
  const { x, y, binStep, price } = plan;
  const preset = putPreset(sender.chain, plan);
  const mints = [new PublicKey(x.mint), new PublicKey(y.mint)] as const;
  const rawPrice = DLMM.getPricePerLamport(x.decimals, y.decimals, price);
  const activeId = new BN(DLMM.getBinIdFromPrice(rawPrice, binStep, true));
  const transaction = await DLMM.createLbPair2(sender.connection, creator.keypair.publicKey, ...mints, preset, activeId);
  sender.send([transaction], [creator.keypair]);
  const [pool] = deriveLbPairWithPresetParamWithIndexKey(preset, ...mints, new PublicKey(PROGRAMS.dlmm));
  return new DlmmPool(sender, plan, pool);
}

class DlmmPool implements LittlePool {
  readonly program = 'dlmm';
  readonly address: Address;
  readonly x: LittleToken;
  readonly y: LittleToken;
  readonly binStep: number;
  readonly #sender: Sender;
  readonly #key: PublicKey;
  #opened = 0;
  readonly #keypairs = new Map<string, Keypair>();

  constructor(sender: Sender, { x, y, binStep }: NewDlmmPool, pool: PublicKey) {
    this.#sender = sender;
    this.#key = pool;
    this.address = address(pool.toBase58());
    this.x = x;
    this.y = y;
    this.binStep = binStep;
  }

  async open(wallet: Wallet, deposit: Deposit): Promise<OpenedPosition> {
    const sdk = await this.#present();
    const position = this.#keypairs.get(deposit.again ?? '') ?? keypairOf(`position ${(this.#opened += 1)} of ${this.address}`);
    this.#keypairs.set(position.publicKey.toBase58(), position);
    const terms = { ...this.#terms(sdk, deposit), user: wallet.keypair.publicKey, slippage: SLIPPAGE_PERCENT };
    const signers = [wallet.keypair, position];
    const { minBinId, maxBinId } = terms.strategy;
    if (maxBinId - minBinId < NARROW_BINS) {
      const transaction = await sdk.initializePositionAndAddLiquidityByStrategy({ ...terms, positionPubKey: position.publicKey });
      return { position: address(position.publicKey.toBase58()), signatures: this.#sender.send([transaction], signers) };
    }
    const { instructionsByPositions } = await sdk.initializeMultiplePositionAndAddLiquidityByStrategy2(
      async () => [position],
      terms.totalXAmount,
      terms.totalYAmount,
      terms.strategy,
      wallet.keypair.publicKey,
      wallet.keypair.publicKey,
      SLIPPAGE_PERCENT,
    );
    const transactions = instructionsByPositions.flatMap(({ transactionInstructions }) => transactionInstructions);
    return { position: address(position.publicKey.toBase58()), signatures: this.#sender.send(transactions, signers) };
  }

  async add(wallet: Wallet, position: Address, deposit: Deposit): Promise<Done> {
    const sdk = await this.#present();
    const { positionData } = await sdk.getPosition(new PublicKey(position));
    const terms = this.#terms(sdk, deposit);
    const strategy = { ...terms.strategy, minBinId: positionData.lowerBinId, maxBinId: positionData.upperBinId };
    const user = wallet.keypair.publicKey;
    const positionPubKey = new PublicKey(position);
    const transaction = await sdk.addLiquidityByStrategy({ ...terms, strategy, positionPubKey, user, slippage: SLIPPAGE_PERCENT });
    return { signatures: this.#sender.send([transaction], [wallet.keypair]) };
  }

  async swap(wallet: Wallet, sell: 'x' | 'y', amountRaw: bigint): Promise<Done> {
    const sdk = await this.#present();
    const binArrays = await sdk.getBinArrayForSwap(sell === 'x');
    const [sold, bought] = sell === 'x' ? [this.x, this.y] : [this.y, this.x];
    const transaction = await sdk.swap({
      inToken: new PublicKey(sold.mint),
      outToken: new PublicKey(bought.mint),
      inAmount: new BN(amountRaw.toString()),
      minOutAmount: new BN(0),
      lbPair: this.#key,
      user: wallet.keypair.publicKey,
      binArraysPubkey: binArrays.map(({ publicKey }) => publicKey),
    });
    return { signatures: this.#sender.send([transaction], [wallet.keypair]) };
  }

  async claim(wallet: Wallet, position: Address): Promise<Done> {
    const sdk = await this.#present();
    const transactions = await sdk.claimSwapFee({
      owner: wallet.keypair.publicKey,
      position: await sdk.getPosition(new PublicKey(position)),
    });
    return { signatures: this.#sender.send(transactions, [wallet.keypair]) };
  }

  withdraw(wallet: Wallet, position: Address, bps: number): Promise<Done> {
    return this.#remove(wallet, position, bps, false);
  }

  close(wallet: Wallet, position: Address): Promise<Done> {
    return this.#remove(wallet, position, ALL_BPS, true);
  }

  async #remove(wallet: Wallet, position: Address, bps: number, shouldClaimAndClose: boolean): Promise<Done> {
    const sdk = await this.#present();
    const key = new PublicKey(position);
    const found = await sdk.getPosition(key);
    const { positionData } = found;
    const isEmpty = positionData.positionBinData.every(({ positionLiquidity, positionFeeXAmount, positionFeeYAmount }) =>
      [positionLiquidity, positionFeeXAmount, positionFeeYAmount].every((amount) => Number(amount) === 0),
    );
    if (shouldClaimAndClose && isEmpty) {
      // The SDK removes liquidity and closes only where there is some.
      const transaction = await sdk.closePosition({ owner: wallet.keypair.publicKey, position: found });
      return { signatures: this.#sender.send([transaction], [wallet.keypair]) };
    }
    const transactions = await sdk.removeLiquidity({
      user: wallet.keypair.publicKey,
      position: key,
      fromBinId: positionData.lowerBinId,
      toBinId: positionData.upperBinId,
      bps: new BN(bps),
      shouldClaimAndClose,
    });
    return { signatures: this.#sender.send(transactions, [wallet.keypair]) };
  }

  /** The SDK with the present state of the pool. */
  #present(): Promise<DLMM> {
    // `refetchStates` of a kept instance fails once the pool has got a reward.
    return DLMM.create(this.#sender.connection, this.#key);
  }

  #terms(
    { lbPair: { activeId } }: DLMM,
    { x = 0n, y = 0n, bins: [lower, upper] = [-10, 10], strategy = 'Spot' }: Deposit,
  ): {
    readonly totalXAmount: BN;
    readonly totalYAmount: BN;
    readonly strategy: { readonly minBinId: number; readonly maxBinId: number; readonly strategyType: StrategyType };
  } {
    return {
      totalXAmount: new BN(x.toString()),
      totalYAmount: new BN(y.toString()),
      strategy: { minBinId: activeId + lower, maxBinId: activeId + upper, strategyType: StrategyType[strategy] },
    };
  }
}

/** Preset parameters (DLMM IDL, `PresetParameter2`), with figures as of mainnet's. Seeds: "preset_parameter2", index. */
function putPreset(chain: LittleChain, { binStep, feeBps, index, protocolShareBps }: NewDlmmPool): PublicKey {
  const data = Buffer.alloc(PRESET_BYTES);
  PRESET_DISCRIMINATOR.copy(data);
  // Base fee rate = base factor × bin step × 10, of 10⁹.
  const fields16 = [binStep, Math.round((feeBps * 10_000) / binStep), 30, 600];
  fields16.forEach((value, place) => data.writeUInt16LE(value, 8 + 2 * place));
  data.writeUInt32LE(40_000, 16);
  data.writeUInt32LE(350_000, 20);
  const reductionFactor = 5_000;
  [reductionFactor, protocolShareBps, index].forEach((value, place) => data.writeUInt16LE(value, 24 + 2 * place));
  const seed = Buffer.alloc(2);
  seed.writeUInt16LE(index);
  const at = programAddress(PROGRAMS.dlmm, [Buffer.from('preset_parameter2'), seed]);
  chain.put(at, { lamports: chain.minimumBalance(data.length), program: PROGRAMS.dlmm, data: new Uint8Array(data), executable: false });
  return new PublicKey(at);
}
