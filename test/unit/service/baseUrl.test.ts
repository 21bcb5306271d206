import assert from 'node:assert/strict';
import { parseApiKey } from '../../../src/service/apiKey';
import { BaseUrlError, parseBaseUrl, PUBLIC_SERVICE_BASE_URL, serviceId } from '../../../src/service/baseUrl';

describe('the base URL of a service', () => {
  for (const [given, expected] of [
    ['https://api.lpagent.io/open-api/v1', 'https://api.lpagent.io/open-api/v1'],
    ['  https://api.lpagent.io/open-api/v1//\n', 'https://api.lpagent.io/open-api/v1'],
    ['HTTPS://API.Lpagent.io', 'https://api.lpagent.io'],
    ['https://example.org:8443/a/', 'https://example.org:8443/a'],
    ['http://127.0.0.1:4321/open-api/v1', 'http://127.0.0.1:4321/open-api/v1'],
    ['http://localhost:80/x', 'http://localhost/x'],
    ['http://[::1]:9/x', 'http://[::1]:9/x'],
  ] as const) {
    it(`takes ${JSON.stringify(given)}`, () => {
      assert.equal(parseBaseUrl(given), expected);
    });
  }

  for (const [given, says] of [
    ['', /empty/],
    ['api.lpagent.io/open-api/v1', /complete URL/],
    ['/open-api/v1', /complete URL/],
    ['ftp://example.org/', /must start with https:\/\//],
    ['http://api.lpagent.io/open-api/v1', /could read the API key/],
    ['http://localhost.example.org/', /could read the API key/],
    ['http://127.0.0.1.example.org/', /could read the API key/],
    ['http://192.168.1.2/', /could read the API key/],
    ['https://someone:hunter2@example.org/', /user name or password/],
    ['https://example.org/open-api/v1?key=1', /without "\?" or "#"/],
    ['https://example.org/open-api/v1?', /without "\?" or "#"/],
    ['https://example.org/open-api/v1#top', /without "\?" or "#"/],
  ] as const) {
    it(`refuses ${JSON.stringify(given)}`, () => {
      assert.throws(
        () => parseBaseUrl(given),
        (error) => error instanceof BaseUrlError && says.test(error.message) && !error.message.includes('hunter2'),
      );
    });
  }

  it('has the public service in normal form', () => {
    assert.equal(parseBaseUrl(PUBLIC_SERVICE_BASE_URL), PUBLIC_SERVICE_BASE_URL);
  });

  it('keeps keys by origin, so that a key goes only to the service it was entered for', () => {
    assert.equal(serviceId(PUBLIC_SERVICE_BASE_URL), 'https://api.lpagent.io');
    assert.equal(serviceId(parseBaseUrl('https://api.lpagent.io/other/')), serviceId(PUBLIC_SERVICE_BASE_URL));
    assert.notEqual(serviceId(parseBaseUrl('https://api.lpagent.io:444/open-api/v1')), serviceId(PUBLIC_SERVICE_BASE_URL));
    assert.notEqual(serviceId(parseBaseUrl('https://lpagent.io/open-api/v1')), serviceId(PUBLIC_SERVICE_BASE_URL));
  });
});

describe('an API key', () => {
  it('is what was pasted, without the space around it', () => {
    assert.equal(parseApiKey(' lp_3f9A-b.c=\n'), 'lp_3f9A-b.c=');
  });

  for (const [given, why] of [
    ['', 'empty'],
    ['   ', 'blank'],
    ['two words', 'with a space in it'],
    ['key\r\nx-other: 1', 'with a line break in it'],
    ['schlüssel', 'with a letter that no header carries'],
    ['k'.repeat(1_001), 'far too long'],
  ] as const) {
    it(`is refused ${why}`, () => {
      assert.equal(parseApiKey(given), undefined);
    });
  }
});
