import assert from 'node:assert/strict';
import { address } from '../../../src/solana/address';
import { parseBase64Transaction } from '../../../src/solana/base64Transaction';
import { Reviewer } from '../../../src/operations/reviewer';
import { reviewOperation, type ReviewInput } from '../../../src/review/review';
import type { Intent, Review, TransactionGroup, ZapInIntent, ZapOutIntent } from '../../../src/review/types';
import { createRpc } from '../../../src/rpc/rpc';
import { parseRpcUrl } from '../../../src/rpc/rpcUrl';
import type { AddBuild, DecreaseBuild, TestClient } from './client';

/** The slippage that intents of tests are made with; the client asks for the same. */
export const SLIPPAGE_BPS = 500;

/** A pool as the user was shown it. */
export interface ShownPool {
  readonly pool: string;
  readonly token0: string;
  readonly token1: string;
}

/** What an editor knows of a pool when it has something reviewed. */
export function intentBase({ sandbox }: TestClient, { pool, token0, token1 }: ShownPool): Pick<Intent, 'owner' | 'pool' | 'slippageBps' | 'tokenX' | 'tokenY'> {
  return { owner: address(sandbox.owner), pool: address(pool), slippageBps: SLIPPAGE_BPS, tokenX: address(token0), tokenY: address(token1) };
}

/** The transactions of a withdrawal as the review takes them. */
export function decreaseInput(intent: ZapOutIntent, { lastValidBlockHeight, closeTxsWithJito, swapTxsWithJito }: DecreaseBuild): ReviewInput {
  return { intent, transactions: [...inGroup('close', closeTxsWithJito), ...inGroup('swap', swapTxsWithJito)], lastValidBlockHeight, nowMs: Date.now() };
}

/** The transactions of an entry as the review takes them. */
export function addInput(intent: ZapInIntent, { lastValidBlockHeight, swapTxsWithJito, addLiquidityTxsWithJito }: AddBuild): ReviewInput {
  return { intent, transactions: [...inGroup('swap', swapTxsWithJito), ...inGroup('add', addLiquidityTxsWithJito)], lastValidBlockHeight, nowMs: Date.now() };
}

/** Reviews as the extension does where the sandbox's own RPC is the user's: tables looked up, transactions simulated. */
export async function reviewWithRpc({ sandbox }: TestClient, input: ReviewInput): Promise<Review> {
  const { intent, lastValidBlockHeight } = input;
  const transactions = input.transactions.map(({ group, base64 }) => ({ group, base64: parseBase64Transaction(base64) ?? assert.fail('It is not base64') }));
  const problems: string[] = [];
  const reviewer = new Reviewer(
    { intent, transactions, lastValidBlockHeight, position: intent.position, land: () => Promise.reject(new Error('Nothing is landed here')), effect: () => false },
    {
      rpc: createRpc({ url: parseRpcUrl(new URL(`/rpc?api-key=${sandbox.apiKey}`, sandbox.url).href) }),
      policy: () => ({}),
      isSimulating: true,
      nowMs: () => Date.now(),
      reviewOperation,
      prior: undefined,
      signal: new AbortController().signal,
      log: (problem) => void problems.push(problem),
    },
  );
  const review = await reviewer.review();
  assert.deepEqual(problems, []);
  return review;
}

/** Passes without a question. */
export function assertAllowed({ verdict, findings }: Review, what: string): void {
  assert.deepEqual(findings.filter((finding) => finding.verdict !== 'info').map(({ rule, message }) => `${rule} ${message}`), [], what);
  assert.equal(verdict, 'allow', what);
}

/** Is blocked by that rule; nothing of it can be signed. */
export function assertBlocked(input: ReviewInput, rule: string): void {
  const { verdict, findings, reviewed } = reviewOperation(input);
  assert.equal(verdict, 'block');
  assert.ok(findings.some((finding) => finding.verdict === 'block' && finding.rule === rule), `${rule} is not among ${findings.map((finding) => `${finding.verdict} ${finding.rule} ${finding.message}`).join('\n')}`);
  assert.deepEqual(reviewed, []);
}

function inGroup(group: TransactionGroup, texts: readonly string[]): ReviewInput['transactions'] {
  return texts.map((base64) => ({ group, base64 }));
}
