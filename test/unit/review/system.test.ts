import assert from 'node:assert/strict';
import { SystemProgram, TransactionInstruction } from '@solana/web3.js';
import type { Arguments } from '../../../src/base/solana/instructionCodec';
import { SYSTEM_INSTRUCTIONS } from '../../../src/base/solana/nativeInstructions';
import { addressBytes, addressFromBytes, type Address } from '../../../src/base/solana/address';
import { JITO_TIP_ACCOUNTS, PROGRAMS, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { associatedTokenAddress } from '../../../src/base/solana/pda';
import { NO_FACTS } from '../../../src/review/facts/facts';
import type { PolicySettings } from '../../../src/review/policy';
import type { Review } from '../../../src/review/types';
import {
  addressOf,
  BLOCKHASH,
  budget,
  claim,
  honestZapOut,
  instruction,
  key,
  keyOf,
  objections,
  OWN_SOL,
  OWNER,
  reviewDrafts,
  syncNative,
  THIEF,
  tip,
  tokenAmount,
  tokenInstruction,
  transferSol,
  ZAP_IN,
  ZAP_OUT,
} from '../../support/review/bundles';

const system = (name: string, accounts: Readonly<Record<string, Address>>, args: Arguments = {}): TransactionInstruction =>
  instruction(PROGRAMS.system, SYSTEM_INSTRUCTIONS, name, accounts, args);

const reviewWith = (...extra: readonly TransactionInstruction[]): Review =>
  reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim(), ...extra] }]);

