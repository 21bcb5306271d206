import { VIEW } from './names';
import type { StateStore } from './editorAccess';

const INTRODUCED = 'binsight.introduced';

/**
 * Opens the views when Binsight runs on this machine for the first time. Later starts leave the window as it is.
 */
export async function introduceOnce(state: StateStore, execute: (command: string) => Promise<void>): Promise<void> {
  if (state.get(INTRODUCED) === true) {
    return;
  }
  await state.update(INTRODUCED, true);
  await execute(`${VIEW.positions}.focus`);
}
