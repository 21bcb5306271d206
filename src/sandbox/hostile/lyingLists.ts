import * as z from 'zod';
import { binOfUiPrice } from '../../base/dlmm/bins';
import type { Address } from '../../base/solana/address';
import type { DiscoverParameters, Engine, Eventually, HistoricalParameters, PoolPositionsParameters } from '../../engine/engine';
import { EngineDecorator } from '../../engine/engineDecorator';
import { type Glitch, glitched } from './glitches';

// Figures that a hostile service falsifies in lists to make its transactions look right: clients compare swaps and amounts with them. The rest
// of an answer stays unchanged.

/** Figures that a list can leave out. */
export const LEFT_OUT = ['price', 'worth', 'amounts'] as const;

type LeftOut = (typeof LEFT_OUT)[number];

export type ListLie =
  /** The token has this price, US dollars, everywhere; with `isConsistent`, figures derived from prices follow it. */
  | { readonly kind: 'wrongPrice'; readonly mint: Address; readonly usd: number; readonly isConsistent: boolean }
  /** Records have no prices, values or amounts. */
  | { readonly kind: 'missingWorth'; readonly of: LeftOut }
  /** Another token is listed in the place of one. */
  | { readonly kind: 'wrongToken'; readonly mint: Address; readonly as: Address }
  /** A position is left out, as if it had been closed. */
  | { readonly kind: 'missingPosition'; readonly position: Address }
  | Glitch;

/** Requests whose answers list prices, values or amounts. */
export const LISTS: readonly RegExp[] = [
  /^\/lp-positions\/(opening|position)\/?$/,
  /^\/pools\/discover\/?$/,
  /^\/pools\/[^/]+\/(info|positions)\/?$/,
  /^\/token\/balance\/?$/,
];

const FIELDS: Readonly<Record<LeftOut, readonly string[]>> = {
  price: ['price0', 'price1', 'base_price', 'quote_price', 'usd_price', 'usdPrice', 'prices', 'priceRange', 'balanceInUsd'],
  worth: ['value', 'valueNative', 'currentValue'],
  amounts: ['current', 'liquidity', 'positionState', 'unCollectedFee0', 'unCollectedFee1'],
};

/** The price field of balances. Bins have a field of the same name that is not a price in dollars. */
const PRICE_OF_BALANCE = 'price';

/** A hostile service that falsifies prices, values or amounts in lists. Its transactions are honest. */
export class LyingEngine extends EngineDecorator {
  readonly #lie: ListLie;

  constructor(honest: Engine, lie: ListLie) {
    super(honest);
    this.#lie = lie;
  }

  override opening(owner: Address): ReturnType<Engine['opening']> {
    return this.#changed(super.opening(owner));
  }

  override historical(parameters: HistoricalParameters): ReturnType<Engine['historical']> {
    return this.#changed(super.historical(parameters));
  }

  override discover(parameters: DiscoverParameters): ReturnType<Engine['discover']> {
    return this.#changed(super.discover(parameters));
  }

  override poolInfo(pool: string): ReturnType<Engine['poolInfo']> {
    return this.#changed(super.poolInfo(pool));
  }

  override poolPositions(parameters: PoolPositionsParameters): ReturnType<Engine['poolPositions']> {
    return this.#changed(super.poolPositions(parameters));
  }

  override tokenBalance(owner: Address, mints: readonly string[] | undefined): ReturnType<Engine['tokenBalance']> {
    return this.#changed(super.tokenBalance(owner, mints));
  }

  async #changed<Answer>(answer: Eventually<Answer>): Promise<Answer> {
    return falsified(await answer, this.#lie);
  }
}

/** The answer with the lie in its records, at any depth. */
function falsified<Answer>(answer: Answer, lie: ListLie): Answer {
  return changed(answer, lie) as Answer;
}

function changed(value: unknown, lie: ListLie): unknown {
  if (Array.isArray(value)) {
    return value.filter((item) => !isLeftOut(item, lie)).map((item) => changed(item, lie));
  }
  if (typeof value === 'string') {
    return lie.kind === 'wrongToken' && value === lie.mint ? lie.as : value;
  }
  if (!isRecord(value)) {
    return value;
  }
  const record = withLie(value, lie);
  return Object.fromEntries(Object.entries(record).map(([name, item]) => [name, changed(item, lie)]));
}

