import assert from 'node:assert/strict';
import { OperationRunner } from '../../../src/editor/operations/operationRunner';
import { readServiceChoice, SANDBOX, type ServiceChoice } from '../../../src/editor/service/serviceChoice';
import { ScriptedPrompts } from '../../editor/support/scriptedPrompts';
import { bench, failureOf, realSigner, thePosition } from '../operations/harness';
import { OWNER } from '../review/bundles';

const REAL = readServiceChoice('https://example.org/v1');
const noAction = () => Promise.reject(new Error('nothing is shown'));

/** Runs a zap-out that the user approves; `chosen` says which service is in use before and after the user was asked. */
async function zapOut(chosen: (wasAsked: boolean) => ServiceChoice): Promise<{ readonly running: ReturnType<OperationRunner['zapOut']>; readonly trace: Awaited<ReturnType<typeof bench>>['trace'] }> {
  const { dependencies, portfolio, trace } = await bench();
  const prompts = new ScriptedPrompts([{ press: 'Sign and Send' }]);
  const actions = { copy: noAction, openExternal: noAction, showDocument: noAction, focusPositions: noAction, showLog: () => undefined };
  const runner = new OperationRunner({
    prompts,
    actions,
    portfolio,
    service: () => Promise.resolve(dependencies.service),
    signer: () => Promise.resolve(realSigner()),
    serviceInUse: () => chosen(prompts.asked.length > 0),
    log: () => undefined,
  });
  return { running: runner.zapOut({ position: thePosition(), shareBps: 10_000, output: 'allBaseToken', slippageBps: 300 }, OWNER), trace };
}

describe('An operation from the editor', () => {
  it('is signed and sent with the service that it began with', async () => {
    const { running, trace } = await zapOut(() => REAL);
    assert.equal((await running).kind, 'settled');
    assert.equal(trace.landings.length, 1);
  });

  for (const [from, to] of [[REAL, SANDBOX], [SANDBOX, REAL]] as const) {
    it(`stops unsigned where ${to.name} is chosen in place of ${from.name} while the user is asked`, async () => {
      const { running, trace } = await zapOut((wasAsked) => (wasAsked ? to : from));
      const failure = await failureOf(running);
      assert.deepEqual([failure.kind, failure.money, trace.landings.length], ['notSigned', 'untouched', 0]);
      assert.match(failure.message, /Another service is in use now\./);
    });
  }
});
