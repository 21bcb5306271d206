import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { LiquidityService } from '../../../../src/service/service';
import { recordOf } from '../../../../src/transactions/journal/states';
import type { BalanceSource, JournalEvent, OperationRecord } from '../../../../src/transactions/journal/types';
import {
  balanceOf,
  changesOf,
  lamportsBackOf,
  measured,
  type MeasureDependencies,
  recordedProceeds,
} from '../../../../src/transactions/outcome/measure';
import { NO_SPENDS } from '../../../../src/review/spends';
import type { LandedTransaction, SolanaRpc } from '../../../../src/rpc/types';
import { WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import { FakeClock, OTHER_OWNER } from '../../../support/portfolio/fixtures';
import { MINT, OWNER, POOL } from '../../../support/review/bundles';
import { ScriptedNode, type NodeAnswer } from '../../../support/rpc/scriptedNode';
import { goingOn, until } from '../../../support/transactions/harness';
import { MESSAGE, zapInCreated, zapOutCreated } from '../../../support/transactions/records';

const BEFORE = 5_000_000_000n;
const never = new AbortController().signal;

interface Sent {
  readonly id?: string;
  readonly signatures?: readonly string[];
  readonly lamportsBefore?: bigint | undefined;
  readonly balanceFrom?: BalanceSource;
  readonly atMs?: number;
  readonly valueNative?: string;
  readonly shareBps?: number;
  readonly created?: Extract<JournalEvent, { kind: 'created' }>;
}

/** A zap-out of two transactions that was sent. */
function sent({
  id = 'this',
  signatures = ['one', 'two'],
  balanceFrom,
  atMs = 0,
  valueNative,
  shareBps,
  created,
  ...rest
}: Sent = {}): OperationRecord {
  const zapOut = zapOutCreated(atMs, shareBps);
  const plan =
    zapOut.plan.kind === 'zapOut' && valueNative !== undefined
      ? { ...zapOut.plan, before: { ...zapOut.plan.before, valueNative } }
      : zapOut.plan;
  const lamportsBefore = 'lamportsBefore' in rest ? rest.lamportsBefore : BEFORE;
  return recordOf(id, [
    created ?? { ...zapOut, plan },
    { atMs, kind: 'built', position: undefined, transactions: 2, messageHashes: [], blockhashes: [], lastValidBlockHeight: 1 },
    { atMs, kind: 'reviewed', verdict: 'allow', rules: [] },
    { atMs, kind: 'approved', by: 'user' },
    { atMs, kind: 'signed', signatures, spends: NO_SPENDS },
    { atMs, kind: 'submitted', lamportsBefore, balanceFrom },
  ]);
}

interface Row {
  readonly before: number;
  readonly after: number;
  readonly tokens?: readonly { readonly mint: string; readonly owner?: string; readonly before?: string; readonly after?: string }[];
  readonly err?: unknown;
}

/** A transaction of the owner and one other account, as a node writes it. */
function transaction(signature: string, { before, after, tokens = [], err = null }: Row): NodeAnswer {
  const balances = (side: 'before' | 'after') =>
    tokens.flatMap((token) =>
      token[side] === undefined
        ? []
        : [
            {
              accountIndex: 1,
              mint: token.mint,
              owner: token.owner ?? OWNER,
              uiTokenAmount: { amount: token[side], decimals: 9, uiAmount: null },
            },
          ],
    );
  return {
    result: {
      slot: 3,
      transaction: { signatures: [signature], message: { ...MESSAGE, accountKeys: [OWNER, POOL] } },
      meta: {
        err,
        fee: 5_000,
        preBalances: [before, 77],
        postBalances: [after, 1_000],
        preTokenBalances: balances('before'),
        postTokenBalances: balances('after'),
      },
    },
  };
}

describe('outcome: measured proceeds', () => {
  let node: ScriptedNode;
  let clock: FakeClock;
  before(async () => {
    node = await ScriptedNode.start();
  });
  after(() => node.stop());
  beforeEach(() => {
    clock = new FakeClock();
  });

  const by = (part: Partial<MeasureDependencies> & { readonly records?: readonly OperationRecord[] } = {}): MeasureDependencies => ({
    journal: { read: () => Promise.resolve({ records: part.records ?? [], problems: [] }) },
    rpc: node.client(),
    service: undefined,
    nowMs: () => 1_000,
    clock,
    ...part,
  });
  const at = (transactions: Readonly<Record<string, Row>>) => ({
    getTransaction: {
      byParams: ([signature]: readonly unknown[]) =>
        typeof signature === 'string' && transactions[signature] !== undefined
          ? transaction(signature, transactions[signature])
          : { result: null },
    },
  });
  const service = (
    amounts: readonly (bigint | undefined)[],
  ): { readonly service: Pick<LiquidityService, 'tokenBalances'>; readonly asked: () => number } => {
    let asked = 0;
    return {
      asked: () => asked,
      service: {
        tokenBalances: ({ mints }) => {
          assert.deepEqual(mints, [WRAPPED_SOL_MINT]);
          const amountRaw = amounts[Math.min(asked, amounts.length - 1)];
          asked += 1;
          return amountRaw === undefined
            ? Promise.reject(new Error('down'))
            : Promise.resolve({
                items: [{ mint: WRAPPED_SOL_MINT, symbol: 'SOL', decimals: 9, amountRaw, amountText: '', priceUsd: 150 }],
                warnings: [],
              });
        },
      },
    };
  };

  it("The extension measures the changes of the operation's transactions, independent of other changes in the wallet", async () => {
    node.willAnswer({
      ...at({
        one: {
          before: 1_000_000,
          after: 901_000_000,
          tokens: [
            { mint: MINT, before: '5', after: '105' },
            { mint: WRAPPED_SOL_MINT, owner: OTHER_OWNER, after: '9' },
          ],
        },
        two: { before: 950_000_000, after: 949_995_000, tokens: [{ mint: MINT, before: '105', after: '5' }] },
      }),
    });
    const other = sent({ id: 'other', atMs: 500 });
    assert.deepEqual(
      await measured(sent({ lamportsBefore: undefined }), by({ records: [other] }), { landed: 'all', patienceMs: 0, signal: never }),
      { lamports: 899_995_000n, tokens: new Map(), from: 'transactions' },
    );
  });

  it('The extension waits for a transaction that the node does not have yet', async () => {
    const known: Record<string, Row> = { one: { before: 0, after: 100 } };
    node.willAnswer(at(known));
    const measuring = measured(sent(), by(), { landed: 'all', patienceMs: 2_000, signal: never });
    await until(() => clock.timers === 1);
    known['two'] = { before: 0, after: 10, tokens: [{ mint: MINT, after: '3' }] };
    await clock.advance(500);
    assert.deepEqual(await measuring, { lamports: 110n, tokens: new Map([[MINT, 3n]]), from: 'transactions' });
    assert.deepEqual(
      node.received.map(({ params }) => params[0]),
      ['one', 'two', 'two'],
      'what is known is not asked again',
    );
  });

  it('The extension counts the landed transactions of an incomplete operation and the fees of failed ones', async () => {
    node.willAnswer(at({ one: { before: 0, after: 100 }, two: { before: 100, after: 95, err: 'x' } }));
    assert.equal((await measured(sent(), by(), { landed: 1, patienceMs: 0, signal: never }))?.lamports, 95n);
    node.willAnswer(at({ two: { before: 100, after: 95, err: 'x' } }));
    assert.equal(
      await measured(sent(), by(), { landed: 1, patienceMs: 0, signal: never }),
      undefined,
      'a failed one is not the one that landed',
    );
  });

  it('With an RPC, only its transactions measure: no difference of balances takes their place', async () => {
    const worthOne = sent({ balanceFrom: 'service', valueNative: '1' });
    const of = service([BEFORE + 1_000_000_000n]);
    const measure = (patienceMs: number) => measured(worthOne, by({ service: of.service }), { landed: 'all', patienceMs, signal: never });
    node.willAnswer(at({}));
    assert.equal(await measure(0), undefined, 'the node has none of them');
    node.willAnswer({ getTransaction: (response) => response.writeHead(500).end() });
    const measuring = measure(60_000);
    for (let pauses = 0; pauses < 2; pauses += 1) {
      await until(() => clock.timers === 1);
      await clock.advance(500);
    }
    assert.equal(await measuring, undefined, 'the node fails three times in a row');
    assert.equal(of.asked(), 0);
  });

  it('Closing an account of wrapped SOL with other money in it adds nothing to the proceeds', async () => {
    node.willAnswer(
      at({ one: { before: 1_000_000_000, after: 10_200_300_000, tokens: [{ mint: WRAPPED_SOL_MINT, before: '36100000' }] } }),
    );
    const zapOut = sent({ signatures: ['one'] });
    const change = await measured(zapOut, by(), { landed: 'all', patienceMs: 0, signal: never });
    assert.equal(lamportsBackOf(zapOut, change), 9_200_300_000n - 36_100_000n);
  });

  describe('by the balance of the service', () => {
    const worthOne = sent({ balanceFrom: 'service', valueNative: '1' });
    async function measuring(
      record: OperationRecord,
      amounts: readonly (bigint | undefined)[],
      patienceMs = 30_000,
      part: Parameters<typeof by>[0] = {},
    ): Promise<{ readonly change: bigint | undefined; readonly asked: number }> {
      const of = service(amounts);
      const running = measured(record, by({ rpc: undefined, service: of.service, ...part }), { landed: 'all', patienceMs, signal: never });
      return { change: (await goingOn(clock, 4_000, running))?.lamports, asked: of.asked() };
    }

    it('The extension polls the service until a change shows and a second answer confirms it', async () => {
      const all = BEFORE + 1_057_000_000n;
      assert.deepEqual(await measuring(worthOne, [BEFORE, undefined, BEFORE + 700_000_000n, all, all]), {
        change: 1_057_000_000n,
        asked: 5,
      });
    });

    it('The extension rejects a change that cannot be the proceeds of that position', async () => {
      for (const shown of [0n, 499_999_999n, 5_000_000_000n, -1n]) {
        assert.equal((await measuring(worthOne, [BEFORE + shown])).change, undefined, String(shown));
      }
      assert.equal(
        (await measuring(sent({ balanceFrom: 'service' }), [BEFORE + 1_000_000_000n])).change,
        undefined,
        'its worth is not known',
      );
      assert.equal(
        (await measuring(sent({ balanceFrom: 'service', valueNative: '4', shareBps: 2_500 }), [BEFORE + 1_000_000_000n])).change,
        1_000_000_000n,
      );
    });

    it('The extension does not measure by a balance that is old, unknown before, from an RPC, or affected by other operations', async () => {
      const more = [BEFORE + 1_000_000_000n];
      const change = async (record: OperationRecord, part: Parameters<typeof by>[0] = {}) =>
        (await measuring(record, more, 30_000, part)).change;
      const out = (part: Sent) => sent({ balanceFrom: 'service', valueNative: '1', ...part });
      const other = sent({ id: 'other', atMs: 500 });
      assert.equal(await change(worthOne, { records: [other] }), undefined);
      assert.equal(await change(out({ atMs: 600 }), { records: [other] }), 1_000_000_000n, 'it was over before');
      assert.equal(await change(worthOne, { records: [worthOne] }), 1_000_000_000n, 'itself does not count');
      assert.equal(await change(worthOne, { journal: { read: () => Promise.reject(new Error('gone')) } }), undefined);
      assert.equal(await change(worthOne, { nowMs: () => 600_000 }), undefined);
      assert.equal(await change(out({ atMs: 2_000 })), undefined, 'a clock that was set back');
      assert.equal(await change(out({ lamportsBefore: undefined })), undefined);
      assert.equal(await change(sent({ valueNative: '1' })), undefined, 'a balance by an RPC is not compared with one by the service');
      assert.equal(await change(sent({ balanceFrom: 'service', created: zapInCreated(0) })), undefined);
    });

    it('The extension stops polling after a bounded time and at once on cancellation', async () => {
      assert.equal((await measuring(worthOne, [BEFORE], 12_000)).asked, 4);
      const of = service([BEFORE]);
      const abort = new AbortController();
      const running = measured(worthOne, by({ rpc: undefined, service: of.service }), {
        landed: 'all',
        patienceMs: 30_000,
        signal: abort.signal,
      });
      await until(() => clock.timers === 1);
      abort.abort();
      assert.equal(await running, undefined);
      assert.equal(clock.timers, 0);
    });
  });

  it('The extension reads the balance of the service, or none', async () => {
    assert.equal(await balanceOf(OWNER, service([8n]).service), 8n);
    assert.equal(await balanceOf(OWNER, service([undefined]).service), undefined);
    assert.equal(await balanceOf(OWNER, undefined), undefined);
  });

  it('The extension reports returned SOL only for a zap-out with proceeds, plain and wrapped together', () => {
    const change = (lamports: bigint, wrapped = 0n) => ({ lamports, tokens: new Map([[WRAPPED_SOL_MINT, wrapped]]) });
    assert.deepEqual(
      [
        lamportsBackOf(sent(), change(5n)),
        lamportsBackOf(sent(), change(5n, 2n)),
        lamportsBackOf(sent(), change(5n, -2n)),
        lamportsBackOf(sent(), change(5n, -5n)),
        lamportsBackOf(sent(), change(-5n)),
        lamportsBackOf(sent(), undefined),
        lamportsBackOf(sent({ created: zapInCreated(0) }), change(5n)),
      ],
      [5n, 7n, 3n, undefined, undefined, undefined, undefined],
    );
  });

  it('Recorded proceeds are proven by the changes of the transactions, also in journals that left wrapped SOL out', () => {
    const settled = (changes?: { readonly lamports: bigint; readonly tokens: readonly { mint: typeof MINT; changeRaw: bigint }[] }) =>
      recordOf('this', [...sent().events, { atMs: 1, kind: 'settled', lamportsBack: 9n, shortfall: undefined, changes }]);
    assert.deepEqual(recordedProceeds(settled()), { lamportsBack: 9n, isProven: false });
    assert.deepEqual(recordedProceeds(settled({ lamports: 9n, tokens: [{ mint: WRAPPED_SOL_MINT, changeRaw: -4n }] })), {
      lamportsBack: 5n,
      isProven: true,
    });
  });

  it('The measured changes add up to the difference in the wallet for every split into transactions', () => {
    const step = fc.record({ lamports: fc.bigInt({ min: 0n, max: 2n ** 60n }), token: fc.bigInt({ min: 0n, max: 2n ** 60n }) });
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 8 }), (states) => {
        const transactions = states.slice(1).map((to, index): LandedTransaction => {
          const from = states[index] ?? to;
          return {
            slot: 1n,
            error: undefined,
            feeLamports: 0n,
            lamports: [
              { address: POOL, before: 5n, after: 9n },
              { address: OWNER, before: from.lamports, after: to.lamports },
            ],
            tokens: [{ account: POOL, mint: MINT, owner: OWNER, beforeRaw: from.token, afterRaw: to.token }],
          };
        });
        const [first, last] = [states[0] ?? assert.fail(), states.at(-1) ?? assert.fail()];
        const { lamports, tokens } = changesOf(transactions, OWNER);
        assert.equal(lamports, last.lamports - first.lamports);
        assert.equal(tokens.get(MINT) ?? 0n, last.token - first.token);
      }),
    );
  });

  it('The extension tolerates an RPC that throws any error', async () => {
    const rpc = new Proxy({ name: 'x' } as SolanaRpc, { get: () => () => Promise.reject(new Error('no')) });
    assert.equal(await measured(sent(), by({ rpc }), { landed: 'all', patienceMs: 0, signal: never }), undefined);
  });
});
