import { VIEW } from './names';
import type { StateStore } from './secretStore';

const INTRODUCED = 'binsight.introduced';

/**
 * Opens the views the first time that Binsight runs on this machine, so that who has just installed it need not look for it.
 * After that the window stays as its user leaves it.
 */
export async function introduceOnce(state: StateStore, execute: (command: string) => Promise<void>): Promise<void> {
  if (state.get(INTRODUCED) === true) {
    return;
  }
  await state.update(INTRODUCED, true);
  await execute(`${VIEW.positions}.focus`);
}
