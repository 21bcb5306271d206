import assert from 'node:assert/strict';
import { ServiceError, type ServiceErrorKind } from '../../../src/service/errors';
import { ConnectionError, SandboxError } from '../../../src/ui/shell/connectionErrors';
import { readServiceChoice, SANDBOX } from '../../../src/ui/shell/serviceChoice';
import { problemOf, viewDescription, type ViewFacts, viewMessage, viewState } from '../../../src/ui/shell/views/viewState';

const REAL = readServiceChoice('https://example.org/v1');
const AT = new Date(2026, 10, 20, 12, 4, 5);
const serviceError = (kind: ServiceErrorKind) => new ServiceError(`It is ${kind}.`, { kind, endpoint: 'GET /x' });

const READY: ViewFacts = { choice: REAL, connection: { kind: 'open' }, ownerMissing: false, list: { kind: 'ready', asOf: AT }, count: 3 };

describe('The state of a view', () => {
  const cases: readonly (readonly [string, Partial<ViewFacts>])[] = [
    ['listed', {}],
    ['empty', { count: 0 }],
    ['loading', { count: 0, list: { kind: 'idle' } }],
    ['loading', { count: 0, list: { kind: 'loading' } }],
    ['loading', { count: 0, list: { kind: 'idle' }, connection: { kind: 'opening' } }],
    ['startingSandbox', { count: 0, list: { kind: 'idle' }, connection: { kind: 'opening' }, choice: SANDBOX, ownerMissing: true }],
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
    // What is there stays, whatever happened since.
    ['listed', { list: { kind: 'stale', asOf: AT, error: serviceError('unauthorized') } }],
    ['listed', { connection: { kind: 'failed', error: new SandboxError('failed', 'Gone.') } }],
  ];
  for (const [state, facts] of cases) {
    it(`is ${state} for ${JSON.stringify(facts, (_, value: unknown) => (value instanceof Error ? value.message : value))}`, () => {
      assert.equal(viewState({ ...READY, ...facts }), state);
    });
  }
});

describe('What a view says of itself', () => {
  it('names the service, the wallet without a key, and the time of the figures', () => {
    assert.equal(viewDescription(SANDBOX, { kind: 'ready', asOf: AT }, false), 'Sandbox · as of 12:04:05');
    assert.equal(viewDescription(REAL, { kind: 'loading' }, true), 'example.org · watched only');
  });

  it('is nothing above the rows where all is well, nor where there are none: the empty view has words of its own', () => {
    assert.equal(viewMessage(READY), undefined);
    assert.equal(viewMessage({ list: { kind: 'failed', error: serviceError('server') }, count: 0 }), undefined);
  });

  it('says how old the figures are, and why', () => {
    assert.equal(
      viewMessage({ ...READY, list: { kind: 'stale', asOf: AT, error: serviceError('unreachable') } }),
      'These figures are from 12:04:05. It is unreachable.',
    );
  });

  it('says when the next update comes while the request limit is reached, whether there are rows or not', () => {
    const limit = 'Service limit reached. Next update in 42 s.';
    const error = serviceError('rateLimited');
    assert.equal(viewMessage(READY, limit), limit);
    assert.equal(viewMessage({ ...READY, list: { kind: 'stale', asOf: AT, error } }, limit), `These figures are from 12:04:05. ${limit}`);
    assert.equal(
      viewMessage({ ...READY, list: { kind: 'stale', asOf: AT, error: serviceError('server') } }, limit),
      'These figures are from 12:04:05. It is server.',
    );
    assert.equal(viewMessage({ list: { kind: 'failed', error }, count: 0 }, limit), limit);
    assert.equal(viewMessage({ list: { kind: 'loading' }, count: 0 }, limit), undefined);
  });

  it('says why there are none', () => {
    assert.equal(problemOf({ ...READY, list: { kind: 'failed', error: serviceError('server') } }), 'It is server.');
    assert.equal(problemOf({ ...READY, connection: { kind: 'failed', error: new SandboxError('failed', 'Gone.') } }), 'Gone.');
    assert.equal(problemOf(READY), undefined);
  });
});
