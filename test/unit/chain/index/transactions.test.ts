import assert from 'node:assert/strict';
import bs58 from 'bs58';
import { encodeInstruction, instructionNamed } from '../../../../src/base/solana/instructionCodec';
import { DLMM_INSTRUCTIONS } from '../../../../src/base/solana/generated/dlmmInstructions';
import { PROGRAMS } from '../../../../src/base/solana/programs';
import { readTransaction, TransactionAnswer } from '../../../../src/chain/index/answers';
import { factsOf } from '../../../../src/chain/index/facts';
import { dlmmEvents } from '../../../support/chain/scriptedChain';
import { eventBytes, keyOf, signatureOf } from '../../../support/chain/syntheticHistory';

const [owner, pool, position] = [keyOf('owner', 0), keyOf('pool', 0), keyOf('position', 0)];
const signature = signatureOf(1);
/** The most that a program can hand to another one. */
const LONGEST_CALL_BYTES = 10 * 1_024;

/** An answer of a node: one instruction of DLMM, and what it calls. */
function answer(inner: readonly { readonly program: number; readonly accounts?: readonly number[]; readonly data: Uint8Array }[]): unknown {
  return {
    ...{ slot: 1, blockTime: 2, version: 0 },
    transaction: {
      signatures: [signature],
      message: { accountKeys: [owner, PROGRAMS.dlmm, PROGRAMS.memo], instructions: [{ programIdIndex: 1, accounts: [0], data: '' }] },
    },
    meta: {
      err: null,
      innerInstructions: [
        {
          index: 0,
          instructions: inner.map(({ program, accounts = [], data }) => ({ programIdIndex: program, accounts, data: bs58.encode(data) })),
        },
      ],
    },
  };
}

function read(given: unknown, of = signature): ReturnType<typeof readTransaction> {
  const parsed = TransactionAnswer.parse(given);
  return parsed === null ? undefined : readTransaction(parsed, of);
}

describe('A transaction that the index reads', () => {
  const created = dlmmEvents.create(pool, position, owner);

  it('counts also if another program in it was called with as much data as is possible', () => {
    const transaction = read(
      answer([
        { program: 2, data: new Uint8Array(LONGEST_CALL_BYTES).fill(255) },
        { program: 1, data: created },
      ]),
    );
    assert.deepEqual(
      factsOf(transaction?.calls ?? []).map(({ kind }) => kind),
      ['create'],
    );
  });

  it('is read again if the node leaves out the addresses of lookup tables, because its events may be among what is left out', () => {
    assert.equal(read(answer([{ program: 3, data: created }])), undefined);
    assert.equal(read(answer([{ program: 1, accounts: [7], data: created }])), undefined);
  });

  it('is read again if the node answers with another transaction', () => {
    assert.equal(read(answer([{ program: 1, data: created }]), signatureOf(2)), undefined);
    assert.ok(read(answer([{ program: 1, data: created }])) !== undefined);
  });

  it('leaves the sums of a position unknown if what was paid in a rebalance is not in it', () => {
    const amounts = [0n, 1_000n, 0n, 2_000n, 0n, 0n];
    const event = eventBytes('006d75b33d5bc7c8', pool, position, owner, 5, ...amounts, 0, 10, 0, 10, 0n, 0n);
    const transaction = read(answer([{ program: 1, data: event }]));
    assert.deepEqual(
      factsOf(transaction?.calls ?? []).map(({ kind }) => kind),
      ['deposit', 'unclear', 'range'],
    );
  });

  it('shows that an operator may act for the owner of a position, and the range of the position', () => {
    const instruction = instructionNamed(DLMM_INSTRUCTIONS, 'initialize_position_by_operator');
    const args = { lower_bin_id: -5, width: 11, fee_owner: new Uint8Array(32), lock_release_point: 0n };
    const facts = factsOf([
      {
        program: PROGRAMS.dlmm,
        accounts: instruction.accounts.map(({ name }) => (name === 'position' ? position : pool)),
        data: () => encodeInstruction(instruction, args),
        isInner: false,
      },
      { program: PROGRAMS.dlmm, accounts: [], data: () => created, isInner: true },
    ]);
    assert.deepEqual(
      facts.map(({ kind, lower, upper }) => [kind, lower, upper]),
      [
        ['operator', undefined, undefined],
        ['range', -5, 5],
        ['create', undefined, undefined],
      ],
    );
  });
});
