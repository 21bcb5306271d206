import type { ServerResponse } from 'node:http';
import { CpAmm } from '@meteora-ag/cp-amm-sdk';
import DLMM from '@meteora-ag/dlmm';
import { PublicKey } from '@solana/web3.js';
import * as z from 'zod';
import { address } from '../../../src/base/solana/address';
import { PROGRAMS } from '../../../src/base/solana/programs';
import { SECOND_MS } from '../../../src/base/time';
import type { Landed } from '../mainnet/chain/nodeChain';
import type { Mainnet } from '../mainnet/mainnet';
import type { LittlePool } from '../mainnet/world/pool';
import type { LittleToken } from '../mainnet/world/tokens';
import { DataApiServer, type TimedRow, type WireDataFlow, type WireDataPool, type WireDataPosition } from './dataApiServer';
import { dammDataPool, dataPool, dataToken } from './dataPools';
import { DiscoveryServer } from './discoveryServer';
import type { LocalServer } from './localServer';
import { PriceServer } from './priceServer';

/** US dollars for one whole token of the little mainnet, about as its pools have it. */
const USD = { SOL: 150, USDC: 1, MEME: 0.15, TOLL: 1 } as const;
const FIRST_SCORE = 50;
const EVENT_TAG_BYTES = 8;
const TIMEFRAME_S: Readonly<Record<string, number>> = { '5m': 300, '30m': 1_800, '1h': 3_600, '4h': 14_400, '24h': 86_400 };
const NOTHING: WireDataFlow = { x: '0', y: '0', usd: 0, sol: 0 };

/** A public API that a service asks besides its RPC. */
export type MarketApi = keyof MarketApis['servers'];

/** An event of a program, by the name that its SDK gives it, in lower case. */
interface ProgramEvent {
  readonly name: string;
  readonly data: unknown;
  readonly landed: Landed;
  /** Among all inner instructions of its transaction. */
  readonly place: number;
}

const text = z.unknown().transform(String);
const PositionFields = z.object({ position: text });
const Created = z.object({ lbPair: text, position: text, owner: text });
const Moved = z.object({ position: text, amounts: z.tuple([text, text]) });
const Claimed = z.object({ position: text, feeX: text, feeY: text });
const BinSwap = z.object({ lbPair: text, endBinId: z.number() });
const Swap = z.object({ pool: text, swapResult: z.object({ nextSqrtPrice: text }) });
const Range = z.object({ lowerBinId: z.number(), upperBinId: z.number() });

/** Kinds of the API's events, by the event of the program. */
const KINDS: Readonly<Record<string, 'add' | 'remove' | 'claim_fee'>> = {
  addliquidity: 'add',
  removeliquidity: 'remove',
  claimfee2: 'claim_fee',
};

/**
 * The public APIs of a little mainnet: Meteora's of both pool types, pool discovery, and prices. What they say of pools and positions is read from
 * the chain by the SDKs' own decoders, apart from the code that is tested: deposits, withdrawals and claims of DLMM, and prices at swaps.
 */
export class MarketApis {
  readonly servers: Servers;
  readonly #mainnet: Mainnet;
  /** Of DLMM. */
  readonly #coder: DLMM['program']['coder'];

  private constructor(mainnet: Mainnet, servers: Servers, coder: DLMM['program']['coder']) {
    this.#mainnet = mainnet;
    this.servers = servers;
    this.#coder = coder;
  }

  /** Starts them, with the pools and no positions. */
  static async start(mainnet: Mainnet): Promise<MarketApis> {
    const { pools, sender, tokens } = mainnet;
    const { program } = await DLMM.create(sender.connection, new PublicKey(pools.solUsdc.address));
    const [dlmm, damm, discovery, prices] = await Promise.all([
      DataApiServer.start('dlmm'),
      DataApiServer.start('damm'),
      DiscoveryServer.start(),
      PriceServer.start(Object.fromEntries(Object.values(tokens).map((token) => [token.mint, USD[token.symbol]]))),
    ]);
    const all = Object.values<LittlePool>(pools);
    const of = (wanted: LittlePool['program']) => all.filter((pool) => pool.program === wanted);
    dlmm.pools = of('dlmm').map((pool, place) => dataPool(pool.address, place + 1, namesOf(pool)));
    damm.pools = of('damm').map((pool, place) => dammDataPool(pool.address, place + 1, namesOf(pool)));
    discovery.pools = all.map(({ address, x, y }, place) => ({
      pool_address: address,
      token_x: { address: x.mint, organic_score: FIRST_SCORE + place },
      token_y: { address: y.mint },
      in: Object.fromEntries(['5m', '1h', '24h'].map((window) => [window, { tvl: 1, volume: 1, fee: 1, pool_price_change_pct: 1 }])),
    }));
    return new MarketApis(mainnet, { dlmm, damm, discovery, prices }, program.coder);
  }

