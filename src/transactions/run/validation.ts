import * as l10n from '@vscode/l10n';
import { WHOLE_BPS } from '../../base/basisPoints';
import { MAX_BIN_ID, MAX_BINS_PER_POSITION, MIN_BIN_ID, widthOf } from '../../base/dlmm/bins';
import type { Address } from '../../base/solana/address';
import { formatRaw, isDecimals } from '../../base/solana/amounts';
import { SOL_DECIMALS, WRAPPED_SOL_MINT } from '../../base/solana/programs';
import type { PortfolioSnapshot } from '../../portfolio/types';
import type { OpenPosition } from '../../service/positions';
import { MOST_CLAIMED_POSITIONS } from '../../service/common';
import { OperationError } from '../errors';
import type { AddLiquidityPlan, ClaimPlan, TokenSwapPlan, TokensAtHand, UnwrapPlan, ZapInPlan, ZapOutPlan } from '../types';
import { refreshPositions, needsWalletWords, notReportedWords } from '../words';
import { otherDecimalsWords } from '../../review/rules/decimals';

const DECIMALS = 9;

/** Lamports as a number of SOL that is exact as JSON; `undefined` if a binary float can't hold it (from some eight million SOL on). */
export function exactSol(lamports: bigint): number | undefined {
  if (lamports > BigInt(Number.MAX_SAFE_INTEGER)) {
    return undefined;
  }
  const sol = Number(lamports) / 10 ** DECIMALS;
  return BigInt(sol.toFixed(DECIMALS).replace('.', '')) === lamports ? sol : undefined;
}

/** Significant decimal digits that every binary float keeps (IEEE 754). */
const EXACT_DIGITS = 15;

/**
 * A raw amount as a number of whole tokens, rounded down to fifteen digits: as JSON it has exactly these digits and never exceeds the
 * amount.
 * @param decimals 0 to 255
 */
export function wholeTokens(amountRaw: bigint, decimals: number): number {
  const digits = amountRaw.toString().length;
  const scale = 10n ** BigInt(Math.max(digits - EXACT_DIGITS, 0));
  return Number(formatRaw(amountRaw - (amountRaw % scale), decimals));
}

/** The fields of a position that an operation needs, all present. */
interface PositionTarget {
  readonly position: Address;
  /** The service's id of the position. */
  readonly positionId: string;
  readonly pool: Address;
  readonly poolType: 'dlmm' | 'dammV2';
}

/** The fields of a position that a zap-out needs. */
export interface ZapOutTarget extends PositionTarget {
  /** Both inclusive; `undefined` if the pool has no bins or they are not listed. */
  readonly fromBinId: number | undefined;
  readonly toBinId: number | undefined;
}

/** A position whose fees are claimed, with the fields that a claim needs. */
export interface ClaimTarget extends PositionTarget {
  /** With the figures that the user was shown. */
  readonly asShown: OpenPosition;
  /** As it is listed now. */
  readonly listed: OpenPosition;
}

/**
 * Checks a plan of a claim: each position is the owner's, is still listed, and occurs once.
 * @throws OperationError (`invalidPlan`) that names the field
 */
export function checkClaim(
  { positions, owner }: ClaimPlan,
  snapshot: Pick<PortfolioSnapshot, 'owner' | 'positions'>,
): readonly [ClaimTarget, ...ClaimTarget[]] {
  checkWhole('positions', l10n.t('Positions'), new Set(positions.map(({ key }) => key)).size, 1, MOST_CLAIMED_POSITIONS);
  checkOwner(owner, snapshot.owner);
  const [first, ...others] = positions.map((asShown): ClaimTarget => {
    const target = checkPosition(asShown, owner);
    return { ...target, asShown, listed: checkListed(asShown, snapshot.positions) };
  });
  if (first === undefined) {
    throw invalid('positions', notListedWords(), refreshPositions());
  }
  return [first, ...others];
}

/** A valid plan of a deposit into a position in the units of the service. */
interface AddLiquidityTerms extends PositionTarget {
  /** As it is listed now. */
  readonly listed: OpenPosition;
  readonly amounts: ZapInAmounts | { readonly mode: 'compound' };
  readonly range: ZapInRange;
  /** The deposit as a zap-in to the pool would have it. */
  readonly deposit: ZapInPlan;
}

/**
 * Checks a plan of a deposit into a position: it is the owner's and still listed, and the deposit is one that the pool takes.
 * @throws OperationError (`invalidPlan`) that names the field
 */
