import assert from 'node:assert/strict';
import type { Incomplete } from '../../../src/service/common';
import { ServiceError, type ServiceErrorKind } from '../../../src/service/errors';
import { ConnectionError, RpcServiceError, SandboxError } from '../../../src/ui/shell/errors';
import { readServiceChoice, SANDBOX } from '../../../src/ui/shell/serviceChoice';
import { setMessage } from '../../../src/ui/shell/views/viewMessages';
import { problemOf, viewDescription, type ViewFacts, viewMessage, viewState } from '../../../src/ui/shell/views/viewState';

const REAL = readServiceChoice('https://example.org/v1');
const AT = new Date(2026, 10, 20, 12, 4, 5);
const serviceError = (kind: ServiceErrorKind) => new ServiceError(`It is ${kind}.`, { kind, endpoint: 'GET /x' });

/** As the local service answers while it can't use its RPC. */
const unavailable = new ServiceError('No answer from the RPC.', { kind: 'server', endpoint: 'GET /x', status: 503 });

const READY: ViewFacts = { choice: REAL, connection: { kind: 'open' }, ownerMissing: false, list: { kind: 'ready', asOf: AT }, count: 3 };

describe('The state of a view', () => {
  const cases: readonly (readonly [string, Partial<ViewFacts>])[] = [
    ['listed', {}],
    ['empty', { count: 0 }],
    ['loading', { count: 0, list: { kind: 'idle' } }],
    ['loading', { count: 0, list: { kind: 'loading' } }],
    ['loading', { count: 0, list: { kind: 'idle' }, connection: { kind: 'opening' } }],
    ['startingSandbox', { count: 0, list: { kind: 'idle' }, connection: { kind: 'opening' }, choice: SANDBOX, ownerMissing: true }],
    ['startingService', { count: 0, list: { kind: 'idle' }, connection: { kind: 'opening' }, choice: readServiceChoice('solana') }],
    ['serviceFailed', { count: 0, connection: { kind: 'failed', error: new RpcServiceError('failed', 'Gone.') } }],
    ['serviceFailed', { count: 0, connection: { kind: 'failed', error: new RpcServiceError('cannotRun', 'Not here.') } }],
    ['noRpcAddress', { count: 0, connection: { kind: 'failed', error: new ConnectionError('noRpcAddress', 'No address.') } }],
    ['rpcRefused', { count: 0, connection: { kind: 'failed', error: new ConnectionError('rpcRefused', 'Refused.') } }],
    ['rpcUnavailable', { count: 0, connection: { kind: 'failed', error: new ConnectionError('rpcUnavailable', 'No answer.') } }],
    ['rpcUnavailable', { count: 0, choice: readServiceChoice('solana'), list: { kind: 'failed', error: unavailable } }],
    ['failed', { count: 0, list: { kind: 'failed', error: unavailable } }],
    ['failed', { count: 0, choice: readServiceChoice('solana'), list: { kind: 'failed', error: serviceError('server') } }],
    ['noOwner', { count: 0, list: { kind: 'idle' }, ownerMissing: true }],
    ['noApiKey', { count: 0, connection: { kind: 'failed', error: new ConnectionError('noApiKey', 'No key.') } }],
    ['noApiKey', { count: 0, connection: { kind: 'failed', error: new ConnectionError('noApiKey', 'No key.') }, ownerMissing: true }],
    ['invalidAddress', { count: 0, connection: { kind: 'failed', error: new ConnectionError('invalidAddress', 'No address.') } }],
    ['sandboxCannotRun', { count: 0, choice: SANDBOX, connection: { kind: 'failed', error: new SandboxError('cannotRun', 'Not here.') } }],
    ['sandboxFailed', { count: 0, choice: SANDBOX, connection: { kind: 'failed', error: new SandboxError('failed', 'Gone.') } }],
    ['refused', { count: 0, list: { kind: 'failed', error: serviceError('unauthorized') } }],
    ['unreachable', { count: 0, list: { kind: 'failed', error: serviceError('unreachable') } }],
    ['unreachable', { count: 0, list: { kind: 'failed', error: serviceError('timeout') } }],
    ['failed', { count: 0, list: { kind: 'failed', error: serviceError('malformed') } }],
    ['failed', { count: 0, list: { kind: 'failed', error: new Error('anything') } }],
    ['refused', { count: 0, list: { kind: 'stale', asOf: AT, error: serviceError('unauthorized') } }],
    // Existing rows stay visible after a failure.
    ['listed', { list: { kind: 'stale', asOf: AT, error: serviceError('unauthorized') } }],
    ['listed', { connection: { kind: 'failed', error: new SandboxError('failed', 'Gone.') } }],
  ];
  for (const [state, facts] of cases) {
    it(`The view state is ${state} for ${JSON.stringify(facts, (_, value: unknown) => (value instanceof Error ? value.message : value))}`, () => {
      assert.equal(viewState({ ...READY, ...facts }), state);
    });
  }
});

