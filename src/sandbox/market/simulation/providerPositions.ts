import { binArraysOf, type BinRange } from '../../../base/dlmm/bins';
import { spreadOverBins, type Strategy } from '../../../base/dlmm/strategy';
import { addressFromBytes, type Address } from '../../../base/solana/address';
import { dlmmBinArray } from '../../../base/solana/pda';
import { shareOf, WHOLE_BPS } from '../../../base/basisPoints';
import { binArrayAccount, positionAccount, productPositionAccounts, type PlacedAccount } from '../accounts';
import { seededBytes } from '../random';
import { rawTokens } from '../units';
import type { Amounts, BinPool, MarketPool, PoolToken, Position, ProductPool } from '../types';
import type { SimulationContext, Payer } from './payers';

/** Size and composition of a deposit. */
export interface ProviderDeposit {
  readonly strategy: Strategy;
  readonly usd: number;
  /** Part of the value that goes into token X, 0 to 1; constant-product pools always take one half. */
  readonly partX: number;
}

/** A position to open. */
export interface PositionRequest extends ProviderDeposit {
  readonly owner: Address;
  /** Unique; the position's address is derived from it and the market's seed. */
  readonly label: string;
  /** `null` in constant-product pools. */
  readonly range: BinRange | null;
}

/** An open position and its accounts on the chain. */
export interface MadePosition {
  readonly position: Address;
  readonly accounts: readonly Address[];
}

/** Smallest deposit, US dollars. */
const MIN_USD = 1;
/** At most this part of a token's supply is deposited into pools; traders need the rest. */
const MAX_SUPPLY_PART = 0.3;

/** Opens, changes and closes positions without transactions: updates pools, books, accounts and payments together. */
export class ProviderPositions {
  /** By mint of the token. */
  readonly #poolsWith: ReadonlyMap<Address, readonly MarketPool[]>;

  readonly #context: SimulationContext;

