import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { inspect } from 'node:util';
import bs58 from 'bs58';
import { RpcError } from '../../../src/rpc/transport';
import { createRpc } from '../../../src/rpc/rpc';
import { parseRpcUrl } from '../../../src/base/solana/rpcUrl';
import type { SolanaRpc } from '../../../src/rpc/types';
import { parseBase64Transaction, type Base64Transaction } from '../../../src/base/solana/wireTransaction';
import { PROGRAMS } from '../../../src/base/solana/programs';
import { addressOf } from '../../support/portfolio/fixtures';
import { asOf, ScriptedNode, written, type NodeAnswer } from '../../support/rpc/scriptedNode';

const KEY = 'f00dfacecafe1234';
const [A, B, C] = [addressOf(1), addressOf(2), addressOf(3)] as const;
const TRANSACTION = base64('AQID');

function base64(text: string): Base64Transaction {
  return parseBase64Transaction(text) ?? assert.fail(text);
}

async function failureOf(running: Promise<unknown>): Promise<RpcError> {
  try {
    await running;
  } catch (error) {
    assert.ok(error instanceof RpcError, String(error));
    return error;
  }
  return assert.fail('It did not fail');
}

describe('RPC client', () => {
  let node: ScriptedNode;
  before(async () => {
    node = await ScriptedNode.start();
  });
  after(() => node.stop());

  it('The client reads accounts in the order of the request, and accounts without lamports do not exist', async () => {
    node.willAnswer({
      getMultipleAccounts: asOf([written(PROGRAMS.token, Uint8Array.of(1, 2), 5), null, written(PROGRAMS.system, new Uint8Array(), 0)], 42),
    });
    const read = await node.client().accounts({ addresses: [A, B, C], firstBytes: 2 });
    assert.deepEqual(read, {
      slot: 42n,
      value: [{ lamports: 5n, program: PROGRAMS.token, data: Uint8Array.of(1, 2) }, undefined, undefined],
    });
    assert.deepEqual(node.received[0]?.params, [
      [A, B, C],
      { encoding: 'base64', commitment: 'processed', dataSlice: { offset: 0, length: 2 } },
    ]);
  });

  it('The client reads accounts in batches of one hundred, and reports the lowest slot', async () => {
    const addresses = Array.from({ length: 250 }, (_, index) => addressOf(index));
    node.willAnswer({
      getMultipleAccounts: {
        byParams: ([asked]) => {
          const list = asked as readonly string[];
          return asOf(
            list.map((of) => written(of, new Uint8Array())),
            1_000 - list.length,
          );
        },
      },
    });
    const { slot, value } = await node.client().accounts({ addresses });
    assert.deepEqual(
      value.map((account) => account?.program),
      addresses,
    );
    assert.equal(slot, 900n);
    assert.deepEqual(node.received.map(({ params }) => (params[0] as readonly unknown[]).length).sort(), [100, 100, 50]);
  });

  it('The client sends no request for an empty list of accounts', async () => {
    node.willAnswer({});
    assert.deepEqual((await node.client().accounts({ addresses: [] })).value, []);
    assert.equal(node.received.length, 0);
  });

  it('The client reads the validity of blockhashes, the block height and signature statuses', async () => {
    node.willAnswer({
      isBlockhashValid: asOf(false),
      getBlockHeight: { result: 1_234 },
      getSignatureStatuses: asOf([
        null,
        { slot: 9, confirmations: 3, err: null, confirmationStatus: 'confirmed' },
        { slot: 8, confirmations: null, err: { InstructionError: [0, { Custom: 6 }] } },
      ]),
    });
    const rpc = node.client();
    assert.equal(await rpc.isBlockhashValid(A), false);
    assert.equal(await rpc.blockHeight(), 1_234n);
    assert.deepEqual(await rpc.signatureStatuses(['a', 'b', 'c']), [
      undefined,
      { slot: 9n, error: undefined },
      { slot: 8n, error: '{"InstructionError":[0,{"Custom":6}]}' },
    ]);
  });

  describe('Landed transactions', () => {
    const token = (accountIndex: number, amount: string, owner: string | null = A) => ({
      accountIndex,
      mint: C,
      ...(owner === null ? {} : { owner }),
      programId: PROGRAMS.token,
      uiTokenAmount: { amount, decimals: 6, uiAmount: null, uiAmountString: '0' },
    });
    const meta = {
      ...{ err: null, fee: 5_000, preBalances: [100, 20, 1, 9], postBalances: [90, 0, 1, 29], innerInstructions: [], logMessages: [] },
      preTokenBalances: [token(1, '18446744073709551615')],
      postTokenBalances: [token(3, '7', null)],
      loadedAddresses: { writable: [C], readonly: [PROGRAMS.dlmm] },
    };
    const message = {
      accountKeys: [A, B],
      header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 0 },
      recentBlockhash: C,
      instructions: [{ programIdIndex: 1, accounts: [0], data: bs58.encode([1]), stackHeight: null }],
      addressTableLookups: [],
    };
    const answer = (part: object = {}, changed: object = {}) => ({
      result: { slot: 12, blockTime: 5, version: 0, transaction: { signatures: ['sig'], message }, meta: { ...meta, ...changed }, ...part },
    });

    it('A transaction reports its changes by account, with lookup table accounts after the static ones', async () => {
      node.willAnswer({ getTransaction: answer() });
      assert.deepEqual(await node.client().transaction('sig'), {
        slot: 12n,
        error: undefined,
        feeLamports: 5_000n,
        lamports: [
          { address: A, before: 100n, after: 90n },
          { address: B, before: 20n, after: 0n },
          { address: C, before: 1n, after: 1n },
          { address: PROGRAMS.dlmm, before: 9n, after: 29n },
        ],
        tokens: [
          { account: B, mint: C, owner: A, beforeRaw: 18_446_744_073_709_551_615n, afterRaw: 0n },
          { account: PROGRAMS.dlmm, mint: C, owner: undefined, beforeRaw: 0n, afterRaw: 7n },
        ],
      });
      assert.deepEqual(node.received[0]?.params, ['sig', { commitment: 'confirmed', maxSupportedTransactionVersion: 1 }]);
    });

    it('A transaction with its calls has its time, the data of its instructions and those inside of them, as the node has them', async () => {
      const inner = [{ index: 0, instructions: [{ programIdIndex: 3, accounts: [2, 1], data: bs58.encode([7]), stackHeight: 2 }] }];
      node.willAnswer({ getTransaction: answer({}, { innerInstructions: inner }) });
      const raw = await node.client().transactionWithCalls('sig');
      assert.deepEqual([raw?.blockTime, raw?.meta?.fee, raw?.meta?.loadedAddresses?.readonly], [5, 5_000n, [PROGRAMS.dlmm]]);
      assert.deepEqual(raw?.transaction.message.instructions, [{ programIdIndex: 1, accounts: [0], data: bs58.encode([1]) }]);
      assert.deepEqual(raw.meta?.innerInstructions, [
        { index: 0, instructions: [{ programIdIndex: 3, accounts: [2, 1], data: bs58.encode([7]) }] },
      ]);
      assert.deepEqual(raw.meta.preTokenBalances, [{ accountIndex: 1, mint: C, owner: A, amount: 18_446_744_073_709_551_615n }]);
      node.willAnswer({ getTransaction: answer({}, { innerInstructions: null }) });
      assert.equal((await node.client().transactionWithCalls('sig'))?.meta?.innerInstructions, null);
      node.willAnswer({ getTransaction: { result: null } });
      assert.equal(await node.client().transactionWithCalls('sig'), undefined);
      node.willAnswer({ getTransaction: answer({}, { innerInstructions: [{ index: 0, instructions: [{ programIdIndex: -1 }] }] }) });
      assert.equal((await failureOf(node.client().transactionWithCalls('sig'))).kind, 'malformed');
    });

    it('A transaction of version 1 or legacy reports its changes like one of version 0', async () => {
      const { addressTableLookups, ...rest } = message;
      assert.deepEqual(addressTableLookups, []);
      const own = { preBalances: [100, 20], postBalances: [90, 0], preTokenBalances: [], postTokenBalances: [token(1, '7')] };
      for (const [version, loadedAddresses] of [
        [1, undefined],
        [1, { writable: [], readonly: [] }],
        ['legacy', undefined],
        [undefined, undefined],
      ] as const) {
        const transactionConfig = version === 1 ? { computeUnitLimit: 200_000, priorityFee: 5_000 } : undefined;
        node.willAnswer({
          getTransaction: answer(
            { version, transaction: { signatures: ['sig'], message: { ...rest, transactionConfig } } },
            { ...own, loadedAddresses },
          ),
        });
        const landed = await node.client().transaction('sig');
        assert.deepEqual(
          [landed?.lamports, landed?.tokens],
          [
            [
              { address: A, before: 100n, after: 90n },
              { address: B, before: 20n, after: 0n },
            ],
            [{ account: B, mint: C, owner: A, beforeRaw: 0n, afterRaw: 7n }],
          ],
          `version ${version}`,
        );
      }
    });

    it('A transaction of a later version is reported as not supported, neither as malformed nor as not found', async () => {
      const refusal = { code: -32015, message: 'Transaction version (2) is not supported by the requesting client.' };
      const later: readonly NodeAnswer[] = [
        { error: refusal },
        (response, id) => response.writeHead(400).end(JSON.stringify({ jsonrpc: '2.0', id, error: refusal })),
        answer({ version: 2 }),
        answer({ version: 127, transaction: ['AQID', 'base64'] }),
        { result: { version: 2 } },
      ];
      for (const one of later) {
        node.willAnswer({ getTransaction: one });
        const failure = await failureOf(node.client().transaction('sig'));
        assert.deepEqual([failure.kind, failure.code], ['unsupportedVersion', -32015], JSON.stringify(one));
        assert.match(failure.message, /^This transaction needs a newer version of Binsight\./);
      }
      for (const version of ['2', null, -1, 0.5]) {
        node.willAnswer({ getTransaction: answer({ version }) });
        assert.equal((await failureOf(node.client().transaction('sig'))).kind, 'malformed', String(version));
      }
    });

    it('A failed transaction reports its error, also without lookup tables and tokens, and an unknown one is undefined', async () => {
      const plain = {
        err: { InstructionError: [1, 'Custom'] },
        preBalances: [3, 0],
        postBalances: [2, 0],
        preTokenBalances: null,
        postTokenBalances: undefined,
        loadedAddresses: undefined,
      };
      node.willAnswer({ getTransaction: answer({}, plain) });
      const failed = await node.client().transaction('sig');
      assert.deepEqual([failed?.error, failed?.tokens, failed?.lamports.length], ['{"InstructionError":[1,"Custom"]}', [], 2]);
      node.willAnswer({ getTransaction: { result: null } });
      assert.equal(await node.client().transaction('sig'), undefined);
    });

    it('The client refuses another transaction, balances that do not match the accounts, and invalid amounts', async () => {
      const odd: readonly NodeAnswer[] = [
        answer({ transaction: { signatures: ['another'], message } }),
        answer({}, { postBalances: [1, 2, 3] }),
        answer({}, { preBalances: [1, 2, 3, 4, 5] }),
        answer({}, { preTokenBalances: [token(4, '1')] }),
        answer({}, { preTokenBalances: [token(1, '-1')] }),
        answer({}, { preTokenBalances: [token(1, '1.5')] }),
        answer({}, { preBalances: [1.5, 2, 3, 4] }),
        answer({ meta: null }),
        { result: [] },
      ];
      for (const one of odd) {
        node.willAnswer({ getTransaction: one });
        assert.equal((await failureOf(node.client().transaction('sig'))).kind, 'malformed', JSON.stringify(one));
      }
    });
  });

  it('The client measures the length of a slot by the last minutes, for estimates', async () => {
    const sample = (numSlots: number, samplePeriodSecs = 60) => ({ slot: 5, numTransactions: 9, numSlots, samplePeriodSecs });
    for (const [samples, slotMs] of [
      [[sample(300)], 200],
      [[sample(150), sample(150), sample(150)], 400],
      [[sample(280), sample(0), sample(320)], 300],
      [[], undefined],
      [[sample(0)], undefined],
      [[sample(5, 0)], undefined],
    ] as const) {
      node.willAnswer({ getRecentPerformanceSamples: { result: samples } });
      assert.equal(await node.client().slotMs(), slotMs);
      assert.deepEqual(node.received[0]?.params, [3]);
    }
    for (const result of [null, [sample(-1)], [sample(1.5)], [{ slot: 5 }]]) {
      node.willAnswer({ getRecentPerformanceSamples: { result } });
      assert.equal((await failureOf(node.client().slotMs())).kind, 'malformed', JSON.stringify(result));
    }
  });

  it('The client simulates exactly the given transaction, and reads all three forms of inner instructions', async () => {
    const inner = [
      { index: 0, instructions: [{ programIdIndex: 3, accounts: [0, 2], data: bs58.encode([7, 8]), stackHeight: 2 }] },
      {
        index: 1,
        instructions: [
          { programId: PROGRAMS.dlmm, accounts: [A, B], data: bs58.encode([9]), stackHeight: 2 },
          {
            program: 'spl-token',
            programId: PROGRAMS.token,
            parsed: { type: 'approve', info: { source: A, delegate: B, owner: C, amount: '5' } },
            stackHeight: 2,
          },
          { program: 'spl-memo', programId: PROGRAMS.memo, parsed: 'hello', stackHeight: 2 },
        ],
      },
    ];
    node.willAnswer({
      simulateTransaction: asOf(
        { err: null, logs: [], accounts: [written(PROGRAMS.system, new Uint8Array(), 3)], innerInstructions: inner },
        50,
      ),
    });
    const { slot, value } = await node.client().simulate({ transaction: TRANSACTION, accounts: [A], minSlot: 49n });
    assert.equal(slot, 50n);
    assert.deepEqual(value, {
      error: undefined,
      accounts: [{ lamports: 3n, program: PROGRAMS.system, data: new Uint8Array() }],
      innerInstructions: [
        { form: 'compiled', calledBy: 0, programIdIndex: 3, accountIndexes: [0, 2], data: Uint8Array.of(7, 8) },
        { form: 'addressed', calledBy: 1, program: PROGRAMS.dlmm, accounts: [A, B], data: Uint8Array.of(9) },
        {
          form: 'parsed',
          calledBy: 1,
          program: PROGRAMS.token,
          type: 'approve',
          fields: { source: A, delegate: B, owner: C, amount: '5' },
        },
        { form: 'parsed', calledBy: 1, program: PROGRAMS.memo, type: '', fields: {} },
      ],
    });
    assert.deepEqual(node.received[0]?.params, [
      TRANSACTION,
      {
        encoding: 'base64',
        commitment: 'processed',
        sigVerify: false,
        replaceRecentBlockhash: false,
        innerInstructions: true,
        accounts: { encoding: 'base64', addresses: [A] },
        minContextSlot: 49,
      },
    ]);
  });

  it('A simulation reports in one short line why the transaction would fail', async () => {
    node.willAnswer({
      simulateTransaction: asOf({ err: `Blockhash\u202eNot\nFound${'x'.repeat(5_000)}`, accounts: [null], innerInstructions: null }),
    });
    const { value } = await node.client().simulate({ transaction: TRANSACTION, accounts: [A] });
    assert.equal(value.accounts, undefined);
    assert.match(value.error ?? '', /^Blockhash Not Found/);
    assert.ok((value.error ?? '').length <= 200);
  });

  it('The client repeats a simulation once if the node has not reached the required slot', async () => {
    let calls = 0;
    const late: NodeAnswer = { error: { code: -32016, message: 'Minimum context slot has not been reached' } };
    const first = asOf({ err: null, accounts: [], innerInstructions: null });
    node.willAnswer({ simulateTransaction: { byParams: () => ((calls += 1) === 1 ? late : first) } });
    assert.equal((await node.client().simulate({ transaction: TRANSACTION, accounts: [], minSlot: 5n })).value.error, undefined);
    node.willAnswer({ simulateTransaction: late });
    assert.equal((await failureOf(node.client().simulate({ transaction: TRANSACTION, accounts: [], minSlot: 5n }))).code, -32016);
    assert.equal(node.received.length, 2);
  });

  it('A bundle simulation reports the accounts before and after each transaction', async () => {
    const state = (lamports: number) => [written(PROGRAMS.system, new Uint8Array(), lamports)];
    node.willAnswer({
      simulateBundle: asOf({
        summary: 'succeeded',
        transactionResults: [
          { err: null, logs: [], preExecutionAccounts: state(9), postExecutionAccounts: state(8), unitsConsumed: 5, returnData: null },
          { err: null, logs: [], preExecutionAccounts: state(8), postExecutionAccounts: state(0) },
        ],
      }),
    });
    const simulated = await node.client().simulateBundle({ transactions: [TRANSACTION, TRANSACTION], accounts: [A] });
    assert.deepEqual(
      simulated?.value.transactions.map(({ before, after }) => [before?.[0]?.lamports, after?.[0]?.lamports]),
      [
        [9n, 8n],
        [8n, undefined],
      ],
    );
    const accounts = { encoding: 'base64', addresses: [A] };
    assert.deepEqual(node.received[0]?.params, [
      { encodedTransactions: [TRANSACTION, TRANSACTION] },
      {
        transactionEncoding: 'base64',
        simulationBank: { commitment: { commitment: 'processed' } },
        skipSigVerify: true,
        replaceRecentBlockhash: false,
        preExecutionAccountsConfigs: [accounts, accounts],
        postExecutionAccountsConfigs: [accounts, accounts],
      },
    ]);
  });

  it('A bundle simulation reports which transaction fails, and why', async () => {
    node.willAnswer({
      simulateBundle: asOf({
        summary: { failed: { error: { TransactionFailure: ['sig', 'custom program error: 0x1'] }, tx_signature: 'sig' } },
        transactionResults: [
          { err: { InstructionError: [2, { Custom: 1 }] }, logs: [], preExecutionAccounts: [], postExecutionAccounts: null },
        ],
      }),
    });
    const simulated = await node.client().simulateBundle({ transactions: [TRANSACTION, TRANSACTION], accounts: [A] });
    assert.deepEqual(simulated?.value, {
      error: '{"TransactionFailure":["sig","custom program error: 0x1"]}',
      transactions: [{ error: '{"InstructionError":[2,{"Custom":1}]}', before: undefined, after: undefined, innerInstructions: undefined }],
    });
  });

  it('The client asks an RPC only once whether it supports bundle simulation', async () => {
    node.willAnswer({});
    const rpc = node.client();
    const request = { transactions: [TRANSACTION], accounts: [] };
    assert.equal(await rpc.simulateBundle(request), undefined);
    assert.equal(await rpc.simulateBundle(request), undefined);
    assert.equal(node.received.length, 1);
    node.willAnswer({ simulateBundle: { error: { code: -32602, message: 'busy' } } });
    const other = node.client();
    assert.equal((await failureOf(other.simulateBundle(request))).kind, 'refused');
    assert.equal((await failureOf(other.simulateBundle(request))).kind, 'refused');
    assert.equal(node.received.length, 2);
  });

  describe('Secrecy of the key in the address', () => {
    it('The user info of the address is sent only as a header', async () => {
      node.willAnswer({ getBlockHeight: { result: 1 } });
      await createRpc({ url: node.url(`/v2/${KEY}?api-key=${KEY}x`, `me:${KEY}@`) }).blockHeight();
      const [call] = node.received;
      assert.equal(call?.headers.authorization, `Basic ${Buffer.from(`me:${KEY}`).toString('base64')}`);
      assert.equal(call.path, `/v2/${KEY}?api-key=${KEY}x`);
    });

    const failures: Readonly<Record<string, NodeAnswer>> = {
      'an error that quotes it': {
        error: { code: -32000, message: `bad key ${KEY} (${KEY}-query) ${Buffer.from(`me:${KEY}`).toString('base64')}` },
      },
      'a refusal of the key': (response) => response.writeHead(401).end(`no such key: ${KEY}`),
      'too many requests': (response) => response.writeHead(429).end(KEY),
      'a failure': (response) => response.writeHead(500).end(KEY),
      'a redirect': (response) => response.writeHead(302, { location: `https://elsewhere.example/${KEY}` }).end(),
      'a web page': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(`<html>${KEY}</html>`),
      'another shape': { result: { context: { slot: KEY }, value: KEY } },
      'a broken connection': (response) => response.destroy(),
    };
    for (const [what, answer] of Object.entries(failures)) {
      it(`The key never appears in the error about ${what}`, async () => {
        node.willAnswer({ getBlockHeight: answer });
        const failure = await failureOf(createRpc({ url: node.url(`/v2/${KEY}?api-key=${KEY}-query`, `me:${KEY}@`) }).blockHeight());
        const words = `${failure.message} ${inspect(failure, { depth: null })} ${JSON.stringify(failure)}`;
        assert.ok(!words.includes(KEY), words);
        assert.ok(!words.includes(Buffer.from(`me:${KEY}`).toString('base64')));
        assert.match(failure.message, /127\.0\.0\.1/);
        assert.equal(node.received.length, 1);
      });
    }

    it('The key never appears in the error if the address is unreachable', async () => {
      const closed = await ScriptedNode.start();
      const url = closed.url(`/${KEY}`);
      await closed.stop();
      const failure = await failureOf(createRpc({ url }).blockHeight());
      assert.equal(failure.kind, 'unreachable');
      assert.match(failure.message, /Cannot reach .+ \(ECONNREFUSED\)/);
      assert.match(String(failure.cause), /ECONNREFUSED/);
      assert.ok(!inspect(failure, { depth: null }).includes(KEY));
    });
  });

  describe('Malformed answers', () => {
    const account = written(PROGRAMS.token, Uint8Array.of(1));
    const answers: Readonly<Record<string, NodeAnswer>> = {
      'too few accounts': asOf([account]),
      'too many accounts': asOf([account, account, account]),
      'an owner that is no address': asOf([written('x', new Uint8Array()), null]),
      'data in another encoding': asOf([{ lamports: 1, owner: A, data: ['1', 'base58'] }, null]),
      'data that is not base64': asOf([{ lamports: 1, owner: A, data: ['*', 'base64'] }, null]),
      'data that is shorter than the account': asOf([{ ...written(A, Uint8Array.of(1)), space: 2 }, null]),
      'negative lamports': asOf([written(A, new Uint8Array(), -1), null]),
      'a part of a lamport': asOf([written(A, new Uint8Array(), 0.5), null]),
      'no slot': { result: { value: [null, null] } },
      'no result': { result: undefined },
      'nothing at all': { result: null },
      'the answer to another call': (response) =>
        response.end(JSON.stringify({ jsonrpc: '2.0', id: 99, result: { context: { slot: 1 }, value: [null, null] } })),
      'half of an answer': (response) => response.end('{"jsonrpc":"2.0","id":1,"result":{"context"'),
      'no text': (response) => response.end(),
    };
    for (const [what, answer] of Object.entries(answers)) {
      it(`The client refuses a malformed answer: ${what}`, async () => {
        node.willAnswer({ getMultipleAccounts: answer });
        assert.equal((await failureOf(node.client().accounts({ addresses: [A, B] }))).kind, 'malformed');
      });
    }

    it('The client refuses more results than transactions, or fewer if all succeed', async () => {
      const result = { err: null, preExecutionAccounts: [], postExecutionAccounts: [] };
      for (const transactionResults of [[], [result, result]]) {
        node.willAnswer({ simulateBundle: asOf({ summary: 'succeeded', transactionResults }) });
        assert.equal((await failureOf(node.client().simulateBundle({ transactions: [TRANSACTION], accounts: [] }))).kind, 'malformed');
      }
    });

    it('The client refuses an answer that is too long, without reading it to its end', async () => {
      const cut = new Promise<boolean>((resolve) => {
        node.willAnswer({
          getBlockHeight: (response) => {
            response.on('close', () => resolve(!response.writableFinished));
            const write = (): void => {
              while (!response.destroyed && response.write(' '.repeat(1_000))) {
                // As fast as it is taken.
              }
            };
            response.on('drain', write);
            write();
          },
        });
      });
      const failure = await failureOf(node.client({ longestAnswerBytes: 10_000 }).blockHeight());
      assert.equal(failure.kind, 'malformed');
      assert.match(failure.message, /exceeds 10000 bytes/);
      assert.ok(await cut);
    });
  });

  it('A JSON-RPC error is read as such, whatever the HTTP status', async () => {
    node.willAnswer({
      simulateBundle: (response) =>
        response.writeHead(404).end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32601, message: 'Method not found' } })),
    });
    assert.equal(await node.client().simulateBundle({ transactions: [TRANSACTION], accounts: [] }), undefined);
  });

  it('A call ends at the timeout, also in the middle of an answer', async () => {
    for (const answer of [() => undefined, (response: ServerResponse) => void response.write('{"jsonrpc"')]) {
      node.willAnswer({ getBlockHeight: answer });
      const failure = await failureOf(node.client({ timeoutMs: 60 }).blockHeight());
      assert.equal(failure.kind, 'timeout');
      assert.match(failure.message, /did not answer within 0\.06 s/);
    }
  });

  it('A call ends at once when it is cancelled, and sends nothing if it was cancelled before', async () => {
    const abort = new AbortController();
    node.willAnswer({ getBlockHeight: () => abort.abort() });
    const rpc: SolanaRpc = node.client();
    assert.equal((await failureOf(rpc.blockHeight({ signal: abort.signal }))).kind, 'cancelled');
    assert.equal((await failureOf(rpc.blockHeight({ signal: abort.signal }))).kind, 'cancelled');
    assert.equal(node.received.length, 1);
  });

  it('Cancelling one of two identical calls does not cancel the other', async () => {
    const abort = new AbortController();
    const requests: (() => void)[] = [];
    node.willAnswer({
      getBlockHeight: (response, id) => {
        requests.push(() => void response.end(JSON.stringify({ jsonrpc: '2.0', id, result: 5 })));
        if (requests.length === 2) abort.abort();
      },
    });
    const rpc = node.client();
    const other = rpc.blockHeight();
    assert.equal((await failureOf(rpc.blockHeight({ signal: abort.signal }))).kind, 'cancelled');
    requests.forEach((answer) => answer());
    assert.equal(await other, 5n);
  });

  it('The client opens no connections except those of its calls', async () => {
    const sockets: Socket[] = [];
    const ports: (number | undefined)[] = [];
    const onSocket = (message: unknown): void => {
      const { socket } = message as { readonly socket: Socket };
      sockets.push(socket);
      socket.once('connect', () => ports.push(socket.remotePort));
    };
    node.willAnswer({
      getBlockHeight: { result: 1 },
      isBlockhashValid: asOf(true),
      getSignatureStatuses: asOf([null]),
      getTransaction: { result: null },
      getMultipleAccounts: asOf([null]),
      simulateTransaction: asOf({ err: null, accounts: [], innerInstructions: null }),
    });
    const rpc = node.client();
    subscribe('net.client.socket', onSocket);
    try {
      await rpc.blockHeight();
      await rpc.isBlockhashValid(A);
      await rpc.signatureStatuses(['a']);
      await rpc.transaction('a');
      await rpc.accounts({ addresses: [A] });
      await rpc.simulate({ transaction: TRANSACTION, accounts: [] });
      await rpc.simulateBundle({ transactions: [TRANSACTION], accounts: [] });
    } finally {
      unsubscribe('net.client.socket', onSocket);
    }
    assert.equal(node.received.length, 7);
    const port = Number(new URL(node.url()).port);
    assert.deepEqual(
      ports,
      sockets.map(() => port),
    );
    assert.ok(sockets.length <= node.received.length, `${sockets.length} connections`);
  });

  it('The name of a client is its host', () => {
    assert.equal(createRpc({ url: parseRpcUrl(`https://rpc.example/${KEY}`) }).name, 'rpc.example');
  });
});
