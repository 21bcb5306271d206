import * as l10n from '@vscode/l10n';
import { get, type IncomingMessage } from 'node:http';
import type { SandboxReady } from './readyLine';
import { SandboxError } from '../../shell/connectionErrors';

/** Says to the sandbox that a window uses it, for as long as it is held. */
export interface Lease {
  /** Ends it; the sandbox ends with its last lease. */
  release(): void;
}

const ANSWER_TIMEOUT_MS = 10_000;

/**
 * Takes a lease: a request that the sandbox answers and never ends. `onBroken` is called once, when the connection ends
 * by itself: the sandbox has gone.
 * @throws SandboxError where the sandbox does not give one.
 */
export function holdLease(sandbox: SandboxReady, onBroken: () => void): Promise<Lease> {
  return new Promise((resolve, reject) => {
    let state: 'asking' | 'held' | 'ended' = 'asking';
    const request = get(new URL('/sandbox/lease', sandbox.url), { headers: { 'x-api-key': sandbox.apiKey }, agent: false });
    const end = (cause?: Error) => {
      const before = state;
      state = 'ended';
      clearTimeout(timer);
      request.destroy();
      if (before === 'asking') {
        reject(new SandboxError('failed', l10n.t('The sandbox runs, but does not answer.'), { cause }));
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
      // What it says meanwhile does not matter; unread, it would block.
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