export function checkAddLiquidity(plan: AddLiquidityPlan, snapshot: Pick<PortfolioSnapshot, 'owner' | 'positions'>): AddLiquidityTerms {
  const { position: asShown, owner, slippageBps } = plan;
  checkWhole('slippageBps', l10n.t('Slippage tolerance'), slippageBps, 0, WHOLE_BPS);
  checkOwner(owner, snapshot.owner);
  const target = checkPosition(asShown, owner);
  const listed = checkListed(asShown, snapshot.positions);
  const deposit = depositOf(plan, target);
  if (plan.deposit !== 'fees') {
    return { ...target, listed, deposit, ...checkZapIn(deposit, snapshot.owner) };
  }
  if ((listed.uncollectedFee0 ?? 0) + (listed.uncollectedFee1 ?? 0) <= 0) {
    throw invalid('position', l10n.t('The service reports no fees of this position.'), refreshPositions());
  }
  return { ...target, listed, deposit, amounts: { mode: 'compound' }, range: checkRange(deposit) };
}

/** Half of the value in each token stands for the ratio of the fees, which is not chosen. */
const ANY_PERCENT_X = 0.5;

function depositOf(
  { position, owner, deposit, strategy, slippageBps }: AddLiquidityPlan,
  { pool, poolType }: Pick<PositionTarget, 'pool' | 'poolType'>,
): ZapInPlan {
  const { pairName, token0, token1, lowerBinId, upperBinId, activeBinId, binStepBps, price0Usd, price1Usd } = position;
  const bins =
    poolType === 'dlmm'
      ? { strategy, fromBinId: lowerBinId, toBinId: upperBinId, activeBinId, binStepBps }
      : { strategy: undefined, fromBinId: undefined, toBinId: undefined, activeBinId: undefined, binStepBps: undefined };
  return {
    pool,
    poolType,
    pairName,
    tokenX: token0.address,
    tokenY: token1.address,
    symbolX: token0.symbol,
    symbolY: token1.symbol,
    owner,
    ...(deposit === 'fees' ? { inputLamports: 0n, percentX: ANY_PERCENT_X } : deposit),
    ...bins,
    slippageBps,
    prices: { decimalsX: token0.decimals, decimalsY: token1.decimals, priceXUsd: price0Usd, priceYUsd: price1Usd, solUsd: undefined },
  };
}

/** Checks that a position is the owner's, and that Binsight knows its kind. */
function checkPosition({ owner: whose, address, id, pool, poolType }: OpenPosition, owner: Address): PositionTarget {
  if (whose !== undefined && whose !== owner) {
    throw invalid('owner', needsWalletWords(whose), l10n.t('Switch to that wallet first.'));
  }
  if (address === undefined || id === undefined || pool === undefined) {
    throw invalid('position', notReportedWords(l10n.t('Address')), refreshPositions());
  }
  if (poolType === 'other') {
    throw invalid(
      'position',
      l10n.t('Binsight supports only Meteora DLMM and DAMM v2 pools: it signs nothing that it cannot check.'),
      l10n.t("Use the pool's own site."),
    );
  }
  return { position: address, positionId: id, pool, poolType };
}

/**
 * Checks a zap-out plan.
 * @param listedOwner the wallet whose positions the portfolio lists: the effect is looked for there
 * @throws OperationError (`invalidPlan`) that names the field
 */
export function checkZapOut({ position, owner, shareBps, slippageBps }: ZapOutPlan, listedOwner: Address | undefined): ZapOutTarget {
  checkWhole('shareBps', l10n.t('Share'), shareBps, 1, WHOLE_BPS);
  checkWhole('slippageBps', l10n.t('Slippage tolerance'), slippageBps, 0, WHOLE_BPS);
  checkOwner(owner, listedOwner);
  const target = checkPosition(position, owner);
  const { lowerBinId, upperBinId } = position;
  const bins =
    target.poolType === 'dlmm' && lowerBinId !== undefined && upperBinId !== undefined
      ? { fromBinId: lowerBinId, toBinId: upperBinId }
      : { fromBinId: undefined, toBinId: undefined };
  return { ...target, ...bins };
}

/**
 * Checks that the service in use lists a position: no zap-out of a position that another service listed or that is gone.
 * @returns the position as listed now
 * @throws OperationError (`invalidPlan`)
 */
