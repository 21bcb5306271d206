import { PublicKey } from '@solana/web3.js';
import BN from 'bn.js';
import { rangeAround } from '../../base/dlmm/bins';
import type { Address } from '../../base/solana/address';
import { HOUR_S } from '../../base/time';
import type { ProtocolNames } from '../../engine/engine';
import { binPrice, type BinPriceScale, MAX_SHOWN, shownBins } from '../../engine/records/binRecords';
import { wholeTokens } from '../../engine/records/positionRecord';
import { isoDate } from '../../engine/records/text';
import type { WirePoolInfo, WireTokenFacts } from '../../engine/wire/pools';
import { DataLog } from '../dataApi/dataLog';
import { type DataApi, DataApiError, type DataPool, type DataToken, type VolumeBucket } from '../dataApi/types';
import type { PriceSource } from '../prices/types';
import type { ChainRpc } from '../rpc/types';
import { BinReserves } from '../pools/binAmounts';
import { fullyDilutedValue, worthOf } from './listedPool';
import type { MintFacts } from '../pools/mints';
import type { PoolDetails } from '../pools/poolReader';
import { SharedAnswers } from '../pools/sharedAnswers';

/** What the details of a pool need. */
export interface PoolInfoOptions {
  readonly rpc: ChainRpc;
  readonly prices: PriceSource;
  /** `undefined`: without the data API. */
  readonly dataApi: DataApi | undefined;
  readonly protocols: ProtocolNames;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: (line: string) => void;
}

/** What the data API knows of a pool's trading. */
interface Trading {
  readonly pool: DataPool | undefined;
  /** By the hour, oldest first. */
  readonly hours: readonly VolumeBucket[];
  /** `false`: a request failed. */
  readonly isWhole: boolean;
}

const NOTHING: Trading = { pool: undefined, hours: [], isWhole: true };
const TRADING_GOOD_FOR_MS = 30_000;
const FAILURE_GOOD_FOR_MS = 5_000;
const MOST_POOLS = 200;
const SHOWN_HOURS = 7 * 24;
/** Fields of an account without a meaning. */
const PADDING = /^_?(?:padding|reserved)\d*$/i;

/** Details of pools: from their accounts, with what the data API knows of their trading. */
export class PoolInfoRecords {
  readonly #options: PoolInfoOptions;
  readonly #failures: DataLog;
  readonly #trading: SharedAnswers<Address, Trading>;

