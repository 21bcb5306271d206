import { get } from 'node:http';
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { count } from '../../base/format/numbers';
import { sentence } from '../../base/format/sentence';
import { parseAddress, type Address } from '../../base/solana/address';
import { oneLine } from '../../base/text';
import type { HistoryProgress } from './indexWatch';
import type { ServiceReady } from './processKind';

const ANSWER_TIMEOUT_MS = 5_000;
const LONGEST_ANSWER = 1024 * 1024;

/** The state of the local service, as far as it is used here (src/chain/README.md). */
const Status = z.object({
  data: z.object({
    index: z.array(
      z.object({
        owner: z.string(),
        state: z.string(),
        transactions: z.int().nonnegative(),
        /** Listed and not read yet. */
        left: z.int().nonnegative(),
        /** The RPC has no history before this slot. */
        prunedBeforeSlot: z.int().nullish(),
        error: z.string().nullish(),
      }),
    ),
  }),
});

type Entry = z.output<typeof Status>['data']['index'][number];

const LONGEST_REASON = 200;

/**
 * Asks the local service how far it has read the history of a wallet (`GET /status`).
 * @returns `undefined` if it doesn't know the wallet
 * @throws Error if the service doesn't answer as expected
 */
export async function readIndexProgress({ url, apiKey }: ServiceReady, owner: Address): Promise<HistoryProgress | undefined> {
  const { data } = Status.parse(JSON.parse(await read(new URL('/status', url), apiKey)));
  const entry = data.index.find((one) => parseAddress(one.owner) === owner);
  if (entry === undefined) {
    return undefined;
  }
  const { state, transactions } = entry;
  if (state === 'indexing') {
    return { owner, transactions, isReading: true, text: readingText(entry) };
  }
  const gap = gapIn(entry);
  const text = gap === undefined ? undefined : l10n.t`The history of this wallet is incomplete. ${gap}`;
  return { owner, transactions, isReading: false, text };
}

function readingText({ transactions, left }: Entry): string {
  return l10n.t`Reading history: ${count(transactions)} of ${transactions + left === 0 ? '…' : count(transactions + left)} transactions.`;
}

/** What the history lacks, in a sentence; `undefined`: nothing. */
function gapIn({ error, prunedBeforeSlot }: Entry): string | undefined {
  if (typeof error === 'string') {
    return sentence(oneLine(error, LONGEST_REASON));
  }
  return typeof prunedBeforeSlot === 'number' ? l10n.t`The RPC has nothing before slot ${count(prunedBeforeSlot)}.` : undefined;
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
