import { get } from 'node:http';
import * as z from 'zod';
import { parseAddress, type Address } from '../../base/solana/address';
import type { HistoryProgress } from './indexWatch';
import type { ServiceReady } from './processKind';

const ANSWER_TIMEOUT_MS = 5_000;
const LONGEST_ANSWER = 1024 * 1024;

/** What the local service says of itself, as far as it is read here (src/chain). */
const Status = z.object({
  data: z.object({
    index: z.array(
      z.object({
        owner: z.string(),
        state: z.string(),
        transactions: z.int().nonnegative(),
        /** Listed and not read yet. */
        left: z.int().nonnegative(),
      }),
    ),
  }),
});

/**
 * Asks the local service how far it has read the history of a wallet (`GET /status`).
 * @returns `undefined` if it is not reading that history
 * @throws Error if the service doesn't answer as expected
 */
export async function readIndexProgress({ url, apiKey }: ServiceReady, owner: Address): Promise<HistoryProgress | undefined> {
  const { data } = Status.parse(JSON.parse(await read(new URL('/status', url), apiKey)));
  const entry = data.index.find((one) => parseAddress(one.owner) === owner && one.state === 'indexing');
  return entry === undefined ? undefined : { owner, read: entry.transactions, total: entry.transactions + entry.left };
}

function read(url: URL, apiKey: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = get(url, { headers: { 'x-api-key': apiKey }, agent: false, timeout: ANSWER_TIMEOUT_MS }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (text.length > LONGEST_ANSWER) {
          asked.destroy(new Error('the answer is too long'));
        }
      });
      response.on('error', reject);
      response.on('end', () =>
        response.statusCode === 200 ? resolve(text) : reject(new Error(`status ${response.statusCode ?? 'unknown'}`)),
      );
    });
    asked.on('timeout', () => asked.destroy(new Error(`no answer after ${ANSWER_TIMEOUT_MS} ms`)));
    asked.on('error', reject);
  });
}
