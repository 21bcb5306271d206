import assert from 'node:assert/strict';
import type { AutoRebalanceAnnouncement } from '../../../src/ui/autoRebalance/announcements';
import { AutoRebalanceExecutor } from '../../../src/ui/autoRebalance/executor';
import type { KnownOwner } from '../../../src/ui/wallets/ownerIndex';
import type { CloseRequest, RebalanceRequest } from '../../../src/ui/rebalance/request';
import { UserError } from '../../../src/ui/shell/errors';
import type { ActionOutcome, AutoRebalanceAction, AutoRebalanceRules } from '../../../src/autoRebalance/types';
import { OperationError } from '../../../src/transactions/errors';
import type { RebalanceResult, Reentry } from '../../../src/transactions/rebalance/types';
import { createRpc } from '../../../src/rpc/rpc';
import { parseRpcUrl } from '../../../src/base/solana/rpcUrl';
import { SigningError } from '../../../src/wallet/errors';
import type { Signer } from '../../../src/wallet/signer';
import type { QuestionAnswer } from '../../../src/ui/autoRebalance/questions';
import { ScriptedPrompts } from '../../support/editor/scriptedPrompts';
import { addressOf, openPosition, OWNER, settledMicrotasks } from '../../support/portfolio/fixtures';
import { RULES } from '../../support/ui/autoRebalanceFixtures';
import { fail } from '../../support/ui/memory';

const AUTOMATIC: AutoRebalanceRules = { ...RULES, mode: 'automatic' };
const KNOWN: KnownOwner = { address: OWNER, canSign: true, origin: 'user', hasPassphrase: true };
const SIGNER: Signer = { owner: OWNER, sign: () => fail(new Error('Nothing is to be signed here')) };
const NOT_REENTERED: RebalanceResult = {
  kind: 'notReentered',
  rebalance: 'r',
  reason: 'declined',
  words: 'It is in your wallet.',
  lamportsBack: 1n,
  isOpen: true,
  review: undefined,
  error: undefined,
};

type Run = (request: RebalanceRequest | CloseRequest) => Promise<RebalanceResult>;

/** A window in which automation acts; `run` stands for the operation, whatever is done. */
class Window {
  readonly prompts = new ScriptedPrompts([], {
    'the wallet is locked': 'Unlock Wallet',
    'could not rebalance': 'Rebalance…',
    'is paused': 'Stop All Automation',
    'was left on': 'Preview (Dry Run)',
  });
  readonly ran: (RebalanceRequest | CloseRequest)[] = [];
  readonly commands: unknown[] = [];
  readonly announced: AutoRebalanceAnnouncement[] = [];
  /** Signers that were asked for, and whether the question was taken back before. */
  readonly signers: (boolean | undefined)[] = [];
  readonly cancel = new AbortController();
  answer: QuestionAnswer = 'yes';
  asks: string | undefined;
  isLocked = false;
  mayAct = true;
  /** How often a check was asked for, because the wallet was unlocked. */
  unlocks = 0;
  owner: KnownOwner | undefined = KNOWN;
  isShown = true;
  readonly #host: AutoRebalanceExecutor;

