import { get, type IncomingMessage } from 'node:http';
import { didNotStart, type LaunchKind, type Lease, type ServiceReady } from './processKind';

const ANSWER_TIMEOUT_MS = 10_000;

/**
 * Takes a lease: a request whose response never ends.
 * @param onBroken called once if the connection ends although the lease is held: the process is gone
 * @throws ProcessError if the process grants no lease
 */
export function holdLease(kind: LaunchKind, { url, apiKey }: ServiceReady, onBroken: () => void): Promise<Lease> {
  return new Promise((resolve, reject) => {
    let state: 'asking' | 'held' | 'ended' = 'asking';
    const request = get(new URL(kind.leasePath, url), { headers: { 'x-api-key': apiKey }, agent: false });
    const end = (cause?: Error) => {
      const before = state;
      state = 'ended';
      clearTimeout(timer);
      request.destroy();
      if (before === 'asking') {
        reject(didNotStart(kind, cause?.message ?? 'it closed the connection', { cause }));
      } else if (before === 'held') {
        onBroken();
      }
    };
    const timer = setTimeout(() => end(new Error(`no answer after ${ANSWER_TIMEOUT_MS} ms`)), ANSWER_TIMEOUT_MS);
    request.on('error', end);
    request.on('response', (response: IncomingMessage) => {
      if (response.statusCode !== 200) {
        end(new Error(`status ${response.statusCode ?? 'unknown'}`));
        return;
      }
      state = 'held';
      clearTimeout(timer);
      // The content doesn't matter, but unread data would block the response.
      response.resume();
      response.on('error', end);
      response.on('close', () => end());
      resolve({
        release: () => {
          state = 'ended';
          request.destroy();
        },
      });
    });
  });
}
