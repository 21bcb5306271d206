import * as l10n from '@vscode/l10n';
import { request, type IncomingMessage } from 'node:http';
import * as z from 'zod';
import { oneLine } from '../../base/text';
import type { Address } from '../../base/solana/address';
import type { SandboxReady } from '../connection/sandboxProcess';
import { SandboxError } from '../shell/errors';

/** Long, because the sandbox can be simulating months of its market. */
const ANSWER_TIMEOUT_MS = 30_000;
const LONGEST_ANSWER = 64 * 1024;
const LONGEST_QUOTE = 300;

/** Where the sandbox listens, and the key of its requests. */
type SandboxAddress = Pick<SandboxReady, 'url' | 'apiKey'>;

const Status = z.object({
  data: z.object({
    speed: z.number(),
    paused: z.boolean(),
    faults: z.array(z.looseObject({ kind: z.string(), attack: z.string().optional(), status: z.number().optional() })),
  }),
});

/** What the sandbox does now. */
export interface SandboxStatus {
  /** Times the usual speed; 0: prices stand still. */
  readonly speed: number;
  /** The first fault; `undefined`: none. */
  readonly fault: { readonly kind: string; readonly attack?: string | undefined; readonly status?: number | undefined } | undefined;
}

/** A fault as the sandbox takes it (src/sandbox/README.md). */
export type SandboxFault = Readonly<Record<string, string | number>> & { readonly kind: string };

/** A change of the sandbox: its path below /sandbox, its body, and what failed in words. */
interface Change {
  readonly method?: 'POST' | 'PUT';
  readonly path: string;
  readonly body: object;
  readonly noResponse: string;
  /** @param reason why the sandbox refused, without a full stop */
  readonly refused: (reason: string) => string;
}

/**
 * Adds pretend SOL to a wallet of the sandbox. Sent only once, because a retry could add it twice.
 * @param sol above 0, up to 1,000
 * @throws SandboxError if the sandbox doesn't respond or refuses
 */
export async function airdrop(sandbox: SandboxAddress, owner: Address, sol: number, timeoutMs = ANSWER_TIMEOUT_MS): Promise<void> {
  const noResponse = l10n.t('The sandbox did not respond. Refresh to see whether it changed.');
  const refused = (reason: string) => l10n.t`The sandbox refused: ${reason}. Nothing was changed.`;
  await change(sandbox, { path: 'airdrop', body: { owner, sol }, noResponse, refused }, timeoutMs);
}

/**
 * Replaces the world of the sandbox with a new one from the same seed. Sent only once.
 * @throws SandboxError if the sandbox doesn't respond or refuses
 */
export async function resetWorld(sandbox: SandboxAddress, timeoutMs = ANSWER_TIMEOUT_MS): Promise<void> {
  const noResponse = l10n.t('The sandbox did not respond. Refresh to see whether it changed.');
  const refused = (reason: string) => l10n.t`The sandbox refused: ${reason}. Nothing was changed.`;
  await change(sandbox, { path: 'reset', body: {}, noResponse, refused }, timeoutMs);
}

/**
 * Moves the price of a pool's first token, in all pools that trade it.
 * @param percent −99 to 10,000
 * @throws SandboxError if the sandbox doesn't respond or refuses
 */
export async function movePrice(sandbox: SandboxAddress, pool: Address, percent: number): Promise<void> {
  await changeMarket(sandbox, 'shock', { pool, percent });
}

/**
 * Moves the clock of market and chain.
 * @param ms up to 90 days
 * @throws SandboxError if the sandbox doesn't respond or refuses
 */
export async function advanceTime(sandbox: SandboxAddress, ms: number): Promise<void> {
  await changeMarket(sandbox, 'advance', { ms });
}

/**
 * Sets how fast prices move.
 * @param times the usual speed, 0 to 1,000
 * @throws SandboxError if the sandbox doesn't respond or refuses
 */
export async function setSpeed(sandbox: SandboxAddress, times: number): Promise<void> {
  await changeMarket(sandbox, 'speed', { times });
}

/**
 * Replaces the faults of the sandbox.
 * @throws SandboxError if the sandbox doesn't respond or refuses
 */
export async function setFaults(sandbox: SandboxAddress, faults: readonly SandboxFault[]): Promise<void> {
  await changeMarket(sandbox, 'faults', { faults }, 'PUT');
}

/** @throws SandboxError if the sandbox doesn't respond, or responds with something else */
export async function readStatus(sandbox: SandboxAddress): Promise<SandboxStatus> {
  const noResponse = l10n.t('The sandbox did not respond.');
  const { status, text } = await ask(sandbox, 'GET', 'status', undefined, ANSWER_TIMEOUT_MS, noResponse);
  const read = Status.safeParse(parsed(text));
  if (status !== 200 || !read.success) {
    throw new SandboxError('failed', l10n.t('The sandbox did not respond.'));
  }
  const { speed, paused, faults } = read.data.data;
  const [fault] = faults;
  return {
    speed: paused ? 0 : speed,
    fault: fault === undefined ? undefined : { kind: fault.kind, attack: fault.attack, status: fault.status },
  };
}

async function changeMarket(sandbox: SandboxAddress, path: string, body: object, method: 'POST' | 'PUT' = 'POST'): Promise<void> {
  const noResponse = l10n.t('The sandbox did not respond. Refresh to see whether it changed.');
  const refused = (reason: string) => l10n.t`The sandbox refused: ${reason}. Nothing was changed.`;
  await change(sandbox, { method, path, body, noResponse, refused }, ANSWER_TIMEOUT_MS);
}

async function change(
  sandbox: SandboxAddress,
  { method = 'POST', path, body, noResponse, refused }: Change,
  timeoutMs: number,
): Promise<void> {
  const { status, text } = await ask(sandbox, method, path, JSON.stringify(body), timeoutMs, noResponse);
  if (status !== 200) {
    throw new SandboxError('failed', refused(reasonOf(text) ?? l10n.t`status ${status}`));
  }
}

interface Answered {
  readonly status: number;
  readonly text: string;
}

function ask(
  { url, apiKey }: SandboxAddress,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body: string | undefined,
  timeoutMs: number,
  noResponseMessage: string,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const fail = (cause: Error) => {
      clearTimeout(timer);
      outgoing.destroy();
      reject(new SandboxError('failed', noResponseMessage, { cause }));
    };
    const content = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const outgoing = request(new URL(`/sandbox/${path}`, url), { method, headers: { 'x-api-key': apiKey, ...content }, agent: false });
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

const Refusal = z.object({ message: z.string().min(1) });

/** Returns the message of an error response: `{"status": "error", "message": "…"}`. */
function reasonOf(text: string): string | undefined {
  const read = Refusal.safeParse(parsed(text));
  return read.success ? oneLine(read.data.message, LONGEST_QUOTE).replace(/\.$/, '') : undefined;
}

/** `undefined`: not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