describe('review: System program (SYS, NON, TIP)', () => {
  it('SYS-1: The review asks about a small SOL transfer to a stranger, as skimming extensions sent', () => {
    const review = reviewWith(transferSol(THIEF, 1_300_000n));
    assert.deepEqual(objections(review), ['confirm SYS-1']);
    assert.deepEqual(review.recipients, [{ address: THIEF, role: 'gets SOL' }]);
    assert.equal(review.spends.otherLamports, 1_300_000n);
  });

  it('SYS-1: The review blocks larger SOL transfers to strangers, also in parts', () => {
    assert.deepEqual(objections(reviewWith(transferSol(THIEF, 5_000_001n))), ['block SYS-1', 'confirm SYS-1']);
    const parts = Array.from({ length: 6 }, (_, part) => transferSol(addressOf(`thief ${part}`), 1_000_000n));
    assert.ok(objections(reviewWith(...parts)).includes('block SYS-1'));
  });

  it("WRP-1: The review treats SOL for another owner's wrapped SOL account as SOL for a stranger", () => {
    const theirs = associatedTokenAddress(THIEF, WRAPPED_SOL_MINT);
    assert.deepEqual(objections(reviewWith(transferSol(theirs, 1_000n), tokenInstruction([17], [theirs]))), ['confirm SYS-1']);
  });

  it("The review accepts SOL transfers to the owner and to the owner's wrapped SOL account", () => {
    assert.deepEqual(objections(reviewWith(transferSol(OWNER, 10n ** 12n))), []);
    assert.deepEqual(objections(reviewWith(transferSol(OWN_SOL, 10_000_000n), syncNative())), []);
  });

  it('SYS-1: The review blocks SOL transfers from an account that does not sign', () => {
    const { programId, data } = transferSol(OWNER, 1n);
    const keys = [
      { pubkey: key(THIEF), isSigner: false, isWritable: true },
      { pubkey: key(OWNER), isSigner: true, isWritable: true },
    ];
    assert.deepEqual(objections(reviewWith(new TransactionInstruction({ programId, data, keys }))), ['block SYS-1']);
  });

  it('SYS-1: The review asks about SOL fees to approved recipients, up to a cap', () => {
    const paying = (policy: Partial<PolicySettings>, ...lamports: readonly bigint[]): Review =>
      reviewDrafts(
        ZAP_OUT,
        lamports.map((amount) => ({
          group: 'close',
          instructions: [claim(), transferSol(THIEF, amount)],
          blockhash: addressOf(`hash ${amount}`),
        })),
        policy,
      );
    const approved = { feeRecipients: [THIEF], feeRecipientCapLamports: 50_000_000n };
    assert.deepEqual(objections(paying(approved, 20_000_000n, 30_000_000n)), ['confirm SYS-1']);
    assert.deepEqual(objections(paying(approved, 20_000_000n, 30_000_001n)), ['block SYS-1', 'confirm SYS-1']);
    assert.deepEqual(objections(paying({ feeRecipients: [addressOf('another')] }, 20_000_000n)), ['block SYS-1', 'confirm SYS-1']);
    assert.equal(paying(approved, 20_000_000n).spends.otherLamports, 20_000_000n);
  });

  it('LIM-2: The review objects to a zap-out that wraps more than a little SOL', () => {
    assert.deepEqual(objections(reviewWith(transferSol(OWN_SOL, 10_000_001n))), ['confirm LIM-2']);
    assert.deepEqual(objections(reviewWith(transferSol(OWN_SOL, 1_000_000_001n))), ['block LIM-2']);
  });

  it('TIP-1, TIP-2: The review sums tips over the operation', () => {
    const tipping = (...lamports: readonly bigint[]): string[] =>
      objections(
        reviewDrafts(
          { ...ZAP_OUT, worth: undefined },
          lamports.map((amount, at) => ({ group: 'close', instructions: [claim(), tip(amount, JITO_TIP_ACCOUNTS[at])] })),
        ),
      );
    assert.deepEqual(tipping(5_000_000n, 5_000_000n), []);
    assert.deepEqual(tipping(5_000_000n, 5_000_001n), ['confirm TIP-1']);
    assert.deepEqual(tipping(25_000_000n, 25_000_001n), ['block TIP-2']);
  });

  it('TIP: The review treats an address that resembles a tip account as a stranger', () => {
    const first = JITO_TIP_ACCOUNTS[0];
    assert.ok(first !== undefined);
    const bytes = addressBytes(first);
    bytes[31] = (bytes[31] ?? 0) ^ 1;
    assert.deepEqual(objections(reviewWith(tip(1n, first))), []);
    assert.deepEqual(objections(reviewWith(tip(1n, addressFromBytes(bytes)))), ['confirm SYS-1']);
  });

  it('SYS-2: The review blocks transfers from derived accounts', () => {
    const args = { lamports: 1n, seed: 'x', owner: addressBytes(PROGRAMS.system) };
    assert.deepEqual(objections(reviewWith(system('transfer_with_seed', { from: addressOf('derived'), base: OWNER, to: OWNER }, args))), [
      'block SYS-2',
    ]);
  });

  it('SYS-3: The review blocks handing over the wallet to another program', () => {
    assert.deepEqual(objections(reviewWith(SystemProgram.assign({ accountPubkey: key(OWNER), programId: key(THIEF) }))), ['block SYS-3']);
    assert.deepEqual(objections(reviewWith(SystemProgram.allocate({ accountPubkey: key(OWNER), space: 1 }))), ['block SYS-3']);
    const owner = addressBytes(THIEF);
    const seeded = { account: addressOf('derived'), base: OWNER };
    assert.deepEqual(objections(reviewWith(system('assign_with_seed', seeded, { base: addressBytes(OWNER), seed: '', owner }))), [
      'block SYS-3',
    ]);
    assert.deepEqual(
      objections(reviewWith(system('allocate_with_seed', seeded, { base: addressBytes(OWNER), seed: '', space: 1n, owner }))),
      ['block SYS-3'],
    );
  });

  it('SYS-3: The review blocks handing over the wallet also with malformed data', () => {
    const assign = SystemProgram.assign({ accountPubkey: key(OWNER), programId: key(THIEF) });
    assign.data = Buffer.concat([assign.data, Buffer.from([0])]);
    assert.deepEqual(objections(reviewWith(assign)), ['block SYS-3']);
  });

  it('SYS-4: The review blocks the creation of accounts', () => {
    const made = keyOf('made');
    const create = SystemProgram.createAccount({
      fromPubkey: key(OWNER),
      newAccountPubkey: made.publicKey,
      lamports: 10,
      space: 165,
      programId: key(PROGRAMS.token),
    });
    const review = reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim(), create], signers: [made] }]);
    assert.deepEqual(objections(review), ['block SYS-4', 'confirm SIG-4']);
  });

  describe('SYS-4: temporary account for wrapped SOL', () => {
    const made = keyOf('made');
    const account = addressOf('made');
    const create = (space = 165, lamports = 12_039_280): TransactionInstruction =>
      SystemProgram.createAccount({
        fromPubkey: key(OWNER),
        newAccountPubkey: made.publicKey,
        lamports,
        space,
        programId: key(PROGRAMS.token),
      });
    const initialize = (owner = OWNER, mint = WRAPPED_SOL_MINT): TransactionInstruction =>
      tokenInstruction([18, ...addressBytes(owner)], [account, mint]);
    const close = (to = OWNER): TransactionInstruction => tokenInstruction([9], [account, to, OWNER]);
    const reviewOf = (...instructions: readonly TransactionInstruction[]): Review =>
      reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [...budget(), claim(), ...instructions], signers: [made] }]);

    it('The review asks about a temporary account', () => {
      const review = reviewOf(create(), initialize(), close());
      assert.deepEqual(objections(review), ['confirm SYS-4']);
      assert.equal(review.spends.wrappedLamports, 10_000_000n);
    });

    it('The operation may fund and use a temporary account before it closes', () => {
      const review = reviewOf(
        create(165, 3_039_280),
        initialize(),
        transferSol(account, 1_000n),
        tokenInstruction([17], [account]),
        tokenInstruction(tokenAmount(3, 5n), [OWN_SOL, account, OWNER]),
        close(),
      );
      assert.deepEqual(objections(review), ['confirm SYS-4']);
      assert.equal(review.spends.wrappedLamports, 1_001_000n);
    });

    it('A temporary account may derive from a seed of the owner', () => {
      const seeded = SystemProgram.createAccountWithSeed({
        fromPubkey: key(OWNER),
        basePubkey: key(OWNER),
        newAccountPubkey: key(account),
        seed: 'passing',
        lamports: 3_000_000,
        space: 165,
        programId: key(PROGRAMS.token),
      });
      assert.deepEqual(objections(reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim(), seeded, initialize(), close()] }])), [
        'confirm SYS-4',
      ]);
    });

    it('The review accepts the temporary account with every form of initialization', () => {
      const forms = [
        tokenInstruction([1], [account, WRAPPED_SOL_MINT, OWNER, addressOf('rent')]),
        tokenInstruction([16, ...addressBytes(OWNER)], [account, WRAPPED_SOL_MINT, addressOf('rent')]),
      ];
      for (const form of forms) {
        assert.deepEqual(objections(reviewOf(create(), form, close())), ['confirm SYS-4']);
      }
    });

    it('The review requires immediate initialization for the owner and wrapped SOL, and closing to the owner', () => {
      const spoilt = [
        [create(), initialize()],
        [create(), close()],
        [create(), initialize(THIEF), close()],
        [create(), initialize(OWNER, THIEF), close()],
        [create(166), initialize(), close()],
        [create(), claim(), initialize(), close()],
        [create(), initialize(), close(THIEF)],
        [create(), initialize(), close(), transferSol(account, 1_000_000n)],
        [create(), initialize(), close(), tokenInstruction([17], [account])],
        [transferSol(OWNER, 1n, account), create(), initialize(), close()],
      ];
      for (const instructions of spoilt) {
        assert.ok(objections(reviewOf(...instructions)).includes('block SYS-4'));
      }
    });
  });

  it('SYS-5: The review blocks System instructions that it cannot read', () => {
    const odd = [
      Buffer.from([2, 0, 0, 0, 1]),
      Buffer.concat([transferSol(OWNER, 1n).data, Buffer.from([0])]),
      Buffer.from([13, 0, 0, 0]),
      Buffer.from([2]),
      Buffer.alloc(0),
    ];
    for (const data of odd) {
      const { keys, programId } = transferSol(OWNER, 1n);
      assert.deepEqual(objections(reviewWith(new TransactionInstruction({ keys, programId, data }))), ['block SYS-5']);
    }
    const { data, programId, keys } = transferSol(OWNER, 1n);
    assert.deepEqual(objections(reviewWith(new TransactionInstruction({ keys: keys.slice(0, 1), programId, data }))), ['block SYS-5']);
  });

  it('NON-1: The review blocks a durable nonce at any place in the transaction', () => {
    const advance = SystemProgram.nonceAdvance({ noncePubkey: key(addressOf('nonce')), authorizedPubkey: key(OWNER) });
    assert.deepEqual(objections(reviewWith(advance)), ['block NON-1']);
    const [close] = honestZapOut();
    assert.deepEqual(objections(reviewDrafts(ZAP_OUT, [{ ...close, instructions: [advance, ...close.instructions.slice(2)] }])), [
      'block NON-1',
    ]);
  });

  it('NON-2: The review blocks all other nonce instructions', () => {
    const nonce = { nonce: addressOf('nonce'), to: OWNER, authority: OWNER };
    const lamports = { lamports: 1n, authority: addressBytes(OWNER), new_authority: addressBytes(THIEF) };
    for (const name of ['withdraw_nonce_account', 'initialize_nonce_account', 'authorize_nonce_account', 'upgrade_nonce_account']) {
      assert.deepEqual(objections(reviewWith(system(name, nonce, lamports))), ['block NON-2'], name);
    }
  });

  it('NON-3: The review asks if the network does not know the blockhash', () => {
    const withAnswer = (answer: boolean): string[] =>
      objections(
        reviewDrafts(ZAP_OUT, [{ group: 'close', instructions: [claim()] }], undefined, {
          facts: { ...NO_FACTS, blockhashes: new Map([[BLOCKHASH, answer]]) },
        }),
      );
    assert.deepEqual(withAnswer(true), []);
    assert.deepEqual(withAnswer(false), ['confirm NON-3']);
  });

  it('The review measures wrapping in a zap-in only by the input limit', () => {
    const review = reviewDrafts(ZAP_IN, [{ group: 'swap', instructions: [transferSol(OWN_SOL, 900_000_000n), syncNative()] }]);
    assert.deepEqual(objections(review), []);
    assert.equal(review.spends.consumedLamports, 900_000_000n);
  });
});
