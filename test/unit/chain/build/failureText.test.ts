import assert from 'node:assert/strict';
import { PROGRAMS } from '../../../../src/base/solana/programs';
import { failureText } from '../../../../src/chain/build/failureText';

/** A transaction that a program refuses with a code. */
function refusedBy(program: string, code: number, ...logs: readonly string[]): string {
  return failureText({
    err: { InstructionError: [2, { Custom: code }] },
    logs: [...logs, `Program ${program} failed: custom program error: 0x${code.toString(16)}`],
  });
}

describe('Why a transaction of the service over a chain fails', () => {
  it('A refusal of a pool program has the message of its interface', () => {
    assert.equal(refusedBy(PROGRAMS.dlmm, 6005), 'Meteora DLMM refuses it: Composition factor flawed (6005)');
    assert.equal(refusedBy(PROGRAMS.dammV2, 6001), 'Meteora DAMM v2 refuses it: Invalid fee setup (6001)');
  });

  it('A moved price and missing tokens are said in plain words', () => {
    assert.equal(refusedBy(PROGRAMS.dlmm, 6004), 'the price has moved by more than the slippage tolerance');
    assert.equal(refusedBy(PROGRAMS.token, 1), 'there are too few tokens or too little SOL');
  });

  it('An unknown program has the message of its log, and without one its code', () => {
    const other = 'LbVRzDTvBDEcrthxfZ4RL6yiq3uZw8bS6MwtdY6UhFQ';
    const log = 'Program log: AnchorError occurred. Error Code: Paused. Error Number: 6100. Error Message: The pool is paused.';
    assert.equal(refusedBy(other, 6100, log), `the program ${other} refuses it: The pool is paused (6100)`);
    assert.equal(refusedBy(other, 6100), `the program ${other} refuses it: error 6100`);
  });
});