describe('The texts of a view', () => {
  it('The view’s description names the service, a watch-only wallet and the time of the last update', () => {
    assert.equal(viewDescription({ choice: SANDBOX, list: { kind: 'ready', asOf: AT }, isWatchedOnly: false }), 'Sandbox · as of 12:04:05');
    assert.equal(viewDescription({ choice: REAL, list: { kind: 'loading' }, isWatchedOnly: true }), 'example.org · watch-only');
  });

  it('The view’s description says for as long as it is on that the sandbox plays a hostile service or a fault', () => {
    const described = (played: 'hostile' | 'fault') =>
      viewDescription({ choice: SANDBOX, list: { kind: 'loading' }, isWatchedOnly: false, played, walletName: 'mine' });
    assert.deepEqual([described('hostile'), described('fault')], ['Sandbox · hostile service · mine', 'Sandbox · fault · mine']);
  });

  it('A view shows no message if all is well or it is empty, because an empty view has a welcome text', () => {
    assert.equal(viewMessage(READY), undefined);
    assert.equal(viewMessage({ list: { kind: 'failed', error: serviceError('server') }, count: 0 }), undefined);
  });

  it('The view’s message says that a list is not whole, and why, instead of that there are no positions', () => {
    const message = (incomplete: Incomplete, count = 0): string | undefined =>
      viewMessage({ list: { kind: 'ready', asOf: AT, incomplete }, count }, undefined, 'Reading history…');
    const nothing = { readShare: undefined, since: undefined };
    assert.match(message({ ...nothing, reason: 'indexing', readShare: 0.4199 }) ?? '', /^Still reading \(41%\): positions may be missing/);
    assert.match(message({ ...nothing, reason: 'indexing' }, 3) ?? '', /^Still reading/);
    assert.match(message({ ...nothing, reason: 'pruned', since: AT }) ?? '', /^Positions opened before .* may be missing/);
    for (const reason of ['failed', 'unreadable', 'pruned', 'other'] as const) {
      assert.match(message({ ...nothing, reason }) ?? '', /may be missing/);
    }
  });

  it('The view’s message states how far history has been read, unless there is something worse to say', () => {
    const progress = 'Reading history: 320 of 1,200 transactions.';
    assert.equal(viewMessage(READY, undefined, progress), progress);
    assert.equal(viewMessage({ ...READY, count: 0 }, undefined, progress), progress, 'whether there are positions may depend on history');
    assert.equal(viewMessage(READY, 'Limit.', progress), 'Limit.');
    assert.match(
      viewMessage({ ...READY, list: { kind: 'stale', asOf: AT, error: serviceError('server') } }, undefined, progress) ?? '',
      /^Last updated/,
    );
    assert.equal(viewMessage({ list: { kind: 'loading' }, count: 0 }, undefined, progress), undefined);
  });

  it('The view’s message states how old the rows are and why', () => {
    assert.equal(
      viewMessage({ ...READY, list: { kind: 'stale', asOf: AT, error: serviceError('unreachable') } }),
      'Last updated 12:04:05. It is unreachable.',
    );
  });

  it('The view’s message states when the next update comes while the request limit is reached', () => {
    const limit = 'Request limit reached. Next update in 42 s.';
    const error = serviceError('rateLimited');
    assert.equal(viewMessage(READY, limit), limit);
    assert.equal(viewMessage({ ...READY, list: { kind: 'stale', asOf: AT, error } }, limit), `Last updated 12:04:05. ${limit}`);
    assert.equal(
      viewMessage({ ...READY, list: { kind: 'stale', asOf: AT, error: serviceError('server') } }, limit),
      'Last updated 12:04:05. It is server.',
    );
    assert.equal(viewMessage({ list: { kind: 'failed', error }, count: 0 }, limit), limit);
    assert.equal(viewMessage({ list: { kind: 'loading' }, count: 0 }, limit), undefined);
  });

  it('A view’s message is written only when it differs: VS Code would make the rows wait 200 ms', () => {
    const written: unknown[] = [];
    const view = {
      get message() {
        return written.length === 0 ? '' : written.at(-1);
      },
      set message(text: unknown) {
        written.push(text);
      },
    };
    for (const message of [undefined, 'Late.', 'Late.', undefined, undefined]) {
      setMessage(view, message);
    }
    assert.deepEqual(written, ['Late.', undefined]);
  });

  it('The problem that a view shows is the message of the error', () => {
    assert.equal(problemOf({ ...READY, list: { kind: 'failed', error: serviceError('server') } }), 'It is server.');
    assert.equal(problemOf({ ...READY, connection: { kind: 'failed', error: new SandboxError('failed', 'Gone.') } }), 'Gone.');
    assert.equal(problemOf(READY), undefined);
  });
});
