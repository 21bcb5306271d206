import assert from 'node:assert/strict';
import { Portfolio } from '../../../../src/portfolio/portfolio';
import { windowReads } from '../../../../src/ui/assistants/windowReads';
import { readServiceChoice } from '../../../../src/ui/shell/serviceChoice';
import { FakeClock, fakeService, openPosition, OWNER } from '../../../support/portfolio/fixtures';

const MINUTE_MS = 60_000;

describe('Positions for the tools of assistants', () => {
  it('They are read again once they are older than a minute, or were read before the clock was set back', async () => {
    const clock = new FakeClock();
    let reads = 0;
    const service = fakeService({
      openPositions: () => {
        reads += 1;
        return Promise.resolve({ items: [openPosition(1)], total: 1, warnings: [] });
      },
    });
    const connect = () => Promise.resolve(service);
    const portfolio = new Portfolio({ service: connect, log: () => undefined, clock });
    portfolio.setOwner(OWNER);
    const { positions } = windowReads({
      ...{ portfolio, connect, clock, log: () => undefined, rpc: () => Promise.resolve(undefined) },
      ...{ service: () => readServiceChoice(''), owners: { active: () => undefined } },
      ...{ defaultSlippageBps: () => 50, policy: () => ({}) },
    });
    assert.equal((await positions()).positions.length, 1);
    await clock.advance(MINUTE_MS);
    await positions();
    assert.equal(reads, 1);
    await clock.advance(1);
    await positions();
    assert.equal(reads, 2);
    clock.setBy(-600 * MINUTE_MS);
    await positions();
    assert.equal(reads, 3);
  });
});
