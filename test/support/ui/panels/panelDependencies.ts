import { systemClock } from '../../../../src/base/async/clock';
import type { Portfolio } from '../../../../src/portfolio/portfolio';
import { ReadScheduler } from '../../../../src/portfolio/readScheduler';
import type { Ambient } from '../../../../src/protocol/schemas';
import type { LiquidityService } from '../../../../src/service/service';
import { PoolInfos } from '../../../../src/ui/panels/poolInfos';
import type { PresenterDependencies } from '../../../../src/ui/panels/presenter';
import type { EditorActions } from '../../../../src/ui/shell/editorAccess';
import { ScriptedPrompts } from '../../editor/scriptedPrompts';

/** A service, and what a test has besides it in place of the defaults: no RPC, an empty journal, the clock of the system. */
export interface ServiceBehindPanels extends Partial<Omit<PresenterDependencies, 'ambient'>> {
  readonly service: LiquidityService;
  readonly portfolio: Portfolio;
  readonly owner: string;
  readonly ambient?: Partial<Ambient>;
}

/** What presenters of panels work with in front of a real service, outside an editor. */
export function panelDependencies({ service, portfolio, owner, ambient = {}, ...more }: ServiceBehindPanels): PresenterDependencies {
  const clock = more.clock ?? systemClock;
  const none = { dispose: () => undefined };
  const sandbox = { serviceName: 'Sandbox', isSandbox: true, hasExplorer: false, isOwnService: true };
  return {
    portfolio,
    connect: () => Promise.resolve(service),
    poolInfos: new PoolInfos(clock),
    coordinator: { show: () => none, scheduler: new ReadScheduler(clock) },
    serviceId: () => 'service',
    ambient: () => ({ locale: 'en-US', currency: 'usd', owner, canSign: true, ...sandbox, ...ambient }),
    onDidChangeAmbient: () => none,
    rpc: () => Promise.resolve(undefined),
    earnings: { read: () => Promise.resolve({ known: false, why: 'noRpc' }) },
    journal: () => Promise.resolve({ read: () => Promise.resolve({ records: [], problems: [] }) }),
    busy: { has: () => false, onDidChange: () => none },
    defaultSlippageBps: () => 500,
    clock,
    prompts: new ScriptedPrompts(),
    actions: {} as Partial<EditorActions> as EditorActions,
    execute: () => Promise.resolve(),
    watch: () => Promise.resolve(),
    log: () => undefined,
    ...more,
  };
}
