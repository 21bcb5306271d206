import { lazily } from '../lazily';
import type { AutomationDesk, DeskDependencies } from './desk';

/** What automation is made with. */
export type AutomationDependencies = Omit<DeskDependencies, 'sign'>;

/**
 * Automation, as the window has it from its start: loaded right after it, for it may have been left on. Nothing of it is loaded
 * with the extension itself.
 */
export class Automation {
  /** Gives what the commands work on, once it has looked whether it is on. */
  readonly desk: () => Promise<AutomationDesk>;
  private opened: AutomationDesk | undefined;
  private isDisposed = false;

  constructor(private readonly dependencies: AutomationDependencies) {
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

  private async open(): Promise<AutomationDesk> {
    const [{ AutomationDesk }, { StatusBarSign }] = await Promise.all([import('./desk'), import('./sign')]);
    const desk = new AutomationDesk({ ...this.dependencies, sign: new StatusBarSign() });
    this.opened = desk;
    if (this.isDisposed) {
      desk.dispose();
    } else {
      await desk.inWindow.begin();
    }
    return desk;
  }
}
