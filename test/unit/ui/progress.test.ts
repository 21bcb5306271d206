import assert from 'node:assert/strict';
import { progressMessages } from '../../../src/ui/zap/outcome';
import { runShown } from '../../../src/ui/zap/operationDependencies';
import type { ProgressRequest, Prompts } from '../../../src/ui/shell/prompts/prompts';
import { progressIfSlow } from '../../../src/ui/shell/prompts/slowProgress';
import type { OperationStep } from '../../../src/transactions/types';
import { ScriptedPrompts } from '../../support/editor/scriptedPrompts';
import { FakeClock } from '../../support/portfolio/fixtures';

interface Shown {
  readonly cancellable: boolean;
  readonly messages: string[];
  readonly cancel: () => void;
  isOpen: boolean;
}

/** Prompts that show progress as VS Code does: one notification for each call, with a button where it can be cancelled. */
function showing(): { readonly prompts: Prompts; readonly shown: Shown[] } {
  const shown: Shown[] = [];
  class Showing extends ScriptedPrompts {
    override async progress<Result>(
      { cancellable }: ProgressRequest,
      task: (report: (message: string) => void, signal: AbortSignal) => Promise<Result>,
    ): Promise<Result> {
      const stop = new AbortController();
      const one: Shown = { cancellable, messages: [], cancel: () => stop.abort(), isOpen: true };
      shown.push(one);
      try {
        return await task((message) => one.messages.push(message), stop.signal);
      } finally {
        one.isOpen = false;
      }
    }
  }
  return { prompts: new Showing([]), shown };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('The progress of an operation', () => {
  async function running() {
    const { prompts, shown } = showing();
    let report: (step: OperationStep) => void = () => undefined;
    let end: (how: string) => void = () => undefined;
    let cancelled: AbortSignal | undefined;
    const result = runShown(prompts, {
      title: 'Zapping out',
      run: (show, signal) => {
        [report, cancelled] = [(step) => show(progressMessages()[step]), signal];
        return new Promise<string>((resolve) => {
          end = resolve;
        });
      },
    });
    const at = async (...steps: OperationStep[]) => {
      for (const step of steps) {
        report(step);
        await turn();
      }
    };
    return { shown, at, end: (how: string) => end(how), result, isCancelled: () => cancelled?.aborted };
  }

  it('One notification shows all stages and, once the operation is sent, explains what Cancel does', async () => {
    const { shown, at, end, result } = await running();
    await at('building', 'signing', 'landing', 'waitingForEffect', 'building', 'landing');
    assert.deepEqual(
      shown.map(({ cancellable, isOpen }) => [cancellable, isOpen]),
      [[true, true]],
    );
    assert.deepEqual(
      (shown[0]?.messages ?? []).map((message) => message.includes('Cancel only stops waiting')),
      [false, false, true, true, false, true],
    );
    assert.match(shown[0]?.messages[2] ?? '', /sending\. Cancel only stops waiting/);
    end('done');
    assert.equal(await result, 'done');
    assert.ok(shown.every(({ isOpen }) => !isOpen));
  });

  for (const steps of [['building'], ['building', 'landing'], ['building', 'landing', 'waitingForEffect']] as const) {
    it(`The operation learns that it was cancelled at ${steps.at(-1)}`, async () => {
      const { shown, at, end, result, isCancelled } = await running();
      await at(...steps);
      assert.equal(isCancelled(), false);
      shown.at(-1)?.cancel();
      assert.equal(isCancelled(), true);
      end('stopped');
      assert.equal(await result, 'stopped');
    });
  }

  it('The progress ends with the failure of the operation at any stage', async () => {
    const { prompts, shown } = showing();
    await assert.rejects(
      runShown(prompts, {
        title: 'Zapping out',
        run: (show) => {
          show(progressMessages().landing);
          return Promise.reject(new Error('no'));
        },
      }),
      /no/,
    );
    assert.ok(shown.every(({ isOpen }) => !isOpen));
  });
});

describe('The progress of reading before a question', () => {
  function reading(clock: FakeClock) {
    const shown: string[] = [];
    let cancel: () => void = () => undefined;
    let isOpen = false;
    const show = async (task: (report: (message: string) => void, signal: AbortSignal) => Promise<void>): Promise<void> => {
      const stop = new AbortController();
      cancel = () => stop.abort();
      isOpen = true;
      await task((message) => shown.push(message), stop.signal);
      isOpen = false;
    };
    let end: (value: string) => void = () => undefined;
    let fail: (error: Error) => void = () => undefined;
    let told: (message: string) => void = () => undefined;
    let signal: AbortSignal | undefined;
    const result = progressIfSlow<string>(
      (report, cancelled) => {
        [told, signal] = [report, cancelled];
        return new Promise((resolve, reject) => ([end, fail] = [resolve, reject]));
      },
      show,
      clock,
    );
    return {
      shown,
      result,
      isOpen: () => isOpen,
      isCancelled: () => signal?.aborted,
      cancel: () => cancel(),
      end: (value: string) => end(value),
      fail: (error: Error) => fail(error),
      tell: (message: string) => told(message),
    };
  }

  it('Nothing is shown of what is read at once, so nothing lies beside the question that follows', async () => {
    const clock = new FakeClock();
    const quick = reading(clock);
    quick.tell('waiting…');
    await clock.advance(900);
    quick.end('read');
    assert.equal(await quick.result, 'read');
    await clock.advance(10_000);
    assert.deepEqual([quick.isOpen(), quick.shown], [false, []]);
    const failing = reading(clock);
    failing.fail(new Error('unreachable'));
    await assert.rejects(failing.result, /unreachable/);
  });

  it('What takes longer is shown with its last message, can be cancelled, and closes with its end', async () => {
    const clock = new FakeClock();
    const slow = reading(clock);
    slow.tell('waiting for the request limit…');
    await clock.advance(1_100);
    slow.tell('reading…');
    assert.deepEqual([slow.isOpen(), slow.shown], [true, ['waiting for the request limit…', 'reading…']]);
    slow.cancel();
    assert.equal(slow.isCancelled(), true);
    slow.fail(new Error('cancelled'));
    await assert.rejects(slow.result, /cancelled/);
    await turn();
    assert.equal(slow.isOpen(), false);
  });
});