  constructor(context: SimulationContext) {
    this.#context = context;

    const { pools, tokens } = context.market;
    this.#poolsWith = new Map(
      tokens.map(({ mint }) => [mint, pools.filter(({ tokenX, tokenY }) => tokenX.mint === mint || tokenY.mint === mint)]),
    );
  }

  /** Opens a position and deposits as much as the payer can afford. Does nothing and returns `undefined` if that is next to nothing. */
  open(pool: MarketPool, request: PositionRequest, payer: Payer): MadePosition | undefined {
    return pool.type === 'bins' ? this.#openBins(pool, request, payer) : this.#openProduct(pool, request, payer);
  }

  /** Deposits into an open position as much as the payer can afford; does nothing if that is next to nothing. */
  add(pool: MarketPool, address: Address, share: ProviderDeposit, payer: Payer): void {
    const usd = payer.affordableUsd(share.usd, 0n);
    if (usd < MIN_USD) {
      return;
    }
    const amounts = this.#amountsOf(pool, share, usd);
    if (pool.type === 'product') {
      this.#fillProduct(pool, address, pool.liquidityFor(amounts), payer);
    } else {
      this.#fillBins(pool, address, rangeOf(this.#positionAt(address)), share.strategy, amounts, payer);
    }
  }

  /** Withdraws a share of the liquidity; fees stay uncollected. */
  withdraw(pool: MarketPool, address: Address, shareBps: number, payer: Payer): void {
    const { books } = this.#context.market;
    const position = this.#positionAt(address);
    if (pool.type === 'bins') {
      payer.receive(pool, books.withdrawBins(pool, address, rangeOf(position), shareBps));
      return;
    }
    const liquidity = position.holding?.type === 'product' ? position.holding.liquidity : 0n;
    payer.receive(pool, books.withdrawLiquidity(pool, address, shareOf(liquidity, shareBps), shareBps));
  }

  collect(pool: MarketPool, address: Address, payer: Payer): void {
    payer.receive(pool, this.#context.market.books.collect(pool, address));
  }

  /** Withdraws everything, collects the fees, and removes the position and its accounts. */
  close(pool: MarketPool, { position, accounts }: MadePosition, payer: Payer): void {
    const { ledger, market } = this.#context;
    this.withdraw(pool, position, WHOLE_BPS, payer);
    this.collect(pool, position, payer);
    market.books.close(pool, position);
    for (const account of accounts) {
      payer.payRent(-ledger.lamports(account));
      ledger.setProgramAccount(account, undefined);
    }
  }

  #openBins(pool: BinPool, request: PositionRequest, payer: Payer): MadePosition | undefined {
    const { owner, label, range, strategy } = request;
    const { market, ledger } = this.#context;
    if (range === null) {
      throw new RangeError('A position in a bin pool has a range');
    }
    const address = addressFromBytes(seededBytes(market.seed, label));
    const arrays = binArraysOf(range.fromBinId, range.toBinId).filter((index) => !pool.binArrayIndexes.includes(index));
    const placed: PlacedAccount[] = [
      { at: address, account: positionAccount(pool.address, owner, range.fromBinId, range.toBinId, ledger.rent), what: 'the position' },
      ...arrays.map((index) => ({
        at: dlmmBinArray(pool.address, index),
        account: binArrayAccount(pool.address, index, ledger.rent),
        what: 'a bin array',
      })),
    ];
    const usd = payer.affordableUsd(request.usd, rentOf(placed));
    const amounts = this.#amountsOf(pool, request, usd);
    if (usd < MIN_USD || amounts.x + amounts.y === 0n) {
      return undefined;
    }
    this.#place(placed, payer);
    arrays.forEach((index) => pool.addBinArray(index));
    market.books.open({ address, owner, pool, strategy, range, nftMint: undefined });
    this.#fillBins(pool, address, range, strategy, amounts, payer);
    return { position: address, accounts: [address] };
  }

  #openProduct(pool: ProductPool, request: PositionRequest, payer: Payer): MadePosition | undefined {
    const { owner, label, strategy } = request;
    const { market, ledger } = this.#context;
    const nftMint = addressFromBytes(seededBytes(market.seed, label));
    const placed = productPositionAccounts(pool.address, owner, nftMint, ledger.rent);
    const address = placed.at(-1)?.at;
    const usd = payer.affordableUsd(request.usd, rentOf(placed));
    const liquidity = pool.liquidityFor(this.#amountsOf(pool, request, usd));
    if (usd < MIN_USD || liquidity === 0n || address === undefined) {
      return undefined;
    }
    this.#place(placed, payer);
    market.books.open({ address, owner, pool, strategy, range: undefined, nftMint });
    this.#fillProduct(pool, address, liquidity, payer);
    return { position: address, accounts: placed.map(({ at }) => at) };
  }

  #fillBins(pool: BinPool, address: Address, range: BinRange, strategy: Strategy, { x, y }: Amounts, payer: Payer): void {
    const bins = spreadOverBins({
      ...range,
      activeBinId: pool.activeBinId,
      binStepBps: pool.spec.binStepBps,
      strategy,
      amountX: x,
      amountY: y,
    });
    payer.payIn(pool, this.#context.market.books.depositBins(pool, address, bins));
  }

  #fillProduct(pool: ProductPool, address: Address, liquidity: bigint, payer: Payer): void {
    payer.payIn(pool, this.#context.market.books.depositLiquidity(pool, address, liquidity));
  }

  /** Creates accounts and pays their rent; lamports that are already at an address count towards it. */
  #place(accounts: readonly PlacedAccount[], payer: Payer): void {
    const { ledger } = this.#context;
    for (const { at, account } of accounts) {
      payer.payRent(account.lamports - ledger.lamports(at));
      ledger.setProgramAccount(at, account);
    }
  }

  /** Raw amounts of both tokens for a deposit of this value. */
  #amountsOf({ type, tokenX, tokenY }: MarketPool, { partX }: ProviderDeposit, usd: number): Amounts {
    const part = type === 'product' ? 0.5 : partX;
    return { x: this.#rawOf(tokenX, usd * part), y: this.#rawOf(tokenY, usd * (1 - part)) };
  }

  /** Raw amount of a token for this value; less if its price has crashed and the world cannot spare as much. */
  #rawOf(token: PoolToken, usd: number): bigint {
    const { market, ledger } = this.#context;
    const { mint, spec } = token;
    const wanted = rawTokens(Math.min(usd / market.usd(token), spec.supply), token);
    let left = rawTokens(spec.supply * MAX_SUPPLY_PART, token);
    for (const { tokenX, vaults } of this.#poolsWith.get(mint) ?? []) {
      left -= tokenX.mint === mint ? vaults.x : vaults.y;
    }
    const offered = ledger.tokenBalance(market.world, mint) / 2n;
    const most = left < 0n ? 0n : left < offered ? left : offered;
    return wanted < most ? wanted : most;
  }

  /** @throws RangeError if there is no such position */
  #positionAt(address: Address): Readonly<Position> {
    const position = this.#context.market.positions.at(address);
    if (position === undefined) {
      throw new RangeError(`No position ${address}`);
    }
    return position;
  }
}

function rangeOf({ lowerBinId, upperBinId }: Readonly<Position>): BinRange {
  if (lowerBinId === null || upperBinId === null) {
    throw new RangeError('A position in a constant-product pool has no range');
  }
  return { fromBinId: lowerBinId, toBinId: upperBinId };
}

function rentOf(accounts: readonly PlacedAccount[]): bigint {
  return accounts.reduce((sum, { account }) => sum + account.lamports, 0n);
}