function withLie(record: Fields, lie: ListLie): Fields {
  switch (lie.kind) {
    case 'wrongPrice':
      return priced(record, lie);
    case 'missingWorth':
      return without(record, lie.of);
    case 'glitch':
      return glitched(record, lie);
    case 'wrongToken':
    case 'missingPosition':
      return record;
  }
}

function isLeftOut(item: unknown, lie: ListLie): boolean {
  return lie.kind === 'missingPosition' && isRecord(item) && item['position'] === lie.position;
}

type Fields = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function without(record: Fields, of: LeftOut): Fields {
  const names = new Set(FIELDS[of]);
  const isBalance = of === 'price' && 'tokenAddress' in record;
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.has(name) && !(isBalance && name === PRICE_OF_BALANCE)));
}

/** Changes one record. Nested records are changed on their own, except the bins of a pool, which don't name their tokens. */
function priced(record: Fields, { mint, usd, isConsistent }: Extract<ListLie, { kind: 'wrongPrice' }>): Fields {
  const names = [
    ...(record['token0'] === mint ? ['price0', 'base_price', 'usd_price'] : []),
    ...(record['token1'] === mint ? ['price1', 'quote_price'] : []),
    ...(record['id'] === mint ? ['usdPrice'] : []),
    ...(record['tokenAddress'] === mint ? [PRICE_OF_BALANCE] : []),
    mint,
  ].filter((name) => typeof record[name] === 'number');
  const changed = { ...record, ...Object.fromEntries(names.map((name) => [name, usd])) };
  if (!isConsistent) {
    return changed;
  }
  return names.length === 0 ? withBinsPriced(changed, mint, usd) : { ...changed, ...followingOf(changed) };
}

/** Figures of a position derived from the prices of its tokens: value and active bin. Empty for other records. */
function followingOf(record: Fields): Fields {
  const read = PricedPosition.safeParse(record);
  if (!read.success) {
    return {};
  }
  const { price0, price1, current, unCollectedFee0, unCollectedFee1, value, valueNative, range, poolInfo, decimal0, decimal1 } = read.data;
  const [lower, upper] = range;
  const worth = current.amount0Adjusted * price0 + current.amount1Adjusted * price1;
  return {
    value: worth,
    currentValue: String(worth),
    valueNative: value === 0 ? 0 : (valueNative * worth) / value,
    unCollectedFee: unCollectedFee0 * price0 + unCollectedFee1 * price1,
    range: [lower, upper, binOfUiPrice(price0 / price1, poolInfo.tickSpacing, decimal0, decimal1, 'down')],
  };
}

const PricedPosition = z.object({
  price0: z.number().positive(),
  price1: z.number().positive(),
  current: z.object({ amount0Adjusted: z.number(), amount1Adjusted: z.number() }),
  unCollectedFee0: z.number(),
  unCollectedFee1: z.number(),
  value: z.number(),
  valueNative: z.number(),
  range: z.tuple([z.int(), z.int(), z.int()]),
  poolInfo: z.object({ tickSpacing: z.int().positive() }),
  decimal0: z.int(),
  decimal1: z.int(),
});

function withBinsPriced(record: Fields, mint: Address, usd: number): Fields {
  const factor = factorOfBins(record, mint, usd);
  return factor === undefined ? record : { ...record, liquidityViz: scaled(record['liquidityViz'], factor) };
}

/** Factor by which the bin prices of a pool (token 1 for one token 0) change with the price of that token; `undefined`: not at all. */
function factorOfBins({ tokenInfo, liquidityViz }: Fields, mint: Address, usd: number): number | undefined {
  if (!Array.isArray(tokenInfo) || liquidityViz === undefined) {
    return undefined;
  }
  const tokens = tokenInfo
    .flatMap((entry: unknown): readonly unknown[] => (isRecord(entry) && Array.isArray(entry['data']) ? entry['data'] : []))
    .filter(isRecord);
  const side = tokens.findIndex(({ id }) => id === mint);
  const before = tokens[side]?.['usdPrice'];
  if (typeof before !== 'number' || before <= 0) {
    return undefined;
  }
  return side === 0 ? usd / before : before / usd;
}

/** Multiplies bin prices, decimal text, by a factor. */
function scaled(value: unknown, factor: number): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => scaled(item, factor));
  }
  if (!isRecord(value)) {
    return value;
  }
  const isPrice = (name: string): boolean => name === 'price' || name === 'pricePerToken';
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      isPrice(name) && typeof item === 'string' ? String(Number(item) * factor) : scaled(item, factor),
    ]),
  );
}
