import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { OpenPosition } from '../../../src/service/positions';
import type { Inspection } from '../../../src/ui/services';
import { HttpRecorder } from './httpRecorder';
import { answering, controlSandbox, eventually, withSetting } from './inspect';
import type { ScriptedPrompts } from './scriptedPrompts';

/** Its worth follows the stake, not the price in its pool: shocks hardly change the PnL. */
const STAKED_SOL = 'sandSOL';
/** Far below any range. */
const CRASH_PERCENT = -50;
const BACK_IN_RANGE = /is back in range\./;

/** A notice as a webhook gets it. */
export interface ReceivedNotice {
  readonly kind: string;
  readonly text: string;
  readonly figures?: Readonly<Record<string, number>>;
}

/** What a change of the price does to a figure of the position. */
interface Effect {
  readonly before: number;
  readonly after: number;
  /** The figure as it is shown now. */
  readonly now: () => number;
  /** Changes the price again. */
  readonly repeat: () => Promise<void>;
}

/** A position in a market that stands still but for what is done here, and a webhook for the notices about it. */
export class NoticeWorld {
  readonly #inspection: Inspection;
  readonly #webhook: HttpRecorder;

  private constructor(
    inspection: Inspection,
    webhook: HttpRecorder,
    /** Alone in its pool, and in range. */
    readonly position: OpenPosition,
  ) {
    this.#inspection = inspection;
    this.#webhook = webhook;
  }

  static async start(inspection: Inspection): Promise<NoticeWorld> {
    await controlSandbox(inspection, 'pause');
    await readNow();
    const { positions } = inspection.portfolio.snapshot;
    const position = positions.find(
      ({ poolType, inRange, pool, token0 }) =>
        poolType === 'dlmm' &&
        inRange === true &&
        token0.symbol !== STAKED_SOL &&
        positions.filter((one) => one.pool === pool).length === 1,
    );
    assert.ok(position, 'no position in range is alone in its pool');
    const webhook = await HttpRecorder.start(204);
    await answering(inspection, [{ pick: 'Set Webhook' }, { pick: 'JSON' }, { type: webhook.url }, { type: '' }], async () => {
      await vscode.commands.executeCommand('binsight.webhookMenu');
    });
    return new NoticeWorld(inspection, webhook, position);
  }

  async stop(): Promise<void> {
    await answering(this.#inspection, [{ pick: 'Remove Webhook' }], async () => {
      await vscode.commands.executeCommand('binsight.webhookMenu');
    });
    await this.#webhook.stop();
    await this.comeBack();
    await controlSandbox(this.#inspection, 'resume');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  }

  /** Reads without prompts of its own, so that notices go to those in use. */
  async read(times = 1): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      await readNow();
    }
  }

  crash(): Promise<void> {
    return this.shock(CRASH_PERCENT);
  }

  shock(percent: number): Promise<void> {
    return controlSandbox(this.#inspection, 'shock', { pool: this.position.pool, percent });
  }

  /** Moves the price back to where it was first. */
  comeBack(): Promise<void> {
    return controlSandbox(this.#inspection, 'active-bin', { pool: this.position.pool, binId: this.position.activeBinId });
  }

  /** Comes back into the range, which is noticed if the setting says so: the last notice of a proof, after which none can follow. */
  async comeBackNoticed(prompts: ScriptedPrompts): Promise<void> {
    await this.comeBack();
    await this.read(2);
    await prompts.noticed(BACK_IN_RANGE);
  }

  /** What is told while `work` moves the price out of the range, and while it comes back. */
  async toldDuring(work: (prompts: ScriptedPrompts) => Promise<void>): Promise<readonly string[]> {
    let told: readonly string[] = [];
    await withSetting('binsight.notifications.enteredRange', true, async () => {
      const { notices } = await answering(this.#inspection, [], async (prompts) => {
        await work(prompts);
        await this.comeBackNoticed(prompts);
      });
      told = notices.map(({ message }) => message);
    });
    return told;
  }

  /** Changes the price by so much and back, and gives what that does to a figure. */
  async effectOf(percent: number, figureOf: (shown: OpenPosition) => number | undefined): Promise<Effect> {
    const now = () => figureOf(this.shown) ?? assert.fail('the figure is unknown');
    const repeat = () => this.shock(percent);
    await this.read();
    const before = now();
    await repeat();
    await this.read();
    const after = now();
    await this.comeBack();
    await this.read(2);
    return { before, after, now, repeat };
  }

  /** The position as it is shown. */
  get shown(): OpenPosition {
    const { positions } = this.#inspection.portfolio.snapshot;
    return positions.find(({ key }) => key === this.position.key) ?? assert.fail('the position is not listed');
  }

  /** What the webhook got, in the order in which it came. */
  get received(): readonly ReceivedNotice[] {
    return this.#webhook.requests.flatMap(({ body }) => (JSON.parse(body) as { readonly notices: readonly ReceivedNotice[] }).notices);
  }

  /** The notices of a kind that the webhook got after the first `from`, once there is one. */
  async receivedOf(kind: string, from: number): Promise<readonly ReceivedNotice[]> {
    const found = () => this.received.slice(from).filter((notice) => notice.kind === kind);
    await eventually(`a notice of the kind ${kind} at the webhook`, () => found().length > 0);
    return found();
  }
}

async function readNow(): Promise<void> {
  await vscode.commands.executeCommand('binsight.refresh');
}
