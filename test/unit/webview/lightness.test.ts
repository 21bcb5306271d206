import assert from 'node:assert/strict';
import * as esbuild from 'esbuild';

/** What a panel may load before it is seen, as it is shipped: bytes of script. */
const MOST_BYTES = 400_000;
const PANELS = ['pool', 'overview', 'position'] as const;

/** A panel's script with all that it loads at once: how large it is, and what it is made of. */
interface Bundle {
  readonly bytes: number;
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
          bytes: outputs.reduce((sum, { bytes }) => sum + bytes, 0),
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

    it(`A panel loads less than ${MOST_BYTES / 1_000} kB: ${panel}`, () => {
      const { bytes, sources } = bundle();
      assert.ok(
        sources.includes(`webview/${panel}/main.ts`) && sources.includes('webview/shared/toolkit.ts'),
        'what it is made of is not what is measured',
      );
      assert.ok(bytes < MOST_BYTES, `${bytes} bytes`);
    });

    it(`A panel loads no code of other panels, of the extension or of the signer: ${panel}`, () => {
      const ours = bundle().sources.filter((source) => !source.includes('node_modules/'));
      assert.deepEqual(
        ours.filter((source) => !new RegExp(`^(webview/(${panel}|shared)|src/(protocol|base/(format|dlmm)))/`).test(source)),
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
