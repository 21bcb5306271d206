import assert from 'node:assert/strict';
import type { Overview } from '../../../../../src/service/overview';
import type { ClosedPosition, OpenPosition } from '../../../../../src/service/positions';
import type { HistoricalQuery, RevenueQuery, RevenueRow } from '../../../../../src/service/service';
import type { EditorActions, SavedText } from '../../../../../src/ui/shell/editorAccess';
import { overviewPresenter } from '../../../../../src/ui/panels/overview/overviewPresenter';
import type { Presenter } from '../../../../../src/ui/panels/presenter';
import type { Portfolio } from '../../../../../src/portfolio/portfolio';
import { overviewToPanel, type OverviewToHost, type OverviewToPanel } from '../../../../../src/protocol/overview';
import { ScriptedPrompts } from '../../../editor/scriptedPrompts';
import { settledMicrotasks, type FakeClock } from '../../../portfolio/fixtures';
import { PresenterWorld } from '../presenterWorld';
import { closedPage, closedPosition, NEWEST_ROWS, overviewOf } from './fixtures';
import { type ReadableFile, readable } from '../../savedText';

type MessageOf<Kind extends OverviewToPanel['kind']> = Extract<OverviewToPanel, { kind: Kind }>;

/** A window with an overview panel, and a service behind it that does what the test says. */
export class PanelWorld {
  readonly prompts: ScriptedPrompts;
  readonly presenter: Presenter<OverviewToHost>;
  readonly messages: OverviewToPanel[] = [];
  readonly copied: string[] = [];
  readonly saved: ReadableFile[] = [];
  /** What the service was asked for. */
  readonly asked: { overview: number; dammV2: number; revenue: RevenueQuery[]; closed: HistoricalQuery[] } = {
    overview: 0,
    dammV2: 0,
    revenue: [],
    closed: [],
  };
  overview: Overview | undefined = overviewOf();
  /** Of DAMM v2. */
  dammV2: Overview | undefined;
  /** What the service fails with where it is asked for DAMM v2. */
  dammV2Trouble: Error | undefined;
  revenue: readonly RevenueRow[] = [];
  closed: readonly ClosedPosition[] = [];
  open: readonly OpenPosition[] = [];
  /** What the service fails with. */
  trouble: Error | undefined;
  /** What awaits each page of closed positions. */
  beforePage: (query: HistoricalQuery) => Promise<void> = () => Promise.resolve();
  /** What the user does with the dialog for a file. */
  save: (file: SavedText) => Promise<string | undefined> = ({ name }) => Promise.resolve(name);
  readonly #window: PresenterWorld;

  constructor(presses: Readonly<Record<string, string>> = {}) {
    this.prompts = new ScriptedPrompts([], presses);
    const answer = <Answer>(give: () => Answer): Promise<Answer> =>
      this.trouble === undefined ? Promise.resolve(give()) : Promise.reject(this.trouble);
    this.#window = new PresenterWorld({
      openPositions: () => answer(() => ({ items: this.open, warnings: [] })),
      overview: ({ protocol }) => {
        if (protocol !== undefined) {
          assert.equal(protocol, 'meteora_damm_v2');
          this.asked.dammV2 += 1;
          return answer(() => {
            if (this.dammV2Trouble !== undefined) {
              throw this.dammV2Trouble;
            }
            return this.dammV2;
          });
        }
        this.asked.overview += 1;
        return answer(() => this.overview);
      },
      revenue: (query) => {
        this.asked.revenue.push(query);
        return answer(() => ({ items: this.revenue, warnings: [] }));
      },
      closedPositions: async (query, options) => {
        this.asked.closed.push(query);
        await this.beforePage(query);
        options?.signal?.throwIfAborted();
        return answer(() => closedPage(this.closed, query));
      },
    });
    const unexpected = () => Promise.reject(new Error('Not expected of an overview'));
    const actions: EditorActions = {
      showLog: () => assert.fail('Not expected of an overview'),
      copy: (text) => Promise.resolve(void this.copied.push(text)),
      openExternal: unexpected,
      showDocument: unexpected,
      saveText: (file) => {
        this.saved.push(readable(file));
        return this.save(file).then((name) => (name !== undefined && file.isWanted?.() !== false ? name : undefined));
      },
      focusPositions: () => Promise.resolve(void this.#window.done.push('focusPositions')),
      focusActivity: unexpected,
    };
    const dependencies = { ...this.#window.dependencies, actions, prompts: this.prompts };
    this.presenter = overviewPresenter('', dependencies, (message) => {
      // What a webview gets is JSON, and it parses it with this schema.
      this.messages.push(overviewToPanel.parse(JSON.parse(JSON.stringify(message))));
    });
  }

  /** What the ledger of positions answers. */
  set earnings(read: PresenterWorld['earnings']) {
    this.#window.earnings = read;
  }

  get portfolio(): Portfolio {
    return this.#window.portfolio;
  }

  get clock(): FakeClock {
    return this.#window.clock;
  }

  /** What was run in the editor. */
  get executed(): readonly unknown[] {
    return this.#window.done;
  }

  /** How many surfaces say that they show the positions. */
  get shown(): number {
    return this.#window.shown.positions;
  }

  /** The panel is opened, and everything that it asks for at first is there. */
  async start(message: Partial<Extract<OverviewToHost, { kind: 'ready' }>> = {}): Promise<void> {
    await this.portfolio.refresh('startup', ['positions']);
    this.presenter.setVisible(true);
    await this.send({ kind: 'ready', period: 'ALL', range: {}, history: NEWEST_ROWS, ...message });
  }

  /** The panel says something, and what this sets off comes to rest. */
  async send(message: OverviewToHost): Promise<void> {
    this.presenter.receive(message);
    await this.rest();
  }

  async rest(): Promise<void> {
    for (let turns = 0; turns < 20; turns += 1) {
      await settledMicrotasks();
    }
  }

  async changeService(id: string): Promise<void> {
    await this.#window.changeService(id);
    await this.rest();
  }

  /** What the panel was told last of this kind. */
  last<Kind extends OverviewToPanel['kind']>(kind: Kind): MessageOf<Kind> {
    const message = this.messages.findLast((candidate): candidate is MessageOf<Kind> => candidate.kind === kind);
    assert.ok(message, `Nothing was told of ${kind}`);
    return message;
  }

  /** So many closed positions. */
  closePositions(count: number): void {
    this.closed = Array.from({ length: count }, (_, index) => closedPosition(index));
  }
}
