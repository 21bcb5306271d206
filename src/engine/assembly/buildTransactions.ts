import { Keypair } from '@solana/web3.js';
import { WHOLE_BPS } from '../../base/basisPoints';
import { binArrayIndex, type BinRange, BINS_PER_ARRAY, MAX_BIN_ID, MAX_BINS_PER_POSITION, MIN_BIN_ID, widthOf } from '../../base/dlmm/bins';
import { type Address, addressFromBytes } from '../../base/solana/address';
import { dammPosition } from '../../base/solana/pda';
import { WRAPPED_SOL_MINT } from '../../base/solana/programs';
import { MAX_HOPS, MAX_SWAP_BIN_ARRAYS, routeWithAccounts, tokensBought } from './jupiterRoute';
import { depositBins, depositProduct, withdrawBins, withdrawProduct } from './poolSteps';
import { assemble, type BuildStep, pack, together } from './transactions';
import {
  type AddPlan,
  type AddTransactions,
  type BinAddPlan,
  type BuildLookupTable,
  type DecreasePlan,
  type DecreaseTransactions,
  type PositionAddresses,
  PlanError,
  type ProductAddPlan,
  type ProductDecreasePlan,
  type SwapPlan,
  type WrittenSwap,
} from './types';
import { addVersions, decreaseVersions, isOneVersion1 } from './versions';
import { createTokenAccount, unwrapSol, withTip, WRAPPED_SOL, wrapSol } from './walletInstructions';

/**
 * Builds a withdrawal: liquidity and fees are removed, the position is closed if it is empty, swaps follow, and SOL is unwrapped. Each of
 * these has transactions of its own, of the version that the plan asks for (versions.ts): v0 swaps use the lookup table. If all are v1, they
 * share transactions.
 * @throws PlanError if the plan is out of bounds
 */
export function buildDecrease(plan: DecreasePlan): DecreaseTransactions {
  checkDecreasePlan(plan);
  const { owner, pool, swaps } = plan;
  const versions = decreaseVersions(plan);

  const accounts = together(createTokenAccount(owner, pool.tokenX), createTokenAccount(owner, pool.tokenY));
  const [first, ...more] = plan.type === 'bins' ? withdrawBins(plan) : withdrawProduct(plan);
  const withdrawal = withTip([together(accounts, ...(first === undefined ? [] : [first])), ...more], plan);
  const swapping = { terms: plan, version: versions.swap, lookupTables: tablesOf(plan) };
  const trades = swaps.flatMap((swap) => routeWithAccounts(owner, swap, swapping));
  const unwrap = bringsSol(plan) && plan.keepsWrappedSol !== true ? [unwrapSol(owner)] : [];

  if (isOneVersion1(versions)) {
    const packed = pack([...withdrawal, ...trades, ...unwrap], { terms: plan, version: 1 });
    const isSwap = packed.map(({ steps }) => !steps.some((of) => withdrawal.includes(of)) && steps.some((of) => trades.includes(of)));
    const swapsFrom = isSwap.includes(true) ? isSwap.indexOf(true) : packed.length;
    const transactions = packed.map(({ bytes }) => bytes);
    return { closeTransactions: transactions.slice(0, swapsFrom), swapTransactions: transactions.slice(swapsFrom) };
  }
  const closeTransactions = assemble(withdrawal, { terms: plan, version: versions.pool });
  const swapTransactions = assemble(trades, swapping);
  const last = assemble(unwrap, { terms: plan, version: versions.unwrap });
  return swaps.length > 0
    ? { closeTransactions, swapTransactions: [...swapTransactions, ...last] }
    : { closeTransactions: [...closeTransactions, ...last], swapTransactions };
}

/** The lookup tables of the swaps, each once. */
export function tablesOf({ lookupTable, swaps }: Pick<AddPlan, 'lookupTable' | 'swaps'>): readonly BuildLookupTable[] {
  const tables = [lookupTable, ...swaps.flatMap((swap) => ('hops' in swap ? [] : swap.lookupTables))];
  return [...new Map(tables.flatMap((table) => (table === undefined ? [] : [[table.address, table] as const]))).values()];
}

