import assert from 'node:assert/strict';
import { TransactionInstruction } from '@solana/web3.js';
import { addressBytes, type Address } from '../../../src/base/solana/address';
import { associatedTokenAddress } from '../../../src/base/solana/pda';
import { DAMM_INSTRUCTIONS } from '../../../src/base/solana/generated/dammInstructions';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import type { Review, ZapOutIntent } from '../../../src/review/types';
import { splToken } from '../../support/base/solana/packages';
import {
  addressOf,
  claim,
  createAta,
  instruction,
  key,
  MINT,
  objections,
  OWN_SOL,
  OWN_TOKEN,
  OWNER,
  POOL,
  POSITION,
  removal,
  reviewDrafts,
  route,
  THIEF,
  tokenAmount,
  tokenInstruction,
  ZAP_IN,
  ZAP_OUT,
  type Draft,
} from '../../support/review/bundles';
import { tableOf } from '../../support/review/lookupTables';

const reviewWith = (...extra: readonly TransactionInstruction[]): Review =>
  reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim(), ...extra] }]);

const THEIR_TOKEN = associatedTokenAddress(THIEF, MINT);
const transfer = (amount: bigint, to = THEIR_TOKEN, from = OWN_TOKEN): TransactionInstruction =>
  tokenInstruction(tokenAmount(3, amount), [from, to, OWNER]);
const transferChecked = (amount: bigint, to = THEIR_TOKEN, from = OWN_TOKEN): TransactionInstruction =>
  tokenInstruction([...tokenAmount(12, amount), 6], [from, MINT, to, OWNER]);