  constructor(options: PoolInfoOptions) {
    this.#options = options;
    this.#failures = new DataLog(options.log);
    this.#trading = new SharedAnswers({
      most: MOST_POOLS,
      goodForMs: ({ isWhole }) => (isWhole ? TRADING_GOOD_FOR_MS : FAILURE_GOOD_FOR_MS),
      now: options.now,
    });
  }

  /** The details of a pool. Figures that are neither on the chain nor in the data API are null. */
  async of(details: PoolDetails): Promise<WirePoolInfo> {
    const { prices, protocols, now } = this.#options;
    const { state, x, y, account } = details;
    const [trading, usd, viz] = await Promise.all([this.#tradingOf(details), prices.now([x.mint, y.mint]), this.#liquidityViz(details)]);
    const protocol = state.program === 'dlmm' ? protocols.bins : protocols.product;
    const [amountX, amountY] = [wholeTokens(state.reserves.x, x), wholeTokens(state.reserves.y, y)];
    const [listedX, listedY] = [listedToken(trading.pool, x), listedToken(trading.pool, y)];
    const [usdX, usdY] = [usd.get(x.mint) ?? listedX?.priceUsd, usd.get(y.mint) ?? listedY?.priceUsd];
    const figures = {
      tvl: worthOf(amountX, usdX, amountY, usdY) ?? trading.pool?.tvlUsd ?? null,
      fee: state.fees.basePercent,
      fee_24h: trading.pool?.feesUsd['24h'] ?? null,
      vol_5m: null,
      vol_1h: trading.pool?.volumeUsd['1h'] ?? null,
      vol_6h: null,
      vol_24h: trading.pool?.volumeUsd['24h'] ?? null,
    };
    const createdAt = trading.pool?.createdAtMs;
    return {
      type: protocol,
      tokenInfo: [tokenFacts(x, usdX, listedX), tokenFacts(y, usdY, listedY)].map((facts) => ({ status: 'success', data: [facts] })),
      poolStats: { pool: state.address, ...figures, updated_at: isoDate(now()) },
      poolState: plainAccount(account.decoded),
      poolDb: {
        pool: state.address,
        protocol,
        pairName: `${x.symbol}/${y.symbol}`,
        token0: x.mint,
        token1: y.mint,
        bin_step: state.binStep ?? 0,
        ...figures,
        created_at: createdAt === undefined ? null : isoDate(createdAt),
      },
      amountX,
      amountY,
      feeInfo: {
        baseFeeRatePercentage: state.fees.basePercent,
        maxFeeRatePercentage: state.fees.maximumPercent,
        protocolFeePercentage: state.fees.protocolPercent,
        dynamicFee: state.fees.dynamicPercent,
      },
      feeStats: trading.hours.map(({ timeS, feesUsd, volumeUsd }) => ({
        timestamp: isoDate(timeS * 1_000),
        fee: feesUsd,
        volume: volumeUsd,
      })),
      ...(viz === undefined ? {} : { liquidityViz: viz }),
    };
  }

  async #liquidityViz({ state, x, y }: PoolDetails): Promise<WirePoolInfo['liquidityViz']> {
    const { address, activeBinId, binStep } = state;
    if (activeBinId === undefined || binStep === undefined) {
      return undefined;
    }
    const scale: BinPriceScale = { binStepBps: binStep, token0: x, token1: y };
    const amounts = await BinReserves.read(this.#options.rpc, address, [rangeAround(activeBinId, MAX_SHOWN)]);
    return { activeBin: binPrice(scale, activeBinId), bins: shownBins(scale, activeBinId, (binId) => amounts.of(binId)) };
  }

  /** The data API knows only DLMM pools. What it does not answer is unknown. */
  async #tradingOf({ state: { address, program } }: PoolDetails): Promise<Trading> {
    const { dataApi, now } = this.#options;
    if (dataApi === undefined || program !== 'dlmm') {
      return NOTHING;
    }
    return await this.#trading.of(address, async () => {
      const endS = Math.floor(now() / 1_000);
      const startS = endS - SHOWN_HOURS * HOUR_S;
      const [pool, hours] = await Promise.all([
        orFailure(dataApi.pool(address)),
        orFailure(dataApi.volumes(address, { timeframe: '1h', startS, endS })),
      ]);
      const failure = [pool, hours].find((answer) => answer instanceof DataApiError);
      if (failure === undefined) {
        this.#failures.succeeded();
      } else {
        this.#failures.failed(failure, 'the trading of pools is not known');
      }
      return {
        pool: pool instanceof DataApiError ? undefined : pool,
        hours: hours instanceof DataApiError ? [] : (hours ?? []).filter(({ timeS }) => timeS > startS && timeS <= endS),
        isWhole: failure === undefined,
      };
    });
  }
}

/** The answer, or why there is none; `undefined`: the API does not know the pool. */
async function orFailure<Value>(answer: Promise<Value>): Promise<Value | DataApiError | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof DataApiError)) {
      throw error;
    }
    return error.kind === 'notFound' ? undefined : error;
  }
}

/** What the data API knows of a token: it may list the two in another order. */
function listedToken(pool: DataPool | undefined, { mint }: MintFacts): DataToken | undefined {
  return [pool?.x, pool?.y].find((token) => token?.mint === mint);
}

function tokenFacts(token: MintFacts, usd: number | undefined, listed: DataToken | undefined): WireTokenFacts {
  return {
    id: token.mint,
    name: token.name,
    symbol: token.symbol,
    icon: token.logo ?? null,
    decimals: token.decimals,
    mcap: listed?.marketCapUsd ?? null,
    fdv: fullyDilutedValue(token, usd),
    usdPrice: usd ?? null,
    organicScore: null,
    holderCount: listed?.holders ?? null,
  };
}

/** An account as the SDK decodes it, in plain values: addresses and numbers of 64 bits and more as text. */
function plainAccount(decoded: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(decoded).flatMap(([name, value]): readonly (readonly [string, unknown])[] =>
      PADDING.test(name) ? [] : [[name, plain(value)]],
    ),
  );
}

function plain(value: unknown): unknown {
  if (BN.isBN(value)) {
    return value.toString();
  }
  if (value instanceof PublicKey) {
    return value.toBase58();
  }
  if (Array.isArray(value)) {
    return value.map(plain);
  }
  return typeof value === 'object' && value !== null ? plainAccount(value) : value;
}