  constructor(run: Run) {
    const record: Run = (request) => {
      this.ran.push(request);
      return run(request);
    };
    this.#host = new AutoRebalanceExecutor({
      prompts: this.prompts,
      questions: { ask: () => Promise.resolve(this.answer) },
      rpc: () => Promise.resolve(createRpc({ url: parseRpcUrl('http://127.0.0.1:9') })),
      runs: () =>
        Promise.resolve({
          rebalance: record,
          reenter: () => fail(new Error('Nothing is re-entered')),
          close: async (request) => toOperation(await record(request)),
        }),
      ownerOf: () => this.owner,
      owner: () => this.owner,
      isShown: () => this.isShown,
      owners: {
        lockOf: () => (this.isLocked ? { kind: 'locked' } : { kind: 'none' }),
        signer: (_, cancelled) => {
          this.signers.push(cancelled?.aborted);
          return this.isLocked ? Promise.reject(new SigningError('locked', 'Locked.')) : Promise.resolve(SIGNER);
        },
      },
      onUnlocked: () => (this.unlocks += 1),
      announce: (told) => this.announced.push(told),
      command: (...given) => Promise.resolve(void this.commands.push(given)),
      onError: fail,
    });
  }

  ownersChanged(): void {
    this.#host.ownersChanged();
  }

  async notify(message: string, severity: 'info' | 'warning'): Promise<void> {
    this.#host.notify(message, severity);
    await settledMicrotasks();
  }

  async act(rules: AutoRebalanceRules = AUTOMATIC, action: AutoRebalanceAction = 'rebalance'): Promise<ActionOutcome> {
    const outcome = await this.#host.act(
      { position: openPosition(1), owner: OWNER, action, why: 'Out of range.', asks: this.asks },
      rules,
      this.cancel.signal,
      () => Promise.resolve(this.mayAct),
    );
    await settledMicrotasks();
    return outcome;
  }
}

function toOperation(
  result: RebalanceResult,
): { readonly kind: 'declined' } | { readonly kind: 'settled'; readonly signature: undefined; readonly position: undefined } {
  return result.kind === 'settled' ? { kind: 'settled', signature: undefined, position: undefined } : { kind: 'declined' };
}

const REENTRY: Reentry = {
  pool: addressOf(500),
  pairName: 'BONK/SOL',
  lamportsBack: 2n,
  proceedsFrom: 'transactions',
  inputLamports: 1n,
  range: { fromBinId: -34, toBinId: 34 },
  activeBinId: 0,
  strategy: 'Spot',
  slippageBps: 100,
  warnings: [],
};
const SETTLED: RebalanceResult = { kind: 'settled', rebalance: 'r', reentry: REENTRY, position: undefined, signature: undefined };
const settles: Run = () => Promise.resolve(SETTLED);
/** An operation that gets as far as asking for its signer. */
const signs: Run = async ({ consent }) => {
  await (consent.kind === 'rules' ? consent.signer() : fail(new Error('No question was expected')));
  return SETTLED;
};

describe('Actions in mode ask', () => {
  it('A message of auto-rebalance offers to stop it and to show what it would do, and only a warning goes outside of the editor', async () => {
    const window = new Window(settles);
    await window.notify('Auto-rebalance was left on.', 'info');
    assert.deepEqual(window.announced, []);
    await window.notify('Auto-rebalance is paused.', 'warning');
    assert.deepEqual(window.announced, [{ kind: 'needsUser', pairName: undefined }]);
    assert.deepEqual(window.commands, [['binsight.showAutomationPlan'], ['binsight.stopAllAutomation']]);
    assert.deepEqual(
      window.prompts.notices.map(({ message, severity }) => [message, severity]),
      [
        ['Auto-rebalance was left on.', 'info'],
        ['Auto-rebalance is paused.', 'warning'],
      ],
    );
  });

  it('A confirmed auto-rebalance action runs, and the user gives all approvals', async () => {
    const window = new Window(settles);
    assert.deepEqual(await window.act(RULES), { kind: 'done' });
    assert.deepEqual(
      window.ran.map(({ consent, owner, lead }) => [consent, owner, lead]),
      [[{ kind: 'ask' }, OWNER, 'Auto-rebalance']],
    );
    assert.deepEqual(await window.act(RULES, 'close'), { kind: 'done' });
    assert.ok(window.ran[1] !== undefined && 'slippageBps' in window.ran[1] && window.ran[1].slippageBps === 100);
  });

  it('An action beyond the limits of the rules is a question in automatic mode, too, and nothing is signed by the rules', async () => {
    for (const [answer, outcome, runs] of [
      ['yes', { kind: 'done' }, 1],
      ['notNow', { kind: 'refused', leaveAlone: false }, 0],
      ['open', { kind: 'notNow' }, 0],
    ] as const) {
      const window = new Window(settles);
      Object.assign(window, { answer, asks: 'Three positions would be closed at once.' });
      assert.deepEqual(await window.act(AUTOMATIC, 'close'), outcome);
      assert.equal(window.ran.length, runs);
      assert.ok(window.ran.every(({ consent }) => consent.kind === 'ask'));
      assert.deepEqual(window.signers, []);
    }
  });

  it('Auto-rebalance in mode ask runs nothing without a confirmation', async () => {
    const window = new Window(settles);
    const outcomes: ActionOutcome[] = [];
    for (const answer of ['open', 'notNow', 'leaveAlone'] as const) {
      window.answer = answer;
      outcomes.push(await window.act(RULES));
    }
    assert.deepEqual(outcomes, [{ kind: 'notNow' }, { kind: 'refused', leaveAlone: false }, { kind: 'refused', leaveAlone: true }]);
    assert.deepEqual(window.ran, []);
  });

  it('Auto-rebalance runs nothing if it was stopped before the answer', async () => {
    const window = new Window(settles);
    window.mayAct = false;
    assert.deepEqual(await window.act(RULES), { kind: 'notNow' });
    assert.deepEqual(window.ran, []);
  });

  it('Auto-rebalance counts declined transactions as a declined action', async () => {
    assert.deepEqual(await new Window(() => Promise.resolve({ kind: 'declined' })).act(RULES), { kind: 'refused', leaveAlone: false });
  });
});