  /** How a service learns their addresses. */
  get environment(): Readonly<Record<string, string>> {
    const { dlmm, damm, discovery, prices } = this.servers;
    return {
      BINSIGHT_DATA_API_URL: dlmm.url,
      BINSIGHT_DAMM_DATA_API_URL: damm.url,
      BINSIGHT_DISCOVERY_API_URL: discovery.url,
      BINSIGHT_PRICE_API_URL: prices.url,
    };
  }

  /** Requests that do not fit the contracts. */
  get violations(): readonly string[] {
    const { dlmm, damm, discovery } = this.servers;
    return [dlmm, damm, discovery].flatMap(({ violations }) => violations);
  }

  /** Takes over what has happened on the chain. */
  update(): void {
    const { dlmm, damm } = this.servers;
    const events = this.#events();
    dlmm.positions = this.#positions(events);
    dlmm.events = this.#positionEvents(events);
    const candlesOf = (pool: string, timeframe: string): readonly TimedRow[] =>
      candles(this.#swapPrices(events, pool), TIMEFRAME_S[timeframe] ?? 0);
    dlmm.candlesOf = candlesOf;
    damm.candlesOf = candlesOf;
  }

  /** Breaks all connections to one of them, or to none. */
  breakDown(broken: MarketApi | undefined): void {
    for (const [name, server] of Object.entries<LocalServer>({ ...this.servers })) {
      server.trouble = name === broken ? (response: ServerResponse) => response.destroy() : undefined;
    }
  }

  async close(): Promise<void> {
    await Promise.all(Object.values<LocalServer>({ ...this.servers }).map((server) => server.close()));
  }

  #events(): readonly ProgramEvent[] {
    const { chain, sender } = this.#mainnet;
    const damm = new CpAmm(sender.connection)._program.coder.events;
    const landed = new Set([PROGRAMS.dlmm, PROGRAMS.dammV2].flatMap((program) => chain.transactionsOf(program)));
    return [...landed]
      .filter(({ error }) => error === null)
      .flatMap((transaction) =>
        transaction.execution.inner.flatMap(({ data }, place): ProgramEvent[] => {
          const encoded = Buffer.from(data.subarray(EVENT_TAG_BYTES)).toString('base64');
          const event = this.#coder.events.decode(encoded) ?? damm.decode(encoded);
          return event === null ? [] : [{ name: event.name.toLowerCase(), data: event.data, landed: transaction, place }];
        }),
      );
  }

