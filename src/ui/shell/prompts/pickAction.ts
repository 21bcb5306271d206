import type { PickRequest, Prompts } from './prompts';

/** What an entry of a menu does. */
export type MenuAction = () => Promise<void>;

/** Shows a menu and runs the entry that is chosen. */
export async function pickAction(prompts: Pick<Prompts, 'pick'>, request: PickRequest<MenuAction>): Promise<void> {
  const answer = await prompts.pick(request);
  if (answer.kind === 'value') {
    await answer.value();
  }
}
