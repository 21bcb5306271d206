import { rmSync } from 'node:fs';
import * as z from 'zod';
import { good } from '../support/sandbox/client';
import { copyOfNewWorld } from '../support/sandbox/madeWorld';
import { startSandbox, temporaryFolder } from '../support/sandbox/process';
import { STILL } from '../support/sandbox/useSandbox';
import type { TrialPlan } from './plans';
import { runTrial, type Trial } from './trial';
import { buildWindow, WindowStock } from './windows';
import { World } from './world';

/** Enough for all deposits. */
const PURSE_SOL = 900;
const USUAL_SLOT_MS = 400;

/** A sandbox and its windows. */
interface Lane {
  readonly world: World;
  readonly stock: WindowStock;
  close(): Promise<void>;
}

/** Runs trials in parallel lanes. All trials of a lane share its sandbox. */
export class Lanes {
  readonly #folder: string;
  readonly #lanes: readonly Lane[];

  private constructor(folder: string, lanes: readonly Lane[]) {
    this.#folder = folder;
    this.#lanes = lanes;
  }

  /**
   * @param slotsMs slot lengths of the sandboxes; the lanes take turns
   * @param transactions versions of the transactions that they build
   */
  static async open(count: number, slotsMs: readonly number[] = [USUAL_SLOT_MS], transactions = 'service'): Promise<Lanes> {
    const folder = temporaryFolder();
    const file = await buildWindow(folder);
    const open = (_: unknown, index: number): Promise<Lane> =>
      openLane(file, slotsMs[index % slotsMs.length] ?? USUAL_SLOT_MS, transactions);
    return new Lanes(folder, await Promise.all(Array.from({ length: count }, open)));
  }

  /** Runs all plans and reports each finished trial. */
  async run(plans: readonly TrialPlan[], onTrial: (trial: Trial) => void): Promise<void> {
    const next = plans.values();
    await Promise.all(
      this.#lanes.map(async ({ world, stock }) => {
        for (const plan of next) {
          onTrial(await runTrial(plan, world, stock));
        }
      }),
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.close()));
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

async function openLane(file: string, slotMs: number, transactions: string): Promise<Lane> {
  const data = await copyOfNewWorld({ hasShortPast: true });
  const sandbox = await startSandbox({ data, args: [...(STILL.args ?? []), '--slot-ms', String(slotMs), '--transactions', transactions] });
  const world = new World(sandbox, slotMs);
  const stock = new WindowStock(file);
  good(z.object({}), await world.client.control('airdrop', { owner: sandbox.owner, sol: PURSE_SOL }));
  return {
    world,
    stock,
    close: async () => {
      await stock.dispose();
      await sandbox.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}