function bringsSol({ pool, swaps, rewards = [] }: DecreasePlan): boolean {
  const tokens = [pool.tokenX, pool.tokenY, ...rewards.map(({ token }) => token), ...swaps.flatMap(tokensBought)];
  return tokens.some((token) => token.mint === WRAPPED_SOL_MINT);
}

/**
 * Builds a deposit: SOL is wrapped, swaps follow, a new position is opened (its key, or the key of its NFT mint, has signed), the position is
 * filled, and the rest is unwrapped. Versions are those that the plan asks for, as in {@link buildDecrease}. Ranges above 70 bins need several
 * transactions, each of which opens a new position if it does not exist.
 * @throws PlanError if the plan is out of bounds
 */
export function buildAdd(plan: AddPlan): AddTransactions {
  checkAddPlan(plan);
  const { owner, pool, swaps } = plan;
  const coSigner = plan.into === undefined ? Keypair.fromSeed(plan.positionSeed) : undefined;
  const versions = addVersions(plan);

  const wrap = plan.wrapLamports > 0n ? [wrapped(owner, plan.wrapLamports)] : [];
  const swapping = { terms: plan, version: versions.swap, coSigner, lookupTables: tablesOf(plan) };
  const trades = swaps.flatMap((swap) => routeWithAccounts(owner, swap, swapping));
  const accounts = [createTokenAccount(owner, pool.tokenX), createTokenAccount(owner, pool.tokenY)];
  const isOne = isOneVersion1(versions);
  const { position, nftMint, deposit } = filledPosition(plan, isOne ? [...wrap, ...trades, ...accounts] : []);
  const added = withTip([...accounts, ...deposit], plan);
  const unwrap = usesWrappedSol(plan) && plan.keepsWrappedSol !== true ? [unwrapSol(owner)] : [];

  if (isOne) {
    const packed = pack([...wrap, ...trades, ...added, ...unwrap], { terms: plan, version: 1, coSigner });
    const fills = added.slice(accounts.length);
    const addsFrom = packed.findIndex(({ steps }) => steps.some((of) => fills.includes(of)));
    const transactions = packed.map(({ bytes }) => bytes);
    return { position, nftMint, swapTransactions: transactions.slice(0, addsFrom), addTransactions: transactions.slice(addsFrom) };
  }
  return {
    position,
    nftMint,
    swapTransactions: swaps.length > 0 ? assemble([...wrap, ...trades], swapping) : [],
    addTransactions: [
      ...assemble(swaps.length > 0 ? added : [...wrap, ...added], { terms: plan, version: versions.pool, coSigner }),
      ...assemble(unwrap, { terms: plan, version: versions.unwrap }),
    ],
  };
}

/** The step that opens the position, part of each transaction that fills it; `undefined` if nothing is filled. */
export function openingOf(plan: AddPlan): BuildStep | undefined {
  return filledPosition(plan).deposit.at(-1)?.opening;
}

function keyOf({ positionSeed }: AddPlan): Address {
  return addressFromBytes(Keypair.fromSeed(positionSeed).publicKey.toBytes());
}

/** Wraps SOL in the owner's account, which is created if it does not exist. */
export function wrapped(owner: Address, lamports: bigint): BuildStep {
  return together(createTokenAccount(owner, WRAPPED_SOL), wrapSol(owner, lamports));
}

/**
 * The position, and the steps that fill it and open a new one.
 * @param before steps that share transactions with the first deposit
 */
function filledPosition(plan: AddPlan, before: readonly BuildStep[] = []): PositionAddresses & { readonly deposit: readonly BuildStep[] } {
  if (plan.type === 'bins') {
    const position = plan.into?.position ?? keyOf(plan);
    return { position, nftMint: undefined, deposit: depositBins(plan, position, before) };
  }
  const nftMint = plan.into?.nftMint ?? keyOf(plan);
  const position = dammPosition(nftMint);
  return { position, nftMint, deposit: depositProduct(plan, position, nftMint) };
}

function usesWrappedSol({ pool, wrapLamports, swaps }: AddPlan): boolean {
  const tokens = [pool.tokenX, pool.tokenY, ...swaps.flatMap(tokensBought)];
  return wrapLamports > 0n || tokens.some((token) => token.mint === WRAPPED_SOL_MINT);
}

const SEED_BYTES = 32;

/** Bins of the 1,024 bin arrays in the bitmap of a pool. Beyond them the program requires the extension of the bitmap. */
const MIN_BITMAP_BIN = -512 * BINS_PER_ARRAY;

