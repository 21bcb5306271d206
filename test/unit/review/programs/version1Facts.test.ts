import assert from 'node:assert/strict';
import { ComputeBudgetProgram, TransactionInstruction } from '@solana/web3.js';
import { Account, FailedTransactionMetadata, LiteSvm } from 'litesvm/dist/internal.js';
import { addressBytes } from '../../../../src/base/solana/address';
import { PROGRAMS } from '../../../../src/base/solana/programs';
import { addressOf, bytesOf, key, OWNER, OWNER_KEY, transferSol, V1_CONFIG, type Draft } from '../../../support/review/bundles';

// What the review takes for granted about fees and limits of version 1, as a Solana VM carries it out (src/review/README.md, "Version 1").

const BALANCE = 10_000_000_000n;
const MOVED = 1_000_000_000n;
const BASE_FEE = 5_000n;
const FEE = 777n;
const RECEIVER = addressOf('receiver');

interface Outcome {
  /** As the VM names it; `undefined`: landed. */
  readonly error: string | undefined;
  /** What left the owner besides the transfer, lamports. */
  readonly charged: bigint;
  readonly moved: bigint;
}

/** Executes a transfer of SOL, with other instructions in front of it. */
function execute(config: NonNullable<Draft['config']>, ...before: readonly TransactionInstruction[]): Outcome {
  const vm = new LiteSvm();
  vm.setBlockhashCheck(false);
  vm.setAccount(addressBytes(OWNER), new Account(BALANCE, new Uint8Array(), addressBytes(PROGRAMS.system), false, 2n ** 64n - 1n));
  const instructions = [...before, transferSol(RECEIVER, MOVED)];
  const outcome = vm.sendVersionedTransaction(bytesOf({ group: 'close', version: 1, instructions, signers: [OWNER_KEY], config }));
  const moved = vm.getBalance(addressBytes(RECEIVER)) ?? 0n;
  return {
    error: outcome instanceof FailedTransactionMetadata ? outcome.toString() : undefined,
    charged: BALANCE - (vm.getBalance(addressBytes(OWNER)) ?? 0n) - moved,
    moved,
  };
}

const { computeUnitLimit, loadedAccountsDataSizeLimit } = V1_CONFIG;
const LIMITS = { computeUnitLimit, loadedAccountsDataSizeLimit };
const WITH_FEE = { ...LIMITS, priorityFeeLamports: FEE };
const LANDED = { error: undefined, charged: BASE_FEE + FEE, moved: MOVED };

describe('review: version 1 on a Solana VM', () => {
  it('The priority fee is a total, whatever the compute unit limit is', () => {
    assert.deepEqual(execute(LIMITS), { ...LANDED, charged: BASE_FEE });
    for (const units of [1_000, 1_400_000, 1_400_001, 2 ** 32 - 1]) {
      assert.deepEqual(execute({ ...WITH_FEE, computeUnitLimit: units }), LANDED, String(units));
    }
  });

  it('FEE-3: Without compute units nothing is executed, and the fee is charged', () => {
    for (const config of [
      { loadedAccountsDataSizeLimit, priorityFeeLamports: FEE },
      { ...WITH_FEE, computeUnitLimit: 0 },
    ]) {
      const { error, charged, moved } = execute(config);
      assert.match(error ?? '', /ComputationalBudgetExceeded/);
      assert.deepEqual([charged, moved], [BASE_FEE + FEE, 0n]);
    }
  });

  it('FEE-3: Without a limit for the data of accounts nothing is executed', () => {
    // The VM stops before it charges the fee; the network charges it (SIMD-0082).
    for (const config of [{ computeUnitLimit, priorityFeeLamports: FEE }, { ...WITH_FEE, loadedAccountsDataSizeLimit: 0 }, {}]) {
      const { error, moved } = execute(config);
      assert.match(error ?? '', /MaxLoadedAccountsDataSizeExceeded/);
      assert.equal(moved, 0n);
    }
  });

  it('FEE-1: Compute Budget instructions have no effect, whatever they contain', () => {
    const call = (...data: readonly number[]): TransactionInstruction =>
      new TransactionInstruction({ programId: key(PROGRAMS.computeBudget), keys: [], data: Buffer.from(data) });
    const price = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 2n ** 64n - 1n });
    const none = ComputeBudgetProgram.setComputeUnitLimit({ units: 0 });
    for (const before of [
      [price],
      [price, price],
      [none],
      [call()],
      [call(9, 9)],
      [call(0, 1, 0, 0, 0, 255, 255, 255, 255)],
      [call(1, 1, 0, 0, 0)],
    ]) {
      assert.deepEqual(execute(WITH_FEE, ...before), LANDED);
    }
    const much = ComputeBudgetProgram.setComputeUnitLimit({ units: 1_400_000 });
    assert.match(execute({ loadedAccountsDataSizeLimit }, much).error ?? '', /ComputationalBudgetExceeded/);
  });
});
