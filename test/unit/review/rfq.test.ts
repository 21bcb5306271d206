import assert from 'node:assert/strict';
import type { TransactionInstruction } from '@solana/web3.js';
import { associatedTokenAddress } from '../../../src/base/solana/pda';
import type { Arguments } from '../../../src/base/solana/instructionCodec';
import type { Address } from '../../../src/base/solana/address';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { RFQ_INSTRUCTIONS } from '../../../src/base/solana/jupiterInstructions';
import { REVIEW_PROGRAMS } from '../../../src/review/decode/programs';
import { NO_FACTS } from '../../../src/review/facts/facts';
import type { Intent, Review } from '../../../src/review/types';
import {
  addressOf,
  instruction,
  keyOf,
  MINT,
  objectionsBesidesPrice,
  OWN_SOL,
  OWN_TOKEN,
  OWNER,
  reviewDrafts,
  syncNative,
  THIEF,
  transferSol,
  UNPRICED_IN,
  UNPRICED_OUT,
} from '../../support/review/bundles';
import { TABLE, tableOf } from '../../support/review/lookupTables';
import { anchorDiscriminator } from '../../support/review/anchorDiscriminator';

const MAKER_KEY = keyOf('maker');
const NONE = REVIEW_PROGRAMS.jupiterRfq;

function fill(args: Arguments = {}, accounts: Readonly<Record<string, Address>> = {}): TransactionInstruction {
  return instruction(
    REVIEW_PROGRAMS.jupiterRfq,
    RFQ_INSTRUCTIONS,
    'fill',
    {
      taker: OWNER,
      maker: addressOf('maker'),
      taker_input_mint_token_account: OWN_TOKEN,
      taker_output_mint_token_account: OWN_SOL,
      maker_input_mint_token_account: associatedTokenAddress(addressOf('maker'), MINT),
      maker_output_mint_token_account: associatedTokenAddress(addressOf('maker'), WRAPPED_SOL_MINT),
      input_mint: MINT,
      output_mint: WRAPPED_SOL_MINT,
      input_token_program: PROGRAMS.token,
      output_token_program: PROGRAMS.token,
      system_program: PROGRAMS.system,
      ...accounts,
    },
    { input_amount: 5_000_000n, output_amount: 388_000_000n, expire_at: 1_900_000_000n, ...args },
  );
}

/** Signed by the maker beforehand. */
const reviewed = (intent: Intent, ...instructions: readonly TransactionInstruction[]): Review =>
  reviewDrafts(intent, [{ group: 'swap', signers: [MAKER_KEY], instructions }]);
const selling = (instructionOfSwap: TransactionInstruction): string[] => objectionsBesidesPrice(reviewed(UNPRICED_OUT, instructionOfSwap));

