import type { Address } from '../../base/solana/address';
import type { CandlesParameters } from '../../engine/engine';
import { CANDLE_SECONDS } from '../../engine/records/candles';
import type { WireCandle } from '../../engine/wire/candles';
import { DataLog, PROGRAM_NAMES } from '../dataApi/dataLog';
import { type Candle, DataApiError, type DataApis, type DataSpan, type PoolDataApi } from '../dataApi/types';
import type { PoolProgram } from '../index/types';
import { SharedAnswers } from '../positions/sharedAnswers';
import type { RecordedPool, RecordedCandles } from './recordedPrices';

/** What candles need. */
export interface PoolCandleOptions {
  readonly dataApis: DataApis;
  readonly recorded: RecordedCandles;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: (line: string) => void;
}

/** Candles of a data API, and whether they are all that there are. */
interface Answered {
  /** `undefined`: it has none. */
  readonly candles: readonly WireCandle[] | undefined;
  /** `false`: a request failed. */
  readonly isWhole: boolean;
}

const GOOD_FOR_MS = 30_000;
const FAILURE_GOOD_FOR_MS = 5_000;
const MOST_ANSWERS = 100;
/** The APIs answer about 72 candles at once, and a request of our service is for a thousand at most. */
const MOST_REQUESTS = 20;

/** Candles of pools, from the data API of their program. Without it, or its answer, from what was recorded. */
export class PoolCandles {
  readonly #options: PoolCandleOptions;
  readonly #failures: Readonly<Record<PoolProgram, DataLog>>;
  readonly #answers: SharedAnswers<string, Answered>;

  constructor(options: PoolCandleOptions) {
    this.#options = options;
    this.#failures = { dlmm: new DataLog(options.log), damm: new DataLog(options.log) };
    this.#answers = new SharedAnswers({
      most: MOST_ANSWERS,
      goodForMs: ({ isWhole }) => (isWhole ? GOOD_FOR_MS : FAILURE_GOOD_FOR_MS),
      now: options.now,
    });
  }

  /** Oldest first. */
  async of(
    { state }: { readonly state: RecordedPool & { readonly program: PoolProgram } },
    { timeframe, fromS, toS }: Omit<CandlesParameters, 'pool'>,
  ): Promise<readonly WireCandle[]> {
    const { address, program } = state;
    const { dataApis, recorded } = this.#options;
    const dataApi = dataApis[program];
    const lengthS = CANDLE_SECONDS[timeframe];
    // The first and the last interval that start in the span: spans that differ by seconds share an answer.
    const startS = Math.ceil(fromS / lengthS) * lengthS;
    const endS = Math.floor(toS / lengthS) * lengthS;
    if (startS > endS) {
      return [];
    }
    const { candles } =
      dataApi === undefined
        ? { candles: undefined }
        : await this.#answers.of([address, timeframe, startS, endS].join(' '), async (): Promise<Answered> => {
            try {
              const read = await allCandles(dataApi, address, { timeframe, startS, endS }, lengthS);
              this.#failures[program].succeeded();
              return {
                candles: read.map(({ timeS, volumeUsd, ...prices }) => ({ time: timeS, ...prices, volume: volumeUsd })),
                isWhole: true,
              };
            } catch (error) {
              if (!(error instanceof DataApiError)) {
                throw error;
              }
              if (error.kind !== 'notFound') {
                this.#failures[program].failed(error, `candles of ${PROGRAM_NAMES[program]} pools are made from recorded prices`);
              }
              return { candles: undefined, isWhole: error.kind === 'notFound' };
            }
          });
    return candles ?? recorded(state, { startS, endS }, lengthS);
  }
}

/**
 * The candles of a span. An answer may have only some of them, at either end or in the middle: what lies before and behind them is requested
 * again, until nothing comes.
 */
async function allCandles(
  dataApi: Pick<PoolDataApi, 'candles'>,
  pool: Address,
  whole: DataSpan,
  lengthS: number,
): Promise<readonly Candle[]> {
  const found = new Map<number, Candle>();
  const open: DataSpan[] = [whole];
  for (let requests = 0; requests < MOST_REQUESTS; requests += 1) {
    const span = open.shift();
    if (span === undefined) {
      break;
    }
    const { startS, endS } = span;
    const candles = (await dataApi.candles(pool, span)).filter(({ timeS }) => timeS >= startS && timeS <= endS && timeS % lengthS === 0);
    candles.forEach((candle) => found.set(candle.timeS, candle));
    const [first, last] = [candles[0], candles.at(-1)];
    if (first !== undefined && last !== undefined) {
      const [before, behind] = [first.timeS - lengthS, last.timeS + lengthS];
      // Newest first: if there are too many requests, the oldest candles are missing.
      open.push(...(behind <= endS ? [{ ...span, startS: behind }] : []), ...(before >= startS ? [{ ...span, endS: before }] : []));
    }
  }
  return [...found.values()].sort((one, other) => one.timeS - other.timeS);
}
