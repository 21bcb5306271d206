import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  ComputeBudgetProgram,
  Keypair,
  LAMPORTS_PER_SOL as LAMPORTS,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedMessage,
  VersionedTransaction,
  type Connection,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { FeatureSet } from 'litesvm/dist/internal.js';
import { associatedTokenAddress } from '../../../src/base/solana/pda';
import { LAMPORTS_PER_SOL, PROGRAMS, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { RentRate } from '../../../src/base/solana/rent';
import { messageOf, parseTransaction } from '../../../src/base/solana/wireTransaction';
import { SLOT_MS } from '../../../src/sandbox/chain/machine';
import { EffectError } from '../../../src/sandbox/chain/types';
import { SOLANA_CORE_VERSION } from '../../../src/sandbox/rpc/method';
import { createTokenAccount, dlmm, noEffects, signed, transfer, transferTokens, unsigned } from '../../support/sandbox/chain/common';
import { MINT, newNode, OWNER, serve, SOMEBODY, WORLD, type Served, type TestNode } from '../../support/sandbox/rpc/common';

const owner = new PublicKey(OWNER.address);
const somebody = new PublicKey(SOMEBODY);
const mint = new PublicKey(MINT);
const tokens = associatedTokenAddress(OWNER.address, MINT);
const TOKEN_PROGRAM = new PublicKey(PROGRAMS.token);
const RENTS = 2n * RentRate.highest.tokenAccount;
const OWNER_LAMPORTS = Number(9n * LAMPORTS_PER_SOL - RENTS);

describe('RPC: the Connection of web3.js', () => {
  let world: TestNode;
  let served: Served;
  let connection: Connection;

  before(async () => {
    world = newNode();
    served = await serve(world.node);
    ({ connection } = served);
  });
  after(() => served.stop());

  async function transactionOf(...instructions: TransactionInstruction[]): Promise<VersionedTransaction> {
    const { blockhash } = await connection.getLatestBlockhash();
    return new VersionedTransaction(
      new TransactionMessage({ payerKey: owner, recentBlockhash: blockhash, instructions }).compileToV0Message(),
    );
  }

  it('The web3.js client reads balances', async () => {
    assert.equal(await connection.getBalance(owner), OWNER_LAMPORTS);
    assert.equal(await connection.getBalance(Keypair.generate().publicKey), 0);
    assert.deepEqual((await connection.getTokenAccountBalance(new PublicKey(tokens))).value, {
      amount: '1234567',
      decimals: 6,
      uiAmount: 1.234567,
      uiAmountString: '1.234567',
    });
    await assert.rejects(connection.getTokenAccountBalance(owner), /not a Token account/);
    await assert.rejects(connection.getTokenAccountBalance(somebody), /could not find account/);
  });

  it('The web3.js client reads accounts', async () => {
    const account = await connection.getAccountInfo(new PublicKey(tokens));
    assert.equal(account?.owner.toBase58(), PROGRAMS.token);
    assert.equal(account.data.readBigUInt64LE(64), 1_234_567n);
    assert.equal(account.lamports, Number(RentRate.highest.tokenAccount));
    assert.equal(account.executable, false);
    assert.equal((await connection.getAccountInfo(new PublicKey(PROGRAMS.dlmm)))?.executable, true);
    assert.equal(await connection.getAccountInfo(somebody), null);
    const slice = await connection.getAccountInfo(new PublicKey(tokens), { dataSlice: { offset: 64, length: 8 } });
    assert.deepEqual(slice?.data, account.data.subarray(64, 72));
    const several = await connection.getMultipleAccountsInfo([owner, somebody, mint]);
    assert.deepEqual(
      several.map((one) => one?.data.length),
      [0, undefined, 82],
    );
  });

  it('The web3.js client reads parsed accounts', async () => {
    const parsed = (await connection.getParsedAccountInfo(mint)).value?.data;
    assert.deepEqual(parsed, {
      program: 'spl-token',
      parsed: {
        type: 'mint',
        info: { mintAuthority: null, supply: '1000000000', decimals: 6, isInitialized: true, freezeAuthority: null },
      },
      space: 82,
    });
    assert.ok(Buffer.isBuffer((await connection.getParsedAccountInfo(owner)).value?.data), 'what cannot be read stays bytes');
  });

  it('The web3.js client finds the token accounts of an owner', async () => {
    const { value } = await connection.getParsedTokenAccountsByOwner(owner, { programId: TOKEN_PROGRAM });
    const byMint = new Map(
      value.map(({ pubkey, account }) => [
        (account.data.parsed as { info: { mint: string } }).info.mint,
        { pubkey: pubkey.toBase58(), data: account.data },
      ]),
    );
    assert.equal(byMint.size, 2);
    assert.deepEqual(byMint.get(MINT), {
      pubkey: tokens,
      data: {
        program: 'spl-token',
        parsed: {
          type: 'account',
          info: {
            mint: MINT,
            owner: OWNER.address,
            tokenAmount: { amount: '1234567', decimals: 6, uiAmount: 1.234567, uiAmountString: '1.234567' },
            state: 'initialized',
            isNative: false,
          },
        },
        space: 165,
      },
    });
    assert.deepEqual(
      (byMint.get(WRAPPED_SOL_MINT)?.data.parsed as { info: { isNative: boolean; rentExemptReserve: { amount: string } } }).info
        .rentExemptReserve.amount,
      String(RentRate.highest.tokenAccount),
    );
    const raw = await connection.getTokenAccountsByOwner(owner, { mint });
    assert.deepEqual(
      raw.value.map(({ pubkey, account }) => [pubkey.toBase58(), account.data.readBigUInt64LE(64)]),
      [[tokens, 1_234_567n]],
    );
    assert.equal((await connection.getTokenAccountsByOwner(owner, { programId: new PublicKey(PROGRAMS.token2022) })).value.length, 0);
    await assert.rejects(connection.getTokenAccountsByOwner(owner, { mint: somebody }), /could not find mint/);
    await assert.rejects(connection.getTokenAccountsByOwner(owner, { mint: owner }), /not a Token mint/);
    await assert.rejects(connection.getTokenAccountsByOwner(owner, { programId: somebody }), /unrecognized Token program id/);
  });

  it('Blockhashes are valid for 150 blocks', async () => {
    const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash();
    assert.equal(lastValidBlockHeight, (await connection.getBlockHeight()) + 150);
    assert.equal((await connection.isBlockhashValid(blockhash)).value, true);
    assert.deepEqual(await connection.getLatestBlockhash(), { blockhash, lastValidBlockHeight }, 'the slot is the same');
    world.now += 151 * SLOT_MS;
    assert.equal((await connection.isBlockhashValid(blockhash)).value, false);
    assert.notEqual((await connection.getLatestBlockhash()).blockhash, blockhash);
    assert.ok((await connection.getSlot()) > (await connection.getBlockHeight()));
  });

  it('Performance samples tell the slot length', async () => {
    const slotMs = async (): Promise<number | undefined> => {
      const [newest] = await connection.getRecentPerformanceSamples(1);
      return newest && (newest.samplePeriodSecs * 1_000) / newest.numSlots;
    };
    assert.equal(await slotMs(), SLOT_MS);
    world.chain.slotMs = 200;
    assert.equal(await slotMs(), 200);
    const samples = await connection.getRecentPerformanceSamples(3);
    const slot = await connection.getSlot();
    assert.deepEqual(
      samples.map((sample) => slot - sample.slot),
      [0, 300, 600],
    );
    world.chain.slotMs = SLOT_MS;
    assert.equal((await connection.getRecentPerformanceSamples()).length, 720);
    await assert.rejects(connection.getRecentPerformanceSamples(721), /max 720/);
  });

  it('Other requests of web3.js to a node are answered', async () => {
    assert.deepEqual(await connection.getVersion(), { 'solana-core': SOLANA_CORE_VERSION, 'feature-set': featureSet() });
    assert.equal(await connection.getGenesisHash(), world.chain.genesisHash);
    assert.equal(await connection.getMinimumBalanceForRentExemption(165), Number(RentRate.highest.tokenAccount));
    const epoch = await connection.getEpochInfo();
    assert.equal(epoch.absoluteSlot, await connection.getSlot());
    assert.equal(epoch.epoch * epoch.slotsInEpoch + epoch.slotIndex, epoch.absoluteSlot);
    assert.equal(epoch.transactionCount, await connection.getTransactionCount());
    assert.equal((await connection.getRecentPrioritizationFees()).length, 150);
    assert.equal(await connection.getSlot({ minContextSlot: epoch.absoluteSlot }), epoch.absoluteSlot);
    await assert.rejects(connection.getSlot({ minContextSlot: epoch.absoluteSlot + 1 }), /Minimum context slot has not been reached/);
  });

  describe('Simulation', () => {
    afterEach(async () => {
      world.effects = noEffects;
      assert.equal(await connection.getBalance(owner), OWNER_LAMPORTS, 'it changes nothing');
    });

    it('A simulation reports the outcome of a transaction', async () => {
      const transaction = await transactionOf(transfer(OWNER.address, SOMEBODY, LAMPORTS_PER_SOL));
      const { value } = await connection.simulateTransaction(transaction, { accounts: { encoding: 'base64', addresses: [SOMEBODY] } });
      assert.equal(value.err, null);
      assert.equal(value.unitsConsumed, 150);
      assert.deepEqual(value.logs, [
        'Program 11111111111111111111111111111111 invoke [1]',
        'Program 11111111111111111111111111111111 success',
      ]);
      assert.equal(value.accounts?.[0]?.lamports, LAMPORTS);
    });

    it('A simulation applies the effects of a landing beyond the VM', async () => {
      world.effects = () => world.chain.credit(OWNER.address, MINT, 5n);
      const transaction = await transactionOf(dlmm(OWNER.address, [tokens]));
      const { value } = await connection.simulateTransaction(transaction, { accounts: { encoding: 'base64', addresses: [tokens] } });
      assert.equal(Buffer.from(value.accounts?.[0]?.data[0] ?? '', 'base64').readBigUInt64LE(64), 1_234_572n);
      assert.equal(world.chain.tokenBalance(OWNER.address, MINT), 1_234_567n);
      world.effects = () => {
        throw new EffectError('Slippage exceeded');
      };
      const refused = (await connection.simulateTransaction(transaction)).value;
      assert.deepEqual(refused.err, { InstructionError: [0, 'ProgramFailedToComplete'] });
      assert.equal(refused.logs?.at(-1), 'Program log: Error: Slippage exceeded');
    });

    it('A simulation verifies signatures or replaces the blockhash, but not both', async () => {
      const transaction = await transactionOf(transfer(OWNER.address, SOMEBODY, LAMPORTS_PER_SOL));
      assert.equal((await connection.simulateTransaction(transaction, { sigVerify: true })).value.err, 'SignatureFailure');
      transaction.sign([Keypair.fromSeed(OWNER.seed)]);
      assert.equal((await connection.simulateTransaction(transaction, { sigVerify: true })).value.err, null);
      transaction.message.recentBlockhash = SOMEBODY;
      assert.equal((await connection.simulateTransaction(transaction)).value.err, 'BlockhashNotFound');
      const replaced = (await connection.simulateTransaction(transaction, { replaceRecentBlockhash: true })).value as unknown as {
        readonly err: unknown;
        readonly replacementBlockhash: unknown;
      };
      assert.equal(replaced.err, null);
      assert.deepEqual(replaced.replacementBlockhash, await connection.getLatestBlockhash());
      await assert.rejects(
        connection.simulateTransaction(transaction, { sigVerify: true, replaceRecentBlockhash: true }),
        /sigVerify may not be used with replaceRecentBlockhash/,
      );
    });

    it('A simulation reports failures in the format of a node', async () => {
      const { value } = await connection.simulateTransaction(
        await transactionOf(transfer(OWNER.address, SOMEBODY, 100n * LAMPORTS_PER_SOL)),
        { accounts: { encoding: 'base64', addresses: [SOMEBODY] } },
      );
      assert.deepEqual(value.err, { InstructionError: [0, { Custom: 1 }] });
      assert.deepEqual(value.accounts, [null]);
    });

    it('A simulation reports inner instructions', async () => {
      const { value } = await connection.simulateTransaction(await transactionOf(createTokenAccount(OWNER.address, NO_MINT)), {
        innerInstructions: true,
      });
      assert.deepEqual(value.err, { InstructionError: [0, 'IncorrectProgramId'] }, 'there is no such mint here');
      const made = await connection.simulateTransaction(
        await transactionOf(
          SystemProgram.transfer({ fromPubkey: owner, toPubkey: somebody, lamports: LAMPORTS }),
          createTokenAccountFor(SOMEBODY),
        ),
        { innerInstructions: true },
      );
      assert.equal(made.value.err, null);
      assert.equal(made.value.innerInstructions?.[0]?.index, 1);
      assert.ok(made.value.innerInstructions[0].instructions.length > 1);
    });
  });

  describe('Landed transactions', () => {
    let signature: string;

    before(() => {
      const { blockhash } = world.chain.latestBlockhash();
      const bytes = signed(
        unsigned(OWNER.address, blockhash, [
          transfer(OWNER.address, SOMEBODY, LAMPORTS_PER_SOL),
          createTokenAccountFor(SOMEBODY),
          transferTokens(tokens, associatedTokenAddress(SOMEBODY, MINT), OWNER.address, 567n),
        ]),
        OWNER,
      );
      const result = world.chain.land([bytes], noEffects);
      assert.equal(
        result.kind,
        'landed',
        JSON.stringify(result, (_, value: unknown) => String(value)),
      );
      world.unit.commit();
      [signature = ''] = result.signatures;
    });

    it('A landed transaction is confirmed, and finalized 32 slots later', async () => {
      const slot = await connection.getSlot();
      const unknown = bs58.encode(new Uint8Array(64).fill(9));
      const statuses = await connection.getSignatureStatuses([signature, unknown], { searchTransactionHistory: true });
      assert.deepEqual(statuses.value, [
        { slot, confirmations: 0, status: { Ok: null }, err: null, confirmationStatus: 'confirmed' },
        null,
      ]);
      world.now += 32 * SLOT_MS;
      assert.deepEqual((await connection.getSignatureStatus(signature)).value, {
        slot,
        confirmations: null,
        status: { Ok: null },
        err: null,
        confirmationStatus: 'finalized',
      });
    });

    it('A landed transaction can be read', async () => {
      const landed = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
      assert.ok(landed?.meta);
      assert.equal(landed.version, 0);
      assert.equal(landed.blockTime, Math.floor((world.now - 32 * SLOT_MS) / 1_000));
      const { meta, transaction } = landed;
      const keys = transaction.message.staticAccountKeys.map((key) => key.toBase58());
      assert.deepEqual(transaction.signatures, [signature]);
      assert.equal(meta.err, null);
      assert.equal(meta.fee, 5_000);
      assert.equal(meta.preBalances[0], OWNER_LAMPORTS);
      assert.equal(meta.postBalances[0], OWNER_LAMPORTS - LAMPORTS - 5_000 - Number(RentRate.highest.tokenAccount));
      assert.equal(meta.postBalances[keys.indexOf(SOMEBODY)], LAMPORTS);
      assert.equal(meta.preBalances.length, keys.length);
      assert.ok(meta.logMessages?.includes(`Program ${PROGRAMS.token} success`));
      const received = keys.indexOf(associatedTokenAddress(SOMEBODY, MINT));
      assert.deepEqual(
        meta.preTokenBalances?.map(({ accountIndex, uiTokenAmount: { amount } }) => ({ accountIndex, amount })),
        [{ accountIndex: keys.indexOf(tokens), amount: '1234567' }],
      );
      assert.deepEqual(
        meta.postTokenBalances?.find(({ accountIndex }) => accountIndex === received),
        {
          accountIndex: received,
          mint: MINT,
          owner: SOMEBODY,
          programId: PROGRAMS.token,
          uiTokenAmount: { amount: '567', decimals: 6, uiAmount: 0.000567, uiAmountString: '0.000567' },
        } as never,
      );
      assert.ok((meta.computeUnitsConsumed ?? 0) > 10_000);
      assert.equal(meta.innerInstructions?.[0]?.index, 1);
      // What web3.js reads out of it is the transaction itself.
      const again = new VersionedTransaction(
        transaction.message,
        transaction.signatures.map((one) => bs58.decode(one)),
      );
      assert.deepEqual(Buffer.from(again.serialize()), Buffer.from(world.chain.landedTransaction(signature)?.bytes ?? []));
    });

    it('Landed transactions are counted', async () => {
      assert.equal(await connection.getTransactionCount(), 1);
    });

    it('A landed transaction can be read with addresses instead of indexes', async () => {
      const parsed = await connection.getParsedTransaction(signature, { maxSupportedTransactionVersion: 0 });
      const [payer] = parsed?.transaction.message.accountKeys ?? [];
      assert.deepEqual(
        { ...payer, pubkey: payer?.pubkey.toBase58() },
        { pubkey: OWNER.address, signer: true, writable: true, source: 'transaction' },
      );
      assert.equal(parsed?.transaction.message.instructions[2]?.programId.toBase58(), PROGRAMS.token);
    });

    it('A landed transaction can be read as bytes', async () => {
      const answer = (await served.call('getTransaction', signature, { encoding: 'base64', maxSupportedTransactionVersion: 0 })) as {
        readonly result: { readonly transaction: [string, string] };
      };
      assert.deepEqual(answer.result.transaction, [
        Buffer.from(world.chain.landedTransaction(signature)?.bytes ?? []).toString('base64'),
        'base64',
      ]);
    });

    it('A landed transaction is refused to clients that do not support its version', async () => {
      assert.deepEqual(await served.call('getTransaction', signature), {
        jsonrpc: '2.0',
        error: {
          code: -32015,
          message:
            'Transaction version (0) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": 0',
        },
        id: 1,
      });
      assert.equal(await connection.getTransaction(bs58.encode(new Uint8Array(64).fill(9)), { maxSupportedTransactionVersion: 0 }), null);
    });

    it('Transactions cannot be sent over this RPC', async () => {
      const bytes = world.chain.landedTransaction(signature)?.bytes ?? new Uint8Array();
      await assert.rejects(connection.sendRawTransaction(bytes), /landing endpoints of the service/);
    });
  });

  describe('A landed transaction of version 1', () => {
    const CONFIG = { priorityFeeLamports: 4_321n, computeUnitLimit: 50_000, loadedAccountsDataSizeLimit: 4_000_000 };
    let bytes: Uint8Array;
    let signature: string;

    before(() => {
      const { blockhash } = world.chain.latestBlockhash();
      bytes = signed(unsigned(OWNER.address, blockhash, [transfer(OWNER.address, SOMEBODY, LAMPORTS_PER_SOL)], 1, CONFIG), OWNER);
      const result = world.chain.land([bytes], noEffects);
      assert.equal(result.kind, 'landed');
      world.unit.commit();
      [signature = ''] = result.signatures;
    });

    it('The web3.js client reads it with its config', async () => {
      const landed = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 1 });
      assert.ok(landed?.meta);
      assert.equal(landed.version, 1);
      assert.equal(landed.meta.fee, 5_000 + 4_321);
      assert.deepEqual(landed.transaction.signatures, [signature]);
      assert.deepEqual(landed.meta.loadedAddresses, { readonly: [], writable: [] });
    });

    it('Its JSON has the config, with null for what is not set', async () => {
      const read = async (encoding: string): Promise<{ readonly version: unknown; readonly transaction: unknown }> => {
        const { result } = (await served.call('getTransaction', signature, { encoding, maxSupportedTransactionVersion: 1 })) as {
          readonly result: { readonly version: unknown; readonly transaction: unknown };
        };
        return result;
      };
      const transactionConfig = { computeUnitLimit: 50_000, heapSize: null, loadedAccountsDataSizeLimit: 4_000_000, priorityFee: 4_321 };
      const wire = parseTransaction(bytes);
      const { version, transaction } = await read('json');
      assert.equal(version, 1);
      assert.deepEqual(transaction, {
        signatures: [signature],
        message: {
          header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1 },
          accountKeys: [OWNER.address, SOMEBODY, PROGRAMS.system],
          recentBlockhash: wire.recentBlockhash,
          instructions: [{ programIdIndex: 2, accounts: [0, 1], data: bs58.encode(wire.instructions[0]?.data ?? []), stackHeight: 1 }],
          transactionConfig,
        },
      });
      const parsed = (await read('jsonParsed')).transaction as { readonly message: Readonly<Record<string, unknown>> };
      assert.deepEqual(parsed.message['transactionConfig'], transactionConfig);
      assert.deepEqual((await read('base64')).transaction, [Buffer.from(bytes).toString('base64'), 'base64']);
    });

    it('It is refused to clients of lower versions, as on mainnet', async () => {
      for (const config of [undefined, {}, { maxSupportedTransactionVersion: 0 }]) {
        assert.deepEqual(await served.call('getTransaction', signature, config), {
          jsonrpc: '2.0',
          error: {
            code: -32015,
            message:
              'Transaction version (1) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": 1',
          },
          id: 1,
        });
      }
    });

    it('Its fee can be asked for, and it can be simulated: message first, up to 4,096 bytes', async () => {
      const { blockhash } = await connection.getLatestBlockhash();
      const pays = Array.from({ length: 20 }, (_, index) => transfer(OWNER.address, SOMEBODY, BigInt(index + 1)));
      const memo = new TransactionInstruction({ programId: new PublicKey(PROGRAMS.memo), keys: [], data: Buffer.alloc(2_500, 'm') });
      const large = unsigned(OWNER.address, blockhash, [...pays, memo], 1, { ...CONFIG, computeUnitLimit: 1_400_000 });
      assert.ok(large.length > 3_000);
      const message = Buffer.from(messageOf(large, parseTransaction(large))).toString('base64');
      const fee = (await served.call('getFeeForMessage', message)) as { readonly result: { readonly value: number } };
      assert.equal(fee.result.value, 5_000 + 4_321);
      const simulate = async (encoding: 'base58' | 'base64', text: string, more: object = {}): Promise<Simulated> =>
        (await served.call('simulateTransaction', text, { encoding, ...more })) as Simulated;
      const { result } = await simulate('base64', Buffer.from(large).toString('base64'));
      assert.deepEqual([result?.value.err, result?.value.fee], [null, 5_000 + 4_321]);
      const replaced = await simulate('base64', Buffer.from(large).toString('base64'), { replaceRecentBlockhash: true });
      assert.equal(replaced.result?.value.err, null);
      const checked = await simulate('base64', Buffer.from(large).toString('base64'), { sigVerify: true });
      assert.equal(checked.result?.value.err, 'SignatureFailure');
      assert.match(
        (await simulate('base58', bs58.encode(large))).error?.message ?? '',
        /too large: \d+ bytes \(max: encoded\/raw 1683\/1232\)/,
      );
      for (const wrong of [large.subarray(0, -1), Uint8Array.of(...large, 0), Uint8Array.of(1, ...large)]) {
        const { error } = await simulate('base64', Buffer.from(wrong).toString('base64'));
        assert.match(error?.message ?? '', /^failed to deserialize/);
      }
    });
  });

  describe('Fees', () => {
    it('The fee estimate equals the fee charged', async () => {
      const cases: TransactionInstruction[][] = [
        [transfer(OWNER.address, SOMEBODY, LAMPORTS_PER_SOL)],
        [ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_234_567 }), transfer(OWNER.address, SOMEBODY, LAMPORTS_PER_SOL)],
        [
          ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 777 }),
          createTokenAccount(OWNER.address, WRAPPED_SOL_MINT),
          transferTokens(tokens, tokens, OWNER.address, 1n),
          dlmm(OWNER.address, []),
        ],
        [
          ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 50_001 }),
          ComputeBudgetProgram.setComputeUnitLimit({ units: 123_457 }),
          dlmm(OWNER.address, []),
        ],
      ];
      const fees: (number | null)[] = [];
      for (const instructions of cases) {
        const transaction = await transactionOf(...instructions);
        const { value } = await connection.getFeeForMessage(VersionedMessage.deserialize(transaction.message.serialize()));
        const landed = world.chain.simulate(
          transaction.serialize(),
          { checkSignatures: false, replaceBlockhash: false, accounts: [] },
          noEffects,
        );
        assert.equal(landed.kind, 'succeeded');
        assert.equal(value, Number(landed.execution.feeLamports));
        fees.push(value);
      }
      assert.equal(fees[0], 5_000);
      assert.equal(new Set(fees).size, cases.length);
    });

    it('A message with an expired blockhash has no fee estimate', async () => {
      const { message } = await transactionOf(transfer(OWNER.address, SOMEBODY, LAMPORTS_PER_SOL));
      world.now += 151 * SLOT_MS;
      assert.equal((await connection.getFeeForMessage(message)).value, null);
    });
  });

  describe('Airdrops', () => {
    it('Airdrops come from the rest of the world and have a status', async () => {
      const { publicKey } = Keypair.generate();
      const before = world.chain.lamports(WORLD);
      const signatures = [
        await connection.requestAirdrop(publicKey, 2 * LAMPORTS),
        await connection.requestAirdrop(publicKey, 2 * LAMPORTS),
      ];
      assert.equal(await connection.getBalance(publicKey), 4 * LAMPORTS);
      assert.equal(world.chain.lamports(WORLD), before - 4n * LAMPORTS_PER_SOL - 10_000n);
      const { value } = await connection.getSignatureStatuses(signatures);
      assert.deepEqual(
        value.map((status) => status?.confirmationStatus),
        ['confirmed', 'confirmed'],
      );
      assert.equal((await connection.getTransaction(signatures[0] ?? '', { maxSupportedTransactionVersion: 0 }))?.meta?.err, null);
    });

    it('Airdrops beyond the funds of the world are refused', async () => {
      const most = Number.MAX_SAFE_INTEGER;
      await connection.requestAirdrop(somebody, most);
      await connection.requestAirdrop(somebody, most);
      await assert.rejects(connection.requestAirdrop(somebody, most), /Internal error: .*insufficient lamports/);
    });
  });
});

/** As agave names a set of features. */
function featureSet(): number {
  const features = FeatureSet.allEnabled();
  const ids = [...features.getActiveFeatures(), ...features.getInactiveFeatures()].sort((one, other) => Buffer.compare(one, other));
  return createHash('sha256').update(Buffer.concat(ids)).digest().readUInt32LE(0);
}

const NO_MINT = associatedTokenAddress(OWNER.address, OWNER.address);

function createTokenAccountFor(holder: typeof SOMEBODY): TransactionInstruction {
  const instruction = createTokenAccount(OWNER.address, MINT);
  const [, at, wallet] = instruction.keys;
  assert.ok(at && wallet);
  at.pubkey = new PublicKey(associatedTokenAddress(holder, MINT));
  wallet.pubkey = new PublicKey(holder);
  return instruction;
}

/** The answer to a simulation, as far as these tests read it. */
interface Simulated {
  readonly result?: { readonly value: { readonly err: unknown; readonly fee: number | null } };
  readonly error?: { readonly message: string };
}
