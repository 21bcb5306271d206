import { told } from '../../../src/base/reasons/reason';
import assert from 'node:assert/strict';
import { WRAPPED_SOL_MINT } from '../../../src/base/solana/programs';
import { isEnd, maySettle } from '../../../src/transactions/journal/states';
import type { JournalTokens } from '../../../src/transactions/journal/plans';
import type { OperationRecord } from '../../../src/transactions/journal/types';
import type { LinesNotKnown, OperationLines } from '../../../src/transactions/earnings/operationLines';
import { dammPosition } from '../../../src/base/solana/pda';
import { positionNames } from '../../../src/ui/positions/positionList';
import { Activity, NO_NAMES } from '../../../src/ui/activity/activity';
import { activityCommands, openTransaction } from '../../../src/ui/activity/activityCommands';
import { namesOfRecords } from '../../../src/ui/activity/operationNames';
import { operationDocument, operationTooltip } from '../../../src/ui/activity/operationDocument';
import {
  mainSignature,
  operationRow,
  partsOf,
  problemRow,
  recordedPositions,
  stepRows,
  topLevel,
  unconfirmedBadge,
} from '../../../src/ui/activity/operationRows';
import { SANDBOX } from '../../../src/ui/shell/serviceChoice';
import { readTarget } from '../../../src/ui/shell/commands/runCommand';
import { type OpenTask, openTasksOf } from '../../../src/ui/shell/openTasks';
import { activityViewState } from '../../../src/ui/shell/views/viewState';
import { isUnconfirmed, isUnfinished } from '../../../src/ui/zap/operationMessages';
import { addressOf, openPosition } from '../../support/portfolio/fixtures';
import {
  ABANDONED,
  LEADING_TO,
  OTHER_SIGNATURE,
  REBALANCE,
  record,
  SETTLED,
  ShownJournal,
  SIGNATURE,
  SUBMITTED,
  UNCONFIRMED,
  ZAP_IN,
  ZAP_OUT,
} from '../../support/ui/journalRecords';
import { fail } from '../../support/ui/memory';

const REMOTE = 'https://example.org';
const NOTHING_LEFT: ReadonlyMap<string, OpenTask> = new Map();

/** One operation in each state. */
const ALL: readonly OperationRecord[] = [
  ...Object.values(LEADING_TO).map((events) => record(events)),
  record(SUBMITTED),
  record([...SUBMITTED, { kind: 'landed', signature: SIGNATURE }]),
  UNCONFIRMED,
  SETTLED,
  record([...SUBMITTED, { kind: 'expired', reason: told('It did not land: nothing happened.') }]),
  record([{ kind: 'failed', reason: told('The service built nothing.') }]),
  ABANDONED,
];

