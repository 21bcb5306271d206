import assert from 'node:assert/strict';
import { PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import * as z from 'zod';
import { address, type Address } from '../../../src/base/solana/address';
import { parseRpcUrl } from '../../../src/base/solana/rpcUrl';
import { parseBase64Transaction } from '../../../src/base/solana/wireTransaction';
import { createOperationBuilder } from '../../../src/chain/build/builder';
import type { BuilderOptions, OperationBuilder } from '../../../src/chain/build/types';
import type { IssuedOperation } from '../../../src/chain/landing/types';
import { createChainRpc } from '../../../src/chain/rpc/client';
import type { ChainRpc } from '../../../src/chain/rpc/types';
import { reviewOperation } from '../../../src/review/review';
import type {
  AddLiquidityIntent,
  ClaimIntent,
  Intent,
  PriceReference,
  Review,
  ReviewInput,
  SwapIntent,
  TransactionGroup,
  ZapInIntent,
  TokenAmount,
  ZapOutIntent,
} from '../../../src/review/types';
import { createRpc } from '../../../src/rpc/rpc';
import type { AddParameters, DecreaseParameters, DepositParameters } from '../../../src/engine/engine';
import type { WireAdd, WireClaim, WireDecrease, WireDecreaseQuote, WireSwap } from '../../../src/engine/wire/transactions';
import { Reviewer } from '../../../src/transactions/inspect/reviewer';
import type { Mainnet } from '../mainnet/mainnet';
import type { LittlePool, Wallet } from '../mainnet/world/pool';
import { signAll } from '../sandbox/sign';

/** The slippage of all requests. */
const SLIPPAGE_BPS = 500;

/** Place of the active bin in the account of a DLMM pool. */
const ACTIVE_BIN_AT = 76;
const BIN_STEP_AT = 80;

const DOLLARS: Readonly<Record<string, number>> = { SOL: 150, USDC: 1, MEME: 0.15, TOLL: 1 };

/** What an entry is asked with. */
export type Entry = Pick<AddParameters, 'strategy' | 'fromBinId' | 'toBinId' | 'input'>;

/** A builder over a little mainnet, with the extension's review beside it. */
export class BuildDesk {
  readonly mainnet: Mainnet;
  readonly rpc: ChainRpc;
  readonly issued: IssuedOperation[] = [];
  readonly logs: string[] = [];
  readonly builder: OperationBuilder;

  constructor(mainnet: Mainnet, options: Partial<BuilderOptions> = {}) {
    this.mainnet = mainnet;
    this.rpc = createChainRpc({ url: parseRpcUrl(mainnet.rpcUrl), requestsPerSecond: 10_000 });
    this.builder = createOperationBuilder({
      protocols: { bins: 'meteora', product: 'meteora_damm_v2' },
      rpc: this.rpc,
      prices: {
        now: (mints) => Promise.resolve(new Map(mints.flatMap((mint) => this.#priceOf(mint)))),
        at: () => Promise.resolve(undefined),
      },
      issued: { issue: (operation) => void this.issued.push(operation) },
      swapApi: undefined,
      tipLamports: 0n,
      format: 'service',
      random: (count) => mainnet.randomBytes(count),
      log: (text) => void this.logs.push(text),
      ...options,
    });
  }

  add(wallet: Wallet, pool: LittlePool, entry: Entry): Promise<WireAdd> {
    return this.builder.buildAdd({ pool: pool.address, owner: wallet.address, slippageBps: SLIPPAGE_BPS, ...entry });
  }

  /** A deposit into an open position, in the shape that it has. */
  deposit(wallet: Wallet, positionId: string, asked: Pick<DepositParameters, 'input'> & Partial<DepositParameters>): Promise<WireAdd> {
    const all = { strategy: undefined, fromBinId: undefined, toBinId: undefined, slippageBps: SLIPPAGE_BPS };
    return this.builder.buildDeposit({ positionId, owner: wallet.address, ...all, ...asked });
  }

  decrease(wallet: Wallet, positionId: string, asked: Partial<DecreaseParameters> = {}): Promise<WireDecrease> {
    const all = { bps: 10_000, output: 'allBaseToken' as const, protocol: undefined, fromBinId: undefined, toBinId: undefined };
    return this.builder.buildDecrease({ positionId, owner: wallet.address, slippageBps: SLIPPAGE_BPS, ...all, ...asked });
  }

  /** The review of an entry, offline and with the RPC: no question. */
  async allowsEntry(wallet: Wallet, pool: LittlePool, entry: Entry, built: WireAdd, except: readonly string[] = []): Promise<void> {
    const { input, strategy, fromBinId, toBinId } = entry;
    const tokens = [pool.x, pool.y];
    const amounts = input.mode === 'normal' ? [input.amountX, input.amountY] : [];
    const raw = tokens.map(({ decimals }, index) => BigInt(Math.round((amounts[index] ?? 0) * 10 ** decimals)));
    const intent: ZapInIntent = {
      ...this.#intent(wallet, pool),
      kind: 'zapIn',
      position: address(built.meta.positionPubKey),
      inputLamports:
        input.mode === 'zap-in'
          ? input.lamports
          : tokens.reduce((sum, { symbol }, at) => sum + (symbol === 'SOL' ? (raw[at] ?? 0n) : 0n), 0n),
      ...(input.mode === 'zap-in'
        ? { isSolOnly: true }
        : {
            tokens: tokens.flatMap(({ symbol, mint, decimals }, at) =>
              symbol === 'SOL' || raw[at] === 0n ? [] : [{ mint, decimals, amountRaw: raw[at] ?? 0n }],
            ),
          }),
      strategy: pool.program === 'dlmm' ? strategy : undefined,
      fromBinId,
      toBinId,
      ...(pool.program === 'dlmm' ? { activeBinId: await this.activeBin(pool), binStepBps: await this.#binStepBps(pool) } : {}),
    };
    const { swapTxsWithJito, addLiquidityTxsWithJito, swapTxs, addLiquidityTxs } = built;
    for (const [swaps, adds] of distinct([
      [swapTxsWithJito, addLiquidityTxsWithJito],
      [swapTxs, addLiquidityTxs],
    ])) {
      await this.#allows({ intent, transactions: [...grouped('swap', swaps), ...grouped('add', adds)], ...this.#times(built) }, except);
    }
  }

  /** The review of a deposit of fees into their position, with the RPC, which alone can prove whose it is: no question. */
  async allowsCompound(
    wallet: Wallet,
    pool: LittlePool,
    position: Address,
    shape: Pick<Entry, 'strategy' | 'fromBinId' | 'toBinId'>,
    built: WireAdd,
    except: readonly string[] = [],
  ): Promise<void> {
    const [claimed = assert.fail('Nothing is said of the fees')] = built.meta.positions ?? [];
    const isOfBins = pool.program === 'dlmm';
    const intent: AddLiquidityIntent = {
      ...this.#intent(wallet, pool),
      kind: 'addLiquidity',
      position,
      inputLamports: 0n,
      fees: [
        { mint: pool.x.mint, amountRaw: BigInt(claimed.feeX) },
        { mint: pool.y.mint, amountRaw: BigInt(claimed.feeY) },
      ],
      ...shape,
      strategy: isOfBins ? shape.strategy : undefined,
      ...(isOfBins ? { activeBinId: await this.activeBin(pool), binStepBps: await this.#binStepBps(pool) } : {}),
    };
    await this.#allowsWithRpc({ intent, transactions: grouped('add', built.addLiquidityTxsWithJito), ...this.#times(built) }, except);
  }

  /** The review of a withdrawal, offline and with the RPC: no question. */
  async allowsExit(
    wallet: Wallet,
    pool: LittlePool,
    position: string,
    asked: Partial<DecreaseParameters>,
    built: WireDecrease,
    except: readonly string[] = [],
  ): Promise<void> {
    const shareBps = asked.bps ?? 10_000;
    const { token0, token1, value } = await this.builder.decreaseQuote(position, shareBps);
    const held = [token0, token1].map(({ amount, fee }) => Number(amount) + Number(fee));
    const raw = (side: number, whole: number): bigint => BigInt(Math.floor(whole * 10 ** ([pool.x, pool.y][side]?.decimals ?? 0)));
    const intent: ZapOutIntent = {
      ...this.#intent(wallet, pool),
      kind: 'zapOut',
      position: address(position),
      shareBps,
      output: asked.output ?? 'allBaseToken',
      worth: [pool.x, pool.y].map(({ mint, symbol }, at) => ({ mint, amountRaw: raw(at, (value ?? 0) / (DOLLARS[symbol] ?? 1)) })),
      holdings: [pool.x, pool.y].map(({ mint }, at) => ({ mint, amountRaw: raw(at, held[at] ?? 0) })),
      ...(asked.fromBinId === undefined ? {} : { fromBinId: asked.fromBinId, toBinId: asked.toBinId }),
    };
    const { closeTxsWithJito, swapTxsWithJito, closeTxs, swapTxs } = built;
    for (const [closes, swaps] of distinct([
      [closeTxsWithJito, swapTxsWithJito],
      [closeTxs, swapTxs],
    ])) {
      await this.#allows({ intent, transactions: [...grouped('close', closes), ...grouped('swap', swaps)], ...this.#times(built) }, except);
    }
  }

  /** The review of a claim, offline and with the RPC: no question. The user was shown what the chain has. */
  async allowsClaim(
    wallet: Wallet,
    positions: readonly { readonly position: Address; readonly pool: LittlePool; readonly rewards?: readonly TokenAmount[] }[],
    built: WireClaim,
  ): Promise<void> {
    const [first = assert.fail()] = positions;
    const intent: ClaimIntent = {
      ...this.#intent(wallet, first.pool),
      kind: 'claim',
      position: first.position,
      slippageBps: 0,
      positions: positions.map(({ position, pool: { address: pool, x, y }, rewards = [] }) => {
        const claimed = built.meta.positions.find((one) => one.position === position) ?? assert.fail(`${position} is not claimed`);
        const fees = [{ mint: x.mint, amountRaw: BigInt(claimed.feeX) }, { mint: y.mint, amountRaw: BigInt(claimed.feeY) }, ...rewards];
        return { pool, position, tokenX: x.mint, tokenY: y.mint, fees };
      }),
    };
    for (const texts of new Map([built.claimTxsWithJito, built.claimTxs].map((list) => [JSON.stringify(list), list])).values()) {
      await this.#allows({ intent, transactions: grouped('claim', texts), ...this.#times(built) }, []);
    }
  }

  /** The review of a swap of the wallet's tokens, or of unwrapping if nothing is asked for, offline and with the RPC: no question. */
  async allowsSwap(wallet: Wallet, asked: Omit<SwapIntent, 'kind' | 'owner' | 'references'> | undefined, built: WireSwap): Promise<void> {
    const tokens = Object.values(this.mainnet.tokens);
    const references = tokens.flatMap((from) => tokens.filter(({ mint }) => mint !== from.mint).map((to) => referenceOf(from, to)));
    const intent: Intent =
      asked === undefined
        ? { kind: 'unwrap', owner: wallet.address, slippageBps: 0 }
        : { kind: 'swap', owner: wallet.address, references, ...asked };
    for (const texts of new Map([built.swapTxsWithJito, built.swapTxs].map((list) => [JSON.stringify(list), list])).values()) {
      await this.#allows({ intent, transactions: grouped('swap', texts), ...this.#times(built) }, []);
    }
  }

  /** Signs and sends one after the other; each must succeed. Returns the signatures. */
  async land(wallet: Wallet, transactions: readonly string[]): Promise<readonly string[]> {
    const signed = signAll(transactions, bs58.encode(wallet.keypair.secretKey));
    const signatures: string[] = [];
    for (const transaction of signed) {
      signatures.push(
        await this.rpc.call('sendTransaction', [transaction, { encoding: 'base64', preflightCommitment: 'confirmed' }], z.string()),
      );
    }
    return signatures;
  }

  /** The active bin of a pool, from its account. */
  async activeBin({ address: pool }: LittlePool): Promise<number> {
    const account = await this.rpc.connection.getAccountInfo(new PublicKey(pool));
    return account?.data.readInt32LE(ACTIVE_BIN_AT) ?? assert.fail();
  }

  async #binStepBps({ address: pool }: LittlePool): Promise<number> {
    const account = await this.rpc.connection.getAccountInfo(new PublicKey(pool));
    return account?.data.readUInt16LE(BIN_STEP_AT) ?? assert.fail();
  }

  #intent(
    wallet: Wallet,
    { address: pool, program, x, y }: LittlePool,
  ): Omit<ZapInIntent, 'kind' | 'inputLamports' | 'strategy' | 'fromBinId' | 'toBinId' | 'position'> {
    const { sol } = this.mainnet.tokens;
    return {
      owner: wallet.address,
      pool,
      poolType: program === 'dlmm' ? 'dlmm' : 'dammV2',
      slippageBps: SLIPPAGE_BPS,
      tokenX: x.mint,
      tokenY: y.mint,
      references: [x, y, sol].flatMap((from) => [x, y, sol].filter(({ mint }) => mint !== from.mint).map((to) => referenceOf(from, to))),
    };
  }

  #times({ lastValidBlockHeight }: { readonly lastValidBlockHeight: number }): Pick<ReviewInput, 'lastValidBlockHeight' | 'nowMs'> {
    return { lastValidBlockHeight, nowMs: Date.now() };
  }

  async #allows(input: ReviewInput, except: readonly string[]): Promise<void> {
    assertAllowed(reviewOperation(input), 'offline', except);
    await this.#allowsWithRpc(input, except);
  }

  async #allowsWithRpc(input: ReviewInput, except: readonly string[]): Promise<void> {
    const { intent, lastValidBlockHeight } = input;
    const problems: string[] = [];
    const transactions = input.transactions.map(({ group, base64 }) => ({
      group,
      base64: parseBase64Transaction(base64) ?? assert.fail('It is not base64'),
    }));
    const reviewer = new Reviewer(
      { intent, transactions, lastValidBlockHeight },
      {
        rpc: createRpc({ url: parseRpcUrl(this.mainnet.rpcUrl) }),
        policy: () => ({}),
        isSimulating: true,
        nowMs: () => Date.now(),
        reviewOperation,
        prior: undefined,
        signal: new AbortController().signal,
        log: (problem) => void problems.push(problem),
      },
    );
    assertAllowed(await reviewer.review(), 'with the RPC', except);
    assert.deepEqual(problems, []);
  }

  #priceOf(mint: Address): readonly (readonly [Address, number])[] {
    const token = Object.values(this.mainnet.tokens).find((one) => one.mint === mint);
    const price = token === undefined ? undefined : DOLLARS[token.symbol];
    return price === undefined ? [] : [[mint, price]];
  }
}

/** All transactions of an entry, as they land. */
export function entryOf({ swapTxsWithJito, addLiquidityTxsWithJito }: WireAdd): readonly string[] {
  return [...swapTxsWithJito, ...addLiquidityTxsWithJito];
}

/** All transactions of a withdrawal, as they land. */
export function exitOf({ closeTxsWithJito, swapTxsWithJito }: WireDecrease): readonly string[] {
  return [...closeTxsWithJito, ...swapTxsWithJito];
}

/** The amount of a token among the proceeds for an output, whole. */
export function quoted(quote: WireDecreaseQuote, output: keyof WireDecreaseQuote['outputs'], mint: string): number {
  return Number(quote.outputs[output].find(({ address: of }) => of === mint)?.amount ?? 0);
}

type Lists = readonly [readonly string[], readonly string[]];

/** Without tips both variants are the same transactions. */
function distinct(variants: readonly Lists[]): readonly Lists[] {
  return [...new Map(variants.map((lists) => [JSON.stringify(lists), lists])).values()];
}

function grouped(group: TransactionGroup, texts: readonly string[]): ReviewInput['transactions'] {
  return texts.map((base64) => ({ group, base64 }));
}

interface PricedToken {
  readonly symbol: string;
  readonly mint: Address;
  readonly decimals: number;
}

function referenceOf(from: PricedToken, to: PricedToken): PriceReference {
  const micro = ({ symbol }: PricedToken): bigint => BigInt(Math.round((DOLLARS[symbol] ?? 0) * 1e6));
  return {
    inMint: from.mint,
    outMint: to.mint,
    inAmountRaw: micro(to) * 10n ** BigInt(from.decimals),
    outAmountRaw: micro(from) * 10n ** BigInt(to.decimals),
  };
}

function assertAllowed({ verdict, findings }: Review, what: string, except: readonly string[]): void {
  const questions = findings.filter((finding) => finding.verdict !== 'info' && !except.includes(finding.rule));
  assert.deepEqual(
    questions.map(({ rule, message, transaction }) => `${rule} ${String(transaction)} ${message}`),
    [],
    what,
  );
  if (except.length === 0) {
    assert.equal(verdict, 'allow', what);
  }
}
