import assert from 'node:assert/strict';
import { LEAST_SAMPLES } from '../../soak/flatness';
import { judge } from '../../soak/soakReport';
import type { SoakSample } from '../../soak/soakRun';

const COUNT = 30;

function samples(changed: (index: number) => Partial<SoakSample['extension']>, count = COUNT): readonly SoakSample[] {
  return Array.from({ length: count }, (_, index) => ({
    minutes: index / 3,
    extension: { heapBytes: 60e6, externalBytes: 4e6, residentBytes: 170e6, handles: 5, descriptors: 28, ...changed(index) },
    sandbox: { heapBytes: 30e6, externalBytes: 20e6, residentBytes: 160e6, sockets: 5, abortSignals: 2, descriptors: 23 },
  }));
}

describe('The judgment of a soak', () => {
  it('A run in which nothing grows has no faults', () => assert.deepEqual(judge(samples(() => ({}))), []));

  it('A heap that grows by a megabyte a minute is named with its slope', () => {
    const [fault, ...others] = judge(samples((index) => ({ heapBytes: 60e6 + (index / 3) * 1e6 })));
    assert.match(fault ?? '', /^extension: heap grows by 1\.00 MB a minute, from 63\.\d to 69\.\d; at most 0\.5 a minute is allowed$/);
    assert.deepEqual(others, []);
  });

  it('A handle that is left behind every minute is named', () =>
    assert.match(judge(samples((index) => ({ handles: 5 + Math.floor(index / 3) }))).join(), /^extension: handles grows by 1\.00/));

  it('A run that is too short to judge does not pass', () => {
    const faults = judge(samples(() => ({}), LEAST_SAMPLES - 1));
    assert.ok(faults.length > 0 && faults.every((fault) => fault.includes('could not be judged')));
  });

  it('A figure that the system does not tell is not judged as too short', () =>
    assert.deepEqual(judge(samples(() => ({ descriptors: undefined }))), []));
});
