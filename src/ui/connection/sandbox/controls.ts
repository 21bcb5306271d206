import * as l10n from '@vscode/l10n';
import { request, type IncomingMessage } from 'node:http';
import { oneLine } from '../../../base/text';
import type { Address } from '../../../base/solana/address';
import type { SandboxReady } from './readyLine';
import { SandboxError } from '../../shell/connectionErrors';

/** It may be playing months of its market just then. */
const ANSWER_TIMEOUT_MS = 30_000;
const LONGEST_ANSWER = 64 * 1024;
const LONGEST_QUOTE = 300;

/**
 * Lets the sandbox give pretend SOL to a wallet: its control `POST /sandbox/airdrop`. Sent once: a second try might give twice.
 * @param sol above 0, 1,000 at most
 * @throws SandboxError in words, where the sandbox does not answer or refuses.
 */
export async function airdrop(
  sandbox: Pick<SandboxReady, 'url' | 'apiKey'>,
  owner: Address,
  sol: number,
  timeoutMs = ANSWER_TIMEOUT_MS,
): Promise<void> {
  const { status, text } = await post(
    new URL('/sandbox/airdrop', sandbox.url),
    sandbox.apiKey,
    JSON.stringify({ owner, sol }),
    timeoutMs,
    l10n.t('The sandbox did not answer when it was asked for pretend SOL. Nothing was changed here.'),
  );
  if (status !== 200) {
    const reason = reasonOf(text) ?? l10n.t`it answered with status ${status}`;
    throw new SandboxError('failed', l10n.t`The sandbox gave no pretend SOL: ${reason}. Nothing was changed.`);
  }
}

/**
 * Lets the sandbox throw its world away and make a new one from the same seed: its control `POST /sandbox/reset`. Sent once.
 * @throws SandboxError in words, where the sandbox does not answer or refuses.
 */
export async function resetWorld(sandbox: Pick<SandboxReady, 'url' | 'apiKey'>, timeoutMs = ANSWER_TIMEOUT_MS): Promise<void> {
  const { status, text } = await post(
    new URL('/sandbox/reset', sandbox.url),
    sandbox.apiKey,
    '{}',
    timeoutMs,
    l10n.t('The sandbox did not answer when it was asked for a new world. Whether it has one by now is not known: refresh to see.'),
  );
  if (status !== 200) {
    const reason = reasonOf(text) ?? l10n.t`it answered with status ${status}`;
    throw new SandboxError('failed', l10n.t`The sandbox made no new world: ${reason}. Nothing was changed.`);
  }
}

interface Answered {
  readonly status: number;
  readonly text: string;
}

function post(url: URL, apiKey: string, body: string, timeoutMs: number, silence: string): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const fail = (cause: Error) => {
      clearTimeout(timer);
      outgoing.destroy();
      reject(new SandboxError('failed', silence, { cause }));
    };
    const outgoing = request(url, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      agent: false,
    });
    const timer = setTimeout(() => fail(new Error(`no answer after ${timeoutMs} ms`)), timeoutMs);
    outgoing.on('error', fail);
    outgoing.on('response', (response: IncomingMessage) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (text.length > LONGEST_ANSWER) {
          fail(new Error('the answer is too long'));
        }
      });
      response.on('error', fail);
      response.on('end', () => {
        clearTimeout(timer);
        resolve({ status: response.statusCode ?? 0, text });
      });
    });
    outgoing.end(body);
  });
}

/** What a failure of the sandbox says: `{"status": "error", "message": "…"}`. */
function reasonOf(text: string): string | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    if (
      typeof answer === 'object' &&
      answer !== null &&
      'message' in answer &&
      typeof answer.message === 'string' &&
      answer.message !== ''
    ) {
      return oneLine(answer.message, LONGEST_QUOTE).replace(/\.$/, '');
    }
  } catch {
    // Not the sandbox's own words.
  }
  return undefined;
}
