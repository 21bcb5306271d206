import type { CommandId } from '../../settings/generated/commandIds';
import type { StateStore } from './editorAccess';
import { VIEW } from './names';

const INTRODUCED = 'binsight.introduced';
const OPEN_OVERVIEW: CommandId = 'binsight.openOverview';

/** Set by `npm start`: shows the views at each start. */
export const SHOW_VARIABLE = 'BINSIGHT_SHOW';

export interface IntroductionDependencies {
  /** State of this machine. */
  readonly state: StateStore;
  readonly execute: (command: string) => Promise<void>;
  /** Shows the views at later starts, too. */
  readonly isAlwaysShown: boolean;
  /** Opens the overview beside them at the first start. */
  readonly withOverview: boolean;
}

/** Shows the views and the overview when Binsight runs on this machine for the first time. Later starts leave the window as it is. */
export async function introduce({ state, execute, isAlwaysShown, withOverview }: IntroductionDependencies): Promise<void> {
  const isFirst = state.get(INTRODUCED) !== true;
  if (isFirst) {
    await state.update(INTRODUCED, true);
  }
  if (isFirst || isAlwaysShown) {
    await execute(`${VIEW.positions}.focus`);
  }
  if (isFirst && withOverview) {
    await execute(OPEN_OVERVIEW);
  }
}