  #positions(events: readonly ProgramEvent[]): readonly WireDataPosition[] {
    return events
      .filter(({ name }) => name === 'positioncreate')
      .map(({ data, landed }): WireDataPosition => {
        const { lbPair, position, owner } = Created.parse(data);
        const pool = this.#pool(lbPair);
        const own = events.filter((event) => PositionFields.safeParse(event.data).data?.position === position);
        const closing = own.find(({ name }) => name === 'positionclose')?.landed;
        const flow = (kind: 'add' | 'remove' | 'claim_fee'): WireDataFlow => {
          const moves = own.filter(({ name }) => KINDS[name] === kind).map((event) => amountsOf(event));
          return moves.length === 0 ? NOTHING : worthOf(pool, moves);
        };
        return {
          ...{ owner, pool: lbPair, address: position, createdAt: landed.blockTime, closedAt: closing?.blockTime },
          bins: this.#binsOf(position, closing === undefined ? undefined : closing.slot - 1),
          ...{ deposits: flow('add'), withdrawals: flow('remove'), fees: flow('claim_fee') },
        };
      });
  }

  #positionEvents(events: readonly ProgramEvent[]): DataApiServer['events'] {
    const created = new Map(
      events.filter(({ name }) => name === 'positioncreate').map(({ data }) => [Created.parse(data).position, Created.parse(data)]),
    );
    return events.flatMap((event) => {
      const { position } = PositionFields.safeParse(event.data).data ?? {};
      const [eventType, of] = [KINDS[event.name], created.get(position ?? '')];
      if (eventType === undefined || of === undefined) {
        return [];
      }
      const pool = this.#pool(of.lbPair);
      const [x, y] = amountsOf(event);
      const [wholeX, wholeY] = [whole(x, pool.x), whole(y, pool.y)];
      const [usdX, usdY] = [wholeX * usdOf(pool.x), wholeY * usdOf(pool.y)];
      return [
        {
          ...{ signature: event.landed.signature, slot: event.landed.slot, ixIndex: event.place, eventType },
          ...{ positionAddress: of.position, poolAddress: of.lbPair, userAddress: of.owner, blockTime: event.landed.blockTime },
          ...{ createdAt: new Date(event.landed.blockTime * SECOND_MS).toISOString(), tokenX: pool.x.symbol, tokenY: pool.y.symbol },
          ...{ amountX: String(wholeX), amountY: String(wholeY), amountXUsd: String(usdX), amountYUsd: String(usdY) },
          totalUsd: String(usdX + usdY),
        },
      ];
    });
  }

  /** Prices in whole tokens at the swaps in a pool, oldest first. */
  #swapPrices(events: readonly ProgramEvent[], of: string): readonly TimedPrice[] {
    const pool = this.#pool(of);
    const raw = (price: number): number => price * 10 ** (pool.x.decimals - pool.y.decimals);
    return events.flatMap(({ name, data, landed }): TimedPrice[] => {
      const inBins = name === 'swap2evt' ? BinSwap.parse(data) : undefined;
      const swap = name === 'evtswap2' ? Swap.parse(data) : undefined;
      if ((inBins?.lbPair ?? swap?.pool) !== of) {
        return [];
      }
      const price =
        inBins === undefined ? (Number(swap?.swapResult.nextSqrtPrice) / 2 ** 64) ** 2 : (1 + (pool.binStep ?? 0) / 1e4) ** inBins.endBinId;
      return [{ timeS: landed.blockTime, price: raw(price) }];
    });
  }

  /** The bins of a position, by its account at the end of a slot. */
  #binsOf(position: string, slot: number | undefined): readonly [lower: number, upper: number] {
    const account = this.#mainnet.chain.account(address(position), slot);
    const { lowerBinId, upperBinId } = Range.parse(this.#coder.accounts.decode('positionV2', Buffer.from(account?.data ?? [])));
    return [lowerBinId, upperBinId];
  }

  #pool(of: string): LittlePool {
    const pool = Object.values<LittlePool>(this.#mainnet.pools).find((one) => one.address === of);
    if (pool === undefined) {
      throw new RangeError(`There is no pool ${of}`);
    }
    return pool;
  }
}

interface Servers {
  readonly dlmm: DataApiServer;
  readonly damm: DataApiServer;
  readonly discovery: DiscoveryServer;
  readonly prices: PriceServer;
}

interface TimedPrice {
  readonly timeS: number;
  readonly price: number;
}

function namesOf({ x, y }: LittlePool): Partial<WireDataPool> {
  return {
    name: `${x.symbol}-${y.symbol}`,
    token_x: dataToken(x.mint, x.symbol, { decimals: x.decimals }),
    token_y: dataToken(y.mint, y.symbol, { decimals: y.decimals }),
  };
}

function amountsOf({ name, data }: ProgramEvent): readonly [x: bigint, y: bigint] {
  if (KINDS[name] === 'claim_fee') {
    const { feeX, feeY } = Claimed.parse(data);
    return [BigInt(feeX), BigInt(feeY)];
  }
  const [x, y] = Moved.parse(data).amounts;
  return [BigInt(x), BigInt(y)];
}

/** With the noise of floating point, as the API writes amounts. */
function whole(raw: bigint, { decimals }: LittleToken): number {
  return Number(raw) / 10 ** decimals;
}

function usdOf({ symbol }: LittleToken): number {
  return USD[symbol as keyof typeof USD];
}

function worthOf({ x, y }: LittlePool, moves: readonly (readonly [x: bigint, y: bigint])[]): WireDataFlow {
  const sum = (side: 0 | 1, token: LittleToken): number => moves.reduce((total, amounts) => total + whole(amounts[side], token), 0);
  const [wholeX, wholeY] = [sum(0, x), sum(1, y)];
  const usd = wholeX * usdOf(x) + wholeY * usdOf(y);
  return { x: String(wholeX), y: String(wholeY), usd, sol: usd / USD.SOL };
}

/** Candles of the intervals in which something was swapped. */
function candles(prices: readonly TimedPrice[], lengthS: number): readonly TimedRow[] {
  const intervals = new Map<number, number[]>();
  for (const { timeS, price } of prices) {
    const start = Math.floor(timeS / lengthS) * lengthS;
    intervals.set(start, [...(intervals.get(start) ?? []), price]);
  }
  return [...intervals].map(([timestamp, inIt]) => ({
    ...{ timestamp, timestamp_str: new Date(timestamp * SECOND_MS).toISOString(), volume: inIt.length },
    ...{ open: inIt[0], high: Math.max(...inIt), low: Math.min(...inIt), close: inIt.at(-1) },
  }));
}