export function checkListed({ key }: OpenPosition, listed: readonly OpenPosition[]): OpenPosition {
  const now = listed.find((position) => position.key === key);
  if (now === undefined) {
    throw invalid('position', notListedWords(), refreshPositions());
  }
  return now;
}

/** The range and strategy of a deposit; all `undefined` for pools without bins. */
export type ZapInRange = Pick<ZapInPlan, 'strategy' | 'fromBinId' | 'toBinId'>;

/** The amounts in the service's request: SOL exact to the lamport, or whole tokens. */
export type ZapInAmounts =
  | { readonly mode: 'zap-in'; readonly inputSol: number; readonly percentX: number }
  | { readonly mode: 'normal'; readonly amountX: number; readonly amountY: number };

/** A valid zap-in plan in the units of the service. */
export interface ZapInTerms {
  readonly amounts: ZapInAmounts;
  readonly range: ZapInRange;
}

/**
 * Checks a zap-in plan.
 * @param listedOwner the wallet whose positions the portfolio lists: the effect is looked for there
 * @throws OperationError (`invalidPlan`) that names the field
 */
export function checkZapIn(plan: ZapInPlan, listedOwner: Address | undefined): ZapInTerms {
  const { owner, slippageBps, tokens } = plan;
  checkWhole('slippageBps', l10n.t('Slippage tolerance'), slippageBps, 0, WHOLE_BPS);
  checkOwner(owner, listedOwner);
  const amounts = tokens === undefined ? checkSol(plan) : checkTokens(plan, tokens);
  return { amounts, range: checkRange(plan) };
}

function checkRange(plan: ZapInPlan): ZapInRange {
  switch (plan.poolType) {
    case 'dlmm':
      return checkBins(plan);
    case 'dammV2':
      return checkNoBins(plan);
  }
}

function checkSol({ inputLamports, percentX }: ZapInPlan): ZapInAmounts {
  checkAmount('inputLamports', inputLamports);
  const inputSol = exactSol(inputLamports);
  if (inputSol === undefined) {
    throw invalid('inputLamports', tooLargeWords(), l10n.t('Enter a smaller amount.'));
  }
  if (!(percentX >= 0 && percentX <= 1)) {
    throw invalid(
      'percentX',
      l10n.t`The share of the first token must be between 0 and 1, not ${percentX}.`,
      l10n.t('Choose another value.'),
    );
  }
  return { mode: 'zap-in', inputSol, percentX };
}

/** Token amounts on Solana are unsigned 64-bit integers. */
const MOST_RAW = 1n << 64n;

/** The review compares the deposits with the mints, so both mints must be known. */
function checkTokens({ inputLamports, tokenX, tokenY, prices }: ZapInPlan, { amountXRaw, amountYRaw }: TokensAtHand): ZapInAmounts {
  if (inputLamports !== 0n) {
    throw invalid('inputLamports', l10n.t('Deposit either SOL or the tokens, not both.'), l10n.t('Start again.'));
  }
  if (tokenX === undefined || tokenY === undefined || tokenX === tokenY) {
    throw invalid(
      tokenX === undefined ? 'tokenX' : 'tokenY',
      notReportedWords(l10n.t('Tokens')),
      l10n.t('Refresh the pools, or zap in with SOL.'),
    );
  }
  if (amountXRaw < 0n || amountYRaw < 0n || (amountXRaw === 0n && amountYRaw === 0n)) {
    throw invalid('tokens', l10n.t('The amount must be greater than 0.'), l10n.t('Enter another amount.'));
  }
  const whole = (field: string, mint: Address, amountRaw: bigint, decimals: number | undefined): number => {
    if (amountRaw >= MOST_RAW) {
      throw invalid(field, tooLargeWords(), l10n.t('Enter a smaller amount.'));
    }
    if (amountRaw === 0n) {
      return 0;
    }
    if (!isDecimals(decimals)) {
      throw invalid(field, notReportedWords(mint), l10n.t('Refresh the pools, or zap in with SOL.'));
    }
    if (mint === WRAPPED_SOL_MINT && decimals !== SOL_DECIMALS) {
      throw invalid(field, otherDecimalsWords('SOL', SOL_DECIMALS, decimals), l10n.t("Use the pool's own site."));
    }
    return wholeTokens(amountRaw, decimals);
  };
  return {
    mode: 'normal',
    amountX: whole('amountXRaw', tokenX, amountXRaw, prices.decimalsX),
    amountY: whole('amountYRaw', tokenY, amountYRaw, prices.decimalsY),
  };
}

