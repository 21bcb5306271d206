import { told } from '../../../src/base/reasons/reason';
import assert from 'node:assert/strict';
import { askRepetition } from '../../../src/ui/zap/repeatQuestion';
import { ScriptedPrompts, type ScriptedAnswer } from '../../support/editor/scriptedPrompts';
import { record, SIGNATURE, SUBMITTED, ZAP_IN } from '../../support/ui/journalRecords';

const UNCLEAR = { kind: 'failed', reason: told('It may have landed.'), isUnclear: true } as const;

async function asked(service: string, answers: readonly ScriptedAnswer[], cancelled = new AbortController().signal) {
  const prompts = new ScriptedPrompts(answers);
  const done: string[] = [];
  const actions = {
    copy: (text: string) => Promise.resolve(void done.push(`copied ${text}`)),
    openExternal: (url: string) => Promise.resolve(void done.push(`opened ${url}`)),
  };
  const starts = await askRepetition([record([...SUBMITTED, UNCLEAR], { plan: ZAP_IN, service })], { prompts, actions }, cancelled);
  prompts.assertDone();
  return { starts, done, prompts };
}

describe('The question before something that may have landed is started again', () => {
  it('The preselected answer and Escape start nothing', async () => {
    for (const answer of [{ press: "Don't Start" }, 'escape'] as const) {
      const { starts, prompts } = await asked('sandbox', [answer]);
      assert.equal(starts, false);
      assert.deepEqual(prompts.asked[0]?.shown[0], "Don't Start");
    }
    assert.equal((await asked('sandbox', [{ press: 'Start All the Same' }])).starts, true);
  });

  it('The question names the operation and its signatures, and asks again after the user looked one up', async () => {
    const service = 'https://service.example';
    const { starts, done, prompts } = await asked(service, [{ press: 'Open in Explorer' }, { press: 'Start All the Same' }]);
    assert.equal(starts, true);
    assert.equal(prompts.asked.length, 2);
    assert.match(prompts.asked[0]?.title ?? '', /^Start again\? Zap into BONK\/SOL may have landed\.$/);
    assert.ok(prompts.asked[0]?.text.includes(SIGNATURE));
    assert.match(done[0] ?? '', /^opened https:\/\/.+\/tx\//);
    assert.match((await asked('sandbox', [{ press: 'Copy Signature' }, 'escape'])).done[0] ?? '', /^copied /);
  });

  it('A canceled operation is not asked about', async () => {
    assert.equal((await asked('sandbox', [], AbortSignal.abort())).starts, false);
  });
});