describe('review: token programs (TOK, ATA)', () => {
  it("TOK-1: The review accepts transfers between the owner's accounts", () => {
    assert.deepEqual(objections(reviewWith(transfer(5n, associatedTokenAddress(OWNER, MINT, PROGRAMS.token2022)))), []);
  });

  it("TOK-1: The review asks about the service's fee once per mint after a claim or withdrawal of the pool", () => {
    for (const fee of [transfer(80n), transferChecked(80n)]) {
      const review = reviewWith(fee);
      assert.deepEqual(objections(review), ['confirm TOK-1']);
      assert.deepEqual(
        review.recipients.map(({ address }) => address),
        [THEIR_TOKEN],
      );
    }
    assert.deepEqual(objections(reviewWith(transfer(80n), transfer(80n, THEIR_TOKEN, OWN_SOL))), ['confirm TOK-1']);
    assert.deepEqual(objections(reviewWith(transfer(80n), transferChecked(80n))), ['block TOK-1', 'confirm TOK-1']);
  });

  it('TOK-1: The finding states the fee as a share of the withdrawn amount if that was shown', () => {
    const told = (fee: TransactionInstruction, worth?: ZapOutIntent['worth']): string | undefined =>
      reviewDrafts({ ...ZAP_OUT, worth }, [{ group: 'close', instructions: [claim(), fee] }]).findings.find(({ rule }) => rule === 'TOK-1')
        ?.message;
    const worth = [
      { mint: MINT, amountRaw: 1_000n },
      { mint: WRAPPED_SOL_MINT, amountRaw: 2_000_000_000n },
    ];
    assert.match(
      told(transfer(950n), worth) ?? '',
      new RegExp(`^950 raw units of ${MINT} would go to ${THEIR_TOKEN}\\. That is 95% of the withdrawal's value that you were shown\\.`),
    );
    assert.match(told(transfer(1n), [{ mint: MINT, amountRaw: 2n ** 200n }]) ?? '', / is 0\.01% of the withdrawal/);
    assert.match(
      told(transfer(20_000_000n, THEIR_TOKEN, OWN_SOL), worth) ?? '',
      /^0\.02 SOL would go to \w+\. That is 1% of the withdrawal/,
    );
    for (const unknown of [undefined, [], [{ mint: MINT, amountRaw: 0n }]]) {
      assert.match(told(transfer(950n), unknown) ?? '', new RegExp(`would go to ${THEIR_TOKEN}\\. The service`));
    }
  });

  it('TOK-1: The review blocks token transfers to strangers in any other shape', () => {
    const alone = (...instructions: readonly TransactionInstruction[]): string[] =>
      objections(reviewDrafts(ZAP_OUT, [{ group: 'close', instructions }]));
    assert.deepEqual(alone(transfer(80n), claim()), ['block TOK-1']);
    assert.deepEqual(alone(claim({ lb_pair: THIEF }), transfer(80n)), ['block DLMM-1', 'block TOK-1']);
    assert.deepEqual(objections(reviewDrafts(ZAP_OUT, [{ group: 'swap', instructions: [claim(), transfer(80n)] }])), ['block TOK-1']);
    assert.deepEqual(objections(reviewWith(transfer(1n << 63n))), ['block TOK-1']);
    const otherMint = addressOf('another mint');
    assert.deepEqual(objections(reviewWith(createAta(otherMint), transfer(80n, THEIR_TOKEN, associatedTokenAddress(OWNER, otherMint)))), [
      'block TOK-1',
    ]);
    assert.deepEqual(objections(reviewWith(transfer(80n, THEIR_TOKEN, addressOf('not an ATA')))), ['block TOK-1']);
    assert.ok(objections(reviewDrafts(ZAP_IN, [{ group: 'swap', instructions: [transfer(80n)] }])).includes('block TOK-1'));
  });

  it('TOK-1: The review says that the user approved the recipient and still asks', () => {
    for (const feeRecipients of [[THIEF], [THEIR_TOKEN]]) {
      const review = reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim(), transfer(80n)] }], { feeRecipients });
      assert.deepEqual(objections(review), ['confirm TOK-1']);
      assert.match(review.findings.find(({ rule }) => rule === 'TOK-1')?.message ?? '', /approved/);
      assert.deepEqual(objections(reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [transfer(80n)] }], { feeRecipients })), [
        'block TOK-1',
      ]);
    }
  });

  it('TOK-1: The review blocks token transfers to an account that only a lookup table names', () => {
    const hidden = addressOf('hidden');
    const reviewHidden = (instruction: TransactionInstruction): string[] =>
      objections(reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim(), instruction], tables: [tableOf([hidden])] }]));
    assert.deepEqual(reviewHidden(transfer(80n, hidden)), ['block TOK-1']);
    assert.deepEqual(reviewHidden(tokenInstruction([9], [OWN_SOL, hidden, OWNER])), ['block TOK-4']);
    assert.deepEqual(reviewHidden(tokenInstruction([9], [hidden, OWNER, OWNER])), ['confirm TOK-4']);
    assert.deepEqual(reviewHidden(transfer(80n, OWN_TOKEN, hidden)), []);
  });

  it('TOK-1: The review accepts the fee also after a claim from the intended DAMM v2 pool, and from no other', () => {
    const claimed = (pool: Address): TransactionInstruction =>
      instruction(PROGRAMS.dammV2, DAMM_INSTRUCTIONS, 'claim_position_fee', {
        pool,
        position: POSITION,
        token_a_account: OWN_TOKEN,
        token_b_account: OWN_SOL,
        token_a_mint: MINT,
        token_b_mint: WRAPPED_SOL_MINT,
        signer: OWNER,
      });
    const feeAfter = (pool: Address): string[] =>
      objections(reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claimed(pool), transfer(80n)] }])).filter((text) =>
        text.includes('TOK'),
      );
    assert.deepEqual(feeAfter(POOL), ['confirm TOK-1']);
    assert.deepEqual(feeAfter(THIEF), ['block TOK-1']);
  });

  it('TOK-1, TOK-8: The review allows Token-2022 transfers with a fee to the owner only', () => {
    const withFee = (to: Address, program = PROGRAMS.token2022): TransactionInstruction => {
      const { createTransferCheckedWithFeeInstruction } = splToken();
      assert.ok(createTransferCheckedWithFeeInstruction !== undefined);
      return createTransferCheckedWithFeeInstruction(key(OWN_TOKEN), key(MINT), key(to), key(OWNER), 80n, 6, 4n, [], key(program));
    };
    assert.deepEqual(objections(reviewWith(withFee(associatedTokenAddress(OWNER, MINT, PROGRAMS.token2022)))), []);
    assert.deepEqual(objections(reviewWith(withFee(THEIR_TOKEN))), ['block TOK-1']);
    assert.deepEqual(objections(reviewWith(tokenInstruction([26, 0, 1], [OWN_TOKEN, MINT, OWNER], PROGRAMS.token2022))), ['block TOK-8']);
    assert.deepEqual(objections(reviewWith(tokenInstruction([26, 1, ...tokenAmount(6, 1n)], [OWN_TOKEN, MINT, OWN_TOKEN, OWNER]))), [
      'block TOK-8',
    ]);
  });

  it('TOK-8: The review blocks extension instructions as @solana/spl-token writes them, and names them', () => {
    const makers = splToken();
    const token2022 = key(PROGRAMS.token2022);
    const made: readonly (readonly [string, TransactionInstruction | undefined])[] = [
      ['CpiGuardExtension', makers['createEnableCpiGuardInstruction']?.(key(OWN_TOKEN), key(OWNER), [], token2022)],
      ['CpiGuardExtension', makers['createDisableCpiGuardInstruction']?.(key(OWN_TOKEN), key(OWNER), [], token2022)],
      ['MemoTransferExtension', makers['createEnableRequiredMemoTransfersInstruction']?.(key(OWN_TOKEN), key(OWNER), [], token2022)],
      ['Reallocate', makers['createReallocateInstruction']?.(key(OWN_TOKEN), key(OWNER), [8], key(OWNER), [], token2022)],
      ['InitializePermanentDelegate', makers['createInitializePermanentDelegateInstruction']?.(key(MINT), key(THIEF), token2022)],
      ['TransferHookExtension', makers['createInitializeTransferHookInstruction']?.(key(MINT), key(THIEF), key(THIEF), token2022)],
      [
        'TransferFeeExtension',
        makers['createWithdrawWithheldTokensFromAccountsInstruction']?.(key(MINT), key(THIEF), key(OWNER), [], [], token2022),
      ],
    ];
    for (const [name, extension] of made) {
      assert.ok(extension !== undefined, name);
      const review = reviewWith(extension);
      assert.deepEqual(objections(review), ['block TOK-8']);
      assert.match(review.findings[0]?.message ?? '', new RegExp(`instruction "${name}" is not part`));
    }
  });

  it('The decoder reads the instructions that @solana/spl-token writes', () => {
    const makers = splToken();
    const [own, sol, mint, owner, thief, theirs] = [OWN_TOKEN, OWN_SOL, MINT, OWNER, THIEF, THEIR_TOKEN].map(key);
    const made: readonly (readonly [TransactionInstruction | undefined, readonly string[]])[] = [
      [makers['createTransferInstruction']?.(own, theirs, owner, 80n), ['confirm TOK-1']],
      [makers['createTransferCheckedInstruction']?.(own, mint, theirs, owner, 80n, 6), ['confirm TOK-1']],
      [makers['createTransferInstruction']?.(own, own, owner, 80n), []],
      [makers['createApproveInstruction']?.(own, thief, owner, 80n), ['block TOK-2']],
      [makers['createApproveCheckedInstruction']?.(own, mint, thief, owner, 80n, 6), ['block TOK-2']],
      [makers['createRevokeInstruction']?.(own, owner), []],
      [makers['createSetAuthorityInstruction']?.(own, owner, 2, thief), ['block TOK-3']],
      [makers['createSetAuthorityInstruction']?.(own, owner, 3, null), ['block TOK-3']],
      [makers['createCloseAccountInstruction']?.(sol, owner, owner), []],
      [makers['createCloseAccountInstruction']?.(sol, thief, owner), ['block TOK-4']],
      [makers['createMintToInstruction']?.(mint, own, owner, 1n), ['block TOK-5']],
      [makers['createBurnInstruction']?.(own, mint, owner, 1n), ['block TOK-5']],
      [makers['createBurnCheckedInstruction']?.(own, mint, owner, 1n, 6), ['block TOK-5']],
      [makers['createFreezeAccountInstruction']?.(own, mint, owner), ['block TOK-5']],
      [makers['createThawAccountInstruction']?.(own, mint, owner), ['block TOK-5']],
      [makers['createInitializeAccount3Instruction']?.(theirs, mint, owner), ['block TOK-6']],
      [makers['createSyncNativeInstruction']?.(sol), []],
      [makers['createInitializeImmutableOwnerInstruction']?.(own, key(PROGRAMS.token)), []],
      [makers['createAssociatedTokenAccountIdempotentInstruction']?.(owner, own, owner, mint), []],
      [makers['createAssociatedTokenAccountInstruction']?.(owner, theirs, thief, mint), ['confirm ATA-1']],
      [makers['createRecoverNestedInstruction']?.(own, mint, own, own, mint, owner), ['block ATA-1']],
    ];
    for (const [instruction, expected] of made) {
      assert.ok(instruction !== undefined);
      assert.deepEqual(objections(reviewWith(instruction)), expected, Buffer.from(instruction.data).toString('hex'));
    }
  });

  it('TOK-2: The review blocks a token delegation and accepts its revocation', () => {
    assert.deepEqual(objections(reviewWith(tokenInstruction(tokenAmount(4, 1n), [OWN_TOKEN, THIEF, OWNER]))), ['block TOK-2']);
    assert.deepEqual(objections(reviewWith(tokenInstruction([...tokenAmount(13, 1n), 6], [OWN_TOKEN, MINT, THIEF, OWNER]))), [
      'block TOK-2',
    ]);
    assert.deepEqual(objections(reviewWith(tokenInstruction([5], [OWN_TOKEN, OWNER]))), []);
  });

  it('TOK-3: The review blocks giving away any kind of authority', () => {
    for (const type of [0, 1, 2, 3, 9]) {
      assert.deepEqual(objections(reviewWith(tokenInstruction([6, type, 1, ...addressBytes(THIEF)], [OWN_TOKEN, OWNER]))), ['block TOK-3']);
    }
    assert.deepEqual(objections(reviewWith(tokenInstruction([6], [OWN_TOKEN, OWNER]))), ['block TOK-3']);
  });

  it("TOK-4: The review allows closing the owner's accounts to the owner only", () => {
    assert.deepEqual(objections(reviewWith(tokenInstruction([9], [OWN_TOKEN, OWNER, OWNER]))), []);
    assert.deepEqual(objections(reviewWith(tokenInstruction([9], [OWN_SOL, THIEF, OWNER]))), ['block TOK-4']);
    assert.deepEqual(objections(reviewWith(tokenInstruction([9], [addressOf('unknown'), OWNER, OWNER]))), ['confirm TOK-4']);
  });

  it("TOK-5, TOK-6: The review blocks instructions for mints and for other owners' accounts", () => {
    for (const opcode of [7, 8]) {
      assert.deepEqual(objections(reviewWith(tokenInstruction(tokenAmount(opcode, 1n), [OWN_TOKEN, MINT, OWNER]))), ['block TOK-5']);
    }
    for (const opcode of [10, 11]) {
      assert.deepEqual(objections(reviewWith(tokenInstruction([opcode], [OWN_TOKEN, MINT, OWNER]))), ['block TOK-5']);
    }
    assert.deepEqual(objections(reviewWith(tokenInstruction([20, 6, ...addressBytes(OWNER), 0], [MINT]))), ['block TOK-5']);
    assert.deepEqual(objections(reviewWith(tokenInstruction([18, ...addressBytes(OWNER)], [addressOf('new'), MINT]))), ['block TOK-6']);
    assert.deepEqual(objections(reviewWith(tokenInstruction([16, ...addressBytes(THIEF)], [addressOf('new'), MINT, PROGRAMS.system]))), [
      'block TOK-6',
    ]);
  });

  it('TOK-7: The review blocks the opcodes that can hide other instructions', () => {
    for (const opcode of [255, 45, 38]) {
      assert.deepEqual(objections(reviewWith(tokenInstruction([opcode, 1, 2, 3], [OWN_TOKEN, THIEF, OWNER]))), ['block TOK-7']);
    }
  });

  it('TOK-8: The review blocks extensions and unreadable instructions in both token programs', () => {
    const known = new Set([...Array.from({ length: 25 }, (_, opcode) => opcode), 38, 45, 255]);
    const unknown = Array.from({ length: 256 }, (_, opcode) => opcode).filter((opcode) => !known.has(opcode));
    for (const program of [PROGRAMS.token, PROGRAMS.token2022]) {
      for (const opcodes of [unknown.slice(0, 80), unknown.slice(80, 160), unknown.slice(160)]) {
        const review = reviewWith(...opcodes.map((opcode) => tokenInstruction([opcode], [OWN_TOKEN, OWNER], program)));
        assert.deepEqual(objections(review), ['block TOK-8']);
        assert.deepEqual(
          review.findings.filter(({ rule }) => rule === 'TOK-8').map(({ instruction }) => instruction),
          opcodes.map((_, at) => at + 1),
        );
      }
      assert.deepEqual(objections(reviewWith(tokenInstruction([], [OWN_TOKEN], program))), ['block TOK-8']);
      assert.deepEqual(objections(reviewWith(tokenInstruction([...tokenAmount(3, 1n), 0], [OWN_TOKEN, OWN_SOL, OWNER], program))), [
        'block TOK-8',
      ]);
      assert.deepEqual(objections(reviewWith(tokenInstruction(tokenAmount(3, 1n), [OWN_TOKEN], program))), ['block TOK-8']);
    }
  });

  it('The review allows harmless token instructions', () => {
    const harmless = [[17], [22], [21], [21, 7, 0], tokenAmount(23, 5n), [24, 49, 46, 53]];
    for (const data of harmless) {
      assert.deepEqual(objections(reviewWith(tokenInstruction(data, [OWN_TOKEN]))), []);
    }
  });

  describe('ATA-1: associated token accounts', () => {
    const withData = (data: readonly number[], from = createAta(MINT)): TransactionInstruction =>
      new TransactionInstruction({ programId: from.programId, keys: from.keys, data: Buffer.from(data) });

    it("The review accepts all three forms of creating the owner's account", () => {
      for (const data of [[], [0], [1]]) {
        const review = reviewWith(withData(data));
        assert.deepEqual(objections(review), []);
        assert.equal(review.spends.refundableRentLamports, 2_039_280n);
      }
    });

    it('The review asks about an account for a token outside the operation, with its rent', () => {
      const other = addressOf('a token without a part');
      const review = reviewWith(createAta(other));
      assert.deepEqual(objections(review), ['confirm ATA-1']);
      const finding = review.findings.find(({ rule }) => rule === 'ATA-1');
      assert.match(finding?.message ?? '', /with 0\.00203928 SOL of rent\. That is not part of this operation\./);
      assert.equal(finding?.amountRaw, 2_039_280n);
      // Neither a memo that names it nor an instruction that does nothing with it gives it a part.
      assert.deepEqual(objections(reviewWith(createAta(other), tokenInstruction([5], [associatedTokenAddress(OWNER, other), OWNER]))), [
        'confirm ATA-1',
      ]);
    });

    it('The review accepts an account for a token on a route and an account that closes again', () => {
      const other = addressOf('a token on the way');
      const account = associatedTokenAddress(OWNER, other);
      const { programId, data, keys } = route();
      const routed = new TransactionInstruction({
        programId,
        data,
        keys: [...keys, { pubkey: key(account), isSigner: false, isWritable: true }],
      });
      assert.deepEqual(objections(reviewDrafts(ZAP_OUT, [{ group: 'swap', instructions: [createAta(other), routed] }])), []);
      assert.deepEqual(objections(reviewWith(createAta(other), tokenInstruction([9], [account, OWNER, OWNER]))), []);
    });

    it('The review blocks an account that is not the derived one', () => {
      assert.deepEqual(objections(reviewWith(createAta(MINT, OWNER, THEIR_TOKEN))), ['block ATA-1']);
    });

    it('BND-1: The review blocks more accounts than it verifies, even if each could be right', () => {
      const creations = (transaction: number, count: number): Draft => ({
        group: 'close',
        version: 1,
        instructions: Array.from({ length: count }, (_, place) => createAta(addressOf(`mint ${transaction} ${place}`))),
      });
      const few = reviewDrafts(ZAP_OUT, [creations(0, 10)]);
      assert.ok(!objections(few).includes('block BND-1'));
      // The last ones are not derived: the transactions name correct accounts, and the review cannot know it.
      const many = reviewDrafts(
        ZAP_OUT,
        Array.from({ length: 64 }, (_, transaction) => creations(transaction, 17)),
      );
      assert.deepEqual([...new Set(objections(many).filter((objection) => objection.startsWith('block')))], ['block BND-1']);
      assert.equal(many.verdict, 'block');
    });

    it('The review asks about an account for another owner', () => {
      assert.deepEqual(objections(reviewWith(createAta(MINT, THIEF))), ['confirm ATA-1']);
    });

    it('The review blocks an account whose token program is not a token program', () => {
      const { keys, programId, data } = createAta(MINT);
      const swapped = keys.map((meta, place) => (place === 5 ? { ...meta, pubkey: key(THIEF) } : meta));
      assert.deepEqual(objections(reviewWith(new TransactionInstruction({ programId, data, keys: swapped }))), ['block ATA-1']);
    });

    it("The review counts the rent for both token programs and treats a stranger's rent as spent", () => {
      const { createAssociatedTokenAccountInstruction } = splToken();
      const newer = createAssociatedTokenAccountInstruction?.(
        key(OWNER),
        key(associatedTokenAddress(OWNER, MINT, PROGRAMS.token2022)),
        key(OWNER),
        key(MINT),
        key(PROGRAMS.token2022),
      );
      assert.ok(newer !== undefined);
      const review = reviewWith(newer, createAta(MINT, THIEF));
      assert.deepEqual(objections(review), ['confirm ATA-1']);
      assert.equal(review.spends.refundableRentLamports, 2_074_080n);
      assert.equal(review.spends.spentRentLamports, 2_039_280n);
    });

    it('The review asks about a wallet that only a lookup table names, and strict mode blocks it', () => {
      const drafts: Draft[] = [{ group: 'close', instructions: [claim(), createAta(MINT, THIEF)], tables: [tableOf([THIEF])] }];
      assert.deepEqual(objections(reviewDrafts(ZAP_OUT, drafts)), ['confirm ATA-1']);
      assert.deepEqual(objections(reviewDrafts(ZAP_OUT, drafts, { isStrictWithoutRpc: true })), ['block ATA-1']);
    });

    it('The review blocks other instructions of the associated token program', () => {
      for (const data of [[2], [3], [0, 0], [255]]) {
        assert.deepEqual(objections(reviewWith(withData(data))), ['block ATA-1']);
      }
      const { keys, programId } = createAta(MINT);
      assert.deepEqual(objections(reviewWith(new TransactionInstruction({ programId, keys: keys.slice(0, 3), data: Buffer.from([1]) }))), [
        'block ATA-1',
      ]);
    });
  });

  it("The review recognizes the owner's accounts only by mints that the operation names", () => {
    const stray = associatedTokenAddress(OWNER, addressOf('unnamed mint'));
    assert.deepEqual(objections(reviewWith(transfer(5n, stray))), ['confirm TOK-1']);
    assert.deepEqual(
      objections(
        reviewDrafts(ZAP_OUT, [
          { group: 'close', instructions: [removal(10_000, { user_token_x: key(stray).toBase58() as typeof stray })] },
        ]),
      ),
      ['block DLMM-2'],
    );
  });
});