const MAX_BITMAP_BIN = 512 * BINS_PER_ARRAY - 1;

/**
 * Checks the bounds of a withdrawal.
 * @throws PlanError if a value is out of bounds
 */
function checkDecreasePlan(plan: DecreasePlan): void {
  checkWhole('shareBps', plan.shareBps, 1, WHOLE_BPS);
  plan.swaps.forEach(checkSwap);
  if (plan.type === 'bins') {
    checkRange(plan, plan.hasBitmapExtension === true);
    return;
  }
  checkProduct(plan, plan.shareBps === WHOLE_BPS ? 0n : 1n);
  if (plan.position !== dammPosition(plan.nftMint)) {
    throw new PlanError('The position is not the one of its NFT');
  }
}

/**
 * Checks the bounds of a deposit.
 * @throws PlanError if a value is out of bounds
 */
function checkAddPlan(plan: AddPlan): void {
  checkUnsigned('amountX', plan.amountX, 64);
  checkUnsigned('amountY', plan.amountY, 64);
  if (plan.amountX + plan.amountY === 0n) {
    throw new PlanError('A deposit needs an amount of one token at least');
  }
  if (plan.wrapLamports < 0n) {
    throw new PlanError('SOL to wrap must not be negative');
  }
  if (plan.positionSeed.length !== SEED_BYTES) {
    throw new PlanError(`A key's seed has ${SEED_BYTES} bytes, not ${plan.positionSeed.length}`);
  }
  plan.swaps.forEach(checkSwap);
  if (plan.type === 'bins') {
    checkBinDeposit(plan);
  } else {
    checkProduct(plan, 1n);
  }
}

function checkBinDeposit(plan: BinAddPlan): void {
  checkRange(plan, plan.bitmapExtension !== undefined);
  checkWhole('maxActiveBinSlippage', plan.maxActiveBinSlippage, 0, MAX_BINS_PER_POSITION);
  for (const index of plan.missingBinArrayIndexes) {
    checkWhole('missingBinArrayIndexes', index, binArrayIndex(plan.fromBinId), binArrayIndex(plan.toBinId));
  }
}

function checkProduct(plan: ProductAddPlan | ProductDecreasePlan, leastLiquidity: bigint): void {
  checkUnsigned('amountX', plan.amountX, 64);
  checkUnsigned('amountY', plan.amountY, 64);
  checkUnsigned('liquidity', plan.liquidity, 128);
  checkWhole('slippageBps', plan.slippageBps, 0, WHOLE_BPS);
  if (plan.liquidity < leastLiquidity) {
    throw new PlanError('There is no liquidity to move');
  }
}

function checkSwap(swap: SwapPlan | WrittenSwap): void {
  if (!('hops' in swap)) {
    return;
  }
  checkWhole('slippageBps', swap.slippageBps, 0, WHOLE_BPS);
  if (swap.inAmount <= 0n || swap.quotedOut <= 0n) {
    throw new PlanError('A swap must sell more than nothing, and be quoted more than nothing');
  }
  checkWhole('hops.length', swap.hops.length, 1, MAX_HOPS);
  for (const hop of swap.hops) {
    checkWhole('binArrays.length', hop.type === 'bins' ? hop.binArrays.length : 0, 0, MAX_SWAP_BIN_ARRAYS);
  }
}

function checkRange(range: BinRange, hasBitmapExtension: boolean): void {
  const [least, most] = hasBitmapExtension ? [MIN_BIN_ID, MAX_BIN_ID] : [MIN_BITMAP_BIN, MAX_BITMAP_BIN];
  checkWhole('fromBinId', range.fromBinId, least, most);
  checkWhole('toBinId', range.toBinId, range.fromBinId, most);
  checkWhole('The width of the range', widthOf(range), 1, MAX_BINS_PER_POSITION);
}

function checkWhole(what: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new PlanError(`${what} is ${value}; it has to be a whole number from ${least} to ${most}`);
  }
}

function checkUnsigned(what: string, value: bigint, bits: number): void {
  if (BigInt.asUintN(bits, value) !== value) {
    throw new PlanError(`${what} is ${value}; it has to be a whole number of ${bits} bits`);
  }
}
