import { createHash } from 'node:crypto';
import type { BinRange } from '../../base/dlmm/bins';
import type { BinAmounts } from '../../base/dlmm/strategy';
import type { Address } from '../../base/solana/address';
import type { UnitOfWork } from '../store/unitOfWork';
import { wholeTokens } from './units';
import type {
  Amounts,
  BinHolding,
  BinPool,
  Books,
  Market,
  MarketPool,
  Position,
  MarketPositionEvent,
  ProductHolding,
  ProductPool,
  Valuation,
} from './types';

const FIRST_PART_DIGITS = 32;

/**
 * The opaque id of a position, in the format of the real service (32 hex digits, a colon, 96 hex digits). Depends only on seed and
 * address.
 */
export function opaqueId(seed: number, position: Address): string {
  const digits = createHash('sha512').update(`position ${seed} ${position}`).digest('hex');
  return `${digits.slice(0, FIRST_PART_DIGITS)}:${digits.slice(FIRST_PART_DIGITS)}`;
}

/** The part of the market that the ledger needs. */
type LedgerContext = Pick<Market, 'seed' | 'now' | 'usd' | 'usdSol' | 'positions'>;

const NOTHING: Amounts = { x: 0n, y: 0n };

const ADD_EVENT = `
  INSERT INTO position_event (position, number, owner, pool, action, at, amount_x, amount_y, usd_x, usd_y, usd_sol, bps, signature)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** The ledger of all positions of a market. */
export class PositionLedger implements Books {
  readonly #market: LedgerContext;
  readonly #unit: UnitOfWork;
  /** Of the transaction whose effects are applied; null: the simulation acts. */
  #signature: string | null = null;

  constructor(market: LedgerContext, unit: UnitOfWork) {
    this.#market = market;
    this.#unit = unit;
  }

  worthOf(pool: MarketPool, { x, y }: Amounts): Valuation {
    const usd = wholeTokens(x, pool.tokenX) * this.#market.usd(pool.tokenX) + wholeTokens(y, pool.tokenY) * this.#market.usd(pool.tokenY);
    return { usd, native: usd / this.#market.usdSol };
  }

  during(signature: string, apply: () => void): void {
    this.#signature = signature;
    try {
      apply();
    } finally {
      this.#signature = null;
    }
  }

  /** @throws RangeError if range or NFT do not fit the pool's type, or the pool has no such range */
  open({ address, owner, pool, strategy, range, nftMint }: Parameters<Books['open']>[0]): Position {
    const { seed, now } = this.#market;
    const position: Position = {
      address,
      id: opaqueId(seed, address),
      owner,
      pool: pool.address,
      type: pool.type,
      strategy,
      lowerBinId: range?.fromBinId ?? null,
      upperBinId: range?.toBinId ?? null,
      nftMint: nftMint ?? null,
      openedAt: now,
      updatedAt: now,
      input: { usd: 0, native: 0 },
      output: { usd: 0, native: 0 },
      collectedFee: { usd: 0, native: 0 },
      eventCount: 0,
      closing: null,
      holding: emptyHolding(pool, range, nftMint),
    };
    this.#market.positions.add(position);
    return position;
  }

  depositBins(pool: BinPool, address: Address, bins: readonly BinAmounts[]): Amounts {
    const { position, holding } = this.#inBins(pool, address);
    return this.#deposited(pool, position, pool.deposit(holding, bins, this.#market.now));
  }

  depositLiquidity(pool: ProductPool, address: Address, liquidity: bigint): Amounts {
    const { position, holding } = this.#inProduct(pool, address);
    return this.#deposited(pool, position, pool.deposit(holding, liquidity));
  }

  withdrawBins(pool: BinPool, address: Address, range: BinRange, shareBps: number): Amounts {
    const { position, holding } = this.#inBins(pool, address);
    return this.#withdrawn(pool, position, pool.withdraw(holding, range, shareBps), shareBps);
  }

  withdrawLiquidity(pool: ProductPool, address: Address, liquidity: bigint, shareBps: number): Amounts {
    const { position, holding } = this.#inProduct(pool, address);
    return this.#withdrawn(pool, position, pool.withdraw(holding, liquidity), shareBps);
  }

  collect(pool: MarketPool, address: Address, range?: BinRange): Amounts {
    const position = this.#openAt(pool, address);
    const amounts = collectFrom(pool, position, range);
    if (amounts.x > 0n || amounts.y > 0n) {
      add(position.collectedFee, this.worthOf(pool, amounts));
      this.#note(pool, position, 'claim_fee', amounts, null);
    }
    return amounts;
  }

  close(pool: MarketPool, address: Address): void {
    const position = this.#openAt(pool, address);
    if (!this.isEmpty(pool, position)) {
      throw new RangeError(`The position ${address} is not empty`);
    }
    this.#note(pool, position, 'close_position', NOTHING, null);
    const { now, usdSol } = this.#market;
    position.closing = {
      at: now,
      activeBinId: pool.type === 'bins' ? pool.activeBinId : null,
      usdX: this.#market.usd(pool.tokenX),
      usdY: this.#market.usd(pool.tokenY),
      usdSol,
    };
    position.holding = null;
  }

  amountsOf(pool: MarketPool, { holding }: Readonly<Position>): Amounts {
    if (pool.type === 'bins') {
      return holding?.type === 'bins' ? pool.amountsOf(holding) : NOTHING;
    }
    return holding?.type === 'product' ? pool.amountsOf(holding) : NOTHING;
  }

  feesOf(pool: MarketPool, { holding }: Readonly<Position>): Amounts {
    if (pool.type === 'bins') {
      return holding?.type === 'bins' ? pool.feesOf(holding) : NOTHING;
    }
    return holding?.type === 'product' ? pool.feesOf(holding) : NOTHING;
  }

  /** Whether neither shares nor fees are left. Shares of an empty bin count. */
  isEmpty(pool: MarketPool, position: Readonly<Position>): boolean {
    const { holding } = position;
    if (holding === null) {
      return true;
    }
    const { x, y } = this.feesOf(pool, position);
    return x === 0n && y === 0n && (holding.type === 'bins' ? holding.bins.every(({ shares }) => shares === 0n) : holding.liquidity === 0n);
  }

  #deposited(pool: MarketPool, position: Position, amounts: Amounts): Amounts {
    add(position.input, this.worthOf(pool, amounts));
    this.#note(pool, position, 'add_liquidity', amounts, null);
    return amounts;
  }

  #withdrawn(pool: MarketPool, position: Position, amounts: Amounts, shareBps: number): Amounts {
    add(position.output, this.worthOf(pool, amounts));
    this.#note(pool, position, 'remove_liquidity', amounts, shareBps);
    return amounts;
  }

  #inBins(pool: BinPool, address: Address): { readonly position: Position; readonly holding: BinHolding } {
    const position = this.#openAt(pool, address);
    if (position.holding?.type !== 'bins') {
      throw new RangeError(`The position ${address} has no bins`);
    }
    return { position, holding: position.holding };
  }

  #inProduct(pool: ProductPool, address: Address): { readonly position: Position; readonly holding: ProductHolding } {
    const position = this.#openAt(pool, address);
    if (position.holding?.type !== 'product') {
      throw new RangeError(`The position ${address} is one of bins`);
    }
    return { position, holding: position.holding };
  }

  /** @throws RangeError if the pool has no such open position */
  #openAt(pool: MarketPool, address: Address): Position {
    const position = this.#market.positions.edit(address);
    if (position?.closing !== null || position.pool !== pool.address) {
      throw new RangeError(`There is no open position ${address} in ${pool.pairName}`);
    }
    return position;
  }

  #note(pool: MarketPool, position: Position, action: MarketPositionEvent['action'], { x, y }: Amounts, bps: number | null): void {
    const { now, usdSol } = this.#market;
    position.updatedAt = now;
    this.#unit.append(
      ADD_EVENT,
      position.address,
      position.eventCount,
      position.owner,
      pool.address,
      action,
      now,
      x.toString(),
      y.toString(),
      this.#market.usd(pool.tokenX),
      this.#market.usd(pool.tokenY),
      usdSol,
      bps,
      this.#signature,
    );
    position.eventCount += 1;
  }
}

function emptyHolding(pool: MarketPool, range: BinRange | undefined, nftMint: Address | undefined): BinHolding | ProductHolding {
  if (pool.type === 'bins') {
    if (range === undefined || nftMint !== undefined) {
      throw new RangeError(`A position in ${pool.pairName} has a range of bins and no NFT`);
    }
    return pool.newHolding(range);
  }
  if (range !== undefined || nftMint === undefined) {
    throw new RangeError(`A position in ${pool.pairName} has an NFT and no range of bins`);
  }
  return pool.newHolding();
}

function collectFrom(pool: MarketPool, { holding }: Position, range: BinRange | undefined): Amounts {
  if (pool.type === 'bins') {
    return holding?.type === 'bins' ? pool.collect(holding, range) : NOTHING;
  }
  return holding?.type === 'product' ? pool.collect(holding) : NOTHING;
}

function add(to: Valuation, sum: Valuation): void {
  to.usd += sum.usd;
  to.native += sum.native;
}
