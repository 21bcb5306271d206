import { Reconciliation } from './activity/reconciliation';
import type { RebalanceRunner } from './rebalance/rebalanceRunner';
import type { Services } from './services';
import { lazily } from './shell/lazily';
import { reviewSettings } from './shell/settings/reviewPolicy';
import type { RunnerDependencies } from './zap/operationDependencies';
import type { OperationRunner } from './zap/operationRunner';

/** Runs operations. The runners load with the first operation. */
export interface Operations {
  readonly dependencies: RunnerDependencies;
  readonly runner: () => Promise<OperationRunner>;
  readonly rebalances: () => Promise<RebalanceRunner>;
}

/** Creates the runners of operations, and resolves operations that closed windows left unfinished. */
export function registerOperations(services: Services): Operations {
  const { disposables, context, log, settings, connection, owners, clock, command } = services;
  const reconciliation = disposables.add(new Reconciliation({ ...services, state: context.globalState, log: log.of('reconciliation') }));
  const dependencies: RunnerDependencies = {
    ...services,
    ...reviewSettings(settings),
    service: services.connect,
    serviceInUse: services.service,
    log: log.of('operations'),
    budget: () => connection.budget,
    nowMs: () => clock.now(),
    began: (operation) => reconciliation.began(operation),
    signer: (owner, cancelled) => owners.signer(owner, cancelled),
  };
  return {
    dependencies,
    runner: lazily(async () => {
      const { OperationRunner } = await import('./zap/operationRunner');
      return new OperationRunner(dependencies);
    }),
    rebalances: lazily(async () => {
      const { RebalanceRunner } = await import('./rebalance/rebalanceRunner');
      return new RebalanceRunner({ ...dependencies, busy: services.busy, command, told: (id) => reconciliation.toldOf(id) });
    }),
  };
}
