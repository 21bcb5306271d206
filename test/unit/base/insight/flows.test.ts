import assert from 'node:assert/strict';
import { type FlowsInput, flowsOf } from '../../../../src/base/insight/flows';
import { ledgerOf } from '../../../../src/base/insight/ledger';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import {
  OWNER,
  OTHER,
  POOL,
  POSITION,
  TOKEN,
  NFT,
  ACCOUNT,
  TIP,
  RENT,
  u64,
  i32,
  keyBytes,
  event,
  system,
  type Called,
  type Parts,
  transaction,
} from '../../../support/base/insight/rawTransactions';

const INPUT: Omit<FlowsInput, 'transactions'> = {
  owner: OWNER,
  pool: { address: POOL, x: TOKEN, y: WRAPPED_SOL_MINT, binStepBps: 100, decimalsX: 9, decimalsY: 9 },
};
const DLMM_CALL: Called = { program: PROGRAMS.dlmm, data: Uint8Array.of(1) };
const DAMM_CALL: Called = { program: PROGRAMS.dammV2, data: Uint8Array.of(1) };

function flowsIn(parts: Parts, input: Partial<FlowsInput> = {}) {
  const flows = flowsOf({ ...INPUT, ...input, transactions: [transaction(parts)] });
  assert.ok(
    flows.known,
    JSON.stringify(flows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
  );
  return flows.transactions[0] ?? assert.fail();
}

const dlmm = (data: Uint8Array): Parts => ({ calls: [DLMM_CALL], inner: [{ program: PROGRAMS.dlmm, data }] });
const damm = (data: Uint8Array): Parts => ({ calls: [DAMM_CALL], inner: [{ program: PROGRAMS.dammV2, data }] });
const added = (by: typeof OWNER, position: typeof POSITION) =>
  event('1f5e7d5ae3343dba', ...[POOL, by, position].map(keyBytes), u64(10n), u64(20n), i32(-2));

describe('Insight: flows', () => {
  it('What the owner deposits into the position goes into the pool, at the price of the active bin', () => {
    const { pool, activeBinId, prices } = flowsIn(dlmm(added(OWNER, POSITION)), { positions: [POSITION] });
    assert.deepEqual([pool, activeBinId], [{ in: { [TOKEN]: 10n, [WRAPPED_SOL_MINT]: 20n } }, -2]);
    assert.ok(Math.abs((prices?.[TOKEN] ?? 0) - 1.01 ** -2) < 1e-12);
  });

  it('Deposits by others, into other positions and into other pools are not flows of the owner', () => {
    assert.deepEqual(flowsIn(dlmm(added(OTHER, POSITION))).pool, {});
    assert.deepEqual(flowsIn(dlmm(added(OWNER, OTHER)), { positions: [POSITION] }).pool, {});
    assert.deepEqual(flowsIn(dlmm(added(OWNER, POSITION)), { pool: { ...INPUT.pool, address: OTHER } }).pool, {});
  });

  it('An event counts only where the program itself can have written it', () => {
    const forged = { program: PROGRAMS.memo, data: added(OWNER, POSITION) };
    assert.deepEqual(flowsIn({ calls: [{ program: PROGRAMS.dlmm, data: added(OWNER, POSITION) }], inner: [forged] }).pool, {});
  });

  it('A claim that is reported in both forms counts once, two equal claims count twice', () => {
    const claim = (form: string, ...more: readonly (readonly number[])[]): Called => ({
      program: PROGRAMS.dlmm,
      data: event(form, ...[POOL, POSITION, OWNER].map(keyBytes), u64(3n), u64(4n), ...more),
    });
    const [older, newer] = [claim('4b7a9a308c4a7ba3'), claim('e8abf2613a4d232d', i32(5))];
    const feesOf = (...inner: readonly Called[]) => flowsIn({ calls: [DLMM_CALL], inner }).pool.fees?.[TOKEN];
    assert.deepEqual([feesOf(older), feesOf(older, newer), feesOf(older, newer, older, newer)], [3n, 3n, 6n]);
  });

  it('A rebalance within a position withdraws, claims and deposits', () => {
    const amounts = [1n, 2n, 3n, 4n, 5n, 6n].map(u64);
    const { pool } = flowsIn(dlmm(event('006d75b33d5bc7c8', ...[POOL, POSITION, OWNER].map(keyBytes), i32(1), ...amounts)));
    const of = (x: bigint, y: bigint) => ({ [TOKEN]: x, [WRAPPED_SOL_MINT]: y });
    assert.deepEqual(pool, { in: of(2n, 4n), out: of(1n, 3n), fees: of(5n, 6n) });
  });

  it('In DAMM v2 the NFT of a position is no token, and its rent comes back', () => {
    const created = event('9c0f77c61db5dd37', ...[POOL, OWNER, POSITION, NFT].map(keyBytes));
    const { tokens, rent } = flowsIn({
      ...damm(created),
      balances: {
        [OWNER]: [RENT * 9n, 0n],
        [POSITION]: [0n, 4n * RENT],
        [NFT]: [0n, 2n * RENT],
        [ACCOUNT]: [0n, RENT],
        [OTHER]: [0n, 2n * RENT],
      },
      tokens: [[ACCOUNT, NFT, undefined, 1n]],
    });
    assert.deepEqual([tokens, rent], [[], { locked: 7n * RENT, refunded: 0n, spent: 2n * RENT }]);
  });

  it('DAMM v2 reports what arrived and what left, without the tax of a token', () => {
    const change = (kind: number) =>
      event('c5ab4e7fe0d3570d', ...[POOL, POSITION, OWNER].map(keyBytes), u64(9n), u64(19n), u64(10n), u64(20n), Array(48).fill(0), [kind]);
    const of = (x: bigint, y: bigint) => ({ [TOKEN]: x, [WRAPPED_SOL_MINT]: y });
    assert.deepEqual(flowsIn(damm(change(0))).pool, { in: of(9n, 19n) });
    assert.deepEqual(flowsIn(damm(change(1))).pool, { out: of(10n, 20n) });
  });

  it('Rent of bin arrays is spent; a payment to a new wallet and an account that somebody else paid for are not', () => {
    const rentOf = (calls: readonly Called[], balances: Parts['balances']) => flowsIn({ calls, balances }).rent;
    const balances = { [OWNER]: [10n * RENT, 9n * RENT], [ACCOUNT]: [0n, RENT] } as const;
    const call = (kind: number, from: string): Called => ({
      program: PROGRAMS.system,
      accounts: [from, ACCOUNT],
      data: system(kind, RENT),
    });
    const assign: Called = { program: PROGRAMS.system, accounts: [ACCOUNT], data: system(1, 0n) };
    assert.equal(rentOf([call(0, OWNER)], balances).spent, RENT);
    assert.equal(rentOf([call(2, OWNER), assign], balances).spent, RENT);
    assert.equal(rentOf([call(2, OWNER)], balances).spent, 0n);
    assert.equal(rentOf([call(0, OTHER)], balances).spent, 0n);
    assert.equal(rentOf([], balances).spent, RENT);
  });

  it('Only what the owner paid to an account for tips is a tip', () => {
    const tip = (from: string, to: string): Called => ({ program: PROGRAMS.system, accounts: [from, to], data: system(2, 700n) });
    const calls = [tip(OWNER, TIP), tip(OTHER, TIP), tip(OWNER, ACCOUNT)];
    assert.equal(flowsIn({ calls, inner: [tip(OWNER, TIP)] }).tipLamports, 1_400n);
  });

  it('Wrapped SOL in a token account is no rent, and closing the account refunds what is', () => {
    const opened = flowsIn({ balances: { [ACCOUNT]: [0n, RENT + 500n] }, tokens: [[ACCOUNT, WRAPPED_SOL_MINT, undefined, 500n]] });
    const closed = flowsIn({ balances: { [ACCOUNT]: [RENT + 500n, 0n] }, tokens: [[ACCOUNT, WRAPPED_SOL_MINT, 500n, undefined]] });
    assert.deepEqual([opened.rent.locked, opened.tokens[0]?.change], [RENT, 500n]);
    assert.deepEqual([closed.rent.refunded, closed.tokens[0]?.change], [RENT, -500n]);
  });

  it('A failed transaction costs its fee alone', () => {
    const parts: Parts = { ...dlmm(added(OWNER, POSITION)), err: {}, balances: { [OWNER]: [9_000n, 4_000n] } };
    const { lamports, feeLamports, tipLamports, pool, rent } = flowsIn(parts);
    assert.deepEqual([lamports, feeLamports, tipLamports, pool, rent.spent], [-5_000n, 5_000n, 0n, {}, 0n]);
  });

  it('A transaction that is not whole makes all of it not known', () => {
    const whole = transaction(dlmm(added(OWNER, POSITION)));
    const { meta } = whole;
    assert.ok(meta !== null);
    for (const part of [
      null,
      { ...whole, meta: null },
      { ...whole, blockTime: null },
      { ...whole, meta: { ...meta, innerInstructions: null } },
      { ...whole, meta: { ...meta, preBalances: [] } },
      transaction(dlmm(added(OWNER, POSITION).slice(0, 60))),
    ]) {
      const flows = flowsOf({ ...INPUT, transactions: [whole, part] });
      assert.deepEqual([flows.known, flows.known || flows.why], [false, 'transactionNotRead']);
    }
  });

  it('Tokens that a pool gives besides fees, and splits of positions, make it not known: no line could say what they are worth', () => {
    for (const parts of [dlmm(event('947486cc16ab555f', keyBytes(POOL))), damm(event('a520cbae4864e967', keyBytes(POOL)))]) {
      assert.deepEqual(flowsOf({ ...INPUT, transactions: [transaction(parts)] }), { known: false, why: 'notUnderstood', signature: 'sig' });
    }
  });

  it('A ledger of flows adds up: a deposit whose rent is locked has no trade in it', () => {
    const spent = RENT + 20n + 5_000n;
    const flows = flowsIn(
      { ...dlmm(added(OWNER, POSITION)), balances: { [OWNER]: [spent, 0n], [POSITION]: [0n, RENT] }, tokens: [[ACCOUNT, TOKEN, 10n, 0n]] },
      { positions: [POSITION] },
    );
    const ledger = ledgerOf({
      ...{ tokens: { [TOKEN]: { decimals: 9 } }, x: TOKEN, y: WRAPPED_SOL_MINT, transactions: [flows], pricesNow: { [TOKEN]: 1.01 ** -2 } },
      open: { x: 10n, y: 20n, feeX: 0n, feeY: 0n },
    });
    assert.ok(ledger.known);
    assert.deepEqual([ledger.lines.trading, ledger.tradedSol], [0, 0]);
    // The deposited tokens were in the wallet before: what is gone is the network fee.
    assert.ok(Math.abs(ledger.realPnlSol + 0.000_005) < 1e-15, String(ledger.realPnlSol));
  });
});
