import assert from 'node:assert/strict';
import { PublicKey, TransactionInstruction } from '@solana/web3.js';
import bs58 from 'bs58';
import * as z from 'zod';
import { associatedTokenAddress } from '../../../src/base/solana/pda';
import { LAMPORTS_PER_SOL, PROGRAMS } from '../../../src/base/solana/programs';
import { EffectError } from '../../../src/sandbox/chain/types';
import { createTokenAccount, noEffects, signed, transfer, transferTokens, unsigned } from '../../support/sandbox/chain/common';
import { MINT, newNode, OWNER, serve, SOMEBODY, type Served, type TestNode } from '../../support/sandbox/rpc/common';

const SOL = LAMPORTS_PER_SOL;
const TOKENS = associatedTokenAddress(OWNER.address, MINT);
const SOMEBODYS = associatedTokenAddress(SOMEBODY, MINT);

const Account = z
  .object({
    lamports: z.number(),
    owner: z.string(),
    data: z.tuple([z.base64(), z.literal('base64')]),
    executable: z.boolean(),
    rentEpoch: z.number(),
    space: z.number(),
  })
  .nullable();
const Step = z.strictObject({
  err: z.unknown(),
  logs: z.array(z.string()),
  unitsConsumed: z.number(),
  returnData: z.null(),
  preExecutionAccounts: z.array(Account),
  postExecutionAccounts: z.array(Account).nullable(),
  innerInstructions: z
    .array(
      z.object({
        index: z.int(),
        instructions: z.array(z.object({ programId: z.string(), accounts: z.array(z.string()), data: z.string() })),
      }),
    )
    .nullable(),
});
const Answer = z.object({
  result: z.strictObject({
    context: z.object({ slot: z.int() }),
    value: z.strictObject({
      summary: z.union([
        z.literal('succeeded'),
        z.strictObject({
          failed: z.strictObject({
            error: z.strictObject({ TransactionFailure: z.tuple([z.array(z.int()), z.string()]) }),
            tx_signature: z.string(),
          }),
        }),
      ]),
      transactionResults: z.array(Step),
    }),
  }),
});
const Refusal = z.object({ error: z.object({ code: z.int(), message: z.string() }) });

