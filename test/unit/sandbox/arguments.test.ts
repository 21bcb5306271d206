import assert from 'node:assert/strict';
import { ArgumentError } from '../../../src/engine/process/commandLine';
import { readArguments } from '../../../src/sandbox/arguments';

describe('The command line of the sandbox', () => {
  for (const [args, word] of [
    [['--port', 'x'], /--port/],
    [['--port', '70000'], /--port/],
    [['--seed', '-1'], /--seed/],
    [['--past-days', '91'], /--past-days must be a whole number from 1 to 90/],
    [['--lease', '--lease-seconds', 'soon'], /--lease-seconds/],
    [['--price-speed', '-2'], /--price-speed/],
    [['--protocol', 'x_damm_v2'], /--protocol/],
    [['--protocol', 'all'], /--protocol/],
    [['--protocol', 'Capital'], /--protocol/],
    [['--rate-limit', '0'], /--rate-limit/],
    [['--indexing-lag', '1.5'], /--indexing-lag/],
    [['--rent-lamports-per-byte', '695'], /--rent-lamports-per-byte must be a whole number from 696 to 69600/],
    [['--slot-ms', '99'], /--slot-ms must be a whole number from 100 to 2000/],
    [['--transactions', 'v2'], /--transactions must be one of service, legacy, v0, v1, mixed, not "v2"/],
    [['--api-key', 'with space'], /--api-key/],
    [['--nonsense'], /nonsense/],
    [['stray'], /stray/],
  ] as const) {
    it(`The sandbox rejects ${args.join(' ')}`, () => {
      assert.throws(
        () => readArguments(args),
        (error) => error instanceof ArgumentError && word.test(error.message),
      );
    });
  }
});
