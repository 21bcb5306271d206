import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import * as z from 'zod';
import { good, landed, SOL, TestClient, type Answer } from '../support/sandbox/client';
import { IS_LONG } from '../support/runs';
import { SHORT_PAST, startAndKill, startSandbox, temporaryFolder, type RunningSandbox } from '../support/sandbox/process';

/** More often: `BINSIGHT_KILLS=100 npm test -- test/sandbox/kill.test.ts`. */
const KILLS = Number(process.env['BINSIGHT_KILLS'] ?? (IS_LONG ? 6 : 4));
const KILLS_PER_TEST = 6;
const KILLS_WHILE_MADE = IS_LONG ? 2 : 1;
const KILLS_WHILE_RESET = KILLS_WHILE_MADE;
/** What is wrong once stays wrong: it need not be looked for after each kill. */
const KILLS_PER_AUDIT = 5;
/** Chance decides when a kill comes, so that more are needed until everything was under way; never more than this. */
const MOST_KILLS = 4 * KILLS;
/** After how many answers, and how long after the last of them, the sandbox is killed: at most. */
const MOST_ANSWERS = 16;
const LONGEST_DELAY_MS = 40;
/** Longer than a first start takes, so that it is killed at any moment of it. */
const FIRST_START_MS = 2_000;
/** Enough for everything that is ever put in. */
const PURSE_SOL = 900;
const POOLS = 3;

/** What was answered, and has to hold from then on. */
interface Known {
  /** Landing these again has to give the same signature. */
  readonly landings: { readonly path: string; readonly body: object; readonly signature: string }[];
  /** Addresses of positions that are open for certain, or closed for certain; what was under way is in neither. */
  readonly open: Set<string>;
  readonly closed: Set<string>;
  /** How many positions were answered to be open, in all. */
  entered: number;
  /** The market's time. */
  now: number;
  /** Where to enter. */
  pools: readonly string[];
}

describe('A killed sandbox', () => {
  let data: string;

  beforeEach(() => {
    data = temporaryFolder();
  });

  afterEach(() => {
    rmSync(data, { recursive: true, force: true });
  });

  it('A sandbox killed while its world is made or reset starts again with a clean audit', async () => {
    for (let count = 0; count < KILLS_WHILE_MADE; count += 1) {
      await startAndKill(data, Math.random() * FIRST_START_MS);
    }
    for (let count = 0; count < KILLS_WHILE_RESET; count += 1) {
      await killWhileReset(data, count);
    }
    const sandbox = await startSandbox({ data, args: SHORT_PAST });
    try {
      const client = new TestClient(sandbox);
      assert.deepEqual(await client.audit(), []);
      assert.ok((await client.opening()).length > 0);
    } finally {
      await sandbox.stop('SIGKILL');
    }
  });

  describe(`${KILLS} kills under load`, () => {
    const known: Known = { landings: [], open: new Set(), closed: new Set(), entered: 0, now: 0, pools: [] };
    let answered = 0;
    let folder: string;
    before(() => {
      folder = temporaryFolder();
    });
    after(() => {
      rmSync(folder, { recursive: true, force: true });
    });

    async function killUnderLoad(count: number): Promise<void> {
      const sandbox = await startSandbox({ data: folder, args: SHORT_PAST });
      try {
        const client = new TestClient(sandbox);
        if (count % KILLS_PER_AUDIT === 0) {
          assert.deepEqual(await client.audit(), [], `after kill ${count}`);
        }
        await (count === 0 ? prepare(client, known) : holds(client, known, `after kill ${count}`));
        answered += await loadUntilKilled(sandbox, known);
      } finally {
        await sandbox.stop('SIGKILL');
      }
    }

    // Several tests, so that the test run sees progress on a slow machine.
    for (let first = 0; first < KILLS; first += KILLS_PER_TEST) {
      it(`The sandbox keeps every answer and passes the audit, kills ${first + 1} to ${Math.min(first + KILLS_PER_TEST, KILLS)}`, async () => {
        for (let count = first; count < Math.min(first + KILLS_PER_TEST, KILLS); count += 1) {
          await killUnderLoad(count);
        }
      });
    }

    it('The sandbox was under load and has everything that it answered at the end', async () => {
      const wasUnderLoad = (): boolean =>
        known.landings.length > KILLS / 2 && answered > 5 * KILLS && known.entered > KILLS / 4 && known.closed.size > KILLS / 20;
      for (let count = KILLS; count < MOST_KILLS && !wasUnderLoad(); count += 1) {
        await killUnderLoad(count);
      }
      const { landings, entered, closed } = known;
      assert.ok(wasUnderLoad(), `${answered} answers, ${landings.length} landings, ${entered} entries, ${closed.size} exits`);
      const last = await startSandbox({ data: folder });
      try {
        const client = new TestClient(last);
        assert.deepEqual(await client.audit(), [], 'at the end');
        await holds(client, known, 'at the end');
      } finally {
        await last.stop();
      }
    });
  });
});

/** Starts a sandbox, has it make a new world, and kills it in the midst of that. Who it is stays. */
async function killWhileReset(data: string, seed: number): Promise<void> {
  const sandbox = await startSandbox({ data, args: SHORT_PAST });
  const reset = new TestClient(sandbox).control('reset', { seed }).catch((error: unknown) => error);
  await new Promise((resolve) => setTimeout(resolve, Math.random() * FIRST_START_MS));
  await sandbox.stop('SIGKILL');
  await reset;
}

