import assert from 'node:assert/strict';
import { oneLine, quotedAscii, withoutLinks } from '../../../src/base/text';

describe('External text', () => {
  for (const [text, expected] of [
    ['Go to https://evil.example/claim', 'Go to https[:]//evil.example/claim'],
    ['HTTP://EVIL.EXAMPLE', 'HTTP[:]//EVIL.EXAMPLE'],
    ['www.evil.example', 'www[.]evil.example'],
    ['see //evil.example/claim', 'see /[/]evil.example/claim'],
    ['ask a.b@evil.example', 'ask a.b[@]evil.example'],
    ['[claim](https://evil.example)', '[claim] (https[:]//evil.example)'],
    ['[claim](command:workbench.action.quit)', '[claim] (command[:]workbench.action.quit)'],
    ['vscode://publisher.extension/path', 'vscode[:]//publisher.extension/path'],
    ['BONK/SOL', 'BONK/SOL'],
    ['a//b', 'a//b'],
    ['12:04:05, 3.5 %: fine', '12:04:05, 3.5 %: fine'],
    ['message: profile: none', 'message: profile: none'],
  ] as const) {
    it(`External text is written without active links: ${text}`, () => {
      assert.equal(withoutLinks(text), expected);
      assert.equal(withoutLinks(withoutLinks(text)), expected);
      assert.equal(oneLine(text, 200), expected);
    });
  }

  it('Text quoted from a transaction contains no active links', () => {
    assert.doesNotMatch(quotedAscii('https://evil.example www.evil.example'), /:\/\/|www\./);
  });
});
