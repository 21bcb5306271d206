import assert from 'node:assert/strict';
import { parseApiKey } from '../../../src/service/apiKey';
import { BaseUrlError, parseBaseUrl, PUBLIC_SERVICE_BASE_URL, serviceId } from '../../../src/service/baseUrl';

describe('Base URL of a service', () => {
  for (const [given, expected] of [
    ['https://api.lpagent.io/open-api/v1', 'https://api.lpagent.io/open-api/v1'],
    ['  https://api.lpagent.io/open-api/v1//\n', 'https://api.lpagent.io/open-api/v1'],
    ['HTTPS://API.Lpagent.io', 'https://api.lpagent.io/open-api/v1'],
    ['https://example.org:8443/a/', 'https://example.org:8443/a'],
    ['http://127.0.0.1:4321/open-api/v1', 'http://127.0.0.1:4321/open-api/v1'],
    ['http://localhost:80/x', 'http://localhost/x'],
    ['http://[::1]:9/x', 'http://[::1]:9/x'],
  ] as const) {
    it(`The base URL ${JSON.stringify(given)} is accepted and normalized`, () => {
      assert.equal(parseBaseUrl(given), expected);
    });
  }

  for (const [given, says] of [
    ['', /^Enter a complete address, such as https:/],
    ['api.lpagent.io/open-api/v1', /^Enter a complete address, such as https:/],
    ['/open-api/v1', /^Enter a complete address, such as https:/],
    ['ftp://example.org/', /^Enter a complete address, such as https:/],
    ['http://api.lpagent.io/open-api/v1', /must start with https:\/\/\. Only a program on this machine/],
    ['http://localhost.example.org/', /must start with https:\/\/\. Only a program on this machine/],
    ['http://127.0.0.1.example.org/', /must start with https:\/\/\. Only a program on this machine/],
    ['http://192.168.1.2/', /must start with https:\/\/\. Only a program on this machine/],
    ['https://someone:hunter2@example.org/', /must not contain “name:password@”/],
    ['https://example.org/open-api/v1?key=1', /must end with its version path/],
    ['https://example.org/open-api/v1?', /must end with its version path/],
    ['https://example.org/open-api/v1#top', /must end with its version path/],
  ] as const) {
    it(`The base URL ${JSON.stringify(given)} is refused with a reason`, () => {
      assert.throws(
        () => parseBaseUrl(given),
        (error) => error instanceof BaseUrlError && says.test(error.message) && !error.message.includes('hunter2'),
      );
    });
  }

  it('The base URL of the public service is already normalized', () => {
    assert.equal(parseBaseUrl(PUBLIC_SERVICE_BASE_URL), PUBLIC_SERVICE_BASE_URL);
  });

  it('Keys are stored by origin, so that a key goes only to the service it was entered for', () => {
    assert.equal(serviceId(PUBLIC_SERVICE_BASE_URL), 'https://api.lpagent.io');
    assert.equal(serviceId(parseBaseUrl('https://api.lpagent.io/other/')), serviceId(PUBLIC_SERVICE_BASE_URL));
    assert.notEqual(serviceId(parseBaseUrl('https://api.lpagent.io:444/open-api/v1')), serviceId(PUBLIC_SERVICE_BASE_URL));
    assert.notEqual(serviceId(parseBaseUrl('https://lpagent.io/open-api/v1')), serviceId(PUBLIC_SERVICE_BASE_URL));
  });
});

describe('API key', () => {
  it('An API key is accepted without the space around it', () => {
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
    it(`An API key is refused if it is ${why}`, () => {
      assert.equal(parseApiKey(given), undefined);
    });
  }
});