describe('RPC: simulation of bundles', () => {
  let world: TestNode;
  let served: Served;

  before(async () => {
    world = newNode();
    served = await serve(world.node);
  });
  after(() => served.stop());
  afterEach(() => {
    world.effects = noEffects;
    assert.equal(world.chain.tokenBalance(OWNER.address, MINT), 1_234_567n, 'it changes nothing');
    assert.equal(world.chain.hasAccount(SOMEBODY), false);
    assert.equal(world.chain.feesBurntLamports, 0n);
  });

  function bundle(...instructions: Parameters<typeof unsigned>[2][]): Uint8Array[] {
    const { blockhash } = world.chain.latestBlockhash();
    return instructions.map((of) => unsigned(OWNER.address, blockhash, of));
  }

  function simulate(transactions: readonly Uint8Array[], config: object = {}): Promise<unknown> {
    return served.call(
      'simulateBundle',
      { encodedTransactions: transactions.map((bytes) => Buffer.from(bytes).toString('base64')) },
      { skipSigVerify: true, ...config },
    );
  }

  /** SOL to somebody, twice, and between that tokens. */
  const steps = (): Uint8Array[] =>
    bundle(
      [transfer(OWNER.address, SOMEBODY, SOL)],
      [createTokenAccount(OWNER.address, MINT), transferTokens(TOKENS, TOKENS, OWNER.address, 7n)],
      [transfer(OWNER.address, SOMEBODY, 2n * SOL)],
    );

  it('A bundle simulation runs each transaction on the previous ones and reports accounts before and after', async () => {
    const watched = { addresses: [SOMEBODY, TOKENS], encoding: 'base64' };
    const transactions = steps();
    const configs = transactions.map(() => watched);
    const { value } = Answer.parse(
      await simulate(transactions, {
        preExecutionAccountsConfigs: configs,
        postExecutionAccountsConfigs: configs,
        transactionEncoding: 'base64',
        simulationBank: { commitment: { commitment: 'processed' } },
        replaceRecentBlockhash: false,
      }),
    ).result;
    assert.equal(value.summary, 'succeeded');
    const lamports = value.transactionResults.map(({ err, preExecutionAccounts, postExecutionAccounts }) => [
      err,
      preExecutionAccounts[0]?.lamports,
      postExecutionAccounts?.[0]?.lamports,
    ]);
    assert.deepEqual(lamports, [
      [null, undefined, Number(SOL)],
      [null, Number(SOL), Number(SOL)],
      [null, Number(SOL), 3 * Number(SOL)],
    ]);
    for (const { preExecutionAccounts, unitsConsumed, logs } of value.transactionResults) {
      assert.equal(Buffer.from(preExecutionAccounts[1]?.data[0] ?? '', 'base64').readBigUInt64LE(64), 1_234_567n);
      assert.equal(preExecutionAccounts[1]?.owner, PROGRAMS.token);
      assert.ok(unitsConsumed > 0 && logs.length > 0);
    }
  });

  it('A bundle simulation reports inner instructions and applies the effects of a landing beyond the VM', async () => {
    world.effects = (_, index) => {
      if (index === 0) {
        world.chain.setLamports(OWNER.address, world.chain.lamports(OWNER.address) - SOL);
        world.chain.setLamports(SOMEBODY, SOL);
      }
    };
    const configs = [null, { addresses: [SOMEBODY, SOMEBODYS] }];
    const { value } = Answer.parse(
      await simulate(
        bundle([transfer(OWNER.address, OWNER.address, 1n)], [transfer(OWNER.address, SOMEBODY, SOL), createTokenAccountOf(SOMEBODY)]),
        { preExecutionAccountsConfigs: configs, postExecutionAccountsConfigs: configs },
      ),
    ).result;
    const [first, second] = value.transactionResults;
    assert.deepEqual([first?.preExecutionAccounts, first?.postExecutionAccounts, first?.innerInstructions], [[], [], []]);
    assert.deepEqual(
      second?.preExecutionAccounts.map((account) => account?.lamports),
      [Number(SOL), undefined],
    );
    assert.deepEqual(
      second.postExecutionAccounts?.map((account) => account?.lamports),
      [2 * Number(SOL), 2_039_280],
    );
    const [called] = second.innerInstructions ?? [];
    assert.equal(called?.index, 1);
    assert.ok(called.instructions.some(({ programId, accounts }) => programId === PROGRAMS.token && accounts.includes(SOMEBODYS)));
  });

  it('A bundle simulation ends at the first failure and reports its transaction and reason', async () => {
    world.effects = (_, index) => {
      if (index === 1) {
        throw new EffectError('Slippage exceeded');
      }
    };
    const transactions = steps().map((bytes) => signed(bytes, OWNER));
    const configs = transactions.map(() => ({ addresses: [SOMEBODY] }));
    const { value } = Answer.parse(
      await simulate(transactions, { skipSigVerify: false, preExecutionAccountsConfigs: configs, postExecutionAccountsConfigs: configs }),
    ).result;
    assert.equal(value.transactionResults.length, 2);
    const failed = value.transactionResults[1];
    assert.deepEqual(failed?.err, { InstructionError: [0, 'ProgramFailedToComplete'] });
    assert.equal(failed.logs.at(-1), 'Program log: Error: Slippage exceeded');
    assert.equal(failed.preExecutionAccounts[0]?.lamports, Number(SOL));
    assert.equal(failed.postExecutionAccounts, null);
    const signature = (transactions[1] ?? assert.fail()).slice(1, 65);
    assert.deepEqual(value.summary, {
      failed: {
        error: { TransactionFailure: [[...signature], 'Transaction 2 failed: Slippage exceeded'] },
        tx_signature: bs58.encode(signature),
      },
    });
  });

  it('A bundle simulation checks signatures and blockhashes as requested', async () => {
    const errors = async (transactions: readonly Uint8Array[], config: object): Promise<readonly unknown[]> =>
      Answer.parse(await simulate(transactions, config)).result.value.transactionResults.map(({ err }) => err);
    const transactions = steps();
    assert.deepEqual(await errors(transactions, { skipSigVerify: false }), ['SignatureFailure']);
    assert.deepEqual(await errors([...transactions.slice(0, 1), ...transactions.slice(0, 1)], {}), [null, 'AlreadyProcessed']);
    const stale = [unsigned(OWNER.address, SOMEBODY, [transfer(OWNER.address, SOMEBODY, SOL)])];
    assert.deepEqual(await errors(stale, {}), ['BlockhashNotFound']);
    assert.deepEqual(await errors(stale, { replaceRecentBlockhash: true }), [null]);
  });

  it('A bundle simulation rejects invalid requests', async () => {
    const [one] = steps();
    assert.ok(one !== undefined);
    const refused = async (answer: Promise<unknown>, message: RegExp): Promise<void> => {
      const { error } = Refusal.parse(await answer);
      assert.equal(error.code, -32602);
      assert.match(error.message, message);
    };
    await refused(simulate([]), /1 to 100 transactions/);
    await refused(simulate([one], { preExecutionAccountsConfigs: [] }), /preExecutionAccountsConfigs must be equal in length/);
    await refused(
      simulate([one], { postExecutionAccountsConfigs: [{ addresses: [SOMEBODY], encoding: 'base58' }] }),
      /base58 encoding not supported/,
    );
    await refused(simulate([one], { skipSigVerify: false, replaceRecentBlockhash: true }), /skipSigVerify/);
    await refused(simulate([one.subarray(0, 80)]), /failed to deserialize/);
    await refused(served.call('simulateBundle', {}), /Invalid params/);
  });

  /** Somebody's token account, which the owner pays for. */
  function createTokenAccountOf(holder: typeof SOMEBODY): TransactionInstruction {
    const { keys, programId, data } = createTokenAccount(holder, MINT);
    const payer = { pubkey: new PublicKey(OWNER.address), isSigner: true, isWritable: true };
    return new TransactionInstruction({ programId, data, keys: [payer, ...keys.slice(1)] });
  }
});