describe('review: Jupiter RFQ (SWP)', () => {
  it('SWP-8: The review asks about a swap with a market maker who has signed', () => {
    const review = reviewed(UNPRICED_OUT, fill());
    assert.deepEqual(objectionsBesidesPrice(review), ['confirm SWP-8']);
    assert.deepEqual(
      review.minimumOut.map(({ mint, amountRaw }) => [mint, amountRaw]),
      [[WRAPPED_SOL_MINT, 388_000_000n]],
    );
    assert.deepEqual(
      review.tokenSpends.map(({ mint, amountRaw, into }) => [mint, amountRaw, into]),
      [[MINT, 5_000_000n, 'swap']],
    );
  });

  it('SIG-2: The review blocks the swap if the market maker has not signed', () => {
    assert.ok(objectionsBesidesPrice(reviewDrafts(UNPRICED_OUT, [{ group: 'swap', instructions: [fill()] }])).includes('block SIG-2'));
  });

  it("SWP-1: The review requires the owner as taker and the owner's accounts on both sides", () => {
    assert.ok(selling(fill({}, { taker_output_mint_token_account: addressOf('their account') })).includes('block SWP-1'));
    assert.ok(
      selling(fill({}, { taker_output_mint_token_account: associatedTokenAddress(THIEF, WRAPPED_SOL_MINT) })).includes('block SWP-1'),
    );
    assert.ok(selling(fill({}, { taker: addressOf('maker'), maker: OWNER })).includes('block SWP-1'));
    assert.ok(selling(fill({}, { taker_input_mint_token_account: addressOf('unknown account') })).includes('confirm SWP-6'));
  });

  it('SWP-1: The review blocks a swap that names no account for the bought tokens, whatever the token is', () => {
    const none = { taker_output_mint_token_account: NONE };
    assert.ok(selling(fill({}, { ...none, output_mint: addressOf('another mint') })).includes('block SWP-1'));
    const buying = { ...none, taker_input_mint_token_account: OWN_SOL, input_mint: WRAPPED_SOL_MINT, output_mint: MINT };
    const review = reviewed(UNPRICED_IN, transferSol(OWN_SOL, 500_000_000n), syncNative(), fill({ input_amount: 500_000_000n }, buying));
    assert.ok(objectionsBesidesPrice(review).includes('block SWP-1'));
    // A table could hold any mint: an RPC that calls it wrapped SOL does not give the swap a destination.
    const draft = { group: 'swap', signers: [MAKER_KEY], instructions: [fill({}, none)], tables: [tableOf([WRAPPED_SOL_MINT])] } as const;
    for (const facts of [
      NO_FACTS,
      { ...NO_FACTS, lookupTables: new Map([[TABLE, { addresses: [WRAPPED_SOL_MINT], isDeactivated: false }]]) },
    ]) {
      assert.ok(objectionsBesidesPrice(reviewDrafts(UNPRICED_OUT, [draft], undefined, { facts })).includes('block SWP-1'));
    }
  });

  it('SWP-1: The review accepts SOL for the wallet as the result and blocks payment with native SOL', () => {
    assert.deepEqual(selling(fill({}, { taker_output_mint_token_account: NONE })), ['confirm SWP-8']);
    const native = {
      taker_input_mint_token_account: NONE,
      taker_output_mint_token_account: OWN_TOKEN,
      input_mint: WRAPPED_SOL_MINT,
      output_mint: MINT,
    };
    const review = reviewed(UNPRICED_IN, transferSol(OWN_SOL, 500_000_000n), syncNative(), fill({ input_amount: 500_000_000n }, native));
    assert.deepEqual(objectionsBesidesPrice(review), ['block SWP-1', 'confirm SWP-8']);
  });

  it("SWP-3 and SWP-6: The review objects to an empty result and to another token than the pool's", () => {
    assert.deepEqual(selling(fill({ output_amount: 0n })), ['block SWP-3', 'confirm SWP-8']);
    assert.deepEqual(selling(fill({ output_amount: 999n })), ['confirm SWP-3', 'confirm SWP-8']);
    const other = addressOf('another mint');
    const accounts = { output_mint: other, taker_output_mint_token_account: associatedTokenAddress(OWNER, other) };
    assert.deepEqual(selling(fill({}, accounts)), ['confirm SWP-6', 'confirm SWP-8']);
  });

  it('LIM-1: The review counts the payment against the input', () => {
    const buying = (lamports: bigint): string[] => {
      const accounts = {
        taker_input_mint_token_account: OWN_SOL,
        taker_output_mint_token_account: OWN_TOKEN,
        input_mint: WRAPPED_SOL_MINT,
        output_mint: MINT,
      };
      return objectionsBesidesPrice(
        reviewed(UNPRICED_IN, transferSol(OWN_SOL, 1_010_000_000n), syncNative(), fill({ input_amount: lamports }, accounts)),
      );
    };
    assert.deepEqual(buying(1_010_000_000n), ['confirm SWP-8']);
    assert.ok(buying(1_010_000_001n).includes('block LIM-1'));
  });

  it('SWP-0: The review blocks other instructions and malformed data', () => {
    const spoiled = (data: Buffer): TransactionInstruction => Object.assign(fill(), { data });
    assert.ok(selling(spoiled(Buffer.alloc(32))).includes('block SWP-0'));
    assert.ok(selling(spoiled(Buffer.concat([fill().data, Buffer.alloc(1)]))).includes('block SWP-0'));
    assert.ok(selling(spoiled(fill().data.subarray(0, -1))).includes('block SWP-0'));
    assert.equal(RFQ_INSTRUCTIONS[0]?.discriminator, anchorDiscriminator('fill'));
  });
});
