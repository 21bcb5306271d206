import assert from 'node:assert/strict';
import { ComputeBudgetProgram, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { address, addressBytes } from '../../../src/solana/address';
import { associatedTokenAddress } from '../../../src/solana/derive';
import type { Intent, Verdict } from '../../../src/review/types';
import { addByStrategy, addressOf, budget, buyToken, claim, dlmm, honestZapIn, honestZapOut, key, keyOf, MINT, OWN_SOL, OWN_TOKEN, OWNER, openPosition, removal, reviewDrafts, route, THIEF, tip, tokenAmount, tokenInstruction, transferSol, ZAP_IN, ZAP_OUT, type Draft } from './bundles';

/** An attack that happened, or that the programs allow, in the middle of an honest operation. */
interface Incident {
  readonly what: string;
  readonly intent?: Intent;
  readonly drafts: readonly Draft[];
  readonly rule: string;
  readonly verdict: Verdict;
}

const [close, swap, rest] = honestZapOut();
const [wrapAndSwap, add, unwrapRest] = honestZapIn();

const closing = (...extra: readonly TransactionInstruction[]): readonly Draft[] => [{ ...close, instructions: [...close.instructions, ...extra] }, swap, rest];
const opening = (instructions: readonly TransactionInstruction[], signers = add.signers ?? []): readonly Draft[] => [
  wrapAndSwap,
  { ...add, instructions: [...budget(), ...instructions], signers },
  unwrapRest,
];

const THEIR_TOKEN = associatedTokenAddress(THIEF, MINT);
const STAKE = address('Stake11111111111111111111111111111111111111');
const strangeProgram = new TransactionInstruction({
  programId: key(addressOf('a program')),
  keys: [{ pubkey: key(OWNER), isSigner: true, isWritable: true }],
  data: Buffer.from([1]),
});

const INCIDENTS: readonly Incident[] = [
  {
    what: 'a stake authorization inside a withdrawal (2025, a provider\'s interface was taken over)',
    drafts: closing(new TransactionInstruction({ programId: key(STAKE), keys: [{ pubkey: key(OWNER), isSigner: true, isWritable: false }], data: Buffer.from([1, 0, 0, 0]) })),
    rule: 'PRG-3',
    verdict: 'block',
  },
  {
    what: 'a durable nonce, to be used days later (2026)',
    drafts: [
      { ...close, instructions: [SystemProgram.nonceAdvance({ noncePubkey: key(addressOf('nonce')), authorizedPubkey: key(OWNER) }), ...close.instructions.slice(2)] },
      swap,
      rest,
    ],
    rule: 'NON-1',
    verdict: 'block',
  },
  { what: 'the wallet assigned to another program', drafts: closing(SystemProgram.assign({ accountPubkey: key(OWNER), programId: key(THIEF) })), rule: 'SYS-3', verdict: 'block' },
  { what: 'a token account\'s authority given away', drafts: closing(tokenInstruction([6, 2, 1, ...addressBytes(THIEF)], [OWN_TOKEN, OWNER])), rule: 'TOK-3', verdict: 'block' },
  { what: 'the right to spend later', drafts: closing(tokenInstruction(tokenAmount(4, 2n ** 64n - 1n), [OWN_TOKEN, THIEF, OWNER])), rule: 'TOK-2', verdict: 'block' },
  { what: 'an unknown program with the owner\'s signature, which may behave otherwise later', drafts: closing(strangeProgram), rule: 'PRG-2', verdict: 'block' },
  { what: 'a skimming transfer appended to a swap (2025)', drafts: [close, { ...swap, instructions: [...swap.instructions, transferSol(THIEF, 1_300_000n)] }, rest], rule: 'SYS-1', verdict: 'confirm' },
  { what: 'a large transfer appended to a swap', drafts: [close, { ...swap, instructions: [...swap.instructions, transferSol(THIEF, 10n ** 9n)] }, rest], rule: 'SYS-1', verdict: 'block' },
  { what: 'a token transfer hidden in a batch', drafts: closing(tokenInstruction([255, 3, 9, ...tokenAmount(3, 5n)], [OWN_TOKEN, THEIR_TOKEN, OWNER])), rule: 'TOK-7', verdict: 'block' },
  { what: 'withdrawn tokens sent elsewhere', drafts: [{ ...close, instructions: [removal(10_000, { user_token_x: THEIR_TOKEN }), dlmm('close_position2')] }], rule: 'DLMM-2', verdict: 'block' },
  { what: 'fees sent elsewhere', drafts: [{ ...close, instructions: [claim({ user_token_y: THEIR_TOKEN })] }], rule: 'DLMM-2', verdict: 'block' },
  { what: 'the rent sent elsewhere', drafts: [{ ...close, instructions: [dlmm('close_position2', {}, { rent_receiver: THIEF })] }], rule: 'DLMM-3', verdict: 'block' },
  { what: 'unwrapped SOL sent elsewhere', drafts: [close, swap, { ...rest, instructions: [tokenInstruction([9], [OWN_SOL, THIEF, OWNER])] }], rule: 'TOK-4', verdict: 'block' },
  { what: 'the result of the swap sent elsewhere', drafts: [close, { ...swap, instructions: [route({}, { user_destination_token_account: THEIR_TOKEN })] }, rest], rule: 'SWP-1', verdict: 'block' },
  { what: 'the result sent elsewhere through the optional account', drafts: [close, { ...swap, instructions: [route({}, { destination_token_account: THEIR_TOKEN })] }, rest], rule: 'SWP-1', verdict: 'block' },
  {
    what: 'a position opened for somebody else with the owner\'s money',
    intent: ZAP_IN,
    drafts: opening([openPosition({}, { owner: THIEF }), addByStrategy()], [...(add.signers ?? []), keyOf('thief')]),
    rule: 'DLMM-6',
    verdict: 'block',
  },
  { what: 'a deposit into somebody else\'s position', intent: ZAP_IN, drafts: opening([addByStrategy({ accounts: { position: THIEF } })], []), rule: 'DLMM-10', verdict: 'block' },
  { what: 'a position handed over to an operator', drafts: closing(dlmm('update_position_operator', { operator: key(THIEF).toBytes() })), rule: 'DLMM-5', verdict: 'block' },
  { what: 'a withdrawal from another position of the owner', drafts: closing(removal(10_000, { position: addressOf('another position') })), rule: 'DLMM-1', verdict: 'block' },
  { what: 'a platform fee of a tenth and more', drafts: [close, { ...swap, instructions: [route({ platform_fee_bps: 200 }, { platform_fee_account: THIEF })] }, rest], rule: 'SWP-4', verdict: 'confirm' },
  { what: 'a swap that takes any price', drafts: [close, { ...swap, instructions: [route({ slippage_bps: 10_000 })] }, rest], rule: 'SWP-2', verdict: 'block' },
  {
    what: 'a priority fee of more than a SOL',
    drafts: [{ ...close, instructions: [ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000_000_000 }), ...close.instructions.slice(2)] }, swap, rest],
    rule: 'FEE-2',
    verdict: 'block',
  },
  { what: 'a tip of a SOL', drafts: [{ ...close, instructions: [...close.instructions.slice(0, -1), tip(10n ** 9n)] }, swap, rest], rule: 'TIP-2', verdict: 'block' },
  {
    what: 'more SOL swapped than was asked for',
    intent: ZAP_IN,
    drafts: [{ ...wrapAndSwap, instructions: [...budget(), buyToken({ in_amount: 10n ** 10n })] }, add, unwrapRest],
    rule: 'LIM-1',
    verdict: 'block',
  },
  { what: 'somebody else pays and has not signed', drafts: [{ ...close, feePayer: THIEF }], rule: 'SIG-2', verdict: 'block' },
  { what: 'the position\'s signature is missing', intent: ZAP_IN, drafts: [wrapAndSwap, { ...add, signers: [] }, unwrapRest], rule: 'SIG-2', verdict: 'block' },
  { what: 'the owner\'s place is filled already', drafts: [{ ...close, signers: [keyOf('owner')] }, swap, rest], rule: 'SIG-3', verdict: 'block' },
];

describe('review: incidents and attack patterns', () => {
  for (const { what, intent, drafts, rule, verdict } of INCIDENTS) {
    it(`${verdict}s ${what}`, () => {
      const review = reviewDrafts(intent ?? ZAP_OUT, drafts);
      assert.equal(review.verdict, verdict);
      const finding = review.findings.find((one) => one.rule === rule && one.verdict === verdict);
      assert.ok(finding !== undefined, JSON.stringify(review.findings.map((one) => one.rule)));
      assert.equal(review.reviewed.length, verdict === 'block' ? 0 : drafts.length);
    });
  }
});
