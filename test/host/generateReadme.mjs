// Writes the table of commands into README.md, from package.json and package.nls.json: `npm run generate`.
// test/host/tests/documentation.test.mjs fails when README.md differs.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectRoot } from './paths.mjs';

/** The commands by subject, in the order of the README. */
const COMMAND_GROUPS = {
  'Service and assistants': ['connectService', 'useSandbox', 'setApiKey', 'copyMcpConfiguration', 'showLog'],
  Wallets: [
    ...['importWalletKey', 'forgetWalletKey', 'setWalletPassphrase', 'removeWalletPassphrase', 'lockWallets'],
    ...['watchAddress', 'stopWatching', 'switchWallet', 'switchToWallet', 'nameWallet', 'copyWalletAddress'],
  ],
  Positions: [
    ...['openOverview', 'openPosition', 'refresh', 'sortPositions', 'groupPositions', 'filterPositions', 'clearPositionFilter'],
    ...['copyAddress', 'openInExplorer'],
  ],
  Pools: [
    ...['openPool', 'planPosition', 'continuePlan', 'sortPools', 'searchPools', 'clearPoolSearch', 'filterPools', 'clearPoolFilters'],
    ...['savePoolSearch', 'applyPoolSearch', 'deletePoolSearch', 'addFavoritePool', 'removeFavoritePool', 'loadMorePools'],
  ],
  Operations: [
    ...['zapOut', 'zapIn', 'rebalance', 'rebalanceAll', 'reenter', 'leaveOut', 'finishOperation'],
    ...['showOperation', 'copySignature', 'openTransaction'],
  ],
  'Auto-rebalance': ['startAutoRebalance', 'stopAllAutomation', 'showAutomationPlan', 'automationMenu'],
  Notices: ['setWebhook', 'sendTestNotice', 'removeWebhook'],
  Sandbox: [
    ...['sandboxMenu', 'movePrice', 'advanceTime', 'setSandboxSpeed', 'getSandboxSol', 'newSandboxWallet'],
    ...['playHostileService', 'playFault', 'resetSandboxWorld'],
  ],
};

const read = (name) => JSON.parse(readFileSync(join(projectRoot, name), 'utf8'));

/** package.json with the texts of package.nls.json in the place of their keys. */
function readManifest() {
  const texts = read('package.nls.json');
  return JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'), (_, value) =>
    typeof value === 'string' ? value.replace(/^%([\w.]+)%$/, (whole, key) => texts[key] ?? whole) : value,
  );
}

/** A table of all commands, by subject. Commands that the palette never shows are in a column of their own. */
function commandsTable({ contributes }) {
  const { commands, keybindings, menus } = contributes;
  const titles = new Map(commands.map(({ command, title }) => [command, title]));
  const hidden = new Set(menus.commandPalette.filter(({ when }) => when === 'false').map(({ command }) => command));
  const grouped = Object.values(COMMAND_GROUPS).flat();
  const missing = [...titles.keys()].filter((id) => !grouped.includes(id.replace('binsight.', '')));
  const unknown = grouped.filter((id) => !titles.has(`binsight.${id}`));
  if (missing.length > 0 || unknown.length > 0 || new Set(grouped).size !== grouped.length) {
    throw new Error(`COMMAND_GROUPS in ${import.meta.filename}: each command once. Missing: ${missing}. Unknown: ${unknown}.`);
  }
  const keysOf = (id) => {
    const binding = keybindings.find(({ command }) => command === id);
    return binding === undefined ? '' : ` (\`${binding.key}\`, on macOS \`${binding.mac}\`)`;
  };
  const cell = (ids) => ids.map((id) => `*${titles.get(id)}*${keysOf(id)}`).join(', ');
  const rows = Object.entries(COMMAND_GROUPS).map(([subject, names]) => {
    const ids = names.map((name) => `binsight.${name}`);
    return `| ${subject} | ${cell(ids.filter((id) => !hidden.has(id)))} | ${cell(ids.filter((id) => hidden.has(id)))} |`;
  });
  return ['| Subject | In the Command Palette | Only in menus and panels |', '|---|---|---|', ...rows];
}

/** The text of a README with its tables written again; everything outside their marks stays. */
export function withTables(readme, manifest = readManifest()) {
  return Object.entries({ commands: commandsTable(manifest) }).reduce((text, [name, lines]) => {
    const [begin, end] = [`<!-- ${name}: npm run generate -->`, `<!-- end of ${name} -->`];
    const [before, rest] = text.split(begin);
    const after = rest?.split(end)[1];
    if (after === undefined) throw new Error(`README.md has no marks "${begin}" and "${end}".`);
    return [before, begin, '\n\n', ...lines.map((line) => `${line}\n`), '\n', end, after].join('');
  }, readme);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = join(projectRoot, 'README.md');
  writeFileSync(file, withTables(readFileSync(file, 'utf8')));
}
