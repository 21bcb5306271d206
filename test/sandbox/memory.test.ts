import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { runRequests } from '../bench/sandboxLoad';
import { heapProbe, heldBy } from '../support/sandbox/heapProbe';
import { copyOfNewWorld } from '../support/sandbox/madeWorld';
import { startSandbox, temporaryFolder, type RunningSandbox } from '../support/sandbox/process';

const CLIENTS = 10;
/** Of each client: what is loaded and compiled on first use is there after the first ones. */
const FIRST = 60;
const MORE = 140;
/** For each of the later requests. One that is kept, with its answer, is tens of thousands of bytes; what a heap differs by from one collection to the next is half of this. */
const MOST_GROWTH_BYTES = CLIENTS * MORE * 1_500;

describe('The memory of the sandbox', () => {
  let data: string;
  let answers: string;
  let sandbox: RunningSandbox;

  before(async () => {
    data = await copyOfNewWorld();
    answers = temporaryFolder();
    sandbox = await startSandbox({ data, env: heapProbe(answers) });
  });
  after(async () => {
    await sandbox.stop('SIGKILL');
    [data, answers].forEach((folder) => rmSync(folder, { recursive: true, force: true }));
  });

  it("Thousands of requests, landings, aborts and faults leave no memory behind except the market's own records", async () => {
    await runRequests(sandbox, { clients: CLIENTS, each: FIRST, hasFaults: true });
    const before = await heldBy(sandbox.pid, answers);
    const { landed } = await runRequests(sandbox, { clients: CLIENTS, each: MORE, hasFaults: true });
    const after = await heldBy(sandbox.pid, answers);
    assert.ok(landed > 20, `only ${landed} operations landed`);
    const held = JSON.stringify({ before, after });
    assert.ok(after.heapBytes - before.heapBytes < MOST_GROWTH_BYTES, held);
    assert.ok(after.externalBytes - before.externalBytes < MOST_GROWTH_BYTES, held);
    assert.ok(after.sockets <= before.sockets + 2 && after.abortSignals <= before.abortSignals + 2, held);
  });
});
