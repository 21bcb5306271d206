import {
  BaseFeeMode,
  CollectFeeMode,
  CpAmm,
  derivePositionAddress,
  derivePositionNftAccount,
  getBaseFeeParams,
  getDynamicFeeParams,
  MAX_SQRT_PRICE,
  MIN_SQRT_PRICE,
  type PoolState,
} from '@meteora-ag/cp-amm-sdk';
import { unpackMint } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import BN from 'bn.js';
import { address, type Address } from '../../../../src/base/solana/address';
import type { Deposit, Done, LittlePool, OpenedPosition, Wallet } from './pool';
import type { Sender } from './sender';
import { keypairOf, type LittleToken } from './tokens';

const ALL_BPS = 10_000;
const U64_MAX = new BN('18446744073709551615');
const ZERO = new BN(0);
/** Activation of a pool by time. */
const BY_TIME = 1;

/** What a new DAMM v2 pool is like. */
export interface NewDammPool {
  readonly x: LittleToken;
  readonly y: LittleToken;
  readonly feeBps: number;
  /** The creator's first deposit, raw; the price follows from it. */
  readonly deposit: { readonly x: bigint; readonly y: bigint };
}

/** Creates a pool over all prices by `initialize_customizable_pool`. */
export async function createDammPool(sender: Sender, creator: Wallet, { x, y, feeBps, deposit }: NewDammPool): Promise<LittlePool> {
  const sdk = new CpAmm(sender.connection);
  const [tokenAAmount, tokenBAmount] = [new BN(deposit.x.toString()), new BN(deposit.y.toString())];
  const collectFeeMode = CollectFeeMode.BothToken;
  const { initSqrtPrice, liquidityDelta } = sdk.preparePoolCreationParams({
    tokenAAmount,
    tokenBAmount,
    minSqrtPrice: MIN_SQRT_PRICE,
    maxSqrtPrice: MAX_SQRT_PRICE,
    collectFeeMode,
    ...infosOf(sender, x, y),
  });
  const nft = keypairOf(`first position of DAMM v2 ${x.symbol}/${y.symbol}`);
  const feeTimeSchedulerParam = { startingFeeBps: feeBps, endingFeeBps: feeBps, numberOfPeriod: 0, totalDuration: 0 };
  const { tx, pool } = await sdk.createCustomPool({
    payer: creator.keypair.publicKey,
    creator: creator.keypair.publicKey,
    positionNft: nft.publicKey,
    tokenAMint: new PublicKey(x.mint),
    tokenBMint: new PublicKey(y.mint),
    tokenAAmount,
    tokenBAmount,
    sqrtMinPrice: MIN_SQRT_PRICE,
    sqrtMaxPrice: MAX_SQRT_PRICE,
    liquidityDelta,
    initSqrtPrice,
    poolFees: {
      baseFee: getBaseFeeParams({ baseFeeMode: BaseFeeMode.FeeTimeSchedulerLinear, feeTimeSchedulerParam }),
      compoundingFeeBps: 0,
      padding: 0,
      dynamicFee: getDynamicFeeParams(feeBps),
    },
    hasAlphaVault: false,
    activationType: BY_TIME,
    collectFeeMode,
    activationPoint: null,
    tokenAProgram: new PublicKey(x.program),
    tokenBProgram: new PublicKey(y.program),
  });
  sender.send([tx], [creator.keypair, nft]);
  return new DammPool(sender, x, y, pool);
}

class DammPool implements LittlePool {
  readonly program = 'damm';
  readonly binStep = undefined;
  readonly address: Address;
  readonly x: LittleToken;
  readonly y: LittleToken;
  readonly #sender: Sender;
  readonly #key: PublicKey;
  readonly #sdk: CpAmm;
  #opened = 0;

  constructor(sender: Sender, x: LittleToken, y: LittleToken, pool: PublicKey) {
    this.#sender = sender;
    this.#sdk = new CpAmm(sender.connection);
    this.#key = pool;
    this.address = address(pool.toBase58());
    this.x = x;
    this.y = y;
  }