describe('Actions in automatic mode', () => {
  it('Automatic mode signs without a question and never asks for a passphrase', async () => {
    const window = new Window(signs);
    assert.deepEqual(await window.act(), { kind: 'done' });
    // The question is taken back before it could be put.
    assert.deepEqual([window.signers, window.prompts.asked], [[true], []]);
    assert.deepEqual(
      window.announced.map((told) => [told.kind, told.pairName]),
      [['acts', 'BONK/SOL']],
    );
  });

  it('Automatic mode reports a locked wallet once with an offer to unlock it and starts nothing', async () => {
    const window = new Window(signs);
    window.isLocked = true;
    assert.equal((await window.act()).kind, 'needsUser');
    assert.equal((await window.act()).kind, 'needsUser');
    assert.deepEqual([window.ran.length, window.prompts.notices.length], [0, 1]);
    assert.deepEqual(window.announced, [{ kind: 'needsUser', pairName: undefined }]);
    // Pressing the button asks for the passphrase.
    assert.deepEqual(window.signers, [undefined]);
    assert.match(window.prompts.notices[0]?.message ?? '', /the wallet is locked\. Nothing was signed or sent\./);
    window.isLocked = false;
    assert.deepEqual(await window.act(), { kind: 'done' });
    window.isLocked = true;
    await window.act();
    assert.equal(window.prompts.notices.length, 2);
  });

  it('For a wallet that the views do not show, a message names it and offers no command that works on the shown one', async () => {
    const window = new Window((request) => {
      if (request.consent.kind === 'rules') {
        request.consent.heldBack('It was not signed.');
      }
      return Promise.resolve({ kind: 'declined' });
    });
    window.isShown = false;
    assert.equal((await window.act()).kind, 'needsUser');
    const [notice] = window.prompts.notices;
    assert.match(notice?.message ?? '', /^Auto-rebalance could not rebalance BONK\/SOL of .+\. It was not signed\./);
    assert.deepEqual(notice?.actions, ['Stop All Automation']);
  });

  it('Automatic mode checks again as soon as a wallet is unlocked that was locked since the start of the window', async () => {
    const window = new Window(signs);
    window.isLocked = true;
    await window.act();
    assert.equal(window.unlocks, 0);
    window.isLocked = false;
    window.ownersChanged();
    assert.equal(window.unlocks, 1);
    window.ownersChanged();
    assert.equal(window.unlocks, 1);
  });

  it('Automatic mode needs the user if the wallet is locked before the signature', async () => {
    const window = new Window(async (request) => {
      window.isLocked = true;
      return signs(request);
    });
    assert.equal((await window.act()).kind, 'needsUser');
  });

  it('Automatic mode checks right before each signature whether it may still act', async () => {
    const window = new Window(async (request) => {
      window.mayAct = false;
      return signs(request);
    });
    assert.deepEqual(await window.act(), { kind: 'notNow' });
    assert.deepEqual(window.signers, []);
    const stopped = new Window(async (request) => {
      stopped.cancel.abort();
      return signs(request);
    });
    assert.deepEqual(await stopped.act(), { kind: 'notNow' });
    assert.deepEqual(stopped.signers, []);
  });

  it('Automatic mode reports a finding to the user, who can decide it', async () => {
    const window = new Window(({ consent }) => {
      if (consent.kind === 'rules') {
        consent.heldBack('The zap-out was not signed without you, because it pays a stranger.');
      }
      return Promise.resolve({ kind: 'declined' });
    });
    const outcome = await window.act();
    assert.ok(
      outcome.kind === 'needsUser' &&
        /could not rebalance BONK\/SOL\. .+ pays a stranger\. Nothing was sent\. Your money has not moved\./.test(outcome.words),
    );
    assert.deepEqual(
      window.prompts.notices.map(({ message }) => message),
      [outcome.words],
    );
    assert.deepEqual(window.commands, [['binsight.rebalance', { kind: 'position', key: openPosition(1).key }]]);
  });

  it('Automatic mode counts a cancellation as a declined action', async () => {
    const window = new Window(({ onCancel }) => {
      onCancel?.();
      return Promise.resolve({ kind: 'declined' });
    });
    assert.deepEqual(await window.act(), { kind: 'refused', leaveAlone: false });
    assert.deepEqual(window.prompts.notices, []);
  });

  it('Automatic mode needs the user for a missing re-entry, and an unconfirmed one is not a failure', async () => {
    assert.deepEqual(await new Window(() => Promise.resolve(NOT_REENTERED)).act(), { kind: 'needsUser', words: 'It is in your wallet.' });
    assert.deepEqual(
      await new Window(() =>
        Promise.resolve({ kind: 'unconfirmed', rebalance: 'r', leg: 'zapIn', signature: undefined, stoppedWaiting: false }),
      ).act(),
      { kind: 'notNow' },
    );
  });

  it('A rebalance that ended half done is reported outside the editor, unless the user cancelled it', async () => {
    const announcedBy = async (result: RebalanceResult, isRefused = false) => {
      const window = new Window(({ onCancel }) => {
        if (isRefused) {
          onCancel?.();
        }
        return Promise.resolve(result);
      });
      await window.act();
      return window.announced;
    };
    assert.deepEqual(await announcedBy(NOT_REENTERED), [{ kind: 'needsUser', pairName: 'BONK/SOL' }]);
    assert.deepEqual(await announcedBy({ ...NOT_REENTERED, isOpen: false }), []);
    assert.deepEqual(await announcedBy(NOT_REENTERED, true), []);
  });

  it('An automatic action never rejects: failures have a message, and an operation in progress is no failure', async () => {
    const outcomeOf = (error: Error) => new Window(() => Promise.reject(error)).act();
    const failed = new OperationError({ kind: 'notBuilt', what: 'The service did not answer.', advice: 'Try again.' });
    assert.deepEqual(await outcomeOf(failed), { kind: 'failed', words: failed.message });
    assert.deepEqual(await outcomeOf(new OperationError({ kind: 'underWay', what: 'Another window.', advice: 'Wait.' })), {
      kind: 'notNow',
    });
    assert.deepEqual(await outcomeOf(new UserError('An operation on this position is under way.')), { kind: 'notNow' });
    const window = new Window(settles);
    window.owner = undefined;
    assert.equal((await window.act()).kind, 'failed');
  });
});
