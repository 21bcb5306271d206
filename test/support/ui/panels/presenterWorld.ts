import assert from 'node:assert/strict';
import type { OpenPosition } from '../../../../src/service/positions';
import type { LiquidityService } from '../../../../src/service/service';
import { BusyPositions } from '../../../../src/ui/shell/busyPositions';
import type { EditorActions } from '../../../../src/ui/shell/editorAccess';
import { PoolInfos } from '../../../../src/ui/panels/poolInfos';
import type { PresenterDependencies } from '../../../../src/ui/panels/presenter';
import type { Prompts } from '../../../../src/ui/shell/prompts/prompts';
import { Emitter } from '../../../../src/base/async/emitter';
import { Portfolio } from '../../../../src/portfolio/portfolio';
import { ReadScheduler } from '../../../../src/portfolio/readScheduler';
import type { ListName } from '../../../../src/portfolio/types';
import type { Ambient } from '../../../../src/protocol/schemas';
import type { Address } from '../../../../src/base/solana/address';
import type { EarningsReader } from '../../../../src/transactions/earnings/earnings';
import type { OperationRecord } from '../../../../src/transactions/journal/types';
import type { SolanaRpc } from '../../../../src/rpc/types';
import { fakeService, FakeClock, OWNER, settledMicrotasks } from '../../portfolio/fixtures';
import { fail } from '../memory';

/** What a presenter works with, made of the real portfolio and a service of which only some methods answer. */
export class PresenterWorld {
  readonly clock = new FakeClock();
  readonly busy = new BusyPositions(fail);
  readonly ambientChanges = new Emitter<undefined>(fail);
  /** What was run: commands with their arguments, addresses that were copied or watched, notices. */
  readonly done: unknown[] = [];
  readonly logged: string[] = [];
  /** How many surfaces say that they show the list. */
  readonly shown: Record<ListName, number> = { positions: 0, pools: 0 };
  readonly portfolio: Portfolio;
  readonly dependencies: PresenterDependencies;
  serviceId = 'sandbox';
  owner: Address | undefined = OWNER;
  positions: readonly OpenPosition[] = [];
  rpc: SolanaRpc | undefined;
  slippageBps = 100;
  /** What calls of the service reject with, if anything. */
  connectError: Error | undefined;

  constructor(methods: Partial<LiquidityService>) {
    const service = fakeService({ openPositions: () => Promise.resolve({ items: this.positions, warnings: [] }), ...methods });
    const connect = (): Promise<LiquidityService> =>
      this.connectError === undefined ? Promise.resolve(service) : Promise.reject(this.connectError);
    this.portfolio = new Portfolio({ service: connect, log: () => undefined, clock: this.clock });
    this.portfolio.setOwner(OWNER);
    const actions = { copy: (text: string) => this.#does('copy', text) } as Partial<EditorActions> as EditorActions;
    const prompts = {
      notify: ({ message }: { readonly message: string }) => this.#does('notify', message).then(() => undefined),
    } as Partial<Prompts> as Prompts;
    this.dependencies = {
      portfolio: this.portfolio,
      coordinator: {
        scheduler: new ReadScheduler(this.clock),
        show: (list) => {
          this.shown[list] += 1;
          return { dispose: () => void (this.shown[list] -= 1) };
        },
      },
      connect,
      poolInfos: new PoolInfos(this.clock),
      serviceId: () => this.serviceId,
      ambient: () => this.ambient,
      onDidChangeAmbient: (listener) => this.ambientChanges.on(listener),
      rpc: () => Promise.resolve(this.rpc),
      earnings: { read: (subject, readLogs, options) => this.earnings(subject, readLogs, options) },
      journal: () => Promise.resolve({ read: () => Promise.resolve({ records: this.records, problems: [] }) }),
      busy: this.busy,
      defaultSlippageBps: () => this.slippageBps,
      clock: this.clock,
      prompts,
      actions,
      execute: (command, argument) => this.#does(command, argument),
      watch: (address) => this.#does('watch', address),
      log: (level, message) => void this.logged.push(`${level}: ${message}`),
    };
  }

  isOwnService = false;
  /** Operations in the journal. */
  records: readonly OperationRecord[] = [];

  /** What the ledger of positions answers. */
  earnings: EarningsReader['read'] = () => Promise.resolve({ known: false, why: 'noRpc' });

  get ambient(): Ambient {
    return {
      isOwnService: this.isOwnService,
      locale: 'en',
      currency: 'usd',
      serviceName: this.serviceId,
      isSandbox: this.serviceId === 'sandbox',
      hasExplorer: this.serviceId !== 'sandbox',
      owner: this.portfolio.snapshot.owner,
      canSign: true,
    };
  }

  /** Lists the positions again, as the tree's polling does. */
  async list(positions: readonly OpenPosition[]): Promise<void> {
    this.positions = positions;
    await this.portfolio.refresh('manual', ['positions']);
    await settledMicrotasks();
  }

  /** Another service takes the place of the present one, as a session does it. */
  async changeService(id: string): Promise<void> {
    this.serviceId = id;
    this.portfolio.reset();
    this.ambientChanges.fire(undefined);
    await settledMicrotasks();
  }

  #does(what: string, argument: unknown): Promise<void> {
    this.done.push([what, argument]);
    return Promise.resolve();
  }
}

/** A schema of the protocol. */
interface Schema<Message> {
  parse(value: unknown): Message;
}

/** The other end of a presenter: keeps what it was told last, by kind, after the way that messages go (JSON, then the schema). */
export class ToldPanel<Message extends { readonly kind: string }> {
  readonly #last = new Map<string, Message>();
  readonly #schema: Schema<Message>;
  readonly #waiting = new Set<() => void>();
  /** How many messages came. */
  count = 0;

  constructor(schema: Schema<Message>) {
    this.#schema = schema;
  }

  readonly post = (message: Message): void => {
    const received = this.#schema.parse(JSON.parse(JSON.stringify(message)));
    this.#last.set(received.kind, received);
    this.count += 1;
    this.#waiting.forEach((look) => look());
  };

  /** Resolves once the panel was told this much; the test's own time limit ends the wait. */
  until(holds: (panel: this) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (holds(this)) {
          this.#waiting.delete(look);
          resolve();
        }
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** Whether it was told anything of this kind. */
  knows(kind: Message['kind']): boolean {
    return this.#last.has(kind);
  }

  /** What it was told last of this kind; fails where it never was. */
  told<Kind extends Message['kind']>(kind: Kind): Extract<Message, { readonly kind: Kind }> {
    const message = this.#last.get(kind);
    assert.ok(message !== undefined, `nothing was told of ${kind}`);
    return message as Extract<Message, { readonly kind: Kind }>;
  }
}
