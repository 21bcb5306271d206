import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { DAY_MS } from '../../../src/base/time';
import { Portfolio } from '../../../src/portfolio/portfolio';
import type { OpenPosition } from '../../../src/service/positions';
import { openLocks } from '../../../src/transactions/locks/locks';
import type { OperationResult } from '../../../src/transactions/types';
import { claimAll } from '../../../src/ui/rebalance/claimAll';
import { closePositions } from '../../../src/ui/rebalance/closePositions';
import { BatchOffers, keepBatches } from '../../../src/ui/rebalance/unfinishedBatches';
import { BusyPositions } from '../../../src/ui/shell/busyPositions';
import { readTarget } from '../../../src/ui/shell/commands/runCommand';
import type { Notice } from '../../../src/ui/shell/prompts/prompts';
import { type ScriptedAnswer, ScriptedPrompts } from '../../support/editor/scriptedPrompts';
import { FakeClock, fakeService, openPosition, OTHER_OWNER, OWNER } from '../../support/portfolio/fixtures';
import { fail, MemoryState } from '../../support/ui/memory';

const SETTLED: OperationResult = { kind: 'settled', signature: undefined, position: undefined };
const DECLINED: OperationResult = { kind: 'declined' };
const STATE = 'binsight.unfinishedBatches';
const open = (number: number, part: Partial<OpenPosition> = {}) => openPosition(number, { pairName: `P${number}/SOL`, ...part });
const keysOf = (...numbers: readonly number[]) => numbers.map((number) => open(number).key);
const CLOSE: readonly ScriptedAnswer[] = [{ untick: [] }, { press: 'Close' }];

