import assert from 'node:assert/strict';
import type { RawTransaction } from '../../../../src/base/insight/flows';
import { PROGRAMS, WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { type LinesNotKnown, type OperationLines, operationLines } from '../../../../src/transactions/earnings/operationLines';
import type { ReadLogs } from '../../../../src/transactions/earnings/loggedFlows';
import type { OperationRecord } from '../../../../src/transactions/journal/types';
import {
  event,
  i32,
  key,
  keyBytes,
  OWNER,
  type Parts,
  POOL,
  POSITION,
  RENT,
  system,
  TIP,
  TOKEN,
  transaction,
  u64,
} from '../../../support/base/insight/rawTransactions';
import { SUBMITTED, record, SIGNATURE, OTHER_SIGNATURE, ZAP_IN, ZAP_OUT } from '../../../support/ui/journalRecords';

const ACCOUNT = key(7);
const TOKENS = [
  { mint: TOKEN, symbol: 'BONK', decimals: 5, priceUsd: undefined },
  { mint: WRAPPED_SOL_MINT, symbol: 'SOL', decimals: 9, priceUsd: undefined },
];
const OF_POOL = { owner: OWNER, pool: POOL, tokens: TOKENS };
const SETTLED = [...SUBMITTED, { kind: 'settled', lamportsBack: undefined, shortfall: undefined }] as const;
const zapOut = (part: Parameters<typeof record>[1] = {}): OperationRecord =>
  record(SETTLED, { ...OF_POOL, plan: { ...ZAP_OUT, position: POSITION }, ...part });

const dlmm = (discriminator: string, ...fields: readonly (readonly number[])[]) => ({
  program: PROGRAMS.dlmm,
  data: event(discriminator, ...fields),
});
const ids = (...of: readonly (typeof POOL)[]) => of.map(keyBytes);
/** Pays 5,000 lamports of network fee and a tip of 1,000; gets 30 of the token and 90,000 lamports, of which 40 and 50,000 were in the pool. */
const CLOSING: Parts = {
  signature: SIGNATURE,
  balances: { [OWNER]: [10n ** 9n, 10n ** 9n + 90_000n], [TIP]: [0n, 1_000n] },
  tokens: [[ACCOUNT, TOKEN, 0n, 30n]],
  calls: [
    { program: PROGRAMS.dlmm, data: Uint8Array.of(1) },
    { program: PROGRAMS.system, accounts: [OWNER, TIP], data: system(2, 1_000n) },
  ],
  inner: [
    dlmm('74f461e8671f983a', ...ids(POOL, OWNER, POSITION), u64(40n), u64(50_000n), i32(0)),
    dlmm('e8abf2613a4d232d', ...ids(POOL, POSITION, OWNER), u64(3n), u64(4_000n), i32(0)),
  ],
};
const LOCKING: Parts = { signature: OTHER_SIGNATURE, balances: { [OWNER]: [10n ** 9n, 10n ** 9n - 5_000n] } };

function read(
  records: readonly OperationRecord[],
  transactions: readonly Parts[],
  readLogs: ReadLogs = () => Promise.resolve(undefined),
): Promise<OperationLines | LinesNotKnown | undefined> {
  const raws = new Map<string | undefined, RawTransaction>(transactions.map((parts) => [parts.signature, transaction(parts)]));
  const rpc = { transactionWithCalls: (signature: string) => Promise.resolve(raws.get(signature)) };
  return operationLines(records, { rpc, readLogs }, new AbortController().signal);
}

/** What the lines say that the wallet has more, by mint. */
function changeBy({ movements, ...costs }: OperationLines): Readonly<Record<string, bigint>> {
  assert.ok(movements !== undefined);
  const { deposited, withdrawn, fees, swapped } = movements;
  const of = (mint: string): bigint => (withdrawn[mint] ?? 0n) + (fees[mint] ?? 0n) + (swapped[mint] ?? 0n) - (deposited[mint] ?? 0n);
  const paid = costs.networkFees + costs.tips + costs.rentLocked - costs.rentRefunded + costs.rentNotRefunded;
  return { [TOKEN]: of(TOKEN), [WRAPPED_SOL_MINT]: of(WRAPPED_SOL_MINT) - paid };
}

describe('The lines of an operation', () => {
  it('The lines of a zap-out add up to the change of the wallet, token by token', async () => {
    const lines = await read([zapOut()], [CLOSING, LOCKING]);
    assert.ok(typeof lines === 'object');
    assert.deepEqual(lines.movements, {
      deposited: {},
      withdrawn: { [TOKEN]: 40n, [WRAPPED_SOL_MINT]: 50_000n },
      fees: { [TOKEN]: 3n, [WRAPPED_SOL_MINT]: 4_000n },
      swapped: { [TOKEN]: -13n, [WRAPPED_SOL_MINT]: 42_000n },
    });
    assert.deepEqual([lines.networkFees, lines.tips], [10_000n, 1_000n]);
    assert.deepEqual(changeBy(lines), { [TOKEN]: 30n, [WRAPPED_SOL_MINT]: 85_000n });
  });

  it('Programs without events of their own are read by the events of the service; without those, only the costs are known', async () => {
    const { inner: _, ...silent } = CLOSING;
    const log = { action: 'DecreaseLiquidity', amount0: 40n, amount1: 50_000n, signature: SIGNATURE };
    const readLogs: ReadLogs = () => Promise.resolve({ items: [log as never] });
    const told = await read([zapOut()], [silent, LOCKING], readLogs);
    assert.ok(typeof told === 'object');
    assert.deepEqual(told.movements?.withdrawn, { [TOKEN]: 40n, [WRAPPED_SOL_MINT]: 50_000n });
    const untold = await read([zapOut()], [silent, LOCKING]);
    assert.ok(typeof untold === 'object');
    assert.deepEqual([untold.movements, untold.networkFees], [undefined, 10_000n]);
  });

  it('All that a claim of several positions brought is fees, also of other pools', async () => {
    const positions = [POSITION, key(9)].map((position) => ({ position, positionId: position, fee0: undefined, fee1: undefined }));
    const lines = await read([zapOut({ plan: { kind: 'claim', positions } })], [{ ...CLOSING, inner: [] }, LOCKING]);
    assert.ok(typeof lines === 'object');
    assert.deepEqual(lines.movements?.fees, { [TOKEN]: 30n, [WRAPPED_SOL_MINT]: 96_000n });
    assert.deepEqual(lines.movements.swapped, {});
  });

  it('Locked rent is told from rent that does not come back', async () => {
    const rented: Parts = {
      ...LOCKING,
      balances: { [OWNER]: [10n ** 9n, 10n ** 9n - 5_000n - 2n * RENT], [ACCOUNT]: [0n, RENT], [key(8)]: [0n, RENT] },
      tokens: [[ACCOUNT, TOKEN, undefined, 0n]],
      calls: [{ program: PROGRAMS.system, accounts: [OWNER, key(8)], data: system(0, RENT) }],
    };
    const lines = await read([zapOut()], [CLOSING, rented]);
    assert.ok(typeof lines === 'object');
    assert.deepEqual([lines.rentLocked, lines.rentNotRefunded], [RENT, RENT]);
  });

  it('Lines of which a transaction is missing are not known, and an operation that sent nothing has none', async () => {
    assert.equal(await read([zapOut()], [CLOSING]), 'notRead');
    assert.equal(await read([record([], { ...OF_POOL, plan: ZAP_IN })], []), undefined);
    const sources = { rpc: undefined, readLogs: () => Promise.resolve(undefined) };
    assert.equal(await operationLines([zapOut()], sources, new AbortController().signal), 'noRpc');
  });
});
