import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { PoolInfo } from '../../../src/service/poolInfo';
import type { Pool } from '../../../src/service/pools';
import { askPlannedZapIn } from '../../../src/ui/zap/plannedZapIn';
import type { ZapInChoices } from '../../../src/ui/zap/zapInDialog';
import { targetOfPool } from '../../../src/ui/zap/zapInDraft';
import { unusualSlippage } from '../../../src/ui/zap/slippage';
import { planCommands } from '../../../src/ui/zap/zapCommands';
import { warningsOf } from '../../../src/ui/zap/zapInMessages';
import type { CommandTarget } from '../../../src/ui/shell/commands/runCommand';
import { UserError } from '../../../src/ui/shell/errors';
import type { Plan } from '../../../src/protocol/pool';
import { LAMPORTS_PER_SOL, WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { ScriptedPrompts, type ScriptedAnswer } from '../../support/editor/scriptedPrompts';
import { addressOf, pool } from '../../support/portfolio/fixtures';

const ACTIVE = -350;
const OWNER = addressOf(9);
const POOLS = [pool(1), pool(2, { poolType: 'dammV2' })];
const PLAN: Plan = {
  range: { fromBinId: -370, toBinId: -340 },
  activeBinId: ACTIVE,
  strategy: 'Curve',
  amountLamports: '500000000',
  percentX: 0.4,
  slippageBps: 250,
};

const INFO: PoolInfo = {
  poolType: 'dlmm',
  protocol: 'meteora',
  tokens: [],
  amountX: undefined,
  amountY: undefined,
  fees: { basePercent: undefined, maxPercent: undefined, protocolPercent: undefined, dynamicPercent: undefined },
  activeBin: { binId: ACTIVE, price: 0.5 },
  bins: [],
  feeStats: [],
  statistics: {},
};

interface World {
  readonly pool?: Pool['address'];
  readonly activeBinId?: number | undefined;
  readonly info?: Partial<PoolInfo>;
  readonly lamports?: bigint;
  readonly isProposal?: boolean;
}

async function ask(
  plan: unknown,
  answers: readonly ScriptedAnswer[],
  { pool: address = pool(1).address, info, lamports = 10n * LAMPORTS_PER_SOL, isProposal }: World = {},
): Promise<{ readonly choices: ZapInChoices | undefined; readonly prompts: ScriptedPrompts }> {
  const prompts = new ScriptedPrompts(answers);
  const choices = await askPlannedZapIn(
    { pool: address, plan, owner: OWNER, isProposal },
    {
      prompts,
      pools: POOLS,
      changePlan: () => Promise.resolve(),
      readBalances: () =>
        Promise.resolve([{ mint: WRAPPED_SOL_MINT, symbol: 'SOL', decimals: 9, amountRaw: lamports, amountText: '0', priceUsd: 100 }]),
      readPoolInfo: () => Promise.resolve({ ...INFO, ...info }),
    },
  );
  prompts.assertDone();
  return { choices, prompts };
}

const at = (binId: number): World => ({ info: { activeBin: { binId, price: 0.5 } } });
const textOf = (prompts: ScriptedPrompts): string => prompts.asked.map(({ title, text }) => `${title}\n${text}`).join('\n');

describe('Continuing a plan', () => {
  it('A plan of an assistant is asked about as such, with all values, and declining is preselected', async () => {
    const { choices, prompts } = await ask(PLAN, [{ press: 'Continue to Review' }], { isProposal: true });
    assert.equal(choices?.inputLamports, 500_000_000n);
    const [asked] = prompts.asked;
    assert.equal(asked?.title, 'Proposed by an assistant: Zap 0.5 SOL into P1/SOL?');
    assert.deepEqual(asked.shown, ['Decline', 'Continue to Review', 'Change…']);
    assert.match(asked.text, /Max slippage: 2\.5%\nWallet: .+\nWallet balance: .+\n\nYou did not start this\./);
    assert.equal((await ask(PLAN, [{ press: 'Decline' }], { isProposal: true })).choices, undefined);
    const short = await ask(PLAN, [{ press: 'Decline' }], { isProposal: true, lamports: 1n });
    assert.deepEqual(short.prompts.asked[0]?.shown, ['Decline', 'Change…']);
  });

  it('Continuing a plan yields the planned choices without a question before the confirmation', async () => {
    const { choices, prompts } = await ask(PLAN, []);
    assert.deepEqual(choices, {
      target: targetOfPool(pool(1)),
      inputLamports: 500_000_000n,
      tokens: undefined,
      percentX: 0.4,
      slippageBps: 250,
      solUsd: 100,
      bins: { strategy: 'Curve', range: { fromBinId: -370, toBinId: -340 }, activeBin: { binId: ACTIVE, price: 0.5 } },
    });
    assert.deepEqual(prompts.asked, []);
  });

  it('Cancelling a plan that the wallet cannot pay ends it without choices', async () => {
    const poor: World = { lamports: LAMPORTS_PER_SOL / 10n };
    assert.equal((await ask(PLAN, ['escape'], poor)).choices, undefined);
    assert.equal((await ask(PLAN, [{ press: 'Change…' }], { lamports: LAMPORTS_PER_SOL / 5n })).choices, undefined);
  });

  it('The confirmation says that the price has moved, and a plan out of range deposits one token', async () => {
    const within = await ask(PLAN, [], at(-345));
    assert.deepEqual(within.choices?.warnings, ['The price has moved since you planned: +5.1%.']);
    assert.equal(within.choices.percentX, 0.4);
    const above = (await ask(PLAN, [], at(-300))).choices;
    assert.ok(above);
    assert.match(warningsOf(above).join('\n'), /It is now outside the range\.\nBelow the price: holds only SOL and earns no fees until/);
    assert.equal(above.percentX, 0);
    const below = (await ask(PLAN, [], at(-400))).choices;
    assert.ok(below);
    assert.match(warningsOf(below).join('\n'), /holds only P1/);
    assert.equal(below.percentX, 1);
  });

  it('A range that the price has entered is split between both tokens by its bins', async () => {
    const oneSided: Plan = { ...PLAN, range: { fromBinId: -349, toBinId: -330 }, percentX: 1 };
    assert.equal((await ask(oneSided, [])).choices?.percentX, 1);
    const { choices } = await ask(oneSided, [], at(-340));
    assert.match(choices?.warnings?.join('\n') ?? '', /It is now within the range, which takes both tokens/);
    assert.ok(choices !== undefined && choices.percentX > 0.4 && choices.percentX < 0.6, `${choices?.percentX}`);
  });

  it('A plan above the balance cannot continue and can only be changed', async () => {
    for (const [amountLamports, lamports] of [
      ['9900000001', 10n * LAMPORTS_PER_SOL],
      ['1', 0n],
      ['9'.repeat(40), 10n * LAMPORTS_PER_SOL],
    ] as const) {
      const { prompts } = await ask({ ...PLAN, amountLamports }, ['escape'], { lamports });
      assert.deepEqual(prompts.asked[0]?.shown, ['Change…']);
      assert.match(textOf(prompts), /is kept for rent and fees\.\nWallet: /m);
    }
    assert.deepEqual((await ask({ ...PLAN, amountLamports: '9900000000' }, [])).prompts.asked, []);
  });

  it('A price that moved by less than half of the slippage tolerance heads no question, unless the range then takes other tokens', async () => {
    // A bin is 1%.
    const warningsAt = async (slippageBps: number, binId: number) =>
      (await ask({ ...PLAN, slippageBps }, [], at(binId))).choices?.warnings ?? [];
    assert.deepEqual(await warningsAt(201, -349), []);
    assert.deepEqual(await warningsAt(200, -349), ['The price has moved since you planned: +1%.']);
    assert.deepEqual(await warningsAt(300, -351), []);
    const [left] = await warningsAt(10_000, -300);
    assert.match(left ?? '', /^The price has moved since you planned: \+64\.46%\. It is now outside the range\.$/);
  });

  it('A plan of an assistant without an amount cannot continue as it is', async () => {
    const { prompts } = await ask({ ...PLAN, amountLamports: undefined }, ['escape'], { isProposal: true });
    assert.deepEqual(prompts.asked[0]?.shown, ['Decline', 'Change…']);
    assert.match(prompts.asked[0].text, /The amount must be more than 0\./);
  });

  it('A plan works in pools without bins and in unlisted pools', async () => {
    const unranged: Plan = { ...PLAN, range: undefined, activeBinId: undefined };
    const product = await ask(unranged, [], { pool: pool(2).address, info: { poolType: 'dammV2', activeBin: undefined } });
    assert.deepEqual([product.choices?.bins, product.choices?.percentX], [undefined, 0.5]);
    const unlisted = await ask(PLAN, [], { pool: addressOf(77) });
    assert.equal(unlisted.choices?.target.pool, addressOf(77));
  });

  it('A plan with an impossible range or one that does not fit the pool is refused', async () => {
    const refused = async (plan: unknown, words: RegExp, world: World = {}): Promise<void> => {
      await assert.rejects(ask(plan, [], world), (error) => error instanceof UserError && words.test(error.message));
    };
    await refused({ ...PLAN, range: { fromBinId: -300, toBinId: -400 } }, /lower bin comes first/);
    await refused({ ...PLAN, range: { fromBinId: -1_000, toBinId: 400 } }, /holds at most 1400/);
    await refused({ ...PLAN, range: { fromBinId: 2_000_000, toBinId: 2_000_001 } }, /whole number from/);
    await refused({ ...PLAN, range: undefined }, /plan cannot be used/);
    await refused({ ...PLAN, amountLamports: '0' }, /plan cannot be used/);
    await refused(PLAN, /plan cannot be used/, { pool: pool(2).address, info: { poolType: 'dammV2' } });
    await refused(PLAN, /active bin/, { info: { activeBin: undefined } });
    await refused(PLAN, /does not know this type of pool and signs nothing for it/, { pool: addressOf(77), info: { poolType: 'other' } });
  });

  it('Anything that is not a plan is refused with a message and without questions', async () => {
    const hostile: readonly unknown[] = [
      ...[undefined, null, 1, 'plan', [], {}, () => PLAN, new Proxy({}, { get: () => 1 })],
      ...[-1, 1.01, NaN, '0.5', null].map((percentX) => ({ ...PLAN, percentX })),
      ...[-1, 10_001, 1.5, '100', undefined].map((slippageBps) => ({ ...PLAN, slippageBps })),
      ...['-1', '1e9', '0x10', '1.5', '', '9'.repeat(41), 5, 5n, null].map((amountLamports) => ({ ...PLAN, amountLamports })),
      ...[{ fromBinId: 0.5, toBinId: 1 }, { fromBinId: 'a', toBinId: 1 }, { fromBinId: -1e300, toBinId: 1 }, [1, 2], null].map((range) => ({
        ...PLAN,
        range,
      })),
      ...['spot', '', null, 'constructor'].map((strategy) => ({ ...PLAN, strategy })),
    ];
    for (const plan of hostile) {
      await assert.rejects(
        ask(plan, []),
        (error) => error instanceof UserError && /plan cannot be used/.test(error.message),
        JSON.stringify(plan, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
      );
    }
    await fc.assert(
      fc.asyncProperty(fc.anything(), async (plan) => {
        await assert.rejects(ask(plan, []), UserError);
      }),
      { numRuns: 50 },
    );
  });

  it('A plan passes on no additional fields', async () => {
    const { choices } = await ask({ ...PLAN, owner: addressOf(66), pool: addressOf(67), inputLamports: 9n, tokens: {}, target: {} }, []);
    assert.deepEqual(choices, (await ask(PLAN, [])).choices);
  });

  it('The confirmation warns of a high slippage tolerance and of none', () => {
    assert.deepEqual([10_000, 0, 500].map(unusualSlippage), [
      ['Max slippage: 100%: high slippage. You could get a price 100% worse.'],
      ['Max slippage: 0%: the trade fails as soon as the price moves.'],
      [],
    ]);
  });

  it('Continuing a plan twice runs it once, also while it waits for confirmation, and only one plan runs at a time', async () => {
    const prompts = new ScriptedPrompts();
    const infos: (() => void)[] = [];
    const service = {
      poolInfo: () => new Promise((resolve) => infos.push(() => resolve(INFO))),
      tokenBalances: () =>
        Promise.resolve({
          items: [
            { mint: WRAPPED_SOL_MINT, symbol: 'SOL', decimals: 9, amountRaw: 10n * LAMPORTS_PER_SOL, amountText: '10', priceUsd: 100 },
          ],
          warnings: [],
        }),
    };
    const owners = { active: () => ({ address: OWNER, canSign: true }) };
    const ends: (() => void)[] = [];
    const runner = () => Promise.resolve({ zapIn: () => new Promise<void>((resolve) => ends.push(resolve)) });
    const answered = async (questions: (() => void)[]): Promise<void> => {
      while (questions.length === 0) {
        await new Promise(setImmediate);
      }
    };
    const dependencies = {
      prompts,
      owners,
      service: () => ({ kind: 'sandbox' }),
      isInBrowser: false,
      portfolio: { snapshot: { pools: POOLS, positions: [] } },
      busy: {},
      runner,
      connect: () => Promise.resolve(service),
      waiting: { nowMs: () => 0, log: () => undefined },
      slippageBps: () => 100,
    };
    const command = planCommands(dependencies as unknown as Parameters<typeof planCommands>[0])['binsight.continuePlan'];
    const run = (plan: Plan, number = 1): Promise<void> => command({ kind: 'plan', pool: pool(number).address, plan });
    const first = run(PLAN);
    await run({ ...PLAN });
    await assert.rejects(run({ ...PLAN, amountLamports: '1' }), /Another operation is in progress/);
    await answered(infos);
    infos.splice(0).forEach((answer) => answer());
    await answered(ends);
    // The confirmation is open.
    await run({ ...PLAN });
    await assert.rejects(run(PLAN, 2), /Another operation is in progress/);
    assert.equal(ends.length, 1);
    ends.splice(0).forEach((end) => end());
    await first;
    assert.deepEqual([prompts.asked.length, infos.length], [0, 0]);
    const again = run(PLAN);
    await answered(infos);
    infos.splice(0).forEach((answer) => answer());
    await answered(ends);
    ends.splice(0).forEach((end) => end());
    await again;
    prompts.assertDone();
  });

  it('Continuing is refused without a plan and for a wallet that cannot sign', async () => {
    const run = (target: CommandTarget | undefined, canSign: boolean): Promise<void> => {
      const never = (): never => {
        throw new Error('Nothing more is asked for');
      };
      const owners = { active: () => ({ address: OWNER, canSign }) };
      const dependencies = {
        prompts: new ScriptedPrompts(),
        owners,
        service: () => ({ kind: 'sandbox' }),
        isInBrowser: false,
        portfolio: { snapshot: { pools: POOLS, positions: [] } },
        busy: {},
        runner: never,
        connect: never,
        slippageBps: () => 100,
      };
      return planCommands(dependencies as unknown as Parameters<typeof planCommands>[0])['binsight.continuePlan'](target);
    };
    await assert.rejects(run(undefined, true), /This plan cannot be used/);
    await assert.rejects(run({ kind: 'pool', address: pool(1).address }, true), /This plan cannot be used/);
    await assert.rejects(run({ kind: 'plan', pool: pool(1).address, plan: PLAN }, false), /watch-only/);
    await assert.rejects(run({ kind: 'plan', pool: pool(1).address, plan: {} }, true), /plan cannot be used/);
  });
});