function checkBins({ strategy, fromBinId, toBinId }: ZapInPlan): ZapInRange {
  if (strategy === undefined || fromBinId === undefined || toBinId === undefined) {
    const field = strategy === undefined ? 'strategy' : fromBinId === undefined ? 'fromBinId' : 'toBinId';
    throw invalid(field, l10n.t('This pool needs a range and a strategy.'), l10n.t('Choose both.'));
  }
  checkWhole('fromBinId', l10n.t('Lower bound'), fromBinId, MIN_BIN_ID, MAX_BIN_ID);
  checkWhole('toBinId', l10n.t('Upper bound'), toBinId, MIN_BIN_ID, MAX_BIN_ID);
  const width = widthOf({ fromBinId, toBinId });
  if (width < 1) {
    throw invalid('toBinId', l10n.t`The lower bin comes first: ${toBinId} to ${fromBinId}.`, l10n.t('Choose another value.'));
  }
  if (width > MAX_BINS_PER_POSITION) {
    throw invalid(
      'toBinId',
      l10n.t`The range has ${width} bins; a position holds at most ${MAX_BINS_PER_POSITION}.`,
      l10n.t('Choose another value.'),
    );
  }
  return { strategy, fromBinId, toBinId };
}

/** A pool without bins takes both tokens in equal value. */
function checkNoBins({ strategy, fromBinId, toBinId, percentX, tokens }: ZapInPlan): ZapInRange {
  for (const [field, value] of Object.entries({ strategy, fromBinId, toBinId })) {
    if (value !== undefined) {
      throw invalid(field, l10n.t('This pool has no bins, so it takes no range and no strategy.'), l10n.t('Start again.'));
    }
  }
  if (tokens !== undefined && (tokens.amountXRaw === 0n || tokens.amountYRaw === 0n)) {
    throw invalid('tokens', bothTokensWords(), l10n.t('Enter both amounts, or zap in with SOL.'));
  }
  if (tokens === undefined && (percentX === 0 || percentX === 1)) {
    throw invalid('percentX', bothTokensWords(), l10n.t('Choose another value.'));
  }
  return { strategy: undefined, fromBinId: undefined, toBinId: undefined };
}

/** Checks a plan of a swap. @throws OperationError (`invalidPlan`) that names the field */
export function checkSwap(
  { owner, sold, bought, amountRaw, slippageBps }: TokenSwapPlan,
  snapshot: Pick<PortfolioSnapshot, 'owner'>,
): void {
  checkWhole('slippageBps', l10n.t('Slippage tolerance'), slippageBps, 0, WHOLE_BPS);
  checkOwner(owner, snapshot.owner);
  checkAmount('amountRaw', amountRaw);
  if (amountRaw >= MOST_RAW) {
    throw invalid('amountRaw', tooLargeWords(), l10n.t('Enter a smaller amount.'));
  }
  if (sold.mint === bought.mint) {
    throw invalid('bought', l10n.t('The token cannot be swapped to itself.'), l10n.t('Choose another value.'));
  }
}

/** Checks a plan of an unwrapping. @throws OperationError (`invalidPlan`) that names the field */
export function checkUnwrap({ owner, lamports }: UnwrapPlan, snapshot: Pick<PortfolioSnapshot, 'owner'>): void {
  checkOwner(owner, snapshot.owner);
  checkAmount('lamports', lamports);
}

function checkAmount(field: string, amount: bigint): void {
  if (amount <= 0n) {
    throw invalid(field, l10n.t('The amount must be greater than 0.'), l10n.t('Enter another amount.'));
  }
}

function checkWhole(field: string, name: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw invalid(field, l10n.t`${name} must be a whole number from ${least} to ${most}, not ${value}.`, l10n.t('Choose another value.'));
  }
}

const notListedWords = (): string => l10n.t('This position is no longer listed. It may have been closed.');
const tooLargeWords = (): string => l10n.t('The amount is too large.');
const bothTokensWords = (): string => l10n.t('This pool takes both tokens.');

function checkOwner(owner: Address, listedOwner: Address | undefined): void {
  if (owner !== listedOwner) {
    throw invalid('owner', needsWalletWords(owner), l10n.t('Switch to that wallet first.'));
  }
}

function invalid(field: string, what: string, advice: string): OperationError {
  return new OperationError({ kind: 'invalidPlan', field, what, advice });
}