/** What all windows share. */
class Machine {
  readonly state = new MemoryState();
  readonly clock = new FakeClock();
  listed: readonly OpenPosition[] = [1, 2, 3].map((number) => open(number));
  readonly #windows: Window[] = [];
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  window(answers: readonly ScriptedAnswer[] = [], presses: Readonly<Record<string, string>> = {}): Window {
    const window = new Window(this, this.#folder, answers, presses);
    this.#windows.push(window);
    return window;
  }

  /** Keys of the positions that each kept batch has left. */
  get left(): readonly (readonly string[])[] {
    return ((this.state.get(STATE) ?? []) as readonly { readonly left: readonly string[] }[]).map(({ left }) => left);
  }

  async end(): Promise<void> {
    await Promise.all(this.#windows.map((window) => window.close()));
    await rm(this.#folder, { recursive: true });
  }
}

class Window {
  readonly busy = new BusyPositions(fail);
  readonly prompts: ScriptedPrompts;
  readonly portfolio: Portfolio;
  /** Commands that a notice ran, with the positions that they take. */
  readonly commands: (readonly [id: string, keys: readonly string[] | undefined])[] = [];
  service = 'sandbox';
  /** How often offers asked for the locks. */
  looks = 0;
  /** What it finds in the journal before it offers anything. */
  refreshActivity = (): Promise<void> => Promise.resolve();
  readonly #machine: Machine;
  readonly #locks;
  #offers: BatchOffers | undefined;

  constructor(machine: Machine, folder: string, answers: readonly ScriptedAnswer[], presses: Readonly<Record<string, string>>) {
    this.#machine = machine;
    this.prompts = new ScriptedPrompts(answers, presses);
    this.#locks = openLocks({ folder: join(folder, 'locks'), log: () => undefined });
    this.portfolio = new Portfolio({
      service: () => Promise.resolve(fakeService({ openPositions: () => Promise.resolve({ items: [...machine.listed], warnings: [] }) })),
      log: () => undefined,
      clock: machine.clock,
    });
    this.portfolio.setOwner(OWNER);
  }

  async closePositions(run: (key: string) => Promise<OperationResult>): Promise<void> {
    await closePositions(OWNER, undefined, {
      ...this.#batch(),
      runner: () => Promise.resolve({ close: ({ position }) => run(position.key) }),
      slippageBps: () => 100,
    });
  }

  async claimAll(selected: readonly string[] | undefined, run: (keys: readonly string[]) => Promise<OperationResult>): Promise<void> {
    await claimAll(OWNER, selected, {
      ...this.#batch(),
      claimer: () => Promise.resolve({ claim: (positions) => run(positions.map(({ key }) => key)) }),
    });
  }

  /** Starts and reads the positions; returns what is offered. */
  async start(): Promise<readonly string[]> {
    const { state, clock } = this.#machine;
    this.#offers = new BatchOffers({
      state,
      records: {
        locks: () => {
          this.looks += 1;
          return Promise.resolve(this.#locks);
        },
      },
      service: () => ({ id: this.service }),
      nowMs: () => clock.now(),
      portfolio: this.portfolio,
      activity: { refresh: () => this.refreshActivity() },
      busy: this.busy,
      prompts: this.prompts,
      command: (id, argument) => {
        const target = readTarget(argument, 'positions');
        this.commands.push([id, target?.kind === 'positions' ? target.keys : undefined]);
        return Promise.resolve();
      },
      onError: fail,
    });
    await this.look();
    return this.prompts.notices.map(({ message }) => message);
  }

  async look(): Promise<void> {
    await this.portfolio.refresh('manual', ['positions']);
    await this.#offers?.look();
    // The answer to a notice.
    await setImmediate();
  }

  async close(): Promise<void> {
    this.#offers?.dispose();
    await this.#locks.dispose();
  }

  #batch() {
    const nowMs = () => this.#machine.clock.now();
    const log = () => undefined;
    return {
      prompts: this.prompts,
      portfolio: this.portfolio,
      busy: this.busy,
      keep: keepBatches({
        state: this.#machine.state,
        records: { locks: () => Promise.resolve(this.#locks) },
        service: () => ({ id: this.service }),
        nowMs,
        log,
      }),
      nowMs,
      log,
      actions: { focusActivity: () => Promise.resolve() },
      waiting: { nowMs, log },
    };
  }
}

describe('Batches that a closed window left unfinished', () => {
  let machine: Machine;
  beforeEach(async () => {
    machine = new Machine(await mkdtemp(join(tmpdir(), 'batches-')));
  });
  afterEach(() => machine.end());

  /** Closing three positions, of which the first is closed when the window closes during the second. */
  const interruptedClosing = async (): Promise<void> => {
    const window = machine.window(CLOSE);
    await window.closePositions(async (key) => {
      if (key === open(1).key) {
        machine.listed = machine.listed.slice(1);
        return SETTLED;
      }
      await window.close();
      throw new Error('This window is closing');
    });
  };
  const CONTINUE = { interrupted: 'Continue…' };

  it('keeps what is left from before the first operation to the last, and nothing afterwards', async () => {
    const seen: (readonly (readonly string[])[])[] = [];
    await machine.window(CLOSE).closePositions((key) => {
      seen.push(machine.left);
      return key === open(2).key ? Promise.reject(new Error('The service is down')) : Promise.resolve(SETTLED);
    });
    assert.deepEqual(seen, [[keysOf(1, 2, 3)], [keysOf(2, 3)], [keysOf(3)]]);
    assert.equal(machine.state.get(STATE), undefined);
    assert.deepEqual(await machine.window().start(), []);
  });

  it('keeps the parts of a claim, and nothing once the user stops it', async () => {
    machine.listed = Array.from({ length: 25 }, (_, index) => open(index + 1));
    const counts: (number | undefined)[] = [];
    await machine.window([{ untick: [] }]).claimAll(undefined, () => {
      counts.push(machine.left[0]?.length);
      return Promise.resolve(counts.length === 2 ? DECLINED : SETTLED);
    });
    assert.deepEqual([counts, machine.left], [[25, 13], []]);
  });

  it('keeps nothing where the user escapes the question', async () => {
    await machine.window(['escape']).claimAll(undefined, fail);
    await machine.window(['escape']).closePositions(fail);
    assert.deepEqual(machine.left, []);
  });

  it('the next window says how many are left, and Continue runs the same command on them', async () => {
    await interruptedClosing();
    assert.deepEqual(machine.left, [keysOf(2, 3)]);
    const next = machine.window([], CONTINUE);
    assert.deepEqual(await next.start(), ['Close Positions: interrupted, 2 of 3 positions left.']);
    assert.deepEqual(next.commands, [['binsight.closePositions', keysOf(2, 3)]]);
    assert.deepEqual(machine.left, []);
    await next.look();
    assert.equal(next.prompts.notices.length, 1);
  });

  it('a dismissed offer runs nothing and does not come again', async () => {
    await interruptedClosing();
    const next = machine.window();
    assert.equal((await next.start()).length, 1);
    assert.deepEqual(next.commands, []);
    assert.deepEqual(await machine.window().start(), []);
  });

  it('a claim is continued with what is still worth claiming, and its list shows only that', async () => {
    const window = machine.window([{ untick: [] }]);
    const claim = window.claimAll(undefined, async () => {
      await window.close();
      throw new Error('This window is closing');
    });
    await assert.rejects(claim, /This window is closing/);
    machine.listed = [open(1, { uncollectedFee: { usd: 0, native: 0 } }), open(2), open(3), open(4)];
    const next = machine.window([{ untick: [] }], CONTINUE);
    assert.deepEqual(await next.start(), ['Claim All Fees: interrupted, 2 of 3 positions left.']);
    assert.deepEqual(next.commands, [['binsight.claimAllFees', keysOf(2, 3)]]);
    const claimed: (readonly string[])[] = [];
    await next.claimAll(next.commands[0]?.[1], (keys) => {
      claimed.push(keys);
      return Promise.resolve(SETTLED);
    });
    assert.deepEqual(next.prompts.asked[0]?.shown, ['P2/SOL', 'P3/SOL']);
    assert.deepEqual(claimed, [keysOf(2, 3)]);
  });

  it('nothing is offered while the window that runs the batch is open', async () => {
    const other = machine.window();
    await machine.window(CLOSE).closePositions(async () => {
      assert.deepEqual(await other.start(), []);
      return SETTLED;
    });
    await other.look();
    assert.deepEqual([other.prompts.notices, machine.left], [[], []]);
  });

  it('positions whose operations are unfinished are left out, and waited for if there are no others', async () => {
    await interruptedClosing();
    const next = machine.window([], CONTINUE);
    const unfinished = (keys: readonly string[]): Promise<void> => {
      next.busy.setRecorded(new Set(keys));
      return Promise.resolve();
    };
    next.refreshActivity = () => unfinished(keysOf(2, 3));
    assert.deepEqual(await next.start(), []);
    next.refreshActivity = () => unfinished(keysOf(2));
    await next.look();
    assert.deepEqual(next.commands, [['binsight.closePositions', keysOf(3)]]);
  });

  it('nothing is offered, and nothing kept, once all of the positions are gone', async () => {
    await interruptedClosing();
    machine.listed = [open(4)];
    assert.deepEqual(await machine.window().start(), []);
    assert.deepEqual(machine.left, []);
  });

  it('another wallet and another service are offered nothing; a window that returns to the batch’s own is', async () => {
    await interruptedClosing();
    const next = machine.window();
    next.service = 'solana';
    assert.deepEqual(await next.start(), []);
    next.service = 'sandbox';
    next.portfolio.setOwner(OTHER_OWNER);
    await next.look();
    assert.deepEqual([next.prompts.notices, machine.left], [[], [keysOf(2, 3)]]);
    next.portfolio.setOwner(OWNER);
    await next.look();
    assert.equal(next.prompts.notices.length, 1);
  });

  it('of two windows that offer the same batch, only the first that is answered continues it', async () => {
    await interruptedClosing();
    const [first, second] = [machine.window([], CONTINUE), machine.window()];
    let answered: Promise<unknown> | undefined;
    second.prompts.notify = async <Action extends string>({ actions }: Notice<Action>) => {
      answered = first.start();
      await answered;
      return actions?.[0];
    };
    await second.start();
    await answered;
    await setImmediate();
    assert.deepEqual([first.commands.length, second.commands.length], [1, 0]);
  });

  it('what is a day old, damaged or of another form is not offered, and a start without a batch touches no lock', async () => {
    const rest = { id: 'x', service: 'sandbox', owner: OWNER, of: 3, left: keysOf(1) };
    const atMs = machine.clock.now();
    for (const state of [
      undefined,
      'x',
      [{ ...rest, kind: 'swap', atMs }],
      [{ ...rest, kind: 'close', atMs: atMs - DAY_MS }],
      [{ ...rest, kind: 'close', atMs: atMs + DAY_MS }],
    ]) {
      await machine.state.update(STATE, state);
      const window = machine.window();
      assert.deepEqual([await window.start(), window.looks], [[], 0]);
    }
    await machine.state.update(STATE, [{ ...rest, kind: 'close', atMs: atMs - DAY_MS + 1 }]);
    assert.equal((await machine.window().start()).length, 1);
  });
});
