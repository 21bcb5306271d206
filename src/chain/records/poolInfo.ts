import { PublicKey } from '@solana/web3.js';
import BN from 'bn.js';
import { rangeAround } from '../../base/dlmm/bins';
import type { Address } from '../../base/solana/address';
import { HOUR_S, SECOND_MS } from '../../base/time';
import type { ProtocolNames } from '../../engine/engine';
import { MAX_SHOWN } from '../../engine/wire/binRecords';
import { poolInfoRecord } from '../../engine/wire/poolRecord';
import type { PoolDetailsState } from '../../engine/state/poolState';
import type { WirePoolInfo } from '../../engine/wire/poolRecord';
import { DataLog } from '../dataApi/dataLog';
import { DataApiError, type DataApis, type DataPool, type DataToken, type VolumeBucket } from '../dataApi/types';
import { PROGRAM_NAMES } from '../dataApi/dataLog';
import type { PoolProgram } from '../index/types';
import type { PriceSource } from '../prices/types';
import type { ChainRpc } from '../rpc/types';
import { BinReserves } from '../pools/binAmounts';
import { stateFromChain, tradingOf } from './poolStates';
import type { MintFacts } from '../pools/mints';
import type { PoolDetails } from '../pools/poolReader';
import { SharedAnswers } from '../positions/sharedAnswers';

/** What the details of a pool need. */
export interface PoolInfoOptions {
  readonly rpc: ChainRpc;
  readonly prices: PriceSource;
  readonly dataApis: DataApis;
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
  readonly #failures: Readonly<Record<PoolProgram, DataLog>>;
  readonly #trading: SharedAnswers<Address, Trading>;

  constructor(options: PoolInfoOptions) {
    this.#options = options;
    this.#failures = { dlmm: new DataLog(options.log), damm: new DataLog(options.log) };
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
    const [{ pool, hours }, known, bins] = await Promise.all([
      this.#tradingOf(details),
      prices.now([x.mint, y.mint]),
      this.#binsOf(details),
    ]);
    const [listedX, listedY] = [listedToken(pool, x), listedToken(pool, y)];
    const usd = new Map([
      ...[listedX, listedY].flatMap((token) => (token?.priceUsd === undefined ? [] : [[token.mint, token.priceUsd] as const])),
      ...known,
    ]);
    const own = stateFromChain(details, usd, protocols, now());
    return poolInfoRecord({
      ...own,
      ...tradingOf(pool),
      tvlUsd: own.tvlUsd ?? pool?.tvlUsd ?? null,
      token0: { ...own.token0, marketCapUsd: listedX?.marketCapUsd ?? null, holders: listedX?.holders ?? null },
      token1: { ...own.token1, marketCapUsd: listedY?.marketCapUsd ?? null, holders: listedY?.holders ?? null },
      account: plainAccount(account.decoded),
      fees: state.fees,
      hours: hours.map(({ timeS, feesUsd, volumeUsd }) => ({ startsAt: timeS * SECOND_MS, feesUsd, volumeUsd })),
      bins,
    });
  }

  async #binsOf({ state, x, y }: PoolDetails): Promise<PoolDetailsState['bins']> {
    const { address, activeBinId, binStep } = state;
    if (activeBinId === undefined || binStep === undefined) {
      return undefined;
    }
    const amounts = await BinReserves.read(this.#options.rpc, address, [rangeAround(activeBinId, MAX_SHOWN)]);
    return { binStepBps: binStep, token0: x, token1: y, activeBinId, amountsOf: (binId) => amounts.of(binId) };
  }

  /** What the data API of the pool's program does not answer is unknown. */
  async #tradingOf({ state: { address, program } }: PoolDetails): Promise<Trading> {
    const { dataApis, now } = this.#options;
    const dataApi = dataApis[program];
    if (dataApi === undefined) {
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
        this.#failures[program].succeeded();
      } else {
        this.#failures[program].failed(failure, `the trading of ${PROGRAM_NAMES[program]} pools is not known`);
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
