import * as l10n from '@vscode/l10n';
import { request, type IncomingMessage } from 'node:http';
import { oneLine } from '../../base/text';
import type { Address } from '../../base/solana/address';
import type { SandboxReady } from './sandboxProcess';
import { SandboxError } from '../shell/errors';

/** Long, because the sandbox can be simulating months of its market. */
const ANSWER_TIMEOUT_MS = 30_000;
const LONGEST_ANSWER = 64 * 1024;
const LONGEST_QUOTE = 300;

/**
 * Adds pretend SOL to a wallet of the sandbox (`POST /sandbox/airdrop`). Sent only once, because a retry could add it twice.
 * @param sol above 0, up to 1,000
 * @throws SandboxError if the sandbox doesn't respond or refuses
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
    l10n.t('The sandbox did not respond to the request for pretend SOL. Nothing was changed here.'),
  );
  if (status !== 200) {
    const reason = reasonOf(text) ?? l10n.t`status ${status}`;
    throw new SandboxError('failed', l10n.t`The sandbox did not add pretend SOL: ${reason}. Nothing was changed.`);
  }
}

/**
 * Replaces the world of the sandbox with a new one from the same seed (`POST /sandbox/reset`). Sent only once.
 * @throws SandboxError if the sandbox doesn't respond or refuses
 */
export async function resetWorld(sandbox: Pick<SandboxReady, 'url' | 'apiKey'>, timeoutMs = ANSWER_TIMEOUT_MS): Promise<void> {
  const { status, text } = await post(
    new URL('/sandbox/reset', sandbox.url),
    sandbox.apiKey,
    '{}',
    timeoutMs,
    l10n.t('The sandbox did not respond to the reset. Refresh to see whether it has a new world.'),
  );
  if (status !== 200) {
    const reason = reasonOf(text) ?? l10n.t`status ${status}`;
    throw new SandboxError('failed', l10n.t`The sandbox did not reset its world: ${reason}. Nothing was changed.`);
  }
}

interface Answered {
  readonly status: number;
  readonly text: string;
}

function post(url: URL, apiKey: string, body: string, timeoutMs: number, noResponseMessage: string): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const fail = (cause: Error) => {
      clearTimeout(timer);
      outgoing.destroy();
      reject(new SandboxError('failed', noResponseMessage, { cause }));
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

/** Returns the message of an error response: `{"status": "error", "message": "…"}`. */
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
    // Not an error response of the sandbox.
  }
  return undefined;
}
