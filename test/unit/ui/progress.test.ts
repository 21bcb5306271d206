import assert from 'node:assert/strict';
import { progressMessages } from '../../../src/ui/zap/outcome';
import { runShown } from '../../../src/ui/zap/operationDependencies';
import type { ProgressRequest, Prompts } from '../../../src/ui/shell/prompts/prompts';
import type { OperationStep } from '../../../src/transactions/types';
import { ScriptedPrompts } from '../../support/editor/scriptedPrompts';

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
    assert.match(shown[0]?.messages[2] ?? '', /can no longer be cancelled/);
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
