import type { Oddity } from '../records/money';
import type { ServiceRequest, Transport } from '../transport';
import { OddityLog } from '../wire/oddities';
import type { Reading } from '../wire/reading';

/** Sends calls and has their answers read. */
export type Call = <Result>(request: ServiceRequest, read: (body: unknown, reading: Reading) => Result | Promise<Result>) => Promise<Result>;

/** What calls are made with. */
export interface CallDependencies {
  readonly transport: Transport;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: (level: 'debug', message: string) => void;
  /** Is told what was odd about an answer, if anything was. */
  readonly onOddities: (endpoint: string, oddities: readonly Oddity[]) => void;
}

/** Joins transport and readers; what the readers find odd is told once for each answer. */
export function createCall({ transport, now, log, onOddities }: CallDependencies): Call {
  return async (request, read) => {
    const body = await transport.send(request);
    const oddities = new OddityLog();
    try {
      return await read(body, { oddities, nowMs: now() });
    } finally {
      const found = oddities.all();
      for (const { path, message } of found) {
        log('debug', `${request.endpoint}: ${path} ${message}`);
      }
      if (found.length > 0) {
        onOddities(request.endpoint, found);
      }
    }
  };
}
