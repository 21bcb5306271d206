import assert from 'node:assert/strict';
import type { Editor } from '../host/browserEditor.mjs';
import { openEditor } from '../support/browser/openEditor';
import { askService, sandboxOf, setFaults, type ProfileSandbox } from '../support/browser/sandboxOf';
import { panelFrame } from '../support/browser/panels';
import { Dialog, QuickInput, Sidebar } from '../support/browser/sidebar';

/** What a service that was taken over puts into an honest answer, and what has to be said of it. */
const ATTACKS: readonly {
  readonly attack: string;
  readonly what: string;
  readonly start: 'zapOut' | 'zapIn';
  readonly says: readonly RegExp[];
}[] = [
  { attack: 'sendSol', what: "the owner's SOL sent to a stranger", start: 'zapOut', says: [/SYS-1/, /SOL would go to/] },
  {
    attack: 'tokenAuthority',
    what: "the authority over the owner's tokens given away",
    start: 'zapOut',
    says: [/TOK-3/, /give away control/],
  },
  {
    attack: 'plantedAccount',
    what: "tokens sent to an account that is the owner's only until they land",
    start: 'zapOut',
    says: [/TOK-1/, /its creator may be able to replace it/, /to your associated token account/],
  },
  { attack: 'wrongPosition', what: 'another position emptied along with it', start: 'zapOut', says: [/DLMM-1/] },
  { attack: 'overspend', what: 'more SOL spent than was asked for, over two transactions', start: 'zapIn', says: [/LIM-1/, /You entered/] },
  {
    attack: 'sellForDust',
    what: 'SOL swapped for next to nothing',
    start: 'zapIn',
    says: [/SWP-9/, /−99(\.\d+)?% against the price/, /You would lose more than 50%/],
  },
  {
    attack: 'depositOwnTokens',
    what: 'tokens of the wallet deposited behind a swap that nobody lands',
    start: 'zapIn',
    says: [/SWP-9/, /\+.+% against the price that you were shown/, /a deposit may take tokens that were in your wallet before/],
  },
];

// The sandbox plays a service that somebody has taken over. What it builds is as always but for one thing, and nothing of it may be signed.
describe('A hostile service', function () {
  let editor: Editor;
  let quick: QuickInput;
  let dialog: Dialog;
  let sandbox: ProfileSandbox;

  before(async () => {
    editor = await openEditor({});
    quick = new QuickInput(editor.page);
    dialog = new Dialog(editor.page);
    await new Sidebar(editor.page).filled();
    sandbox = await sandboxOf(editor.profile);
  });

  after(() => editor.stop());

  for (const { attack, what, start, says } of ATTACKS) {
    it(`The extension stops a hostile service: ${what}`, async () => {
      const before = await wealth();
      await setFaults(sandbox, [{ kind: 'hostile', attack }]);
      await (start === 'zapOut' ? chooseZapOut() : chooseZapIn());
      const said = await dialog.text();
      await editor.screenshot(`hostile ${attack}`);
      for (const words of [/not signed/i, /Nothing was signed or sent/, ...says]) {
        assert.match(said, words);
      }
      assert.equal(await dialog.button(/sign and send/i).count(), 0, 'there is a way to sign');
      await dialog.press('Cancel');
      assert.deepEqual(await wealth(), before);
      await setFaults(sandbox, []);
    });
  }

  it('The extension works with a service again after it turns honest', async () => {
    await chooseZapOut();
    assert.match(await dialog.text(), /You get: /);
    assert.equal(await dialog.button(/sign and send/i).count(), 1);
    await dialog.press('Cancel');
  });

  /** What the owner has that only a landed transaction can change: positions by address, and SOL in the wallet. */
  async function wealth(): Promise<unknown> {
    const opening = (await askService(sandbox, `/lp-positions/opening?owner=${sandbox.owner}`))['data'] as readonly Readonly<
      Record<string, unknown>
    >[];
    const balances = (await askService(sandbox, `/token/balance?owner=${sandbox.owner}`))['data'] as readonly Readonly<
      Record<string, unknown>
    >[];
    return {
      positions: opening.map(({ position }) => position).sort(),
      balances: balances.map(({ tokenAddress, rawBalance }) => [tokenAddress, rawBalance]),
    };
  }

  async function chooseZapOut(): Promise<void> {
    await editor.runCommand('Binsight: Zap Out…');
    await quick.at('Zap Out');
    await quick.choose('POPKAT/SOL');
    await quick.at('(2/4)');
    await quick.choose('100%');
    await quick.at('(3/4)');
    await quick.choose('swaps');
    await quick.at('(4/4)');
    await quick.choose('3%');
  }

  async function chooseZapIn(): Promise<void> {
    await editor.runCommand('Binsight: Zap In…');
    await quick.at('Zap In');
    await quick.choose('JUPP/SOL');
    const frame = await panelFrame(editor.page, 'pool');
    await frame.getByRole('button', { name: '±10' }).click();
    await frame.getByLabel('SOL to deposit').fill('0.5');
    await frame.getByRole('textbox', { name: 'Max slippage' }).fill('3');
    await frame.locator('vscode-button', { hasText: 'Continue…' }).click();
  }
});
