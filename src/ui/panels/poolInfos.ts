import { type Clock, elapsedMs } from '../../base/async/clock';
import { orAborted } from '../../base/async/concurrency';
import type { Address } from '../../base/solana/address';
import { MINUTE_MS } from '../../base/time';
import type { PoolInfo } from '../../service/poolInfo';
import type { LiquidityService } from '../../service/service';

type Service = Pick<LiquidityService, 'poolInfo'>;

/** A read of a pool's details. */
interface Reading {
  readonly info: Promise<PoolInfo>;
  readonly abort: AbortController;
  /** Milliseconds since 1970; `undefined`: in progress. */
  endedMs: number | undefined;
  /** How many wait for it. */
  waiting: number;
}

/** Age of details that are not shown themselves, but from which something slow is computed. */
const RECENT_MS = 2 * MINUTE_MS;

/**
 * The details of pools, read once for all parts of panels that need them at a time: some plans of the service allow only five requests a minute. What a
 * read rejects with reaches all who wait for it, and the next one reads again.
 */
export class PoolInfos {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #readings = new WeakMap<Service, Map<Address, Reading>>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Reads the details, or joins the read in progress. @throws ServiceError, and the signal's reason */
  read(service: Service, pool: Address, signal: AbortSignal): Promise<PoolInfo> {
    return join(this.#known(service, pool, 0) ?? this.#start(service, pool), signal);
  }

  /** The same, or the details that were read within the last two minutes. */
  recent(service: Service, pool: Address, signal: AbortSignal): Promise<PoolInfo> {
    return join(this.#known(service, pool, RECENT_MS) ?? this.#start(service, pool), signal);
  }

  /** The read in progress, or the last one if it is younger than `youngerMs`. */
  #known(service: Service, pool: Address, youngerMs: number): Reading | undefined {
    const reading = this.#of(service).get(pool);
    if (reading === undefined || reading.abort.signal.aborted) return undefined;
    const { endedMs } = reading;
    return endedMs === undefined || elapsedMs(endedMs, this.#clock.now()) < youngerMs ? reading : undefined;
  }

  #of(service: Service): Map<Address, Reading> {
    const known = this.#readings.get(service) ?? new Map<Address, Reading>();
    this.#readings.set(service, known);
    return known;
  }

  #start(service: Service, pool: Address): Reading {
    const readings = this.#of(service);
    const abort = new AbortController();
    const reading: Reading = { info: service.poolInfo(pool, { signal: abort.signal }), abort, endedMs: undefined, waiting: 0 };
    readings.set(pool, reading);
    reading.info.then(
      () => (reading.endedMs = this.#clock.now()),
      () => {
        if (readings.get(pool) === reading) {
          readings.delete(pool);
        }
      },
    );
    return reading;
  }
}

/** Waits for a read. One for which nobody waits any more is aborted. */
async function join(reading: Reading, signal: AbortSignal): Promise<PoolInfo> {
  reading.waiting += 1;
  try {
    return await orAborted(reading.info, signal);
  } finally {
    reading.waiting -= 1;
    if (reading.waiting === 0 && reading.endedMs === undefined) {
      reading.abort.abort(signal.reason);
    }
  }
}
