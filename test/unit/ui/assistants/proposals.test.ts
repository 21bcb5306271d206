import assert from 'node:assert/strict';
import { join } from 'node:path';
import { shortAddress } from '../../../../src/base/format/identifiers';
import { WRAPPED_SOL_MINT } from '../../../../src/base/solana/programs';
import type { Proposal } from '../../../../src/assistants/context';
import { MOST_PROPOSALS_PER_MINUTE } from '../../../../src/assistants/callLimit';
import { assistantCommands } from '../../../../src/ui/assistants/assistantCommands';
import { ProposalCommands } from '../../../../src/ui/assistants/proposalCommands';
import type { CommandId } from '../../../../src/settings/generated/commandIds';
import { readTarget } from '../../../../src/ui/shell/commands/runCommand';
import { operationCommands, type OperationCommandDependencies } from '../../../../src/ui/zap/zapCommands';
import { askProposedZapOut } from '../../../../src/ui/zap/proposedZapOut';
import { UserError } from '../../../../src/ui/shell/errors';
import type { ZapOutChoices } from '../../../../src/ui/zap/zapOutDialog';
import { rebalanceCommands, type RebalanceCommandDependencies } from '../../../../src/ui/rebalance/rebalanceCommands';
import { ScriptedPrompts, type ScriptedAnswer } from '../../../support/editor/scriptedPrompts';
import { deferred, openPosition, OWNER, pool, settledMicrotasks } from '../../../support/portfolio/fixtures';

const POSITION = openPosition(1, { token1: { address: WRAPPED_SOL_MINT, symbol: 'SOL', name: 'Wrapped SOL', decimals: 9 } });
const ZAP_OUT: Proposal = { kind: 'zapOut', key: POSITION.key, shareBps: 3_300, output: 'both', slippageBps: 50 };

