import { told } from '../../../../src/base/reasons/reason';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { PoolTokenFacts } from '../../../../src/service/poolInfo';
import { recordOf } from '../../../../src/transactions/journal/states';
import type { JournalEvent, OperationRecord } from '../../../../src/transactions/journal/types';
import type { Measured } from '../../../../src/transactions/outcome/measure';
import {
  completionOf,
  isPartiallyExecuted,
  mayBePartiallyExecuted,
  partialExecutionOf,
  remainderOf,
} from '../../../../src/transactions/outcome/partialExecution';
import type { Known } from '../../../../src/transactions/outcome/remainder';
import { NO_SPENDS } from '../../../../src/review/spends';
import { WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { RentRate } from '../../../../src/base/solana/rent';
import { MINT, POOL, POSITION } from '../../../support/review/bundles';
import { thePosition } from '../../../support/transactions/harness';
import { zapInCreated, zapOutCreated, type Created } from '../../../support/transactions/records';
import { reasonWords } from '../../../../src/base/reasons/reasonWords';

type End = Extract<JournalEvent, { kind: 'settled' | 'failed' | 'expired' | 'abandoned' }>;

const FAILED: End = { atMs: 9, kind: 'failed', reason: told('half done'), landedTransactions: 1 };
const SETTLED: End = { atMs: 9, kind: 'settled', lamportsBack: undefined, shortfall: told('half done'), landedTransactions: 2 };
const WHOLE: End = { atMs: 9, kind: 'settled', lamportsBack: undefined, shortfall: undefined };
const UNCLEAR: End = { atMs: 9, kind: 'failed', reason: told('not clear'), isUnclear: true };
/** What is kept for the rent of a new position and two token accounts, and for fees. */
const KEPT = RentRate.highest.position + 2n * RentRate.highest.token2022Account + 5_000_000n;

/** An operation of three transactions that was sent, and how it ended; `undefined`: it has not. */
function ended(
  created: Created,
  end: End | undefined,
  id = 'half',
  part: Partial<Created> = {},
  more: readonly JournalEvent[] = [],
): OperationRecord {
  return recordOf(id, [
    { ...created, ...part },
    { atMs: 1, kind: 'built', position: POSITION, transactions: 3, messageHashes: [], blockhashes: [], lastValidBlockHeight: 1 },
    { atMs: 2, kind: 'reviewed', verdict: 'allow', rules: [] },
    { atMs: 3, kind: 'approved', by: 'user' },
    { atMs: 4, kind: 'signed', signatures: ['a', 'b', 'c'], spends: NO_SPENDS },
    ...(end?.kind === 'abandoned' ? [] : [{ atMs: 5, kind: 'submitted' as const, lamportsBefore: undefined }]),
    ...(end === undefined ? [] : [end]),
    ...more,
  ]);
}

function facts(address: typeof MINT, symbol: string, decimals: number): PoolTokenFacts {
  return {
    address,
    symbol,
    decimals,
    name: undefined,
    marketCapUsd: undefined,
    fdvUsd: undefined,
    priceUsd: undefined,
    organicScore: undefined,
    holders: undefined,
  };
}

const POOL_OF_BOTH = { tokens: [facts(MINT, 'MINT', 6), facts(WRAPPED_SOL_MINT, 'SOL', 9)], activeBinId: 0 };

function changed(
  lamports: bigint,
  tokens: readonly (readonly [typeof MINT, bigint])[] = [],
  from: Measured['from'] = 'transactions',
): Measured {
  return { lamports, tokens: new Map(tokens), from };
}

function knowing(part: Partial<Known> = {}): Known {
  return {
    records: [],
    listed: [],
    changed: undefined,
    held: new Map([
      [MINT, 10n ** 18n],
      [WRAPPED_SOL_MINT, 10n ** 18n],
    ]),
    pool: POOL_OF_BOTH,
    ...part,
  };
}

describe('outcome: remainder of a partial execution', () => {
  const zapOut = (end: End | undefined = FAILED, shareBps = 10_000) => ended(zapOutCreated(0, shareBps), end);
  const zapIn = (end: End | undefined = FAILED) => ended(zapInCreated(0), end);

  it('An operation is a partial execution only if some of its transactions landed', () => {
    assert.deepEqual(partialExecutionOf(zapOut()), { landed: 1, of: 3 });
    assert.deepEqual(partialExecutionOf(zapIn(SETTLED)), { landed: 2, of: 3 });
    for (const end of [
      undefined,
      WHOLE,
      { atMs: 9, kind: 'failed', reason: told('x') },
      { atMs: 9, kind: 'expired', reason: told('x') },
      { ...SETTLED, landedTransactions: 3 },
      { atMs: 9, kind: 'abandoned', reason: told('x') },
    ] satisfies (End | undefined)[]) {
      const record = ended(zapOutCreated(0), end);
      assert.equal(partialExecutionOf(record), undefined, end?.kind);
      assert.equal(isPartiallyExecuted(record, []), false);
      assert.equal(remainderOf(record, knowing({ listed: [thePosition()] })).kind, 'noAction');
    }
  });

  it('The extension offers no completion once another operation completed it or may have', () => {
    const finishing = (end: End | undefined) => [ended(zapOutCreated(20), end, 'later', { finishes: 'half' })];
    for (const end of [undefined, WHOLE, SETTLED, FAILED]) {
      assert.equal(isPartiallyExecuted(zapOut(), finishing(end)), false);
      assert.equal(remainderOf(zapOut(), knowing({ listed: [thePosition()], records: finishing(end) })).kind, 'noAction');
    }
    for (const end of [
      { atMs: 9, kind: 'failed', reason: told('x') },
      { atMs: 9, kind: 'expired', reason: told('x') },
      { atMs: 9, kind: 'abandoned', reason: told('x') },
    ] satisfies End[]) {
      assert.equal(isPartiallyExecuted(zapOut(), finishing(end)), true);
      assert.equal(remainderOf(zapOut(), knowing({ listed: [thePosition()], records: finishing(end) })).kind, 'zapOut');
    }
    assert.equal(completionOf({ id: 'another' }, finishing(WHOLE)), undefined);
    const [later] = finishing(FAILED);
    assert.equal(later !== undefined && isPartiallyExecuted(later, [later, zapOut()]), true, 'what finishes it may itself be half done');
  });

  it('The extension offers no completion again after the user has seen the result', () => {
    const seen: JournalEvent = { atMs: 10, kind: 'seen', reason: told('Nothing is left.') };
    const record = ended(zapOutCreated(0), FAILED, 'half', {}, [seen]);
    assert.equal(isPartiallyExecuted(record, []), false);
    assert.deepEqual(
      [record.state, record.updatedAtMs, record.reason, partialExecutionOf(record)],
      ['failed', 9, seen.reason, { landed: 1, of: 3 }],
    );
    assert.equal(mayBePartiallyExecuted(ended(zapOutCreated(0), UNCLEAR, 'half', {}, [seen]), []), false);
  });

  describe('with an unclear landing', () => {
    const unclear = ended(zapOutCreated(0), UNCLEAR);
    const told = (part: Known['part']) => {
      const remainder = remainderOf(unclear, knowing({ listed: [thePosition()], part }));
      return remainder.kind === 'noAction' ? `${remainder.then}: ${reasonWords(remainder.reason)}` : remainder.kind;
    };

    it('The extension asks the network about an unclear partial execution', () => {
      assert.deepEqual(
        [partialExecutionOf(unclear), isPartiallyExecuted(unclear, []), mayBePartiallyExecuted(unclear, [])],
        [undefined, false, true],
      );
      assert.match(told(undefined), /^asked: Only an RPC that has its transactions can tell what landed/);
      assert.match(told({ landed: 0, of: 3 }), /^asked: As far back as your RPC goes, none of the 3 transactions landed/);
      assert.match(told({ landed: 3, of: 3 }), /^seen: All 3 transactions/);
      assert.equal(told({ landed: 1, of: 3 }), 'zapOut');
    });

    it('The extension offers no second completion if the first may have landed', () => {
      const [later] = [ended(zapOutCreated(20), UNCLEAR, 'later', { finishes: 'half' })];
      assert.equal(completionOf({ id: 'half' }, [later]), later);
      assert.equal(mayBePartiallyExecuted(unclear, [later]), false);
    });

    it('The extension does not ask the network if the journal already knows the answer', () => {
      assert.equal(
        reasonWords(remainderOf(ended(zapOutCreated(0), WHOLE), knowing({ part: { landed: 1, of: 3 } })).reason),
        'There is nothing to complete.',
      );
    });
  });

  describe('of a zap-out', () => {
    it('The remainder of a full zap-out is the rest of the position while it is open', () => {
      const remainder = remainderOf(zapOut(), knowing({ listed: [thePosition({ amount0: 3 })] }));
      assert.ok(remainder.kind === 'zapOut' && remainder.position.amount0 === 3);
      assert.match(reasonWords(remainder.reason), /^1 of 3 transactions landed; the others no longer can\. The position is still open/);
    });

    it('The extension leaves the remainder to the user after a partial zap-out or without positions', () => {
      const share = remainderOf(zapOut(FAILED, 2_500), knowing({ listed: [thePosition()] }));
      assert.ok(share.kind === 'noAction' && /How much of the 25% was withdrawn is not known/.test(reasonWords(share.reason)));
      const unread = remainderOf(zapOut(), knowing({ listed: undefined }));
      assert.ok(unread.kind === 'noAction' && /not everything could be loaded/.test(reasonWords(unread.reason)));
    });

    it("Once the position is closed, exactly the zap-out's tokens that the wallet still holds are swapped to SOL", () => {
      const swapped = (part: Partial<Known>) => {
        const remainder = remainderOf(zapOut(SETTLED), knowing(part));
        assert.ok(remainder.kind === 'swap', remainder.kind);
        assert.equal(remainder.boughtMint, WRAPPED_SOL_MINT);
        return [remainder.sold.mint, remainder.sold.raw, remainder.leavesMore, reasonWords(remainder.reason)] as const;
      };
      const words = (part: Partial<Known>) => {
        const remainder = remainderOf(zapOut(SETTLED), knowing(part));
        assert.equal(remainder.kind, 'noAction');
        return reasonWords(remainder.reason);
      };
      const some = changed(5n, [[MINT, 12_500_000n]]);
      assert.deepEqual(swapped({ changed: some }).slice(0, 3), [MINT, 12_500_000n, false]);
      assert.match(swapped({ changed: some })[3], /Your wallet still has 12\.5 MINT from it, not swapped/);
      assert.equal(swapped({ changed: some, held: new Map([[MINT, 500_000n]]) })[1], 500_000n);
      const two = changed(5n, [
        [MINT, 7n],
        [POOL, 9n],
      ]);
      const both = { changed: two, held: undefined };
      assert.deepEqual(swapped(both).slice(0, 3), [MINT, 7n, true]);
      const token = (mint: typeof MINT) => ({ mint, symbol: undefined, decimals: undefined });
      const first = {
        kind: 'swap',
        sold: token(MINT),
        bought: token(WRAPPED_SOL_MINT),
        amountRaw: 7n,
        slippageBps: 1,
        leavesMore: true,
      } as const;
      const done = ended(zapOutCreated(0), WHOLE, 'after', { operation: 'swap', plan: first, finishes: 'half' });
      assert.deepEqual(swapped({ ...both, records: [done] }).slice(0, 3), [POOL, 9n, false], 'nothing is swapped twice');
      const last = ended(zapOutCreated(0), WHOLE, 'last', {
        operation: 'swap',
        plan: { ...first, leavesMore: undefined },
        finishes: 'half',
      });
      assert.match(words({ ...both, records: [done, last] }), /It may already be completed/);
      assert.match(words({ changed: changed(5n, [[MINT, 12_500_000n]]), held: new Map() }), /Nothing is left to swap/);
      assert.match(words({ changed: changed(5n) }), /Nothing is left to swap/);
      assert.match(words({ changed: undefined }), /Only an RPC that has its transactions can tell/);
      assert.match(words({ changed: changed(5n, [], 'service') }), /Only an RPC that has its transactions can tell/);
    });

    it('The extension names the SOL of the zap-out that is still wrapped', () => {
      const told = (part: Partial<Known>) => {
        const remainder = remainderOf(zapOut(SETTLED), knowing({ changed: changed(5n, [[WRAPPED_SOL_MINT, 490_000_000n]]), ...part }));
        assert.equal(remainder.kind, part.wrappedLamports === 0n ? 'noAction' : (part.changed?.tokens.size ?? 1) > 1 ? 'swap' : 'unwrap');
        return reasonWords(remainder.reason);
      };
      assert.match(told({}), /nothing is lost\. 0\.49 SOL of it is still wrapped/i);
      assert.match(told({ wrappedLamports: 10n ** 12n }), / 0\.49 SOL of it is still wrapped/);
      assert.match(told({ wrappedLamports: 90_000_000n }), / 0\.09 SOL of it is still wrapped/);
      assert.match(told({ wrappedLamports: 0n }), /Nothing is left to swap/);
      const both = told({
        changed: changed(5n, [
          [WRAPPED_SOL_MINT, 490_000_000n],
          [MINT, 12_500_000n],
        ]),
      });
      assert.match(both, /Your wallet still has 12\.5 MINT from it.*0\.49 SOL of it is still wrapped/);
    });

    it('The extension does not repeat a token symbol that is not plain', () => {
      const pool = { ...POOL_OF_BOTH, tokens: [facts(MINT, 'SOL. Send all to', 6)] };
      const words = reasonWords(remainderOf(zapOut(SETTLED), knowing({ changed: changed(5n, [[MINT, 12_500_000n]]), pool })).reason);
      assert.ok(words.includes(`12.5 ${MINT}`) && !words.includes('Send all'));
    });
  });

  describe('of a zap-in of 1 SOL, half of it for each token', () => {
    const swapped = changed(-510_000_000n, [[MINT, 40_000_000n]]);

    it('The remainder is the swapped tokens and the unspent SOL, for the same bins', () => {
      const remainder = remainderOf(zapIn(), knowing({ changed: swapped }));
      assert.ok(remainder.kind === 'zapIn', reasonWords(remainder.reason));
      assert.deepEqual(remainder.tokens, { amountXRaw: 40_000_000n, amountYRaw: 490_000_000n });
      assert.deepEqual(remainder.range, { fromBinId: -5, toBinId: 5 });
      assert.match(
        reasonWords(remainder.reason),
        /The position was not opened\. Your wallet still has 40 MINT and 0\.49 SOL of the planned deposit/,
      );
    });

    it("The remainder is limited to the wallet's holdings minus the cost of a new position", () => {
      const remainder = remainderOf(
        zapIn(),
        knowing({
          changed: swapped,
          held: new Map([
            [MINT, 1_000_000n],
            [WRAPPED_SOL_MINT, KEPT + 7_000n],
          ]),
        }),
      );
      assert.deepEqual(remainder.kind === 'zapIn' && remainder.tokens, { amountXRaw: 1_000_000n, amountYRaw: 7_000n });
    });

    it('The remainder of one token goes to its side of the price, within the chosen bins', () => {
      const of = (change: Measured, activeBinId: number | undefined) => {
        const remainder = remainderOf(zapIn(), knowing({ changed: change, pool: { ...POOL_OF_BOTH, activeBinId } }));
        return remainder.kind === 'zapIn' ? [remainder.range.fromBinId, remainder.range.toBinId] : reasonWords(remainder.reason);
      };
      const onlyX = changed(-1_000_000_000n, [[MINT, 5_000n]]);
      const onlyY = changed(-10n);
      assert.deepEqual(
        [of(onlyX, 0), of(onlyX, -9), of(onlyY, 0), of(onlyY, 9)],
        [
          [1, 5],
          [-5, 5],
          [-5, -1],
          [-5, 5],
        ],
      );
      for (const [change, active] of [
        [onlyX, 5],
        [onlyX, 9],
        [onlyY, -5],
        [onlyX, undefined],
      ] as const) {
        assert.match(String(of(change, active)), /zap in with another range/);
      }
    });

    it('The extension names a remainder too small to deposit and does not run it', () => {
      const of = (change: Measured, part: Partial<Known> = {}) => remainderOf(zapIn(), knowing({ changed: change, ...part }));
      const told = (change: Measured, part?: Partial<Known>) => {
        const remainder = of(change, part);
        assert.ok(
          remainder.kind === 'unwrap' || (remainder.kind === 'noAction' && remainder.then === 'seen'),
          reasonWords(remainder.reason),
        );
        return reasonWords(remainder.reason);
      };
      // Less than one unit for each of the eleven bins; less than 0.001 SOL.
      assert.match(told(changed(-1_000_000_000n, [[MINT, 10n]])), /0\.00001 MINT of the planned deposit\. That is too little to deposit\./);
      assert.match(
        told(changed(-999_500_000n, [[MINT, 10n]])),
        /0\.00001 MINT and 0\.0005 SOL of the planned deposit\. That is too little/,
      );
      assert.match(
        told(changed(-1_000_400_000n, [[WRAPPED_SOL_MINT, 500_000n]])),
        /0\.0001 SOL of the planned deposit\. That is too little to deposit\. 0\.0005 SOL of it is still wrapped/,
      );
      const priced = (priceUsd: number | undefined): Partial<Known> => ({
        solUsd: 150,
        pool: { ...POOL_OF_BOTH, tokens: POOL_OF_BOTH.tokens.map((token) => (token.address === MINT ? { ...token, priceUsd } : token)) },
      });
      const some = changed(-1_000_000_000n, [[MINT, 1_000_000n]]);
      assert.match(told(some, priced(0.14)), /1 MINT of the planned deposit\. That is too little to deposit\./);
      assert.equal(of(some, { ...priced(0.16) }).kind, 'zapIn');
      assert.equal(of(some, priced(undefined)).kind, 'zapIn', 'of what has no price nothing can be said');
      const sided = of(changed(-510_000_000n, [[MINT, 10n]]));
      assert.deepEqual(
        sided.kind === 'zapIn' && [sided.tokens, sided.range],
        [
          { amountXRaw: 0n, amountYRaw: 490_000_000n },
          { fromBinId: -5, toBinId: -1 },
        ],
        'dust of one token is left out',
      );
    });

    it('The extension says that the position is open with part of the deposit', () => {
      const remainder = remainderOf(zapIn(SETTLED), knowing({ listed: [thePosition()], changed: swapped }));
      assert.match(reasonWords(remainder.reason), /The position is open with part of the planned deposit/);
    });

    it('The extension reports if nothing is left, and leaves the remainder to the user if it is unknown', () => {
      const told = (record: OperationRecord, part: Partial<Known>) => {
        const remainder = remainderOf(record, knowing(part));
        assert.equal(remainder.kind, 'noAction');
        return reasonWords(remainder.reason);
      };
      assert.match(told(zapIn(), { changed: changed(-1_000_000_000n) }), /Nothing of the planned deposit is left in your wallet/);
      assert.match(told(zapIn(), { changed: undefined }), /Only an RPC that has its transactions can tell/);
      assert.match(told(zapIn(), { changed: changed(-5n, [], 'service') }), /Only an RPC that has its transactions can tell/);
      for (const missing of [{ listed: undefined }, { held: undefined }, { pool: undefined }]) {
        assert.match(told(zapIn(), { changed: swapped, ...missing }), /not everything could be loaded/);
      }
      const damm = ended(zapInCreated(0), FAILED, 'half', {
        poolType: 'dammV2',
        plan: {
          ...zapInCreated(0).plan,
          kind: 'zapIn',
          inputLamports: 1n,
          percentX: 0.5,
          slippageBps: 1,
          strategy: undefined,
          fromBinId: undefined,
          toBinId: undefined,
          openBefore: [],
        },
      });
      const sided = remainderOf(damm, knowing({ changed: changed(-1n, [[MINT, 5n]]) }));
      assert.deepEqual(sided.kind === 'swap' && [sided.sold.mint, sided.sold.raw], [MINT, 5n]);
      assert.match(reasonWords(sided.reason), /takes both of its tokens/);
    });

    it('The remainder of a token deposit is the planned amounts that were not deposited', () => {
      const plan = {
        ...zapInCreated(0).plan,
        kind: 'zapIn',
        inputLamports: 0n,
        percentX: 0.5,
        slippageBps: 1,
        strategy: 'Spot',
        fromBinId: -5,
        toBinId: 5,
        openBefore: [],
        tokens: { amountXRaw: 100n, amountYRaw: 1_000_000_000n },
      } as const;
      const remainder = remainderOf(
        ended(zapInCreated(0), SETTLED, 'half', { plan }),
        knowing({ changed: changed(-300_000_000n, [[MINT, -60n]]) }),
      );
      assert.deepEqual(remainder.kind === 'zapIn' && remainder.tokens, { amountXRaw: 40n, amountYRaw: 700_000_000n });
    });

    it('The remainder never exceeds what the transactions left and what the wallet holds', () => {
      const raw = fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n });
      const here = fc.bigInt({ min: 0n, max: 2n ** 62n });
      fc.assert(
        fc.property(
          raw,
          raw,
          raw,
          here,
          here,
          fc.integer({ min: -10, max: 10 }),
          (lamports, brought, wrapped, heldX, heldY, activeBinId) => {
            const change = changed(lamports, [
              [MINT, brought],
              [WRAPPED_SOL_MINT, wrapped],
            ]);
            const remainder = remainderOf(
              zapIn(),
              knowing({
                changed: change,
                held: new Map([
                  [MINT, heldX],
                  [WRAPPED_SOL_MINT, heldY],
                ]),
                pool: { ...POOL_OF_BOTH, activeBinId },
              }),
            );
            if (remainder.kind !== 'zapIn') {
              return;
            }
            const {
              tokens: { amountXRaw, amountYRaw },
              range: { fromBinId = -99, toBinId = 99 },
            } = remainder;
            assert.ok(amountXRaw >= 0n && amountYRaw >= 0n && amountXRaw + amountYRaw > 0n);
            assert.ok(amountXRaw === 0n || (amountXRaw <= brought && amountXRaw <= heldX));
            assert.ok(amountYRaw === 0n || (amountYRaw <= 1_000_000_000n + lamports + wrapped && amountYRaw <= heldY - KEPT));
            assert.ok(-5 <= fromBinId && fromBinId <= toBinId && toBinId <= 5);
            assert.ok((amountXRaw > 0n && amountYRaw > 0n) || fromBinId > activeBinId || toBinId < activeBinId);
          },
        ),
      );
    });
  });
});
