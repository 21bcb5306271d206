import { lazily } from '../shell/lazily';
import type { AutoRebalanceMenu, MenuDependencies } from './autoRebalanceMenu';

/** What automation is made with. */
export type AutoRebalanceDependencies = Omit<MenuDependencies, 'sign'>;

/**
 * Automation, as the window has it from its start: loaded right after it, for it may have been left on. Nothing of it is loaded
 * with the extension itself.
 */
export class AutoRebalance {
  /** Gives what the commands work on, once it has looked whether it is on. */
  readonly desk: () => Promise<AutoRebalanceMenu>;
  private opened: AutoRebalanceMenu | undefined;
  private isDisposed = false;

  constructor(private readonly dependencies: AutoRebalanceDependencies) {
    this.desk = lazily(() => this.open());
  }

  /** Looks whether automation was left on, and goes on with it. */
  begin(): void {
    this.desk().catch(this.dependencies.onError);
  }

  dispose(): void {
    this.isDisposed = true;
    this.opened?.dispose();
  }

  private async open(): Promise<AutoRebalanceMenu> {
    const [{ AutoRebalanceMenu }, { AutoRebalanceStatusBarItem }] = await Promise.all([
      import('./autoRebalanceMenu'),
      import('./statusBarItem'),
    ]);
    const desk = new AutoRebalanceMenu({ ...this.dependencies, sign: new AutoRebalanceStatusBarItem() });
    this.opened = desk;
    if (this.isDisposed) {
      desk.dispose();
    } else {
      await desk.inWindow.begin();
    }
    return desk;
  }
}