async function prepare(client: TestClient, known: Known): Promise<void> {
  const Pools = z.object({ data: z.array(z.looseObject({ pool: z.string() })).length(POOLS) });
  known.pools = good(Pools, await client.get('/pools/discover', { sortBy: 'tvl', pageSize: POOLS, type: 'meteora' })).data.map(
    ({ pool }) => pool,
  );
  good(z.object({}), await client.control('airdrop', { owner: client.sandbox.owner, sol: PURSE_SOL }));
}

/** Checks all that was ever answered. */
async function holds(client: TestClient, known: Known, when: string): Promise<void> {
  assert.ok(Date.parse((await client.status()).now) >= known.now, `${when} the clock is behind`);
  const open = new Set((await client.opening()).map(({ position }) => position));
  for (const position of known.open) {
    assert.ok(open.has(position), `${when} the position ${position} is gone, which was answered to be open`);
  }
  for (const position of known.closed) {
    assert.ok(!open.has(position), `${when} the position ${position} is open, which was answered to be closed`);
  }
  for (const { path, body, signature } of known.landings.slice(-3)) {
    assert.equal(landed(await client.post(path, body)), signature, when);
  }
}

/** Works on several things at once until the process is killed in the midst of it; gives how many requests were answered. */
async function loadUntilKilled(sandbox: RunningSandbox, known: Known): Promise<number> {
  const enough = Math.floor(Math.random() * MOST_ANSWERS) + 1;
  const client = new CountingClient(sandbox, (answered) => {
    if (answered === enough) {
      setTimeout(() => void sandbox.stop('SIGKILL'), Math.random() * LONGEST_DELAY_MS);
    }
  });
  const load = new Load(client, known);
  const workers = [() => load.enterOrLeave(), () => load.enterOrLeave(), () => load.advance(), () => load.read()];
  await Promise.all([...workers.map(untilCutOff), sandbox.ended]);
  return client.answered;
}

/** Repeats a piece of work until a request of it is cut off. Everything else that goes wrong is a failure of the test. */
async function untilCutOff(work: () => Promise<void>): Promise<void> {
  try {
    for (;;) {
      await work();
    }
  } catch (error) {
    if (
      !(
        error instanceof Error &&
        'code' in error &&
        (error.code === 'ECONNRESET' || error.code === 'ECONNREFUSED' || error.code === 'EPIPE')
      )
    ) {
      throw error;
    }
  }
}

class CountingClient extends TestClient {
  answered = 0;

  readonly #onAnswer: (answered: number) => void;

  constructor(sandbox: RunningSandbox, onAnswer: (answered: number) => void) {
    super(sandbox);
    this.#onAnswer = onAnswer;
  }

  override async send(...request: Parameters<TestClient['send']>): Promise<Answer> {
    const answer = await super.send(...request);
    this.answered += 1;
    this.#onAnswer(this.answered);
    return answer;
  }
}

/** What clients do to a sandbox that may be gone at any moment. */
class Load {
  readonly #client: TestClient;
  readonly #known: Known;

  constructor(client: TestClient, known: Known) {
    this.#client = client;
    this.#known = known;
  }

  async enterOrLeave(): Promise<void> {
    const [position] = this.#known.open;
    if (position !== undefined && Math.random() < 0.45) {
      await this.#leave(position);
    } else {
      await this.#enter();
    }
  }

  async advance(): Promise<void> {
    const Now = z.object({ data: z.looseObject({ now: z.iso.datetime() }) });
    const { now } = good(Now, await this.#client.control('advance', { ms: Math.floor(Math.random() * 20_000) })).data;
    this.#known.now = Math.max(this.#known.now, Date.parse(now));
  }

  async read(): Promise<void> {
    await this.#client.opening();
    await this.#client.balance(SOL);
  }

  async #enter(): Promise<void> {
    const pool = this.#known.pools[Math.floor(Math.random() * POOLS)] ?? '';
    const active = await this.#client.activeBin(pool);
    const built = await this.#client.add(pool, {
      inputSOL: 0.05,
      percentX: 0.5,
      fromBinId: active - 10,
      toBinId: active + 10,
      slippage_bps: 3_000,
    });
    const position = built.meta.positionPubKey;
    await this.#land('/pools/landing-add-tx', this.#client.signedAdd(built), () => {
      this.#known.open.add(position);
      this.#known.entered += 1;
    });
  }

  async #leave(position: string): Promise<void> {
    const whole = Math.random() < 0.5;
    if (whole) {
      // From here on the outcome is unknown until it is answered.
      this.#known.open.delete(position);
    }
    const answer = await this.#client.post('/position/decrease-tx', {
      position_id: position,
      bps: whole ? 10_000 : 1_000,
      owner: this.#client.sandbox.owner,
      slippage_bps: 3_000,
      output: 'allBaseToken',
    });
    const Built = z.object({
      data: z.looseObject({ lastValidBlockHeight: z.int(), closeTxsWithJito: z.array(z.string()), swapTxsWithJito: z.array(z.string()) }),
    });
    if (answer.status === 404) {
      return; // the other worker has left it
    }
    const { data } = good(Built, answer);
    const body = {
      lastValidBlockHeight: data.lastValidBlockHeight,
      closeTxsWithJito: this.#client.sign(data.closeTxsWithJito),
      swapTxsWithJito: this.#client.sign(data.swapTxsWithJito),
    };
    await this.#land('/position/landing-decrease-tx', body, () => whole && this.#known.closed.add(position));
  }

  async #land(path: string, body: object, then: () => void): Promise<void> {
    const answer: Answer = await this.#client.post(path, body);
    if (answer.status === 422) {
      return; // too late, or the other worker was first: nothing has happened
    }
    this.#known.landings.push({ path, body, signature: landed(answer) });
    then();
  }
}