describe('The row of an operation', () => {
  it('An operation’s row shows its state, amounts and time, with different words for each state', () => {
    const rows = ALL.map((one) => operationRow(one));
    assert.equal(new Set(rows.map(({ description }) => description)).size, ALL.length);
    for (const row of rows) {
      assert.equal(row.label, 'Zap out of BONK/SOL');
      assert.match(row.description, / · 50%( · 1\.23456 SOL returned)? · Nov 20, 2026, \d\d:\d\d:12$/);
      assert.match(row.spoken, /^Zap out of BONK\/SOL, Sandbox \(pretend\), .+, 50%.*, Nov 20, 2026, .+\.$/);
    }
    assert.match(operationRow(record([], { plan: ZAP_IN })).description, /^Started · 0\.75 SOL · /);
  });

  it('An operation is unfinished exactly if the journal says so', () => {
    assert.deepEqual(
      ALL.map(isUnfinished),
      ALL.map(({ state }) => !isEnd(state)),
    );
    assert.deepEqual(
      ALL.map(isUnconfirmed),
      ALL.map(({ state }) => maySettle(state)),
    );
  });

  it('A record that could not be read has a row that says so and why, without an operation behind it', () => {
    const row = problemRow({ file: 'a1.jsonl', what: 'Something is missing before line 2.' });
    assert.deepEqual(
      [row.id, row.label, row.description, row.contextValue],
      ['problem/a1.jsonl', 'Unreadable record', 'a1.jsonl', 'problem'],
    );
    assert.match(row.spoken, /^Unreadable record: Something is missing before line 2\.$/);
  });

  it('The row of a partial execution says so', () => {
    const half = record([
      ...SUBMITTED,
      { kind: 'settled', lamportsBack: undefined, shortfall: told('Two of three parts were withdrawn.') },
    ]);
    assert.match(operationRow(half).description, /^Half done/);
    assert.match(operationDocument(half).markdown, /Only a part of it landed\.\n\n> Two of three parts were withdrawn\./);
  });

  it('An operation links to an explorer only if an explorer lists its signature', () => {
    const words = (one: OperationRecord) =>
      operationRow(one)
        .contextValue.split(' ')
        .filter((word) => ['signed', 'explorer'].includes(word));
    assert.deepEqual(words(ABANDONED), []);
    assert.deepEqual(words(SETTLED), ['signed']);
    assert.deepEqual(words(record(SUBMITTED, { service: REMOTE })), ['signed', 'explorer']);
    assert.equal(mainSignature(record(SUBMITTED)), OTHER_SIGNATURE);
    assert.equal(mainSignature(record([...SUBMITTED, { kind: 'landed', signature: 'https://evil.example' }])), OTHER_SIGNATURE);
    assert.equal(mainSignature(SETTLED), SIGNATURE);
  });

  it('An operation’s row shows names from the network as plain text', () => {
    const hostile = record([{ kind: 'failed', reason: told('$(bug) [x](command:y) <b>') }], { pairName: '$(bug)\n**x**' });
    const texts = [
      operationRow(hostile).label,
      operationTooltip(hostile),
      operationDocument(hostile).markdown,
      ...stepRows(hostile).map(({ row }) => row.description),
    ];
    assert.ok(
      texts.every((text) => !text.includes('$(bug)')),
      texts.join('\n'),
    );
    assert.doesNotMatch(operationTooltip(hostile), /(?<!\\)\[x|<b>/);
    assert.doesNotMatch(operationDocument(hostile).markdown, /(?<!\\)\[x|<b>/);
  });
});

describe('The order of operations', () => {
  const named = (id: string, events: Parameters<typeof record>[0], atMs: number, parent?: string) => record(events, { atMs, parent }, id);

  it('Unfinished operations come first, and each group is sorted newest first', () => {
    const records = [
      named('d', [{ kind: 'abandoned', reason: told('') }], 4),
      named('c', SUBMITTED, 3),
      named('b', [{ kind: 'failed', reason: told('') }], 2),
      named('a', [], 1),
    ];
    assert.deepEqual(
      topLevel(records).map(({ id }) => id),
      ['c', 'a', 'd', 'b'],
    );
  });

  it('A rebalance lists its parts below it and stays unfinished as long as one of them is', () => {
    const rebalance = record([{ kind: 'settled', lamportsBack: undefined, shortfall: undefined }], { plan: REBALANCE, atMs: 1 }, 'r');
    const parts = [named('in', SUBMITTED, 3, 'r'), named('out', [{ kind: 'abandoned', reason: told('') }], 2, 'r')];
    const records = [
      named('z', [{ kind: 'failed', reason: told('') }], 4),
      ...parts,
      rebalance,
      named('lost', [{ kind: 'failed', reason: told('') }], 0, 'gone'),
    ];
    assert.deepEqual(
      topLevel(records).map(({ id }) => id),
      ['r', 'z', 'lost'],
    );
    assert.deepEqual(
      partsOf(rebalance, records).map(({ id }) => id),
      ['out', 'in'],
    );
  });

  it('The badge counts operations that were sent and have not ended', () => {
    assert.equal(unconfirmedBadge([SETTLED, ABANDONED], NOTHING_LEFT), undefined);
    assert.deepEqual(unconfirmedBadge([UNCONFIRMED, record([]), record(SUBMITTED)], NOTHING_LEFT)?.value, 2);
  });
});

describe('The steps of an operation', () => {
  it('The steps list what happened and every signature once', () => {
    const steps = stepRows(SETTLED);
    assert.deepEqual(
      steps.map(({ row }) => row.label),
      ['Started', 'Built', 'Reviewed', 'Approved', 'Signed', 'Signature', 'Signature', 'Sent', 'Landed', 'Done'],
    );
    assert.deepEqual(
      steps.flatMap(({ signature }) => signature ?? []),
      [SIGNATURE, OTHER_SIGNATURE],
    );
    assert.equal(new Set(steps.map(({ row }) => row.id)).size, steps.length);
    assert.match(steps.at(-1)?.row.description ?? '', /^1\.23456 SOL returned · \d\d:\d\d:\d\d$/);
  });

  it('The steps also name the signature of the landing if it is a different one', () => {
    const signature = SIGNATURE.replace('5VER', '3VER');
    const steps = stepRows(record([...SUBMITTED, { kind: 'landed', signature }], { service: REMOTE }));
    assert.equal(steps.at(-1)?.signature, signature);
    assert.match(steps.at(-1)?.row.contextValue ?? '', /^step signed explorer$/);
  });

  it('The steps say when the transactions were built again', () => {
    const labels = stepRows(record([...LEADING_TO.approved, ...LEADING_TO.built])).map(({ row }) => row.label);
    assert.deepEqual(labels, ['Started', 'Built', 'Reviewed', 'Approved', 'Built again']);
  });
});

describe('The details document of an operation', () => {
  it('The details document states the outcome for the money, the choices, each step and each signature', () => {
    const { title, markdown } = operationDocument(SETTLED);
    assert.equal(title, 'Zap out of BONK/SOL');
    for (const part of [
      'It landed.',
      'Sandbox (pretend)',
      'Share: 50%',
      'Received as: SOL',
      'Max slippage: 3%',
      'Returned: 1.23456789 SOL',
      ': Sent',
      SIGNATURE,
      OTHER_SIGNATURE,
    ]) {
      assert.ok(markdown.includes(part), `${part} in\n${markdown}`);
    }
    assert.doesNotMatch(markdown, /solscan/);
    // By ticker where the journal has both tokens of the pair.
    const tokens = ['BONK', 'WIF', 'SOL'].map((symbol, place) => ({
      mint: addressOf(600 + place),
      symbol,
      decimals: 6,
      priceUsd: undefined,
    }));
    const receivedAs = (pairName: string) =>
      /^- Received as: (.+)$/m.exec(
        operationDocument(record(SUBMITTED, { tokens, pairName, plan: { ...ZAP_OUT, output: 'allToken1' } })).markdown,
      )?.[1];
    assert.deepEqual(['BONK/WIF', 'SOL/WIF'].map(receivedAs), ['WIF', 'token Y']);
    assert.match(operationDocument(record(SUBMITTED, { service: REMOTE })).markdown, new RegExp(`<https://solscan\\.io/tx/${SIGNATURE}>`));
    assert.match(
      operationDocument(ABANDONED).markdown,
      /Your money has not moved\.\n\n> Binsight was closed before anything was sent\.[^]+Nothing was signed\./,
    );
  });

  it('The details document of a zap-in names the deposit, the strategy and the bins', () => {
    const { markdown } = operationDocument(record(SUBMITTED, { plan: ZAP_IN }));
    assert.match(markdown, /Deposited: 0\.75 SOL\n- Strategy: Spot\n- Bins: −10 (?:…|to) 10 \(21 bins\)/);
    assert.match(markdown, /may have landed\. .+ Do not repeat it until Activity shows how it ended\./);
  });
});

describe('The lines of an operation in its details', () => {
  const LINES: OperationLines = {
    movements: {
      deposited: {},
      withdrawn: { [WRAPPED_SOL_MINT]: 500_000_000n, [addressOf(600)]: 1_234_560n },
      fees: { [addressOf(600)]: 10_000n },
      swapped: { [addressOf(600)]: -1_244_560n, [WRAPPED_SOL_MINT]: 12_000_000n },
    },
    ...{ networkFees: 10_000n, tips: 0n, rentLocked: 0n, rentRefunded: 57_000_000n, rentNotRefunded: 1n },
  };
  const TOKENS = [{ mint: addressOf(600), symbol: '$(bug) [BONK](x)', decimals: 6, priceUsd: undefined }];
  const section = (lines: OperationLines | LinesNotKnown | undefined) =>
    /## Summary\n\n([^]+?)\n\n## /.exec(operationDocument(record(SUBMITTED, { tokens: TOKENS }), { lines }).markdown)?.[1];

  it('The details say what came out of the pool, what was earned, swapped and paid, and leave out what is nothing', () => {
    assert.equal(
      section(LINES)
        ?.replaceAll(/"[^"]*BONK[^"]*"/g, 'BONK')
        .split('\n')
        .slice(2)
        .join('\n'),
      [
        '- Withdrawn: 1.23456 BONK, 0.5 SOL',
        '- Claimed fees: 0.01 BONK',
        '- Swapped: −1.24456 BONK, +0.012 SOL',
        '- Network fee: 0.00001 SOL',
        '- Rent returned: 0.057 SOL',
        '- Non-refundable rent: 0.000000001 SOL',
      ].join('\n'),
    );
    assert.doesNotMatch(section(LINES) ?? '', /\$\(bug\)|(?<!\\)\[BONK/);
  });

  it('The details say why the lines are not known, and that swaps are not told apart', () => {
    assert.match(section('noRpc') ?? '', /^Only the chain knows the transactions/);
    assert.match(section({ ...LINES, movements: undefined }) ?? '', /^Swaps and flows .+\n\n- Network fee: /);
    assert.equal(section(undefined), undefined);
  });
});

describe('Names of positions in Activity', () => {
  const [FIRST, SECOND, THIRD] = [addressOf(701), addressOf(702), addressOf(703)];
  const built = (position: typeof FIRST) => ({
    ...({ kind: 'built', position, transactions: 1, messageHashes: [], blockhashes: [], lastValidBlockHeight: undefined } as const),
  });
  const zapIn = (id: string, position: typeof FIRST, fromBinId: number) =>
    record([built(position)], { plan: { ...ZAP_IN, fromBinId, toBinId: fromBinId + 9 } as typeof ZAP_IN }, id);
  const zapOut = (id: string, position: typeof FIRST) => record([], { plan: { ...ZAP_OUT, position } }, id);
  const label = (one: OperationRecord, names: ReadonlyMap<string, string>) => operationRow(one, undefined, [], names.get(one.id)).label;

  it('Operations on different positions of a pair have different names, those on one position the same', () => {
    const records = [zapIn('a', FIRST, -10), zapIn('b', SECOND, 0), zapIn('c', THIRD, 0), zapOut('d', FIRST), zapOut('e', THIRD)];
    const names = namesOfRecords(records, []);
    assert.equal(names.get('a'), 'BONK/SOL −10 … −1');
    assert.equal(names.get('d'), names.get('a'));
    assert.equal(names.get('e'), names.get('c'));
    assert.equal(new Set(names.values()).size, 3);
    assert.match(names.get('b') ?? '', /^BONK\/SOL 0 … 9 \(.+\)$/);
    assert.equal(label(records[3] ?? fail(''), names), 'Zap out of BONK/SOL −10 … −1');
    assert.match(operationTooltip(records[3] ?? fail(''), undefined, [], names.get('d')), /^\*\*Zap out of BONK\/SOL −10 … −1\*\*/);
  });

  it('An open position has the name that it has in the list, and a closed one another name', () => {
    const open = { ...openPosition(1), address: FIRST, key: FIRST, pairName: 'BONK/SOL' };
    const records = [zapOut('a', FIRST), zapOut('b', SECOND), record([], {}, 'c')];
    const names = namesOfRecords(records, [open]);
    assert.equal(names.get('a'), positionNames([open]).get(open.key));
    assert.equal(new Set(names.values()).size, 3);
    assert.equal(label(zapOut('x', FIRST), NO_NAMES), 'Zap out of BONK/SOL');
  });

  it('A position of DAMM v2 is always labeled, and is the same by its account and by its NFT', () => {
    const damm = { poolType: 'dammV2' } as const;
    const opening = record([built(FIRST)], { ...damm, plan: ZAP_IN }, 'in');
    const closing = record([], { ...damm, plan: { ...ZAP_OUT, position: dammPosition(FIRST) } }, 'out');
    const names = namesOfRecords([opening, closing], []);
    assert.deepEqual([...names.values()], ['BONK/SOL DAMM v2', 'BONK/SOL DAMM v2']);
    assert.equal(label(opening, NO_NAMES), 'Zap into BONK/SOL DAMM v2');
  });
});

describe('A zap-in of tokens', () => {
  const SETTLED_IN = [...SUBMITTED, { kind: 'settled', lamportsBack: undefined, shortfall: undefined }] as const;
  const MEME = { mint: addressOf(600), symbol: 'MEME', decimals: 6 };
  const SOL = { mint: WRAPPED_SOL_MINT, symbol: 'SOL', decimals: 9 };
  const ofTokens = (tokens: JournalTokens) =>
    record(SETTLED_IN, {
      plan: {
        kind: 'zapIn',
        inputLamports: 0n,
        percentX: 0.5,
        strategy: 'Spot',
        fromBinId: -10,
        toBinId: 10,
        slippageBps: 100,
        openBefore: [],
        tokens,
      },
    });
  const told = (tokens: JournalTokens) =>
    [operationRow(ofTokens(tokens)).description, operationTooltip(ofTokens(tokens)), operationDocument(ofTokens(tokens)).markdown] as const;

  it('A zap-in of tokens shows short amounts on its row and all digits in the details', () => {
    const [row, tooltip, happened] = told({ amountXRaw: 1_234_567_891_234n, amountYRaw: 500_000_000n, x: MEME, y: SOL });
    assert.match(row, /1\.23M MEME and 0\.5 SOL/);
    assert.match(tooltip, /1\.23M MEME and 0\.5 SOL/);
    assert.match(happened, /- Deposited: 1,234,567\.891234 MEME and 0\.5 SOL\n/);
    const [onlyOne] = told({ amountXRaw: 0n, amountYRaw: 500_000_000n, x: MEME, y: SOL });
    assert.match(onlyOne, /(?<!and )0\.5 SOL/);
    const [, , raw] = told({ amountXRaw: 7n, amountYRaw: 0n, x: { ...MEME, symbol: undefined, decimals: undefined }, y: SOL });
    assert.match(raw, /Deposited: 7 raw units of [1-9A-HJ-NP-Za-km-z]{4}…/);
  });

  it('A zap-in of tokens that the service did not describe is shown as a deposit of tokens', () => {
    const [row, , happened] = told({ amountXRaw: 7n, amountYRaw: 8n });
    assert.match(row, /tokens from the wallet/);
    assert.match(happened, /Deposited: tokens from the wallet/);
  });

  it('Tickers are shown as plain text and marked if they resemble SOL or an amount', () => {
    const texts = ['$(bug) [x](command:y) <b>', 'www.evil.example', 'https://evil.example', 'wS0L', '000 SOL'].map((symbol) =>
      told({ amountXRaw: 7_000_000n, amountYRaw: 0n, x: { ...MEME, symbol }, y: SOL }),
    );
    for (const [row, tooltip, happened] of texts) {
      assert.ok([row, tooltip, happened].every((text) => !text.includes('$(bug)')));
      assert.ok(
        [tooltip, happened].every((text) => !/(?<!\\)\[x|<b>|www\.evil|https:\/\/evil/.test(text)),
        `${tooltip}\n${happened}`,
      );
    }
    assert.match(texts[3]?.[0] ?? '', new RegExp(`7 "wS0L" \\(not SOL, but ${MEME.mint}\\)`));
    assert.match(texts[4]?.[0] ?? '', /7 "000 SOL"/);
  });
});

describe('Activity', () => {
  it('Activity reads the journal only on request and then after every write', async () => {
    const journal = new ShownJournal();
    const activity = new Activity({ journal: () => Promise.resolve(journal), openTasks: openTasksOf, log: () => undefined, onError: fail });
    assert.deepEqual([activityViewState(activity.state), journal.reads], ['loading', 0]);
    await activity.refresh();
    assert.equal(activityViewState(activity.state), 'empty');
    const heard = new Promise((resolve) => activity.onDidChange(resolve));
    journal.write([SETTLED]);
    await heard;
    assert.deepEqual([activityViewState(activity.state), activity.records], ['listed', [SETTLED]]);
    activity.dispose();
    journal.write([]);
    assert.equal(journal.reads, 2);
  });

  it('Activity reads the journal once more if it is asked during a read, however often', async () => {
    const journal = new ShownJournal();
    const activity = new Activity({ journal: () => Promise.resolve(journal), openTasks: openTasksOf, log: () => undefined, onError: fail });
    const first = activity.refresh();
    journal.records = [SETTLED];
    await Promise.all([activity.refresh(), activity.refresh(), activity.refresh(), first]);
    assert.deepEqual([activity.records, journal.reads], [[SETTLED], 2]);
  });

  it('Activity says that the journal cannot be read and tries again', async () => {
    const journal = new ShownJournal();
    let opens = 0;
    const logged: string[] = [];
    const activity = new Activity({
      journal: () => (++opens === 1 ? Promise.reject(new Error('no disk')) : Promise.resolve(journal)),
      openTasks: openTasksOf,
      log: (_, message) => logged.push(message),
      onError: fail,
    });
    await activity.refresh();
    assert.equal(activityViewState(activity.state), 'failed');
    assert.match(logged[0] ?? '', /no disk/);
    await activity.refresh();
    assert.equal(activityViewState(activity.state), 'empty');
  });
});

describe('Commands of an operation', () => {
  const records = [record(SUBMITTED, { service: REMOTE }, 'remote'), record(SUBMITTED, {}, 'local'), record([], {}, 'new')];
  const node = (id: string) => ({ kind: 'operation', id });
  const step = (id: string, signature?: string) => ({ kind: 'step', parent: node(id), signature });

  async function did(command: keyof ReturnType<typeof activityCommands> | 'openTransaction', argument: unknown): Promise<string> {
    const done: string[] = [];
    const actions = {
      copy: (text: string) => Promise.resolve(void done.push(`copied ${text}`)),
      openExternal: (url: string) => Promise.resolve(void done.push(`opened ${url}`)),
      showDocument: (title: string, markdown: string) => {
        const lines = /## Summary\n\n(.+)/.exec(markdown)?.[1];
        return Promise.resolve(void done.push(`shown ${title}${lines === undefined ? '' : `: ${lines}`}`));
      },
    };
    try {
      const dependencies = {
        activity: { records, left: NOTHING_LEFT, names: NO_NAMES, refresh: () => Promise.resolve() },
        actions,
        rpc: () => Promise.reject(new Error('no RPC')),
        connect: () => Promise.reject(new Error('no service')),
        service: () => SANDBOX,
        log: { of: () => () => undefined },
      };
      const target = readTarget(argument);
      if (command === 'openTransaction') {
        assert.ok(target !== undefined);
        await openTransaction(target, dependencies);
      } else {
        await activityCommands(dependencies)[command](target);
      }
    } catch (error) {
      done.push(`refused: ${error instanceof Error ? error.message : ''}`);
    }
    return done.join();
  }

  it('The commands copy, open and show what the row and the journal contain', async () => {
    assert.equal(await did('binsight.copySignature', step('local', SIGNATURE)), `copied ${SIGNATURE}`);
    assert.equal(await did('binsight.copySignature', node('local')), `copied ${OTHER_SIGNATURE}`);
    assert.equal(await did('openTransaction', step('remote', SIGNATURE)), `opened https://solscan.io/tx/${SIGNATURE}`);
    assert.equal(
      await did('binsight.showOperation', node('local')),
      'shown Zap out of BONK/SOL: Unknown: a transaction could not be read.',
    );
    assert.equal(await did('binsight.showOperation', step('new')), 'shown Zap out of BONK/SOL');
  });

  it('The commands refuse signatures, explorers and operations that do not exist', async () => {
    assert.match(await did('openTransaction', node('local')), /^refused: Explorers only list transactions of Solana mainnet/);
    assert.match(await did('binsight.copySignature', node('new')), /^refused: Nothing was signed/);
    assert.match(await did('openTransaction', step('remote', SIGNATURE.replace('5', '7'))), /^refused/);
    assert.match(await did('binsight.showOperation', node('gone')), /^refused: Choose an operation/);
    assert.match(await did('binsight.showOperation', undefined), /^refused/);
  });
});

describe('Positions with unfinished operations', () => {
  it('Positions with unfinished operations are those of the current service, under each name in the lists', () => {
    const { address, id } = openPosition(1);
    assert.deepEqual([...recordedPositions([UNCONFIRMED], 'sandbox', NOTHING_LEFT)], [address, id]);
    assert.deepEqual([...recordedPositions([UNCONFIRMED], REMOTE, NOTHING_LEFT)], []);
    assert.deepEqual([...recordedPositions([SETTLED, ABANDONED, record(SUBMITTED, { plan: ZAP_IN })], 'sandbox', NOTHING_LEFT)], []);
    assert.equal(ZAP_OUT.positionId, id);
  });
});
