import { lazily } from '../shell/lazily';
import type { AutoRebalanceMenu, MenuDependencies } from './autoRebalanceMenu';

export type AutoRebalanceDependencies = Omit<MenuDependencies, 'sign'>;

/** Loads auto-rebalance right after the window has started, since it may have been left on, and not with the extension itself. */
export class AutoRebalance {
  /** Resolves once it is known whether auto-rebalance is on. */
  readonly desk: () => Promise<AutoRebalanceMenu>;
  #opened: AutoRebalanceMenu | undefined;
  #isDisposed = false;

  readonly #dependencies: AutoRebalanceDependencies;

  constructor(dependencies: AutoRebalanceDependencies) {
    this.#dependencies = dependencies;

    this.desk = lazily(() => this.#open());
  }

  /** Continues auto-rebalance if it was left on. */
  begin(): void {
    this.desk().catch(this.#dependencies.onError);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#opened?.dispose();
  }

  async #open(): Promise<AutoRebalanceMenu> {
    const [{ AutoRebalanceMenu }, { AutoRebalanceStatusBarItem }] = await Promise.all([
      import('./autoRebalanceMenu'),
      import('./statusBarItem'),
    ]);
    const desk = new AutoRebalanceMenu({ ...this.#dependencies, sign: new AutoRebalanceStatusBarItem() });
    this.#opened = desk;
    if (this.#isDisposed) {
      desk.dispose();
    } else {
      await desk.inWindow.begin();
    }
    return desk;
  }
}
