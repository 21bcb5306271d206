import assert from 'node:assert/strict';
import { describeError, Log, REDACTED, Redactor } from '../../../src/ui/shell/log';

function logTo(): { readonly log: Log; readonly lines: string[] } {
  const lines: string[] = [];
  const write = (level: string) => (message: string) => void lines.push(`${level} ${message}`);
  return {
    log: new Log({ debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }, new Redactor()),
    lines,
  };
}

describe('The log', () => {
  it('A log entry names its part of the extension and its level', () => {
    const { log, lines } = logTo();
    log.of('sandbox')('warn', 'gone');
    assert.deepEqual(lines, ['warn [sandbox] gone']);
  });

  it('The log never contains a registered secret, whatever its escaping', () => {
    const { log, lines } = logTo();
    const secret = 'sk/"quoted"+key&1';
    log.hide(secret);
    log.of('api')('info', `plain ${secret}, in a URL ${encodeURIComponent(secret)}, in JSON ${JSON.stringify({ key: secret })}`);
    assert.equal(lines[0], `info [api] plain ${REDACTED}, in a URL ${REDACTED}, in JSON {"key":"${REDACTED}"}`);
  });

  it('The log never contains a registered secret, even partly encoded or broken over lines', () => {
    const { log, lines } = logTo();
    log.hide('abc/def-ghi');
    for (const text of [
      '\\u0061bc/def-ghi',
      'abc\\/def-ghi',
      'abc%2Fdef-ghi',
      'abc%252fdef-ghi',
      'abc/def\n-ghi',
      '\\\\u0061bc\\\\/def-ghi',
    ]) {
      log.of('api')('info', text);
      assert.equal(lines.at(-1), `info [api] ${REDACTED}`);
    }
  });

  it('The log redacts a long text of backslashes without delay', () => {
    const { log, lines } = logTo();
    log.hide('abc/def-ghi');
    log.of('api')('info', '\\'.repeat(200_000));
    assert.equal(lines.length, 1);
  });

  it('The log hides the longer secret completely if one secret contains another', () => {
    const { log, lines } = logTo();
    log.hide('12345678');
    log.hide('12345678-and-more');
    log.of('api')('info', 'key 12345678-and-more');
    assert.equal(lines[0], `info [api] key ${REDACTED}`);
  });

  it('The log leaves other text unchanged and ignores very short secrets', () => {
    const { log, lines } = logTo();
    log.hide('a');
    log.of('api')('info', 'a banana');
    assert.equal(lines[0], 'info [api] a banana');
  });
});

describe('An error in the log', () => {
  it('The log contains an error with its causes', () => {
    const error = new Error('outer', { cause: new TypeError('middle', { cause: 'a word' }) });
    const text = describeError(error);
    assert.match(text, /^Error: outer/);
    assert.match(text, /caused by TypeError: middle\n\s+caused by "a word"$/);
  });

  it('The log describes a cycle of causes only once', () => {
    const error = new Error('ring');
    error.cause = error;
    assert.equal(describeError(error).match(/ring/g)?.length, 1);
  });

  it('The log can describe a cause that JSON cannot express', () => {
    const ring: Record<string, unknown> = { amount: 5n };
    ring['self'] = ring;
    assert.match(describeError(new Error('outer', { cause: ring })), /caused by .*amount: 5n/);
  });

  it('The log can describe any thrown value', () => {
    assert.equal(describeError('a text'), 'threw a text');
    assert.equal(describeError(undefined), 'threw undefined');
  });
});
