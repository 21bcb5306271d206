import * as l10n from '@vscode/l10n';
import type { Prompts } from '../shell/prompts/prompts';

/** The remote of a window, for a Binsight that runs outside of it. */
export interface Remote {
  /** What VS Code calls its kind: `wsl`. */
  readonly kind: string;
  /** Makes Binsight run in remotes, and reloads the window. */
  readonly move: () => Promise<void>;
}

/** Kinds of remotes, by their names in VS Code. Names, not to be translated. */
const NAMES: Readonly<Record<string, string>> = {
  wsl: 'WSL',
  'ssh-remote': 'SSH',
  'dev-container': 'Dev Container',
  'attached-container': 'Container',
};

export function nameOfRemote({ kind }: Pick<Remote, 'kind'>): string {
  return NAMES[kind] ?? kind;
}

/** Moves Binsight into the remote, where the sandbox may run, if the user agrees: keys are then used there. */
export async function moveToRemote(remote: Remote, prompts: Pick<Prompts, 'confirm'>): Promise<void> {
  const name = nameOfRemote(remote);
  const move = l10n.t('Move and Reload');
  const answer = await prompts.confirm({
    severity: 'warning',
    message: l10n.t`Run Binsight in ${name}?`,
    detail: l10n.t`Binsight then runs there in all windows with a remote, with the wallets and keys of that machine. Records of operations stay here. After the reload, install it in ${name} from the Extensions view. To undo this, change the setting remote.extensionKind.`,
    actions: [move],
  });
  if (answer === move) {
    await remote.move();
  }
}
