import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { TOOLS, type ToolName } from '../../assistants/definitions';
import type { RunTool } from '../../assistants/runTool';
import { DisposableStore } from '../../base/async/disposables';

const proposals = (): Readonly<Partial<Record<ToolName, string>>> => ({
  binsight_propose_zap_out: l10n.t('Propose a zap-out in Binsight?'),
  binsight_propose_zap_in: l10n.t('Propose a zap-in in Binsight?'),
  binsight_propose_rebalance: l10n.t('Propose a rebalance in Binsight?'),
});

/** Offers the tools to the assistants in VS Code. Package.json describes them. */
export function registerEditorTools(run: RunTool): vscode.Disposable {
  const registered = new DisposableStore();
  for (const name of Object.keys(TOOLS)) {
    registered.add(vscode.lm.registerTool(name, new EditorTool(name, run)));
  }
  return registered;
}

class EditorTool implements vscode.LanguageModelTool<unknown> {
  readonly #name: string;
  readonly #run: RunTool;

  constructor(name: string, run: RunTool) {
    this.#name = name;
    this.#run = run;
  }

  /** A proposal interrupts the user, so VS Code asks before. The values come up in Binsight's own dialog: a model could write anything here. */
  prepareInvocation(): vscode.PreparedToolInvocation {
    const title = Object.entries(proposals()).find(([name]) => name === this.#name)?.[1];
    return title === undefined
      ? {}
      : {
          confirmationMessages: {
            title,
            message: l10n.t('Binsight shows what the assistant proposes. You decide there. Nothing is signed without your confirmation.'),
          },
        };
  }

  async invoke(
    { input }: vscode.LanguageModelToolInvocationOptions<unknown>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const controller = new AbortController();
    const subscription = token.onCancellationRequested(() => controller.abort());
    try {
      const { json } = await this.#run(this.#name, input, controller.signal);
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(json)]);
    } finally {
      subscription.dispose();
    }
  }
}
