import { told } from '../../../src/base/reasons/reason';
import assert from 'node:assert/strict';
import type { TokenBalance } from '../../../src/service/tokens';
import { RequestBudget } from '../../../src/service/budget/requestBudget';
import type { LiquidityService } from '../../../src/service/service';
import { BusyPositions } from '../../../src/ui/shell/busyPositions';
import { RebalanceRunner, type RebalanceRunnerDependencies } from '../../../src/ui/rebalance/rebalanceRunner';
import type { RebalanceApproval } from '../../../src/ui/rebalance/request';
import { readServiceChoice } from '../../../src/ui/shell/serviceChoice';
import { lamportsToSol } from '../../../src/base/solana/amounts';
import { WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { ScriptedPrompts, type ScriptedAnswer } from '../../support/editor/scriptedPrompts';
import { bench, goingOn, openWindow, realSigner, thePosition, type Bench } from '../../support/transactions/harness';
import { zapOutCreated, type Created } from '../../support/transactions/records';
import { NO_SPENDS } from '../../../src/review/spends';
import type { OperationJournal } from '../../../src/transactions/journal/types';
import { OWNER, POSITION } from '../../support/review/bundles';
import { fail, NO_PROBLEMS } from '../../support/ui/memory';

const REAL = readServiceChoice('https://example.org/v1');
const TERMS = { halfWidthBins: 34, strategy: undefined, slippageBps: 300, reserveLamports: 0n };
const noAction = () => Promise.reject(new Error('nothing is shown'));

/** A runner over a real portfolio, review, wallet and journal, whose user answers so. */
async function runnerWith(
  answers: readonly ScriptedAnswer[],
  presses: Readonly<Record<string, string>> = {},
  given?: Bench,
  part: Partial<RebalanceRunnerDependencies> = {},
) {
  const operations = given ?? (await bench());
  const { dependencies, portfolio, clock } = operations;
  const prompts = new ScriptedPrompts(answers, presses);
  const busy = new BusyPositions(fail);
  const commands: string[] = [];
  const told: string[] = [];
  const runner = new RebalanceRunner({
    prompts,
    portfolio,
    busy,
    log: () => undefined,
    serviceInUse: () => REAL,
    reentryOffered: (id) => told.push(id),
    actions: {
      copy: noAction,
      openExternal: noAction,
      showDocument: noAction,
      saveText: noAction,
      focusPositions: noAction,
      focusActivity: noAction,
      showLog: () => undefined,
    },
    command: (id, argument) => Promise.resolve(void commands.push(`${id} ${JSON.stringify(argument)}`)),
    service: () => Promise.resolve(dependencies.service),
    rpc: () => Promise.resolve(undefined),
    policy: () => ({}),
    isSimulating: () => true,
    signer: () => Promise.resolve(realSigner(clock)),
    nowMs: dependencies.nowMs,
    records: { journal: () => Promise.resolve(dependencies.journal), locks: () => Promise.resolve(dependencies.locks) },
    problems: NO_PROBLEMS,
    began: () => undefined,
    leftOpen: () => undefined,
    ...part,
  });
  return { runner, prompts, busy, commands, told, bench: operations };
}

const REQUEST = { position: thePosition(), owner: OWNER, terms: TERMS, consent: { kind: 'ask' } } as const;

/** Leaves an operation in the journal of which one of two transactions landed. */
async function leaveHalfDone(journal: OperationJournal, created: Created): Promise<string> {
  const entry = await journal.begin(created);
  await entry.append({
    kind: 'built',
    position: POSITION,
    transactions: 2,
    messageHashes: [],
    blockhashes: ['gone'],
    lastValidBlockHeight: 1,
  });
  await entry.append({ kind: 'reviewed', verdict: 'allow', rules: [] });
  await entry.append({ kind: 'approved', by: 'user' });
  await entry.append({ kind: 'signed', signatures: ['one', 'two'], spends: NO_SPENDS });
  await entry.append({ kind: 'submitted', lamportsBefore: undefined });
  await entry.append({ kind: 'failed', reason: told('half'), landedTransactions: 1 });
  return entry.id;
}

function byRules(): { readonly consent: RebalanceApproval; readonly heldBack: string[]; signers: number } {
  const rig = { heldBack: [] as string[], signers: 0 };
  const consent: RebalanceApproval = {
    kind: 'rules',
    heldBack: (words) => rig.heldBack.push(words),
    signer: () => {
      rig.signers += 1;
      return Promise.resolve(realSigner());
    },
  };
  return Object.assign(rig, { consent });
}

describe('A rebalance from the editor', () => {
  it('A declined rebalance ends in the journal with nothing sent', async () => {
    const { runner, prompts, bench: rig } = await runnerWith(['escape']);
    assert.equal((await runner.rebalance(REQUEST)).kind, 'declined');
    assert.match(prompts.notices[0]?.message ?? '', /^Rebalance .+: canceled\. Nothing was signed\.$/);
    assert.equal(rig.trace.landings.length, 0);
    const { records } = await openWindow(rig.storage, rig.dependencies.nowMs).journal.read();
    assert.deepEqual(records.map(({ created, state }) => `${created.operation} ${state}`).sort(), [
      'rebalance abandoned',
      'zapOut abandoned',
    ]);
    assert.equal(
      prompts.notices[0]?.operation,
      records.find(({ created }) => created.operation === 'rebalance')?.id,
      'Details opens the document of the rebalance',
    );
  });

  describe("A rebalance that waits for the service's request limit", () => {
    /** A budget whose service has just answered 429 and asked to wait 40 s. */
    async function refused(rig: Bench): Promise<RequestBudget> {
      const budget = new RequestBudget(rig.clock);
      const admission = await budget.admit('user');
      assert.ok(admission.kind === 'turn');
      admission.turn.answered({ status: 429, retryAfterMs: 40_000, header: () => null });
      return budget;
    }

    it('The progress counts down the wait for the request limit, and the question states the duration', async () => {
      const rig = await bench();
      const budget = await refused(rig);
      const { runner, prompts } = await runnerWith(['escape'], {}, rig, { budget: () => budget, clock: rig.clock });
      const running = goingOn(rig.clock, 1_000, runner.rebalance(REQUEST));
      assert.equal((await running).kind, 'declined');
      const waited = prompts.progressed.filter((words) => words.includes('request limit of your plan'));
      assert.match(waited[0] ?? '', /^Waiting 40 s for the request limit of your plan\./);
      assert.match(waited.at(-1) ?? '', /^Waiting [12] s for the request limit of your plan\./);
      assert.equal(rig.trace.builds.length, 1);
      assert.match(JSON.stringify(prompts.asked), /Duration: at least 2 minutes/);
      prompts.assertDone();
    });

    it('Cancelling the wait for the request limit ends it at once, with nothing requested or sent', async () => {
      const rig = await bench();
      const budget = await refused(rig);
      const { runner, prompts } = await runnerWith([], { 'request limit': 'Cancel' }, rig, { budget: () => budget, clock: rig.clock });
      assert.equal((await runner.rebalance(REQUEST)).kind, 'declined');
      assert.match(prompts.notices[0]?.message ?? '', /: canceled\. Nothing was signed\.$/);
      assert.equal(rig.trace.builds.length, 0);
      assert.equal(rig.clock.timers, 0);
    });
  });

  it('A rebalance does not start on a busy position', async () => {
    const { runner, busy, bench: rig } = await runnerWith([]);
    await busy.during(REQUEST.position.key, async () => {
      await assert.rejects(runner.rebalance(REQUEST), /^UserError: Another operation is in progress/);
      await assert.rejects(runner.close({ ...REQUEST, slippageBps: 300 }), /^UserError/);
    });
    assert.equal(rig.trace.builds.length, 0);
  });

  it('The rebalance shows no notification if the caller shows one', async () => {
    const { runner, prompts } = await runnerWith(['escape']);
    await runner.rebalance({ ...REQUEST, showsResult: false });
    assert.deepEqual(prompts.notices, []);
  });

  it('A rebalance can be cancelled by the program before anything is signed', async () => {
    const stop = new AbortController();
    stop.abort();
    const { runner, bench: rig } = await runnerWith([]);
    assert.equal((await runner.rebalance({ ...REQUEST, cancelled: stop.signal })).kind, 'declined');
    assert.equal(rig.trace.builds.length, 0);
  });
});

describe('Closing a position by the rules', () => {
  it('Closing by the rules signs clean transactions with the signer of the rules, without a question', async () => {
    const rules = byRules();
    const { runner, prompts, bench: rig } = await runnerWith([], {}, undefined, { signer: () => fail(new Error('the user is asked')) });
    const result = await runner.close({ ...REQUEST, consent: rules.consent, slippageBps: 300, lead: 'Auto-rebalance' });
    assert.deepEqual([result.kind, rules.signers, rules.heldBack, prompts.asked], ['settled', 1, [], []]);
    assert.equal(rig.trace.landings.length, 1);
    const { records } = await openWindow(rig.storage, rig.dependencies.nowMs).journal.read();
    assert.ok(records[0]?.events.some((event) => event.kind === 'approved' && event.by === 'automation'));
  });

  it('The progress of a close shows its place in the list and mentions a decision only if the user is asked', async () => {
    for (const [consent, answers] of [
      [byRules().consent, []],
      [{ kind: 'ask' }, [{ press: 'Sign and Send' }]],
    ] as const) {
      const shown: string[] = [];
      const { runner } = await runnerWith(answers, {}, undefined, { log: (_, line) => shown.push(line) });
      await runner.close({ ...REQUEST, consent, slippageBps: 300, place: '2 of 3', showsResult: false });
      const steps = shown.filter((line) => line.startsWith('Zap out 100% of BONK/SOL (2 of 3): ') && line.endsWith('…'));
      assert.ok(steps.length >= 4, shown.join('\n'));
      assert.equal(
        steps.some((line) => line.endsWith(': waiting for your decision…')),
        consent.kind === 'ask',
      );
    }
  });

  it('Closing by the rules does not sign transactions with findings and reports the reason', async () => {
    const rules = byRules();
    const {
      runner,
      prompts,
      bench: rig,
    } = await runnerWith([], {}, undefined, { policy: () => ({ tipAllowLamports: 0n, feeAllowLamports: 0n }) });
    assert.equal((await runner.close({ ...REQUEST, consent: rules.consent, slippageBps: 300, showsResult: false })).kind, 'declined');
    assert.deepEqual([rules.signers, rig.trace.landings.length, prompts.asked.length, prompts.notices.length], [0, 0, 0, 0]);
    assert.match(rules.heldBack.join(), /^Zap Out: not signed\. The review found: /);
  });
});

describe('Max slippage in the question that signs', () => {
  const HIGH = 5_000;
  const WARNING = /Max slippage: 50%: high slippage\. You could get a price 50% worse\./;

  it('The question about closing a position warns of high slippage', async () => {
    const { runner, prompts } = await runnerWith(['escape']);
    await runner.close({ ...REQUEST, slippageBps: HIGH });
    assert.match(prompts.asked[0]?.text ?? '', WARNING);
  });

  for (const isAgain of [false, true]) {
    it(`The question about the rest of a zap-out${isAgain ? ', tried again,' : ''} warns of high slippage and names what is received`, async () => {
      const silent = () => Promise.reject(new Error('The service does not answer'));
      const rig = await bench({ service: { poolInfo: silent, tokenBalances: silent } });
      const created = zapOutCreated(0);
      assert.ok(created.plan.kind === 'zapOut');
      const id = await leaveHalfDone(rig.dependencies.journal, {
        ...created,
        service: REAL.id ?? REAL.name,
        plan: { ...created.plan, slippageBps: HIGH },
      });
      const { runner, prompts } = await runnerWith([{ press: 'Continue' }, 'escape'], {}, rig);
      await runner.complete(id, OWNER, isAgain);
      prompts.assertDone();
      const [, signing] = prompts.asked;
      assert.equal(signing?.title, 'Zap out the rest of MINT/SOL?');
      assert.match(signing.text, WARNING);
      assert.match(signing.text, /You get: .*SOL/);
      assert.equal(signing.text.includes('The first attempt did not land and no longer can.'), isAgain);
    });
  }
});

describe('A rebalance that stops after the zap-out', () => {
  /** Without an RPC it is measured by what the service says is in the wallet: more, once the position is closed. */
  async function stopped(press: string, part: Partial<RebalanceRunnerDependencies> = {}) {
    const rig = await bench();
    const balance = (): TokenBalance => {
      const lamports = rig.listed.length > 0 ? 1_000_000_000n : 1_700_000_000n;
      return {
        mint: WRAPPED_SOL_MINT,
        symbol: 'SOL',
        decimals: 9,
        amountRaw: lamports,
        amountText: lamportsToSol(lamports),
        priceUsd: 150,
      };
    };
    const service: LiquidityService = {
      ...rig.dependencies.service,
      tokenBalances: () => Promise.resolve({ items: [balance()], warnings: [] }),
    };
    return runnerWith([{ press: 'Sign and Send' }], { 'stopped after the zap-out': press }, rig, {
      ...part,
      service: () => Promise.resolve(service),
    });
  }

  it('A rebalance without re-entry is left open, and its end is shown by the window in which the user declines', async () => {
    const begun: string[] = [];
    const leftOpen: string[] = [];
    const { runner } = await stopped('', { began: (id) => begun.push(id), leftOpen: (id) => leftOpen.push(id) });
    const result = await runner.rebalance(REQUEST);
    assert.ok(result.kind === 'notReentered' && result.isOpen);
    const { rebalance } = result;
    assert.deepEqual([begun.length, begun[0], leftOpen], [2, rebalance, [rebalance]]);
    assert.equal((await runner.decline(rebalance)).lamportsBack, 700_000_000n);
    assert.deepEqual([begun.slice(2), leftOpen], [[rebalance], [rebalance]]);
    await assert.rejects(runner.decline(rebalance), /has ended/);
    assert.deepEqual(leftOpen, [rebalance, rebalance]);
  });

  for (const [press, command] of [
    ['Re-enter', 'binsight.reenter'],
    ["Don't Re-enter", 'binsight.leaveOut'],
  ] as const) {
    it(`The notification of a rebalance without re-entry states the proceeds, and its button runs ${command}`, async () => {
      const { runner, prompts, commands, told, bench: rig } = await stopped(press);
      const result = await runner.rebalance(REQUEST);
      assert.ok(result.kind === 'notReentered' && result.isOpen && result.lamportsBack === 700_000_000n);
      await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual([told, commands], [[result.rebalance], [`${command} {"kind":"operation","id":"${result.rebalance}"}`]]);
      assert.deepEqual(
        prompts.notices.map(({ severity, actions }) => [severity, actions]),
        [['warning', ['Re-enter', "Don't Re-enter"]]],
      );
      assert.equal(rig.trace.landings.length, 1);
    });
  }
});
