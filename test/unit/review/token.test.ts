import assert from 'node:assert/strict';
import { TransactionInstruction } from '@solana/web3.js';
import { addressBytes } from '../../../src/solana/address';
import { associatedTokenAddress } from '../../../src/solana/derive';
import { PROGRAMS } from '../../../src/solana/programs';
import type { Review } from '../../../src/review/types';
import { addressOf, claim, createAta, key, MINT, objections, OWN_SOL, OWN_TOKEN, OWNER, removal, reviewDrafts, THIEF, tokenAmount, tokenInstruction, ZAP_IN, ZAP_OUT } from './bundles';

const reviewWith = (...extra: readonly TransactionInstruction[]): Review => reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim(), ...extra] }]);

const THEIR_TOKEN = associatedTokenAddress(THIEF, MINT);
const transfer = (amount: bigint, to = THEIR_TOKEN, from = OWN_TOKEN): TransactionInstruction => tokenInstruction(tokenAmount(3, amount), [from, to, OWNER]);
const transferChecked = (amount: bigint, to = THEIR_TOKEN, from = OWN_TOKEN): TransactionInstruction =>
  tokenInstruction([...tokenAmount(12, amount), 6], [from, MINT, to, OWNER]);

describe('review: token programs (TOK, ATA)', () => {
  it('TOK-1: takes transfers between the owner\'s accounts', () => {
    assert.deepEqual(objections(reviewWith(transfer(5n, associatedTokenAddress(OWNER, MINT, PROGRAMS.token2022)))), []);
  });

  it('TOK-1: asks about the service\'s fee, once a mint, after a claim or withdrawal of the pool', () => {
    for (const fee of [transfer(80n), transferChecked(80n)]) {
      const review = reviewWith(fee);
      assert.deepEqual(objections(review), ['confirm TOK-1']);
      assert.deepEqual(review.recipients.map(({ address }) => address), [THEIR_TOKEN]);
    }
    assert.deepEqual(objections(reviewWith(transfer(80n), transfer(80n, THEIR_TOKEN, OWN_SOL))), ['confirm TOK-1']);
    assert.deepEqual(objections(reviewWith(transfer(80n), transferChecked(80n))), ['block TOK-1', 'confirm TOK-1']);
  });

  it('TOK-1: refuses tokens to strangers in any other shape', () => {
    const alone = (...instructions: readonly TransactionInstruction[]): string[] => objections(reviewDrafts(ZAP_OUT, [{ group: 'close', instructions }]));
    assert.deepEqual(alone(transfer(80n), claim()), ['block TOK-1']);
    assert.deepEqual(alone(claim({ lb_pair: THIEF }), transfer(80n)), ['block DLMM-1', 'block TOK-1']);
    assert.deepEqual(objections(reviewDrafts(ZAP_OUT, [{ group: 'swap', instructions: [claim(), transfer(80n)] }])), ['block TOK-1']);
    assert.deepEqual(objections(reviewWith(transfer(1n << 63n))), ['block TOK-1']);
    const otherMint = addressOf('another mint');
    assert.deepEqual(objections(reviewWith(createAta(otherMint), transfer(80n, THEIR_TOKEN, associatedTokenAddress(OWNER, otherMint)))), ['block TOK-1']);
    assert.deepEqual(objections(reviewWith(transfer(80n, THEIR_TOKEN, addressOf('not an ATA')))), ['block TOK-1']);
    assert.ok(objections(reviewDrafts(ZAP_IN, [{ group: 'swap', instructions: [transfer(80n)] }])).includes('block TOK-1'));
  });

  it('TOK-2: refuses to let somebody else spend tokens, and takes that back', () => {
    assert.deepEqual(objections(reviewWith(tokenInstruction(tokenAmount(4, 1n), [OWN_TOKEN, THIEF, OWNER]))), ['block TOK-2']);
    assert.deepEqual(objections(reviewWith(tokenInstruction([...tokenAmount(13, 1n), 6], [OWN_TOKEN, MINT, THIEF, OWNER]))), ['block TOK-2']);
    assert.deepEqual(objections(reviewWith(tokenInstruction([5], [OWN_TOKEN, OWNER]))), []);
  });

  it('TOK-3: refuses to give an authority away, of any kind', () => {
    for (const type of [0, 1, 2, 3, 9]) {
      assert.deepEqual(objections(reviewWith(tokenInstruction([6, type, 1, ...addressBytes(THIEF)], [OWN_TOKEN, OWNER]))), ['block TOK-3']);
    }
    assert.deepEqual(objections(reviewWith(tokenInstruction([6], [OWN_TOKEN, OWNER]))), ['block TOK-3']);
  });

  it('TOK-4: closes the owner\'s accounts to the owner only', () => {
    assert.deepEqual(objections(reviewWith(tokenInstruction([9], [OWN_TOKEN, OWNER, OWNER]))), []);
    assert.deepEqual(objections(reviewWith(tokenInstruction([9], [OWN_SOL, THIEF, OWNER]))), ['block TOK-4']);
    assert.deepEqual(objections(reviewWith(tokenInstruction([9], [addressOf('unknown'), OWNER, OWNER]))), ['confirm TOK-4']);
  });

  it('TOK-5, TOK-6: refuses what belongs to mints and other people\'s accounts', () => {
    for (const opcode of [7, 8]) {
      assert.deepEqual(objections(reviewWith(tokenInstruction(tokenAmount(opcode, 1n), [OWN_TOKEN, MINT, OWNER]))), ['block TOK-5']);
    }
    for (const opcode of [10, 11]) {
      assert.deepEqual(objections(reviewWith(tokenInstruction([opcode], [OWN_TOKEN, MINT, OWNER]))), ['block TOK-5']);
    }
    assert.deepEqual(objections(reviewWith(tokenInstruction([20, 6, ...addressBytes(OWNER), 0], [MINT]))), ['block TOK-5']);
    assert.deepEqual(objections(reviewWith(tokenInstruction([18, ...addressBytes(OWNER)], [addressOf('new'), MINT]))), ['block TOK-6']);
    assert.deepEqual(objections(reviewWith(tokenInstruction([16, ...addressBytes(THIEF)], [addressOf('new'), MINT, PROGRAMS.system]))), ['block TOK-6']);
  });

  it('TOK-7: refuses the opcodes that can hide others', () => {
    for (const opcode of [255, 45, 38]) {
      assert.deepEqual(objections(reviewWith(tokenInstruction([opcode, 1, 2, 3], [OWN_TOKEN, THIEF, OWNER]))), ['block TOK-7']);
    }
  });

  it('TOK-8: refuses extensions and whatever cannot be read, in both programs', () => {
    const known = new Set([...Array.from({ length: 25 }, (_, opcode) => opcode), 38, 45, 255]);
    const unknown = Array.from({ length: 256 }, (_, opcode) => opcode).filter((opcode) => !known.has(opcode));
    for (const program of [PROGRAMS.token, PROGRAMS.token2022]) {
      for (const opcodes of [unknown.slice(0, 80), unknown.slice(80, 160), unknown.slice(160)]) {
        const review = reviewWith(...opcodes.map((opcode) => tokenInstruction([opcode], [OWN_TOKEN, OWNER], program)));
        assert.deepEqual(objections(review), ['block TOK-8']);
        assert.deepEqual(review.findings.map(({ instruction }) => instruction), opcodes.map((_, at) => at + 1));
      }
      assert.deepEqual(objections(reviewWith(tokenInstruction([], [OWN_TOKEN], program))), ['block TOK-8']);
      assert.deepEqual(objections(reviewWith(tokenInstruction([...tokenAmount(3, 1n), 0], [OWN_TOKEN, OWN_SOL, OWNER], program))), ['block TOK-8']);
      assert.deepEqual(objections(reviewWith(tokenInstruction(tokenAmount(3, 1n), [OWN_TOKEN], program))), ['block TOK-8']);
    }
  });

  it('lets harmless instructions be', () => {
    const harmless = [[17], [22], [21], [21, 7, 0], tokenAmount(23, 5n), [24, 49, 46, 53]];
    for (const data of harmless) {
      assert.deepEqual(objections(reviewWith(tokenInstruction(data, [OWN_TOKEN]))), []);
    }
  });

  describe('ATA-1', () => {
    const withData = (data: readonly number[], from = createAta(MINT)): TransactionInstruction =>
      new TransactionInstruction({ programId: from.programId, keys: from.keys, data: Buffer.from(data) });

    it('takes all three forms of making the owner\'s account', () => {
      for (const data of [[], [0], [1]]) {
        const review = reviewWith(withData(data));
        assert.deepEqual(objections(review), []);
        assert.equal(review.spends.refundableRentLamports, 2_039_280n);
      }
    });

    it('refuses an account that is not the derived one', () => {
      assert.deepEqual(objections(reviewWith(createAta(MINT, OWNER, THEIR_TOKEN))), ['block ATA-1']);
    });

    it('asks about an account for somebody else', () => {
      assert.deepEqual(objections(reviewWith(createAta(MINT, THIEF))), ['confirm ATA-1']);
    });

    it('refuses other instructions', () => {
      for (const data of [[2], [3], [0, 0], [255]]) {
        assert.deepEqual(objections(reviewWith(withData(data))), ['block ATA-1']);
      }
      const { keys, programId } = createAta(MINT);
      assert.deepEqual(objections(reviewWith(new TransactionInstruction({ programId, keys: keys.slice(0, 3), data: Buffer.from([1]) }))), ['block ATA-1']);
    });
  });

  it('knows the owner\'s accounts only by mints that the operation names', () => {
    const stray = associatedTokenAddress(OWNER, addressOf('unnamed mint'));
    assert.deepEqual(objections(reviewWith(transfer(5n, stray))), ['confirm TOK-1']);
    assert.deepEqual(objections(reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [removal(10_000, { user_token_x: key(stray).toBase58() as typeof stray })] }])), ['block DLMM-2']);
  });
});
