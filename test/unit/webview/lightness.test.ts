import assert from 'node:assert/strict';
import * as esbuild from 'esbuild';

const PANELS = ['pool', 'overview', 'position'] as const;

/** What a panel's script is made of, with all that it loads at once. */
interface Bundle {
  readonly sources: readonly string[];
  readonly toolkitFrom: readonly string[];
}

/** Builds the panels as esbuild.mjs does, in memory. */
async function bundles(): Promise<ReadonlyMap<string, Bundle>> {
  const { metafile } = await esbuild.build({
    entryPoints: PANELS.map((panel) => ({ in: `webview/${panel}/main.ts`, out: panel })),
    outdir: 'nowhere',
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    mainFields: ['module', 'main'],
    alias: { '@vscode/l10n': '@vscode/l10n/dist/browser.js' },
    legalComments: 'none',
    logLevel: 'silent',
  });
  const loadedWith = (path: string, loaded = new Set<string>()): ReadonlySet<string> => {
    if (!loaded.has(path)) {
      loaded.add(path);
      metafile.outputs[path]?.imports.filter(({ kind }) => kind === 'import-statement').forEach((next) => loadedWith(next.path, loaded));
    }
    return loaded;
  };
  return new Map(
    PANELS.map((panel) => {
      const outputs = [...loadedWith(`nowhere/${panel}.js`)].map((path) => metafile.outputs[path] ?? assert.fail(`${path} is not built`));
      const sources = outputs.flatMap(({ inputs }) => Object.keys(inputs));
      return [
        panel,
        {
          sources,
          toolkitFrom: sources.filter(
            (source) =>
              !source.includes('node_modules/') &&
              metafile.inputs[source]?.imports.some(({ path }) => path.includes('webview-ui-toolkit')) === true,
          ),
        },
      ];
    }),
  );
}

describe('Code that a panel loads', () => {
  let built: ReadonlyMap<string, Bundle>;
  before(async () => {
    built = await bundles();
  });

  for (const panel of PANELS) {
    const bundle = (): Bundle => built.get(panel) ?? assert.fail(`there is no ${panel} panel`);

    it(`A panel loads no code of other panels, of the extension or of the signer: ${panel}`, () => {
      const ours = bundle().sources.filter((source) => !source.includes('node_modules/'));
      assert.ok(ours.includes(`webview/${panel}/main.ts`), 'what it is made of is not what is built');
      assert.deepEqual(
        ours.filter(
          (source) =>
            !new RegExp(`^(webview/(${panel}|shared)|src/(protocol|base/(format|dlmm|insight)))/|^src/base/tokenFacts\\.ts$`).test(source),
        ),
        [],
      );
    });

    it(`A panel loads the toolkit from one file only, and zod without its locales: ${panel}`, () => {
      const { toolkitFrom, sources } = bundle();
      assert.deepEqual(toolkitFrom, ['webview/shared/toolkit.ts']);
      assert.deepEqual(
        sources.filter((source) => /node_modules\/zod\/.*\/locales\/(?!en\.)/.test(source)),
        [],
      );
    });
  }
});