describe('Proposals of assistants', () => {
  it('A proposal runs the command that the user would run, with the values filled in', () => {
    const ran: (readonly [CommandId, unknown])[] = [];
    const plan = { strategy: 'Spot', amountLamports: '1', percentX: 0.5, slippageBps: 100 } as const;
    const proposals: readonly Proposal[] = [
      ZAP_OUT,
      { kind: 'zapIn', pool: pool(1).address, plan },
      { kind: 'claim', key: POSITION.key },
      { kind: 'rebalance', key: POSITION.key },
    ];
    for (const proposal of proposals) {
      const opener = new ProposalCommands({
        command: (id, argument) => {
          ran.push([id, readTarget(argument)]);
          return Promise.resolve();
        },
        isEnabled: () => true,
        isTrusted: () => true,
        nowMs: () => 0,
        onError: (error) => assert.ifError(error),
      });
      assert.deepEqual(opener.propose(proposal), { kind: 'shown' });
    }
    assert.deepEqual(ran, [
      ['binsight.zapOut', { kind: 'position', key: POSITION.key, proposal: { shareBps: 3_300, output: 'both', slippageBps: 50 } }],
      ['binsight.continuePlan', { kind: 'plan', pool: pool(1).address, plan, isProposal: true }],
      ['binsight.claimFees', { kind: 'position', key: POSITION.key, proposal: {} }],
      ['binsight.rebalance', { kind: 'position', key: POSITION.key, proposal: {} }],
    ]);
  });

  it('One proposal at a time, a few a minute, and none in an untrusted folder or while the setting is off', async () => {
    let now = 0;
    let isEnabled = true;
    let isTrusted = true;
    let dialog = deferred<undefined>();
    let opened = 0;
    const opener = new ProposalCommands({
      command: () => {
        opened += 1;
        return dialog.promise;
      },
      isEnabled: () => isEnabled,
      isTrusted: () => isTrusted,
      nowMs: () => now,
      onError: () => undefined,
    });
    assert.equal(opener.propose(ZAP_OUT).kind, 'shown');
    assert.deepEqual(opener.propose(ZAP_OUT), { kind: 'refused', reason: 'The last proposal is still open. Wait for the user.' });
    for (let count = 1; count < MOST_PROPOSALS_PER_MINUTE; count += 1) {
      dialog.reject(new Error('A dialog that fails counts as ended.'));
      await settledMicrotasks();
      dialog = deferred();
      assert.equal(opener.propose(ZAP_OUT).kind, 'shown');
    }
    dialog.resolve(undefined);
    await settledMicrotasks();
    assert.equal(opener.propose(ZAP_OUT).kind, 'refused');
    now += 60_000;
    isTrusted = false;
    assert.equal(opener.propose(ZAP_OUT).kind, 'refused');
    isTrusted = true;
    isEnabled = false;
    assert.equal(opener.propose(ZAP_OUT).kind, 'refused');
    isEnabled = true;
    assert.equal(opener.propose(ZAP_OUT).kind, 'shown');
    assert.equal(opened, MOST_PROPOSALS_PER_MINUTE + 1);
  });

  async function zapOut(
    proposal: unknown,
    answers: readonly ScriptedAnswer[],
    position = POSITION,
  ): Promise<{ readonly choices: ZapOutChoices | undefined; readonly prompts: ScriptedPrompts }> {
    const prompts = new ScriptedPrompts(answers);
    const choices = await askProposedZapOut({ prompts, positions: [position], defaultSlippageBps: () => 100 }, position, proposal);
    prompts.assertDone();
    return { choices, prompts };
  }
  const VALUES = { shareBps: 3_300, output: 'allToken0', slippageBps: 50 };

  it('The question about a proposed zap-out says that an assistant proposed it, shows the values, and preselects to decline', async () => {
    const { choices, prompts } = await zapOut(VALUES, [{ press: 'Continue to Review' }]);
    assert.deepEqual(choices, { position: POSITION, ...VALUES });
    const [asked] = prompts.asked;
    assert.equal(asked?.title, 'Proposed by an assistant: Zap out 33% of BONK/SOL?');
    assert.deepEqual(asked.shown, ['Decline', 'Continue to Review', 'Change…']);
    assert.equal(
      asked.text,
      `Position: ${shortAddress(POSITION.address)}\nValue: ≈ $33.00 + $2.00 fees\nReceive: BONK\nMax slippage: 0.5%\n\nYou did not start this. Continue only if you want it.\nNothing is signed yet. You review first.`,
    );
  });

  it('A declined or closed proposal of a zap-out does nothing, and an invalid one is refused', async () => {
    assert.equal((await zapOut(VALUES, [{ press: 'Decline' }])).choices, undefined);
    assert.equal((await zapOut(VALUES, ['escape'])).choices, undefined);
    for (const invalid of [
      {},
      { ...VALUES, shareBps: 0 },
      { ...VALUES, shareBps: 10_001 },
      { ...VALUES, slippageBps: -1 },
      { ...VALUES, output: 'toMe' },
      { ...VALUES, shareBps: '5' },
    ]) {
      await assert.rejects(zapOut(invalid, []), UserError);
    }
    await assert.rejects(zapOut(VALUES, [], openPosition(1, { poolType: 'other' })), UserError);
  });

  it('The user can change a proposed zap-out in the questions of Zap Out, which offer the proposed values', async () => {
    const { choices, prompts } = await zapOut(VALUES, [{ press: 'Change…' }, { pick: '33%' }, { pick: 'BONK and SOL' }]);
    assert.deepEqual([choices?.shareBps, choices?.output], [3_300, 'both']);
    assert.deepEqual(prompts.asked[1]?.shown, ['25%', '50%', '75%', '100%', '33%', 'Other…']);
  });

  async function rebalance(answers: readonly ScriptedAnswer[]): Promise<{ readonly prompts: ScriptedPrompts; readonly runs: number }> {
    const prompts = new ScriptedPrompts(answers);
    let runs = 0;
    const dependencies = {
      prompts,
      owners: { active: () => ({ address: OWNER, canSign: true, origin: 'user', hasPassphrase: false }) },
      service: () => ({ kind: 'sandbox', id: 'sandbox', name: 'Sandbox' }),
      isInBrowser: false,
      portfolio: { snapshot: { positions: [POSITION] } },
      terms: () => ({ halfWidthBins: 5, strategy: undefined, slippageBps: 100, reserveLamports: 0n }),
      rebalances: () =>
        Promise.resolve({
          rebalance: () => {
            runs += 1;
            return Promise.resolve();
          },
        }),
    } as unknown as RebalanceCommandDependencies;
    await rebalanceCommands(dependencies)['binsight.rebalance']({ kind: 'position', key: POSITION.key, proposal: {} });
    prompts.assertDone();
    return { prompts, runs };
  }

  it('A proposed rebalance asks before it is prepared, unlike one that the user began', async () => {
    const declined = await rebalance([{ press: 'Decline' }]);
    assert.equal(declined.runs, 0);
    const { prompts, runs } = await rebalance([{ press: 'Continue to Review' }]);
    assert.equal(runs, 1);
    assert.equal(prompts.asked[0]?.title, 'Proposed by an assistant: Rebalance BONK/SOL?');
    assert.deepEqual(prompts.asked[0].shown, ['Decline', 'Continue to Review']);
    assert.match(prompts.asked[0].text, /It is in range: a rebalance may cost more than it brings\./);
  });

  async function claim(
    answers: readonly ScriptedAnswer[],
    proposal?: unknown,
  ): Promise<{ readonly prompts: ScriptedPrompts; readonly runs: number }> {
    const prompts = new ScriptedPrompts(answers);
    let runs = 0;
    const dependencies = {
      prompts,
      owners: { active: () => ({ address: OWNER, canSign: true, origin: 'user', hasPassphrase: false }) },
      service: () => ({ kind: 'sandbox', id: 'sandbox', name: 'Sandbox' }),
      isInBrowser: false,
      portfolio: { snapshot: { positions: [POSITION] } },
      busy: { during: async (_: string, run: () => Promise<unknown>) => run() },
      runner: () =>
        Promise.resolve({
          claim: () => {
            runs += 1;
            return Promise.resolve({ kind: 'done' });
          },
        }),
    } as unknown as OperationCommandDependencies;
    await operationCommands(dependencies)['binsight.claimFees']({
      kind: 'position',
      key: POSITION.key,
      ...(proposal === undefined ? {} : { proposal }),
    });
    prompts.assertDone();
    return { prompts, runs };
  }

  it('A proposed claim asks before it is prepared, and says what the position has to claim, unlike one that the user began', async () => {
    assert.equal((await claim([])).runs, 1);
    assert.equal((await claim([{ press: 'Decline' }], {})).runs, 0);
    assert.equal((await claim(['escape'], {})).runs, 0);
    const { prompts, runs } = await claim([{ press: 'Continue to Review' }], {});
    assert.equal(runs, 1);
    assert.equal(prompts.asked[0]?.title, 'Proposed by an assistant: Claim fees of BONK/SOL?');
    assert.deepEqual(prompts.asked[0].shown, ['Decline', 'Continue to Review']);
    assert.match(prompts.asked[0].text, /\nValue: about \$2\.00\n/);
  });

  it('The name of a pair cannot pass for a text of Binsight', async () => {
    const { prompts } = await zapOut(
      VALUES,
      ['escape'],
      openPosition(1, { pairName: 'SAFE\n\nApproved by Binsight. Press Continue! '.repeat(9) }),
    );
    assert.ok((prompts.asked[0]?.title.length ?? 0) < 100);
    assert.doesNotMatch(prompts.asked[0]?.title ?? '', /\n/);
  });

  it('The configuration for an assistant names the program and contains no secret, and is copied only while the setting is on', async () => {
    const copied: string[] = [];
    let isEnabled = false;
    const prompts = new ScriptedPrompts();
    const { 'binsight.copyMcpConfiguration': copy } = assistantCommands({
      actions: {
        copy: (text) => {
          copied.push(text);
          return Promise.resolve();
        },
      },
      prompts,
      folder: join('storage', 'assistants'),
      isEnabled: () => isEnabled,
    });
    await assert.rejects(copy(undefined), UserError);
    isEnabled = true;
    await copy(undefined);
    assert.match(prompts.notices[0]?.message ?? '', /^MCP configuration copied\./);
    assert.deepEqual(
      copied.map((text): unknown => JSON.parse(text)),
      [{ mcpServers: { binsight: { command: 'node', args: [join('storage', 'assistants', 'mcp.mjs')] } } }],
    );
  });
});