  async open(wallet: Wallet, deposit: Deposit): Promise<OpenedPosition> {
    const nft = keypairOf(`position ${(this.#opened += 1)} of ${this.address}`);
    const terms = { ...(await this.#depositTerms(deposit)), owner: wallet.keypair.publicKey, positionNft: nft.publicKey };
    const transaction = await this.#sdk.createPositionAndAddLiquidity(terms);
    const position = address(derivePositionAddress(nft.publicKey).toBase58());
    return { position, signatures: this.#sender.send([transaction], [wallet.keypair, nft]) };
  }

  async add(wallet: Wallet, position: Address, deposit: Deposit): Promise<Done> {
    const transaction = await this.#sdk.addLiquidity({
      ...(await this.#depositTerms(deposit)),
      ...(await this.#positionKeys(wallet, position)),
    });
    return { signatures: this.#sender.send([transaction], [wallet.keypair]) };
  }

  async swap(wallet: Wallet, sell: 'x' | 'y', amountRaw: bigint): Promise<Done> {
    const [sold, bought] = sell === 'x' ? [this.x, this.y] : [this.y, this.x];
    const transaction = await this.#sdk.swap({
      ...this.#tokens(await this.#sdk.fetchPoolState(this.#key)),
      payer: wallet.keypair.publicKey,
      inputTokenMint: new PublicKey(sold.mint),
      outputTokenMint: new PublicKey(bought.mint),
      amountIn: new BN(amountRaw.toString()),
      minimumAmountOut: ZERO,
      referralTokenAccount: null,
    });
    return { signatures: this.#sender.send([transaction], [wallet.keypair]) };
  }

  async claim(wallet: Wallet, position: Address): Promise<Done> {
    const transaction = await this.#sdk.claimPositionFee({
      ...this.#tokens(await this.#sdk.fetchPoolState(this.#key)),
      ...(await this.#positionKeys(wallet, position)),
    });
    return { signatures: this.#sender.send([transaction], [wallet.keypair]) };
  }

  async withdraw(wallet: Wallet, position: Address, bps: number): Promise<Done> {
    const state = await this.#sdk.fetchPositionState(new PublicKey(position));
    const transaction = await this.#sdk.removeLiquidity({
      ...this.#tokens(await this.#sdk.fetchPoolState(this.#key)),
      ...(await this.#positionKeys(wallet, position)),
      liquidityDelta: state.unlockedLiquidity.muln(bps).divn(ALL_BPS),
      tokenAAmountThreshold: ZERO,
      tokenBAmountThreshold: ZERO,
      vestings: [],
      currentPoint: new BN(this.#sender.chain.blockTime()),
    });
    return { signatures: this.#sender.send([transaction], [wallet.keypair]) };
  }

  async close(wallet: Wallet, position: Address): Promise<Done> {
    const transaction = await this.#sdk.removeAllLiquidityAndClosePosition({
      ...(await this.#positionKeys(wallet, position)),
      poolState: await this.#sdk.fetchPoolState(this.#key),
      positionState: await this.#sdk.fetchPositionState(new PublicKey(position)),
      tokenAAmountThreshold: ZERO,
      tokenBAmountThreshold: ZERO,
      vestings: [],
      currentPoint: new BN(this.#sender.chain.blockTime()),
    });
    return { signatures: this.#sender.send([transaction], [wallet.keypair]) };
  }

  /** The keys of a position, whose NFT the wallet holds. */
  async #positionKeys(wallet: Wallet, position: Address): Promise<Record<'owner' | 'position' | 'positionNftAccount', PublicKey>> {
    const { nftMint } = await this.#sdk.fetchPositionState(new PublicKey(position));
    return { owner: wallet.keypair.publicKey, position: new PublicKey(position), positionNftAccount: derivePositionNftAccount(nftMint) };
  }

  #tokens({ tokenAVault, tokenBVault }: PoolState): PoolKeys {
    return {
      pool: this.#key,
      tokenAMint: new PublicKey(this.x.mint),
      tokenBMint: new PublicKey(this.y.mint),
      tokenAVault,
      tokenBVault,
      tokenAProgram: new PublicKey(this.x.program),
      tokenBProgram: new PublicKey(this.y.program),
    };
  }

  /** As much liquidity as both amounts allow. A side that is left out follows from the other one. */
  async #depositTerms({ x, y }: Deposit): Promise<PoolKeys & DepositTerms> {
    const state = await this.#sdk.fetchPoolState(this.#key);
    const infos = infosOf(this.#sender, this.x, this.y);
    const quote = (amount: bigint, isTokenA: boolean): BN =>
      this.#sdk.getDepositQuote({
        ...state,
        inAmount: new BN(amount.toString()),
        isTokenA,
        minSqrtPrice: state.sqrtMinPrice,
        maxSqrtPrice: state.sqrtMaxPrice,
        inputTokenInfo: isTokenA ? infos.tokenAInfo : infos.tokenBInfo,
        outputTokenInfo: isTokenA ? infos.tokenBInfo : infos.tokenAInfo,
      }).outputAmount;
    const maxAmountTokenA = x === undefined ? withMargin(quote(y ?? 0n, false)) : new BN(x.toString());
    const maxAmountTokenB = y === undefined ? withMargin(quote(x ?? 0n, true)) : new BN(y.toString());
    const liquidityDelta = this.#sdk.getLiquidityDelta({ ...state, ...infos, maxAmountTokenA, maxAmountTokenB });
    return {
      ...this.#tokens(state),
      liquidityDelta,
      maxAmountTokenA,
      maxAmountTokenB,
      tokenAAmountThreshold: U64_MAX,
      tokenBAmountThreshold: U64_MAX,
    };
  }
}

/** A per mille more, so that the other amount counts. */
function withMargin(amount: BN): BN {
  return amount.muln(1_001).divn(1_000).addn(1);
}

/** What the SDK wants to know of mints with a transfer fee. */
function infosOf({ chain }: Sender, x: LittleToken, y: LittleToken): { tokenAInfo?: TokenInfo; tokenBInfo?: TokenInfo } {
  const info = ({ mint, program, transferFeeBps }: LittleToken): TokenInfo | undefined => {
    const account = chain.account(mint);
    if (transferFeeBps === 0 || account === undefined) {
      return undefined;
    }
    const { lamports, data } = account;
    const owner = new PublicKey(program);
    const unpacked = unpackMint(
      new PublicKey(mint),
      { lamports: Number(lamports), data: Buffer.from(data), owner, executable: false },
      owner,
    );
    return { mint: unpacked, currentEpoch: chain.epoch };
  };
  const [tokenAInfo, tokenBInfo] = [info(x), info(y)];
  return { ...(tokenAInfo === undefined ? {} : { tokenAInfo }), ...(tokenBInfo === undefined ? {} : { tokenBInfo }) };
}

type PoolKeys = Record<'pool' | 'tokenAMint' | 'tokenBMint' | 'tokenAVault' | 'tokenBVault' | 'tokenAProgram' | 'tokenBProgram', PublicKey>;

type DepositTerms = Record<
  'liquidityDelta' | 'maxAmountTokenA' | 'maxAmountTokenB' | 'tokenAAmountThreshold' | 'tokenBAmountThreshold',
  BN
>;

interface TokenInfo {
  readonly mint: ReturnType<typeof unpackMint>;
  readonly currentEpoch: number;
}
